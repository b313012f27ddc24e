//! Favorites and recently opened games.

use axum::http::Method;
use chrono::Duration;
use serde_json::{Value, json};

use super::{change, codes, launch};
use crate::harness::{Answer, Client, TestApp};

const FAVORITES: &str = "/lgw/games/favorites";

fn favorite(code: &str) -> Value {
    json!({ "nodeId": code, "vendor": "CAPIZ", "gameType": "RNG" })
}

async fn add(client: &Client<'_>, code: &str) -> Answer {
    client.post(FAVORITES, &favorite(code)).await
}

async fn remove(client: &Client<'_>, code: &str) -> Answer {
    let path = format!("{FAVORITES}?nodeId={code}&vendor=CAPIZ&gameType=RNG");
    client.request(Method::DELETE, &path, None).await
}

async fn ids(client: &Client<'_>) -> Vec<Value> {
    client.get("/lgw/games/favorites/ids").await.value().as_array().unwrap().clone()
}

#[tokio::test]
async fn favorites_are_added_listed_and_taken_away() {
    let test = TestApp::new().await;
    let (maria, jose) = (test.member("maria").await, test.member("jose").await);
    for code in ["mines", "reef", "mines", "dice"] {
        assert_eq!(add(&maria, code).await.value(), &favorite(code));
        test.advance(Duration::seconds(1));
    }
    assert_eq!(ids(&maria).await, ["dice", "reef", "mines"].map(favorite));
    assert!(ids(&jose).await.is_empty());
    let list = maria.get(&format!("{FAVORITES}?pageNo=2&pageSize=2&language=TY")).await;
    assert_eq!(codes(&list.value()["content"]), ["mines"]);
    assert_eq!((&list.value()["pageNum"], &list.value()["totalPages"]), (&json!(2), &json!(2)));
    remove(&maria, "reef").await.value();
    remove(&maria, "reef").await.value();
    assert_eq!(ids(&maria).await, ["dice", "mines"].map(favorite));
    // A game that is no longer offered is not listed, and reappears with its offer.
    let hide = "insert into games_offers (merchant_id, game_code, visible)
         select id, 'dice', false from site_merchants";
    change(&test, hide).await;
    assert_eq!(ids(&maria).await, ["mines"].map(favorite));
    add(&maria, "dice").await.assert_refused(404, "games.unknown_game");
    change(&test, "delete from games_offers").await;
    assert_eq!(ids(&maria).await.len(), 2);
}

#[tokio::test]
async fn favorites_are_for_members_and_of_games_that_there_are() {
    let test = TestApp::new().await;
    add(&test.visitor(), "mines").await.assert_refused(401, "session.required");
    remove(&test.visitor(), "mines").await.assert_refused(401, "session.required");
    for path in [FAVORITES, "/lgw/games/favorites/ids", "/lgw/games/recent"] {
        test.visitor().get(path).await.assert_refused(401, "session.required");
    }
    let trial = test.trial().await;
    add(&trial, "mines").await.assert_refused(403, "session.trial");
    remove(&trial, "mines").await.assert_refused(403, "session.trial");
    assert!(ids(&trial).await.is_empty());
    let maria = test.member("maria").await;
    add(&maria, "nothing").await.assert_refused(404, "games.unknown_game");
    for (name, value) in [("vendor", "OTHER"), ("gameType", "LIVE"), ("nodeId", "\u{0}")] {
        let mut body = favorite("mines");
        body[name] = json!(value);
        maria.post(FAVORITES, &body).await.assert_refused(404, "games.unknown_game");
    }
    for body in [json!({}), json!({ "nodeId": 1 }), json!([])] {
        maria.post(FAVORITES, &body).await.assert_refused(400, "request.malformed");
    }
    remove(&maria, "%00").await.assert_refused(400, "request.malformed");
    maria.get(&format!("{FAVORITES}?pageSize=101")).await.assert_refused(400, "input.invalid");
}

#[tokio::test]
async fn there_are_five_hundred_favorites_at_most() {
    let test = TestApp::new().await;
    let maria = test.member("maria").await;
    let fill = "insert into games_favorites (member_id, game_code, added_at)
         select member_id, 'gone-' || n, now() from members_profiles, generate_series(1, 499) n";
    change(&test, fill).await;
    add(&maria, "mines").await.value();
    add(&maria, "dice").await.assert_refused(409, "games.favorites_full");
    // A favorite can be added again.
    add(&maria, "mines").await.value();
    assert_eq!(ids(&maria).await, [favorite("mines")]);
}

#[tokio::test]
async fn games_that_were_opened_are_remembered_the_latest_first() {
    let test = TestApp::new().await;
    let maria = test.member("maria").await;
    for code in ["dice", "mines", "reef", "dice"] {
        launch(&maria, code).await.value();
        test.advance(Duration::seconds(1));
    }
    launch(&maria, "nothing").await.assert_refused(404, "games.unknown_game");
    let recent = maria.get("/lgw/games/recent?language=TY").await;
    assert_eq!(codes(recent.value()), ["dice", "reef", "mines"]);
    assert_eq!(recent.value()[1]["gameName"], "Bahura ng Korales");
    let jose = test.member("jose").await;
    assert!(codes(jose.get("/lgw/games/recent").await.value()).is_empty());
    // Only the latest fifty are kept.
    let fill = "insert into games_recents (member_id, game_code, opened_at)
         select member_id, 'gone-' || n, '2020-01-01' from games_recents, generate_series(1, 60) n
         where game_code = 'dice'";
    change(&test, fill).await;
    launch(&maria, "keno").await.value();
    let kept: i64 = sqlx::query_scalar("select count(*) from games_recents")
        .fetch_one(&test.owner)
        .await
        .unwrap();
    assert_eq!(kept, 50);
}
