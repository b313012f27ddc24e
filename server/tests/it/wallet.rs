//! The ledger's interface: holds, reversals, transfers between members, escrows, idempotency keys,
//! the account record, proofs, and the writer when it is full, in conflict, or shutting down.

use std::cell::Cell;
use std::sync::Arc;

use axum::http::StatusCode;
use capiz::App;
use capiz_rules::chain::{Entry, START};
use capiz_rules::merkle::{Leaf, Node, Side, Step, fold};
use capiz_rules::money::{Amount, Currency};
use futures_util::FutureExt;
use futures_util::future::join_all;
use platform::fail::FailPoints;
use platform::ids::new_id;
use serde_json::{Value, json};
use uuid::Uuid;
use wallet::{
    self, Account, Escrow, Hold, House, Key, MemberTransfer, PostError, Posted, Posting, Reason,
    Size, Transfer, Writer, WriterDeps,
};

use crate::harness::{Client, TestApp};

fn pesos(whole: i64) -> Amount {
    Amount::from_whole(whole).unwrap()
}

fn key(text: &str) -> Key {
    Key::new(text.to_owned(), "test", "")
}

async fn id_of(client: &Client<'_>) -> Uuid {
    let answer = client.get("/wps/v2/wallets/transfers").await;
    answer.value()["holderId"].as_str().unwrap().parse().unwrap()
}

/// Runs work in a transaction, and commits it if the work succeeds.
macro_rules! in_tx {
    ($test:expr, |$tx:ident| $work:expr) => {{
        let mut tx = $test.app.db.begin().await.unwrap();
        let $tx = &mut tx;
        let done = $work.await;
        if done.is_ok() {
            tx.commit().await.unwrap();
        }
        done
    }};
}

#[tokio::test]
async fn a_hold_is_taken_or_given_back_once() {
    let test = TestApp::new().await;
    let maria = test.member("maria").await;
    let now = test.app.clock.now();
    let hold = Hold { holder_id: id_of(&maria).await, id: new_id(now) };
    in_tx!(test, |tx| wallet::hold(tx, hold, pesos(300), key("hold"), now)).unwrap();
    assert_eq!(maria.balance().await, "700");
    let taken = || (pesos(120), House::Bank, Reason::Withdrawal);
    let too_much = (pesos(301), House::Bank, Reason::Withdrawal);
    let refused = in_tx!(test, |tx| wallet::capture(tx, hold, too_much, key("much"), now));
    assert!(matches!(refused, Err(PostError::Impossible(_))), "{refused:?}");
    let first = in_tx!(test, |tx| wallet::capture(tx, hold, taken(), key("take"), now)).unwrap();
    assert_eq!((maria.balance().await.as_str(), first.balance), ("880", pesos(880)));
    let again = in_tx!(test, |tx| wallet::capture(tx, hold, taken(), key("take"), now)).unwrap();
    assert_eq!(again, Posted { is_replay: true, ..first });
    let late = in_tx!(test, |tx| wallet::release(tx, hold, key("late"), now));
    assert!(matches!(late, Err(PostError::Impossible(_))), "{late:?}");
    test.assert_ledger_is_sound().await;
}

#[tokio::test]
async fn a_transfer_is_undone_once_and_points_to_what_it_undoes() {
    let test = TestApp::new().await;
    let maria = test.member("maria").await;
    let (id, now) = (id_of(&maria).await, test.app.clock.now());
    let undo = |text: &'static str| key(text);
    in_tx!(test, |tx| wallet::reverse(tx, (id, 1), undo("first"), now)).unwrap();
    assert_eq!(maria.balance().await, "0");
    for (seq, name) in [(1, "second"), (2, "the-undoing"), (9, "nothing")] {
        let refused = in_tx!(test, |tx| wallet::reverse(tx, (id, seq), undo(name), now));
        assert!(matches!(refused, Err(PostError::Impossible(_))), "{name}: {refused:?}");
    }
    let record = maria.get("/wps/v2/wallets/transfers").await;
    assert_eq!(record.value()["content"][0]["reverses"], 1);
    assert_eq!(record.value()["content"][0]["kind"], "reversal");
    test.assert_ledger_is_sound().await;
}

#[tokio::test]
async fn a_pool_generation_exists_once_and_closes_empty() {
    let test = TestApp::new().await;
    let maria = test.member("maria").await;
    let (id, now) = (id_of(&maria).await, test.app.clock.now());
    let merchant: Uuid =
        sqlx::query_scalar("select id from site_merchants").fetch_one(&test.owner).await.unwrap();
    let pool = new_id(now);
    let escrow = |id| Escrow { id, pool_id: pool, generation: 1, purpose: "a jackpot" };
    let of = (merchant, Currency::Php);
    let jackpot = new_id(now);
    in_tx!(test, |tx| wallet::open_escrow(tx, escrow(jackpot), of, now)).unwrap();
    let twice = in_tx!(test, |tx| wallet::open_escrow(tx, escrow(new_id(now)), of, now));
    assert!(matches!(twice, Err(PostError::Database(_))), "{twice:?}");
    let round = new_id(now);
    let member_transfer =
        |from, to, whole| MemberTransfer { from, to, amount: pesos(whole), reference: round };
    let paid = member_transfer(id, jackpot, 50);
    in_tx!(test, |tx| wallet::pay_in(tx, paid, key("in"), now)).unwrap();
    let full = in_tx!(test, |tx| wallet::close_escrow(tx, jackpot, now));
    assert!(matches!(full, Err(PostError::Impossible(_))), "{full:?}");
    let over = member_transfer(jackpot, id, 51);
    let refused = in_tx!(test, |tx| wallet::pay_out(tx, over, key("over"), now));
    assert!(matches!(refused, Err(PostError::InsufficientFunds)), "{refused:?}");
    let won = member_transfer(jackpot, id, 50);
    in_tx!(test, |tx| wallet::pay_out(tx, won, key("out"), now)).unwrap();
    in_tx!(test, |tx| wallet::close_escrow(tx, jackpot, now)).unwrap();
    let closed = in_tx!(test, |tx| wallet::pay_in(tx, paid, key("late"), now));
    assert!(matches!(closed, Err(PostError::Impossible(_))), "{closed:?}");
    let again = in_tx!(test, |tx| wallet::pay_out(tx, won, key("out"), now)).unwrap();
    assert!(again.is_replay, "what was done stays done");
    assert_eq!(maria.balance().await, "1000");
    test.assert_ledger_is_sound().await;
}

#[tokio::test]
async fn money_moves_only_where_its_reason_lets_it() {
    let test = TestApp::new().await;
    let maria = test.member("maria").await;
    let (id, now) = (id_of(&maria).await, test.app.clock.now());
    let games = || Account::House(House::Games);
    for (debit, credit, amount, reason) in [
        (games(), Account::Main, pesos(5), Reason::Deposit),
        (Account::Main, Account::House(House::Bank), pesos(5), Reason::Withdrawal),
        (Account::Main, games(), Amount::ZERO, Reason::Stake),
        (Account::Main, games(), pesos(-5), Reason::Stake),
    ] {
        let transfers = vec![Transfer::new(debit, credit, amount, reason)];
        let posting = Posting { holder_id: id, key: key("k"), reference: id, transfers };
        let refused = in_tx!(test, |tx| wallet::post_one(tx, posting, now));
        assert!(matches!(refused, Err(PostError::Impossible(_))), "{refused:?}");
    }
    assert_eq!(maria.balance().await, "1000");
    test.assert_ledger_is_sound().await;
}

#[tokio::test]
async fn a_key_tells_what_became_of_it() {
    let test = TestApp::new().await;
    let (maria, jose) = (test.member("maria").await, test.member("jose").await);
    let bet = json!({ "stake": "10", "choice": { "target": 5000, "direction": "under" } });
    let played = maria.play("the-one-key", &bet).await;
    let found = maria.get("/wps/v2/wallets/transfers/key/the-one-key").await;
    assert_eq!(found.value()["reference"], played.value()["id"]);
    assert_eq!(found.value()["balance"], played.value()["balance"]);
    assert_eq!(found.value()["kind"], "stake");
    // Neither another member's key, nor a key without a transfer.
    for (who, key) in [(&jose, "the-one-key"), (&maria, "another-key")] {
        let none = who.get(&format!("/wps/v2/wallets/transfers/key/{key}")).await;
        none.assert_refused(404, "wallet.unknown_key");
    }
    let visitor = test.visitor().get("/wps/v2/wallets/transfers/key/the-one-key").await;
    visitor.assert_refused(401, "session.required");
}

#[tokio::test]
async fn the_account_record_can_be_recomputed_by_anyone() {
    let test = TestApp::new().await;
    let maria = test.member("maria").await;
    for turn in 0..30 {
        let bet = json!({ "stake": "1.5", "choice": { "target": 5000, "direction": "under" } });
        maria.play(&format!("the-round-{turn}"), &bet).await.value();
    }
    let (mut after, mut previous, mut rows) = (0, START, 0);
    let head = loop {
        let page = maria.get(&format!("/wps/v2/wallets/transfers?after={after}&limit=7")).await;
        let page = page.value().clone();
        for row in page["content"].as_array().unwrap() {
            previous = hash_of(&page, row, &previous);
            assert_eq!(row["hash"], hex::encode(previous), "{row}");
            rows += 1;
        }
        match page["next"].as_i64() {
            Some(next) => after = next,
            None => break page["head"].clone(),
        }
    };
    assert_eq!(head, json!({ "seq": rows, "hash": hex::encode(previous) }));
    let newest = maria.get("/wps/v2/wallets/transfers?limit=1").await;
    assert_eq!(newest.value()["content"][0]["seq"], rows);
    for bad in ["limit=0", "limit=101", "before=1&after=1", "after=x"] {
        let refused = maria.get(&format!("/wps/v2/wallets/transfers?{bad}")).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{bad}");
    }
}

fn hash_of(page: &Value, row: &Value, previous: &[u8; 32]) -> [u8; 32] {
    let text = |name: &str| row[name].as_str();
    let units = |name: &str| text(name).map(|text| text.parse::<Amount>().unwrap().units());
    let id = |value: &Value| value.as_str().unwrap().parse::<Uuid>().unwrap().into_bytes();
    let body_hash = text("bodyHash").map(|text| hex::decode(text).unwrap());
    let at = chrono::DateTime::parse_from_rfc3339(text("at").unwrap()).unwrap();
    let entry = Entry {
        holder: id(&page["holderId"]),
        seq: row["seq"].as_i64().unwrap(),
        merchant: id(&page["merchantId"]),
        currency: text("currency").unwrap(),
        debit: text("debit").unwrap(),
        credit: text("credit").unwrap(),
        amount: units("amount").unwrap(),
        kind: text("kind").unwrap(),
        key: text("key"),
        body_hash: body_hash.as_deref(),
        reference: id(&row["reference"]),
        debit_after: units("debitAfter"),
        credit_after: units("creditAfter"),
        at_micros: at.timestamp_micros(),
        reverses: row["reverses"].as_i64(),
    };
    entry.hash(previous)
}

#[tokio::test]
async fn every_day_proves_what_is_owed_and_everyone_can_find_themselves() {
    let test = TestApp::new().await;
    let now = test.app.clock.now();
    let day_before = now - chrono::Duration::days(1);
    wallet::publish_proofs(&test.app.wallet, day_before).await.unwrap();
    let mut members = Vec::new();
    for index in 0..5 {
        members.push(test.member(&format!("member{index}")).await);
    }
    let trial = test.trial().await;
    members[0].get("/wps/v2/wallets/proof").await.assert_refused(404, "wallet.no_proof");
    // Two nodes publish at once, and one of them again.
    let (one, other) = tokio::join!(
        wallet::publish_proofs(&test.app.wallet, now),
        wallet::publish_proofs(&test.app.wallet, now)
    );
    one.and(other).unwrap();
    wallet::publish_proofs(&test.app.wallet, now).await.unwrap();
    let late = test.member("toolate").await;
    let roots = test.visitor().get("/wps/v2/proofs").await;
    let roots = roots.value()["content"].as_array().unwrap().clone();
    assert_eq!(roots.len(), 2, "one root for a day and currency, whoever counts again");
    assert_eq!((&roots[1]["total"], &roots[1]["leaves"]), (&json!("0"), &json!(0)));
    assert_eq!((&roots[0]["total"], &roots[0]["leaves"]), (&json!("5000"), &json!(5)));
    let house: i64 =
        sqlx::query_scalar("select sum(balance)::bigint from wallet_house where currency = 'PHP'")
            .fetch_one(&test.owner)
            .await
            .unwrap();
    assert_eq!(house, -pesos(5000).units(), "what members have came from the house");
    for member in &members {
        let proof = member.get("/wps/v2/wallets/proof").await;
        assert_eq!(fold_proof(proof.value()), root_of(&roots[0]));
    }
    for stranger in [&late, &trial] {
        stranger.get("/wps/v2/wallets/proof").await.assert_refused(404, "wallet.no_proof");
    }
    // The next day has its own root, and the old one stays.
    wallet::publish_proofs(&test.app.wallet, now + chrono::Duration::days(1)).await.unwrap();
    let roots = test.visitor().get("/wps/v2/proofs?limit=1").await;
    assert_eq!(roots.value()["content"][0]["total"], "6000");
    let older = format!("/wps/v2/proofs?before={}", roots.value()["next"].as_str().unwrap());
    assert_eq!(test.visitor().get(&older).await.value()["content"][0]["total"], "5000");
}

fn bytes<const N: usize>(value: &Value) -> [u8; N] {
    hex::decode(value.as_str().unwrap()).unwrap().try_into().unwrap()
}

fn units(value: &Value) -> i64 {
    value.as_str().unwrap().parse::<Amount>().unwrap().units()
}

fn root_of(root: &Value) -> Node {
    Node { hash: bytes(&root["root"]), sum: units(&root["total"]) }
}

fn fold_proof(proof: &Value) -> Node {
    let leaf = Leaf {
        salt: bytes(&proof["salt"]),
        holder: proof["holderId"].as_str().unwrap().parse::<Uuid>().unwrap().into_bytes(),
        balance: units(&proof["balance"]),
    };
    let steps: Vec<Step> = proof["steps"].as_array().unwrap().iter().map(step_of).collect();
    fold(&leaf, &steps).unwrap()
}

fn step_of(step: &Value) -> Step {
    let side = if step["side"] == "left" { Side::Left } else { Side::Right };
    Step { side, node: Node { hash: bytes(&step["hash"]), sum: units(&step["sum"]) } }
}

/// A separate writer on the application's database.
fn writer(app: &App, fail: &str, size: Size) -> Writer<studio::Rounds> {
    let deps = WriterDeps {
        db: app.db.clone(),
        clock: app.clock.clone(),
        push: Arc::clone(&app.push),
        fail: FailPoints::parse(fail).unwrap(),
        timeouts: app.config.platform.timeouts,
    };
    Writer::start(studio::Rounds::new(app.studio.seed_vault.clone()), deps, size)
}

async fn order(test: &TestApp, member_id: Uuid) -> studio::Play {
    let merchant = test.app.site.sites.all(&test.app.db).await.unwrap().remove(0);
    let game = test.app.games.catalogue.find(&test.app.db, "dice").await.unwrap().unwrap();
    let player = studio::Player {
        member_id,
        merchant_id: merchant.id,
        kind: members::MemberKind::Member,
        currency: Currency::Php,
        is_restricted: false,
    };
    let bet = studio::Bet::new("dice", pesos(1), &json!({ "target": 5000, "direction": "under" }))
        .unwrap();
    studio::Play { player, game, bet }
}

#[tokio::test]
async fn a_full_queue_says_so_and_an_asked_end_answers_everyone() {
    let test = TestApp::new().await;
    let id = id_of(&test.member("maria").await).await;
    let size = Size { lanes: 1, batch: 2, queue: 4 };
    let writer = writer(&test.app, "wallet.taken=delay(30)", size);
    let mut posts = Vec::new();
    for number in 0..40 {
        posts.push(writer.post(id, key(&format!("k{number}")), order(&test, id).await));
    }
    let (answers, ()) = tokio::join!(join_all(posts), async {
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        writer.drain().await;
    });
    let accepted = answers.iter().filter(|answer| answer.is_ok()).count();
    assert!((4..40).contains(&accepted), "{accepted}");
    for error in answers.into_iter().filter_map(Result::err) {
        assert_eq!(error.code.text(), "server.unavailable");
        let response = axum::response::IntoResponse::into_response(error);
        assert!(response.headers().contains_key("retry-after"));
    }
    let rounds: i64 = sqlx::query_scalar("select count(*) from games_rounds")
        .fetch_one(&test.owner)
        .await
        .unwrap();
    assert_eq!(usize::try_from(rounds).unwrap(), accepted, "what was acknowledged is there");
    let late = writer.post(id, key("late"), order(&test, id).await).await;
    assert_eq!(late.unwrap_err().code.text(), "server.unavailable");
    test.assert_ledger_is_sound().await;
}

#[tokio::test]
async fn a_wallet_that_others_hold_does_not_hold_up_the_rest() {
    let test = TestApp::new().await;
    let (maria, jose) = (test.member("maria").await, test.member("jose").await);
    let (held, free) = (id_of(&maria).await, id_of(&jose).await);
    let writer = writer(&test.app, "", Size { lanes: 1, batch: 8, queue: 64 });
    let mut tx = test.app.db.begin().await.unwrap();
    wallet::Locked::lock(&mut tx, &[held]).await.unwrap();
    let waiting = writer.post(held, key("held"), order(&test, held).await);
    let passing = writer.post(free, key("free"), order(&test, free).await);
    let (first, second) = tokio::join!(waiting, async {
        let passed = passing.await;
        tx.rollback().await.unwrap();
        passed
    });
    second.unwrap();
    first.unwrap();
    test.assert_ledger_is_sound().await;
}

/// While one lane waits for a locked wallet, the other lane processes the other orders.
#[tokio::test]
async fn a_lane_that_waits_holds_up_nobody_else() {
    let test = TestApp::new().await;
    let held = id_of(&test.member("maria").await).await;
    let mut others = Vec::new();
    for index in 0..8 {
        others.push(id_of(&test.member(&format!("member{index}")).await).await);
    }
    let writer = writer(&test.app, "", Size { lanes: 2, batch: 8, queue: 64 });
    let mut tx = test.app.db.begin().await.unwrap();
    wallet::Locked::lock(&mut tx, &[held]).await.unwrap();
    let waiting = writer.post(held, key("held"), order(&test, held).await);
    let is_answered = Cell::new(false);
    let waiting = waiting.inspect(|_| is_answered.set(true));
    let (first, ()) = tokio::join!(waiting, async {
        // The order was deferred once, and is now waited for by its lane.
        wait_for_lock(&test).await;
        for id in &others {
            writer.post(*id, key("free"), order(&test, *id).await).await.unwrap();
        }
        assert!(!is_answered.get(), "the lane waited all the while");
        tx.rollback().await.unwrap();
    });
    first.unwrap();
    test.assert_ledger_is_sound().await;
}

async fn wait_for_lock(test: &TestApp) {
    while !waits_for_lock(test).await {
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
}

async fn waits_for_lock(test: &TestApp) -> bool {
    sqlx::query_scalar(
        "select exists (select from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock')",
    )
    .fetch_one(&test.owner)
    .await
    .unwrap()
}

/// A bad order in a batch is found by halving; the others are accepted.
#[tokio::test]
async fn one_bad_order_does_not_spoil_its_batch() {
    let test = TestApp::new().await;
    let mut ids = Vec::new();
    for index in 0..5 {
        ids.push(id_of(&test.member(&format!("member{index}")).await).await);
    }
    // A seed pair that cannot be decrypted, so the bet handler fails to load it.
    sqlx::query("update studio_seeds set server_seed = '\\x00' where member_id = $1")
        .bind(ids[2])
        .execute(&test.owner)
        .await
        .unwrap();
    let writer = writer(&test.app, "", Size { lanes: 1, batch: 64, queue: 64 });
    let mut posts = Vec::new();
    for id in &ids {
        posts.push(writer.post(*id, key("round"), order(&test, *id).await));
    }
    let answers = join_all(posts).await;
    for (index, answer) in answers.iter().enumerate() {
        assert_eq!(answer.is_err(), index == 2, "{index}");
    }
    test.assert_ledger_is_sound().await;
}

/// Withdrawals, transfers in both directions and rounds through two nodes at once.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn mixed_load_on_two_nodes_never_deadlocks() {
    let test = TestApp::new().await;
    let mut ids = Vec::new();
    for index in 0..4 {
        ids.push(id_of(&test.member(&format!("member{index}")).await).await);
    }
    let nodes = [
        writer(&test.app, "", Size { lanes: 2, batch: 64, queue: 512 }),
        writer(&test.app, "", Size { lanes: 2, batch: 64, queue: 512 }),
    ];
    let (test, ids, nodes) = (&test, &ids, &nodes);
    let workers = (0..8_usize).map(|worker| async move {
        for turn in 0..12_usize {
            let (from, to) = (ids[(worker + turn) % 4], ids[(worker + 2 * turn + 1) % 4]);
            let name = format!("work-{worker}-{turn}");
            match worker % 4 {
                0 => _ = move_between(test, (from, to), &name).await,
                1 => _ = withdraw(test, from, &name).await,
                _ => {
                    let post = nodes[worker % 2].post(from, key(&name), order(test, from).await);
                    match post.await {
                        Ok(_) => {}
                        Err(error) => assert_eq!(error.code.text(), "wallet.insufficient_funds"),
                    }
                }
            }
        }
    });
    join_all(workers).await;
    let deadlocks: i64 = sqlx::query_scalar(
        "select deadlocks from pg_stat_database where datname = current_database()",
    )
    .fetch_one(&test.owner)
    .await
    .unwrap();
    assert_eq!(deadlocks, 0);
    test.assert_ledger_is_sound().await;
}

async fn move_between(
    test: &TestApp,
    (from, to): (Uuid, Uuid),
    name: &str,
) -> Result<(), PostError> {
    let now = test.app.clock.now();
    let member_transfer = MemberTransfer { from, to, amount: pesos(3), reference: from };
    in_tx!(test, |tx| wallet::send(tx, member_transfer, key(name), now)).map(drop)
}

async fn withdraw(test: &TestApp, holder_id: Uuid, name: &str) -> Result<(), PostError> {
    let now = test.app.clock.now();
    let hold = Hold { holder_id, id: new_id(now) };
    in_tx!(test, |tx| wallet::hold(tx, hold, pesos(5), key(name), now))?;
    let taken = (pesos(5), House::Bank, Reason::Withdrawal);
    let ended = key(&format!("{name}-end"));
    in_tx!(test, |tx| wallet::capture(tx, hold, taken, ended, now)).map(drop)
}
