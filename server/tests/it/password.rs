//! Passwords of logged-in members: changing them, the rules for new ones, and guessing.

use argon2::password_hash::PasswordHasher;
use axum::http::Method;
use chrono::Duration;
use serde_json::json;

use crate::account::info;
use crate::harness::{Answer, Client, PASSWORD, TestApp};
use crate::peer::Peer;
use crate::{login, phone};

pub async fn change_password(client: &Client<'_>, old: &str, new: &str) -> Answer {
    let body = json!({ "oldPassword": old, "newPassword": new, "confirmNewPassword": new });
    client.sealed(Method::POST, "/wps/member/password", &body).await
}

#[tokio::test]
async fn a_changed_password_ends_the_other_sessions_on_every_node() {
    let test = TestApp::new().await;
    let node = test.another_node();
    let here = test.member("maria").await;
    let mut there = node.visitor();
    there.login("maria", PASSWORD).await.value();
    change_password(&here, PASSWORD, "mango riot at noon").await.value();
    here.get("/wps/member/info").await.value();
    // A node caches a session for a second.
    tokio::time::sleep(std::time::Duration::from_millis(1_050)).await;
    there.get("/wps/member/info").await.assert_refused(401, "session.required");
    there.login("maria", PASSWORD).await.assert_refused(400, "session.wrong_credentials");
    there.login("MARIA", "mango riot at noon").await.value();
    there.get("/wps/member/info").await.value();
}

#[tokio::test]
async fn a_new_password_has_to_be_good_new_and_typed_twice() {
    let test = TestApp::new().await;
    let client = test.member("maria").await;
    change_password(&client, "not-the-password", "mango riot at noon")
        .await
        .assert_refused(400, "member.wrong_password");
    let cases = [
        ("", "mango riot", "mango riot", json!({ "oldPassword": "required" })),
        (PASSWORD, "short", "short", json!({ "newPassword": "too_short" })),
        (PASSWORD, "password1", "password1", json!({ "newPassword": "common" })),
        (PASSWORD, "maria-2030", "maria-2030", json!({ "newPassword": "common" })),
        (PASSWORD, "mango riot", "mango-riot", json!({ "confirmNewPassword": "mismatch" })),
        (PASSWORD, "mango riot", "", json!({ "confirmNewPassword": "required" })),
        (PASSWORD, PASSWORD, PASSWORD, json!({ "newPassword": "used" })),
        (PASSWORD, "123456", "123456", json!({ "newPassword": "too_short" })),
    ];
    for (old, new, again, fields) in cases {
        let body = json!({ "oldPassword": old, "newPassword": new, "confirmNewPassword": again });
        let refused = client.sealed(Method::POST, "/wps/member/password", &body).await;
        refused.assert_refused(400, "input.invalid");
        assert_eq!(refused.body["fields"], fields, "{new}");
    }
    // Even if six characters are sufficient.
    test.change("update site_register_rules set min_length = 6 where field = 'password'").await;
    let refused = change_password(&client, PASSWORD, "123456").await;
    assert_eq!(refused.body["fields"], json!({ "newPassword": "common" }));
    client
        .post("/wps/member/password", &json!({}))
        .await
        .assert_refused(415, "request.unsupported_media_type");
    test.visitor()
        .sealed(Method::POST, "/wps/member/password", &json!({}))
        .await
        .assert_refused(401, "session.required");
}

#[tokio::test]
async fn the_last_five_passwords_do_not_come_back() {
    let test = TestApp::new().await;
    let mut client = test.member("maria").await;
    let mut present = PASSWORD.to_owned();
    for number in 1..=5 {
        test.advance(Duration::seconds(1));
        let next = format!("mango riot number {number}");
        let changed = change_password(&client, &present, &next).await;
        client.adopt(&changed);
        present = next;
    }
    for number in 1..=5 {
        let old = format!("mango riot number {number}");
        let refused = change_password(&client, &present, &old).await;
        assert_eq!(refused.body["fields"], json!({ "newPassword": "used" }), "{number}");
    }
    // The sixth previous password is allowed again.
    test.advance(Duration::seconds(1));
    change_password(&client, &present, PASSWORD).await.value();
    let kept: i64 = sqlx::query_scalar("select count(*) from members_old_passwords")
        .fetch_one(&test.owner)
        .await
        .unwrap();
    assert_eq!(kept, 4);
}

#[tokio::test]
async fn racing_changes_make_one() {
    let test = TestApp::new().await;
    let client = test.member("maria").await;
    let tries = (0..6).map(|number| {
        let client = client.clone();
        async move {
            change_password(&client, PASSWORD, &format!("mango riot {number}"))
                .await
                .status
                .as_u16()
        }
    });
    let mut statuses = futures_util::future::join_all(tries).await;
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 400, 400, 400, 400, 400]);
}

#[tokio::test]
async fn only_imported_members_enter_with_the_first_password_and_are_rehashed() {
    let test = TestApp::new().await;
    let client = test.member("maria").await;
    let plain = argon2::Argon2::default().hash_password(b"123456").unwrap().to_string();
    let import = |imported: bool| {
        format!(
            "update members_passwords set hash = '{plain}', peppered = false,
                imported = {imported}"
        )
    };
    test.change(&import(false)).await;
    test.visitor().login("maria", "123456").await.assert_refused(400, "session.wrong_credentials");
    test.change(&import(true)).await;
    let mut newcomer = test.visitor();
    let entered = newcomer.login("maria", "123456").await;
    assert_eq!(entered.value()["passwordExpired"], true);
    let (hash, peppered): (String, bool) =
        sqlx::query_as("select hash, peppered from members_passwords")
            .fetch_one(&test.owner)
            .await
            .unwrap();
    assert!(peppered && hash != plain);
    let again = test.visitor().login("maria", "123456").await;
    assert_eq!(again.value()["passwordExpired"], true, "until it is changed");
    change_password(&newcomer, "123456", "mango riot at noon").await.value();
    let after = test.visitor().login("maria", "mango riot at noon").await;
    assert_eq!(after.value()["passwordExpired"], false);
    client.get("/wps/member/info").await.assert_refused(401, "session.required");
}

#[tokio::test]
async fn passwords_expire_where_policy_and_switch_say_so() {
    let test = TestApp::new().await;
    test.member("maria").await;
    let expired = async |test: &TestApp| {
        test.visitor().login("maria", PASSWORD).await.value()["passwordExpired"].clone()
    };
    test.advance(Duration::days(30));
    assert_eq!(expired(&test).await, false);
    test.change("update site_policies set password_days = 30").await;
    assert_eq!(expired(&test).await, false, "the switch is off");
    test.switch("PWDEXPIRY3", true).await;
    assert_eq!(expired(&test).await, true);
    test.advance(Duration::seconds(-1));
    assert_eq!(expired(&test).await, false);
}

/// A member who logs in by a code may have forgotten the password, and a provider knows none, so
/// only a login with an expired password requires a new one.
#[tokio::test]
async fn an_expired_password_is_asked_of_those_who_come_with_it() {
    let peer = Peer::start();
    let test = phone::site(&peer).await;
    test.advance(Duration::days(30));
    test.change("update site_policies set password_days = 30").await;
    test.switch("PWDEXPIRY3", true).await;
    test.switch("MOBILEVERCODELOGIN3", true).await;
    let by_name = test.visitor().login("maria", PASSWORD).await;
    assert_eq!(by_name.value()["passwordExpired"], true);
    let code = login::by_sms(&login::send_code(&test).await);
    let by_code = test.phone().sealed(Method::POST, "/wps/session/login", &code).await;
    assert_eq!(by_code.value()["passwordExpired"], false);
    let by_service = phone::login(&test, &phone::token(&peer, &test, json!({})).await).await;
    assert_eq!(by_service.value()["passwordExpired"], false);
}

pub async fn set_payment(
    client: &Client<'_>,
    password: &str,
    old: Option<&str>,
    new: &str,
) -> Answer {
    let body = json!({
        "password": password, "oldPaymentPassword": old, "paymentPassword": new,
        "confirmPaymentPassword": new,
    });
    client.sealed(Method::POST, "/wps/member/payment-password", &body).await
}

#[tokio::test]
async fn a_transaction_password_needs_the_login_password_and_the_one_before() {
    let test = TestApp::new().await;
    let client = test.member("maria").await;
    set_payment(&client, "not-the-password", None, "904173")
        .await
        .assert_refused(400, "member.wrong_password");
    let refused = set_payment(&client, "", None, "12").await;
    let named = json!({ "password": "required", "paymentPassword": "too_short" });
    assert_eq!(refused.body["fields"], named);
    assert_eq!(refused.body["bounds"]["paymentPassword"], json!({ "min": 6, "max": 6 }));
    let refused = set_payment(&client, PASSWORD, None, "123456").await;
    assert_eq!(refused.body["fields"], json!({ "paymentPassword": "common" }));
    set_payment(&client, PASSWORD, None, "904173").await.value();
    assert_eq!(info(&client).await["hasPaymentPassword"], true);
    let refused = set_payment(&client, PASSWORD, None, "550921").await;
    assert_eq!(refused.body["fields"], json!({ "oldPaymentPassword": "required" }));
    set_payment(&client, PASSWORD, Some("904174"), "550921")
        .await
        .assert_refused(400, "member.wrong_payment_password");
    set_payment(&client, PASSWORD, Some("904173"), "550921").await.value();
    set_payment(&client, PASSWORD, Some("904173"), "550922")
        .await
        .assert_refused(400, "member.wrong_payment_password");
}

#[tokio::test]
async fn a_transaction_password_cannot_be_guessed() {
    let test = TestApp::new().await;
    let client = test.member("maria").await;
    set_payment(&client, PASSWORD, None, "904173").await.value();
    let guesses = (0..10).map(|number| {
        let client = client.clone();
        async move {
            let guess = format!("9041{:02}", number + 80);
            set_payment(&client, PASSWORD, Some(&guess), "550921").await
        }
    });
    let answers = futures_util::future::join_all(guesses).await;
    let count = |code: &str| answers.iter().filter(|answer| answer.body["code"] == code).count();
    let (wrong, locked) = (count("member.wrong_payment_password"), count("member.payment_locked"));
    assert_eq!((wrong, locked), (5, 5), "guesses at the same time count, too");
    let refused = set_payment(&client, PASSWORD, Some("904173"), "550921").await;
    refused.assert_refused(429, "member.payment_locked");
    assert_eq!(refused.headers["retry-after"], "1800");
    test.advance(Duration::minutes(14));
    client.get("/wps/member/info").await.value();
    test.advance(Duration::minutes(14));
    client.get("/wps/member/info").await.value();
    test.advance(Duration::minutes(2));
    set_payment(&client, PASSWORD, Some("904174"), "550921")
        .await
        .assert_refused(400, "member.wrong_payment_password");
    set_payment(&client, PASSWORD, Some("904173"), "550921").await.value();
}

#[tokio::test]
async fn who_found_the_page_open_cannot_guess_at_leisure() {
    let test = TestApp::new().await;
    let (maria, josefa) = (test.member("maria").await, test.member("josefa").await);
    let new = "mango riot at noon";
    let payment = json!({
        "password": "not-this-one", "paymentPassword": "739154", "confirmPaymentPassword": "739154",
    });
    // All calls that check the password share the same limit.
    for _ in 0..4 {
        let refused = change_password(&maria, "not-this-one", new).await;
        refused.assert_refused(400, "member.wrong_password");
        let refused = maria.sealed(Method::POST, "/wps/member/payment-password", &payment).await;
        refused.assert_refused(400, "member.wrong_password");
    }
    for _ in 0..2 {
        let body = json!({ "password": "not-this-one" });
        let refused = maria.sealed(Method::POST, "/wps/member/two-factor", &body).await;
        refused.assert_refused(400, "member.wrong_password");
    }
    let waiting = change_password(&maria, PASSWORD, new).await;
    waiting.assert_refused(429, "request.too_many");
    assert_eq!(waiting.headers["retry-after"], "1800");
    // Other members are not limited, and neither is the login.
    change_password(&josefa, PASSWORD, new).await.value();
    test.visitor().login("maria", PASSWORD).await.value();
    for _ in 0..3 {
        test.advance(Duration::minutes(10));
        maria.get("/wps/member/info").await.value();
    }
    change_password(&maria, PASSWORD, new).await.value();
}

#[tokio::test]
async fn a_right_password_gives_the_tries_back() {
    let test = TestApp::new().await;
    let maria = test.member("maria").await;
    let right = json!({ "password": PASSWORD });
    for _ in 0..3 {
        for _ in 0..9 {
            let refused = change_password(&maria, "not-this-one", "mango riot at noon").await;
            refused.assert_refused(400, "member.wrong_password");
        }
        maria.sealed(Method::POST, "/wps/member/two-factor", &right).await.value();
    }
}

#[tokio::test]
async fn tries_at_passwords_are_counted_by_address_too() {
    let test = TestApp::new().await;
    let mut members = Vec::new();
    for number in 0..7 {
        members.push(test.member(&format!("member{number}")).await);
    }
    for member in &members[..6] {
        for _ in 0..10 {
            let refused = change_password(member, "not-this-one", "mango riot at noon").await;
            refused.assert_refused(400, "member.wrong_password");
        }
    }
    let last = change_password(&members[6], PASSWORD, "mango riot at noon").await;
    last.assert_refused(429, "request.too_many");
}

/// A notification by mail tells the member that a credential was changed.
#[tokio::test]
async fn the_member_is_told_of_what_was_changed() {
    let test = TestApp::new().await;
    let mut client = test.visitor();
    client.fill_in("maria", &json!({ "email": "maria@example.com" })).await.value();
    test.verify_contacts().await;
    // The menu path in the message has the same words as the page.
    let assert_notified = async |words: &str, way: &str| {
        let message = test.message_to("maria@example.com").await;
        assert!(message.contains(words) && message.contains(way), "{message}");
    };
    let english = "'Forgot your password?'";
    let new = "mango riot at noon";
    let changed = change_password(&client, PASSWORD, new).await;
    client.adopt(&changed);
    assert_notified("The password was changed", english).await;
    let payment = json!({
        "password": new, "paymentPassword": "739154", "confirmPaymentPassword": "739154",
    });
    client.sealed(Method::POST, "/wps/member/payment-password", &payment).await.value();
    assert_notified("The transaction password was changed", english).await;
    let language = json!({ "language": "TY" });
    client.request(Method::PUT, "/wps/member/language", Some(&language)).await.value();
    change_password(&client, new, "another mango at night").await.value();
    assert_notified("Napalitan ang password", "'Nakalimutan ang password?'").await;
}
