//! What the tables themselves say, asked without the server's code. All SQL that knows their
//! shape stands here.

use sqlx::{Connection as _, PgConnection};

/// In ten-thousandths: what every new member is given.
const WELCOME: i64 = 10_000_000;

/// What was found in a database without demo data.
#[derive(Debug)]
pub struct Found {
    pub rounds: i64,
    pub negative_balances: i64,
    /// Seeds whose nonces are not 0, 1, 2 and so on.
    pub broken_seeds: i64,
    /// All balances less what was given and won, plus what was staked: nothing.
    pub missing_money: i64,
    /// Rounds that were played before the one with the nonce before theirs, by their clock.
    pub turned_back: i64,
}

async fn number(database: &mut PgConnection, sql: &'static str) -> i64 {
    sqlx::query_scalar(sql).fetch_one(database).await.expect("a number")
}

pub async fn look(url: &str) -> Found {
    let mut database = PgConnection::connect(url).await.expect("the database");
    let db = &mut database;
    let played = "select coalesce(sum(payout - stake), 0)::bigint from games_rounds";
    let members = "select count(*) from wallet_holders where kind = 'member' and currency = 'PHP'";
    let held = "select coalesce(sum(main), 0)::bigint from wallet_holders
        where kind = 'member' and currency = 'PHP'";
    let negative = "select count(*) from wallet_holders where least(main, held, bonus, points) < 0";
    let broken = "select count(*) from (
        select 1 from games_rounds group by member_id, seed_id
        having min(nonce) <> 0 or max(nonce) <> count(*) - 1) seeds";
    let turned = "select count(*) from (
        select played_at < lag(played_at) over (partition by seed_id order by nonce) as back
        from games_rounds) rounds where back";
    let given = number(db, members).await * WELCOME;
    let found = Found {
        rounds: number(db, "select count(*) from games_rounds").await,
        negative_balances: number(db, negative).await,
        broken_seeds: number(db, broken).await,
        missing_money: given + number(db, played).await - number(db, held).await,
        turned_back: number(db, turned).await,
    };
    database.close().await.expect("closed");
    found
}

/// Transactions that nobody goes on with.
pub async fn stale_transactions(url: &str) -> i64 {
    let mut database = PgConnection::connect(url).await.expect("the database");
    let stale = "select count(*) from pg_stat_activity
        where state like 'idle in transaction%' and state_change < now() - interval '3 seconds'";
    let count = number(&mut database, stale).await;
    database.close().await.expect("closed");
    count
}

/// Transactions that wait for their owner at this moment.
pub async fn idle_transactions(database: &mut PgConnection) -> i64 {
    let idle = "select count(*) from pg_stat_activity where state like 'idle in transaction%'";
    number(database, idle).await
}
