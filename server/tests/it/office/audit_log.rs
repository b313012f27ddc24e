//! The audit log: what it records, and that any change of it is detected.

use axum::http::{Method, StatusCode, header};
use futures_util::future::join_all;
use serde_json::{Value, json};
use staff::Broken;

use super::members::id_of;
use super::people::newcomer;
use super::{STAFF, clerk, office};

#[tokio::test]
async fn the_trail_tells_who_did_what_and_why() {
    let test = office().await;
    let admin = clerk(&test, "admin").await;
    admin.send(Method::POST, "/office/api/staff", Some(&newcomer("lito"))).await;
    let auditor = clerk(&test, "auditor").await;
    let rows = auditor.audit_log(&json!({ "action": "staff.add", "actor": "admin" })).await;
    let rows = rows.body["value"].as_array().unwrap();
    assert_eq!(rows.len(), 1);
    assert_eq!(rows[0]["reason"], "a new shift");
    assert_eq!(rows[0]["address"], "127.0.0.1");
    let after: Value = serde_json::from_str(rows[0]["after"].as_str().unwrap()).unwrap();
    assert_eq!(after["roles"], json!(["support"]));
    let all = auditor.audit_log(&json!({ "limit": 3 })).await;
    let all = all.body["value"].as_array().unwrap();
    assert_eq!(all.len(), 3);
    let older = auditor.audit_log(&json!({ "before": all[2]["seq"] })).await;
    assert_eq!(older.body["value"][0]["seq"].as_i64(), Some(all[2]["seq"].as_i64().unwrap() - 1));
    let check = auditor.get("/office/api/trail/check").await;
    assert_eq!(check.body["value"]["isWhole"], true);
    let persons = json!({ "subject": "person:" });
    let file = auditor.find("/office/api/trail/export", &persons).await;
    assert!(file.text.lines().count() > 5, "{}", file.text);
    assert!(file.headers[header::CONTENT_TYPE].to_str().unwrap().starts_with("text/csv"));
    let taken = auditor.audit_log(&json!({ "action": "trail.export" })).await;
    assert_eq!(taken.body["value"][0]["actor"], "auditor");
}

#[tokio::test]
async fn what_rows_are_about_has_its_name_for_whoever_may_know_it() {
    let test = office().await;
    test.change("update staff_roles set rights = rights || '{trail.read}' where name = 'content'")
        .await;
    let (maria, jose) = (test.member("maria").await, test.member("jose").await);
    let maria = format!("member:{}", id_of(&maria).await);
    let jose = format!("member:{}", id_of(&jose).await);
    let auditor = clerk(&test, "auditor").await;
    let people = auditor.get("/office/api/staff").await;
    let people = people.value().as_array().unwrap();
    let admin = people.iter().find(|person| person["username"] == "admin").unwrap();
    let person = format!("person:{}", admin["id"].as_str().unwrap());
    let nobody = "member:0197c000-0000-7000-8000-00000000cafe";
    let about = json!({ "subjects": [
        maria, jose, person, nobody, "member:x", "game:dice", "game:capiz/dice", "game:none",
        "vendor:CAPIZ", "role:auditor", "setting:capiz/switch/LOGIN", "whatever", "",
    ] });
    let named = |subject: &str, name: &Value| json!({ "subject": subject, "name": name });
    let catalogue = [
        named("game:dice", &json!("Dice")),
        named("game:capiz/dice", &json!("Dice")),
        named("vendor:CAPIZ", &json!("Capiz Studio")),
    ];
    let found = auditor.find("/office/api/trail/names", &about).await;
    let mut all = vec![
        named(&maria, &json!("maria")),
        named(&jose, &json!("jose")),
        named(&person, &admin["name"]),
    ];
    all.extend(catalogue.clone());
    assert_eq!(*found.value(), json!(all));

    // Staff who may not see members and people do not get their names here.
    let content = clerk(&test, "content").await;
    let found = content.find("/office/api/trail/names", &about).await;
    assert_eq!(*found.value(), json!(catalogue));
    let cashier = clerk(&test, "cashier").await;
    let refused = cashier.find("/office/api/trail/names", &about).await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN);
    let many = json!({ "subjects": vec!["game:dice"; 201] });
    let refused = auditor.find("/office/api/trail/names", &many).await;
    refused.assert_refused(400, "input.invalid");
    assert_eq!(refused.body["fields"], json!({ "subjects": "too_long" }));
}

#[tokio::test]
async fn times_that_nothing_can_hold_are_refused_by_their_field() {
    let test = office().await;
    let admin = clerk(&test, "admin").await;
    let finds = ["trail/find", "trail/export", "service/messages/find"];
    let times = ["-5000-01-01T00:00:00Z", "0000-12-31T23:59:59Z", "+12000-01-01T00:00:00Z"];
    for (find, time) in finds.into_iter().flat_map(|find| times.map(|time| (find, time))) {
        for field in ["from", "until"] {
            let answer = admin.find(&format!("/office/api/{find}"), &json!({ field: time })).await;
            answer.assert_refused(400, "input.invalid");
            assert_eq!(answer.body["fields"], json!({ field: "invalid" }), "{find} {time}");
        }
    }
    for time in ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "2016-12-31T23:59:60Z"] {
        admin.audit_log(&json!({ "from": time, "until": time })).await.value();
    }
}

/// The random number of an index (SplitMix64).
fn scrambled(number: u64) -> u64 {
    let mut mixed = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// One change of the audit log that somebody with access to the whole database could make.
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
    let rows = staff::check_audit_log(&test.app.staff).await.unwrap().rows;
    assert_eq!(rows, 10);
    test.change("alter table staff_trail drop constraint staff_trail_seq_check").await;
    test.change("create table trail_kept as table staff_trail; create table head_kept as table staff_trail_head").await;
    for number in 0..1_000 {
        let sql = tampering(number, rows);
        test.change(&sql).await;
        let found = staff::check_audit_log(&test.app.staff).await;
        assert!(matches!(found, Err(Broken::At(_))), "{number}: {sql}: {found:?}");
        test.change(
            "delete from staff_trail; insert into staff_trail table trail_kept;
             delete from staff_trail_head; insert into staff_trail_head table head_kept",
        )
        .await;
    }
    staff::check_audit_log(&test.app.staff).await.unwrap();
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
async fn simultaneous_actions_make_one_chain() {
    let test = office().await;
    let admin = clerk(&test, "admin").await;
    let bodies: Vec<_> = (0..20).map(|number| newcomer(&format!("person{number}"))).collect();
    let added = bodies.iter().map(|body| admin.send(Method::POST, "/office/api/staff", Some(body)));
    for answer in join_all(added).await {
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
    }
    assert_eq!(staff::check_audit_log(&test.app.staff).await.unwrap().rows, 5 + 1 + 20);
}
