//! Rounds of several steps: started, interrupted, continued, finished, abandoned.

use std::collections::HashSet;

use axum::body::Body;
use axum::http::{Method, Request, header};
use capiz_rules::fair::ServerSeed;
use capiz_rules::games::GAMES;
use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::fair::assert_replays;
use crate::harness::{Answer, Client, TestApp};

/// Adds all games of the studio to the catalogue.
pub async fn offer_all(test: &TestApp) {
    let codes = GAMES.iter().map(|game| game.code());
    for code in codes {
        let sql = format!(
            "insert into games_catalogue (code, vendor, vassalage, game_type, name, position,
                min_stake, max_stake, max_payout)
             values ('{code}', 'CAPIZ', 'CAPIZ', 'RNG', '{code}', 9, 10000, 100000000, 10000000000)
             on conflict do nothing"
        );
        test.change(&sql).await;
    }
}

/// Plays a game with an idempotency key.
pub async fn play(client: &Client<'_>, game: &str, key: &str, body: &Value) -> Answer {
    let request = Request::builder()
        .method(Method::POST)
        .uri(format!("/lgw/play/{game}"))
        .header(header::CONTENT_TYPE, "application/json")
        .header("idempotency-key", key);
    client.send(request.body(Body::from(body.to_string())).unwrap()).await
}

fn mines(stake: &str) -> Value {
    json!({ "stake": stake, "choice": { "mines": 3 } })
}

async fn act(client: &Client<'_>, round: &Value, step: usize, action: Value) -> Answer {
    let id = round["id"].as_str().unwrap();
    let path = format!("/lgw/play/rounds/{id}/actions");
    client.post(&path, &json!({ "step": step, "action": action })).await
}

async fn open_round(client: &Client<'_>, game: &str) -> Value {
    client.get(&format!("/lgw/play/open?gameCode={game}")).await.value().clone()
}

/// Starts rounds until the first tile is safe.
async fn begin_with_luck(client: &Client<'_>) -> Value {
    for number in 0..50 {
        let begun = play(client, "mines", &format!("lucky-{number}-key"), &mines("10")).await;
        let begun = begun.value().clone();
        let stepped = act(client, &begun, 0, json!({ "pick": 0 })).await.value().clone();
        if stepped["state"] == "open" {
            return stepped;
        }
    }
    panic!("fifty mines in a row");
}

/// Reveals the seed of all rounds so far, and replays them with it.
async fn assert_all_replay(client: &Client<'_>) -> usize {
    let rotation = client.post("/lgw/fair/seed/rotate", &json!({ "clientSeed": "after" })).await;
    let seed = rotation.value()["revealed"]["serverSeed"].as_str().unwrap().to_owned();
    let seed = ServerSeed::from_hex(&seed).unwrap();
    let rounds = client.get("/lgw/play/rounds?limit=100").await;
    let rounds = rounds.value()["content"].as_array().unwrap().clone();
    rounds.iter().for_each(|round| assert_replays(&seed, round));
    rounds.len()
}

#[tokio::test]
async fn a_round_is_played_step_by_step_to_its_payout() {
    let test = TestApp::new().await;
    offer_all(&test).await;
    let maria = test.member("maria").await;
    let before = maria.balance().await;
    let round = begin_with_luck(&maria).await;
    assert_ne!(maria.balance().await, before, "the stake is paid when the round begins");
    assert_eq!(round["actions"], json!([{ "pick": 0 }]));
    assert_eq!(round["book"].as_array().unwrap().len(), 1);
    let cash_out = round["cashOut"].as_str().unwrap().to_owned();
    // 0.99 × 25 / 22 of ten.
    assert_eq!(cash_out, "11.25");
    test.assert_ledger_is_sound().await;

    let ended = act(&maria, &round, 1, json!("cashOut")).await;
    let ended = ended.value();
    assert_eq!((ended["state"].as_str(), ended["payout"].as_str()), (Some("over"), Some("11.25")));
    assert_eq!(ended["balance"]["balance"], maria.balance().await);
    assert_eq!(open_round(&maria, "mines").await, Value::Null);
    assert_eq!(
        assert_all_replay(&maria).await,
        usize::try_from(ended["nonce"].as_i64().unwrap()).unwrap() + 1
    );
    test.assert_ledger_is_sound().await;
}

#[tokio::test]
async fn a_step_is_done_once_however_often_it_is_sent() {
    let test = TestApp::new().await;
    offer_all(&test).await;
    let maria = test.member("maria").await;
    let round = begin_with_luck(&maria).await;
    let again = act(&maria, &round, 0, json!({ "pick": 0 })).await;
    assert_eq!(again.value()["actions"], round["actions"]);
    act(&maria, &round, 0, json!({ "pick": 1 })).await.assert_refused(409, "games.round_moved_on");
    act(&maria, &round, 2, json!({ "pick": 1 })).await.assert_refused(409, "games.round_moved_on");
    act(&maria, &round, 1, json!({ "pick": 0 })).await.assert_refused(400, "games.action_invalid");
    for nonsense in [
        json!(null),
        json!("leave"),
        json!({ "pick": 99 }),
        json!({ "pick": "1" }),
        json!("giveBack"),
        json!([]),
    ] {
        act(&maria, &round, 1, nonsense).await.assert_refused(400, "games.action_invalid");
    }
    assert_eq!(open_round(&maria, "mines").await["actions"], round["actions"]);

    // Twenty concurrent requests: one ends the round, and all get the same response.
    let ends = join_all((0..20).map(|_| act(&maria, &round, 1, json!("cashOut")))).await;
    let payouts: HashSet<_> =
        ends.iter().map(|end| end.value()["payout"].as_str().unwrap().to_owned()).collect();
    assert_eq!(payouts.len(), 1);
    act(&maria, &round, 2, json!({ "pick": 5 })).await.assert_refused(409, "games.round_moved_on");
    test.assert_ledger_is_sound().await;
}

#[tokio::test]
async fn an_interrupted_round_waits_and_holds_its_seed() {
    let test = TestApp::new().await;
    offer_all(&test).await;
    let maria = test.member("maria").await;
    let begun = play(&maria, "hilo", "the-only-key", &json!({ "stake": "5", "choice": {} })).await;
    let begun = begun.value().clone();
    // The same request again returns the same round and costs nothing.
    let again = play(&maria, "hilo", "the-only-key", &json!({ "stake": "5", "choice": {} })).await;
    assert_eq!(again.value()["id"], begun["id"]);
    assert_eq!(maria.balance().await, "995");
    play(&maria, "hilo", "another-key", &json!({ "stake": "5", "choice": {} }))
        .await
        .assert_refused(409, "games.round_open");
    play(&maria, "hilo", "the-only-key", &json!({ "stake": "6", "choice": {} }))
        .await
        .assert_refused(409, "wallet.key_reused");
    maria
        .post("/lgw/fair/seed/rotate", &json!({ "clientSeed": "curious" }))
        .await
        .assert_refused(409, "games.round_open");
    assert_eq!(open_round(&maria, "hilo").await["id"], begun["id"]);
    let path = format!("/lgw/play/rounds/{}", begun["id"].as_str().unwrap());
    assert_eq!(maria.get(&path).await.value()["state"], "open");
    // Rounds of other games can be played meanwhile; they use the following draws.
    let dice = play(
        &maria,
        "dice",
        "between-key",
        &json!({ "stake": "1", "choice": { "target": 5000, "direction": "under" } }),
    )
    .await;
    assert_eq!(dice.value()["nonce"], 1);

    let jose = test.member("jose").await;
    assert_eq!(open_round(&jose, "hilo").await, Value::Null);
    act(&jose, &begun, 0, json!("higher")).await.assert_refused(404, "games.unknown_round");
    act(&maria, &begun, 0, json!("cashOut")).await.assert_refused(400, "games.action_invalid");
    act(&maria, &begun, 0, json!("skip")).await.value();
    test.assert_ledger_is_sound().await;
}

#[tokio::test]
async fn rounds_that_were_left_are_ended_in_the_players_favour() {
    let test = TestApp::new().await;
    offer_all(&test).await;
    let maria = test.member("maria").await;
    let won = begin_with_luck(&maria).await;
    play(&maria, "hilo", "left-at-once", &json!({ "stake": "5", "choice": {} })).await.value();
    let before: f64 = maria.balance().await.parse().unwrap();
    studio::end_abandoned_rounds(&test.app.studio).await.unwrap();
    assert_eq!(open_round(&maria, "mines").await["id"], won["id"], "nobody waits that short");

    test.change("update studio_open_rounds set moved_at = moved_at - interval '25 hours'").await;
    studio::end_abandoned_rounds(&test.app.studio).await.unwrap();
    assert_eq!(open_round(&maria, "mines").await, Value::Null);
    assert_eq!(open_round(&maria, "hilo").await, Value::Null);
    let after: f64 = maria.balance().await.parse().unwrap();
    assert!((after - before - 16.25).abs() < 0.001, "{before} {after}: the win, and the stake");
    studio::end_abandoned_rounds(&test.app.studio).await.unwrap();
    assert_all_replay(&maria).await;
    test.assert_ledger_is_sound().await;
}

#[tokio::test]
async fn all_games_are_played_by_members_and_demo_accounts_alike() {
    let test = TestApp::new().await;
    offer_all(&test).await;
    let (maria, guest) = (test.member("maria").await, test.trial().await);
    for client in [&maria, &guest] {
        for game in GAMES {
            let choice: Value = serde_json::from_str(&game.usual_choice().unwrap()).unwrap();
            let body = json!({ "stake": "1", "choice": choice });
            let key = format!("{}-first-key", game.code());
            let begun = play(client, game.code(), &key, &body).await;
            let mut round = begun.value().clone();
            assert_eq!(round["state"], if game.has_steps() { "open" } else { "over" });
            for step in 0..60 {
                if round["state"] == "over" {
                    break;
                }
                let action = match (game.code(), round["cashOut"].is_null()) {
                    (_, false) => json!("cashOut"),
                    ("mines", _) => json!({ "pick": step }),
                    _ => json!("skip"),
                };
                // A guess that cannot win is refused, so the other guess is used.
                let stepped = act(client, &round, step, action).await;
                round = match stepped.status.is_success() {
                    true => stepped.value().clone(),
                    false => act(client, &round, step, json!("higher")).await.value().clone(),
                };
            }
            play(
                client,
                game.code(),
                "bad-choice-key",
                &json!({ "stake": "1", "choice": { "no": 1 } }),
            )
            .await
            .assert_refused(400, "games.choice_invalid");
        }
        if !open_round(client, "hilo").await.is_null() {
            test.change("update studio_open_rounds set moved_at = moved_at - interval '25 hours'")
                .await;
            studio::end_abandoned_rounds(&test.app.studio).await.unwrap();
        }
        assert_eq!(assert_all_replay(client).await, 12);
    }
    let replayed = studio::replay_sample(&test.app.studio).await.unwrap();
    assert_eq!((replayed.rounds, replayed.fault), (24, None));
    play(&maria, "roulette", "unknown-key", &json!({ "stake": "1", "choice": {} }))
        .await
        .assert_refused(404, "games.unknown_game");
    test.assert_ledger_is_sound().await;
}

#[tokio::test]
async fn a_round_that_was_changed_afterwards_is_found_by_playing_it_again() {
    let test = TestApp::new().await;
    let maria = test.member("maria").await;
    for number in 0..30 {
        let body = json!({ "stake": "1", "choice": { "target": 5000, "direction": "under" } });
        play(&maria, "dice", &format!("round-number-{number}"), &body).await.value();
    }
    for change in [
        "payout = payout + 10000",
        "choice = '{\"target\": 5001, \"direction\": \"under\"}'",
        "book = '[]'",
        "nonce = nonce + 100",
        "most = 1, actions = '[1]'",
    ] {
        let which = "where id = (select id from games_rounds order by id limit 1)";
        test.change("create table kept as select * from games_rounds").await;
        test.change(&format!("update games_rounds set {change} {which}")).await;
        let replayed = studio::replay_sample(&test.app.studio).await.unwrap();
        assert_eq!(replayed.rounds, 30);
        assert!(replayed.fault.is_some(), "{change}");
        test.change("delete from games_rounds; insert into games_rounds select * from kept; drop table kept").await;
    }
    assert!(studio::replay_sample(&test.app.studio).await.unwrap().fault.is_none());
}

#[tokio::test]
async fn a_round_that_was_begun_is_answered_and_goes_on_during_maintenance() {
    let test = TestApp::new().await;
    offer_all(&test).await;
    let maria = test.member("maria").await;
    let round = begin_with_luck(&maria).await;
    let begun = play(&maria, "hilo", "begun-before", &json!({ "stake": "5", "choice": {} })).await;
    test.change("update games_catalogue set maintenance = true where code in ('mines', 'hilo')")
        .await;
    test.app.games.catalogue.refresh().await;
    let again = play(&maria, "hilo", "begun-before", &json!({ "stake": "5", "choice": {} })).await;
    assert_eq!(again.value()["id"], begun.value()["id"]);
    act(&maria, &round, 1, json!("cashOut")).await.value();
    play(&maria, "mines", "begun-after", &mines("1"))
        .await
        .assert_refused(409, "games.maintenance");
    test.assert_ledger_is_sound().await;
}

/// `REPLAY_ROUNDS` makes the test larger.
#[tokio::test]
async fn stored_rounds_of_every_game_are_what_their_seeds_say() {
    let count = std::env::var("REPLAY_ROUNDS").map_or(360, |text| text.parse::<usize>().unwrap());
    let test = TestApp::new().await;
    offer_all(&test).await;
    let names = ["maria", "jose", "andres", "gabriela"];
    let members = join_all(names.map(async |name| test.member(name).await)).await;
    test.change("update games_catalogue set min_stake = 100").await;
    test.app.games.catalogue.refresh().await;
    let games: Vec<_> = GAMES.iter().filter(|game| !game.has_steps()).collect();
    let play_all = members.iter().zip(0..).map(async |(member, first): (_, usize)| {
        for number in (first..count).step_by(members.len()) {
            let game = games[number % games.len()];
            let choice: Value = serde_json::from_str(&game.usual_choice().unwrap()).unwrap();
            let body = json!({ "stake": "0.01", "choice": choice });
            play(member, game.code(), &format!("stored-{number}"), &body).await.value();
        }
    });
    join_all(play_all).await;
    let replayed = studio::replay_sample(&test.app.studio).await.unwrap();
    assert_eq!((replayed.rounds, replayed.fault), (u64::try_from(count).unwrap(), None));
    test.assert_ledger_is_sound().await;
}
