//! The security center: passwords, profile, devices, log-ins.

use argon2::password_hash::PasswordHasher;
use axum::http::Method;
use chrono::Duration;
use serde_json::{Value, json};

use crate::harness::{Answer, Client, TestApp};

const PASSWORD: &str = "a-good-password";

async fn change_password(client: &Client<'_>, old: &str, new: &str) -> Answer {
    let body = json!({ "oldPassword": old, "newPassword": new, "confirmNewPassword": new });
    client.sealed(Method::POST, "/wps/member/password", &body).await
}

async fn info(client: &Client<'_>) -> Value {
    client.get("/wps/member/info").await.value().clone()
}

#[tokio::test]
async fn member_info_tells_what_is_set_and_masks_the_rest() {
    let test = TestApp::new().await;
    test.switch("REGMOBVERF3", false).await;
    let mut client = test.visitor();
    let more = json!({
        "mobileNum": "9171234567", "email": "Maria.Clara@example.com", "nickname": "Clara",
        "birthday": "1990-01-31", "ofAge": true, "payeeName": "Maria Clara",
    });
    client.fill_in("maria", &more).await.value();
    let told = info(&client).await;
    let picked = json!({
        "account": told["account"], "nickname": told["nickname"], "type": told["type"],
        "isAgent": told["isAgent"], "isTrial": told["isTrial"], "icon": told["icon"],
        "mobileNum": told["mobileNum"], "mobileVerified": told["mobileVerified"],
        "email": told["email"], "emailVerified": told["emailVerified"],
        "payeeName": told["payeeName"], "hasBirthday": told["hasBirthday"],
        "hasIdNumber": told["hasIdNumber"], "hasPassword": told["hasPassword"],
        "passwordExpired": told["passwordExpired"], "twoFactor": told["twoFactor"],
        "hasPaymentPassword": told["hasPaymentPassword"], "lastLoginAt": told["lastLoginAt"],
    });
    let expected = json!({
        "account": "maria", "nickname": "Clara", "type": 0, "isAgent": false, "isTrial": false,
        "icon": "capiz", "mobileNum": "+639******567", "mobileVerified": false,
        "email": "M*********a@example.com", "emailVerified": false,
        "payeeName": "M*********a", "hasBirthday": true, "hasIdNumber": false,
        "hasPassword": true, "passwordExpired": false, "twoFactor": false,
        "hasPaymentPassword": false, "lastLoginAt": null,
    });
    assert_eq!(picked, expected);
    let text = told.to_string();
    for secret in ["9171234567", "Maria.Clara", "1990", "argon2"] {
        assert!(!text.contains(secret), "{secret}");
    }
    test.change("update members_profiles set kind = 2").await;
    assert_eq!(
        (&info(&client).await["isAgent"], &info(&client).await["type"]),
        (&json!(true), &json!(2))
    );
    let trial = info(&test.trial().await).await;
    assert_eq!((&trial["isTrial"], &trial["affiliateCode"]), (&json!(true), &Value::Null));
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
    // A node believes what it has read for a second.
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
    // Even where six characters are enough.
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
    let client = test.member("maria").await;
    let mut present = PASSWORD.to_owned();
    for number in 1..=5 {
        test.advance(Duration::seconds(1));
        let next = format!("mango riot number {number}");
        change_password(&client, &present, &next).await.value();
        present = next;
    }
    for number in 1..=5 {
        let old = format!("mango riot number {number}");
        let refused = change_password(&client, &present, &old).await;
        assert_eq!(refused.body["fields"], json!({ "newPassword": "used" }), "{number}");
    }
    // The sixth before may.
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

async fn set_payment(client: &Client<'_>, password: &str, old: Option<&str>, new: &str) -> Answer {
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

async fn change_info(client: &Client<'_>, body: Value) -> Answer {
    client.sealed(Method::PUT, "/wps/member/info", &body).await
}

#[tokio::test]
async fn a_profile_is_changed_and_some_of_it_once() {
    let test = TestApp::new().await;
    let client = test.member("maria").await;
    test.change("update members_details set birthday = null").await;
    let change = json!({
        "nickname": "Clara", "address": "7 Shell Street, Roxas City", "occupation": "Weaver",
        "birthday": "1990-01-31", "ofAge": true, "payeeName": "Maria Clara",
    });
    let changed = change_info(&client, change).await;
    let changed = changed.value();
    assert_eq!(
        (
            &changed["nickname"],
            &changed["address"],
            &changed["occupation"],
            &changed["hasBirthday"]
        ),
        (&json!("Clara"), &json!("7 Shell Street, Roxas City"), &json!("Weaver"), &json!(true))
    );
    for once in
        [json!({ "birthday": "1991-01-31", "ofAge": true }), json!({ "payeeName": "Other" })]
    {
        change_info(&client, once).await.assert_refused(409, "member.already_set");
    }
    let less = change_info(&client, json!({ "address": "" })).await;
    assert_eq!(
        (&less.value()["address"], &less.value()["occupation"]),
        (&Value::Null, &json!("Weaver"))
    );
    for (wrong, fields) in [
        (json!({ "nickname": "" }), json!({ "nickname": "required" })),
        (json!({ "nickname": "a\u{7}bc" }), json!({ "nickname": "pattern" })),
        (json!({ "address": "x" }), json!({ "address": "too_short" })),
        (json!({ "birthday": "2015-01-31", "ofAge": true }), json!({ "birthday": "too_young" })),
        (json!({ "birthday": "1990-01-31" }), json!({ "ofAge": "required" })),
    ] {
        assert_eq!(change_info(&client, wrong).await.body["fields"], fields);
    }
    assert_eq!(info(&client).await["nickname"], "Clara");
}

#[tokio::test]
async fn an_icon_is_one_of_ours() {
    let test = TestApp::new().await;
    let client = test.member("maria").await;
    let told = client.get("/wps/member/info/icon").await;
    let icons = told.value()["icons"].as_array().unwrap();
    assert!(icons.len() >= 12 && icons.contains(&told.value()["icon"]));
    let choose = async |icon: &str| {
        client.request(Method::PUT, "/wps/member/info/icon", Some(&json!({ "icon": icon }))).await
    };
    assert_eq!(choose("tarsier").await.value()["icon"], "tarsier");
    assert_eq!(info(&client).await["icon"], "tarsier");
    for wrong in ["", "../tarsier", "TARSIER"] {
        assert_eq!(choose(wrong).await.body["fields"], json!({ "icon": "invalid" }));
    }
}

#[tokio::test]
async fn demo_accounts_have_no_member_functions() {
    let test = TestApp::new().await;
    let trial = test.trial().await;
    change_password(&trial, "x", "mango riot at noon").await.assert_refused(403, "session.trial");
    change_info(&trial, json!({ "nickname": "Clara" })).await.assert_refused(403, "session.trial");
    set_payment(&trial, "x", None, "904173").await.assert_refused(403, "session.trial");
    let body = json!({ "icon": "tarsier" });
    let icon = trial.request(Method::PUT, "/wps/member/info/icon", Some(&body)).await;
    icon.assert_refused(403, "session.trial");
}

#[tokio::test]
async fn devices_are_listed_and_ended_by_their_member_alone() {
    let test = TestApp::new().await;
    let mut first = test.visitor();
    first.register("maria", PASSWORD).await.value();
    test.advance(Duration::minutes(1));
    let mut second = test.visitor();
    second.login("maria", PASSWORD).await.value();
    let stranger = test.member("josefa").await;
    let listed = second.get("/wps/member/devices").await;
    let listed = listed.value().as_array().unwrap().clone();
    assert_eq!(listed.len(), 2);
    assert_eq!((&listed[0]["isCurrent"], &listed[1]["isCurrent"]), (&json!(true), &json!(false)));
    assert_eq!(listed[1]["address"], "127.0.0.1");
    let path = |device: &Value| format!("/wps/member/devices/{}", device["id"].as_str().unwrap());
    let end =
        async |client: &Client<'_>, path: &str| client.request(Method::DELETE, path, None).await;
    end(&stranger, &path(&listed[1])).await.assert_refused(404, "session.unknown");
    for wrong in ["x", "0", &"0".repeat(32), &"0".repeat(64)] {
        let refused = end(&second, &format!("/wps/member/devices/{wrong}")).await;
        refused.assert_refused(404, "session.unknown");
    }
    first.get("/wps/member/info").await.value();
    end(&second, &path(&listed[1])).await.value();
    first.get("/wps/member/info").await.assert_refused(401, "session.required");
    end(&second, &path(&listed[1])).await.assert_refused(404, "session.unknown");
    assert_eq!(second.get("/wps/member/devices").await.value().as_array().unwrap().len(), 1);
    // Idle sessions are over and not listed.
    test.advance(Duration::minutes(16));
    second.login("maria", PASSWORD).await.value();
    assert_eq!(second.get("/wps/member/devices").await.value().as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn log_ins_are_listed_page_by_page() {
    let test = TestApp::new().await;
    let mut client = test.member("maria").await;
    test.member("josefa").await;
    for _ in 0..4 {
        test.advance(Duration::minutes(1));
        client.login("maria", PASSWORD).await.value();
    }
    client.login("maria", "not-the-password").await;
    let mut seen = Vec::new();
    let mut path = "/wps/member/logins?limit=2".to_owned();
    loop {
        let page = client.get(&path).await;
        seen.extend(page.value()["logins"].as_array().unwrap().clone());
        let Some(next) = page.value()["next"].as_str() else { break };
        path = format!("/wps/member/logins?limit=2&before={next}");
    }
    let methods: Vec<_> = seen.iter().map(|entry| entry["method"].as_str().unwrap()).collect();
    assert_eq!(methods, ["username", "username", "username", "username", "register"]);
    assert!(seen.is_sorted_by(|a, b| a["at"].as_str() >= b["at"].as_str()));
    assert_eq!(seen[0]["address"], "127.0.0.1");
    for wrong in ["limit=0", "limit=101", "limit=-1"] {
        let refused = client.get(&format!("/wps/member/logins?{wrong}")).await;
        assert_eq!(refused.body["fields"], json!({ "limit": "invalid" }), "{wrong}");
    }
    client.get("/wps/member/logins?before=x").await.assert_refused(400, "request.malformed");
    test.advance(Duration::days(401));
    capiz::sessions::purge(&test.app).await.unwrap();
    let left: i64 = sqlx::query_scalar("select count(*) from sessions_entries")
        .fetch_one(&test.owner)
        .await
        .unwrap();
    assert_eq!(left, 0);
}

#[tokio::test]
async fn who_found_the_page_open_cannot_guess_at_leisure() {
    let test = TestApp::new().await;
    let (maria, josefa) = (test.member("maria").await, test.member("josefa").await);
    let new = "mango riot at noon";
    let payment = json!({
        "password": "not-this-one", "paymentPassword": "739154", "confirmPaymentPassword": "739154",
    });
    // Every way to guess takes of the same tries.
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
    // Nobody else waits, nor does a log-in.
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

#[tokio::test]
async fn the_chosen_language_is_kept_for_other_devices() {
    let test = TestApp::new().await;
    let maria = test.member("maria").await;
    assert_eq!(info(&maria).await["language"], Value::Null);
    let choose = async |client: &Client<'_>, language: &str| {
        let body = json!({ "language": language });
        client.request(Method::PUT, "/wps/member/language", Some(&body)).await
    };
    choose(&maria, "TY").await.value();
    let mut phone = test.visitor();
    phone.login("maria", PASSWORD).await.value();
    assert_eq!(info(&phone).await["language"], "TY");
    for unknown in ["", "ty", "KR", "EN; drop table"] {
        let refused = choose(&maria, unknown).await;
        assert_eq!(refused.body["fields"], json!({ "language": "invalid" }), "{unknown}");
    }
    choose(&test.visitor(), "EN").await.assert_refused(401, "session.required");
    let trial = test.trial().await;
    choose(&trial, "EN").await.value();
    assert_eq!(info(&trial).await["language"], "EN");
}

#[tokio::test]
async fn all_other_sessions_end_at_once() {
    let test = TestApp::new().await;
    let here = test.member("maria").await;
    let mut others = [test.visitor(), test.visitor()];
    for other in &mut others {
        other.login("maria", PASSWORD).await.value();
    }
    let stranger = test.member("josefa").await;
    here.request(Method::DELETE, "/wps/member/devices", None).await.value();
    for other in &others {
        other.get("/wps/member/info").await.assert_refused(401, "session.required");
    }
    for client in [&here, &stranger] {
        client.get("/wps/member/info").await.value();
    }
    assert_eq!(here.get("/wps/member/devices").await.value().as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn demo_accounts_have_no_devices_to_look_at() {
    let test = TestApp::new().await;
    let trial = test.trial().await;
    for path in ["/wps/member/devices", "/wps/member/logins", "/wps/member/contacts/lost"] {
        trial.get(path).await.assert_refused(403, "session.trial");
    }
    let all = trial.request(Method::DELETE, "/wps/member/devices", None).await;
    all.assert_refused(403, "session.trial");
}

#[tokio::test]
async fn who_opens_demos_without_end_is_stopped() {
    let test = TestApp::new().await;
    test.trial().await;
    test.change("update platform_budgets set used = 600 where name = 'sessions.trials.address'")
        .await;
    let body =
        json!({ "os": "Linux", "platform": "W", "random": "0123456789", "gatewayVersion": 3 });
    let refused = test.visitor().sealed(Method::POST, "/wps/session/login/freeplay", &body).await;
    refused.assert_refused(429, "request.too_many");
}

/// Whoever reads the member's letters learns that somebody has changed a way into the account.
#[tokio::test]
async fn the_member_is_told_of_what_was_changed() {
    let test = TestApp::new().await;
    let mut client = test.visitor();
    client.fill_in("maria", &json!({ "email": "maria@example.com" })).await.value();
    test.verify_contacts().await;
    let told = async |words: &str| {
        let letter = test.letter_to("maria@example.com").await;
        assert!(letter.contains(words) && letter.contains("Forgot password"), "{letter}");
    };
    let new = "mango riot at noon";
    change_password(&client, PASSWORD, new).await.value();
    told("The password was changed").await;
    let payment = json!({
        "password": new, "paymentPassword": "739154", "confirmPaymentPassword": "739154",
    });
    client.sealed(Method::POST, "/wps/member/payment-password", &payment).await.value();
    told("The transaction password was changed").await;
    let language = json!({ "language": "TY" });
    client.request(Method::PUT, "/wps/member/language", Some(&language)).await.value();
    change_password(&client, new, "another mango at night").await.value();
    told("Napalitan ang password").await;
}

#[tokio::test]
async fn a_token_that_was_copied_is_worth_nothing_after_a_new_password() {
    let test = TestApp::new().await;
    let mut here = test.member("maria").await;
    let copied = here.clone();
    let changed = change_password(&here, PASSWORD, "mango riot at noon").await;
    here.adopt(&changed);
    for client in [&here, &copied] {
        // What the page has asked meanwhile is answered.
        client.get("/wps/member/info").await.value();
    }
    let devices = here.get("/wps/member/devices").await;
    let devices = devices.value().as_array().unwrap();
    assert_eq!((devices.len(), &devices[0]["isCurrent"]), (1, &json!(true)));
    test.advance(Duration::seconds(11));
    copied.get("/wps/member/info").await.assert_refused(401, "session.required");
    here.get("/wps/member/info").await.value();
}
