//! Completing the registration of a member who signed up through a social provider.

use axum::http::Method;
use serde_json::{Value, json};

use crate::bind::bind_during;
use crate::harness::{Answer, Client, TestApp};
use crate::peer::{self, Peer};
use crate::registration_gates::code_to;
use crate::social::sign_in;

const LAUNCH: &str = "/wps/game/launchGame?gameCode=dice";
const OPEN: &str = "member.to_complete";

fn roll() -> Value {
    json!({ "stake": "1", "choice": { "target": 5000, "direction": "under" } })
}

fn form() -> Value {
    json!({ "birthday": "1990-01-31", "isAdult": true, "ofAge": true, "acceptsTerms": true })
}

fn with(name: &str, value: Value) -> Value {
    let mut form = form();
    form[name] = value;
    form
}

async fn complete(client: &Client<'_>, form: &Value) -> Answer {
    client.sealed(Method::POST, "/wps/member/complete", form).await
}

async fn newcomer<'a>(peer: &Peer, test: &'a TestApp) -> Client<'a> {
    let mut client = test.phone();
    sign_in(peer, &mut client, "oidc", "maria").await.value();
    client
}

/// Makes a member an agent and returns the agent's code.
async fn agent(test: &TestApp) -> String {
    test.visitor().fill_in("leader", &json!({})).await.value();
    let code = "update members_profiles p set kind = 1 from members_details d
        where d.member_id = p.member_id and account = 'leader' returning affiliate_code";
    sqlx::query_scalar(code).fetch_one(&test.owner).await.unwrap()
}

#[tokio::test]
async fn who_came_through_a_provider_looks_round_and_plays_once_complete() {
    let peer = Peer::start();
    let test = peer.site().await;
    let client = newcomer(&peer, &test).await;
    let info = client.get("/wps/member/info").await;
    assert_eq!(
        (&info.value()["toComplete"], &info.value()["hasBirthday"]),
        (&json!(true), &json!(false))
    );
    assert_eq!(client.balance().await, "1000");
    client.get("/lgw/fair/seed").await.value();
    client.get(LAUNCH).await.assert_refused(403, OPEN);
    client.play("before-it-is-complete", &roll()).await.assert_refused(403, OPEN);
    // Logging in again does not bypass it.
    let again = newcomer(&peer, &test).await;
    again.play("before-it-is-complete", &roll()).await.assert_refused(403, OPEN);

    let answer = complete(&client, &form()).await;
    let profile = answer.value();
    assert_eq!((&profile["toComplete"], &profile["hasBirthday"]), (&json!(false), &json!(true)));
    for session in [&client, &again] {
        session.get(LAUNCH).await.value();
    }
    client.play("once-it-is-complete", &roll()).await.value();
    again.play("once-it-is-complete-2", &roll()).await.value();
    complete(&client, &form()).await.assert_refused(409, "member.already_set");
    let later = newcomer(&peer, &test).await;
    assert_eq!(later.get("/wps/member/info").await.value()["toComplete"], false);
    later.play("at-another-log-in", &roll()).await.value();
    test.assert_ledger_is_sound().await;
}

#[tokio::test]
async fn a_node_that_has_read_the_session_before_lets_the_member_play_at_once() {
    let peer = Peer::start();
    let test = peer.site().await;
    let node = test.another_node();
    peer::now(&node);
    let here = newcomer(&peer, &test).await;
    let mut there = node.visitor();
    (there.token, there.cookies) = (here.token.clone(), here.cookies.clone());
    there.play("before-it-is-complete", &roll()).await.assert_refused(403, OPEN);
    complete(&here, &form()).await.value();
    there.play("once-it-is-complete", &roll()).await.value();
}

#[tokio::test]
async fn all_faults_of_a_completion_come_together() {
    let peer = Peer::start();
    let test = peer.site().await;
    let client = newcomer(&peer, &test).await;
    let answer = complete(&client, &json!({ "nickname": "M", "affiliateCode": "?" })).await;
    answer.assert_refused(400, "input.invalid");
    let expected = json!({
        "isAdult": "required", "acceptsTerms": "required", "birthday": "required",
        "nickname": "too_short", "affiliateCode": "too_short",
    });
    assert_eq!(answer.body["fields"], expected);
    let cases = [
        (with("birthday", json!("2010-01-31")), json!({ "birthday": "too_young" })),
        (with("birthday", json!("1790-01-31")), json!({ "birthday": "invalid" })),
        (with("birthday", json!("1990-02-30")), json!({ "birthday": "pattern" })),
        (with("isAdult", json!(false)), json!({ "isAdult": "required" })),
        (with("acceptsTerms", json!(false)), json!({ "acceptsTerms": "required" })),
    ];
    for (form, fields) in cases {
        let answer = complete(&client, &form).await;
        answer.assert_refused(400, "input.invalid");
        assert_eq!(answer.body["fields"], fields, "{form}");
    }
    let wrong = complete(&client, &with("affiliateCode", json!("NOBODYS1"))).await;
    wrong.assert_refused(400, "member.invitation_code");
    let malformed = complete(&client, &with("isAdult", json!("yes"))).await;
    malformed.assert_refused(400, "request.malformed");
    let plain = client.post("/wps/member/complete", &form()).await;
    plain.assert_refused(415, "request.unsupported_media_type");
    client.play("still-not-complete", &roll()).await.assert_refused(403, OPEN);
}

#[tokio::test]
async fn an_agents_code_makes_the_agent_the_upline() {
    let peer = Peer::start();
    let test = peer.site().await;
    let code = agent(&test).await;
    let client = newcomer(&peer, &test).await;
    let mut form = with("affiliateCode", json!(code.to_lowercase()));
    form["nickname"] = json!("Clara");
    assert_eq!(complete(&client, &form).await.value()["nickname"], "Clara");
    let rows: Vec<(String, String)> = sqlx::query_as(
        "select p.account, u.code from members_uplines u
         join members_profiles p on p.member_id = u.upline_id",
    )
    .fetch_all(&test.owner)
    .await
    .unwrap();
    assert_eq!(rows, [("leader".to_owned(), code)]);
}

#[tokio::test]
async fn codes_cannot_be_tried_without_end() {
    let peer = Peer::start();
    let test = peer.site().await;
    let client = newcomer(&peer, &test).await;
    let guess = with("affiliateCode", json!("NOBODYS1"));
    for _ in 0..20 {
        complete(&client, &guess).await.assert_refused(400, "member.invitation_code");
    }
    complete(&client, &guess).await.assert_refused(429, "request.too_many");
    // Without a code there is nothing to guess.
    complete(&client, &form()).await.value();
}

#[tokio::test]
async fn nobody_is_its_own_upline() {
    let peer = Peer::start();
    let test = peer.site().await;
    let client = newcomer(&peer, &test).await;
    test.change("update members_profiles set kind = 1").await;
    let own = client.get("/wps/member/info").await.value()["affiliateCode"].clone();
    let answer = complete(&client, &with("affiliateCode", own)).await;
    answer.assert_refused(400, "member.invitation_code");
}

#[tokio::test]
async fn a_birth_date_that_is_known_stays() {
    let peer = Peer::start();
    let test = peer.site().await;
    let client = newcomer(&peer, &test).await;
    let known = json!({ "birthday": "1985-05-05", "ofAge": true });
    client.sealed(Method::PUT, "/wps/member/info", &known).await.value();
    client.play("a-birth-date-is-not-all", &roll()).await.assert_refused(403, OPEN);
    complete(&client, &form()).await.value();
    let birthday: String = sqlx::query_scalar("select birthday::text from members_details")
        .fetch_one(&test.owner)
        .await
        .unwrap();
    assert_eq!(birthday, "1985-05-05");
}

#[tokio::test]
async fn no_rule_lets_anybody_keep_the_birth_date_to_themselves() {
    let peer = Peer::start();
    let test = peer.site().await;
    test.change("update site_register_rules set enabled = false where field = 'birthday'").await;
    let client = newcomer(&peer, &test).await;
    let refused = complete(&client, &with("birthday", Value::Null)).await;
    assert_eq!(refused.body["fields"], json!({ "birthday": "required" }));
    complete(&client, &form()).await.value();
    client.play("once-it-is-complete", &roll()).await.value();
}

#[tokio::test]
async fn of_racing_completions_one_is_written() {
    let peer = Peer::start();
    let test = peer.site().await;
    let code = agent(&test).await;
    let client = newcomer(&peer, &test).await;
    let form = with("affiliateCode", json!(code));
    let tries = (0..16).map(|_| complete(&client, &form));
    let answers = futures_util::future::join_all(tries).await;
    let (accepted, refused): (Vec<&Answer>, Vec<&Answer>) =
        answers.iter().partition(|answer| answer.status.is_success());
    assert_eq!(accepted.len(), 1);
    refused.iter().for_each(|answer| answer.assert_refused(409, "member.already_set"));
}

#[tokio::test]
async fn a_completion_and_a_number_at_once_do_not_wait_for_each_other() {
    let peer = Peer::start();
    let test = peer.site().await;
    let client = newcomer(&peer, &test).await;
    bind_during(&test, &client, complete(&client, &form())).await;
    let info = client.get("/wps/member/info").await;
    assert_eq!(
        (&info.value()["toComplete"], &info.value()["mobileVerified"]),
        (&json!(false), &json!(true))
    );
}

#[tokio::test]
async fn who_filled_in_a_form_has_nothing_to_complete() {
    let test = TestApp::new().await;
    let member = test.member("maria").await;
    assert_eq!(member.get("/wps/member/info").await.value()["toComplete"], false);
    complete(&member, &form()).await.assert_refused(409, "member.already_set");
    member.play("a-round-of-a-member", &roll()).await.value();
    complete(&test.trial().await, &form()).await.assert_refused(403, "session.trial");
    complete(&test.visitor(), &form()).await.assert_refused(401, "session.required");
}

#[tokio::test]
async fn everything_that_the_rules_require_is_asked_for_and_kept() {
    let peer = Peer::start();
    let test = peer.site().await;
    test.change(
        "update site_register_rules set enabled = true, required = true
         where field in ('mobileNum', 'payeeName', 'address', 'idNumber', 'telegram',
             'paymentPassword', 'recommenderId')",
    )
    .await;
    test.switch("REGMOBVERF3", false).await;
    let client = newcomer(&peer, &test).await;
    let missing = complete(&client, &form()).await;
    missing.assert_refused(400, "input.invalid");
    assert_eq!(
        missing.body["fields"],
        json!({
            "mobileNum": "required", "payeeName": "required", "address": "required",
            "idNumber": "required", "telegram": "required", "paymentPassword": "required",
            "recommenderId": "required",
        })
    );
    let mut whole = form();
    for (name, value) in [
        ("mobileNum", "9171234567"),
        ("payeeName", "Maria Clara"),
        ("address", "12 Rizal Street, Roxas City"),
        ("idNumber", "P7654321"),
        ("telegram", "@maria"),
        ("paymentPassword", "482913"),
        ("recommenderId", "nobody-at-all"),
    ] {
        whole[name] = json!(value);
    }
    let refused = complete(&client, &whole).await;
    assert_eq!(refused.body["fields"], json!({ "recommenderId": "invalid" }));
    test.change("update site_register_rules set required = false where field = 'recommenderId'")
        .await;
    whole.as_object_mut().unwrap().remove("recommenderId");
    let profile = complete(&client, &whole).await;
    let profile = profile.value();
    assert_eq!(profile["mobileNum"], "+639******567");
    assert_eq!(profile["mobileVerified"], false);
    assert_eq!(profile["address"], "12 Rizal Street, Roxas City");
    for known in ["hasIdNumber", "hasPaymentPassword", "hasBirthday"] {
        assert_eq!(profile[known], true, "{known}");
    }
    let telegram: String =
        sqlx::query_scalar("select telegram from members_details where telegram is not null")
            .fetch_one(&test.owner)
            .await
            .unwrap();
    assert_eq!(telegram, "@maria");
}

#[tokio::test]
async fn a_number_of_somebody_else_is_refused() {
    let peer = Peer::start();
    let test = peer.site().await;
    test.switch("REGMOBVERF3", false).await;
    test.visitor().fill_in("other", &json!({ "mobileNum": "9171234567" })).await.value();
    let client = newcomer(&peer, &test).await;
    let refused = complete(&client, &with("mobileNum", json!("9171234567"))).await;
    refused.assert_refused(409, "member.mobile_taken");
    assert_eq!(client.get("/wps/member/info").await.value()["toComplete"], true);
    let profile = complete(&client, &with("mobileNum", json!("9177654321"))).await;
    assert_eq!(profile.value()["mobileNum"], "+639******321");
}

#[tokio::test]
async fn a_number_is_proved_where_the_site_sends_codes() {
    let peer = Peer::start();
    let test = peer.site().await;
    // Somebody has typed the number without proving it: it is revoked.
    test.switch("REGMOBVERF3", false).await;
    test.visitor().fill_in("other", &json!({ "mobileNum": "9171234567" })).await.value();
    test.switch("REGMOBVERF3", true).await;
    let client = newcomer(&peer, &test).await;
    let mut form = with("mobileNum", json!("9171234567"));
    let missing = complete(&client, &form).await;
    assert_eq!(missing.body["fields"], json!({ "verificationCode": "required" }));
    let code = code_to(&test, "9171234567").await;
    let wrong = if code == "000000" { "000001" } else { "000000" };
    form["verificationCode"] = json!(wrong);
    complete(&client, &form).await.assert_refused(400, "verification.code_invalid");
    // A code for one number is not valid for another.
    let mut other = with("mobileNum", json!("9187654321"));
    other["verificationCode"] = json!(code);
    complete(&client, &other).await.assert_refused(400, "verification.code_invalid");
    assert_eq!(client.get("/wps/member/info").await.value()["toComplete"], true);
    form["verificationCode"] = json!(code);
    let profile = complete(&client, &form).await;
    assert_eq!(profile.value()["mobileNum"], "+639******567");
    assert_eq!(profile.value()["mobileVerified"], true);
    let codes: i64 = sqlx::query_scalar("select count(*) from sessions_codes")
        .fetch_one(&test.owner)
        .await
        .unwrap();
    assert_eq!(codes, 0, "it is used up");
}

/// A member who has begun can still complete the registration after the merchant closes
/// registration.
#[tokio::test]
async fn a_closed_registration_still_sends_the_code_of_one_that_was_begun() {
    let peer = Peer::start();
    let test = peer.site().await;
    test.switch("REGMOBVERF3", true).await;
    let client = newcomer(&peer, &test).await;
    let other = test.member("josefa").await;
    test.switch("DIRECTREG3", false).await;
    let ask = async |client: &Client<'_>| {
        let mut body = json!({ "countryDialingCode": "63", "mobileNo": "9171234567" });
        body["human"] = json!(client.proof().await);
        client.post("/wps/verification/sms/register", &body).await
    };
    ask(&test.visitor()).await.assert_refused(403, "site.switched_off");
    ask(&other).await.assert_refused(403, "site.switched_off");
    ask(&client).await.value();
    let mut form = with("mobileNum", json!("9171234567"));
    form["verificationCode"] = json!(test.message_to("+639171234567").await[..6]);
    complete(&client, &form).await.value();
    ask(&client).await.assert_refused(403, "site.switched_off");
}

#[tokio::test]
async fn a_number_that_is_not_asked_for_needs_no_code() {
    let peer = Peer::start();
    let test = peer.site().await;
    let client = newcomer(&peer, &test).await;
    complete(&client, &form()).await.value();
    assert_eq!(client.get("/wps/member/info").await.value()["mobileNum"], Value::Null);
}

#[tokio::test]
async fn being_of_age_is_confirmed_beside_the_birth_date() {
    let peer = Peer::start();
    let test = peer.site().await;
    let client = newcomer(&peer, &test).await;
    let refused = complete(&client, &with("ofAge", json!(false))).await;
    assert_eq!(refused.body["fields"], json!({ "ofAge": "required" }));
    complete(&client, &form()).await.value();
}
