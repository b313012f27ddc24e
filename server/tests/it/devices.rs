//! The list of a member's sessions and past logins.

use axum::http::Method;
use chrono::Duration;
use platform::shutdown;
use serde_json::{Value, json};

use crate::harness::{Client, PASSWORD, TestApp};
use crate::password::change_password;
use crate::two_factor;

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
    // Idle sessions have ended and are not listed.
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
    identity::purge(&test.app.identity).await.unwrap();
    let left: i64 = sqlx::query_scalar("select count(*) from sessions_entries")
        .fetch_one(&test.owner)
        .await
        .unwrap();
    assert_eq!(left, 0);
}

/// The list shows the second factor of each login, so that a member recognizes a login by somebody
/// else.
#[tokio::test]
async fn the_list_of_log_ins_says_how_the_second_factor_was_shown() {
    let test = TestApp::new().await;
    let mut member = test.member("maria").await;
    let (secret, codes) = two_factor::set_up(&test, &mut member).await;
    for code in [two_factor::code(&test, &secret), codes[0].clone()] {
        test.advance(Duration::seconds(1));
        let mut phone = test.visitor();
        let waiting = two_factor::ticket(&mut phone).await;
        two_factor::prove(&mut phone, &waiting, "000000").await;
        two_factor::prove(&mut phone, &waiting, &code).await.value();
    }
    let list = member.get("/wps/member/logins").await;
    let list = list.value()["logins"].as_array().unwrap();
    let ways: Vec<_> = list.iter().map(|entry| json!([entry["method"], entry["factor"]])).collect();
    let expected =
        [json!(["username", "recovery"]), json!(["username", "app"]), json!(["register", null])];
    assert_eq!(ways, expected);
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

/// A member whose password was changed on one node: a page with the new token, and one with the old
/// token.
async fn renewed<'a>(test: &'a TestApp) -> (Client<'a>, Client<'a>) {
    let mut here = test.member("maria").await;
    let copied = here.clone();
    let changed = change_password(&here, PASSWORD, "mango riot at noon").await;
    here.adopt(&changed);
    (here, copied)
}

#[tokio::test]
async fn a_token_that_was_copied_is_worth_nothing_after_a_new_password() {
    let test = TestApp::new().await;
    let (here, copied) = renewed(&test).await;
    for client in [&here, &copied] {
        // Requests that the page has sent meanwhile are still answered.
        client.get("/wps/member/info").await.value();
    }
    let devices = here.get("/wps/member/devices").await;
    let devices = devices.value().as_array().unwrap();
    assert_eq!((devices.len(), &devices[0]["isCurrent"]), (1, &json!(true)));
    test.advance(Duration::seconds(11));
    copied.get("/wps/member/info").await.assert_refused(401, "session.required");
    here.get("/wps/member/info").await.value();
}

#[tokio::test]
async fn a_token_that_was_replaced_ends_no_session_and_renews_nothing() {
    let test = TestApp::new().await;
    let (here, copied) = renewed(&test).await;
    let device = here.get("/wps/member/devices").await.value()[0]["id"].clone();
    let device = format!("/wps/member/devices/{}", device.as_str().unwrap());
    for path in ["/wps/member/devices", &device] {
        let refused = copied.request(Method::DELETE, path, None).await;
        refused.assert_refused(401, "session.required");
    }
    let changed = change_password(&copied, "mango riot at noon", "mango riot at dusk").await;
    changed.assert_refused(401, "session.required");
    let factor = "/wps/member/two-factor";
    let password = json!({ "password": "mango riot at noon" });
    let offer = here.sealed(Method::POST, factor, &password).await;
    let code = two_factor::code(&test, offer.value()["secret"].as_str().unwrap());
    let confirmed = copied.sealed(Method::PUT, factor, &json!({ "code": code })).await;
    confirmed.assert_refused(401, "session.required");
    here.get("/wps/member/info").await.value();
    let entered = test.visitor().login("maria", "mango riot at noon").await;
    assert!(entered.value()["token"].is_string(), "there is no second factor");
}

#[tokio::test]
async fn logging_out_ends_the_token_before_too() {
    let test = TestApp::new().await;
    let (here, copied) = renewed(&test).await;
    copied.get("/wps/member/info").await.value();
    here.request(Method::DELETE, "/wps/session/logout", None).await.value();
    for client in [&here, &copied] {
        client.get("/wps/member/info").await.assert_refused(401, "session.required");
    }
}

#[tokio::test]
async fn ending_a_device_ends_the_token_before_too() {
    let test = TestApp::new().await;
    let (here, copied) = renewed(&test).await;
    let mut phone = test.visitor();
    phone.login("maria", "mango riot at noon").await.value();
    copied.get("/wps/member/info").await.value();
    let listed = phone.get("/wps/member/devices").await;
    let other = listed.value().as_array().unwrap().iter().find(|one| one["isCurrent"] == false);
    let path = format!("/wps/member/devices/{}", other.unwrap()["id"].as_str().unwrap());
    phone.request(Method::DELETE, &path, None).await.value();
    for client in [&here, &copied] {
        client.get("/wps/member/info").await.assert_refused(401, "session.required");
    }
    phone.get("/wps/member/info").await.value();
}

/// Clocks of nodes differ: a session ended by one node is over on a node whose clock is behind.
#[tokio::test]
async fn an_ended_session_is_over_whatever_the_clock_says() {
    let test = TestApp::new().await;
    let member = test.member("maria").await;
    test.change("update sessions_tokens set ended_at = seen_at + interval '20 seconds'").await;
    member.get("/wps/member/info").await.assert_refused(401, "session.required");
}

/// A node that has cached the old token learns within a second that it expires soon.
#[tokio::test]
async fn a_replaced_token_ends_on_every_node() {
    let test = TestApp::new().await;
    let node = test.another_node();
    let mut here = test.member("maria").await;
    let there = here.clone().through(&node);
    let (trigger, shutdown) = shutdown::channel();
    let app = node.app.clone();
    let watching = tokio::spawn(async move { identity::watch(&app.identity, shutdown).await });
    // What a node reads while it watches for changes is cached for a minute.
    tokio::time::sleep(std::time::Duration::from_millis(500)).await;
    there.get("/wps/member/info").await.value();
    let changed = change_password(&here, PASSWORD, "mango riot at noon").await;
    here.adopt(&changed);
    tokio::time::sleep(std::time::Duration::from_millis(1_050)).await;
    there.get("/wps/member/info").await.value();
    test.advance(Duration::seconds(11));
    there.get("/wps/member/info").await.assert_refused(401, "session.required");
    trigger.begin();
    watching.await.unwrap();
}
