//! Affiliates: who can apply, and how the office decides.

use axum::http::Method;
use serde_json::{Value, json};

use crate::harness::{Answer, Client};
use crate::office::{Clerk, clerk, office};

const AFFILIATE: &str = "/wps/agent/affiliate";
const OFFICE: &str = "/office/api/affiliates";

/// Sends an application; the given fields replace those of a valid one.
async fn apply(client: &Client<'_>, fields: &Value) -> Answer {
    let mut body = json!({
        "name": "Ana Reyes", "contactKind": "MOBILE", "contact": "+63 917 123 4567",
        "audience": "Followers of a cooking show", "message": "",
        "affiliateCode": "abc123", "referralCode": null,
    });
    for (name, value) in fields.as_object().unwrap() {
        body[name] = value.clone();
    }
    client.request(Method::PUT, AFFILIATE, Some(&body)).await
}

async fn decide(clerk: &Clerk<'_>, id: &str, accepted: bool) -> Answer {
    let path = format!("{OFFICE}/{id}/decide");
    let body = json!({ "accepted": accepted, "answer": "Thank you for asking." });
    clerk.send(Method::POST, &path, Some(&body)).await
}

#[tokio::test]
async fn a_member_applies_once_at_a_time_and_learns_the_decision() {
    let test = office().await;
    let maria = test.member("maria").await;
    assert_eq!(maria.get(AFFILIATE).await.value(), &Value::Null);
    let id = apply(&maria, &json!({})).await.value()["id"].as_str().unwrap().to_owned();
    apply(&maria, &json!({})).await.assert_refused(409, "agents.waiting");
    assert_eq!(maria.get(AFFILIATE).await.value()["status"], "OPEN");

    let admin = clerk(&test, "admin").await;
    let listed = admin.get(&format!("{OFFICE}?status=OPEN")).await;
    let shown = &listed.value()[0];
    assert_eq!((&shown["id"], &shown["account"]), (&json!(id), &json!("maria")));
    assert_eq!(shown["affiliateCode"], "ABC123");
    assert_eq!(decide(&admin, &id, false).await.value()["status"], "REFUSED");
    decide(&admin, &id, true).await.assert_refused(409, "agents.decided");
    let latest = maria.get(AFFILIATE).await;
    assert_eq!(latest.value()["status"], "REFUSED");
    assert_eq!(latest.value()["answer"], "Thank you for asking.");

    // A refused applicant may apply again.
    let again = apply(&maria, &json!({})).await.value()["id"].as_str().unwrap().to_owned();
    assert_eq!(decide(&admin, &again, true).await.value()["decidedBy"], "admin");
    assert_eq!(maria.get(AFFILIATE).await.value()["status"], "ACCEPTED");
    let subjects: Vec<String> =
        sqlx::query_scalar("select subject from staff_trail where action = 'agents.decide'")
            .fetch_all(&test.owner)
            .await
            .unwrap();
    assert_eq!(subjects, [format!("application:{id}"), format!("application:{again}")]);
}

#[tokio::test]
async fn visitors_apply_too_and_support_reads() {
    let test = office().await;
    let visitor = test.visitor();
    apply(&visitor, &json!({})).await.assert_refused(400, "session.human_check");
    let proof = visitor.proof().await;
    let id = apply(&visitor, &json!({ "human": proof })).await;
    let id = id.value()["id"].as_str().unwrap().to_owned();
    visitor.get(AFFILIATE).await.assert_refused(401, "session.required");
    let support = clerk(&test, "support").await;
    assert_eq!(support.get(OFFICE).await.value()[0]["id"], json!(id));
    decide(&support, &id, true).await.assert_refused(403, "staff.not_allowed");
    let admin = clerk(&test, "admin").await;
    decide(&admin, &id, true).await.value();
    let nobody = "0197c000-0000-7000-8000-000000000000";
    decide(&admin, nobody, true).await.assert_refused(404, "agents.unknown");
}

#[tokio::test]
async fn a_code_of_a_mangled_link_is_left_out() {
    let test = office().await;
    let maria = test.member("maria").await;
    let mangled = json!({ "affiliateCode": "a b-77", "referralCode": "x".repeat(33) });
    apply(&maria, &mangled).await.value();
    let admin = clerk(&test, "admin").await;
    let listed = admin.get(&format!("{OFFICE}?status=OPEN")).await;
    let shown = &listed.value()[0];
    assert_eq!((&shown["affiliateCode"], &shown["referralCode"]), (&Value::Null, &Value::Null));
}

#[tokio::test]
async fn nonsense_is_refused_by_its_field() {
    let test = office().await;
    let maria = test.member("maria").await;
    for (field, value, code) in [
        ("name", json!("A"), "too_short"),
        ("contact", json!("call me maybe"), "pattern"),
        ("audience", json!(""), "required"),
        ("message", json!("x".repeat(1_001)), "too_long"),
    ] {
        let refused = apply(&maria, &json!({ field: value })).await;
        refused.assert_refused(400, "input.invalid");
        assert_eq!(refused.body["fields"], json!({ field: code }), "{value}");
    }
    let odd = apply(&maria, &json!({ "contactKind": "PIGEON" })).await;
    odd.assert_refused(400, "request.malformed");
    test.change("update site_merchants set maintenance = true").await;
    apply(&maria, &json!({})).await.assert_refused(503, "site.maintenance");
}
