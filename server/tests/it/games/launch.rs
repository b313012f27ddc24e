//! The rules for launching games: who may start which game, and when not.

use serde_json::json;

use super::{change, codes, launch, page};
use crate::harness::TestApp;

#[tokio::test]
async fn a_member_starts_a_game_with_its_terms() {
    let test = TestApp::new().await;
    let maria = test.member("maria").await;
    let answer = launch(&maria, "mines").await;
    let expected = json!({
        "gameCode": "mines", "gameName": "Mines", "kind": "frame", "frame": "/game/mines",
        "currency": "PHP", "returnPercent": "99",
        "limits": { "minStake": "1", "maxStake": "10000", "maxPayout": "1000000" },
        "autoPlay": true,
    });
    assert_eq!(answer.value(), &expected);
    test.switch("AUTOPLAY3", false).await;
    assert_eq!(launch(&maria, "mines").await.value()["autoPlay"], false);
    test.switch("AUTOPLAY3", true).await;
    test.switch("GAMES", false).await;
    assert_eq!(launch(&maria, "mines").await.value()["autoPlay"], false);
}

#[tokio::test]
async fn every_listed_game_starts() {
    let test = TestApp::new().await;
    let maria = test.member("maria").await;
    for code in page(&test.visitor(), "").await {
        let answer = launch(&maria, &code).await;
        let frame = answer.value()["frame"].as_str().unwrap();
        let document = maria.get(frame).await;
        assert_eq!(document.status, 200, "{frame}: {}", document.text);
    }
}

#[tokio::test]
async fn visitors_log_in_first_and_demo_accounts_start_what_is_free() {
    let test = TestApp::new().await;
    launch(&test.visitor(), "dice").await.assert_refused(401, "session.required");
    let trial = test.trial().await;
    assert_eq!(launch(&trial, "dice").await.value()["currency"], "FUN");
    change(&test, "update games_catalogue set support_play = 1 where code = 'dice'").await;
    launch(&trial, "dice").await.assert_refused(403, "session.trial");
    launch(&trial, "nothing").await.assert_refused(404, "games.unknown_game");
    launch(&test.member("maria").await, "dice").await.value();
}

#[tokio::test]
async fn what_only_lists_games_of_a_provider_does_not_start() {
    let test = TestApp::new().await;
    change(&test, "update games_catalogue set is_game = 'VASSALAGE' where code = 'dice'").await;
    let maria = test.member("maria").await;
    launch(&maria, "dice").await.assert_refused(404, "games.unknown_game");
}

#[tokio::test]
async fn a_game_under_maintenance_is_refused_and_others_are_named() {
    let test = TestApp::new().await;
    let maria = test.member("maria").await;
    let bet = json!({ "stake": "10", "choice": { "target": 5000, "direction": "under" } });
    let first = maria.play("the-same-key", &bet).await;
    first.value();
    change(&test, "update games_catalogue set maintenance = true where code = 'dice'").await;
    let refused = launch(&maria, "dice").await;
    refused.assert_refused(409, "games.maintenance");
    let others = &refused.body["suggestions"];
    assert_eq!(others, &json!(["windows", "mines", "sari", "plinko", "reef", "fiesta"]));
    // It is listed as under maintenance, and not among the popular games.
    let list = test.visitor().get("/lgw/games?pageSize=1").await;
    assert_eq!(list.value()["content"][0]["maintenance"], true);
    assert!(!codes(test.visitor().get("/lgw/games/popular").await.value()).contains(&"dice"));
    // No new round starts; the response of an earlier one is repeated.
    maria.play("another-key", &bet).await.assert_refused(409, "games.maintenance");
    assert_eq!(maria.play("the-same-key", &bet).await.body, first.body);
    change(&test, "update games_catalogue set maintenance = false").await;
    launch(&maria, "dice").await.value();
    change(&test, "update games_vendors set maintenance = true").await;
    let refused = launch(&maria, "mines").await;
    refused.assert_refused(409, "games.maintenance");
    assert!(refused.body["suggestions"].is_null());
    assert_eq!(test.visitor().get("/lgw/games/vendors").await.value()[0]["maintenance"], true);
}

#[tokio::test]
async fn a_merchant_offers_games_of_its_own_choice_order_and_limits() {
    let test = TestApp::new().await;
    let maria = test.member("maria").await;
    change(
        &test,
        "insert into games_offers (merchant_id, game_code, visible, position)
         select id, o.code, visible, position from site_merchants, (values
            ('mines', false, null), ('scratch', true, 0), ('dice', true, 500))
            as o (code, visible, position);
         insert into games_limits
            (merchant_id, game_code, currency, min_stake, max_stake, max_payout)
         select id, 'dice', 'PHP', 50000, 200000, 1000000 from site_merchants",
    )
    .await;
    let listed = page(&test.visitor(), "").await;
    assert_eq!(listed.len(), 11);
    assert_eq!((listed[0].as_str(), listed[10].as_str()), ("scratch", "dice"));
    assert!(page(&test.visitor(), "search=mines").await.is_empty());
    launch(&maria, "mines").await.assert_refused(404, "games.unknown_game");
    let limits = json!({ "minStake": "5", "maxStake": "20", "maxPayout": "100" });
    assert_eq!(launch(&maria, "dice").await.value()["limits"], limits);
    let bet =
        |stake: &str| json!({ "stake": stake, "choice": { "target": 5000, "direction": "under" } });
    maria.play("a-small-one", &bet("4.99")).await.assert_refused(400, "games.stake_out_of_range");
    maria.play("a-large-one", &bet("20.01")).await.assert_refused(400, "games.stake_out_of_range");
    maria.play("a-good-one!", &bet("5")).await.value();
    // Demo money has its own limits.
    let trial = test.trial().await;
    assert_eq!(launch(&trial, "dice").await.value()["limits"]["maxStake"], "10000");
    let hide = "update games_offers set visible = false where game_code = 'dice'";
    change(&test, hide).await;
    maria.play("a-late-one!", &bet("5")).await.assert_refused(404, "games.unknown_game");
}
