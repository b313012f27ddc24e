//! The office: who comes in, what they may do, and what the trail says of it.

use axum::body::Body;
use axum::http::{Method, Request, StatusCode, header};
use capiz::router;
use capiz::staff::{self, Broken, DemoPerson, Right};
use chrono::Duration;
use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::harness::{Answer, Client, TestApp};
use crate::two_factor::code;

const STAFF: &[DemoPerson] = capiz::demo::STAFF;

async fn office() -> TestApp {
    let test = TestApp::new().await;
    staff::found_demo(&test.app, STAFF).await.unwrap();
    test
}

/// A browser in the office.
struct Clerk<'a> {
    test: &'a TestApp,
    cookie: Option<String>,
}

impl<'a> Clerk<'a> {
    fn new(test: &'a TestApp) -> Self {
        Self { test, cookie: None }
    }

    async fn send(&self, method: Method, path: &str, body: Option<&Value>) -> Answer {
        let mut request = Request::builder().method(method).uri(path).header("x-office-page", "1");
        if let Some(cookie) = &self.cookie {
            request = request.header(header::COOKIE, cookie);
        }
        let body = match body {
            Some(body) => {
                request = request.header(header::CONTENT_TYPE, "application/json");
                Body::from(body.to_string())
            }
            None => Body::empty(),
        };
        self.test.send_office(request.body(body).unwrap()).await
    }

    async fn get(&self, path: &str) -> Answer {
        self.send(Method::GET, path, None).await
    }

    async fn login(&mut self, username: &str, password: &str, code: &str) -> Answer {
        let body = json!({ "username": username, "password": password, "code": code });
        let answer = self.send(Method::POST, "/office/api/session/login", Some(&body)).await;
        if let Some(cookie) = answer.headers.get(header::SET_COOKIE) {
            let cookie = cookie.to_str().unwrap();
            self.cookie = Some(cookie.split(';').next().unwrap().to_owned());
        }
        answer
    }
}

/// Somebody of the demo's staff, logged in. Each code is good once, so the clock moves on first.
async fn clerk<'a>(test: &'a TestApp, username: &str) -> Clerk<'a> {
    test.advance(Duration::seconds(30));
    let person = STAFF.iter().find(|person| person.username == username).unwrap();
    let mut clerk = Clerk::new(test);
    let answer = clerk.login(username, person.password, &code(test, &person.secret())).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
    clerk
}

#[tokio::test]
async fn name_password_and_code_are_all_asked_for_and_none_is_told_wrong() {
    let test = office().await;
    let admin = &STAFF[0];
    let right = code(&test, &admin.secret());
    let wrong = if right == "000000" { "000001" } else { "000000" };
    let tries = [
        ("nobody", admin.password, right.as_str()),
        (admin.username, "not the password", right.as_str()),
        (admin.username, admin.password, wrong),
        (admin.username, admin.password, "12345"),
    ];
    for (username, password, code) in tries {
        let mut clerk = Clerk::new(&test);
        clerk.login(username, password, code).await.assert_refused(400, "staff.login_refused");
        assert_eq!(clerk.cookie, None);
    }
    let mut clerk = Clerk::new(&test);
    let answer = clerk.login("ADMIN", admin.password, &right).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
    let cookie = answer.headers[header::SET_COOKIE].to_str().unwrap();
    for part in ["__Host-capiz-office=", "HttpOnly", "SameSite=Strict", "Secure", "Path=/"] {
        assert!(cookie.contains(part), "{cookie}");
    }
    let me = clerk.get("/office/api/session").await;
    assert_eq!(me.body["value"]["username"], "admin");
    assert_eq!(me.body["value"]["rights"].as_array().unwrap().len(), Right::ALL.len());
}

#[tokio::test]
async fn the_login_before_is_told_for_as_long_as_the_session_lasts() {
    let test = office().await;
    let first = clerk(&test, "admin").await;
    assert_eq!(first.get("/office/api/session").await.body["value"]["lastLoginAt"], Value::Null);
    let at = test.app.clock.now();
    let second = clerk(&test, "admin").await;
    let told = second.get("/office/api/session").await.body["value"]["lastLoginAt"].clone();
    let told: chrono::DateTime<chrono::Utc> = told.as_str().unwrap().parse().unwrap();
    assert_eq!(told, at);
}

#[tokio::test]
async fn a_code_is_good_once() {
    let test = office().await;
    let admin = &STAFF[0];
    let right = code(&test, &admin.secret());
    let logins = (0..10).map(|_| {
        let (test, right) = (&test, &right);
        async move { Clerk::new(test).login(admin.username, admin.password, right).await.status }
    });
    let answers = join_all(logins).await;
    let entered = answers.iter().filter(|status| **status == StatusCode::OK).count();
    assert_eq!(entered, 1, "{answers:?}");
}

#[tokio::test]
async fn guessing_is_bounded_and_does_not_lock_the_owner_out_elsewhere() {
    let test = office().await;
    let mut clerk = Clerk::new(&test);
    for _ in 0..10 {
        clerk.login("admin", "x", "000000").await.assert_refused(400, "staff.login_refused");
    }
    let admin = &STAFF[0];
    let answer = clerk.login("admin", admin.password, &code(&test, &admin.secret())).await;
    answer.assert_refused(429, "request.too_many");
    assert!(answer.headers.contains_key(header::RETRY_AFTER));
    // Another name from the same address still enters.
    drop(self::clerk(&test, "auditor").await);
}

#[tokio::test]
async fn a_session_ends_when_idle_after_a_shift_and_when_asked() {
    let test = office().await;
    let idle = clerk(&test, "admin").await;
    test.advance(Duration::minutes(14));
    assert_eq!(idle.get("/office/api/session").await.status, StatusCode::OK);
    test.advance(Duration::minutes(15));
    idle.get("/office/api/session").await.assert_refused(401, "session.required");

    let busy = clerk(&test, "admin").await;
    for _ in 0..71 {
        test.advance(Duration::minutes(10));
        assert_eq!(busy.get("/office/api/session").await.status, StatusCode::OK);
    }
    test.advance(Duration::minutes(10));
    busy.get("/office/api/session").await.assert_refused(401, "session.required");

    let (one, other) = (clerk(&test, "admin").await, clerk(&test, "admin").await);
    let list = one.get("/office/api/session/list").await;
    let list = list.body["value"].as_array().unwrap();
    assert_eq!(list.len(), 2);
    let foreign = list.iter().find(|session| session["isCurrent"] == false).unwrap();
    let path = format!("/office/api/session/list/{}", foreign["id"].as_str().unwrap());
    assert_eq!(one.send(Method::DELETE, &path, None).await.status, StatusCode::OK);
    other.get("/office/api/session").await.assert_refused(401, "session.required");
    one.send(Method::DELETE, &path, None).await.assert_refused(404, "session.unknown");
    assert_eq!(one.send(Method::POST, "/office/api/session/logout", None).await.status, 200);
    one.get("/office/api/session").await.assert_refused(401, "session.required");
}

/// A page on another port of the same host has the cookie sent along.
#[tokio::test]
async fn nothing_is_changed_from_pages_of_other_origins() {
    let test = office().await;
    let admin = clerk(&test, "admin").await;
    let request = Request::builder()
        .method(Method::POST)
        .uri("/office/api/session/logout")
        .header(header::COOKIE, admin.cookie.as_deref().unwrap());
    let answer = test.send_office(request.body(Body::empty()).unwrap()).await;
    answer.assert_refused(403, "request.foreign_origin");
    assert_eq!(admin.get("/office/api/session").await.status, StatusCode::OK);
}

/// Every call of the office, with the right that it asks for.
fn calls() -> Vec<(Method, String, Option<String>)> {
    let document = serde_json::to_value(router::api_document()).unwrap();
    let mut calls = Vec::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        if !path.starts_with("/office/") {
            continue;
        }
        for (method, call) in methods.as_object().unwrap() {
            let method: Method = method.to_uppercase().parse().unwrap();
            let Some(security) = call["security"].as_array() else {
                assert_eq!(path, "/office/api/session/login", "an open door");
                continue;
            };
            let rights = security[0]["office"].as_array().unwrap();
            assert!(rights.len() < 2, "{path}");
            let right = rights.first().map(|right| right.as_str().unwrap().to_owned());
            calls.push((method, path.clone(), right));
        }
    }
    assert!(calls.len() > 10);
    calls
}

/// What each role may do, as the migration gave it.
fn rights_of(role: &str) -> Vec<&'static str> {
    match role {
        "administrator" => Right::ALL.iter().map(|right| right.text()).collect(),
        "auditor" => vec!["staff.read", "trail.read", "trail.export", "approvals.read"],
        "cashier" => vec!["wallet.correct"],
        _ => Vec::new(),
    }
}

#[tokio::test]
async fn every_call_is_closed_to_everybody_whom_no_role_names() {
    let test = office().await;
    let id = "0197c000-0000-7000-8000-000000000000";
    for (method, path, right) in calls() {
        let path = path.replace("{id}", id).replace("{name}", "nobody");
        let stranger = Clerk::new(&test);
        let answer = stranger.send(method.clone(), &path, Some(&json!({}))).await;
        answer.assert_refused(401, "session.required");
        for person in STAFF {
            let clerk = clerk(&test, person.username).await;
            let answer = clerk.send(method.clone(), &path, Some(&json!({}))).await;
            let is_allowed =
                right.as_deref().is_none_or(|right| rights_of(person.role).contains(&right));
            let is_refused = answer.body["message"] == "staff.not_allowed"
                || answer.status == StatusCode::FORBIDDEN;
            assert_eq!(is_refused, !is_allowed, "{method} {path} {}: {}", person.role, answer.text);
            assert!(!answer.status.is_server_error(), "{method} {path}: {}", answer.text);
        }
    }
}

fn newcomer(username: &str) -> Value {
    json!({ "username": username, "name": "Lito", "roles": ["support"], "reason": "a new shift" })
}

#[tokio::test]
async fn somebody_new_comes_in_with_secrets_that_were_shown_once() {
    let test = office().await;
    let admin = clerk(&test, "admin").await;
    let added = admin.send(Method::POST, "/office/api/staff", Some(&newcomer("lito"))).await;
    assert_eq!(added.status, StatusCode::OK, "{}", added.text);
    let secrets = &added.body["value"];
    let (password, secret) =
        (secrets["password"].as_str().unwrap(), secrets["secret"].as_str().unwrap());
    let mut lito = Clerk::new(&test);
    assert_eq!(lito.login("lito", password, &code(&test, secret)).await.status, 200);
    lito.get("/office/api/staff").await.assert_refused(403, "staff.not_allowed");

    let again = admin.send(Method::POST, "/office/api/staff", Some(&newcomer("LITO"))).await;
    again.assert_refused(409, "member.name_taken");
    for (field, value) in [
        ("username", json!("x y")),
        ("roles", json!(["king"])),
        ("reason", json!("")),
        ("name", json!(" ")),
    ] {
        let mut body = newcomer("other");
        body[field] = value;
        let answer = admin.send(Method::POST, "/office/api/staff", Some(&body)).await;
        answer.assert_refused(400, "input.invalid");
        assert!(answer.body["fields"].get(field).is_some(), "{}", answer.text);
    }

    // A role's new right holds for who is logged in, at once.
    let role = json!({ "rights": ["staff.read"], "reason": "support answers for colleagues" });
    let answer = admin.send(Method::PUT, "/office/api/roles/support", Some(&role)).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
    assert_eq!(lito.get("/office/api/staff").await.status, StatusCode::OK);

    let path = format!("/office/api/staff/{}", secrets["id"].as_str().unwrap());
    let closed = json!({ "name": "Lito", "roles": [], "isActive": false, "reason": "left us" });
    assert_eq!(admin.send(Method::PUT, &path, Some(&closed)).await.status, StatusCode::OK);
    lito.get("/office/api/session").await.assert_refused(401, "session.required");
    test.advance(Duration::seconds(30));
    let answer = lito.login("lito", password, &code(&test, secret)).await;
    answer.assert_refused(400, "staff.login_refused");
}

#[tokio::test]
async fn nobody_raises_themselves() {
    let test = office().await;
    let admin = clerk(&test, "admin").await;
    let me = admin.get("/office/api/session").await.body["value"]["id"].clone();
    let path = format!("/office/api/staff/{}", me.as_str().unwrap());
    let body = json!({ "name": "A", "roles": [], "isActive": true, "reason": "why not" });
    admin.send(Method::PUT, &path, Some(&body)).await.assert_refused(403, "staff.not_yourself");
    let reset = format!("{path}/reset");
    let why = json!({ "reason": "why not" });
    admin.send(Method::POST, &reset, Some(&why)).await.assert_refused(403, "staff.not_yourself");
    let role = json!({ "rights": [], "reason": "why not" });
    let path = "/office/api/roles/administrator";
    admin.send(Method::PUT, path, Some(&role)).await.assert_refused(403, "staff.not_yourself");
}

#[tokio::test]
async fn a_new_password_needs_the_old_one_and_a_code_and_ends_other_sessions() {
    let test = office().await;
    let admin = &STAFF[0];
    let (one, other) = (clerk(&test, "admin").await, clerk(&test, "admin").await);
    test.advance(Duration::seconds(30));
    let code = code(&test, &admin.secret());
    let path = "/office/api/session/password";
    let body = |old: &str, code: &str, new: &str| json!({ "oldPassword": old, "code": code, "newPassword": new });
    for (body, field) in [
        (body(admin.password, &code, "short"), "newPassword"),
        (body(admin.password, &code, "capiz-capiz-capiz"), "newPassword"),
        (body("wrong", &code, "a mill by the river"), "oldPassword"),
        (body(admin.password, "000000", "a mill by the river"), "code"),
    ] {
        let answer = one.send(Method::POST, path, Some(&body)).await;
        answer.assert_refused(400, "input.invalid");
        assert!(answer.body["fields"].get(field).is_some(), "{}", answer.text);
    }
    let body = body(admin.password, &code, "a mill by the river");
    assert_eq!(one.send(Method::POST, path, Some(&body)).await.status, StatusCode::OK);
    assert_eq!(one.get("/office/api/session").await.status, StatusCode::OK);
    other.get("/office/api/session").await.assert_refused(401, "session.required");
}

#[tokio::test]
async fn the_trail_tells_who_did_what_and_why() {
    let test = office().await;
    let admin = clerk(&test, "admin").await;
    admin.send(Method::POST, "/office/api/staff", Some(&newcomer("lito"))).await;
    let auditor = clerk(&test, "auditor").await;
    let rows = auditor.get("/office/api/trail?action=staff.add&actor=admin").await;
    let rows = rows.body["value"].as_array().unwrap();
    assert_eq!(rows.len(), 1);
    assert_eq!(rows[0]["reason"], "a new shift");
    assert_eq!(rows[0]["address"], "127.0.0.1");
    let after: Value = serde_json::from_str(rows[0]["after"].as_str().unwrap()).unwrap();
    assert_eq!(after["roles"], json!(["support"]));
    let all = auditor.get("/office/api/trail?limit=3").await;
    let all = all.body["value"].as_array().unwrap();
    assert_eq!(all.len(), 3);
    let before = format!("/office/api/trail?before={}", all[2]["seq"]);
    let older = auditor.get(&before).await;
    assert_eq!(older.body["value"][0]["seq"].as_i64(), Some(all[2]["seq"].as_i64().unwrap() - 1));
    let check = auditor.get("/office/api/trail/check").await;
    assert_eq!(check.body["value"]["isWhole"], true);
    let file = auditor.get("/office/api/trail/export?subject=person:").await;
    assert!(file.text.lines().count() > 5, "{}", file.text);
    assert!(file.headers[header::CONTENT_TYPE].to_str().unwrap().starts_with("text/csv"));
    let taken = auditor.get("/office/api/trail?action=trail.export").await;
    assert_eq!(taken.body["value"][0]["actor"], "auditor");
}

/// SplitMix64.
fn scrambled(number: u64) -> u64 {
    let mut mixed = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// One change of the trail that somebody with the whole database could make.
fn tampering(number: u64, rows: i64) -> String {
    let mut parts = (1..).map(|part| scrambled(number * 8 + part));
    let mut next = move |below: i64| i64::try_from(parts.next().unwrap() >> 1).unwrap() % below;
    let seq = 1 + next(rows);
    let text = |column: &str| {
        format!("update staff_trail set {column} = coalesce({column}, '') || 'x' where seq = {seq}")
    };
    match next(16) {
        0 => text("actor"),
        1 => text("action"),
        2 => text("subject"),
        3 => text("before"),
        4 => text("after"),
        5 => text("reason"),
        6 => text("address"),
        7 => format!("update staff_trail set at = at + interval '1 microsecond' where seq = {seq}"),
        8 => format!("update staff_trail set actor_id = gen_random_uuid() where seq = {seq}"),
        9 => format!(
            "update staff_trail set hash = set_byte(hash, {place}, get_byte(hash, {place}) # {by}) where seq = {seq}",
            place = next(32),
            by = 1 + next(255),
        ),
        10 | 11 => format!("delete from staff_trail where seq = {seq}"),
        12 => format!("delete from staff_trail where seq >= {seq}"),
        13 => {
            let other = 1 + (seq + next(rows - 1)) % rows;
            format!(
                "update staff_trail set seq = -seq where seq in ({seq}, {other});
                 update staff_trail set seq = case when seq = -{seq} then {other} else {seq} end
                 where seq < 0"
            )
        }
        14 => format!(
            "insert into staff_trail select {rows} + 1, at, actor_id, actor, action, subject, before,
                after, reason, address, hash from staff_trail where seq = {seq}"
        ),
        _ => format!("update staff_trail_head set seq = seq - 1 - {seq} % 2"),
    }
}

#[tokio::test]
async fn whatever_is_done_to_the_trail_is_found() {
    let test = office().await;
    for person in STAFF {
        drop(clerk(&test, person.username).await);
    }
    let rows = staff::check_trail(&test.app).await.unwrap().rows;
    assert_eq!(rows, 10);
    test.change("alter table staff_trail drop constraint staff_trail_seq_check").await;
    test.change("create table trail_kept as table staff_trail; create table head_kept as table staff_trail_head").await;
    for number in 0..1_000 {
        let sql = tampering(number, rows);
        test.change(&sql).await;
        let found = staff::check_trail(&test.app).await;
        assert!(matches!(found, Err(Broken::At(_))), "{number}: {sql}: {found:?}");
        test.change(
            "delete from staff_trail; insert into staff_trail table trail_kept;
             delete from staff_trail_head; insert into staff_trail_head table head_kept",
        )
        .await;
    }
    staff::check_trail(&test.app).await.unwrap();
}

#[tokio::test]
async fn the_server_itself_can_only_add_to_the_trail() {
    let test = office().await;
    for sql in [
        "update staff_trail set actor = 'x'",
        "delete from staff_trail",
        "truncate staff_trail",
        "delete from staff_trail_head",
        "update staff_people set username = 'x'",
        "delete from staff_people",
        "update staff_roles set has_all = true",
        "insert into staff_roles (name) values ('king')",
    ] {
        let refused = sqlx::raw_sql(sql).execute(&test.app.db).await.unwrap_err();
        assert!(refused.to_string().contains("permission denied"), "{sql}: {refused}");
    }
}

#[tokio::test]
async fn deeds_at_the_same_time_make_one_trail() {
    let test = office().await;
    let admin = clerk(&test, "admin").await;
    let bodies: Vec<_> = (0..20).map(|number| newcomer(&format!("person{number}"))).collect();
    let added = bodies.iter().map(|body| admin.send(Method::POST, "/office/api/staff", Some(body)));
    for answer in join_all(added).await {
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
    }
    assert_eq!(staff::check_trail(&test.app).await.unwrap().rows, 5 + 1 + 20);
}

#[tokio::test]
async fn an_office_without_people_gets_one_administrator() {
    let test = TestApp::new().await;
    let (username, secrets) = staff::found(&test.app).await.unwrap().unwrap();
    let mut clerk = Clerk::new(&test);
    let answer = clerk.login(username, &secrets.password, &code(&test, &secrets.secret)).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
    assert!(staff::found(&test.app).await.unwrap().is_none());
}

const APPROVALS: &str = "/office/api/approvals";

fn correction(member_id: &str, direction: &str, amount: &str) -> Value {
    let what = json!({ "memberId": member_id, "direction": direction, "amount": amount });
    json!({ "kind": "wallet.correct", "what": what, "reason": "a round was paid twice" })
}

async fn member_id(client: &Client<'_>) -> String {
    let record = client.get("/wps/v2/wallets/transfers").await;
    record.value()["holderId"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn what_one_asks_for_is_done_when_another_agrees_and_once() {
    let test = office().await;
    let maria = test.member("maria").await;
    let id = member_id(&maria).await;
    let cashier = clerk(&test, "cashier").await;
    let body = correction(&id, "credit", "12.5");
    let asked = cashier.send(Method::POST, APPROVALS, Some(&body)).await;
    assert_eq!(asked.status, StatusCode::OK, "{}", asked.text);
    let path = format!("{APPROVALS}/{}", asked.body["value"].as_str().unwrap());
    assert_eq!(maria.balance().await, "1000");
    let agrees = json!({ "agrees": true, "reason": "seen in the rounds" });
    cashier.send(Method::POST, &path, Some(&agrees)).await.assert_refused(403, "staff.not_allowed");
    let admin = clerk(&test, "admin").await;
    let open = admin.get("/office/api/approvals?state=open").await;
    assert_eq!(open.body["value"].as_array().unwrap().len(), 1);
    let twice = join_all((0..5).map(|_| admin.send(Method::POST, &path, Some(&agrees)))).await;
    let done = twice.iter().filter(|answer| answer.status == StatusCode::OK).count();
    assert_eq!(done, 1);
    assert_eq!(maria.balance().await, "1012.5");
    let list = cashier.get(APPROVALS).await;
    assert_eq!(list.body["value"][0]["state"], "done");
    assert_eq!(list.body["value"][0]["decidedBy"], "admin");
    test.assert_ledger_is_sound().await;
    staff::check_trail(&test.app).await.unwrap();
}

#[tokio::test]
async fn who_asks_never_decides() {
    let test = office().await;
    let maria = test.member("maria").await;
    let id = member_id(&maria).await;
    let admin = clerk(&test, "admin").await;
    let asked = admin.send(Method::POST, APPROVALS, Some(&correction(&id, "debit", "1000"))).await;
    let approval = asked.body["value"].as_str().unwrap().to_owned();
    let path = format!("{APPROVALS}/{approval}");
    let agrees = json!({ "agrees": true, "reason": "because I can" });
    admin.send(Method::POST, &path, Some(&agrees)).await.assert_refused(403, "staff.not_yourself");
    // Nor as the server's own role, past all code.
    let sql =
        "update staff_approvals set state = 'done', decided_by = asked_by, decided_at = now()";
    let refused = sqlx::raw_sql(sql).execute(&test.app.db).await.unwrap_err();
    assert!(refused.to_string().contains("staff_approvals_four_eyes"), "{refused}");
    let sql = "update staff_approvals set state = 'done'";
    let refused = sqlx::raw_sql(sql).execute(&test.app.db).await.unwrap_err();
    assert!(refused.to_string().contains("staff_approvals_decided"), "{refused}");
    let sql = "update staff_approvals set asked_by = gen_random_uuid()";
    let refused = sqlx::raw_sql(sql).execute(&test.app.db).await.unwrap_err();
    assert!(refused.to_string().contains("permission denied"), "{refused}");
    assert_eq!(maria.balance().await, "1000");
}

#[tokio::test]
async fn what_cannot_be_done_stays_open_and_what_is_old_is_over() {
    let test = office().await;
    let maria = test.member("maria").await;
    let id = member_id(&maria).await;
    let cashier = clerk(&test, "cashier").await;
    for (body, field) in [
        (correction(&id, "sideways", "1"), "what"),
        (correction(&id, "credit", "0"), "amount"),
        (correction(&id, "credit", "-5"), "amount"),
        (correction("x", "credit", "5"), "what"),
        (json!({ "kind": "wallet.rob", "what": {}, "reason": "fun" }), "kind"),
    ] {
        let answer = cashier.send(Method::POST, APPROVALS, Some(&body)).await;
        answer.assert_refused(400, "input.invalid");
        assert!(answer.body["fields"].get(field).is_some(), "{}", answer.text);
    }
    let too_much = correction(&id, "debit", "1000.01");
    let asked = cashier.send(Method::POST, APPROVALS, Some(&too_much)).await;
    let path = format!("{APPROVALS}/{}", asked.body["value"].as_str().unwrap());
    let agrees = json!({ "agrees": true, "reason": "seen in the rounds" });
    let admin = clerk(&test, "admin").await;
    let answer = admin.send(Method::POST, &path, Some(&agrees)).await;
    answer.assert_refused(409, "wallet.insufficient_funds");
    assert_eq!(
        admin.get("/office/api/approvals?state=open").await.body["value"].as_array().unwrap().len(),
        1
    );
    assert_eq!(maria.balance().await, "1000");
    test.advance(Duration::hours(73));
    let admin = clerk(&test, "admin").await;
    admin.send(Method::POST, &path, Some(&agrees)).await.assert_refused(409, "staff.decided");
    staff::purge(&test.app).await.unwrap();
    let list = admin.get("/office/api/approvals?state=expired").await;
    assert_eq!(list.body["value"].as_array().unwrap().len(), 1);
    test.assert_ledger_is_sound().await;
}
