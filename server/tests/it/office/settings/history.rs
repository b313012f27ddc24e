//! The history of settings: every change is recorded, and can be undone in any sensible order.

use axum::http::{Method, StatusCode};
use futures_util::future::join_all;
use serde_json::{Value, json};

use super::{adjust, change, found, history, path_of, settings, undo};
use crate::office::{clerk, office};

#[tokio::test]
async fn the_history_is_kept_and_the_trail_has_it() {
    let test = office().await;
    let admin = clerk(&test, "admin").await;
    for on in [false, true, false] {
        change(&admin, "switch", "COMM3", json!({ "enabled": on })).await.value();
    }
    let last = adjust(&admin, "merchant", "", &json!({ "welcomeCredit": "12.5" })).await;
    let content = clerk(&test, "content").await;
    let rows = history(&content, &json!({})).await;
    let numbers: Vec<_> = rows.iter().map(|row| row["seq"].as_i64().unwrap()).collect();
    assert_eq!(numbers, [4, 3, 2, 1]);
    assert_eq!(rows[0]["actor"], "admin");
    assert_eq!(rows[0]["reason"], "the operator wants it so");
    let can_undo: Vec<_> = rows.iter().map(|row| row["canUndo"].as_bool().unwrap()).collect();
    assert_eq!(can_undo, [true, true, false, false]);
    let comm = json!({ "kind": "switch", "name": "COMM3", "limit": 2 });
    assert_eq!(history(&content, &comm).await.len(), 2);
    assert_eq!(history(&content, &json!({ "before": 3, "actor": "admin" })).await.len(), 2);
    assert_eq!(history(&content, &json!({ "actor": "cashier" })).await.len(), 0);
    let path = format!("{}/changes/find", path_of(&content).await);
    let bad = content.find(&path, &json!({ "kind": "theme" })).await;
    bad.assert_refused(400, "request.malformed");

    undo(&admin, &last).await.value();
    let auditor = clerk(&test, "auditor").await;
    let entries =
        auditor.audit_log(&json!({ "action": "site.", "subject": "setting:capiz/" })).await;
    let actions: Vec<_> = entries
        .value()
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["action"].as_str().unwrap())
        .collect();
    assert_eq!(actions, ["site.undo", "site.change", "site.change", "site.change", "site.change"]);
    let undone = &entries.value()[0];
    assert_eq!(undone["subject"], "setting:capiz/merchant");
    assert_eq!(undone["reason"], "it was a mistake");
    let before: Value = serde_json::from_str(undone["before"].as_str().unwrap()).unwrap();
    assert_eq!(before["welcomeCredit"], "12.5");
    staff::check_audit_log(&test.app.staff).await.unwrap();

    // Not even the server's own role can change the history.
    for sql in [
        "update site_changes set reason = 'another one'",
        "delete from site_changes",
        "truncate site_changes",
    ] {
        let error = sqlx::query(sql).execute(&test.app.db).await.unwrap_err();
        let code = error.as_database_error().unwrap().code().unwrap().into_owned();
        assert_eq!(code, "42501", "{sql}");
    }
}

#[tokio::test]
async fn of_two_who_saw_the_same_one_is_refused() {
    let test = office().await;
    let admin = clerk(&test, "admin").await;
    let seen = found(&settings(&admin).await, "merchant", "");
    let path = path_of(&admin).await;
    let bodies: Vec<_> = (1..9)
        .map(|minutes| {
            let mut value = seen.clone();
            value["codeMinutes"] = json!(minutes + 2);
            json!({ "kind": "merchant", "seen": seen, "value": value, "reason": "all at once" })
        })
        .collect();
    let answers = bodies.iter().map(|body| admin.send(Method::PUT, &path, Some(body)));
    let answers = join_all(answers).await;
    let good = answers.iter().filter(|answer| answer.status == StatusCode::OK).count();
    assert_eq!(good, 1);
    for answer in answers.iter().filter(|answer| answer.status != StatusCode::OK) {
        answer.assert_refused(409, "site.stale");
    }
    let changed = answers.iter().find(|answer| answer.status == StatusCode::OK).unwrap();
    let id = changed.value()["id"].as_str().unwrap();
    let undo = format!("/office/api/settings/changes/{id}/undo");
    let why = json!({ "reason": "all at once" });
    let undone = join_all((0..5).map(|_| admin.send(Method::POST, &undo, Some(&why)))).await;
    let good = undone.iter().filter(|answer| answer.status == StatusCode::OK).count();
    assert_eq!(good, 1);
    assert_eq!(found(&settings(&admin).await, "merchant", ""), seen);
}

/// A random number generator (SplitMix64).
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) >> 1).unwrap() % limit
    }

    fn of<'a>(&mut self, names: &[&'a str]) -> &'a str {
        names[self.below(names.len())]
    }

    fn is_even(&mut self) -> bool {
        self.below(2) == 0
    }

    /// A random valid change.
    fn change(&mut self, now: &Value) -> (&'static str, String, Value) {
        match self.below(7) {
            0 => {
                let name =
                    self.of(&["COMM3", "USERNAMEREG3", "MOBILENUMREG3", "REGMOBVERF3", "salary"]);
                ("switch", name.to_owned(), json!({ "enabled": self.is_even() }))
            }
            1 => {
                let name = self.of(&["username", "mobileNum", "email", "payeeName", "line"]);
                let mut rule = now["registerRules"][name]["rule"].clone();
                rule["enabled"] = json!(self.is_even());
                rule["maxLength"] = json!(10 + self.below(6));
                ("register_rule", name.to_owned(), rule)
            }
            2 => {
                let name = self.of(&["DE", "JP", "PH"]);
                let law = json!({ "minimumAge": 18 + self.below(9), "passwordDays": null, "dialingCode": null });
                ("policy", name.to_owned(), if self.is_even() { law } else { Value::Null })
            }
            3 => {
                let name = self.of(&["a.example", "b.example", "localhost", "127.0.0.1"]);
                let host = json!({ "shared": self.is_even() });
                ("host", name.to_owned(), if self.is_even() { host } else { Value::Null })
            }
            4 => ("maintenance", String::new(), json!({ "on": self.is_even() })),
            5 => {
                let mut brand = now["brand"].clone();
                brand["analyticsId"] = json!(format!("G-{}", self.below(3)));
                brand["prizeModes"] = if self.is_even() { json!([]) } else { json!(["SEA"]) };
                ("brand", String::new(), brand)
            }
            _ => {
                let mut merchant = now["merchant"].clone();
                merchant["codeMinutes"] = json!(1 + self.below(10));
                let hosts = now["hosts"].as_object().unwrap();
                let at = self.below(hosts.len());
                merchant["mainDomain"] = json!(hosts.keys().nth(at).unwrap());
                ("merchant", String::new(), merchant)
            }
        }
    }
}

#[tokio::test]
async fn undoing_everything_gives_back_the_first_state() {
    let test = office().await;
    let admin = clerk(&test, "admin").await;
    let first = settings(&admin).await;
    for seed in 1..=6 {
        let mut dice = Dice(seed);
        let mut done = Vec::new();
        for _ in 0..25 {
            let (kind, name, value) = dice.change(&settings(&admin).await);
            let answer = change(&admin, kind, &name, value.clone()).await;
            assert!(!answer.status.is_server_error(), "{kind} {name} {value}: {}", answer.text);
            if answer.status == StatusCode::OK {
                done.push((answer, settings(&admin).await));
            }
        }
        assert!(done.len() > 8, "seed {seed} changes something");
        while let Some((answer, state)) = done.pop() {
            assert_eq!(settings(&admin).await, state, "seed {seed}");
            undo(&admin, &answer).await.value();
        }
        assert_eq!(settings(&admin).await, first, "seed {seed}");
    }
    staff::check_audit_log(&test.app.staff).await.unwrap();
}
