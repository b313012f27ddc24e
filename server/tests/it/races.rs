//! Races: very many concurrent registrations with the same name, number or address at two nodes;
//! exactly one succeeds. `FAULT_RACERS` says how many.

use std::collections::BTreeMap;
use std::time::Duration;

use axum::http::Method;
use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::harness::{Answer, Client, PASSWORD, TestApp, address, size};

const BY_USERNAME: &str = "/wps/member/register";
const BY_MOBILE: &str = "/wps/member/register/mobile";

/// An encrypted registration, ready to be sent.
async fn prepare(client: &Client<'_>, path: &str, form: &Value) -> Value {
    let mut form = form.clone();
    form["human"] = json!(client.proof().await);
    client.seal(&Method::PUT, path, &form).await
}

/// Sends a registration; one that is refused with a 503 is sent again, newly encrypted.
async fn register(client: &Client<'_>, path: &str, form: &Value, mut sealed: Value) -> Answer {
    loop {
        let answer = client.send_sealed(Method::PUT, path, &sealed).await;
        if answer.status != 503 {
            return answer;
        }
        answer.assert_refused(503, "server.unavailable");
        tokio::time::sleep(Duration::from_millis(200)).await;
        sealed = prepare(client, path, form).await;
    }
}

/// Sends all registrations at once, alternating between the two nodes; returns the outcomes.
async fn race(
    test: &TestApp,
    path: &str,
    form: impl Fn(usize) -> Value,
) -> BTreeMap<String, usize> {
    let other = test.another_node();
    let mut racers = Vec::new();
    for number in 0..size("FAULT_RACERS", 32) {
        let node = if number % 2 == 0 { test } else { &other };
        let client = node.visitor().at(address(number));
        let form = form(number);
        let sealed = prepare(&client, path, &form).await;
        racers.push((client, form, sealed));
    }
    let racing = racers.iter().map(|(client, form, sealed)| async {
        let answer = register(client, path, form, sealed.clone()).await;
        let refusal = answer.body["code"].as_str().map(str::to_owned);
        assert_eq!(refusal.is_none(), answer.status == 200, "{}", answer.text);
        refusal.unwrap_or_else(|| "registered".to_owned())
    });
    let mut outcomes = BTreeMap::new();
    for outcome in join_all(racing).await {
        *outcomes.entry(outcome).or_default() += 1;
    }
    outcomes
}

/// Checks that one registration succeeded and the others were refused for this reason and left no
/// rows behind.
async fn assert_one(test: &TestApp, outcomes: BTreeMap<String, usize>, refusal: &str) {
    println!("  {outcomes:?}");
    let others = size("FAULT_RACERS", 32) - 1;
    let expected = [("registered".to_owned(), 1), (refusal.to_owned(), others)];
    assert_eq!(outcomes, BTreeMap::from(expected));
    for table in [
        "members_profiles",
        "members_names",
        "members_passwords",
        "members_details",
        "members_codes",
        "sessions_tokens",
        "sessions_entries",
        "wallet_holders",
        "wallet_transfers",
    ] {
        let sql = format!("select count(*) from {table}");
        let count: i64 =
            sqlx::query_scalar(sqlx::AssertSqlSafe(sql)).fetch_one(&test.owner).await.unwrap();
        assert_eq!(count, 1, "{table}");
    }
    test.assert_ledger_is_sound().await;
}

fn form(more: &Value) -> Value {
    let mut form = json!({
        "password": PASSWORD, "confirmPassword": PASSWORD,
        "adult": true, "ofAge": true, "birthday": "1990-05-17", "terms": true,
    });
    for (name, value) in more.as_object().unwrap() {
        form[name] = value.clone();
    }
    form
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_of_all_gets_a_username() {
    let test = TestApp::behind_a_proxy().await;
    let names = ["maria", "MARIA", "Maria"];
    let outcomes =
        race(&test, BY_USERNAME, |number| form(&json!({ "username": names[number % 3] }))).await;
    assert_one(&test, outcomes, "member.name_taken").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_of_all_gets_a_mobile_number() {
    let test = TestApp::behind_a_proxy().await;
    test.switch("REGMOBVERF3", false).await;
    let ways = ["9171234567", "09171234567"];
    let outcomes =
        race(&test, BY_MOBILE, |number| form(&json!({ "mobileNum": ways[number % 2] }))).await;
    assert_one(&test, outcomes, "member.mobile_taken").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_of_all_gets_an_address() {
    let test = TestApp::behind_a_proxy().await;
    let ways = ["maria@example.com", "Maria@Example.com"];
    let outcomes = race(&test, BY_USERNAME, |number| {
        form(&json!({ "username": format!("maria{number}"), "email": ways[number % 2] }))
    });
    assert_one(&test, outcomes.await, "member.email_taken").await;
}
