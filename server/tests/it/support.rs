//! Feedback: who may write, how the office answers, and who is notified.

use axum::http::Method;
use serde_json::{Value, json};

use crate::harness::{Answer, Client, TestApp};
use crate::office::{Clerk, clerk, office};

const FEEDBACK: &str = "/wps/feedback";
const OFFICE: &str = "/office/api/feedback";

/// Sends feedback; the given fields replace those of a valid message.
async fn write(client: &Client<'_>, fields: &Value) -> Answer {
    let mut body = json!({
        "questionType": "GAME", "content": "The dice did not stop rolling for a minute.",
        "contact": null,
    });
    for (name, value) in fields.as_object().unwrap() {
        body[name] = value.clone();
    }
    client.request(Method::PUT, FEEDBACK, Some(&body)).await
}

async fn own(client: &Client<'_>) -> Vec<Value> {
    client.get(FEEDBACK).await.value().as_array().unwrap().clone()
}

async fn answer(clerk: &Clerk<'_>, id: &str, text: &str) -> Answer {
    let path = format!("{OFFICE}/{id}/answer");
    clerk.send(Method::POST, &path, Some(&json!({ "answer": text }))).await
}

fn id_of(answer: &Answer) -> String {
    answer.value()["id"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_member_writes_and_finds_the_answer() {
    let test = office().await;
    let mut maria = test.visitor();
    maria.fill_in("maria", &json!({ "email": "maria@example.com" })).await.value();
    test.verify_contacts().await;
    let language = json!({ "language": "TY" });
    maria.request(Method::PUT, "/wps/member/language", Some(&language)).await.value();
    let first = id_of(&write(&maria, &json!({})).await);
    let second =
        write(&maria, &json!({ "questionType": "COMPLAINT", "contact": " @maria " })).await;
    let second = id_of(&second);
    let listed = own(&maria).await;
    assert_eq!(listed.len(), 2);
    assert_eq!((&listed[0]["id"], &listed[1]["id"]), (&json!(second), &json!(first)));
    assert_eq!(listed[1]["status"], "OPEN");
    assert_eq!(listed[1]["answer"], Value::Null);

    let support = clerk(&test, "support").await;
    let open = support.get(&format!("{OFFICE}?status=OPEN")).await;
    assert_eq!(open.value()[0]["account"], "maria");
    assert_eq!(open.value()[0]["contact"], "@maria");
    let page = support.get(&format!("{OFFICE}?limit=1&before={second}")).await;
    assert_eq!(page.value()[0]["id"], json!(first));
    let answered = answer(&support, &first, "We have repaired it.\nThank you!").await;
    assert_eq!(answered.value()["status"], "ANSWERED");
    assert_eq!(answered.value()["answeredBy"], "support");
    answer(&support, &first, "Once more").await.assert_refused(409, "inbox.done");

    let listed = own(&maria).await;
    assert_eq!(listed[1]["status"], "ANSWERED");
    assert_eq!(listed[1]["answer"], "We have repaired it.\nThank you!");
    assert!(listed[1]["answeredAt"].is_string());
    let mail = test.message_to("maria@example.com").await;
    assert!(mail.contains("Sumulat ka sa amin") && mail.contains("We have repaired it."), "{mail}");

    let close = format!("{OFFICE}/{second}/close");
    let reason = json!({ "reason": "the same as the other" });
    let closed = support.send(Method::POST, &close, Some(&reason)).await;
    assert_eq!(closed.value()["status"], "CLOSED");
    let again = support.send(Method::POST, &close, Some(&reason)).await;
    again.assert_refused(409, "inbox.done");
}

#[tokio::test]
async fn what_was_done_stands_in_the_trail_and_reaches_open_pages() {
    let test = office().await;
    let maria = test.member("maria").await;
    let id = id_of(&write(&maria, &json!({})).await);
    let support = clerk(&test, "support").await;
    answer(&support, &id, "We are looking into it.").await.value();
    let entry: (String, String, Option<String>) =
        sqlx::query_as("select action, subject, after from staff_trail order by seq desc limit 1")
            .fetch_one(&test.owner)
            .await
            .unwrap();
    assert_eq!((entry.0.as_str(), entry.1), ("inbox.answer", format!("feedback:{id}")));
    assert_eq!(entry.2.as_deref(), Some(r#"{"status":"ANSWERED"}"#));
    let events: Vec<String> = sqlx::query_scalar(
        "select event::text from platform_events where event::text like '%feedback%'",
    )
    .fetch_all(&test.owner)
    .await
    .unwrap();
    let is_told = |events: &String| events.contains("member:") && events.contains("office:all");
    assert_eq!(events.iter().filter(|events| is_told(events)).count(), 2);
}

#[tokio::test]
async fn visitors_pass_the_human_check() {
    let test = office().await;
    let visitor = test.visitor();
    write(&visitor, &json!({})).await.assert_refused(400, "session.human_check");
    let proof = visitor.proof().await;
    // A form error does not spend the proof.
    let short = write(&visitor, &json!({ "content": "short", "human": proof })).await;
    assert_eq!(short.body["fields"], json!({ "content": "too_short" }));
    assert_eq!(short.body["bounds"]["content"], json!({ "min": 10, "max": 1000 }));
    let id =
        id_of(&write(&visitor, &json!({ "human": proof, "contact": "ana@example.com" })).await);
    write(&visitor, &json!({ "human": proof })).await.assert_refused(400, "session.human_check");
    visitor.get(FEEDBACK).await.assert_refused(401, "session.required");
    let support = clerk(&test, "support").await;
    let listed = support.get(OFFICE).await;
    assert_eq!(listed.value()[0]["id"], json!(id));
    assert_eq!(listed.value()[0]["memberId"], Value::Null);
    answer(&support, &id, "We will write to you.").await.value();
    // Demo accounts cost nothing to create, so they need a proof.
    let trial = test.trial().await;
    write(&trial, &json!({})).await.assert_refused(400, "session.human_check");
    write(&trial, &json!({ "human": trial.proof().await })).await.value();
}

#[tokio::test]
async fn nonsense_is_refused_by_its_field() {
    let test = office().await;
    let maria = test.member("maria").await;
    for (field, value, code) in [
        ("content", json!(""), "required"),
        ("content", json!("  too few "), "too_short"),
        ("content", json!("x".repeat(1_001)), "too_long"),
        ("content", json!("with \u{7} a bell in it"), "invalid"),
        ("contact", json!("x"), "too_short"),
        ("contact", json!("x".repeat(121)), "too_long"),
    ] {
        let refused = write(&maria, &json!({ field: value })).await;
        refused.assert_refused(400, "input.invalid");
        assert_eq!(refused.body["fields"], json!({ field: code }), "{value}");
    }
    write(&maria, &json!({ "questionType": "POETRY" }))
        .await
        .assert_refused(400, "request.malformed");
    assert!(own(&maria).await.is_empty());
    let support = clerk(&test, "support").await;
    let nobody = "0197c000-0000-7000-8000-000000000000";
    answer(&support, nobody, "Hello").await.assert_refused(404, "inbox.unknown");
    let id = id_of(&write(&maria, &json!({ "content": "ñ".repeat(1_000) })).await);
    answer(&support, &id, "  ").await.assert_refused(400, "input.invalid");
    let close = format!("{OFFICE}/{id}/close");
    let refused = support.send(Method::POST, &close, Some(&json!({ "reason": "" }))).await;
    refused.assert_refused(400, "input.invalid");
}

#[tokio::test]
async fn nobody_floods_the_office() {
    let test = TestApp::new().await;
    let maria = test.member("maria").await;
    for _ in 0..10 {
        write(&maria, &json!({})).await.value();
    }
    write(&maria, &json!({})).await.assert_refused(429, "request.too_many");
    let joselito = test.member("joselito").await;
    for _ in 0..10 {
        write(&joselito, &json!({})).await.value();
    }
    // The IP address has reached its limit, which allows for several people in a household.
    let guest = test.member("andres").await;
    write(&guest, &json!({})).await.assert_refused(429, "request.too_many");
    test.advance(chrono::Duration::minutes(61));
    let again = test.member("gabriela").await;
    write(&again, &json!({})).await.value();
}

#[tokio::test]
async fn a_closed_site_still_hears() {
    let test = TestApp::new().await;
    let maria = test.member("maria").await;
    test.change("update site_merchants set maintenance = true").await;
    let visitor = test.visitor();
    visitor.get("/wps/captcha/challenge").await.value();
    write(&visitor, &json!({ "human": visitor.proof().await })).await.value();
    write(&maria, &json!({})).await.value();
    maria.get(FEEDBACK).await.assert_refused(503, "site.maintenance");
}

#[tokio::test]
async fn who_believes_to_be_logged_in_and_is_not_is_told() {
    let test = TestApp::new().await;
    let mut maria = test.member("maria").await;
    maria.request(Method::DELETE, "/wps/session/logout", None).await.value();
    write(&maria, &json!({})).await.assert_refused(401, "session.required");
    maria.token = Some("nonsense".to_owned());
    write(&maria, &json!({})).await.assert_refused(401, "session.required");
}
