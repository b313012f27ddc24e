//! Fairness: rounds use the seed that was committed to, and everyone can verify them.

use capiz_rules::fair::{ServerSeed, Stream};
use capiz_rules::games::{Terms, find};
use serde_json::{Value, json};

use crate::harness::TestApp;

#[tokio::test]
async fn every_round_follows_from_the_revealed_seeds() {
    let test = TestApp::new().await;
    let member = test.member("maria").await;
    let before = member.get("/lgw/fair/seed").await.value().clone();
    for turn in 0..10 {
        let body =
            json!({ "stake": "3", "choice": { "target": 2500 + turn, "direction": "over" } });
        member.play(&format!("the-round-{turn}"), &body).await.value();
    }
    let rotation =
        member.post("/lgw/fair/seed/rotate", &json!({ "clientSeed": "my own luck" })).await;
    let revealed = &rotation.value()["revealed"];
    assert_eq!(revealed["commitment"], before["commitment"]);
    assert_eq!(revealed["rounds"], 10);
    let seed = ServerSeed::from_hex(revealed["serverSeed"].as_str().unwrap()).unwrap();
    assert_eq!(seed.commitment(), before["commitment"]);

    let rounds = member.get("/lgw/play/rounds").await;
    for round in rounds.value()["content"].as_array().unwrap() {
        assert_eq!(round["seed"]["serverSeed"], revealed["serverSeed"]);
        assert_replays(&seed, round);
    }
}

/// Replays a round by the rules, from what the player can see of it.
pub fn assert_replays(seed: &ServerSeed, round: &Value) {
    let code = round["gameCode"].as_str().unwrap();
    let client_seed = round["seed"]["clientSeed"].as_str().unwrap();
    let mut stream = Stream::new(seed, client_seed, round["nonce"].as_u64().unwrap(), code);
    let amount = |name: &str| round[name].as_str().unwrap().parse().unwrap();
    let terms = Terms { stake: amount("stake"), most: amount("most") };
    let actions = round["actions"].as_array().unwrap().iter().map(Value::to_string);
    let actions: Vec<_> = actions.collect();
    let choice = round["choice"].to_string();
    let replayed = find(code).unwrap().play(&mut stream, &terms, &choice, &actions).unwrap();
    assert_eq!(serde_json::from_str::<Value>(&replayed.events).unwrap(), round["book"]);
    assert_eq!(replayed.payout.unwrap().to_string(), round["payout"].as_str().unwrap());
}

#[tokio::test]
async fn a_new_member_is_committed_to_before_the_first_bet() {
    let test = TestApp::new().await;
    test.member("maria").await;
    test.trial().await;
    let pairs: i64 = sqlx::query_scalar("select count(*) from studio_players")
        .fetch_one(&test.owner)
        .await
        .unwrap();
    assert_eq!(pairs, 2);
}

#[tokio::test]
async fn the_next_seed_was_committed_to_before_the_client_seed_was_chosen() {
    let test = TestApp::new().await;
    let member = test.member("maria").await;
    let before = member.get("/lgw/fair/seed").await.value().clone();
    let rotation = member.post("/lgw/fair/seed/rotate", &json!({ "clientSeed": "chosen" })).await;
    let current = &rotation.value()["current"];
    assert_eq!(current["commitment"], before["nextCommitment"]);
    assert_eq!((&current["clientSeed"], &current["nonce"]), (&json!("chosen"), &json!(0)));
    assert_ne!(current["nextCommitment"], before["nextCommitment"]);
    assert_eq!(member.get("/lgw/fair/seed").await.value(), current);
}

#[tokio::test]
async fn client_seeds_are_printable_and_short() {
    let test = TestApp::new().await;
    let member = test.member("maria").await;
    for wrong in ["", &"x".repeat(65), "tab\there", "ñandú"] {
        let answer = member.post("/lgw/fair/seed/rotate", &json!({ "clientSeed": wrong })).await;
        answer.assert_refused(400, "input.invalid");
        assert!(answer.body["fields"]["clientSeed"].is_string(), "{}", answer.text);
    }
}

#[tokio::test]
async fn the_database_does_not_hold_a_live_seed_in_the_clear() {
    let test = TestApp::new().await;
    let member = test.member("maria").await;
    member.get("/lgw/fair/seed").await.value();
    let stored: Vec<Vec<u8>> = sqlx::query_scalar("select server_seed from studio_seeds")
        .fetch_all(&test.owner)
        .await
        .unwrap();
    let rotation = member.post("/lgw/fair/seed/rotate", &json!({ "clientSeed": "x" })).await;
    let seed = hex::decode(rotation.value()["revealed"]["serverSeed"].as_str().unwrap()).unwrap();
    assert!(stored.iter().all(|bytes| bytes.windows(32).all(|window| window != seed)));
}

#[tokio::test]
async fn racing_rotations_and_rounds_keep_every_round_checkable() {
    let test = TestApp::new().await;
    let member = test.member("maria").await;
    let body = json!({ "stake": "1", "choice": { "target": 5000, "direction": "over" } });
    let rotate = json!({ "clientSeed": "again" });
    let work = (0..24).map(|turn| {
        let (member, body, rotate) = (member.clone(), body.clone(), rotate.clone());
        async move {
            match turn % 4 {
                0 => member.post("/lgw/fair/seed/rotate", &rotate).await.value().clone(),
                _ => member.play(&format!("racing-{turn}"), &body).await.value().clone(),
            }
        }
    });
    futures_util::future::join_all(work).await;
    member.post("/lgw/fair/seed/rotate", &rotate).await.value();
    let rounds = member.get("/lgw/play/rounds?limit=100").await;
    let rounds = rounds.value()["content"].as_array().unwrap();
    assert_eq!(rounds.len(), 18);
    for round in rounds {
        let text = round["seed"]["serverSeed"].as_str().unwrap();
        assert_replays(&ServerSeed::from_hex(text).unwrap(), round);
    }
    test.assert_ledger_is_sound().await;
}
