//! Mobile numbers and e-mail addresses that members bind to their accounts.

use std::future::Future;

use axum::http::Method;
use futures_util::future::{join_all, join3};
use serde_json::{Value, json};

use crate::harness::{Answer, Client, PASSWORD, TestApp};

pub const MOBILE: &str = "/wps/member/bind/mobile";
pub const EMAIL: &str = "/wps/member/bind/email";

pub fn mobile(national: &str) -> Value {
    json!({ "mobileNum": national, "countryDialingCode": "63" })
}

pub fn with(mut body: Value, more: &Value) -> Value {
    for (name, value) in more.as_object().unwrap() {
        body[name] = value.clone();
    }
    body
}

/// Requests a code, and reads it from the outbox.
pub async fn code_to(test: &TestApp, client: &Client<'_>, path: &str, body: &Value) -> String {
    let human = client.proof().await;
    let sent = client.post(path, &with(body.clone(), &json!({ "human": human }))).await;
    assert_eq!(sent.value(), &json!({ "expiredMinutes": 5 }));
    let to = match body["email"].as_str() {
        Some(email) => email.to_owned(),
        None => format!("+63{}", body["mobileNum"].as_str().unwrap()),
    };
    test.message_to(&to).await[..6].to_owned()
}

/// Requests a code and binds a contact with it and the password.
pub async fn bind(test: &TestApp, client: &Client<'_>, body: &Value, more: &Value) -> Answer {
    let path = if body["email"].is_string() { EMAIL } else { MOBILE };
    let code = code_to(test, client, path, body).await;
    let shown = json!({ "verificationCode": code, "password": PASSWORD });
    client.sealed(Method::PUT, path, &with(with(body.clone(), &shown), more)).await
}

#[tokio::test]
async fn a_number_is_bound_by_its_code() {
    let test = TestApp::new().await;
    let member = test.member("maria").await;
    let code = code_to(&test, &member, MOBILE, &mobile("9171234567")).await;
    let put = async |more: Value| {
        let shown = with(json!({ "password": PASSWORD }), &more);
        member.sealed(Method::PUT, MOBILE, &with(mobile("09171234567"), &shown)).await
    };
    put(json!({})).await.assert_refused(400, "verification.code_missing");
    let wrong = if code == "000000" { "000001" } else { "000000" };
    let refused = put(json!({ "verificationCode": wrong })).await;
    refused.assert_refused(400, "verification.code_invalid");
    let bound = put(json!({ "verificationCode": code })).await;
    assert_eq!(bound.value()["mobileNum"], "+639******567");
    assert_eq!(bound.value()["mobileVerified"], true);
    let again = put(json!({ "verificationCode": code })).await;
    again.assert_refused(400, "verification.code_invalid");
    // A code sent for another purpose does not bind.
    let number: String = sqlx::query_scalar("select mobile from members_mobiles")
        .fetch_one(&test.owner)
        .await
        .unwrap();
    assert_eq!(number, "+639171234567");
}

#[tokio::test]
async fn a_replacement_asks_for_the_password_and_releases_the_old() {
    let test = TestApp::new().await;
    let member = test.member("maria").await;
    let cases = [
        (MOBILE, mobile("9171234567"), mobile("9181234567")),
        (EMAIL, json!({ "email": "Maria@example.com" }), json!({ "email": "clara@example.com" })),
    ];
    for (path, first, second) in cases {
        bind(&test, &member, &first, &json!({})).await.value();
        let code = code_to(&test, &member, path, &second).await;
        let put = async |password: Value| {
            let more = json!({ "verificationCode": code, "password": password });
            member.sealed(Method::PUT, path, &with(second.clone(), &more)).await
        };
        for missing in [Value::Null, json!("")] {
            let refused = put(missing).await;
            assert_eq!(refused.body["fields"], json!({ "password": "required" }));
        }
        put(json!("not-this-one")).await.assert_refused(400, "member.wrong_password");
        put(json!(PASSWORD)).await.value();
        // The old contact is free for another member, the new one is not.
        let name = if path == MOBILE { "josefa" } else { "rosita" };
        let other = test.member(name).await;
        bind(&test, &other, &first, &json!({})).await.value();
    }
    let profile = member.get("/wps/member/info").await;
    assert_eq!(profile.value()["mobileVerified"], true);
    assert_eq!(profile.value()["emailVerified"], true);
}

#[tokio::test]
async fn what_another_has_is_told_to_whoever_has_the_code() {
    let test = TestApp::new().await;
    let (maria, josefa) = (test.member("maria").await, test.member("josefa").await);
    bind(&test, &maria, &mobile("9171234567"), &json!({})).await.value();
    let taken = bind(&test, &josefa, &mobile("9171234567"), &json!({})).await;
    taken.assert_refused(409, "member.mobile_taken");
    assert_eq!(taken.body["fields"], json!({ "mobileNum": "taken" }));
    bind(&test, &maria, &json!({ "email": "maria@example.com" }), &json!({})).await.value();
    let taken = bind(&test, &josefa, &json!({ "email": "MARIA@example.com" }), &json!({})).await;
    taken.assert_refused(409, "member.email_taken");
    let held: (Option<String>, Option<String>) = sqlx::query_as(
        "select d.mobile, d.email from members_details d
         join members_profiles p using (member_id) where p.account = 'josefa'",
    )
    .fetch_one(&test.owner)
    .await
    .unwrap();
    assert_eq!(held, (None, None), "a refusal writes nothing");
}

#[tokio::test]
async fn a_code_binds_for_the_member_that_asked_for_it() {
    let test = TestApp::new().await;
    let mut maria = test.member("maria").await;
    let mut josefa = maria.clone();
    josefa.token = None;
    josefa.register("josefa", PASSWORD).await.value();
    let contacts =
        [(MOBILE, mobile("9171234567")), (EMAIL, json!({ "email": "maria@example.com" }))];
    for (path, contact) in contacts {
        let code = code_to(&test, &maria, path, &contact).await;
        let body = with(contact, &json!({ "verificationCode": code, "password": PASSWORD }));
        // The same holds in the same browser.
        let refused = josefa.sealed(Method::PUT, path, &body).await;
        refused.assert_refused(400, "verification.code_invalid");
        // The member may read the code on another device.
        let mut other = test.visitor();
        other.login("maria", PASSWORD).await.value();
        other.sealed(Method::PUT, path, &body).await.value();
    }
    maria.login("maria", PASSWORD).await.value();
    assert_eq!(maria.get("/wps/member/info").await.value()["mobileVerified"], true);
}

#[tokio::test]
async fn racers_with_one_code_bind_once() {
    let test = TestApp::new().await;
    let member = test.member("maria").await;
    let code = code_to(&test, &member, MOBILE, &mobile("9171234567")).await;
    let shown = json!({ "verificationCode": code, "password": PASSWORD });
    let body = with(mobile("9171234567"), &shown);
    let race = (0..5).map(|_| member.sealed(Method::PUT, MOBILE, &body));
    let statuses: Vec<_> = join_all(race).await.iter().map(|a| a.status.as_u16()).collect();
    assert_eq!(statuses.iter().filter(|status| **status == 200).count(), 1, "{statuses:?}");
    assert!(statuses.iter().all(|status| *status < 500), "{statuses:?}");
}

#[tokio::test]
async fn sending_takes_work_a_member_and_a_real_destination() {
    let test = TestApp::new().await;
    let member = test.member("maria").await;
    for (path, body) in [(MOBILE, mobile("9171234567")), (EMAIL, json!({ "email": "a@b.example" }))]
    {
        member.post(path, &body).await.assert_refused(400, "session.human_check");
        test.visitor().post(path, &body).await.assert_refused(401, "session.required");
        let trial = test.trial().await;
        trial.post(path, &body).await.assert_refused(403, "session.trial");
        trial.sealed(Method::PUT, path, &body).await.assert_refused(403, "session.trial");
        let visitor = test.visitor();
        visitor.sealed(Method::PUT, path, &body).await.assert_refused(401, "session.required");
    }
    let none = member.post(MOBILE, &json!({})).await;
    none.assert_refused(400, "verification.phone_missing");
    let bad = member.post(MOBILE, &mobile("917")).await;
    bad.assert_refused(400, "verification.phone_invalid");
    for (email, code) in [("", "required"), ("maria@", "pattern"), ("a b@example.com", "pattern")] {
        let refused = member.post(EMAIL, &json!({ "email": email })).await;
        assert_eq!(refused.body["fields"], json!({ "email": code }), "{}", refused.text);
    }
    let sent: i64 = sqlx::query_scalar("select count(*) from platform_messages")
        .fetch_one(&test.owner)
        .await
        .unwrap();
    assert_eq!(sent, 0);
}

#[tokio::test]
async fn a_first_contact_asks_for_the_password_and_the_old_one_is_told_of_the_next() {
    let test = TestApp::new().await;
    let member = test.member("maria").await;
    let first = json!({ "email": "maria@example.com" });
    let code = code_to(&test, &member, EMAIL, &first).await;
    let put = async |password: Value| {
        let more = json!({ "verificationCode": code, "password": password });
        member.sealed(Method::PUT, EMAIL, &with(first.clone(), &more)).await
    };
    let refused = put(Value::Null).await;
    assert_eq!(refused.body["fields"], json!({ "password": "required" }));
    put(json!("not-this-one")).await.assert_refused(400, "member.wrong_password");
    put(json!(PASSWORD)).await.value();
    bind(&test, &member, &mobile("9171234567"), &json!({})).await.value();
    let message = test.message_to("maria@example.com").await;
    assert!(message.contains("A mobile number was added"), "{message}");
    bind(&test, &member, &json!({ "email": "clara@example.com" }), &json!({})).await.value();
    let message = test.message_to("maria@example.com").await;
    assert!(message.contains("The e-mail address was changed"), "{message}");
}

/// Lets a change of a member's details wait for their row lock, and then binds a number: the two
/// must not deadlock.
pub async fn bind_during(
    test: &TestApp,
    client: &Client<'_>,
    change: impl Future<Output = Answer>,
) {
    let code = code_to(test, client, MOBILE, &mobile("9171234567")).await;
    let shown = json!({ "verificationCode": code, "password": PASSWORD });
    let body = with(mobile("9171234567"), &shown);
    let mut holder = test.owner.begin().await.unwrap();
    sqlx::query("select from members_details for update").execute(&mut *holder).await.unwrap();
    let binding = async {
        test.wait_for_locks(1).await;
        client.sealed(Method::PUT, MOBILE, &body).await
    };
    let letting_go = async {
        test.wait_for_locks(2).await;
        holder.commit().await.unwrap();
    };
    let (changed, bound, ()) = join3(change, binding, letting_go).await;
    changed.value();
    bound.value();
}

#[tokio::test]
async fn a_number_and_a_nickname_at_once_do_not_wait_for_each_other() {
    let test = TestApp::new().await;
    let member = test.member("maria").await;
    let change = json!({ "nickname": "Clara", "address": "12 Mango Street" });
    bind_during(&test, &member, member.sealed(Method::PUT, "/wps/member/info", &change)).await;
    let info = member.get("/wps/member/info").await;
    assert_eq!(
        (&info.value()["nickname"], &info.value()["mobileVerified"]),
        (&json!("Clara"), &json!(true))
    );
}
