//! Content over HTTP: what visitors read, what staff write, files and profiles.

mod files;
mod office;
mod read;

use serde_json::{Value, json};

use crate::harness::TestApp;

/// Deletes the content that the merchant was created with.
async fn empty(test: &TestApp) {
    change(test, "delete from site_content").await;
}

/// Changes content without the application's code.
async fn change(test: &TestApp, sql: &str) {
    test.change(sql).await;
    test.app.content.library.refresh().await;
}

/// Inserts a row.
async fn insert(test: &TestApp, kind: &str, slot: &str, data: Value, texts: Value) {
    insert_at(test, (kind, slot), (None, None), data, texts).await;
}

/// Inserts a row with a time window, in seconds from now.
async fn insert_at(
    test: &TestApp,
    (kind, slot): (&str, &str),
    (start, end): (Option<i64>, Option<i64>),
    data: Value,
    texts: Value,
) {
    let now = test.app.clock.now();
    let at = |seconds: i64| now + chrono::Duration::seconds(seconds);
    sqlx::query(
        "insert into site_content
         select gen_random_uuid(), m.id, $1, $2, 1 + (select count(*) from site_content), true, $3,
            $4, $5, $6, 1, $7, $7, 'test'
         from site_merchants m where m.code = 'capiz'",
    )
    .bind(kind)
    .bind(slot)
    .bind(start.map(at))
    .bind(end.map(at))
    .bind(data)
    .bind(texts)
    .bind(now)
    .execute(&test.owner)
    .await
    .unwrap();
    test.app.content.library.refresh().await;
}

/// Texts in English and Tagalog.
fn titles(english: &str, tagalog: &str) -> Value {
    let words = |title: &str| json!({ "title": title, "content": format!("<p>{title}</p>") });
    json!({ "EN": words(english), "TY": words(tagalog) })
}

/// The titles in a list.
fn names(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|item| item["title"].as_str().unwrap()).collect()
}
