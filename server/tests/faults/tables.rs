//! Checks the tables without the server's code. All SQL of the fault tests that knows the tables is
//! in this file.

use sqlx::{Connection as _, PgConnection};

/// The welcome credit of every new member, in ten-thousandths.
const WELCOME: i64 = 10_000_000;

/// Figures of a database without demo data.
#[derive(Debug)]
pub struct Figures {
    pub rounds: i64,
    pub negative_balances: i64,
    /// Seeds whose nonces are not 0, 1, 2 and so on.
    pub broken_seeds: i64,
    /// Credits and net winnings minus all balances; must be zero.
    pub missing_money: i64,
    /// Rounds with an earlier time than the round with the previous nonce.
    pub out_of_order: i64,
}

async fn number(database: &mut PgConnection, sql: &'static str) -> i64 {
    sqlx::query_scalar(sql).fetch_one(database).await.expect("a number")
}

pub async fn inspect(url: &str) -> Figures {
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
    let figures = Figures {
        rounds: number(db, "select count(*) from games_rounds").await,
        negative_balances: number(db, negative).await,
        broken_seeds: number(db, broken).await,
        missing_money: given + number(db, played).await - number(db, held).await,
        out_of_order: number(db, turned).await,
    };
    database.close().await.expect("closed");
    figures
}

/// Transactions that nobody continues.
pub async fn stale_transactions(url: &str) -> i64 {
    let mut database = PgConnection::connect(url).await.expect("the database");
    let stale = "select count(*) from pg_stat_activity
        where state like 'idle in transaction%' and state_change < now() - interval '3 seconds'";
    let count = number(&mut database, stale).await;
    database.close().await.expect("closed");
    count
}

/// Transactions that are idle at this moment.
pub async fn idle_transactions(database: &mut PgConnection) -> i64 {
    let idle = "select count(*) from pg_stat_activity where state like 'idle in transaction%'";
    number(database, idle).await
}
