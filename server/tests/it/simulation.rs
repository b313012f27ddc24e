//! Simulation: a seeded generator runs mixed operations against the real ledger and against a small
//! model in memory, and compares them after every step. `SIM_SEEDS` and `SIM_STEPS` make it longer,
//! `SIM_SEED` repeats one run.

use std::collections::{BTreeMap, HashMap};

use axum::http::StatusCode;
use capiz_rules::money::{Amount, Currency};
use futures_util::future::join_all;
use platform::ids::new_id;
use serde_json::{Value, json};
use uuid::Uuid;
use wallet::{
    self, Account, Escrow, Hold, House, Key, MemberTransfer, PostError, Posted, Posting, Reason,
    Transfer, Vendor,
};

use crate::harness::{Client, TestApp};

const MEMBERS: usize = 5;

/// Fail points at which batches fail at random: before and after every step of the writer.
const FAILURES: &str = "wallet.taken=error%2;wallet.locked=error%2;wallet.decided=error%2;\
    wallet.written=error%2;wallet.recorded=error%2;wallet.committed=error%6;\
    wallet.decided=panic%1";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_ledger_does_what_the_model_does() {
    let number = |name: &str, default: u64| {
        std::env::var(name).map_or(default, |text| text.parse().expect("a number"))
    };
    let first = number("SIM_SEED", 1);
    let seeds = if std::env::var("SIM_SEED").is_ok() { 1 } else { number("SIM_SEEDS", 3) };
    for seed in first..first + seeds {
        // Printed when the test fails.
        println!("SIM_SEED={seed}");
        run(seed, number("SIM_STEPS", 150)).await;
    }
}

async fn run(seed: u64, steps: u64) {
    let test = TestApp::failing(FAILURES, seed).await;
    let mut players = Vec::new();
    for index in 0..MEMBERS {
        players.push(test.member(&format!("member{index}")).await);
    }
    let mut world = World::new(&test, seed).await;
    for step in 0..steps {
        match world.dice.below(10) {
            0..=3 => world.play(&players, step).await,
            4 => world.replay(step).await,
            _ => world.act(step).await,
        }
        world.compare(step).await;
    }
    test.assert_ledger_is_sound().await;
}

/// A random number generator (SplitMix64).
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % u64::try_from(bound).unwrap()).unwrap()
    }

    fn pick<T: Clone>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())].clone()
    }

    /// A random number of pesos, sometimes more than any member has.
    fn amount(&mut self) -> i64 {
        let most = self.pick(&[20, 200, 2_000, 20_000]);
        i64::try_from(self.below(most) + 1).unwrap() * 10_000
    }
}

/// The operations besides rounds.
#[derive(Clone, Debug, PartialEq)]
enum Action {
    /// One transfer of a member.
    Move(Account, Account, Reason, i64),
    Hold(Uuid, i64),
    Capture(Uuid, i64),
    Release(Uuid),
    Reverse(i64),
    Send(Uuid, i64),
    PayIn(Uuid, i64),
    PayOut(Uuid, i64),
}

/// Why an operation must be refused.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Refusal {
    Funds,
    Impossible,
    KeyReused,
}

impl Refusal {
    fn of(error: &PostError) -> Self {
        match error {
            PostError::InsufficientFunds => Self::Funds,
            PostError::Impossible(_) => Self::Impossible,
            PostError::KeyReused => Self::KeyReused,
            other => panic!("not expected: {other}"),
        }
    }
}

/// A transfer in the model.
#[derive(Clone, Debug)]
struct Leg {
    debit: Account,
    credit: Account,
    amount: i64,
    is_reversal: bool,
    is_undone: bool,
}

/// A holder in the model.
#[derive(Clone, Debug, Default)]
struct Holder {
    balances: BTreeMap<String, i64>,
    legs: Vec<Leg>,
    holds: HashMap<Uuid, i64>,
}

impl Holder {
    fn balance(&self, account: &str) -> i64 {
        self.balances.get(account).copied().unwrap_or(0)
    }

    fn apply(&mut self, leg: Leg) -> Result<(), Refusal> {
        for (account, amount) in [(&leg.debit, -leg.amount), (&leg.credit, leg.amount)] {
            if account.is_house() {
                continue;
            }
            let name = account.name(Currency::Php).into_owned();
            let after = self.balance(&name) + amount;
            if after < 0 {
                return Err(Refusal::Funds);
            }
            self.balances.insert(name, after);
        }
        self.legs.push(leg);
        Ok(())
    }

    fn transfer(&mut self, debit: Account, credit: Account, amount: i64) -> Result<(), Refusal> {
        self.apply(Leg { debit, credit, amount, is_reversal: false, is_undone: false })
    }

    fn end_hold(&mut self, id: Uuid, taken: i64) -> Result<(), Refusal> {
        let amount = self.holds.get(&id).copied().ok_or(Refusal::Impossible)?;
        if taken > amount {
            return Err(Refusal::Impossible);
        }
        self.holds.remove(&id);
        if taken > 0 {
            self.transfer(Account::Held, Account::House(House::Bank), taken)?;
        }
        if amount > taken {
            self.transfer(Account::Held, Account::Main, amount - taken)?;
        }
        Ok(())
    }

    fn reverse(&mut self, seq: i64) -> Result<(), Refusal> {
        let index = usize::try_from(seq - 1).unwrap();
        let leg = self.legs.get(index).cloned().ok_or(Refusal::Impossible)?;
        let is_half =
            |account: &Account| matches!(account, Account::Held | Account::House(House::Transit));
        if leg.is_reversal || leg.is_undone || is_half(&leg.debit) || is_half(&leg.credit) {
            return Err(Refusal::Impossible);
        }
        let Leg { debit, credit, amount, .. } = leg;
        let undoing =
            Leg { debit: credit, credit: debit, amount, is_reversal: true, is_undone: false };
        self.apply(undoing)?;
        self.legs[index].is_undone = true;
        Ok(())
    }

    fn seq(&self) -> i64 {
        i64::try_from(self.legs.len()).unwrap()
    }
}

/// An operation that was done under an idempotency key.
#[derive(Clone, Debug)]
struct Done {
    who: Uuid,
    key: String,
    action: Action,
    posted: Posted,
}

struct World<'a> {
    test: &'a TestApp,
    dice: Dice,
    members: Vec<Uuid>,
    escrow: Uuid,
    holders: BTreeMap<Uuid, Holder>,
    holds: Vec<(Uuid, Uuid)>,
    done: Vec<Done>,
    /// Rounds: the player, the key, the body and the response.
    rounds: Vec<(usize, String, Value, Value)>,
}

impl<'a> World<'a> {
    async fn new(test: &'a TestApp, seed: u64) -> Self {
        let members: Vec<Uuid> = sqlx::query_scalar(
            "select member_id from members_profiles order by registered_at, member_id",
        )
        .fetch_all(&test.owner)
        .await
        .unwrap();
        let merchant: Uuid = sqlx::query_scalar("select id from site_merchants")
            .fetch_one(&test.owner)
            .await
            .unwrap();
        let now = test.app.clock.now();
        let escrow = new_id(now);
        let mut tx = test.app.db.begin().await.unwrap();
        let pool = Escrow { id: escrow, pool_id: new_id(now), generation: 1, purpose: "a jackpot" };
        wallet::open_escrow(&mut tx, pool, (merchant, Currency::Php), now).await.unwrap();
        tx.commit().await.unwrap();
        let mut holders: BTreeMap<Uuid, Holder> = BTreeMap::from([(escrow, Holder::default())]);
        for id in &members {
            let mut holder = Holder::default();
            let gift = Account::House(House::Promotions);
            holder.transfer(gift, Account::Main, 10_000_000).unwrap();
            holders.insert(*id, holder);
        }
        let (holds, done, rounds) = (Vec::new(), Vec::new(), Vec::new());
        Self { test, dice: Dice(seed), members, escrow, holders, holds, done, rounds }
    }

    /// Plays concurrent rounds of several members, some of them of the same member.
    async fn play(&mut self, players: &[Client<'_>], step: u64) {
        let mut requests = Vec::new();
        for turn in 0..self.dice.below(12) + 1 {
            let who = self.dice.below(MEMBERS);
            let stake = Amount::from_units(self.dice.amount().min(100_000_000));
            let body =
                json!({ "stake": stake, "choice": { "target": 4950, "direction": "under" } });
            requests.push((who, format!("round-{step}-{turn}"), body));
        }
        let answers = requests.iter().map(|(who, key, body)| play(&players[*who], key, body));
        let answers = join_all(answers).await;
        let (mut accepted, mut refused) = (Vec::new(), Vec::new());
        for ((who, key, body), answer) in requests.into_iter().zip(answers) {
            match answer {
                Some(value) => accepted.push((who, key, body, value)),
                None => refused.push((who, body)),
            }
        }
        let balance = |world: &Self, who: usize| world.holders[&world.members[who]].balance("main");
        let mut lowest: Vec<_> = (0..MEMBERS).map(|who| balance(self, who)).collect();
        // The versions of a member's balance give the order in which the rounds were decided.
        accepted.sort_by_key(|(_, _, _, value)| value["balance"]["version"].as_i64());
        for (who, key, body, value) in accepted {
            let holder = self.holders.get_mut(&self.members[who]).unwrap();
            let units = |name: &str| value[name].as_str().unwrap().parse::<Amount>().unwrap();
            let games = || Account::House(House::Games);
            let stake = units("stake").units();
            holder.transfer(Account::Main, games(), stake).expect("nobody plays on credit");
            if units("payout").is_positive() {
                holder.transfer(games(), Account::Main, units("payout").units()).unwrap();
            }
            assert_eq!(value["balance"]["version"], holder.seq(), "step {step}");
            let shown = Amount::from_units(holder.balance("main")).to_string();
            assert_eq!(value["balance"]["balance"], shown, "step {step}");
            self.rounds.push((who, key, body, value));
            lowest[who] = lowest[who].min(balance(self, who));
        }
        for (who, body) in refused {
            let stake = body["stake"].as_str().unwrap().parse::<Amount>().unwrap();
            assert!(lowest[who] < stake.units(), "step {step}: {stake} was refused to the rich");
        }
        self.ask_again(players, step).await;
    }

    /// Repeats an earlier round: the same body gives the same response, another body is refused.
    async fn ask_again(&mut self, players: &[Client<'_>], step: u64) {
        if self.rounds.is_empty() {
            return;
        }
        let (who, key, body, value) = self.dice.pick(&self.rounds);
        assert_eq!(play(&players[who], &key, &body).await, Some(value), "step {step}: {key}");
        let other = json!({ "stake": "7", "choice": { "target": 1234, "direction": "over" } });
        let answer = retried(&players[who], &key, &other).await;
        assert_eq!(answer.body["code"], "wallet.key_reused", "step {step}: {}", answer.text);
    }

    /// Performs an operation that is no round.
    async fn act(&mut self, step: u64) {
        let who = self.dice.pick(&self.members);
        let action = self.choose(who);
        let key = format!("action-{step}");
        let before = self.holders.clone();
        let expected = self.expect(who, &action);
        let got = perform(self.test, (who, self.escrow), &action, &key).await;
        match (expected, got) {
            (Ok(()), Ok(posted)) => {
                let payer = if matches!(action, Action::PayOut(..)) { self.escrow } else { who };
                let holder = &self.holders[&payer];
                assert_eq!(posted.version, holder.seq(), "step {step}: {action:?}");
                assert_eq!(posted.balance.units(), holder.balance("main"), "step {step}");
                assert!(!posted.is_replay);
                if let Action::Hold(id, _) = action {
                    self.holds.push((who, id));
                }
                self.done.push(Done { who, key, action, posted });
            }
            (Err(expected), Err(error)) => {
                assert_eq!(Refusal::of(&error), expected, "step {step}: {action:?}: {error}");
                self.holders = before;
            }
            (expected, got) => panic!("step {step}: {action:?}: {expected:?}, but {got:?}"),
        }
    }

    fn choose(&mut self, who: Uuid) -> Action {
        let amount = self.dice.amount();
        let vendor = || Account::Vendor(Vendor::new("ACME").unwrap());
        let of = Account::House;
        let (main, bonus, points) = (Account::Main, Account::Bonus, Account::Points);
        let mine: Vec<_> =
            self.holds.iter().filter(|(owner, _)| *owner == who).map(|(_, id)| *id).collect();
        let hold = if mine.is_empty() { Uuid::nil() } else { self.dice.pick(&mine) };
        let legs = self.holders[&who].legs.len();
        match self.dice.below(17) {
            0 => Action::Move(of(House::Bank), main, Reason::Deposit, amount),
            1 => Action::Move(of(House::Promotions), bonus, Reason::Bonus, amount),
            2 => Action::Move(bonus, main, Reason::BonusPaid, amount),
            3 => Action::Move(bonus, of(House::Promotions), Reason::BonusEnded, amount),
            4 => Action::Move(of(House::Points), points, Reason::PointsEarned, amount),
            5 => Action::Move(points, of(House::Points), Reason::PointsSpent, amount),
            6 => Action::Move(main, vendor(), Reason::VendorIn, amount),
            7 => Action::Move(vendor(), main, Reason::VendorOut, amount),
            8 | 9 => Action::Hold(new_id(self.test.app.clock.now()), amount),
            10 => Action::Capture(hold, amount),
            11 => Action::Release(hold),
            12 => Action::Reverse(i64::try_from(self.dice.below(legs + 1) + 1).unwrap()),
            13 | 14 => {
                let to = self.dice.pick(&self.members.clone());
                Action::Send(to, amount)
            }
            15 => Action::PayIn(self.escrow, amount),
            _ => Action::PayOut(self.escrow, amount),
        }
    }

    /// Applies to the model what the ledger must do.
    fn expect(&mut self, who: Uuid, action: &Action) -> Result<(), Refusal> {
        let transit = || Account::House(House::Transit);
        let escrow = self.escrow;
        let mut through = |from: Uuid, to: Uuid, amount: i64| {
            if from == to {
                return Err(Refusal::Impossible);
            }
            self.holders.get_mut(&from).unwrap().transfer(Account::Main, transit(), amount)?;
            self.holders.get_mut(&to).unwrap().transfer(transit(), Account::Main, amount)
        };
        match action {
            Action::Send(to, amount) => return through(who, *to, *amount),
            Action::PayIn(_, amount) => return through(who, escrow, *amount),
            Action::PayOut(_, amount) => return through(escrow, who, *amount),
            _ => {}
        }
        let holder = self.holders.get_mut(&who).unwrap();
        match action {
            Action::Move(debit, credit, _, amount) => {
                holder.transfer(debit.clone(), credit.clone(), *amount)
            }
            Action::Hold(id, amount) => {
                holder.transfer(Account::Main, Account::Held, *amount)?;
                holder.holds.insert(*id, *amount);
                Ok(())
            }
            Action::Capture(id, amount) => holder.end_hold(*id, *amount),
            Action::Release(id) => holder.end_hold(*id, 0),
            Action::Reverse(seq) => holder.reverse(*seq),
            _ => unreachable!(),
        }
    }

    /// Repeats an earlier operation under its key, or sends another operation under it.
    async fn replay(&mut self, step: u64) {
        if self.done.is_empty() {
            return;
        }
        let Done { who, key, action, posted } = self.dice.pick(&self.done);
        let again = perform(self.test, (who, self.escrow), &action, &key).await;
        let again = again.unwrap_or_else(|error| panic!("step {step}: {action:?}: {error}"));
        assert!(again.is_replay, "step {step}: {action:?}");
        assert_eq!(again.reference, posted.reference, "step {step}");
        assert_eq!(again.version, posted.version, "step {step}: {action:?}");
        let deposit = (Account::House(House::Bank), Account::Main, Reason::Deposit);
        let other = Action::Move(deposit.0, deposit.1, deposit.2, 77);
        let payer = if matches!(action, Action::PayOut(..)) { self.escrow } else { who };
        let refused = perform(self.test, (payer, self.escrow), &other, &key).await;
        assert_eq!(Refusal::of(&refused.unwrap_err()), Refusal::KeyReused, "step {step}");
    }

    /// Compares the database with the model.
    async fn compare(&self, step: u64) {
        type Row = (Uuid, i64, i64, i64, i64, i64);
        let rows: Vec<Row> =
            sqlx::query_as("select holder_id, main, held, bonus, points, seq from wallet_holders")
                .fetch_all(&self.test.owner)
                .await
                .unwrap();
        assert_eq!(rows.len(), self.holders.len());
        for (id, main, held, bonus, points, seq) in rows {
            let holder = &self.holders[&id];
            let model = ["main", "held", "bonus", "points"].map(|name| holder.balance(name));
            assert_eq!([main, held, bonus, points], model, "step {step}: {id}");
            assert_eq!(seq, holder.seq(), "step {step}: {id}");
        }
        let wallets: Vec<(Uuid, i64)> =
            sqlx::query_as("select holder_id, balance from wallet_vendors")
                .fetch_all(&self.test.owner)
                .await
                .unwrap();
        for (id, balance) in wallets {
            assert_eq!(balance, self.holders[&id].balance("vendor:ACME"), "step {step}");
        }
    }
}

/// Plays a round, and retries with the same key while the outcome is unknown. `None` if the balance
/// is too small.
async fn play(player: &Client<'_>, key: &str, body: &Value) -> Option<Value> {
    let answer = retried(player, key, body).await;
    if answer.status == StatusCode::OK {
        return Some(answer.value().clone());
    }
    answer.assert_refused(409, "wallet.insufficient_funds");
    None
}

async fn retried(player: &Client<'_>, key: &str, body: &Value) -> crate::harness::Answer {
    for _ in 0..50 {
        let answer = player.play(key, body).await;
        if answer.status != StatusCode::SERVICE_UNAVAILABLE {
            return answer;
        }
    }
    panic!("{key} gets no answer");
}

async fn perform(
    test: &TestApp,
    (who, escrow): (Uuid, Uuid),
    action: &Action,
    key: &str,
) -> Result<Posted, PostError> {
    let now = test.app.clock.now();
    let key = Key::new(key.to_owned(), "simulation", &format!("{action:?}"));
    let units = |amount: &i64| Amount::from_units(*amount);
    let hold = |id: &Uuid| Hold { holder_id: who, id: *id };
    let mut tx = test.app.db.begin().await?;
    let posted = match action {
        Action::Move(debit, credit, reason, amount) => {
            let transfer = Transfer::new(debit.clone(), credit.clone(), units(amount), *reason);
            let reference = Uuid::nil();
            let posting = Posting { holder_id: who, key, reference, transfers: vec![transfer] };
            wallet::post_one(&mut tx, posting, now).await
        }
        Action::Hold(id, amount) => wallet::hold(&mut tx, hold(id), units(amount), key, now).await,
        Action::Capture(id, amount) => {
            let taken = (units(amount), House::Bank, Reason::Withdrawal);
            wallet::capture(&mut tx, hold(id), taken, key, now).await
        }
        Action::Release(id) => wallet::release(&mut tx, hold(id), key, now).await,
        Action::Reverse(seq) => wallet::reverse(&mut tx, (who, *seq), key, now).await,
        Action::Send(to, amount) => {
            wallet::send(&mut tx, member_transfer(who, *to, *amount), key, now).await
        }
        Action::PayIn(_, amount) => {
            wallet::pay_in(&mut tx, member_transfer(who, escrow, *amount), key, now).await
        }
        Action::PayOut(_, amount) => {
            wallet::pay_out(&mut tx, member_transfer(escrow, who, *amount), key, now).await
        }
    }?;
    tx.commit().await?;
    Ok(posted)
}

fn member_transfer(from: Uuid, to: Uuid, amount: i64) -> MemberTransfer {
    MemberTransfer { from, to, amount: Amount::from_units(amount), reference: Uuid::nil() }
}
