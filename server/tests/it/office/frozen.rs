//! Frozen and closed accounts: nobody can log in by any method, and no money moves.

use axum::http::{Method, StatusCode};
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use capiz::App;
use capiz_rules::money::Currency;
use chrono::Duration;
use members::MemberKind;
use serde_json::{Value, json};
use studio::{Bet, Player};
use uuid::Uuid;

use super::members::id_of;
use super::{Clerk, clerk, office};
use crate::harness::{Answer, Client, PASSWORD, TestApp};
use crate::peer::Peer;
use crate::{phone, recovery, social, two_factor};

const NEW: &str = "mango riot at noon";
const FROZEN: &str = "member.frozen";

fn roll() -> Value {
    json!({ "stake": "10", "choice": { "target": 5000, "direction": "under" } })
}

async fn step(clerk: &Clerk<'_>, id: &str, step: &str) -> Answer {
    let path = format!("/office/api/members/{id}/{step}");
    clerk.send(Method::POST, &path, Some(&json!({ "reason": "a stolen phone" }))).await
}

async fn live_sessions(test: &TestApp) -> i64 {
    let sql = "select count(*) from sessions_tokens where ended_at is null and ends_at > $1";
    sqlx::query_scalar(sql).bind(test.app.clock.now()).fetch_one(&test.owner).await.unwrap()
}

#[tokio::test]
async fn a_frozen_account_is_shut_until_it_is_opened_again() {
    let test = office().await;
    let maria = test.member("maria").await;
    let id = id_of(&maria).await;
    let support = clerk(&test, "support").await;
    step(&support, &id, "unfreeze").await.assert_refused(409, "member.other_state");
    step(&support, &id, "freeze").await.value();
    step(&support, &id, "freeze").await.assert_refused(409, "member.other_state");
    maria.get("/wps/member/info").await.assert_refused(401, "session.required");
    maria.play("after-the-freeze", &roll()).await.assert_refused(401, "session.required");
    let file = support.get(&format!("/office/api/members/{id}")).await;
    assert_eq!(file.value()["state"], "frozen");
    assert_eq!(file.value()["stateReason"], "a stolen phone");
    assert_eq!(file.value()["stateBy"], "support");
    // The state is not revealed without the password.
    let refused = test.visitor().login("maria", "not the password").await;
    refused.assert_refused(400, "session.wrong_credentials");
    test.visitor().login("maria", PASSWORD).await.assert_refused(403, FROZEN);
    assert_eq!(live_sessions(&test).await, 0);
    step(&support, &id, "unfreeze").await.value();
    let mut again = test.visitor();
    again.login("maria", PASSWORD).await.value();
    again.play("after-the-thaw", &roll()).await.value();
    let auditor = clerk(&test, "auditor").await;
    let entries = auditor.audit_log(&json!({ "subject": format!("member:{id}") })).await;
    let actions: Vec<_> =
        entries.value().as_array().unwrap().iter().map(|row| &row["action"]).collect();
    assert_eq!(actions, ["members.unfreeze", "members.freeze"]);
    assert_eq!(entries.value()[1]["before"], r#"{"state":"active"}"#);
    assert_eq!(entries.value()[1]["after"], r#"{"state":"frozen"}"#);
    test.assert_ledger_is_sound().await;
}

#[tokio::test]
async fn a_reason_is_asked_for_and_a_member_that_exists() {
    let test = office().await;
    let id = id_of(&test.member("maria").await).await;
    let admin = clerk(&test, "admin").await;
    for path in ["freeze", "unfreeze", "close", "password", "sessions/end"] {
        let known = format!("/office/api/members/{id}/{path}");
        let answer = admin.send(Method::POST, &known, Some(&json!({ "reason": " " }))).await;
        answer.assert_refused(400, "input.invalid");
        let why = json!({ "reason": "a stolen phone" });
        let unknown = format!("/office/api/members/{}/{path}", Uuid::nil());
        let answer = admin.send(Method::POST, &unknown, Some(&why)).await;
        answer.assert_refused(404, "staff.no_member");
    }
}

#[tokio::test]
async fn every_way_in_is_shut_after_the_secret_was_right() {
    let peer = Peer::start();
    let test = peer.site().await;
    staff::create_demo_staff(&test.app.staff, super::STAFF).await.unwrap();
    for switch in ["PHONESERVICE3", "MOBILEFORGOTPASS3", "SOCIALOIDC3"] {
        test.switch(switch, true).await;
    }
    test.switch("REGMOBVERF3", false).await;
    let mut maria = test.visitor();
    let contacts = json!({ "mobileNum": "9171234567", "email": "Maria@Example.com" });
    maria.fill_in("maria", &contacts).await.value();
    test.verify_contacts().await;
    let mut social_member = test.visitor();
    social::sign_in(&peer, &mut social_member, "oidc", "ana").await.value();
    let share = json!({ "share": "BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc" });
    maria.request(Method::PUT, "/wps/session/remember", Some(&share)).await.value();
    let link = recovery::link_of(&test).await;
    let recovery_code = code(&test, "/wps/verification/sms/recovery").await;
    test.advance(Duration::minutes(2));
    let login_code = code(&test, "/wps/verification/sms/noLogin").await;
    let phone_token = phone::token(&peer, &test, json!({})).await;
    let support = clerk(&test, "support").await;
    for client in [&maria, &social_member] {
        let id = member_id(client);
        step(&support, &id, "freeze").await.value();
    }
    test.visitor().login("maria", PASSWORD).await.assert_refused(403, FROZEN);
    let sms = |code: &str| {
        json!({ "type": "sms", "mobileNum": "9171234567", "countryDialingCode": "63",
            "verificationCode": code })
    };
    let wrong = if login_code == "000000" { "000001" } else { "000000" };
    let visitor = test.phone();
    let answer = visitor.sealed(Method::POST, "/wps/session/login", &sms(wrong)).await;
    answer.assert_refused(400, "verification.code_invalid");
    let answer = visitor.sealed(Method::POST, "/wps/session/login", &sms(&login_code)).await;
    answer.assert_refused(403, FROZEN);
    phone::login(&test, &phone_token).await.assert_refused(403, FROZEN);
    let mut other = test.visitor();
    social::sign_in(&peer, &mut other, "oidc", "ana").await.assert_refused(403, FROZEN);
    // The freeze deleted the links; a link created afterwards is refused too.
    recovery::reset(&test.visitor(), &link, NEW).await.assert_refused(400, "session.link_over");
    let link = recovery::link_of(&test).await;
    recovery::reset(&test.visitor(), &link, NEW).await.assert_refused(403, FROZEN);
    let body = json!({ "mobileNum": "9171234567", "countryDialingCode": "63",
        "verificationCode": recovery_code, "newPassword": NEW });
    let answer =
        test.phone().sealed(Method::POST, "/wps/member/password/verification", &body).await;
    answer.assert_refused(403, FROZEN);
    let mut page = maria.clone();
    page.token = None;
    assert_eq!(*page.get("/wps/session/remember").await.value(), Value::Null);
    assert_eq!(live_sessions(&test).await, 0);
    // Nothing was changed meanwhile: the old password is still valid.
    let id = member_id(&maria);
    let support = clerk(&test, "support").await;
    step(&support, &id, "unfreeze").await.value();
    test.visitor().login("maria", PASSWORD).await.value();
}

/// Requests a code to maria's number and reads it from the outbox.
async fn code(test: &TestApp, path: &str) -> String {
    let client = test.phone();
    let human = client.proof().await;
    let body = json!({ "mobileNum": "9171234567", "countryDialingCode": "63", "human": human });
    client.post(path, &body).await.value();
    test.message_to("+639171234567").await[..6].to_owned()
}

/// The member's id in a token, also of an ended session.
fn member_id(client: &Client<'_>) -> String {
    let token = client.token.as_deref().unwrap();
    let bytes = BASE64_URL_SAFE_NO_PAD.decode(token).unwrap();
    Uuid::from_slice(&bytes[..16]).unwrap().to_string()
}

#[tokio::test]
async fn a_login_that_waits_for_its_second_factor_is_shut_out_too() {
    let test = office().await;
    let mut maria = test.member("maria").await;
    let (secret, _) = two_factor::set_up(&test, &mut maria).await;
    let id = id_of(&maria).await;
    let mut waiting = test.visitor();
    let ticket = two_factor::ticket(&mut waiting).await;
    let support = clerk(&test, "support").await;
    step(&support, &id, "freeze").await.value();
    let code = two_factor::code(&test, &secret);
    let answer = two_factor::prove(&mut waiting, &ticket, &code).await;
    answer.assert_refused(400, "session.ticket_over");
    test.visitor().login("maria", PASSWORD).await.assert_refused(403, FROZEN);
    assert_eq!(live_sessions(&test).await, 0);
}

#[tokio::test]
async fn a_freeze_and_logins_at_the_same_moment_leave_no_session() {
    let test = office().await;
    let node = test.another_node();
    let maria = test.member("maria").await;
    let id = id_of(&maria).await;
    let (mut entered, mut refused) = (0, 0);
    let support = clerk(&test, "support").await;
    for _ in 0..12 {
        let (mut here, mut there) = (test.visitor(), node.visitor());
        let late = async |client: &mut Client<'_>, millis| {
            tokio::time::sleep(std::time::Duration::from_millis(millis)).await;
            client.login("maria", PASSWORD).await
        };
        let freeze = async {
            tokio::time::sleep(std::time::Duration::from_millis(60)).await;
            step(&support, &id, "freeze").await
        };
        let (frozen, first, second) =
            tokio::join!(freeze, late(&mut here, 0), late(&mut there, 40));
        frozen.value();
        for answer in [first, second] {
            match answer.status {
                StatusCode::OK => entered += 1,
                _ => {
                    answer.assert_refused(403, FROZEN);
                    refused += 1;
                }
            }
        }
        assert_eq!(live_sessions(&test).await, 0);
        for client in [&here, &there].into_iter().filter(|client| client.token.is_some()) {
            client.play("a-late-round", &roll()).await.assert_refused(401, "session.required");
        }
        step(&support, &id, "unfreeze").await.value();
    }
    println!("{entered} came in and were thrown out, {refused} were refused");
    test.assert_ledger_is_sound().await;
}

/// Plays without the HTTP checks, like a request that passed them just before the freeze.
async fn play_inside(app: &App, id: &str, key: &str) -> Result<(), &'static str> {
    let member_id = id.parse().unwrap();
    let merchant = app.site.sites.all(&app.db).await.unwrap()[0].id;
    let player = Player {
        member_id,
        merchant_id: merchant,
        kind: MemberKind::Member,
        currency: Currency::Php,
        is_restricted: false,
    };
    let choice = json!({ "target": 5000, "direction": "under" });
    let bet = Bet::new("dice", "10".parse().unwrap(), &choice).unwrap();
    let played = studio::play(&app.studio, player, key.to_owned(), bet).await;
    played.map(drop).map_err(|error| error.code.text())
}

#[tokio::test]
async fn whoever_was_let_in_before_the_freeze_moves_no_money_after_it() {
    let test = office().await;
    let maria = test.member("maria").await;
    let id = id_of(&maria).await;
    play_inside(&test.app, &id, "before-the-freeze").await.unwrap();
    let balance = maria.balance().await;
    let support = clerk(&test, "support").await;
    step(&support, &id, "freeze").await.value();
    assert_eq!(play_inside(&test.app, &id, "after-the-freeze").await, Err(FROZEN));
    // A round accepted before returns its first response, and moves nothing.
    play_inside(&test.app, &id, "before-the-freeze").await.unwrap();
    // Rounds concurrent with the freeze: none is accepted after it.
    step(&support, &id, "unfreeze").await.value();
    let (app, id) = (&test.app, id.as_str());
    let keys: Vec<String> = (0..40).map(|number| format!("a-racing-round-{number}")).collect();
    let rounds = keys.iter().map(|key| play_inside(app, id, key));
    let racing = futures_util::future::join_all(rounds);
    let (frozen, _) = tokio::join!(step(&support, id, "freeze"), racing);
    frozen.value();
    let wallet = support.get(&format!("/office/api/members/{id}/wallet")).await;
    let before = wallet.value()["head"]["seq"].clone();
    for key in &keys {
        // Accepted rounds return their responses again, the others are refused permanently.
        let _ = play_inside(app, id, key).await;
    }
    let wallet = support.get(&format!("/office/api/members/{id}/wallet")).await;
    assert_eq!(wallet.value()["head"]["seq"], before, "{balance}");
    test.assert_ledger_is_sound().await;
}

#[tokio::test]
async fn an_account_is_closed_only_when_it_is_empty_and_then_for_good() {
    let test = office().await;
    let maria = test.member("maria").await;
    let id = id_of(&maria).await;
    let admin = clerk(&test, "admin").await;
    let support = clerk(&test, "support").await;
    step(&support, &id, "close").await.assert_refused(403, "staff.not_allowed");
    step(&admin, &id, "close").await.assert_refused(409, "member.has_money");
    maria.get("/wps/member/info").await.value();
    // The money is paid out by a correction that two people approve.
    let cashier = clerk(&test, "cashier").await;
    let what = json!({ "memberId": id, "direction": "debit", "amount": "1000" });
    let correction =
        json!({ "kind": "wallet.correct", "what": what, "reason": "the account closes" });
    let approval = cashier.send(Method::POST, "/office/api/approvals", Some(&correction)).await;
    let path = format!("/office/api/approvals/{}", approval.value().as_str().unwrap());
    let agrees = json!({ "agrees": true, "reason": "paid out by hand" });
    admin.send(Method::POST, &path, Some(&agrees)).await.value();
    step(&admin, &id, "close").await.value();
    maria.get("/wps/member/info").await.assert_refused(401, "session.required");
    test.visitor().login("maria", PASSWORD).await.assert_refused(403, "member.closed");
    for again in ["freeze", "unfreeze", "close"] {
        step(&admin, &id, again).await.assert_refused(409, "member.other_state");
    }
    // No money can be credited any more, not even with an approval.
    let what = json!({ "memberId": id, "direction": "credit", "amount": "5" });
    let correction = json!({ "kind": "wallet.correct", "what": what, "reason": "one more thing" });
    let approval = cashier.send(Method::POST, "/office/api/approvals", Some(&correction)).await;
    let path = format!("/office/api/approvals/{}", approval.value().as_str().unwrap());
    admin.send(Method::POST, &path, Some(&agrees)).await.assert_refused(403, "member.closed");
    let refused = test.visitor().register("maria", PASSWORD).await;
    refused.assert_refused(409, "member.name_taken");
    test.assert_ledger_is_sound().await;
}

#[tokio::test]
async fn money_that_is_set_aside_keeps_an_account_open() {
    let test = office().await;
    let maria = test.member("maria").await;
    let id = id_of(&maria).await;
    let sql = format!("update wallet_holders set main = 0, held = 1 where holder_id = '{id}'",);
    test.change(&sql).await;
    let admin = clerk(&test, "admin").await;
    step(&admin, &id, "close").await.assert_refused(409, "member.has_money");
}

#[tokio::test]
async fn a_password_that_staff_ask_for_is_chosen_by_the_member() {
    let test = office().await;
    test.switch("REGMOBVERF3", false).await;
    let mut maria = test.visitor();
    maria.fill_in("maria", &json!({ "mobileNum": "9171234567" })).await.value();
    test.verify_contacts().await;
    let id = id_of(&maria).await;
    let support = clerk(&test, "support").await;
    step(&support, &id, "password").await.value();
    maria.get("/wps/member/info").await.assert_refused(401, "session.required");
    let file = support.get(&format!("/office/api/members/{id}")).await;
    assert_eq!(file.value()["mustChangePassword"], true);

    // A member who logs in by a code may have forgotten the password, and can play.
    let code = code(&test, "/wps/verification/sms/noLogin").await;
    let body = json!({ "type": "sms", "mobileNum": "9171234567", "countryDialingCode": "63",
        "verificationCode": code });
    let mut by_code = test.phone();
    let entered = by_code.sealed(Method::POST, "/wps/session/login", &body).await;
    assert_eq!(entered.value()["passwordExpired"], false);
    by_code.adopt(&entered);
    by_code.play("without-a-password", &roll()).await.value();

    // After a login with the expired password, playing requires a new password.
    let mut by_name = test.visitor();
    assert_eq!(by_name.login("maria", PASSWORD).await.value()["passwordExpired"], true);
    by_name.play("with-the-old-one", &roll()).await.assert_refused(403, "member.must_change");
    assert_eq!(by_name.get("/wps/member/info").await.value()["passwordExpired"], true);
    let change = json!({ "oldPassword": PASSWORD, "newPassword": NEW, "confirmNewPassword": NEW });
    by_name.sealed(Method::POST, "/wps/member/password", &change).await.value();
    by_name.play("with-the-new-one", &roll()).await.value();
    assert_eq!(by_name.get("/wps/member/info").await.value()["passwordExpired"], false);
    assert_eq!(test.visitor().login("maria", NEW).await.value()["passwordExpired"], false);
    let file = support.get(&format!("/office/api/members/{id}")).await;
    assert_eq!(file.value()["mustChangePassword"], false);
}

#[tokio::test]
async fn a_forced_change_holds_behind_the_second_factor_and_is_answered_by_recovery() {
    let test = office().await;
    let mut maria = recovery::with_email(&test).await;
    let (secret, _) = two_factor::set_up(&test, &mut maria).await;
    let id = id_of(&maria).await;
    let support = clerk(&test, "support").await;
    step(&support, &id, "password").await.value();
    let mut phone = test.visitor();
    let ticket = two_factor::ticket(&mut phone).await;
    let code = two_factor::code(&test, &secret);
    let entered = two_factor::prove(&mut phone, &ticket, &code).await;
    assert_eq!(entered.value()["passwordExpired"], true);
    phone.play("behind-two-factors", &roll()).await.assert_refused(403, "member.must_change");
    let link = recovery::link_of(&test).await;
    recovery::reset(&test.visitor(), &link, NEW).await.value();
    test.advance(Duration::seconds(30));
    let mut again = test.visitor();
    let answer = again.login("maria", NEW).await;
    let ticket = answer.value()["twoFactor"]["ticket"].clone();
    let code = two_factor::code(&test, &secret);
    let entered = two_factor::prove(&mut again, &ticket, &code).await;
    assert_eq!(entered.value()["passwordExpired"], false);
    again.play("with-the-new-one", &roll()).await.value();
}

#[tokio::test]
async fn who_has_no_password_is_asked_for_none() {
    let peer = Peer::start();
    let test = peer.site().await;
    staff::create_demo_staff(&test.app.staff, super::STAFF).await.unwrap();
    let mut ana = test.visitor();
    social::sign_in(&peer, &mut ana, "oidc", "ana").await.value();
    let id = id_of(&ana).await;
    let support = clerk(&test, "support").await;
    step(&support, &id, "password").await.assert_refused(409, "member.no_password");
    ana.get("/wps/member/info").await.value();
    let file = support.get(&format!("/office/api/members/{id}")).await;
    assert_eq!(file.value()["identities"][0]["provider"], "oidc");
}

#[tokio::test]
async fn staff_end_one_session_or_all() {
    let test = office().await;
    let maria = test.member("maria").await;
    let id = id_of(&maria).await;
    let mut other = test.visitor();
    test.advance(Duration::seconds(1));
    other.login("maria", PASSWORD).await.value();
    let support = clerk(&test, "support").await;
    let list = support.get(&format!("/office/api/members/{id}/sessions")).await;
    let list = list.value().as_array().unwrap().clone();
    assert_eq!(list.len(), 2);
    let path = format!("/office/api/members/{id}/sessions/end");
    let one = json!({ "session": list[0]["id"], "reason": "not hers" });
    support.send(Method::POST, &path, Some(&one)).await.value();
    support.send(Method::POST, &path, Some(&one)).await.assert_refused(404, "session.unknown");
    let nonsense = json!({ "session": "xyz", "reason": "not hers" });
    support.send(Method::POST, &path, Some(&nonsense)).await.assert_refused(404, "session.unknown");
    let alive = [&maria, &other];
    let mut count = 0;
    for client in alive {
        count += usize::from(client.get("/wps/member/info").await.status == StatusCode::OK);
    }
    assert_eq!(count, 1);
    let all = json!({ "reason": "a stolen phone" });
    support.send(Method::POST, &path, Some(&all)).await.value();
    for client in alive {
        client.get("/wps/member/info").await.assert_refused(401, "session.required");
    }
    test.visitor().login("maria", PASSWORD).await.value();
}
