//! Step-up authentication: members with a second factor must show it when they change a credential.

use axum::http::Method;
use chrono::Duration;
use serde_json::{Value, json};

use crate::bind::{self, with};
use crate::harness::{Answer, Client, PASSWORD, TestApp};
use crate::two_factor::{code, prove, set_up, ticket};

const NEW: &str = "mango riot at noon";
const NEEDED: &str = "session.two_factor_needed";
const INVALID: &str = "session.two_factor_invalid";

/// A change that requires a code: its call and the other fields.
struct Change {
    method: Method,
    path: &'static str,
    body: Value,
}

impl Change {
    async fn send(&self, client: &Client<'_>, code: &Value) -> Answer {
        let body = with(self.body.clone(), &json!({ "twoFactorCode": code }));
        client.sealed(self.method.clone(), self.path, &body).await
    }
}

/// All changes, with the further codes that they require; the one that replaces the token comes
/// last.
async fn changes(test: &TestApp, client: &Client<'_>) -> Vec<Change> {
    let payment = json!({
        "password": PASSWORD, "paymentPassword": "904173", "confirmPaymentPassword": "904173",
    });
    let mut all =
        vec![Change { method: Method::POST, path: "/wps/member/payment-password", body: payment }];
    let contacts = [
        (bind::MOBILE, bind::mobile("9171234567")),
        (bind::EMAIL, json!({ "email": "maria@example.com" })),
    ];
    for (path, contact) in contacts {
        let code = bind::code_to(test, client, path, &contact).await;
        let shown = json!({ "password": PASSWORD, "verificationCode": code });
        all.push(Change { method: Method::PUT, path, body: with(contact, &shown) });
    }
    let body = json!({ "oldPassword": PASSWORD, "newPassword": NEW, "confirmNewPassword": NEW });
    all.push(Change { method: Method::POST, path: "/wps/member/password", body });
    all
}

#[tokio::test]
async fn every_change_of_a_way_in_asks_for_a_code_that_is_right_and_new() {
    let test = TestApp::new().await;
    let mut member = test.member("maria").await;
    let (secret, _) = set_up(&test, &mut member).await;
    let mut used = json!("000000");
    for change in changes(&test, &member).await {
        for missing in [Value::Null, json!(""), json!("  ")] {
            change.send(&member, &missing).await.assert_refused(403, NEEDED);
        }
        // The last one is the code that the previous change used.
        for wrong in [json!("000000"), json!("mango"), used] {
            change.send(&member, &wrong).await.assert_refused(400, INVALID);
        }
        used = json!(code(&test, &secret));
        let changed = change.send(&member, &used).await;
        assert_eq!(changed.status, 200, "{} {:?}", change.path, changed.body);
        member.adopt(&changed);
        test.advance(Duration::seconds(30));
    }
    let info = member.get("/wps/member/info").await;
    for done in ["hasPaymentPassword", "mobileVerified", "emailVerified"] {
        assert_eq!(info.value()[done], true, "{done}");
    }
    assert!(test.visitor().login("maria", NEW).await.value()["twoFactor"]["ticket"].is_string());
}

#[tokio::test]
async fn a_recovery_code_serves_too_and_is_used_up() {
    let test = TestApp::new().await;
    let mut member = test.member("maria").await;
    let (_, codes) = set_up(&test, &mut member).await;
    let mut used = json!("0000-0000-0000-0000");
    for (change, paper) in changes(&test, &member).await.iter().zip(&codes) {
        change.send(&member, &used).await.assert_refused(400, INVALID);
        used = json!(paper.to_uppercase());
        let changed = change.send(&member, &used).await;
        assert_eq!(changed.status, 200, "{} {:?}", change.path, changed.body);
        member.adopt(&changed);
    }
    let left: i64 = sqlx::query_scalar("select count(*) from sessions_recovery_codes")
        .fetch_one(&test.owner)
        .await
        .unwrap();
    assert_eq!(left, 6);
}

/// An attacker at an open page who knows the password: all changes share one limit of tries, also
/// with turning the factor off, and the last try of a day sends the member a notification.
#[tokio::test]
async fn wrong_codes_are_counted_whatever_they_were_for() {
    let test = TestApp::new().await;
    let mut member = test.visitor();
    member.fill_in("maria", &json!({ "email": "clara@example.com" })).await.value();
    test.verify_contacts().await;
    let (secret, codes) = set_up(&test, &mut member).await;
    let all = changes(&test, &member).await;
    let (wrong, off) = (json!("000000"), json!({ "password": PASSWORD, "code": "000000" }));
    for change in &all {
        for _ in 0..4 {
            change.send(&member, &wrong).await.assert_refused(400, INVALID);
        }
    }
    for _ in 0..4 {
        let refused = member.sealed(Method::DELETE, "/wps/member/two-factor", &off).await;
        refused.assert_refused(400, INVALID);
    }
    let message = test.message_to("clara@example.com").await;
    assert!(message.contains("wrong two-factor codes"), "{message}");
    let right = json!(code(&test, &secret));
    for change in &all {
        change.send(&member, &right).await.assert_refused(429, "request.too_many");
    }
    all[0].send(&member, &json!(codes[0])).await.value();
}

#[tokio::test]
async fn a_right_code_forgets_the_wrong_ones_before() {
    let test = TestApp::new().await;
    let mut member = test.member("maria").await;
    let (secret, _) = set_up(&test, &mut member).await;
    let all = changes(&test, &member).await;
    let wrong = json!("000000");
    for _ in 0..19 {
        all[0].send(&member, &wrong).await.assert_refused(400, INVALID);
    }
    all[0].send(&member, &json!(code(&test, &secret))).await.value();
    all[1].send(&member, &wrong).await.assert_refused(400, INVALID);
}

/// The codes do not affect each other: a wrong app code does not spend the code that was sent, and
/// a change refused for another reason does not spend the app code.
#[tokio::test]
async fn a_refused_change_uses_no_code_up() {
    let test = TestApp::new().await;
    let mut member = test.member("maria").await;
    let (secret, _) = set_up(&test, &mut member).await;
    let all = changes(&test, &member).await;
    let right = json!(code(&test, &secret));
    let [payment, mobile, ..] = all.as_slice() else { panic!("four changes") };
    let other_password = with(payment.body.clone(), &json!({ "password": "not this one" }));
    let refused = Change { body: other_password, method: Method::POST, path: payment.path };
    refused.send(&member, &right).await.assert_refused(400, "member.wrong_password");
    let other_code = with(mobile.body.clone(), &json!({ "verificationCode": "000000" }));
    let refused = Change { body: other_code, method: Method::PUT, path: mobile.path };
    refused.send(&member, &right).await.assert_refused(400, "verification.code_invalid");
    mobile.send(&member, &json!("000000")).await.assert_refused(400, INVALID);
    mobile.send(&member, &right).await.value();
}

/// The code that was sent has five tries of its own.
#[tokio::test]
async fn wrong_codes_of_the_app_cost_no_tries_of_the_one_that_was_sent() {
    let test = TestApp::new().await;
    let mut member = test.member("maria").await;
    let (secret, _) = set_up(&test, &mut member).await;
    let mobile = &changes(&test, &member).await[1];
    for _ in 0..6 {
        mobile.send(&member, &json!("000000")).await.assert_refused(400, INVALID);
    }
    mobile.send(&member, &json!(code(&test, &secret))).await.value();
}

#[tokio::test]
async fn a_right_code_is_no_wrong_one_when_the_change_is_refused() {
    let test = TestApp::new().await;
    let other = test.member("josefa").await;
    bind::bind(&test, &other, &bind::mobile("9171234567"), &json!({})).await.value();
    test.advance(Duration::minutes(2));
    let mut member = test.member("maria").await;
    let (secret, _) = set_up(&test, &mut member).await;
    let all = changes(&test, &member).await;
    let [payment, mobile, ..] = all.as_slice() else { panic!("four changes") };
    let (wrong, right) = (json!("000000"), json!(code(&test, &secret)));
    for _ in 0..19 {
        payment.send(&member, &wrong).await.assert_refused(400, INVALID);
    }
    mobile.send(&member, &right).await.assert_refused(409, "member.mobile_taken");
    payment.send(&member, &wrong).await.assert_refused(400, INVALID);
    payment.send(&member, &right).await.value();
}

#[tokio::test]
async fn who_has_no_second_factor_is_asked_for_none() {
    let test = TestApp::new().await;
    let mut member = test.member("maria").await;
    for change in changes(&test, &member).await {
        let changed = change.send(&member, &Value::Null).await;
        assert_eq!(changed.status, 200, "{} {:?}", change.path, changed.body);
        member.adopt(&changed);
    }
}

/// A factor whose setup was not completed is not required.
#[tokio::test]
async fn an_offer_asks_for_nothing() {
    let test = TestApp::new().await;
    let member = test.member("maria").await;
    let password = json!({ "password": PASSWORD });
    member.sealed(Method::POST, "/wps/member/two-factor", &password).await.value();
    changes(&test, &member).await[0].send(&member, &Value::Null).await.value();
}

/// The login that leads to a forced password change has just checked the factor.
#[tokio::test]
async fn a_forced_change_right_after_the_log_in_asks_for_no_code_again() {
    let test = TestApp::new().await;
    let mut member = test.member("maria").await;
    let (secret, _) = set_up(&test, &mut member).await;
    let body = json!({ "oldPassword": PASSWORD, "newPassword": NEW, "confirmNewPassword": NEW });
    let change = Change { method: Method::POST, path: "/wps/member/password", body };
    test.change("update members_passwords set must_change = true").await;
    // A session from before the forced change was required is treated like any other.
    change.send(&member, &Value::Null).await.assert_refused(403, NEEDED);
    let enter = async || {
        test.advance(Duration::seconds(30));
        let mut phone = test.visitor();
        let waiting = ticket(&mut phone).await;
        let entered = prove(&mut phone, &waiting, &code(&test, &secret)).await;
        assert_eq!(entered.value()["passwordExpired"], true);
        phone
    };
    let late = enter().await;
    test.advance(Duration::minutes(8));
    late.get("/wps/member/info").await.value();
    test.advance(Duration::minutes(7));
    change.send(&late, &Value::Null).await.assert_refused(403, NEEDED);
    let mut phone = enter().await;
    let changed = change.send(&phone, &Value::Null).await;
    phone.adopt(&changed);
    // From now on the code is required.
    let next =
        json!({ "oldPassword": NEW, "newPassword": PASSWORD, "confirmNewPassword": PASSWORD });
    let change = Change { method: Method::POST, path: "/wps/member/password", body: next };
    change.send(&phone, &Value::Null).await.assert_refused(403, NEEDED);
}
