//! Verification codes: sent after a proof of work, within rate limits, and valid once.

use std::collections::BTreeMap;

use axum::http::{Method, header};
use chrono::Duration;
use identity::Visitor;
use identity::verify::{self, Destination, Purpose, Requester};
use platform::language::Language;
use platform::phone::Mobile;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::harness::{Answer, Client, PHONE, TestApp, prove};
use crate::human::{visitor, visitor_at};

const LOGIN: &str = "/wps/verification/sms/noLogin";
const REGISTER: &str = "/wps/verification/sms/register";
const RECOVERY: &str = "/wps/verification/sms/recovery";

fn mobile(national: &str) -> Destination {
    Destination::Mobile(Mobile::parse("63", national).unwrap())
}

/// The purpose with the browser of [`ask`], the only one in which its code is valid.
fn in_browser_of_ask(purpose: Purpose) -> (Purpose, Requester) {
    (purpose, Requester::Browser(Sha256::digest(PHONE).into()))
}

/// Requests a code over HTTP with a new proof of work.
async fn ask(test: &TestApp, path: &str, national: &str) -> Answer {
    ask_in(&test.phone(), path, national).await
}

/// Like `ask`, in the given browser.
async fn ask_in(client: &Client<'_>, path: &str, national: &str) -> Answer {
    let field = if path == REGISTER { "mobileNo" } else { "mobileNum" };
    let human = prove(client).await;
    client.post(path, &json!({ "countryDialingCode": "63", field: national, "human": human })).await
}

/// The newest code in the outbox for each recipient.
pub async fn codes(test: &TestApp) -> BTreeMap<String, String> {
    let mut db = test.app.db.acquire().await.unwrap();
    let shown = test.app.outbox.list_newest(&mut db, 1_000).await.unwrap();
    let letters = shown.into_iter().rev().filter_map(|message| message.letter);
    letters.map(|letter| (letter.to, letter.text[..6].to_owned())).collect()
}

async fn count_messages(test: &TestApp) -> i64 {
    sqlx::query_scalar("select count(*) from platform_messages")
        .fetch_one(&test.owner)
        .await
        .unwrap()
}

/// Sends a code without HTTP; returns the error code if refused.
async fn send(test: &TestApp, visitor: &Visitor, national: &str) -> Result<(), &'static str> {
    let sent = verify::send(
        &test.app.identity,
        visitor,
        in_browser_of_ask(Purpose::Register),
        mobile(national),
        true,
    )
    .await;
    sent.map(drop).map_err(|error| error.code.text())
}

/// Checks and spends a code as a use case does.
async fn take(
    test: &TestApp,
    purpose: Purpose,
    destination: &Destination,
    code: Option<&str>,
) -> Result<(), &'static str> {
    let visitor = visitor(test).await;
    let proof =
        verify::check(&test.app.identity, &visitor, in_browser_of_ask(purpose), destination, code)
            .await;
    let proof = proof.map_err(|error| error.code.text())?;
    let mut tx = test.app.db.begin().await.unwrap();
    verify::spend(&mut tx, proof).await.map_err(|error| error.code.text())?;
    tx.commit().await.unwrap();
    Ok(())
}

async fn give_number(test: &TestApp, number: &str) {
    test.member("maria").await;
    sqlx::query(
        "insert into members_mobiles (merchant_id, mobile, member_id, verified)
         select merchant_id, $1, member_id, true from members_names where name = 'maria'",
    )
    .bind(number)
    .execute(&test.owner)
    .await
    .unwrap();
}

/// An application whose merchant requires codes everywhere.
async fn open() -> TestApp {
    let test = TestApp::new().await;
    let sql = "update site_switches set enabled = true
               where mod_id in ('MOBILEVERCODELOGIN3', 'REGMOBVERF3')";
    set(&test, sql).await;
    test
}

async fn set(test: &TestApp, sql: &'static str) {
    sqlx::raw_sql(sql).execute(&test.owner).await.unwrap();
    test.app.site.sites.refresh().await;
}

#[tokio::test]
async fn a_log_in_code_is_sent_to_members_only_and_nobody_sees_the_difference() {
    let test = open().await;
    give_number(&test, "+639171234567").await;
    for path in [LOGIN, RECOVERY] {
        let known = ask(&test, path, "0917 123 4567").await;
        let unknown = ask(&test, path, "0918 123 4567").await;
        assert_eq!(known.value(), &json!({ "expiredMinutes": 5 }));
        assert_eq!(known.text, unknown.text);
        test.advance(Duration::minutes(1));
        let (known, unknown) =
            (ask(&test, path, "9171234567").await, ask(&test, path, "9181234567").await);
        assert_eq!(known.text, unknown.text);
        test.advance(Duration::hours(25));
    }
    assert_eq!(codes(&test).await.into_keys().collect::<Vec<_>>(), ["+639171234567"]);
    assert_eq!(count_messages(&test).await, 4);
    for number in ["9171234567", "9181234567"] {
        ask(&test, LOGIN, number).await.value();
        let guess = take(&test, Purpose::Login, &mobile(number), Some("x00000")).await;
        assert_eq!(guess, Err("verification.code_invalid"));
    }
}

#[tokio::test]
async fn sending_needs_a_proof_of_work() {
    let test = open().await;
    let client = test.visitor();
    let proof = prove(&client).await;
    for path in [LOGIN, REGISTER, RECOVERY] {
        let body = |human: Value| json!({ "countryDialingCode": "63", "mobileNum": "9171234567", "human": human });
        for human in [Value::Null, json!(""), json!("e30=")] {
            let answer = client.post(path, &body(human)).await;
            answer.assert_refused(400, "session.human_check");
        }
        client.post(path, &body(json!(7))).await.assert_refused(400, "request.malformed");
    }
    let body = json!({ "countryDialingCode": "63", "mobileNo": "9171234567", "human": proof });
    client.post(REGISTER, &body).await.value();
    test.advance(Duration::minutes(2));
    client.post(REGISTER, &body).await.assert_refused(400, "session.human_check");
    assert_eq!(count_messages(&test).await, 1);
}

#[tokio::test]
async fn a_number_is_checked_before_the_proof_is_spent() {
    let test = open().await;
    let client = test.visitor();
    let human = prove(&client).await;
    let post = async |code: &str, number: Value| {
        let body = json!({ "countryDialingCode": code, "mobileNo": number, "human": human });
        client.post(REGISTER, &body).await
    };
    let missing = post("63", json!(" ")).await;
    missing.assert_refused(400, "verification.phone_missing");
    assert_eq!(missing.body["message"], "missing phone number");
    let invalid = post("63", json!("917")).await;
    invalid.assert_refused(400, "verification.phone_invalid");
    assert_eq!(invalid.body["message"], "invalid phone number format");
    post("", json!("9171234567")).await.assert_refused(400, "verification.phone_invalid");
    post("63", json!("2 8123 4567")).await.assert_refused(400, "verification.phone_invalid");
    post("63", json!(9171234567_u64)).await.assert_refused(400, "request.malformed");
    client.post(REGISTER, &json!({})).await.assert_refused(400, "verification.phone_missing");
    post("+63", json!("(0917) 123-4567")).await.value();
    assert!(codes(&test).await.contains_key("+639171234567"));
}

#[tokio::test]
async fn switches_close_what_they_name() {
    let test = open().await;
    for (switch, path) in [
        ("MOBILEVERCODELOGIN3", LOGIN),
        ("LOGIN", LOGIN),
        ("REGMOBVERF3", REGISTER),
        ("DIRECTREG3", REGISTER),
    ] {
        let set = async |enabled: bool| {
            sqlx::query("update site_switches set enabled = $2 where mod_id = $1")
                .bind(switch)
                .bind(enabled)
                .execute(&test.owner)
                .await
                .unwrap();
            test.app.site.sites.refresh().await;
        };
        set(false).await;
        let refused = test.visitor().post(path, &json!({})).await;
        refused.assert_refused(403, "site.switched_off");
        assert_eq!(refused.body["message"], "function not enabled, contact customer service");
        set(true).await;
        let open = test.visitor().post(path, &json!({})).await;
        open.assert_refused(400, "verification.phone_missing");
    }
}

#[tokio::test]
async fn a_code_is_good_where_it_was_meant_and_once() {
    let test = open().await;
    let here = mobile("9171234567");
    ask(&test, REGISTER, "9171234567").await.value();
    let code = codes(&test).await["+639171234567"].clone();
    let others = [
        (Purpose::Login, here.clone()),
        (Purpose::Recovery, here.clone()),
        (Purpose::Bind, here.clone()),
        (Purpose::Register, mobile("9171234568")),
        (Purpose::Register, Destination::Email("+639171234567@example.com".to_owned())),
    ];
    for (purpose, destination) in others {
        let taken = take(&test, purpose, &destination, Some(&code)).await;
        assert_eq!(taken, Err("verification.code_invalid"), "{purpose:?}");
    }
    for nothing in [None, Some(""), Some("  ")] {
        let taken = take(&test, Purpose::Register, &here, nothing).await;
        assert_eq!(taken, Err("verification.code_missing"));
    }
    let padded = format!(" {code} ");
    assert_eq!(take(&test, Purpose::Register, &here, Some(&padded)).await, Ok(()));
    let again = take(&test, Purpose::Register, &here, Some(&code)).await;
    assert_eq!(again, Err("verification.code_invalid"));
}

/// The calls that accept a code: login, registration, a new password.
fn uses(code: &str) -> [(&'static str, Method, &'static str, Value); 3] {
    let with = |more: Value| {
        let mut body = json!({
            "mobileNum": "9171234567", "countryDialingCode": "63", "verificationCode": code,
        });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        body
    };
    let form = json!({
        "birthday": "1990-05-17", "ofAge": true, "adult": true, "terms": true,
        "password": "a-good-password", "confirmPassword": "a-good-password",
    });
    let (log_in, new) = (json!({ "type": "sms" }), json!({ "newPassword": "mango riot at noon" }));
    [
        (REGISTER, Method::PUT, "/wps/member/register/mobile", with(form)),
        (LOGIN, Method::POST, "/wps/session/login", with(log_in)),
        (RECOVERY, Method::POST, "/wps/member/password/verification", with(new)),
    ]
}

#[tokio::test]
async fn a_code_is_good_in_the_browser_that_asked_for_it() {
    let test = open().await;
    for (send, _, _, _) in uses("") {
        let mut requester = test.visitor();
        let sent = ask_in(&requester, send, "9171234567").await;
        sent.value();
        let cookie = sent.headers[header::SET_COOKIE].to_str().unwrap();
        assert!(cookie.starts_with("__Host-capiz-device=") && cookie.contains("HttpOnly"));
        requester.adopt(&sent);
        let code = codes(&test).await["+639171234567"].clone();
        let of_this = |case: &(&str, _, _, _)| case.0 == send;
        let (_, method, path, mut body) = uses(&code).into_iter().find(of_this).unwrap();
        for other in [test.visitor(), test.phone()] {
            body["human"] = json!(other.proof().await);
            let refused = other.sealed(method.clone(), path, &body).await;
            refused.assert_refused(400, "verification.code_invalid");
        }
        let tries: i16 = sqlx::query_scalar("select tries from sessions_codes")
            .fetch_one(&test.owner)
            .await
            .unwrap();
        assert_eq!(tries, 2, "they count as wrong ones");
        body["human"] = json!(requester.proof().await);
        requester.sealed(method, path, &body).await.value();
        test.advance(Duration::minutes(11));
    }
    let again = ask(&test, LOGIN, "9171234567").await;
    assert!(again.headers.get(header::SET_COOKIE).is_none(), "it is known by then");
}

#[tokio::test]
async fn ten_thousand_replays_of_a_code_are_accepted_once() {
    let test = open().await;
    let visitor = visitor(&test).await;
    send(&test, &visitor, "9171234567").await.unwrap();
    let code = codes(&test).await["+639171234567"].clone();
    let tasks = (0..20).map(|_| {
        let (app, visitor, code) = (test.app.clone(), visitor.clone(), code.clone());
        tokio::spawn(async move {
            let (here, mut accepted) = (mobile("9171234567"), 0);
            for _ in 0..500 {
                let purpose = in_browser_of_ask(Purpose::Register);
                let checked =
                    verify::check(&app.identity, &visitor, purpose, &here, Some(&code)).await;
                let Ok(proof) = checked else { continue };
                let mut tx = app.db.begin().await.unwrap();
                if verify::spend(&mut tx, proof).await.is_ok() {
                    tx.commit().await.unwrap();
                    accepted += 1;
                }
            }
            accepted
        })
    });
    let accepted = futures_util::future::join_all(tasks).await;
    assert_eq!(accepted.into_iter().map(Result::unwrap).sum::<u32>(), 1);
}

#[tokio::test]
async fn a_code_survives_work_that_failed_but_not_five_tries() {
    let test = open().await;
    let (visitor, here) = (visitor(&test).await, mobile("9171234567"));
    send(&test, &visitor, "9171234567").await.unwrap();
    let code = codes(&test).await["+639171234567"].clone();
    let check = async |code: &str| {
        let checked = verify::check(
            &test.app.identity,
            &visitor,
            in_browser_of_ask(Purpose::Register),
            &here,
            Some(code),
        )
        .await;
        checked.map_err(|error| error.code.text())
    };
    for _ in 0..2 {
        let proof = check(&code).await.unwrap();
        let mut tx = test.app.db.begin().await.unwrap();
        verify::spend(&mut tx, proof).await.unwrap();
        tx.rollback().await.unwrap();
    }
    let wrong = if code == "000000" { "000001" } else { "000000" };
    let guesses = futures_util::future::join_all((0..40).map(|_| check(wrong))).await;
    let outcomes: Vec<_> = guesses.into_iter().map(Result::unwrap_err).collect();
    let tried = outcomes.iter().filter(|code| **code == "verification.code_invalid").count();
    assert_eq!(tried, 3, "{outcomes:?}");
    assert_eq!(check(&code).await.unwrap_err(), "verification.code_expired");
}

#[tokio::test]
async fn a_newer_code_takes_the_place_of_the_older_and_time_ends_it() {
    let test = open().await;
    set(&test, "update site_merchants set code_minutes = 2").await;
    let (visitor, here) = (visitor(&test).await, mobile("9171234567"));
    let answer = ask(&test, REGISTER, "9171234567").await;
    assert_eq!(answer.value(), &json!({ "expiredMinutes": 2 }));
    let old = codes(&test).await["+639171234567"].clone();
    let purpose = in_browser_of_ask(Purpose::Register);
    let proof = verify::check(&test.app.identity, &visitor, purpose, &here, Some(&old)).await;
    let proof = proof.unwrap();
    test.advance(Duration::minutes(1));
    let new = loop {
        send(&test, &visitor, "9171234567").await.unwrap();
        let new = codes(&test).await["+639171234567"].clone();
        if new != old {
            break new;
        }
        test.advance(Duration::hours(1));
    };
    let mut tx = test.app.db.begin().await.unwrap();
    verify::spend(&mut tx, proof).await.unwrap_err();
    tx.rollback().await.unwrap();
    let stale = take(&test, Purpose::Register, &here, Some(&old)).await;
    assert_eq!(stale, Err("verification.code_invalid"));
    test.advance(Duration::minutes(2));
    let late = take(&test, Purpose::Register, &here, Some(&new)).await;
    assert_eq!(late, Err("verification.code_expired"));
}

#[tokio::test]
async fn the_tables_tell_no_number_and_no_code() {
    let test = open().await;
    ask(&test, REGISTER, "9171234567").await.value();
    let code = codes(&test).await["+639171234567"].clone();
    for table in ["sessions_codes", "sessions_sends", "platform_budgets", "platform_jobs"] {
        let sql = format!("select coalesce(string_agg(t::text, ' '), '') from {table} t");
        let text: String =
            sqlx::query_scalar(sqlx::AssertSqlSafe(sql)).fetch_one(&test.owner).await.unwrap();
        let hexed = hex::encode("9171234567");
        assert!(!text.contains("9171234567") && !text.contains(&hexed), "{table}: {text}");
        assert!(!text.contains(&format!("\"{code}\"")), "{table}: {text}");
    }
}

#[tokio::test]
async fn one_number_waits_longer_and_longer() {
    let test = open().await;
    let first = ask(&test, REGISTER, "9171234567").await;
    first.value();
    let soon = ask(&test, REGISTER, "0917-123-4567").await;
    soon.assert_refused(429, "request.too_many");
    assert_eq!(soon.headers[header::RETRY_AFTER], "60");
    let mut waits = Vec::new();
    for visit in 0..7 {
        let visitor = visitor_at(&test, visit).await;
        let mut minutes = 0;
        while send(&test, &visitor, "9171234567").await.is_err() {
            test.advance(Duration::minutes(1));
            minutes += 1;
        }
        waits.push(minutes);
    }
    // The third is limited to three in ten minutes instead of four.
    assert_eq!(waits, [1, 2, 7, 8, 16, 32, 32]);
}

#[tokio::test]
async fn racing_requests_for_one_number_send_one_code() {
    let test = open().await;
    let visitors = [visitor_at(&test, 1).await, visitor_at(&test, 2).await];
    let race = (0..40).map(|number| send(&test, &visitors[number % 2], "9171234567"));
    let sent = futures_util::future::join_all(race).await;
    assert_eq!(sent.iter().filter(|result| result.is_ok()).count(), 1, "{sent:?}");
    assert_eq!(count_messages(&test).await, 1);
}

#[tokio::test]
async fn one_address_asks_for_thirty_in_an_hour() {
    let test = open().await;
    let visitor = visitor(&test).await;
    for number in 10..40 {
        send(&test, &visitor, &format!("917{number}34567")).await.unwrap();
    }
    assert_eq!(send(&test, &visitor, "9189234567").await, Err("request.too_many"));
    send(&test, &visitor_at(&test, 7).await, "9189234567").await.unwrap();
    test.advance(Duration::hours(1));
    send(&test, &visitor, "9198234567").await.unwrap();
}

#[tokio::test]
async fn a_block_of_numbers_that_never_answers_stops_and_others_do_not() {
    let test = open().await;
    // Bots with a new IP address for every request.
    let mut sent = 0;
    for number in 0..200_u16 {
        let visitor = visitor_at(&test, u8::try_from(number).unwrap()).await;
        sent += u32::from(send(&test, &visitor, &format!("917123{number:04}")).await.is_ok());
    }
    assert_eq!((sent, count_messages(&test).await), (10, 10));
    let person = visitor_at(&test, 250).await;
    send(&test, &person, "9171240000").await.unwrap();
    test.advance(Duration::hours(24));
    send(&test, &person, "9171230300").await.unwrap();
    // A code that is entered shows that real people request codes.
    for number in 0..9 {
        let visitor = visitor_at(&test, number).await;
        send(&test, &visitor, &format!("917123040{number}")).await.unwrap();
    }
    let here = mobile("9171230300");
    assert_eq!(send(&test, &person, "9171230500").await, Err("request.too_many"));
    let code = codes(&test).await["+639171230300"].clone();
    assert_eq!(take(&test, Purpose::Register, &here, Some(&code)).await, Ok(()));
    send(&test, &person, "9171230500").await.unwrap();
}

#[tokio::test]
async fn a_merchant_pays_for_no_more_messages_than_it_wants() {
    let test = open().await;
    set(&test, "update site_merchants set sms_per_day = 10").await;
    let mut outcomes = BTreeMap::<_, u32>::new();
    for number in 0..12_u8 {
        let visitor = visitor_at(&test, number).await;
        let outcome = send(&test, &visitor, &format!("91712{number:02}567")).await;
        *outcomes.entry(outcome).or_default() += 1;
    }
    // One country gets four fifths of the daily limit.
    assert_eq!(outcomes, BTreeMap::from([(Ok(()), 8), (Err("verification.quota"), 4)]));
    let visitor = visitor_at(&test, 99).await;
    let american = |end: &str| {
        let mobile = Mobile::parse("1", &format!("202555{end}")).unwrap();
        let purpose = in_browser_of_ask(Purpose::Register);
        verify::send(&test.app.identity, &visitor, purpose, Destination::Mobile(mobile), true)
    };
    american("0143").await.unwrap();
    american("0144").await.unwrap();
    let refused = american("0145").await.unwrap_err();
    assert_eq!(refused.code.text(), "verification.quota");
    assert_eq!(refused.code.sentence(), "quota not sufficient, contact customer service");
    assert_eq!(count_messages(&test).await, 10);
}

#[tokio::test]
async fn a_code_comes_in_the_visitors_language_and_by_e_mail_too() {
    let test = open().await;
    let mut visitor = visitor(&test).await;
    visitor.language = Language::Tagalog;
    let address = Destination::Email("Maria@Example.com".to_owned());
    verify::send(&test.app.identity, &visitor, in_browser_of_ask(Purpose::Bind), address, true)
        .await
        .unwrap();
    let mut db = test.app.db.acquire().await.unwrap();
    let shown = test.app.outbox.list_newest(&mut db, 1).await.unwrap();
    drop(db);
    let letter = shown[0].letter.clone().unwrap();
    assert_eq!((shown[0].channel.as_str(), letter.to.as_str()), ("mail", "Maria@Example.com"));
    assert!(letter.text.contains("ang iyong Capiz code, balido nang 5 minuto"), "{}", letter.text);
    let other_case = Destination::Email("maria@example.com".to_owned());
    assert_eq!(take(&test, Purpose::Bind, &other_case, Some(&letter.text[..6])).await, Ok(()));
}

#[tokio::test]
async fn countries_come_with_their_dialing_codes() {
    let test = open().await;
    let answer = test.visitor().get("/wps/system/countries").await;
    let countries = answer.value().as_array().unwrap();
    let philippines =
        json!({ "countryCode": "PH", "countryDialingCode": "63", "name": "Philippines" });
    assert!(countries.contains(&philippines) && countries.len() > 200);
}
