//! The jackpot: every round feeds it, and one round wins it, once.

use futures_util::future::join_all;
use platform::ids::new_id;
use serde_json::{Value, json};
use wallet::{Account, House, Key, Posting, Reason, Transfer, post_one};

use crate::harness::{Client, TestApp};
use crate::steps::{offer_all, play};

/// A stake that wins the jackpot with certainty.
const SURE: &str = "5000000";

async fn jackpots(client: &Client<'_>) -> Vec<Value> {
    client.get("/lgw/games/jackpots").await.value().as_array().unwrap().clone()
}

async fn amount(client: &Client<'_>, currency: &str) -> String {
    let all = jackpots(client).await;
    let one = all.iter().find(|jackpot| jackpot["currency"] == currency).unwrap();
    one["amount"].as_str().unwrap().to_owned()
}

/// Waits until the cached amount has expired.
async fn a_moment() {
    tokio::time::sleep(std::time::Duration::from_millis(1_100)).await;
}

async fn deposit(test: &TestApp, client: &Client<'_>, millions: i64) {
    let id = client.get("/wps/member/info").await.value()["id"].as_str().unwrap().to_owned();
    let now = test.app.clock.now();
    let mut tx = test.app.db.begin().await.unwrap();
    let bank = Account::House(House::Bank);
    let amount = format!("{millions}000000").parse().unwrap();
    let posting = Posting {
        holder_id: id.parse().unwrap(),
        key: Key::new(format!("deposit-{millions}"), "test", ""),
        reference: new_id(now),
        transfers: vec![Transfer::new(bank, Account::Main, amount, Reason::Deposit)],
    };
    post_one(&mut tx, posting, now).await.unwrap();
    tx.commit().await.unwrap();
}

/// Raises the limits so that a stake can win with certainty.
async fn lift_limits(test: &TestApp) {
    offer_all(test).await;
    test.change(
        "update games_catalogue set max_stake = 100000000000, max_payout = 900000000000000000
         where code in ('windows', 'sari', 'reef')",
    )
    .await;
    a_moment().await;
}

fn spin(stake: &str) -> Value {
    json!({ "stake": stake, "choice": {} })
}

#[tokio::test]
async fn one_percent_of_each_stake_goes_into_the_pool_of_its_money() {
    let test = TestApp::new().await;
    offer_all(&test).await;
    let (maria, guest) = (test.member("maria").await, test.trial().await);
    assert_eq!(
        (amount(&maria, "PHP").await, amount(&maria, "FUN").await),
        ("10000".into(), "10000".into())
    );
    for number in 0..4 {
        let game = ["windows", "sari"][number % 2];
        let key = format!("a-spin-{number}");
        let round = play(&maria, game, &key, &spin("12.5")).await.value().clone();
        assert!(round["jackpot"].is_null());
        let drawn =
            round["book"].as_array().unwrap().iter().find(|event| event["type"] == "jackpot");
        assert_eq!(drawn.unwrap()["won"], false);
    }
    play(&guest, "sari", "a-demo-spin", &spin("7")).await.value();
    play(&maria, "reef", "not-feeding", &spin("100")).await.value();
    a_moment().await;
    assert_eq!(
        (amount(&maria, "PHP").await, amount(&maria, "FUN").await),
        ("10000.5".into(), "10000.07".into())
    );
    test.assert_ledger_is_sound().await;
    studio::settle_jackpots(&test.app.studio).await.unwrap();
    a_moment().await;
    assert_eq!(amount(&maria, "PHP").await, "10000.5");
    assert_eq!(jackpots(&maria).await[0]["games"], json!(["windows", "sari"]));
    test.assert_ledger_is_sound().await;
}

#[tokio::test]
async fn a_hit_takes_the_whole_pool_and_the_next_begins() {
    let test = TestApp::new().await;
    lift_limits(&test).await;
    let maria = test.member("maria").await;
    deposit(&test, &maria, 20).await;
    play(&maria, "windows", "feeding-it", &spin("100")).await.value();
    let round = play(&maria, "windows", "the-sure-one", &spin(SURE)).await.value().clone();
    // The house's 10,000, and one percent of 100 and of five million.
    assert_eq!(round["jackpot"], "60001");
    let paid: f64 = round["balance"]["balance"].as_str().unwrap().parse().unwrap();
    let now: f64 = maria.balance().await.parse().unwrap();
    assert!((now - paid - 60_001.0).abs() < 0.001);
    a_moment().await;
    let all = jackpots(&maria).await;
    assert_eq!(all[0]["amount"], "10000");
    assert_eq!(all[0]["lastWin"]["amount"], "60001");
    let record = maria.get("/lgw/play/rounds?gameCode=windows").await;
    assert_eq!(record.value()["content"][0]["jackpot"], "60001");
    // Sending the same request again pays nothing again.
    play(&maria, "windows", "the-sure-one", &spin(SURE)).await.value();
    studio::settle_jackpots(&test.app.studio).await.unwrap();
    assert_eq!(maria.balance().await.parse::<f64>().unwrap(), now);
    test.assert_ledger_is_sound().await;
}

/// `JACKPOT_HITS` makes the test larger.
#[tokio::test]
async fn racing_hits_take_one_generation_each() {
    let count = std::env::var("JACKPOT_HITS").map_or(40, |text| text.parse::<usize>().unwrap());
    let test = TestApp::new().await;
    lift_limits(&test).await;
    let members = ["maria", "jose", "andres", "gabriela"];
    let members = join_all(members.map(async |name| test.member(name).await)).await;
    for member in &members {
        deposit(&test, member, 2 * i64::try_from(count).unwrap()).await;
    }
    let hits = (0..count).map(|number| {
        let (member, game) = (&members[number % 4], ["windows", "sari"][number % 2]);
        async move { play(member, game, &format!("racing-{number}"), &spin(SURE)).await }
    });
    let rounds = join_all(hits).await;
    assert!(rounds.iter().all(|round| round.status.is_success()));
    // Jackpots that were not paid immediately are paid by the job.
    for _ in 0..=count / 100 {
        studio::settle_jackpots(&test.app.studio).await.unwrap();
    }
    let won: Vec<(i64, i64)> =
        sqlx::query_as("select generation, amount from studio_jackpot_wins order by generation")
            .fetch_all(&test.owner)
            .await
            .unwrap();
    assert_eq!(won.len(), count);
    let total: i64 = won.iter().map(|(_, amount)| amount).sum();
    // Each payout is the house's 10,000 and one percent of five million, and everything was paid.
    assert_eq!(total, i64::try_from(count).unwrap() * (10_000 + 50_000) * 10_000);
    assert!(won.iter().zip(1..).all(|((generation, _), number)| *generation == number));
    test.assert_ledger_is_sound().await;
}

#[tokio::test]
async fn a_hit_whose_payment_was_interrupted_is_paid_by_the_job() {
    let test = TestApp::new().await;
    lift_limits(&test).await;
    let maria = test.member("maria").await;
    deposit(&test, &maria, 10).await;
    play(&maria, "sari", "the-sure-one", &spin(SURE)).await.value();
    let after = maria.balance().await;
    // As if the server had died between the round and its payout.
    let again = play(&maria, "sari", "a-second-one", &spin("5")).await;
    let id = again.value()["id"].as_str().unwrap().to_owned();
    test.change(&format!(
        "insert into studio_jackpot_hits (member_id, round_id, merchant_id, currency, hit_at)
         select member_id, id, merchant_id, currency, played_at from games_rounds where id = '{id}'"
    ))
    .await;
    studio::settle_jackpots(&test.app.studio).await.unwrap();
    let now = maria.balance().await;
    assert!(now.parse::<f64>().unwrap() > after.parse::<f64>().unwrap() + 9_000.0);
    studio::settle_jackpots(&test.app.studio).await.unwrap();
    assert_eq!(maria.balance().await, now);
    test.assert_ledger_is_sound().await;
}
