//! A number or address belongs to the member who has proved to hold it.

use axum::body::Body;
use axum::http::{Method, Request, header};
use chrono::Duration;
use futures_util::future::{join, join_all};
use platform::jobs::Worker;
use serde_json::{Value, json};

use crate::codes::codes;
use crate::harness::{Answer, Client, PASSWORD, TestApp};
use crate::registration_gates::{by_mobile, code_to};

const NUMBER: &str = "+639171234567";
const BIND: &str = "/wps/member/bind";

/// A member who has typed a number and an address without proving them.
async fn typist<'a>(test: &'a TestApp, name: &str) -> Client<'a> {
    test.switch("REGMOBVERF3", false).await;
    let mut client = test.visitor();
    let more = json!({ "mobileNum": "9171234567", "email": "maria@example.com" });
    client.fill_in(name, &more).await.value();
    test.switch("REGMOBVERF3", true).await;
    client
}

async fn info(client: &Client<'_>) -> Value {
    client.get("/wps/member/info").await.value().clone()
}

/// Requests a code for a contact that a member wants to bind, and reads it from the outbox.
async fn bind_code(test: &TestApp, client: &Client<'_>, contact: &Value) -> (String, String) {
    let (path, to) = match contact["email"].as_str() {
        Some(email) => (format!("{BIND}/email"), email.to_owned()),
        None => (format!("{BIND}/mobile"), NUMBER.to_owned()),
    };
    let mut body = contact.clone();
    body["human"] = json!(client.proof().await);
    client.post(&path, &body).await.value();
    (path, test.message_to(&to).await[..6].to_owned())
}

async fn bind(client: &Client<'_>, path: &str, contact: &Value, code: &str) -> Answer {
    let mut body = contact.clone();
    (body["verificationCode"], body["password"]) = (json!(code), json!(PASSWORD));
    client.sealed(Method::PUT, path, &body).await
}

fn number() -> Value {
    json!({ "mobileNum": "9171234567", "countryDialingCode": "63" })
}

async fn ask_code(test: &TestApp, purpose: &str) -> Answer {
    let client = test.phone();
    let mut body = number();
    body["human"] = json!(client.proof().await);
    client.post(&format!("/wps/verification/sms/{purpose}"), &body).await
}

async fn login_by_sms<'a>(test: &'a TestApp) -> Client<'a> {
    ask_code(test, "noLogin").await.value();
    let mut body = number();
    body["type"] = json!("sms");
    body["verificationCode"] = json!(codes(test).await[NUMBER]);
    let mut client = test.phone();
    let answer = client.sealed(Method::POST, "/wps/session/login", &body).await;
    answer.value();
    client.adopt(&answer);
    client
}

async fn mail_link(test: &TestApp, username: &str) -> Answer {
    let client = test.visitor();
    let human = client.proof().await.replace('+', "%2B").replace('/', "%2F").replace('=', "%3D");
    let form = format!("username={username}&email=maria%40example.com&human={human}");
    let request = Request::builder()
        .method(Method::POST)
        .uri("/wps/member/password/email")
        .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
    client.send(request.body(Body::from(form)).unwrap()).await
}

/// The holder of the number by reservation and by details: the account, and whether the number is
/// verified.
async fn holders(test: &TestApp) -> (Vec<(String, bool)>, Vec<(String, bool)>) {
    let reserved = "select account, verified from members_mobiles
        join members_profiles using (member_id) where mobile = '+639171234567'";
    let details = "select account, mobile_verified_at is not null from members_details
        join members_profiles using (member_id) where mobile = '+639171234567'";
    let reserved = sqlx::query_as(reserved).fetch_all(&test.owner).await.unwrap();
    (reserved, sqlx::query_as(details).fetch_all(&test.owner).await.unwrap())
}

/// Revoked contacts: who lost what to whom.
async fn revoked_contacts(test: &TestApp) -> Vec<(String, String, String)> {
    sqlx::query_as(
        "select p.account, l.kind, t.account from members_lost_contacts l
         join members_profiles p on p.member_id = l.member_id
         join members_profiles t on t.member_id = l.taken_by order by l.id",
    )
    .fetch_all(&test.owner)
    .await
    .unwrap()
}

fn revoked(who: &str, kind: &str, whom: &str) -> (String, String, String) {
    (who.to_owned(), kind.to_owned(), whom.to_owned())
}

#[tokio::test]
async fn what_was_only_typed_opens_nothing_and_looks_unknown() {
    let test = TestApp::new().await;
    let maria = typist(&test, "maria").await;
    let typed: Vec<String> =
        [ask_code(&test, "noLogin").await, mail_link(&test, "maria").await].map(|a| a.text).into();
    test.change("delete from platform_budgets; delete from sessions_sends").await;
    test.change("update members_names set name = 'other' where name = 'maria'").await;
    test.change("delete from members_mobiles").await;
    let unknown: Vec<String> =
        [ask_code(&test, "noLogin").await, mail_link(&test, "maria").await].map(|a| a.text).into();
    assert_eq!(typed, unknown);
    assert!(codes(&test).await.is_empty(), "nothing was sent");
    assert_eq!(info(&maria).await["mobileVerified"], false);
}

#[tokio::test]
async fn what_was_proved_opens() {
    let test = TestApp::new().await;
    let maria = typist(&test, "maria").await;
    for contact in [number(), json!({ "email": "maria@example.com" })] {
        let (path, code) = bind_code(&test, &maria, &contact).await;
        bind(&maria, &path, &contact, &code).await.value();
        test.advance(Duration::minutes(2));
    }
    assert_eq!(info(&login_by_sms(&test).await).await["account"], "maria");
    test.advance(Duration::minutes(2));
    mail_link(&test, "maria").await.value();
    assert!(test.message_to("maria@example.com").await.contains("/login#recover="));
    assert!(revoked_contacts(&test).await.is_empty());
}

#[tokio::test]
async fn a_typed_number_yields_to_whoever_registers_with_its_code() {
    let test = TestApp::new().await;
    let maria = typist(&test, "maria").await;
    let code = code_to(&test, "9171234567").await;
    let mut josefa = test.phone();
    let more = json!({ "mobileNum": "9171234567", "verificationCode": code });
    josefa.fill_in("josefa", &more).await.value();
    assert_eq!(info(&josefa).await["mobileVerified"], true);
    // The account stays complete except for the number.
    let profile = info(&maria).await;
    assert_eq!((&profile["mobileNum"], &profile["mobileVerified"]), (&Value::Null, &json!(false)));
    assert_eq!(profile["email"], "m***a@example.com");
    test.visitor().login("maria", PASSWORD).await.value();
    assert_eq!(revoked_contacts(&test).await, [revoked("maria", "mobile", "josefa")]);
    test.advance(Duration::minutes(2));
    assert_eq!(info(&login_by_sms(&test).await).await["account"], "josefa");
    // A verified contact is not given to anybody else.
    test.advance(Duration::minutes(4));
    let code = code_to(&test, "9171234567").await;
    let more = json!({ "mobileNum": "9171234567", "verificationCode": code });
    let refused = test.phone().fill_in("rosita", &more).await;
    refused.assert_refused(409, "member.mobile_taken");
    test.assert_ledger_is_sound().await;
}

#[tokio::test]
async fn a_typed_number_does_not_yield_to_another_typist() {
    let test = TestApp::new().await;
    typist(&test, "maria").await;
    test.switch("REGMOBVERF3", false).await;
    let refused = test.visitor().fill_in("josefa", &json!({ "mobileNum": "9171234567" })).await;
    refused.assert_refused(409, "member.mobile_taken");
    assert_eq!(holders(&test).await.0, [("maria".to_owned(), false)]);
}

#[tokio::test]
async fn a_number_that_is_somebodys_username_stays_so() {
    let test = TestApp::new().await;
    test.switch("REGMOBVERF3", false).await;
    let mut first = test.visitor();
    by_mobile(&mut first, "9171234567", Value::Null).await.value();
    test.switch("REGMOBVERF3", true).await;
    let code = code_to(&test, "9171234567").await;
    let mut owner = test.phone();
    by_mobile(&mut owner, "9171234567", json!(code)).await.value();
    let (old, new) = (info(&first).await, info(&owner).await);
    assert_eq!((&old["account"], &old["mobileNum"]), (&json!(NUMBER), &Value::Null));
    let name = new["account"].as_str().unwrap();
    assert!(name.starts_with("player") && name.len() == 12, "{name}");
    assert_eq!(
        (&new["mobileVerified"], &new["mobileNum"]),
        (&json!(true), &json!("+639******567"))
    );
    assert_eq!(revoked_contacts(&test).await, [revoked(NUMBER, "mobile", name)]);
    // Both can log in again: one by username, the other by phone or by username.
    let mut again = test.visitor();
    again.login("09171234567", PASSWORD).await.value();
    assert_eq!(info(&again).await["id"], old["id"]);
    again.login(name, PASSWORD).await.value();
    assert_eq!(info(&again).await["id"], new["id"]);
    test.advance(Duration::minutes(2));
    assert_eq!(info(&login_by_sms(&test).await).await["id"], new["id"]);
}

#[tokio::test]
async fn a_username_that_was_a_number_does_not_keep_the_numbers_holder_out() {
    let test = TestApp::new().await;
    let code = code_to(&test, "9171234567").await;
    let mut first = test.phone();
    by_mobile(&mut first, "9171234567", json!(code)).await.value();
    // The member gets another phone, and somebody else the number.
    test.change("delete from members_mobiles; update members_details set mobile = null").await;
    test.advance(Duration::minutes(2));
    let code = code_to(&test, "9171234567").await;
    let mut next = test.phone();
    by_mobile(&mut next, "9171234567", json!(code)).await.value();
    assert_ne!(info(&next).await["id"], info(&first).await["id"]);
    assert_eq!(info(&next).await["mobileVerified"], true);
}

#[tokio::test]
async fn what_was_typed_yields_to_whoever_binds_it() {
    let test = TestApp::new().await;
    let maria = typist(&test, "maria").await;
    let josefa = test.member("josefa").await;
    for contact in [number(), json!({ "email": "MARIA@example.com" })] {
        let (path, code) = bind_code(&test, &josefa, &contact).await;
        bind(&josefa, &path, &contact, &code).await.value();
        test.advance(Duration::minutes(2));
    }
    let expected = [revoked("maria", "mobile", "josefa"), revoked("maria", "email", "josefa")];
    assert_eq!(revoked_contacts(&test).await, expected);
    let profile = info(&maria).await;
    assert_eq!((&profile["mobileNum"], &profile["email"]), (&Value::Null, &Value::Null));
    // A member whose contact was revoked may bind another one without a password, because it has
    // none.
    let other = json!({ "email": "clara@example.com" });
    let (path, code) = bind_code(&test, &maria, &other).await;
    bind(&maria, &path, &other, &code).await.value();
}

#[tokio::test]
async fn of_all_who_race_for_a_number_one_has_it() {
    let test = TestApp::new().await;
    typist(&test, "maria").await;
    let mut josefa = test.member("josefa").await;
    for round in 0..5 {
        // A member and a visitor need codes for different purposes.
        let (path, code) = bind_code(&test, &josefa, &number()).await;
        test.advance(Duration::minutes(2));
        let (contact, other) = (number(), code_to(&test, "9171234567").await);
        let given = json!({ "mobileNum": "9171234567", "verificationCode": other });
        let binding = (0..2).map(|_| bind(&josefa, &path, &contact, &code));
        let registering = (0..2).map(|racer| {
            let (mut client, given) = (test.phone(), &given);
            async move { client.fill_in(&format!("racer{round}{racer}"), given).await }
        });
        let (bound, registered) = join(join_all(binding), join_all(registering)).await;
        let answers = [bound, registered].concat();
        let won = answers.iter().filter(|answer| answer.status.is_success()).count();
        assert_eq!(won, 1);
        assert!(answers.iter().all(|answer| answer.status.as_u16() < 500));
        let (reserved, details) = holders(&test).await;
        assert_eq!((reserved.len(), &reserved), (1, &details));
        assert!(reserved[0].1, "it is verified");
        // Resets the number to typed but unverified.
        test.change(
            "update members_details set mobile = null, mobile_verified_at = null;
             update members_details d set mobile = '+639171234567' from members_profiles p
                where p.member_id = d.member_id and p.account = 'maria';
             update members_mobiles m set verified = false, member_id = p.member_id
                from members_profiles p where p.account = 'maria'",
        )
        .await;
        test.advance(Duration::hours(25));
        josefa.login("josefa", PASSWORD).await.value();
    }
}

#[tokio::test]
async fn who_loses_a_contact_is_told_by_the_other_one_once() {
    let test = TestApp::new().await;
    let maria = typist(&test, "maria").await;
    let address = json!({ "email": "maria@example.com" });
    let (path, code) = bind_code(&test, &maria, &address).await;
    bind(&maria, &path, &address, &code).await.value();
    let language = json!({ "language": "TY" });
    maria.request(Method::PUT, "/wps/member/language", Some(&language)).await.value();
    assert_eq!(maria.get("/wps/member/contacts/lost").await.value(), &json!([]));

    let rival = test.member("rival").await;
    let (path, code) = bind_code(&test, &rival, &number()).await;
    bind(&rival, &path, &number(), &code).await.value();
    assert_eq!(revoked_contacts(&test).await, [revoked("maria", "mobile", "rival")]);
    let lost = maria.get("/wps/member/contacts/lost").await;
    let lost = &lost.value()[0];
    assert_eq!((&lost["kind"], &lost["masked"]), (&json!("mobile"), &json!("+639******567")));
    assert_eq!(rival.get("/wps/member/contacts/lost").await.value(), &json!([]));

    let (db, clock) = (test.app.db.clone(), test.app.clock.clone());
    let worker = Worker::new(db, clock, capiz::modules::job_registry(&test.app));
    worker.run_due(test.app.clock.now()).await.unwrap();
    let message = test.message_to("maria@example.com").await;
    assert!(message.contains("+639******567") && message.contains("Hindi na contact"), "{message}");
    // Running the job again changes nothing.
    test.change(
        "update platform_jobs set state = 'queued', finished_at = null
         where kind = 'members.tell_loss'",
    )
    .await;
    worker.run_due(test.app.clock.now()).await.unwrap();
    let sent: i64 = sqlx::query_scalar(
        "select count(*) from platform_messages where purpose = 'members.contact_lost'",
    )
    .fetch_one(&test.owner)
    .await
    .unwrap();
    assert_eq!(sent, 1);
}
