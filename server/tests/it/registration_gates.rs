//! The checks before a registration: proof of work, captcha, code to the phone.

use axum::http::Method;
use chrono::Duration;
use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::captcha::answer_of;
use crate::harness::{Answer, Client, TestApp, prove};

const SEND: &str = "/wps/verification/sms/register";

async fn count_members(test: &TestApp) -> i64 {
    sqlx::query_scalar("select count(*) from members_profiles")
        .fetch_one(&test.owner)
        .await
        .unwrap()
}

/// Requests a code to a number, and reads it from the outbox.
pub async fn code_to(test: &TestApp, national: &str) -> String {
    let client = test.phone();
    let human = client.proof().await;
    let body = json!({ "mobileNo": national, "countryDialingCode": "63", "human": human });
    client.post(SEND, &body).await.value();
    test.message_to(&format!("+63{national}")).await[..6].to_owned()
}

pub async fn by_mobile(client: &mut Client<'_>, number: &str, code: Value) -> Answer {
    let form = json!({
        "mobileNum": number, "verificationCode": code,
        "adult": true, "ofAge": true, "birthday": "1990-05-17", "terms": true,
        "password": "a-good-password", "confirmPassword": "a-good-password",
        "human": client.proof().await,
    });
    let answer = client.sealed(Method::PUT, "/wps/member/register/mobile", &form).await;
    client.adopt(&answer);
    answer
}

#[tokio::test]
async fn registration_takes_work_that_is_good_once() {
    let test = TestApp::new().await;
    for human in [Value::Null, json!(""), json!("e30="), json!("x".repeat(5_000))] {
        let refused = test.visitor().fill_in("maria", &json!({ "human": human })).await;
        refused.assert_refused(400, "session.human_check");
    }
    let number = test.visitor().fill_in("maria", &json!({ "human": 7 })).await;
    number.assert_refused(400, "request.malformed");
    let human = prove(&test.visitor()).await;
    // A form error does not spend the proof.
    let slip = json!({ "human": human, "confirmPassword": "another-password" });
    test.visitor().fill_in("maria", &slip).await.assert_refused(400, "input.invalid");
    test.visitor().fill_in("maria", &json!({ "human": human })).await.value();
    let again = test.visitor().fill_in("josefa", &json!({ "human": human })).await;
    again.assert_refused(400, "session.human_check");
    assert_eq!(count_members(&test).await, 1);
}

#[tokio::test]
async fn who_is_a_member_is_told_to_nobody_without_work() {
    let test = TestApp::new().await;
    test.visitor().fill_in("maria", &json!({ "email": "maria@example.com" })).await.value();
    let guess = json!({ "human": null, "email": "maria@example.com" });
    let (taken, free) = (
        test.visitor().fill_in("maria", &guess).await,
        test.visitor().fill_in("josefa", &json!({ "human": null })).await,
    );
    taken.assert_refused(400, "session.human_check");
    assert_eq!(taken.body, free.body);
}

#[tokio::test]
async fn one_proof_makes_one_member_whoever_races() {
    let test = TestApp::new().await;
    let human = test.visitor().proof().await;
    let tries = (0..16).map(|number| {
        let (test, human) = (&test, human.clone());
        async move {
            let more = json!({ "human": human });
            test.visitor().fill_in(&format!("racer{number}"), &more).await.status.as_u16()
        }
    });
    let statuses = join_all(tries).await;
    assert_eq!(statuses.iter().filter(|status| **status == 200).count(), 1, "{statuses:?}");
    assert_eq!(count_members(&test).await, 1);
}

#[tokio::test]
async fn the_captcha_is_asked_where_the_form_has_it() {
    let test = TestApp::new().await;
    test.change("update site_register_rules set enabled = true where field = 'captcha'").await;
    let missing = test.visitor().fill_in("maria", &json!({})).await;
    assert_eq!(missing.body["fields"], json!({ "captcha": "required" }), "{}", missing.text);
    let made_up = test.visitor().fill_in("maria", &json!({ "captcha": "abcde" })).await;
    made_up.assert_refused(400, "session.captcha");
    let mut client = test.visitor();
    let shown = client.get("/wps/captcha?kind=question").await;
    client.adopt(&shown);
    let right = answer_of(&test, &client, shown.value().as_str().unwrap()).await;
    client.fill_in("maria", &json!({ "captcha": right })).await.value();
    // The answer is valid once.
    let again = client.clone().fill_in("josefa", &json!({ "captcha": right })).await;
    again.assert_refused(400, "session.captcha");
    // If the form has no captcha, none is required.
    test.change("update site_register_rules set enabled = false where field = 'captcha'").await;
    test.visitor().fill_in("josefa", &json!({ "captcha": "whatever" })).await.value();
}

#[tokio::test]
async fn a_number_comes_with_its_code() {
    let test = TestApp::new().await;
    // Without a number there is nothing to verify.
    test.visitor().fill_in("maria", &json!({})).await.value();
    let more = |code: Value| json!({ "mobileNum": "09171234567", "verificationCode": code });
    let missing = test.visitor().fill_in("josefa", &more(Value::Null)).await;
    assert_eq!(missing.body["fields"], json!({ "verificationCode": "required" }));
    let code = code_to(&test, "9171234567").await;
    let wrong = if code == "000000" { "000001" } else { "000000" };
    let refused = test.phone().fill_in("josefa", &more(json!(wrong))).await;
    refused.assert_refused(400, "verification.code_invalid");
    // It does not verify another number.
    let other = json!({ "mobileNum": "9187654321", "verificationCode": code });
    let refused = test.phone().fill_in("josefa", &other).await;
    refused.assert_refused(400, "verification.code_invalid");
    let mut client = test.phone();
    client.fill_in("josefa", &more(json!(code))).await.value();
    assert_eq!(client.get("/wps/member/info").await.value()["mobileVerified"], true);
    assert_eq!(count_members(&test).await, 2);
}

#[tokio::test]
async fn a_required_number_is_asked_for_with_its_code() {
    let test = TestApp::new().await;
    test.change("update site_register_rules set required = true where field = 'mobileNum'").await;
    let refused = test.visitor().fill_in("maria", &json!({})).await;
    let named = json!({ "mobileNum": "required", "verificationCode": "required" });
    assert_eq!(refused.body["fields"], named);
    test.switch("REGMOBVERF3", false).await;
    test.visitor().fill_in("maria", &json!({ "mobileNum": "9171234567" })).await.value();
}

#[tokio::test]
async fn a_lost_race_does_not_burn_the_code() {
    let test = TestApp::new().await;
    let code = code_to(&test, "9171234567").await;
    let more = json!({ "mobileNum": "9171234567", "verificationCode": code });
    // The name seems to be free, and somebody else registers it just before the transaction.
    test.change(
        "create function give_way() returns trigger language plpgsql as $$
         begin
            if new.name = 'josefa' then return null; end if;
            return new;
         end $$;
         create trigger give_way before insert on members_names
            for each row execute function give_way();",
    )
    .await;
    let lost = test.phone().fill_in("josefa", &more).await;
    lost.assert_refused(409, "member.name_taken");
    test.change("drop trigger give_way on members_names").await;
    test.phone().fill_in("rosita", &more).await.value();
    let left: i64 = sqlx::query_scalar("select count(*) from sessions_codes")
        .fetch_one(&test.owner)
        .await
        .unwrap();
    assert_eq!(left, 0, "now it is spent");
}

#[tokio::test]
async fn racers_with_one_code_make_one_member() {
    let test = TestApp::new().await;
    let code = code_to(&test, "9171234567").await;
    let tries = (0..5).map(|number| {
        let (test, code) = (&test, code.clone());
        async move {
            let more = json!({ "mobileNum": "9171234567", "verificationCode": code });
            test.phone().fill_in(&format!("racer{number}"), &more).await.status.as_u16()
        }
    });
    let statuses = join_all(tries).await;
    assert_eq!(statuses.iter().filter(|status| **status == 200).count(), 1, "{statuses:?}");
    assert!(statuses.iter().all(|status| *status < 500), "{statuses:?}");
    assert_eq!(count_members(&test).await, 1);
}

#[tokio::test]
async fn by_mobile_number_the_code_is_always_asked() {
    let test = TestApp::new().await;
    let missing = by_mobile(&mut test.visitor(), "9171234567", Value::Null).await;
    assert_eq!(missing.body["fields"], json!({ "verificationCode": "required" }));
    let unsent = by_mobile(&mut test.visitor(), "9171234567", json!("123456")).await;
    unsent.assert_refused(400, "verification.code_invalid");
    let code = code_to(&test, "9171234567").await;
    test.advance(Duration::minutes(5));
    let late = by_mobile(&mut test.phone(), "9171234567", json!(code)).await;
    late.assert_refused(400, "verification.code_expired");
    let code = code_to(&test, "9171234567").await;
    let mut client = test.phone();
    by_mobile(&mut client, "9171234567", json!(code)).await.value();
    let info = client.get("/wps/member/info").await;
    assert_eq!(info.value()["account"], "+639171234567");
    assert_eq!(info.value()["mobileVerified"], true);
}

#[tokio::test]
async fn whose_a_number_is_is_told_to_its_owner_alone() {
    let test = TestApp::new().await;
    let code = code_to(&test, "9171234567").await;
    by_mobile(&mut test.phone(), "9171234567", json!(code)).await.value();
    for number in ["9171234567", "9181234567"] {
        let guess = by_mobile(&mut test.visitor(), number, json!("000000")).await;
        guess.assert_refused(400, "verification.code_invalid");
    }
    test.advance(Duration::minutes(11));
    let code = code_to(&test, "9171234567").await;
    let owner = by_mobile(&mut test.phone(), "9171234567", json!(code)).await;
    owner.assert_refused(409, "member.mobile_taken");
}

#[tokio::test]
async fn names_that_are_taken_make_the_work_harder() {
    let test = TestApp::new().await;
    test.member("maria").await;
    let failures = async || -> i64 {
        let sql = "select coalesce(sum(used), 0) from platform_budgets
            where name = 'sessions.human.failures'";
        sqlx::query_scalar(sql).fetch_one(&test.owner).await.unwrap()
    };
    let before = failures().await;
    test.visitor().fill_in("maria", &json!({})).await.assert_refused(409, "member.name_taken");
    assert_eq!(failures().await, before + 1);
}
