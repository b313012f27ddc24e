//! The catalogue over HTTP: lists, search, favorites, launch, maintenance, a merchant's offer.

mod launch;
mod lists;
mod many;
mod office;
mod own;

use serde_json::Value;

use crate::harness::{Answer, Client, TestApp};

/// The codes of the games in a list.
fn codes(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|item| item["gameCode"].as_str().unwrap()).collect()
}

/// The codes of a page of games.
async fn page(client: &Client<'_>, query: &str) -> Vec<String> {
    let answer = client.get(&format!("/lgw/games?{query}")).await;
    codes(&answer.value()["content"]).into_iter().map(str::to_owned).collect()
}

/// Changes the catalogue without the application's code.
async fn change(test: &TestApp, sql: &str) {
    test.change(sql).await;
    test.app.games.catalogue.refresh().await;
}

async fn launch(client: &Client<'_>, code: &str) -> Answer {
    client.get(&format!("/wps/game/launchGame?gameCode={code}")).await
}
