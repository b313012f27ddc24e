//! Playing rounds: money, idempotency keys, limits, records.

use axum::http::Method;
use capiz_rules::money::Amount;
use serde_json::{Value, json};

use crate::harness::{Client, TestApp};

fn bet(stake: &str) -> Value {
    json!({ "stake": stake, "choice": { "target": 5000, "direction": "under" } })
}

fn amount(value: &Value) -> Amount {
    value.as_str().unwrap().parse().unwrap()
}

#[tokio::test]
async fn a_round_moves_exactly_stake_and_payout() {
    let test = TestApp::new().await;
    let member = test.member("maria").await;
    let mut expected = "1000".parse::<Amount>().unwrap();
    for turn in 0..30 {
        let answer = member.play(&format!("the-round-{turn}"), &bet("10")).await;
        let round = answer.value();
        let payout = amount(&round["payout"]);
        assert!([Amount::ZERO, "19.8".parse().unwrap()].contains(&payout), "{round}");
        expected = expected.minus(amount(&round["stake"])).unwrap().plus(payout).unwrap();
        assert_eq!(amount(&round["balance"]["balance"]), expected);
        assert_eq!(round["nonce"], turn);
        assert!(round["seed"]["serverSeed"].is_null());
    }
    assert_eq!(member.balance().await, expected.to_string());
    test.assert_ledger_is_sound().await;
}

#[tokio::test]
async fn a_replayed_round_charges_once_and_answers_the_same() {
    let test = TestApp::new().await;
    let member = test.member("maria").await;
    let first = member.play("the-same-key", &bet("10")).await;
    first.value();
    member.play("another-key", &bet("7")).await.value();
    let again = member.play("the-same-key", &bet("10")).await;
    assert_eq!(first.body, again.body);
    let rounds = member.get("/lgw/play/rounds").await;
    assert_eq!(rounds.value()["content"].as_array().unwrap().len(), 2);
    let other = member.play("the-same-key", &bet("11")).await;
    other.assert_refused(409, "wallet.key_reused");
    test.assert_ledger_is_sound().await;
}

#[tokio::test]
async fn racing_replays_play_one_round() {
    let test = TestApp::new().await;
    let member = test.member("maria").await;
    let same = bet("10");
    let tries = (0..12).map(|_| member.play("the-same-key", &same));
    let answers = futures_util::future::join_all(tries).await;
    for answer in &answers {
        assert_eq!(answer.value(), answers[0].value());
    }
    let rounds = member.get("/lgw/play/rounds").await;
    assert_eq!(rounds.value()["content"].as_array().unwrap().len(), 1);
    test.assert_ledger_is_sound().await;
}

#[tokio::test]
async fn parallel_bets_never_overdraw() {
    let test = TestApp::new().await;
    let member = test.member("maria").await;
    let tries = (0..40).map(|turn| {
        let member = member.clone();
        async move {
            let body = json!({ "stake": "100", "choice": { "target": 100, "direction": "under" } });
            member.play(&format!("parallel-{turn}"), &body).await
        }
    });
    let answers = futures_util::future::join_all(tries).await;
    let mut expected = "1000".parse::<Amount>().unwrap();
    let mut accepted = 0;
    for answer in &answers {
        if answer.status == 200 {
            let payout = amount(&answer.value()["payout"]);
            expected = expected.minus("100".parse().unwrap()).unwrap().plus(payout).unwrap();
            accepted += 1;
        } else {
            answer.assert_refused(409, "wallet.insufficient_funds");
        }
    }
    // The wallet can pay ten stakes; a win of 9,900, one in a hundred, pays for all the others.
    assert!(accepted >= 10);
    assert!(accepted == 40 || expected < "100".parse().unwrap(), "{accepted} {expected}");
    assert_eq!(member.balance().await, expected.to_string());
    test.assert_ledger_is_sound().await;
}

#[tokio::test]
async fn an_accepted_bet_stays_accepted_when_limits_change() {
    let test = TestApp::new().await;
    let member = test.member("maria").await;
    let first = member.play("the-same-key", &bet("10")).await;
    first.value();
    sqlx::query("update games_catalogue set min_stake = 200000")
        .execute(&test.owner)
        .await
        .unwrap();
    // The catalogue is refreshed after at most a second.
    tokio::time::sleep(std::time::Duration::from_millis(1100)).await;
    member.play("another-key", &bet("10")).await.assert_refused(400, "games.stake_out_of_range");
    assert_eq!(member.play("the-same-key", &bet("10")).await.body, first.body);
}

#[tokio::test]
async fn a_refused_stake_uses_no_nonce_and_binds_no_key() {
    let test = TestApp::new().await;
    let member = test.member("maria").await;
    member
        .play("a-big-dream", &bet("1000.01"))
        .await
        .assert_refused(409, "wallet.insufficient_funds");
    let seed = member.get("/lgw/fair/seed").await;
    assert_eq!(seed.value()["nonce"], 0);
    member.play("a-big-dream", &bet("1")).await.value();
    test.assert_ledger_is_sound().await;
}

#[tokio::test]
async fn stakes_and_targets_have_limits() {
    let test = TestApp::new().await;
    let member = test.member("maria").await;
    let play = async |stake: &str, target: u64| {
        let body = json!({ "stake": stake, "choice": { "target": target, "direction": "under" } });
        member.play("a-fresh-key", &body).await
    };
    for stake in ["0", "0.99", "-1", "10000.01", "1.001", "922337203685477.5807"] {
        play(stake, 5000).await.assert_refused(400, "games.stake_out_of_range");
    }
    for target in [0, 9801, 4_294_967_295] {
        play("1", target).await.assert_refused(400, "games.choice_invalid");
    }
    play("10000", 50).await.assert_refused(400, "games.payout_too_large");
    for stake in ["1e3", "+1", "1.", ".5", "١", "1.00001", "9999999999999999999999"] {
        play(stake, 5000).await.assert_refused(400, "request.malformed");
    }
    assert_eq!(member.balance().await, "1000");
}

#[tokio::test]
async fn playing_needs_a_session_and_a_key() {
    let test = TestApp::new().await;
    test.visitor().play("a-fresh-key", &bet("1")).await.assert_refused(401, "session.required");
    let member = test.member("maria").await;
    let no_key = member.post("/lgw/play/dice", &bet("1")).await;
    no_key.assert_refused(400, "wallet.key_missing");
    for key in ["short", &"long".repeat(20), "with space in it", "capiz:welcome"] {
        member.play(key, &bet("1")).await.assert_refused(400, "wallet.key_missing");
    }
}

#[tokio::test]
async fn demo_money_plays_the_same_game_apart_from_real_money() {
    let test = TestApp::new().await;
    let trial = test.trial().await;
    let answer = trial.play("a-fresh-key", &bet("10")).await;
    assert_eq!(answer.value()["currency"], "FUN");
    let mixed: i64 = sqlx::query_scalar(
        "select count(*) from wallet_transfers
         where (currency = 'FUN') <> (debit like 'house:demo%' or credit like 'house:demo%')",
    )
    .fetch_one(&test.owner)
    .await
    .unwrap();
    assert_eq!(mixed, 0);
    test.assert_ledger_is_sound().await;
}

#[tokio::test]
async fn rounds_are_listed_newest_first_in_pages() {
    let test = TestApp::new().await;
    let member = test.member("maria").await;
    for turn in 0..5 {
        member.play(&format!("the-round-{turn}"), &bet("1")).await.value();
        test.advance(chrono::Duration::seconds(1));
    }
    let page = member.get("/lgw/play/rounds?limit=2").await;
    let page = page.value().clone();
    assert_eq!(nonces(&page), [4, 3]);
    let cursor = page["next"].as_str().unwrap();
    let page = member.get(&format!("/lgw/play/rounds?limit=3&cursor={cursor}")).await;
    assert_eq!(nonces(page.value()), [2, 1, 0]);
    let id = page.value()["content"][0]["id"].as_str().unwrap().to_owned();
    let round = member.get(&format!("/lgw/play/rounds/{id}")).await;
    assert_eq!(round.value()["nonce"], 2);
    let stranger = test.member("jose").await;
    let hidden = stranger.get(&format!("/lgw/play/rounds/{id}")).await;
    hidden.assert_refused(404, "games.unknown_round");
    member.get("/lgw/play/rounds/none").await.assert_refused(404, "request.not_found");
}

fn nonces(page: &Value) -> Vec<i64> {
    page["content"]
        .as_array()
        .unwrap()
        .iter()
        .map(|round| round["nonce"].as_i64().unwrap())
        .collect()
}

#[tokio::test]
async fn the_winners_board_shows_real_wins_with_masked_names() {
    let test = TestApp::new().await;
    let member = test.member("maria").await;
    let mut wins = 0;
    win_until(&member, &mut wins, 2).await;
    let trial = test.trial().await;
    win_until(&trial, &mut 0, 1).await;
    let board = test.visitor().get("/lgw/games/winners?limitNum=20").await;
    let entries = board.value().as_array().unwrap();
    assert_eq!(entries.len(), wins);
    for entry in entries {
        assert_eq!(entry["customerName"], "ma***");
        assert_eq!((&entry["gameName"], &entry["currency"]), (&json!("Dice"), &json!("PHP")));
    }
}

async fn win_until(client: &Client<'_>, wins: &mut usize, goal: usize) {
    let body = json!({ "stake": "1", "choice": { "target": 9500, "direction": "under" } });
    for turn in 0..200 {
        let answer = client.play(&format!("winning-{turn}"), &body).await;
        *wins += usize::from(answer.value()["payout"] != "0");
        if *wins >= goal {
            return;
        }
    }
    panic!("200 rounds at 95 % without {goal} wins");
}

#[tokio::test]
async fn a_game_is_launched_by_its_code() {
    let test = TestApp::new().await;
    let path = "/wps/game/launchGame?gameCode=dice";
    test.visitor().get(path).await.assert_refused(401, "session.required");
    let member = test.member("maria").await;
    let launch = member.get(path).await;
    assert_eq!(launch.value()["frame"], "/game/dice");
    assert_eq!(launch.value()["limits"]["maxStake"], "10000");
    let unknown = member.get("/wps/game/launchGame?gameCode=chess").await;
    unknown.assert_refused(404, "games.unknown_game");
    member.get("/wps/game/launchGame").await.assert_refused(400, "request.malformed");
    let wrong = member.request(Method::PUT, path, None).await;
    wrong.assert_refused(405, "request.method_not_allowed");
}
