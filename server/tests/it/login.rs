//! Login: what is required, who is locked out, and who is not.

use axum::http::Method;
use chrono::Duration;
use futures_util::FutureExt;
use futures_util::future::join_all;
use platform::rate_limit::RateLimit;
use serde_json::{Value, json};

use crate::captcha::answer_of;
use crate::codes::codes;
use crate::harness::{Answer, Client, PASSWORD, TestApp, prove, prove_for};

const LOGIN: &str = "/wps/session/login";

/// Tries to log in, with additional fields.
async fn try_login(
    client: &mut Client<'_>,
    username: &str,
    password: &str,
    more: &Value,
) -> Answer {
    let mut body = json!({
        "type": "username", "username": username, "password": password,
        "human": client.proof().await,
    });
    for (name, value) in more.as_object().unwrap() {
        body[name] = value.clone();
    }
    let answer = client.sealed(Method::POST, LOGIN, &body).await;
    client.adopt(&answer);
    answer
}

/// Answers a captcha question as a person would.
async fn solve_captcha(test: &TestApp, client: &mut Client<'_>) -> Value {
    test.advance(Duration::seconds(2));
    let answer = client.get("/wps/captcha?kind=question").await;
    client.adopt(&answer);
    json!({ "captcha": answer_of(test, client, answer.value().as_str().unwrap()).await })
}

#[tokio::test]
async fn the_proof_of_work_comes_first_and_is_good_once() {
    let test = TestApp::new().await;
    test.member("maria").await;
    let mut client = test.visitor();
    let without = json!({ "human": null });
    let refused = try_login(&mut client, "maria", PASSWORD, &without).await;
    refused.assert_refused(400, "session.human_check");
    let proof = json!({ "human": client.proof().await });
    try_login(&mut client, "maria", "wrong", &proof)
        .await
        .assert_refused(400, "session.wrong_credentials");
    let replays = (0..20).map(|_| async {
        let mut client = test.visitor();
        try_login(&mut client, "maria", PASSWORD, &proof).await.status.as_u16()
    });
    let answers = join_all(replays).await;
    assert!(answers.iter().all(|status| *status == 400), "{answers:?}");
    try_login(&mut client, "maria", PASSWORD, &json!({})).await.value();
}

#[tokio::test]
async fn known_and_unknown_names_get_the_same_answers() {
    let test = TestApp::new().await;
    test.member("maria").await;
    let mut answers = Vec::new();
    for name in ["maria", "nobody"] {
        let mut responses = Vec::new();
        for _ in 0..5 {
            let answer = try_login(&mut test.visitor(), name, "wrong", &json!({})).await;
            responses.push((answer.status, answer.body));
        }
        answers.push(responses);
    }
    assert_eq!(answers[0], answers[1]);
    let demands: Vec<_> =
        answers[0].iter().map(|(_, body)| body["value"]["captcha"].clone()).collect();
    assert_eq!(demands, [json!(null), json!(true), json!(true), json!(true), json!(true)]);
}

#[tokio::test]
async fn a_stranger_is_locked_out_after_three_tries_and_the_owner_is_not() {
    let test = TestApp::new().await;
    let mut owner = test.member("maria").await;
    let mut thief = test.visitor();
    for tries in 0..3 {
        let more = match tries {
            2 => solve_captcha(&test, &mut thief).await,
            _ => json!({}),
        };
        let answer = try_login(&mut thief, "MARIA", "wrong", &more).await;
        answer.assert_refused(400, "session.wrong_credentials");
        assert_eq!(answer.body["value"]["captcha"] == json!(true), tries > 0);
    }
    // Even the right password is refused now on any new device.
    for client in [&mut thief, &mut test.visitor()] {
        let captcha = solve_captcha(&test, client).await;
        let answer = try_login(client, "maria", PASSWORD, &captcha).await;
        answer.assert_refused(429, "session.locked");
        assert!(answer.headers.contains_key("retry-after"));
    }
    owner.token = None;
    try_login(&mut owner, "maria", PASSWORD, &json!({})).await.value();
    test.advance(Duration::minutes(31));
    try_login(&mut test.visitor(), "maria", PASSWORD, &json!({})).await.value();
}

#[tokio::test]
async fn a_name_that_is_tried_again_asks_for_harder_work_whether_it_exists_or_not() {
    let test = TestApp::new().await;
    test.member("maria").await;
    for (name, outcome) in [("maria", None), ("nobody", Some("session.wrong_credentials"))] {
        let mut client = test.visitor();
        for _ in 0..2 {
            try_login(&mut client, name, "wrong", &json!({})).await;
        }
        let mut more = json!({ "human": prove(&client).await });
        let refused = try_login(&mut client, name, PASSWORD, &more).await;
        refused.assert_refused(400, "session.captcha");
        assert!(refused.body["value"]["challenge"].is_null(), "one thing after the other");
        let captcha = solve_captcha(&test, &mut client).await;
        more = json!({ "human": prove(&client).await, "captcha": captcha["captcha"] });
        let refused = try_login(&mut client, name, PASSWORD, &more).await;
        refused.assert_refused(400, "session.human_check");
        let challenge = &refused.body["value"]["challenge"];
        assert_eq!(challenge["parameters"]["data"]["level"], 1);
        // The refused attempt does not spend the captcha.
        more["human"] = json!(prove_for(challenge).await);
        let answer = try_login(&mut client, name, PASSWORD, &more).await;
        assert_eq!(answer.body["code"].as_str(), outcome, "{}", answer.body);
    }
    // Other members see no higher difficulty.
    let easy = json!({ "human": prove(&test.visitor()).await });
    let other = try_login(&mut test.visitor(), "josefa", "wrong", &easy).await;
    other.assert_refused(400, "session.wrong_credentials");
}

#[tokio::test]
async fn a_wrong_captcha_tries_no_password() {
    let test = TestApp::new().await;
    test.member("maria").await;
    let mut client = test.visitor();
    for _ in 0..2 {
        try_login(&mut client, "maria", "wrong", &json!({})).await;
    }
    for captcha in [json!({}), json!({ "captcha": "nonsense" })] {
        let answer = try_login(&mut client, "maria", PASSWORD, &captcha).await;
        answer.assert_refused(400, "session.captcha");
        assert_eq!(answer.body["value"]["captcha"], true);
    }
    let captcha = solve_captcha(&test, &mut client).await;
    try_login(&mut client, "maria", PASSWORD, &captcha).await.value();
    // A login with the right password clears the failed attempts.
    try_login(&mut test.visitor(), "maria", PASSWORD, &json!({})).await.value();
}

#[tokio::test]
async fn many_tries_at_once_are_no_more_than_three() {
    let test = TestApp::new().await;
    test.member("maria").await;
    let tries = (0..24).map(|_| async {
        let answer = try_login(&mut test.visitor(), "maria", "wrong", &json!({})).await;
        answer.body["code"].as_str().unwrap().to_owned()
    });
    let codes = join_all(tries).await;
    let verified = codes.iter().filter(|code| *code == "session.wrong_credentials").count();
    assert!((1..=3).contains(&verified), "{codes:?}");
}

/// Four hundred concurrent logins from new devices, nearly all with the right password, are not
/// treated as an attack.
#[tokio::test]
async fn a_rush_of_logins_is_told_to_come_back_and_locks_nobody_out() {
    let test = TestApp::behind_a_proxy().await;
    test.member("maria").await;
    let (site, now) = (test.merchant().await.id.to_string(), test.app.clock.now());
    let rate_limit =
        |name| RateLimit { name, limit: 400, window: std::time::Duration::from_secs(86_400) };
    let under_way = rate_limit("sessions.login.elsewhere");
    let mut db = test.app.db.acquire().await.unwrap();
    for _ in 0..400 {
        test.app.rate_limits.take(&mut db, &under_way, &site, now).await.unwrap();
    }
    let mut elsewhere = test.visitor().at("198.51.100.7");
    let answer = try_login(&mut elsewhere, "maria", PASSWORD, &json!({})).await;
    answer.assert_refused(503, "server.unavailable");
    assert_eq!(answer.headers["retry-after"], "1");
    test.app.rate_limits.give_back(&mut db, &under_way, &site, now).await.unwrap();
    try_login(&mut elsewhere, "maria", PASSWORD, &json!({})).await.value();
}

/// A login refused by a full admission queue has spent nothing: the same request is accepted later.
#[tokio::test]
async fn a_login_that_was_turned_away_can_be_brought_again() {
    let test = TestApp::new().await;
    test.member("maria").await;
    let client = test.visitor();
    let sealed = sealed_login(&client).await;
    let mut crowd = Box::pin(join_all((0..1_000).map(|_| test.app.passwords.admit_login())));
    assert!(crowd.as_mut().now_or_never().is_none(), "it stands in line");
    let answer = client.send_sealed(Method::POST, LOGIN, &sealed).await;
    answer.assert_refused(503, "server.unavailable");
    assert!(answer.headers.contains_key("retry-after"));
    drop(crowd);
    client.send_sealed(Method::POST, LOGIN, &sealed).await.value();
    let again = client.send_sealed(Method::POST, LOGIN, &sealed).await;
    again.assert_refused(400, "seal.invalid");
}

/// An encrypted login of maria, ready to be sent.
async fn sealed_login(client: &Client<'_>) -> Value {
    let login = json!({
        "type": "username", "username": "maria", "password": PASSWORD,
        "human": client.proof().await,
    });
    client.seal(&Method::POST, LOGIN, &login).await
}

#[tokio::test]
async fn agents_have_a_page_of_their_own() {
    let test = TestApp::new().await;
    test.member("maria").await;
    let agents = json!({ "agentPage": true });
    let refused = try_login(&mut test.visitor(), "maria", PASSWORD, &agents).await;
    refused.assert_refused(403, "session.not_agent");
    for kind in [1, 2, 41, 42] {
        test.change(&format!("update members_profiles set kind = {kind}")).await;
        try_login(&mut test.visitor(), "maria", PASSWORD, &agents).await.value();
        try_login(&mut test.visitor(), "maria", PASSWORD, &json!({})).await.value();
    }
}

#[tokio::test]
async fn codes_open_the_agents_page_to_agents_only() {
    let test = TestApp::new().await;
    member_with_number(&test).await;
    let mut login = by_sms(&send_code(&test).await);
    login["agentPage"] = json!(true);
    let refused = test.phone().sealed(Method::POST, LOGIN, &login).await;
    refused.assert_refused(403, "session.not_agent");
    test.change("update members_profiles set kind = 42").await;
    test.phone().sealed(Method::POST, LOGIN, &login).await.value();
}

/// A demo account has neither name nor number; an account converted to one by hand is not a regular
/// member.
#[tokio::test]
async fn who_is_no_member_is_told_so_whatever_way_it_takes() {
    let test = TestApp::new().await;
    member_with_number(&test).await;
    let code = send_code(&test).await;
    test.change("update members_profiles set kind = 4").await;
    let by_name = try_login(&mut test.visitor(), "maria", PASSWORD, &json!({})).await;
    by_name.assert_refused(403, "session.not_member");
    let by_code = test.phone().sealed(Method::POST, LOGIN, &by_sms(&code)).await;
    by_code.assert_refused(403, "session.not_member");
}

#[tokio::test]
async fn empty_fields_and_closed_ways_are_told() {
    let test = TestApp::new().await;
    let answer = try_login(&mut test.visitor(), "  ", "", &json!({})).await;
    answer.assert_refused(400, "input.invalid");
    assert_eq!(answer.body["fields"], json!({ "username": "required", "password": "required" }));
    test.switch("COMM3", false).await;
    let answer = try_login(&mut test.visitor(), "maria", PASSWORD, &json!({})).await;
    answer.assert_refused(403, "site.switched_off");
    test.switch("MOBILEVERCODELOGIN3", false).await;
    let body = json!({ "type": "sms", "mobileNum": "9171234567", "countryDialingCode": "63" });
    let answer = test.visitor().sealed(Method::POST, LOGIN, &body).await;
    answer.assert_refused(403, "site.switched_off");
}

/// A member with a number.
pub async fn member_with_number(test: &TestApp) {
    test.member("maria").await;
    test.change(
        "insert into members_mobiles (merchant_id, mobile, member_id, verified)
         select merchant_id, '+639171234567', member_id, true from members_profiles",
    )
    .await;
}

pub async fn send_code(test: &TestApp) -> String {
    let client = test.phone();
    let body = json!({
        "mobileNum": "0917 123 4567", "countryDialingCode": "63", "human": client.proof().await,
    });
    client.post("/wps/verification/sms/noLogin", &body).await.value();
    codes(test).await["+639171234567"].clone()
}

pub fn by_sms(code: &str) -> Value {
    json!({
        "type": "sms", "mobileNum": "917 123 4567", "countryDialingCode": "+63",
        "verificationCode": code,
    })
}

#[tokio::test]
async fn a_code_to_the_phone_opens_once() {
    let test = TestApp::new().await;
    member_with_number(&test).await;
    let code = send_code(&test).await;
    let racers = (0..8).map(|_| async {
        let client = test.phone();
        client.sealed(Method::POST, LOGIN, &by_sms(&code)).await.status.as_u16()
    });
    let statuses = join_all(racers).await;
    assert_eq!(statuses.iter().filter(|status| **status == 200).count(), 1, "{statuses:?}");
    let again = test.phone().sealed(Method::POST, LOGIN, &by_sms(&code)).await;
    again.assert_refused(400, "verification.code_invalid");
    let missing = test.phone().sealed(Method::POST, LOGIN, &by_sms(" ")).await;
    missing.assert_refused(400, "verification.code_missing");
}

#[tokio::test]
async fn spellings_of_a_number_share_their_tries() {
    let test = TestApp::new().await;
    let mut thief = test.visitor();
    let spellings = ["09171234567", "639171234567", "+639171234567", "9171234567"];
    let mut responses = Vec::new();
    for name in spellings {
        let captcha = solve_captcha(&test, &mut thief).await;
        let answer = try_login(&mut thief, name, "wrong", &captcha).await;
        responses.push(answer.body["code"].as_str().unwrap().to_owned());
    }
    let wrong = "session.wrong_credentials";
    assert_eq!(responses, [wrong, wrong, wrong, "session.locked"]);
}

/// Tries wrong passwords from an IP address until the name is locked.
async fn lock(test: &TestApp, name: &str, address: &str) {
    let mut thief = test.visitor().at(address);
    for _ in 0..3 {
        let captcha = solve_captcha(test, &mut thief).await;
        let answer = try_login(&mut thief, name, "wrong", &captcha).await;
        answer.assert_refused(400, "session.wrong_credentials");
    }
    let captcha = solve_captcha(test, &mut thief).await;
    let answer = try_login(&mut thief, name, PASSWORD, &captcha).await;
    answer.assert_refused(429, "session.locked");
}

#[tokio::test]
async fn who_guesses_elsewhere_does_not_lock_a_new_device_at_home() {
    let test = TestApp::behind_a_proxy().await;
    let home = "203.0.113.7";
    test.visitor().at(home).register("maria", PASSWORD).await.value();
    lock(&test, "maria", "198.51.100.1").await;
    try_login(&mut test.visitor().at(home), "maria", PASSWORD, &json!({})).await.value();
    // Attempts from the owner's own network are counted too, and lock only that network.
    lock(&test, "maria", home).await;
}

#[tokio::test]
async fn neighbours_do_not_use_up_the_tries_of_a_known_device() {
    let test = TestApp::new().await;
    let mut owner = test.member("maria").await;
    for number in 0..60 {
        let name = format!("nobody{number}");
        try_login(&mut test.visitor(), &name, "wrong", &json!({})).await;
    }
    let other = try_login(&mut test.visitor(), "josefa", PASSWORD, &json!({})).await;
    other.assert_refused(429, "request.too_many");
    owner.token = None;
    try_login(&mut owner, "maria", PASSWORD, &json!({})).await.value();
}

#[tokio::test]
async fn right_passwords_use_up_nothing_of_an_address() {
    let test = TestApp::new().await;
    test.member("maria").await;
    for _ in 0..70 {
        try_login(&mut test.visitor(), "maria", PASSWORD, &json!({})).await.value();
    }
}

#[tokio::test]
async fn spaces_around_a_password_count_for_nothing() {
    let test = TestApp::new().await;
    let mut client = test.visitor();
    let typed = json!({ "password": " a-good-password", "confirmPassword": "a-good-password " });
    client.fill_in("maria", &typed).await.value();
    for password in ["a-good-password", "\ta-good-password\n"] {
        try_login(&mut test.visitor(), "maria", password, &json!({})).await.value();
    }
    let short = json!({ "password": "short   ", "confirmPassword": "short   " });
    let refused = test.visitor().fill_in("josefa", &short).await;
    assert_eq!(refused.body["fields"], json!({ "password": "too_short" }));
}

/// A new password ends all sessions. A login with the old password that is in progress must not
/// leave a session behind.
#[tokio::test]
async fn a_login_under_way_does_not_outlive_its_password() {
    let test = TestApp::new().await;
    test.member("maria").await;
    let mut change = test.owner.begin().await.unwrap();
    for sql in [
        "select from members_profiles for no key update",
        "update members_passwords set changed_at = changed_at + interval '1 minute'",
    ] {
        sqlx::query(sql).execute(&mut *change).await.unwrap();
    }
    let (mut client, nothing) = (test.visitor(), json!({}));
    let login = try_login(&mut client, "maria", PASSWORD, &nothing);
    let end = async {
        // Wait until the login has compared the password and waits for the member's row lock.
        let waiting = "select count(*) from pg_locks where not granted";
        while sqlx::query_scalar::<_, i64>(waiting).fetch_one(&test.owner).await.unwrap() == 0 {
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        }
        change.commit().await.unwrap();
    };
    let (answer, ()) = futures_util::future::join(login, end).await;
    answer.assert_refused(400, "session.wrong_credentials");
    try_login(&mut test.visitor(), "maria", PASSWORD, &json!({})).await.value();
}
