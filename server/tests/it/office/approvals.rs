//! Approvals: two people decide together.

use axum::http::{Method, StatusCode};
use chrono::Duration;
use futures_util::future::join_all;
use serde_json::{Value, json};

use super::{clerk, office};
use crate::harness::Client;

const APPROVALS: &str = "/office/api/approvals";

fn correction(member_id: &str, direction: &str, amount: &str) -> Value {
    let what = json!({ "memberId": member_id, "direction": direction, "amount": amount });
    json!({ "kind": "wallet.correct", "what": what, "reason": "a round was paid twice" })
}

async fn member_id(client: &Client<'_>) -> String {
    let record = client.get("/wps/v2/wallets/transfers").await;
    record.value()["holderId"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn what_one_asks_for_is_done_when_another_agrees_and_once() {
    let test = office().await;
    let maria = test.member("maria").await;
    let id = member_id(&maria).await;
    let cashier = clerk(&test, "cashier").await;
    let body = correction(&id, "credit", "12.5");
    let requested = cashier.send(Method::POST, APPROVALS, Some(&body)).await;
    assert_eq!(requested.status, StatusCode::OK, "{}", requested.text);
    let path = format!("{APPROVALS}/{}", requested.body["value"].as_str().unwrap());
    assert_eq!(maria.balance().await, "1000");
    let agrees = json!({ "agrees": true, "reason": "seen in the rounds" });
    cashier.send(Method::POST, &path, Some(&agrees)).await.assert_refused(403, "staff.not_allowed");
    let admin = clerk(&test, "admin").await;
    let open = admin.get("/office/api/approvals?state=open").await;
    assert_eq!(open.body["value"].as_array().unwrap().len(), 1);
    let twice = join_all((0..5).map(|_| admin.send(Method::POST, &path, Some(&agrees)))).await;
    let done = twice.iter().filter(|answer| answer.status == StatusCode::OK).count();
    assert_eq!(done, 1);
    assert_eq!(maria.balance().await, "1012.5");
    let list = cashier.get(APPROVALS).await;
    assert_eq!(list.body["value"][0]["state"], "done");
    assert_eq!(list.body["value"][0]["decidedBy"], "admin");
    test.assert_ledger_is_sound().await;
    staff::check_audit_log(&test.app.staff).await.unwrap();
}

#[tokio::test]
async fn who_asks_never_decides() {
    let test = office().await;
    let maria = test.member("maria").await;
    let id = member_id(&maria).await;
    let admin = clerk(&test, "admin").await;
    let requested =
        admin.send(Method::POST, APPROVALS, Some(&correction(&id, "debit", "1000"))).await;
    let approval = requested.body["value"].as_str().unwrap().to_owned();
    let path = format!("{APPROVALS}/{approval}");
    let agrees = json!({ "agrees": true, "reason": "because I can" });
    admin.send(Method::POST, &path, Some(&agrees)).await.assert_refused(403, "staff.not_yourself");
    // Nor with SQL under the server's own role.
    let sql =
        "update staff_approvals set state = 'done', decided_by = asked_by, decided_at = now()";
    let refused = sqlx::raw_sql(sql).execute(&test.app.db).await.unwrap_err();
    assert!(refused.to_string().contains("staff_approvals_four_eyes"), "{refused}");
    let sql = "update staff_approvals set state = 'done'";
    let refused = sqlx::raw_sql(sql).execute(&test.app.db).await.unwrap_err();
    assert!(refused.to_string().contains("staff_approvals_decided"), "{refused}");
    let sql = "update staff_approvals set asked_by = gen_random_uuid()";
    let refused = sqlx::raw_sql(sql).execute(&test.app.db).await.unwrap_err();
    assert!(refused.to_string().contains("permission denied"), "{refused}");
    assert_eq!(maria.balance().await, "1000");
}

#[tokio::test]
async fn what_cannot_be_done_stays_open_and_what_is_old_is_over() {
    let test = office().await;
    let maria = test.member("maria").await;
    let id = member_id(&maria).await;
    let cashier = clerk(&test, "cashier").await;
    for (body, field) in [
        (correction(&id, "sideways", "1"), "what"),
        (correction(&id, "credit", "0"), "amount"),
        (correction(&id, "credit", "-5"), "amount"),
        (correction("x", "credit", "5"), "what"),
        (json!({ "kind": "wallet.rob", "what": {}, "reason": "fun" }), "kind"),
    ] {
        let answer = cashier.send(Method::POST, APPROVALS, Some(&body)).await;
        answer.assert_refused(400, "input.invalid");
        assert!(answer.body["fields"].get(field).is_some(), "{}", answer.text);
    }
    let too_much = correction(&id, "debit", "1000.01");
    let requested = cashier.send(Method::POST, APPROVALS, Some(&too_much)).await;
    let path = format!("{APPROVALS}/{}", requested.body["value"].as_str().unwrap());
    let agrees = json!({ "agrees": true, "reason": "seen in the rounds" });
    let admin = clerk(&test, "admin").await;
    let answer = admin.send(Method::POST, &path, Some(&agrees)).await;
    answer.assert_refused(409, "wallet.insufficient_funds");
    assert_eq!(
        admin.get("/office/api/approvals?state=open").await.body["value"].as_array().unwrap().len(),
        1
    );
    assert_eq!(maria.balance().await, "1000");
    test.advance(Duration::hours(73));
    let admin = clerk(&test, "admin").await;
    admin.send(Method::POST, &path, Some(&agrees)).await.assert_refused(409, "staff.decided");
    staff::purge(&test.app.staff).await.unwrap();
    let list = admin.get("/office/api/approvals?state=expired").await;
    assert_eq!(list.body["value"].as_array().unwrap().len(), 1);
    test.assert_ledger_is_sound().await;
}

#[tokio::test]
async fn requests_are_told_to_people_found_and_counted() {
    let test = office().await;
    let maria = test.member("maria").await;
    let id = member_id(&maria).await;
    let (admin, cashier) = (clerk(&test, "admin").await, clerk(&test, "cashier").await);
    cashier.send(Method::POST, APPROVALS, Some(&correction(&id, "credit", "12.5"))).await.value();
    admin.send(Method::POST, APPROVALS, Some(&correction(&id, "debit", "3"))).await.value();

    let list = admin.get(APPROVALS).await;
    let rows = list.value().as_array().unwrap();
    let (own, theirs) = (&rows[0], &rows[1]);
    let about = json!({
        "way": "credit", "amount": "12.5", "currency": "PHP",
        "member": { "id": id, "username": "maria" },
    });
    assert_eq!(theirs["about"], about);
    assert_eq!((&theirs["isOwn"], &theirs["mayDecide"]), (&json!(false), &json!(true)));
    assert_eq!((&own["isOwn"], &own["mayDecide"]), (&json!(true), &json!(false)));

    let count = async |clerk: &super::Clerk<'_>| {
        clerk.get("/office/api/approvals/count").await.value().clone()
    };
    assert_eq!(count(&admin).await, json!({ "others": 1, "own": 1 }));
    assert_eq!(count(&cashier).await, json!({ "others": 0, "own": 1 }));
    let found = async |query: &str| {
        let list = admin.get(&format!("{APPROVALS}?{query}")).await;
        list.value().as_array().unwrap().len()
    };
    assert_eq!(found("by=me").await, 1);
    assert_eq!(found("by=others&kind=wallet.correct&state=open").await, 1);
    assert_eq!(found("kind=wallet.rob").await, 0);
    admin.get(&format!("{APPROVALS}?by=nobody")).await.assert_refused(400, "input.invalid");

    // One of them by its id; requests of other roles are not visible.
    let path = format!("{APPROVALS}/{}", theirs["id"].as_str().unwrap());
    assert_eq!(admin.get(&path).await.value()["about"], about);
    let content = clerk(&test, "content").await;
    content.get(&path).await.assert_refused(404, "staff.unknown");
    // A request about a member who does not exist is still listed.
    let nobody = "0197c000-0000-7000-8000-000000000000";
    cashier.send(Method::POST, APPROVALS, Some(&correction(nobody, "credit", "1"))).await.value();
    let list = admin.get(APPROVALS).await;
    assert_eq!(list.value()[0]["about"]["member"], Value::Null);
}

#[tokio::test]
async fn who_asked_may_take_it_back_until_somebody_has_decided() {
    let test = office().await;
    let maria = test.member("maria").await;
    let id = member_id(&maria).await;
    let (admin, cashier) = (clerk(&test, "admin").await, clerk(&test, "cashier").await);
    let requested =
        cashier.send(Method::POST, APPROVALS, Some(&correction(&id, "credit", "5"))).await;
    let path = format!("{APPROVALS}/{}", requested.value().as_str().unwrap());
    let back = format!("{path}/withdraw");
    let why = json!({ "reason": "it was another member" });
    admin.send(Method::POST, &back, Some(&why)).await.assert_refused(403, "staff.not_allowed");
    let short = json!({ "reason": " " });
    cashier.send(Method::POST, &back, Some(&short)).await.assert_refused(400, "input.invalid");
    cashier.send(Method::POST, &back, Some(&why)).await.value();
    cashier.send(Method::POST, &back, Some(&why)).await.assert_refused(409, "staff.decided");
    let agrees = json!({ "agrees": true, "reason": "seen in the rounds" });
    admin.send(Method::POST, &path, Some(&agrees)).await.assert_refused(409, "staff.decided");
    let row = admin.get(&path).await;
    assert_eq!(row.value()["state"], "withdrawn");
    assert_eq!(row.value()["decidedBy"], Value::Null);
    assert_eq!(row.value()["decisionReason"], "it was another member");
    assert_eq!(maria.balance().await, "1000");
    let entries = admin.audit_log(&json!({ "action": "approvals.withdraw" })).await;
    assert_eq!(entries.value()[0]["reason"], "it was another member");
}
