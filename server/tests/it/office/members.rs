//! Searching members, and what staff see of them.

use axum::http::Method;
use serde_json::{Value, json};

use super::{Clerk, clerk, office};
use crate::harness::{Client, PASSWORD, TestApp};
use crate::two_factor;

const MEMBERS: &str = "/office/api/members";
const FIND: &str = "/office/api/members/find";

pub async fn id_of(client: &Client<'_>) -> String {
    client.get("/wps/member/info").await.value()["id"].as_str().unwrap().to_owned()
}

/// The usernames that a search finds, in its order.
async fn found(clerk: &Clerk<'_>, query: Value) -> Vec<String> {
    let answer = clerk.find(FIND, &query).await;
    let names = answer.value()["content"].as_array().unwrap().iter();
    names.map(|row| row["account"].as_str().unwrap().to_owned()).collect()
}

/// Another merchant, with a member of the same name.
async fn second_merchant(test: &TestApp) {
    test.change(
        "insert into site_merchants values ('018f0000-0000-7000-8000-000000000002', 'second',
            'Second', 'PHP', 'Asia/Manila', 'second.example', 70000, false, now());
         insert into members_profiles
            (member_id, merchant_id, account, nickname, kind, currency, registered_at)
         values ('018f0000-0000-7000-8000-00000000000a', '018f0000-0000-7000-8000-000000000002',
            'Maria', 'Maria', 1, 'PHP', now());
         insert into members_names values
            ('018f0000-0000-7000-8000-000000000002', 'maria', '018f0000-0000-7000-8000-00000000000a');
         insert into members_mobiles values
            ('018f0000-0000-7000-8000-000000000002', '+639171234567',
             '018f0000-0000-7000-8000-00000000000a')",
    )
    .await;
}

async fn with_contacts<'a>(test: &'a TestApp, name: &str, mobile: &str, email: &str) -> Client<'a> {
    let mut client = test.visitor();
    client.fill_in(name, &json!({ "mobileNum": mobile, "email": email })).await.value();
    client
}

#[tokio::test]
async fn a_member_is_found_by_whatever_is_known() {
    let test = office().await;
    test.switch("REGMOBVERF3", false).await;
    let maria = with_contacts(&test, "Maria", "9171234567", "Maria.Santos@Example.com").await;
    with_contacts(&test, "marietta", "9181234567", "etta@example.com").await;
    test.member("josefa").await;
    let info = maria.get("/wps/member/info").await;
    let (id, code) = (info.value()["id"].clone(), info.value()["affiliateCode"].clone());
    let support = clerk(&test, "support").await;
    for number in [
        "09171234567",
        "0917 123 4567",
        "(0917) 123-4567",
        "9171234567",
        "639171234567",
        "+639171234567",
        "+63 0917 123 4567",
        "00639171234567",
        "0917123",
    ] {
        assert_eq!(found(&support, json!({ "q": number })).await, ["Maria"], "{number}");
    }
    for text in [
        id.as_str().unwrap(),
        code.as_str().unwrap(),
        &code.as_str().unwrap().to_lowercase(),
        "maria.santos@example.com",
        "MARIA.SANTOS@",
        "MARIA",
        " maria ",
    ] {
        assert_eq!(found(&support, json!({ "q": text })).await, ["Maria"], "{text}");
    }
    assert_eq!(found(&support, json!({ "q": "mari" })).await, ["Maria", "marietta"]);
    assert_eq!(found(&support, json!({ "q": "09" })).await, [""; 0], "too short for a number");
    assert_eq!(found(&support, json!({ "q": "nobody" })).await, [""; 0]);
    assert_eq!(found(&support, json!({ "q": "m%" })).await, [""; 0], "no pattern");
    assert_eq!(found(&support, json!({})).await, ["josefa", "marietta", "Maria"]);
    assert_eq!(
        found(&support, json!({ "order": "oldest" })).await,
        ["Maria", "marietta", "josefa"]
    );
}

#[tokio::test]
async fn filters_merchants_kinds_and_states() {
    let test = office().await;
    test.switch("REGMOBVERF3", false).await;
    let maria = with_contacts(&test, "maria", "9171234567", "maria@example.com").await;
    second_merchant(&test).await;
    test.trial().await;
    let demo = test.trial().await.get("/wps/member/info").await.value()["account"].clone();
    let demo = demo.as_str().unwrap();
    let support = clerk(&test, "support").await;
    assert_eq!(found(&support, json!({ "q": "maria" })).await.len(), 2);
    assert_eq!(found(&support, json!({ "q": "09171234567" })).await.len(), 2);
    assert_eq!(found(&support, json!({ "q": "maria", "merchant": "second" })).await, ["Maria"]);
    assert_eq!(found(&support, json!({ "merchant": "capiz" })).await, ["maria"]);
    assert_eq!(found(&support, json!({ "kind": "agent" })).await, ["Maria"]);
    assert_eq!(found(&support, json!({ "kind": "member" })).await, ["maria"]);
    assert_eq!(found(&support, json!({ "kind": "trial" })).await.len(), 2);
    assert_eq!(found(&support, json!({ "q": demo })).await, [""; 0]);
    assert_eq!(found(&support, json!({ "q": demo, "kind": "trial" })).await, [demo]);
    let freeze = format!("{MEMBERS}/{}/freeze", id_of(&maria).await);
    let why = json!({ "reason": "a stolen phone" });
    support.send(Method::POST, &freeze, Some(&why)).await.value();
    assert_eq!(found(&support, json!({ "state": "frozen" })).await, ["maria"]);
    assert_eq!(found(&support, json!({ "state": "active" })).await, ["Maria"]);
    assert_eq!(found(&support, json!({ "q": "maria", "state": "frozen" })).await, ["maria"]);
    for (value, field) in [
        ("third", "merchant"),
        ("tired", "state"),
        ("king", "kind"),
        ("random", "order"),
        ("nobody", "after"),
        (&"x".repeat(129), "q"),
    ] {
        let answer = support.find(FIND, &json!({ field: value })).await;
        answer.assert_refused(400, "input.invalid");
        assert!(answer.body["fields"].get(field).is_some(), "{}", answer.text);
    }
    let nul = support.find(FIND, &json!({ "q": "\u{0}" })).await;
    nul.assert_refused(400, "request.malformed");
}

#[tokio::test]
async fn pages_follow_each_other_without_a_gap() {
    let test = office().await;
    let mut names: Vec<String> = (0..7).map(|number| format!("player{number}")).collect();
    for name in &names {
        test.member(name).await;
    }
    let support = clerk(&test, "support").await;
    for (query, reversed) in [
        (json!({ "q": "player", "limit": 2 }), false),
        (json!({ "order": "oldest", "limit": 2 }), false),
        (json!({ "limit": 2 }), true),
    ] {
        let (mut all, mut query) = (Vec::new(), query);
        for _ in 0..4 {
            let page = support.find(FIND, &query).await;
            let rows = page.value()["content"].as_array().unwrap();
            assert!(rows.len() <= 2);
            all.extend(rows.iter().map(|row| row["account"].as_str().unwrap().to_owned()));
            match page.value()["next"].as_str() {
                Some(next) => query["after"] = json!(next),
                None => break,
            }
        }
        if reversed {
            names.reverse();
        }
        assert_eq!(all, names, "{query}");
    }
    let file = support.find(&format!("{MEMBERS}/export"), &json!({ "q": "player" })).await;
    assert_eq!(file.text.lines().count(), 8, "{}", file.text);
    let auditor = clerk(&test, "auditor").await;
    let entries = auditor.audit_log(&json!({ "action": "members.export" })).await;
    assert_eq!(entries.value()[0]["actor"], "support");
    assert!(entries.value()[0]["after"].as_str().unwrap().contains("player"));
}

/// Each kind of search uses its index.
#[tokio::test]
async fn many_members_are_searched_by_indexes() {
    let test = office().await;
    test.change(
        "insert into members_profiles
            (member_id, merchant_id, account, nickname, kind, currency, registered_at, state)
         select ('018f0000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
            (select id from site_merchants limit 1), 'bulk' || n, 'bulk', 0, 'PHP', now(),
            case when n % 5000 = 0 then 'frozen' else 'active' end
         from generate_series(1, 20000) n;
         insert into members_names
         select merchant_id, account, member_id from members_profiles;
         insert into members_mobiles
         select merchant_id, '+63917' || lpad(row_number() over ()::text, 7, '0'), member_id
         from members_profiles;
         analyze",
    )
    .await;
    let support = clerk(&test, "support").await;
    assert_eq!(found(&support, json!({ "q": "bulk777", "limit": 200 })).await.len(), 11);
    assert_eq!(found(&support, json!({ "state": "frozen" })).await.len(), 4);
    let plans: Vec<(&str, &str)> = vec![
        (
            "select member_id from members_profiles where merchant_id = gen_random_uuid()
                and kind = 0::smallint and state = 'frozen' order by member_id desc limit 50",
            "members_profiles_listed",
        ),
        (
            r#"select member_id from members_names where name collate "C" >= 'bulk777'
                and name collate "C" < 'bulk778' order by name collate "C", member_id limit 50"#,
            "members_names_found",
        ),
        (
            r#"select member_id from members_mobiles where mobile collate "C" >= '+639170000777'
                and mobile collate "C" < '+639170000778'
                order by mobile collate "C", member_id limit 50"#,
            "members_mobiles_found",
        ),
    ];
    for (sql, index) in plans {
        let explain = format!("explain {sql}");
        let plan: Vec<String> =
            sqlx::query_scalar(sqlx::AssertSqlSafe(explain)).fetch_all(&test.owner).await.unwrap();
        assert!(plan.join("\n").contains(index), "{plan:#?}");
    }
}

#[tokio::test]
async fn the_file_has_what_staff_may_see_and_no_secret() {
    let test = office().await;
    test.switch("REGMOBVERF3", false).await;
    test.change(
        "update site_register_rules set enabled = true
         where field in ('idNumber', 'paymentPassword', 'payeeName', 'telegram')",
    )
    .await;
    let mut maria = test.visitor();
    let more = json!({
        "idNumber": "PH-99 1234567", "paymentPassword": "904173", "email": "maria@example.com",
        "payeeName": "Maria Clara Santos", "mobileNum": "9171234567", "birthday": "1990-02-03", "ofAge": true,
        "telegram": "mariaclara",
    });
    maria.fill_in("maria", &more).await.value();
    let (secret, codes) = two_factor::set_up(&test, &mut maria).await;
    maria
        .play(
            "a-first-round",
            &json!({ "stake": "10", "choice": { "target": 5000, "direction": "under" } }),
        )
        .await
        .value();
    let id = id_of(&maria).await;
    let admin = clerk(&test, "admin").await;
    let file = admin.get(&format!("{MEMBERS}/{id}")).await;
    let value = file.value();
    for (name, expected) in [
        ("account", json!("maria")),
        ("merchant", json!("capiz")),
        ("mobile", json!("+639171234567")),
        ("mobileVerifiedAt", Value::Null),
        ("payeeName", json!("Maria Clara Santos")),
        ("birthday", json!("1990-02-03")),
        ("hasIdNumber", json!(true)),
        ("hasPaymentPassword", json!(true)),
        ("twoFactor", json!(true)),
        ("state", json!("active")),
        ("mustChangePassword", json!(false)),
        ("otherContacts", json!([{ "kind": "telegram", "value": "mariaclara" }])),
    ] {
        assert_eq!(value[name], expected, "{name}: {}", file.text);
    }
    let sessions = admin.get(&format!("{MEMBERS}/{id}/sessions")).await;
    assert_eq!(sessions.value().as_array().unwrap().len(), 1);
    let logins = admin.get(&format!("{MEMBERS}/{id}/logins")).await;
    assert_eq!(logins.value()["content"][0]["method"], "register");
    assert_eq!(logins.value()["content"][0]["factor"], Value::Null);
    let mut phone = test.visitor();
    let waiting = two_factor::ticket(&mut phone).await;
    two_factor::prove(&mut phone, &waiting, &codes[0]).await.value();
    let logins = admin.get(&format!("{MEMBERS}/{id}/logins")).await;
    assert_eq!(logins.value()["content"][0]["factor"], "recovery");
    let seed: String =
        sqlx::query_scalar("select encode(server_seed, 'hex') from studio_seeds limit 1")
            .fetch_one(&test.owner)
            .await
            .unwrap();
    let token = maria.token.clone().unwrap();
    let secrets = [PASSWORD, "904173", "PH-99", "PH991234567", "argon2", &secret, &codes[0], &seed];
    for path in ["", "/sessions", "/logins", "/wallet", "/transfers", "/transfers/1", "/rounds"] {
        let answer = admin.get(&format!("{MEMBERS}/{id}{path}")).await;
        answer.value();
        for secret in secrets.iter().chain([&token.as_str()]) {
            assert!(!answer.text.contains(secret), "{path}: {secret}");
        }
    }
    let unknown = format!("{MEMBERS}/018f0000-0000-7000-8000-0000000000ff");
    for path in ["", "/sessions", "/logins", "/wallet", "/transfers", "/transfers/1", "/rounds"] {
        admin.get(&format!("{unknown}{path}")).await.assert_refused(404, "staff.no_member");
    }
    admin.get(&format!("{MEMBERS}/nobody")).await.assert_refused(404, "request.not_found");
}
