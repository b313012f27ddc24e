//! A clock that jumps: money and idempotency keys depend on sequence numbers, never on the time.

use chrono::{DateTime, Duration, Utc};
use serde_json::{Value, json};

use crate::harness::{Answer, TestApp};

fn bet() -> Value {
    json!({ "stake": "10", "choice": { "target": 5000, "direction": "under" } })
}

fn played_at(answer: &Answer) -> DateTime<Utc> {
    answer.value()["playedAt"].as_str().unwrap().parse().unwrap()
}

fn version(answer: &Answer) -> i64 {
    answer.value()["balance"]["version"].as_i64().unwrap()
}

#[tokio::test]
async fn play_goes_on_and_keys_stay_good_while_the_clock_jumps() {
    let test = TestApp::new().await;
    let mut member = test.member("maria").await;
    let mut answers = Vec::new();
    let (hour, day) = (Duration::hours(1), Duration::days(1));
    for (jump, by) in [Duration::zero(), hour, -hour * 2, day, -day * 2, hour].iter().enumerate() {
        test.advance(*by);
        // The session has expired, because sessions do depend on the clock.
        member.login("maria", "a-good-password").await.value();
        for turn in 0..3 {
            answers.push(member.play(&format!("jump-{jump}-{turn}"), &bet()).await);
        }
        for (number, first) in answers.iter().enumerate() {
            let key = format!("jump-{}-{}", number / 3, number % 3);
            assert_eq!(member.play(&key, &bet()).await.body, first.body, "{key}");
        }
        test.assert_ledger_is_sound().await;
    }
    let pairs = || answers.iter().zip(&answers[1..]);
    assert!(pairs().all(|(first, second)| version(first) < version(second)));
    assert_eq!(pairs().filter(|(first, second)| played_at(second) < played_at(first)).count(), 2);
    let nonces: Vec<_> = answers.iter().map(|answer| answer.value()["nonce"].as_i64()).collect();
    assert_eq!(nonces, (0..18).map(Some).collect::<Vec<_>>());
}
