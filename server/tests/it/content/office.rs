//! Content written by staff: checked, cleaned, versioned, visible on every node.

use axum::http::Method;
use chrono::Duration;
use serde_json::{Value, json};

use super::{change, empty, names, titles};
use crate::harness::{Answer, TestApp};
use crate::office::{Clerk, clerk, office};

/// The content calls of a merchant.
struct ContentApi<'a> {
    clerk: Clerk<'a>,
    path: String,
}

impl<'a> ContentApi<'a> {
    async fn new(test: &'a TestApp, username: &str) -> Self {
        let path = format!("/office/api/content/{}", test.merchant().await.id);
        Self { clerk: clerk(test, username).await, path }
    }

    async fn send(&self, method: Method, path: &str, body: &Value) -> Answer {
        self.clerk.send(method, &format!("{}{path}", self.path), Some(body)).await
    }

    async fn add(&self, body: &Value) -> Answer {
        self.send(Method::POST, "", body).await
    }

    async fn list(&self, kind: &str) -> Value {
        self.clerk.get(&format!("{}?kind={kind}", self.path)).await.value().clone()
    }

    async fn put(&self, row: &Value, value: &Value) -> Answer {
        let mut body = value.clone();
        body["seenVersion"] = row["version"].clone();
        body["reason"] = json!("it is better so");
        self.send(Method::PUT, &id_path(row), &body).await
    }
}

fn id_path(row: &Value) -> String {
    format!("/{}", row["id"].as_str().unwrap())
}

/// The body of a new notice.
fn notice(texts: Value) -> Value {
    json!({ "kind": "notice", "slot": "", "isShown": true, "startsAt": null, "endsAt": null,
        "data": {}, "texts": texts, "reason": "news" })
}

fn of(kind: &str, slot: &str, data: Value, texts: Value) -> Value {
    json!({ "kind": kind, "slot": slot, "isShown": true, "startsAt": null, "endsAt": null,
        "data": data, "texts": texts, "reason": "news" })
}

async fn seen(test: &TestApp) -> Vec<String> {
    let answer = test.visitor().get("/wps/notices").await;
    names(&answer.value()["content"]).into_iter().map(str::to_owned).collect()
}

#[tokio::test]
async fn content_is_added_changed_and_deleted_at_once_and_on_every_node() {
    let test = office().await;
    empty(&test).await;
    let node = test.another_node();
    assert!(seen(&node).await.is_empty());
    let api = ContentApi::new(&test, "content").await;
    let added = api.add(&notice(titles("First", "Una"))).await.value().clone();
    assert_eq!(
        (&added["version"], &added["state"], &added["updatedBy"]),
        (&json!(1), &json!("live"), &json!("content"))
    );
    assert_eq!(seen(&test).await, ["First"]);
    tokio::time::sleep(std::time::Duration::from_millis(1_050)).await;
    assert_eq!(seen(&node).await, ["First"]);

    let changed = api.put(&added, &notice(titles("Second", "Ikalawa"))).await.value().clone();
    assert_eq!(changed["version"], 2);
    assert_eq!(seen(&test).await, ["Second"]);
    // An edit based on an older version is refused, and so is one without a change.
    api.put(&added, &notice(titles("Third", "x"))).await.assert_refused(409, "site.stale");
    let same = api.put(&changed, &notice(titles("Second", "Ikalawa"))).await;
    same.assert_refused(400, "input.invalid");
    // Only hidden.
    let mut hidden = notice(titles("Second", "Ikalawa"));
    hidden["isShown"] = json!(false);
    let hidden = api.put(&changed, &hidden).await.value().clone();
    assert_eq!(hidden["state"], "hidden");
    assert!(seen(&test).await.is_empty());

    let path = id_path(&hidden);
    let body = |version: i64| json!({ "seenVersion": version, "reason": "it is over" });
    api.send(Method::DELETE, &path, &body(2)).await.assert_refused(409, "site.stale");
    api.send(Method::DELETE, &path, &body(3)).await.value();
    assert_eq!(api.list("notice").await, json!([]));
    api.send(Method::DELETE, &path, &body(4)).await.assert_refused(404, "request.not_found");

    let versions = api.clerk.get(&format!("{}{path}/versions", api.path)).await;
    let versions = versions.value().as_array().unwrap();
    assert_eq!(versions.len(), 4);
    assert_eq!((&versions[0]["version"], &versions[0]["value"]), (&json!(4), &Value::Null));
    assert_eq!(versions[3]["value"]["texts"]["EN"]["title"], "First");
    assert_eq!(versions[3]["actor"], "content");

    let entries = clerk(&test, "auditor").await.audit_log(&json!({ "limit": 10 })).await;
    for action in ["content.add", "content.change", "content.delete"] {
        assert!(entries.text.contains(action), "{action}: {}", entries.text);
    }
    let events: i64 =
        sqlx::query_scalar("select count(*) from platform_events where topic like 'site:%'")
            .fetch_one(&test.owner)
            .await
            .unwrap();
    assert_eq!(events, 4);
}

#[tokio::test]
async fn a_version_is_brought_back_also_after_the_content_was_deleted() {
    let test = office().await;
    empty(&test).await;
    let api = ContentApi::new(&test, "content").await;
    let first = api.add(&notice(titles("First", "Una"))).await.value().clone();
    api.put(&first, &notice(titles("Second", "x"))).await.value();
    let path = id_path(&first);
    let restore = async |version: i64, seen: i64| {
        let body = json!({ "version": version, "seenVersion": seen, "reason": "it was better" });
        api.send(Method::POST, &format!("{path}/restore"), &body).await
    };
    restore(1, 1).await.assert_refused(409, "site.stale");
    restore(7, 2).await.assert_refused(400, "input.invalid");
    restore(2, 2).await.assert_refused(400, "input.invalid");
    assert_eq!(restore(1, 2).await.value()["version"], 3);
    assert_eq!(seen(&test).await, ["First"]);
    let gone = json!({ "seenVersion": 3, "reason": "it is over" });
    api.send(Method::DELETE, &path, &gone).await.value();
    assert_eq!(restore(2, 4).await.value()["version"], 5);
    assert_eq!(seen(&test).await, ["Second"]);
    restore(4, 5).await.assert_refused(400, "input.invalid");
}

#[tokio::test]
async fn what_staff_write_is_cleaned() {
    let test = office().await;
    empty(&test).await;
    let api = ContentApi::new(&test, "content").await;
    let dirty = "<p onclick=\"x()\">a<script>alert(1)</script></p><a href=\"javascript:x\">b</a>\
        <img src=x onerror=alert(1)><p style=\"color:red\">c</p>";
    let texts = json!({ "EN": { "title": "  News <b> ", "content": dirty } });
    let added = api.add(&notice(texts)).await.value().clone();
    let words = &added["texts"]["EN"];
    assert_eq!(words["content"], "<p>a</p><a>b</a><p>c</p>");
    // A title is plain text, not HTML.
    assert_eq!(words["title"], "News <b>");
    let preview = json!({ "html": dirty });
    let preview = api.clerk.send(Method::POST, "/office/api/content/preview", Some(&preview)).await;
    assert_eq!(preview.value()["html"], "<p>a</p><a>b</a><p>c</p>");
    for (text, code) in [("<b>".repeat(200), "tangled"), ("a".repeat(60_001), "too_long")] {
        let texts = json!({ "EN": { "title": "x", "content": text } });
        let answer = api.add(&notice(texts)).await;
        answer.assert_refused(400, "input.invalid");
        assert_eq!(answer.body["fields"]["texts.EN.content"], code);
    }
    // Two languages of a long promotion fit into one request.
    let long = format!("<p>{}</p>", "long ".repeat(20)).repeat(500);
    let words = json!({ "title": "x", "summary": "y", "content": long, "terms": long });
    let texts = json!({ "EN": words, "TY": words });
    let data = json!({ "slug": "long", "type": "OTHER", "image": null });
    api.add(&of("promotion", "", data, texts)).await.value();
}

#[tokio::test]
async fn what_is_wrong_is_named_field_by_field() {
    let test = office().await;
    empty(&test).await;
    let api = ContentApi::new(&test, "content").await;
    let words = || titles("x", "y");
    let banner = |url: Value, kind: &str| json!({ "image": null, "url": url, "linkageType": kind });
    let title = || json!({ "EN": { "title": "x" } });
    for (body, field) in [
        (of("banner", "w_x", banner(Value::Null, "NONE"), title()), "slot"),
        (of("banner", "w_home", banner(json!("/rng"), "NONE"), title()), "data.url"),
        (of("banner", "w_home", banner(json!("//evil.example"), "ROUTE"), title()), "data.url"),
        (of("banner", "w_home", banner(json!("http://a.example"), "OUTSIDE"), title()), "data.url"),
        (of("banner", "w_home", banner(json!("javascript:x"), "OUTSIDE"), title()), "data.url"),
        (
            of("banner", "w_video", banner(json!("https://a.example/v"), "VIDEO"), title()),
            "data.url",
        ),
        (of("banner", "w_home", json!({ "nonsense": 1 }), title()), "data"),
        (of("announcement", "", json!({ "type": "PU" }), words()), "data.execution"),
        (of("promotion", "", json!({ "slug": "A B", "type": "OTHER" }), title()), "data.slug"),
        (of("page", "imprint", json!({}), words()), "slot"),
        (of("download", "SYMBIAN", json!({}), json!({ "EN": { "name": "x" } })), "slot"),
        (
            of("download", "IOS", json!({ "version": "1\0" }), json!({ "EN": { "name": "x" } })),
            "data.version",
        ),
        (
            of("banner", "w_home", banner(json!("https://a.example/\0"), "OUTSIDE"), title()),
            "data.url",
        ),
        (notice(json!({ "EN": { "title": "x\0" } })), "texts.EN.title"),
        (of("help_article", "", json!({ "section": "no", "slug": "a" }), words()), "data.section"),
        (notice(json!({})), "texts"),
        (notice(json!({ "EN": { "content": "<p>x</p>" } })), "texts.EN.title"),
        (notice(json!({ "XX": { "title": "x" } })), "texts.XX"),
        (notice(json!({ "EN": { "title": "x", "more": "y" } })), "texts.EN.more"),
    ] {
        let answer = api.add(&body).await;
        answer.assert_refused(400, "input.invalid");
        assert!(answer.body["fields"][field].is_string(), "{field}: {}", answer.text);
    }
    let mut back = notice(words());
    back["startsAt"] = json!("2030-01-02T00:00:00Z");
    back["endsAt"] = json!("2030-01-01T00:00:00Z");
    assert!(api.add(&back).await.body["fields"]["endsAt"].is_string());
    let mut silent = notice(words());
    silent["reason"] = json!("");
    assert!(api.add(&silent).await.body["fields"]["reason"].is_string());
    api.add(&json!({ "kind": "poem" })).await.assert_refused(400, "request.malformed");
    let elsewhere = "/office/api/content/0197c000-0000-7000-8000-000000000000";
    let answer = api.clerk.send(Method::POST, elsewhere, Some(&notice(words()))).await;
    answer.assert_refused(404, "site.unknown_merchant");

    let film = banner(json!("https://www.youtube.com/watch?v=abc"), "VIDEO");
    api.add(&of("banner", "w_video", film, title())).await.value();
    let page = of("page", "about", json!({}), words());
    api.add(&page).await.value();
    assert_eq!(api.add(&page).await.body["fields"]["slot"], "taken");
    let promotion = of("promotion", "", json!({ "slug": "gift", "type": "OTHER" }), title());
    api.add(&promotion).await.value();
    assert_eq!(api.add(&promotion).await.body["fields"]["data.slug"], "taken");
    let section = api.add(&of("help_section", "", json!({}), title())).await.value().clone();
    let data = json!({ "section": section["id"], "slug": "a" });
    api.add(&of("help_article", "", data, words())).await.value();
    let help = test.visitor().get("/wps/system/helpCenter").await;
    assert_eq!(help.value()[0]["articles"][0]["slug"], "a");
}

#[tokio::test]
async fn things_stand_in_the_order_in_which_they_are_put() {
    let test = office().await;
    empty(&test).await;
    let api = ContentApi::new(&test, "content").await;
    let data = || json!({ "image": null, "url": null, "linkageType": "NONE" });
    for title in ["a", "b", "c"] {
        let texts = json!({ "EN": { "title": title } });
        api.add(&of("banner", "w_home", data(), texts)).await.value();
    }
    let order = async |ids: &[&str]| {
        let body = json!({ "kind": "banner", "slot": "w_home", "ids": ids });
        api.send(Method::POST, "/order", &body).await
    };
    let rows = api.list("banner").await;
    let ids: Vec<_> =
        rows.as_array().unwrap().iter().map(|row| row["id"].as_str().unwrap()).collect();
    order(&[ids[2], ids[0], ids[1]]).await.value();
    let banners = test.visitor().get("/wps/banners?group=w_home").await;
    assert_eq!(names(banners.value()), ["c", "a", "b"]);
    // Reordering does not change versions, so it does not conflict with an edit.
    assert_eq!(api.list("banner").await[0]["version"], 1);
    order(&[]).await.assert_refused(400, "input.invalid");
    for wrong in [&ids[..2], &[ids[0], ids[0], ids[1]]] {
        order(wrong).await.assert_refused(409, "site.stale");
    }
}

#[tokio::test]
async fn sections_of_the_help_center_are_one_list() {
    let test = office().await;
    empty(&test).await;
    let api = ContentApi::new(&test, "content").await;
    for (slot, title) in [("b", "first"), ("a", "second"), ("", "third")] {
        let texts = json!({ "EN": { "title": title } });
        let section = api.add(&of("help_section", slot, json!({}), texts)).await.value().clone();
        let name = if slot.is_empty() { &section["id"] } else { &section["slot"] };
        let data = json!({ "section": name, "slug": title });
        api.add(&of("help_article", "", data, titles("x", "y"))).await.value();
    }
    let seen = async || test.visitor().get("/wps/system/helpCenter").await;
    assert_eq!(names(seen().await.value()), ["first", "second", "third"]);
    let rows = api.list("help_section").await;
    let mut ids: Vec<_> = rows.as_array().unwrap().iter().map(|row| &row["id"]).collect();
    ids.reverse();
    let order = async |ids: &[&Value]| {
        let body = json!({ "kind": "help_section", "slot": "a", "ids": ids });
        api.send(Method::POST, "/order", &body).await
    };
    order(&ids).await.value();
    assert_eq!(names(seen().await.value()), ["third", "second", "first"]);
    order(&ids[..1]).await.assert_refused(409, "site.stale");
}

#[tokio::test]
async fn states_follow_the_clock() {
    let test = office().await;
    empty(&test).await;
    let api = ContentApi::new(&test, "content").await;
    let now = test.app.clock.now();
    let mut body = notice(titles("x", "y"));
    body["startsAt"] = json!(now + Duration::minutes(1));
    body["endsAt"] = json!(now + Duration::minutes(2));
    assert_eq!(api.add(&body).await.value()["state"], "scheduled");
    test.advance(Duration::minutes(1));
    assert_eq!(api.list("notice").await[0]["state"], "live");
    assert_eq!(seen(&test).await, ["x"]);
    test.advance(Duration::minutes(1));
    assert_eq!(api.list("notice").await[0]["state"], "over");
    assert!(seen(&test).await.is_empty());
}

#[tokio::test]
async fn nobody_reaches_content_through_another_merchant() {
    let test = office().await;
    empty(&test).await;
    let api = ContentApi::new(&test, "content").await;
    let ours = api.add(&notice(titles("Ours", "x"))).await.value().clone();
    let second = "018f0000-0000-7000-8000-000000000002";
    change(
        &test,
        &format!(
            "insert into site_merchants values ('{second}', 'second', 'Second', 'PHP',
                'Asia/Manila', 'second.example', 0, false, now())"
        ),
    )
    .await;
    let there = ContentApi { path: format!("/office/api/content/{second}"), ..api };
    assert_eq!(there.list("notice").await, json!([]));
    there.put(&ours, &notice(titles("Theirs", "x"))).await.assert_refused(404, "request.not_found");
    let versions = there.clerk.get(&format!("{}{}/versions", there.path, id_path(&ours))).await;
    assert_eq!(versions.value(), &json!([]));
    assert_eq!(seen(&test).await, ["Ours"]);
}

#[tokio::test]
async fn a_founded_merchant_has_a_history_from_its_first_day() {
    let test = office().await;
    let api = ContentApi::new(&test, "content").await;
    let row = api.list("page").await[0].clone();
    let versions = api.clerk.get(&format!("{}{}/versions", api.path, id_path(&row))).await;
    let first = &versions.value()[0];
    assert_eq!(first["version"], 1);
    assert_eq!(first["value"]["texts"], row["texts"]);
}

/// The seeds pass the checks for staff: saving them unchanged changes nothing.
#[tokio::test]
async fn the_first_content_is_clean_and_whole() {
    let test = office().await;
    let api = ContentApi::new(&test, "content").await;
    let rows = api.clerk.get(&api.path).await;
    let rows = rows.value().as_array().unwrap();
    assert!(rows.len() > 50);
    for row in rows {
        let answer = api.put(row, row).await;
        assert_eq!(answer.body["fields"], json!({ "value": "unchanged" }), "{row} {}", answer.text);
    }
}
