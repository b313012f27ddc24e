//! Registration: rules, reservations, ages, invitations.

use std::borrow::Cow;
use std::sync::Arc;

use axum::body::Body;
use axum::http::{Method, Request, header};
use capiz::bootstrap::MIGRATOR;
use chrono::Duration;
use identity::Visit;
use members::{Registration, RegistrationMethod, Vault};
use platform::db;
use platform::secret::{RootKey, Secret};
use serde_json::{Value, json};
use site::{Directory, Policy, RegisterRules};
use sqlx::migrate::Migrator;
use sqlx::{Connection, PgConnection};
use uuid::Uuid;

use crate::harness::{Client, TIMEOUTS, TestApp, new_database};
use crate::registration_numbers::register_by_mobile;

const FIELDS: [&str; 27] = [
    "address",
    "affiliateCode",
    "birthday",
    "captcha",
    "confirmPassword",
    "domain",
    "email",
    "facebook",
    "idNumber",
    "line",
    "mobileNum",
    "nationality",
    "nickname",
    "occupation",
    "password",
    "payeeName",
    "paymentPassword",
    "qqNum",
    "recommenderId",
    "referralCode",
    "sourceOfIncome",
    "telegram",
    "username",
    "verificationCode",
    "wechat",
    "whatsapp",
    "zalo",
];

async fn rules(test: &TestApp) -> Value {
    test.visitor().get("/wps/system/setting/register").await.value().clone()
}

pub async fn set_rule(test: &TestApp, field: &str, enabled: bool, required: bool) {
    let sql = format!(
        "update site_register_rules set enabled = {enabled}, required = {required}
         where field = '{field}'"
    );
    test.change(&sql).await;
}

#[tokio::test]
async fn every_field_has_a_rule_and_a_change_is_live() {
    let test = TestApp::new().await;
    let default_rules = rules(&test).await;
    let names: Vec<&String> = default_rules.as_object().unwrap().keys().collect();
    assert_eq!(names, FIELDS);
    assert_eq!(
        default_rules["username"],
        json!({
            "enabled": true, "required": true, "minLength": 4, "maxLength": 16,
            "patternId": "letter_first", "acceptedPattern": "^[A-Za-z][A-Za-z0-9]*$",
        })
    );
    assert_eq!(
        (&default_rules["idNumber"]["enabled"], &default_rules["password"]["acceptedPattern"]),
        (&json!(false), &json!("*"))
    );
    let permission = test.visitor().get("/wps/system/permission").await;
    assert_eq!(permission.value()["info"]["registerRules"], default_rules);
    assert_eq!(permission.value()["info"]["minimumAge"], 21);

    let node = test.another_node();
    assert_eq!(rules(&node).await, default_rules);
    let sql = "update site_register_rules set min_length = 6, pattern_id = 'uppercase'
               where field = 'username'";
    sqlx::query(sql).execute(&test.owner).await.unwrap();
    tokio::time::sleep(std::time::Duration::from_millis(1_100)).await;
    for test in [&test, &node] {
        let rule = &rules(test).await["username"];
        assert_eq!((&rule["minLength"], &rule["patternId"]), (&json!(6), &json!("uppercase")));
        let refused = test.visitor().fill_in("maria", &json!({})).await;
        assert_eq!(refused.body["fields"]["username"], "too_short", "{}", refused.text);
        let refused = test.visitor().fill_in("mariaclara", &json!({})).await;
        assert_eq!(refused.body["fields"]["username"], "pattern", "{}", refused.text);
    }
}

/// The migration gives older merchants the default rules, as rows.
#[tokio::test]
async fn older_merchants_and_members_are_brought_up_to_date() {
    let options = new_database().await;
    let mut owner = PgConnection::connect_with(&options).await.unwrap();
    let before = MIGRATOR.iter().filter(|migration| migration.version <= 14).cloned().collect();
    let before = Migrator { migrations: Cow::Owned(before), ..Migrator::DEFAULT };
    before.run(&mut owner).await.unwrap();
    sqlx::raw_sql(
        "insert into site_merchants values ('018f0000-0000-7000-8000-000000000002', 'second',
            'Second', 'PHP', 'Asia/Manila', 'second.example', 0, false, now());
         insert into members_profiles values ('018f0000-0000-7000-8000-000000000003',
            '018f0000-0000-7000-8000-000000000002', 'maria', 'maria', 0, 'PHP', now());
         insert into members_profiles values ('018f0000-0000-7000-8000-000000000004',
            '018f0000-0000-7000-8000-000000000002', 'demo1', 'demo1', 4, 'FUN', now())",
    )
    .execute(&mut owner)
    .await
    .unwrap();
    db::prepare(&options, &MIGRATOR, false).await.unwrap();
    let pool = db::connect(options, 2, TIMEOUTS).await.unwrap();
    let merchants = Directory::default().all(&pool).await.unwrap();
    assert_eq!(merchants[0].register_rules, RegisterRules::default());
    assert_eq!(merchants[0].policy, Policy::default());
    let (rules, codes): (i64, i64) = sqlx::query_as(
        "select (select count(*) from site_register_rules),
                (select count(*) from members_codes c join members_details d
                 on d.member_id = c.member_id and d.affiliate_code = c.code)",
    )
    .fetch_one(&pool)
    .await
    .unwrap();
    assert_eq!((rules, codes), (27, 1));
}

#[tokio::test]
async fn all_faults_come_together_with_their_bounds() {
    let test = TestApp::new().await;
    set_rule(&test, "telegram", true, true).await;
    let form = json!({
        "username": "ab", "password": "short", "confirmPassword": "other", "adult": false,
        "terms": false, "email": "maria@example", "mobileNum": "12x4567", "nickname": "x",
        "birthday": "2001-02-29", "registerMethod": "PIGEON",
    });
    let answer = test.visitor().sealed(Method::PUT, "/wps/member/register", &form).await;
    answer.assert_refused(400, "input.invalid");
    assert_eq!(
        answer.body["fields"],
        json!({
            "username": "too_short", "password": "too_short", "confirmPassword": "mismatch",
            "adult": "required", "terms": "required", "email": "pattern", "mobileNum": "pattern",
            "nickname": "too_short", "birthday": "pattern", "registerMethod": "invalid",
            "telegram": "required", "verificationCode": "required",
        })
    );
    assert_eq!(answer.body["bounds"]["username"], json!({ "min": 4, "max": 16 }));
    assert_eq!(answer.body["bounds"]["nickname"], json!({ "min": 2, "max": 24 }));
    assert_eq!(answer.body["bounds"]["adult"], Value::Null);
    let empty = test.visitor().sealed(Method::PUT, "/wps/member/register", &json!({})).await;
    empty.assert_refused(400, "input.invalid");
    assert_eq!(empty.body["fields"]["username"], "required");
}

#[tokio::test]
async fn disabled_fields_are_neither_checked_nor_kept() {
    let test = TestApp::new().await;
    let more = json!({ "wechat": "bad wechat id", "idNumber": "P1234567", "paymentPassword": "x" });
    test.visitor().fill_in("maria", &more).await.value();
    let kept: (Option<String>, Option<Vec<u8>>, i64) = sqlx::query_as(
        "select wechat, id_number, (select count(*) from members_payment_passwords)
         from members_details",
    )
    .fetch_one(&test.owner)
    .await
    .unwrap();
    assert_eq!(kept, (None, None, 0));
    set_rule(&test, "wechat", true, false).await;
    let refused = test.visitor().fill_in("josefa", &more).await;
    assert_eq!(refused.body["fields"], json!({ "wechat": "pattern" }));
}

#[tokio::test]
async fn required_fields_are_asked_of_everybody() {
    let test = TestApp::new().await;
    for field in ["line", "address", "nationality", "occupation", "sourceOfIncome", "payeeName"] {
        set_rule(&test, field, true, true).await;
        for more in
            [json!({}), json!({ field: "" }), json!({ field: "   " }), json!({ field: null })]
        {
            let refused = test.visitor().fill_in("maria", &more).await;
            assert_eq!(refused.body["fields"], json!({ field: "required" }), "{}", refused.text);
        }
        set_rule(&test, field, true, false).await;
    }
    // If the form shows a payment password, it is required.
    set_rule(&test, "paymentPassword", true, false).await;
    let refused = test.visitor().fill_in("maria", &json!({})).await;
    assert_eq!(refused.body["fields"], json!({ "paymentPassword": "required" }));
}

#[tokio::test]
async fn a_switch_that_is_off_closes_the_way() {
    let test = TestApp::new().await;
    let by_mobile = async |test: &TestApp| {
        register_by_mobile(&mut test.visitor(), "9171234567", json!({})).await
    };
    test.switch("REGMOBVERF3", false).await;
    test.switch("MOBILENUMREG3", false).await;
    by_mobile(&test).await.assert_refused(403, "site.switched_off");
    test.switch("USERNAMEREG3", false).await;
    test.visitor().fill_in("maria", &json!({})).await.assert_refused(403, "site.switched_off");
    test.switch("MOBILENUMREG3", true).await;
    let password = by_mobile(&test).await;
    password.assert_refused(400, "input.invalid");
    test.switch("DIRECTREG3", false).await;
    by_mobile(&test).await.assert_refused(403, "site.switched_off");
}

#[tokio::test]
async fn the_minimum_age_is_counted_in_the_merchants_zone() {
    let test = TestApp::new().await;
    // 17:46:40 UTC on 17 March 2030: in Manila it is the 18th.
    let try_with = async |test: &TestApp, name: &str, birthday: &str, of_age: bool| {
        let more = json!({ "birthday": birthday, "ofAge": of_age });
        test.visitor().fill_in(name, &more).await.body["fields"].clone()
    };
    let young = json!({ "birthday": "too_young" });
    assert_eq!(try_with(&test, "anna", "2009-03-19", true).await, young);
    assert_eq!(try_with(&test, "anna", "2029-01-01", true).await, young);
    assert_eq!(try_with(&test, "anna", "2009-03-18", false).await, json!({ "ofAge": "required" }));
    for impossible in ["2031-01-01", "1800-01-01"] {
        let fields = try_with(&test, "anna", impossible, true).await;
        assert_eq!(fields, json!({ "birthday": "invalid" }), "{impossible}");
    }
    assert_eq!(try_with(&test, "anna", "2009-03-18", true).await, Value::Null);
    test.change("update site_policies set minimum_age = 25").await;
    assert_eq!(try_with(&test, "berta", "2009-03-18", true).await, young);
    // Born on 29 February: of age on 1 March in a common year.
    test.change("update site_policies set minimum_age = 18").await;
    test.change("update site_register_rules set pattern_id = 'date_mdy' where field = 'birthday'")
        .await;
    assert_eq!(try_with(&test, "clara", "02-29-2012", true).await, Value::Null);
    test.advance(Duration::days(-18));
    assert_eq!(try_with(&test, "dalia", "02-29-2012", true).await, young);
}

#[tokio::test]
async fn easily_guessed_passwords_are_refused() {
    let test = TestApp::new().await;
    test.change("update site_register_rules set min_length = 6 where field = 'password'").await;
    for password in ["123456", "password1", "Iloveyou", "capiz2030", "maria1990", "MARIA-1990!"] {
        let refused = test.visitor().register("maria1990", password).await;
        assert_eq!(refused.body["fields"], json!({ "password": "common" }), "{password}");
    }
}

/// Identity numbers and passwords are in no column of any table of members as plain text.
#[tokio::test]
async fn identity_numbers_and_passwords_are_never_stored_in_plain_text() {
    let test = TestApp::new().await;
    set_rule(&test, "idNumber", true, true).await;
    set_rule(&test, "paymentPassword", true, true).await;
    let more = json!({ "idNumber": "PH-99 1234567", "paymentPassword": "904173" });
    test.visitor().fill_in("maria", &more).await.value();
    let tables: Vec<String> =
        sqlx::query_scalar("select tablename::text from pg_tables where schemaname = 'public'")
            .fetch_all(&test.owner)
            .await
            .unwrap();
    assert!(tables.len() > 30);
    let mut all = String::new();
    for table in tables {
        let rows: Option<String> = sqlx::query_scalar(sqlx::AssertSqlSafe(format!(
            "select string_agg(t::text, '\n') from {table} t"
        )))
        .fetch_one(&test.owner)
        .await
        .unwrap();
        all.push_str(&rows.unwrap_or_default());
    }
    assert!(all.contains("maria"));
    let hidden = ["PH-99 1234567", "PH991234567", "904173", "a-good-password"];
    for secret in hidden {
        let in_hex = hex::encode(secret);
        assert!(!all.contains(secret) && !all.contains(&in_hex), "{secret}");
    }
    let (member, stored): (Uuid, Vec<u8>) =
        sqlx::query_as("select member_id, id_number from members_details")
            .fetch_one(&test.owner)
            .await
            .unwrap();
    let root = RootKey::new(&Secret::new("the secret of the tests, long enough".to_owned()));
    assert_eq!(Vault::new(&root).open(member, &stored).unwrap(), "PH-99 1234567");
}

#[tokio::test]
async fn one_name_in_two_merchants_is_two_members() {
    let test = TestApp::new().await;
    test.change(
        "insert into site_merchants values ('018f0000-0000-7000-8000-000000000002', 'second',
            'Second', 'PHP', 'Asia/Manila', 'second.example', 70000, false, now());
         insert into site_hosts values
            ('second.example', '018f0000-0000-7000-8000-000000000002', false);
         insert into site_switches select '018f0000-0000-7000-8000-000000000002', mod_id, enabled
         from site_switches",
    )
    .await;
    test.switch("REGMOBVERF3", false).await;
    let more = json!({ "mobileNum": "9171234567", "email": "maria@example.com" });
    let mut first = test.visitor();
    first.fill_in("maria", &more).await.value();

    let on_second =
        |request: axum::http::request::Builder| request.header(header::HOST, "second.example");
    let mut second = test.visitor();
    let mut form = more.clone();
    for (name, value) in [
        ("username", json!("maria")),
        ("password", json!("another-password")),
        ("confirmPassword", json!("another-password")),
        ("adult", json!(true)),
        ("terms", json!(true)),
        ("ofAge", json!(true)),
        ("birthday", json!("1990-05-17")),
        ("human", json!(test.proof(Uuid::from_u128(0x018f_0000_0000_7000_8000_0000_0000_0002)))),
    ] {
        form[name] = value;
    }
    let sealed = second.seal(&Method::PUT, "/wps/member/register", &form).await;
    let request = on_second(Request::builder())
        .method(Method::PUT)
        .uri("/wps/member/register")
        .header(header::CONTENT_TYPE, platform::seal::MEDIA_TYPE);
    let answer = second.send(request.body(Body::from(sealed.to_string())).unwrap()).await;
    answer.value();
    second.adopt(&answer);
    // This host is no loopback name and the connection is plain HTTP, so the cookie has no
    // `__Host-` prefix.
    let get = async |client: &Client<'_>, there: bool| {
        let request = Request::builder().uri("/wps/member/info");
        let request = if there { on_second(request) } else { request };
        client.send(request.body(Body::empty()).unwrap()).await
    };
    let (here, there) = (get(&first, false).await, get(&second, true).await);
    assert_eq!(here.value()["account"], there.value()["account"]);
    assert_ne!(here.value()["id"], there.value()["id"]);
    // A token is not valid on the other merchant's site, not even with both cookies.
    let all: Vec<String> = [first.cookies.clone(), second.cookies.clone()].concat();
    let renamed = all.iter().map(|cookie| match cookie.strip_prefix("__Host-") {
        Some(plain) => plain.to_owned(),
        None => format!("__Host-{cookie}"),
    });
    let everything: Vec<String> = all.iter().cloned().chain(renamed).collect();
    for (client, there) in [(&first, true), (&second, false)] {
        for cookies in everything.iter() {
            let mut thief = client.clone();
            thief.cookies = vec![cookies.clone()];
            get(&thief, there).await.assert_refused(401, "session.required");
        }
    }
    // Nor is the password.
    test.visitor()
        .login("maria", "another-password")
        .await
        .assert_refused(400, "session.wrong_credentials");
    test.visitor().login("maria", "a-good-password").await.value();
    test.assert_ledger_is_sound().await;
}

#[tokio::test]
async fn how_old_somebody_is_is_not_left_to_a_tick() {
    let test = TestApp::new().await;
    for nothing in [Value::Null, json!(""), json!("  ")] {
        let refused = test.visitor().fill_in("maria", &json!({ "birthday": nothing })).await;
        assert_eq!(refused.body["fields"], json!({ "birthday": "required" }));
    }
    // Nor if the rules were changed without the office.
    set_rule(&test, "birthday", false, true).await;
    let refused = test.visitor().fill_in("maria", &json!({ "birthday": null })).await;
    assert_eq!(refused.body["fields"], json!({ "birthday": "required" }));
}

fn outcome(result: Result<identity::Started, platform::error::ApiError>) -> &'static str {
    match result {
        Ok(_) => "in",
        Err(error) => error.code.text(),
    }
}

#[tokio::test]
async fn a_thousand_registrations_of_one_number_make_one_member() {
    let test = TestApp::new().await;
    test.switch("REGMOBVERF3", false).await;
    test.switch("MOBILENUMPASSREG3", false).await;
    let merchant = test.merchant().await;
    let tries = (0..1_000).map(|number| {
        let written = if number % 2 == 0 { "9171234567" } else { "09171234567" };
        // The code is not checked here.
        let form = json!({
            "mobileNum": written, "verificationCode": "000000", "birthday": "1990-05-17",
            "ofAge": true, "adult": true, "terms": true,
        });
        let form: Registration = serde_json::from_value(form).unwrap();
        let merchant = Arc::clone(&merchant);
        let app = &test.app;
        async move {
            let visit = Visit::of_nobody();
            outcome(
                identity::register(
                    &app.identity,
                    merchant,
                    RegistrationMethod::Mobile,
                    form,
                    visit,
                )
                .await,
            )
        }
    });
    let outcomes = futures_util::future::join_all(tries).await;
    let count = |text| outcomes.iter().filter(|outcome| **outcome == text).count();
    let refused = count(members::codes::MOBILE_TAKEN.text()) + count("server.unavailable");
    assert_eq!((count("in"), refused), (1, 999), "{outcomes:?}");
    assert!(count("member.mobile_taken") > 500, "most were told the truth");
    test.assert_ledger_is_sound().await;
}

#[tokio::test]
async fn a_thousand_registrations_of_one_name_make_one_member() {
    let test = TestApp::new().await;
    let merchant = test.merchant().await;
    let tries = (0..1_000).map(|_| {
        let app = &test.app;
        let form = Registration::by_username("Racer1", "a-good-password");
        let merchant = Arc::clone(&merchant);
        async move {
            let visit = Visit::of_nobody();
            outcome(
                identity::register(
                    &app.identity,
                    merchant,
                    RegistrationMethod::Username,
                    form,
                    visit,
                )
                .await,
            )
        }
    });
    let outcomes = futures_util::future::join_all(tries).await;
    let count = |text| outcomes.iter().filter(|outcome| **outcome == text).count();
    // Requests beyond the capacity for password hashing are refused with a 503.
    let refused = count(platform::codes::NAME_TAKEN.text()) + count("server.unavailable");
    assert_eq!((count("in"), refused), (1, 999), "{outcomes:?}");
    let members: i64 = sqlx::query_scalar("select count(*) from members_profiles")
        .fetch_one(&test.owner)
        .await
        .unwrap();
    assert_eq!(members, 1);
    test.assert_ledger_is_sound().await;
}
