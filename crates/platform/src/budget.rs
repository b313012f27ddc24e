//! Budgets: how often something may be done, counted for all nodes together.
//!
//! Owns `platform_budgets`. A window begins with the first use of its key and is over for all
//! uses at once, so that two windows that meet may hold twice the limit between them. Keys are
//! hashed with a key of the installation: the table tells nobody's address or number.

use std::net::IpAddr;
use std::time::Duration;

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};

use super::error::ApiError;
use super::jobs::{Bounds, Registry};
use super::secret::{KeyedHash, RootKey};
use crate::codes;

const PURGE: &str = "platform.budgets.purge";
const PURGE_BATCH: i64 = 5_000;

/// What may be done how often.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Whose it is, `domain.work.key`.
    pub name: &'static str,
    /// Uses of one key in a window.
    pub limit: u32,
    /// How long a window is.
    pub window: Duration,
}

/// A budget is used up; how many seconds are left until it is whole again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RetryAfter(pub u32);

/// Why nothing was taken.
#[derive(Debug, thiserror::Error)]
pub enum TakeError {
    /// It is used up.
    #[error("a budget is used up for {} s", .0.0)]
    UsedUp(RetryAfter),
    /// It could not be asked for.
    #[error(transparent)]
    Database(#[from] sqlx::Error),
}

impl From<RetryAfter> for ApiError {
    fn from(RetryAfter(seconds): RetryAfter) -> Self {
        Self::new(codes::REQUEST_TOO_MANY).retry_after(seconds)
    }
}

impl From<TakeError> for ApiError {
    fn from(error: TakeError) -> Self {
        match error {
            TakeError::UsedUp(wait) => wait.into(),
            TakeError::Database(cause) => cause.into(),
        }
    }
}

impl RetryAfter {
    /// The wait from now to a moment, a second at least.
    pub fn until(moment: DateTime<Utc>, now: DateTime<Utc>) -> Self {
        let seconds = ((moment - now).num_milliseconds().max(0) + 999) / 1_000;
        Self(u32::try_from(seconds).unwrap_or(u32::MAX).max(1))
    }
}

/// The budgets of an installation.
#[derive(Clone)]
pub struct Budgets {
    hash: KeyedHash,
}

impl Budgets {
    /// The budgets whose keys are hashed for this installation.
    pub fn new(root: &RootKey) -> Self {
        Self { hash: KeyedHash::new(root, "platform/budgets") }
    }

    /// Takes one use, in the caller's transaction if it has one: what is undone was not used. Which
    /// one of its window it was, from 1.
    pub async fn take(
        &self,
        db: &mut PgConnection,
        budget: &Budget,
        key: &str,
        now: DateTime<Utc>,
    ) -> Result<u32, TakeError> {
        if budget.limit == 0 {
            return Err(TakeError::UsedUp(RetryAfter::until(now + budget.window, now)));
        }
        let key_hash = self.key(budget, key);
        let limit = i32::try_from(budget.limit).unwrap_or(i32::MAX);
        // A row that is used up is left alone, and so gives nothing back.
        let taken = sqlx::query_scalar!(
            r#"insert into platform_budgets as b (name, key_hash, used, ends_at)
               values ($1, $2, 1, $4)
               on conflict (name, key_hash) do update
               set used = case when b.ends_at <= $3 then 1 else b.used + 1 end,
                   ends_at = case when b.ends_at <= $3 then $4 else b.ends_at end
               where b.ends_at <= $3 or b.used < $5
               returning used"#,
            budget.name,
            &key_hash,
            now,
            now + budget.window,
            limit,
        )
        .fetch_optional(&mut *db)
        .await?;
        if let Some(used) = taken {
            return Ok(u32::try_from(used).unwrap_or(u32::MAX));
        }
        let ends_at = self.find(db, budget, key).await?.map_or(now, |(_, ends_at)| ends_at);
        Err(TakeError::UsedUp(RetryAfter::until(ends_at, now)))
    }

    /// Takes one use of each of three, one after the other, up to the first that is used up: its place
    /// among them and the wait. It is a transaction of its own that does not wait for the disk.
    pub async fn take_in_order(
        &self,
        db: &PgPool,
        wanted: [(&Budget, &str); 3],
        now: DateTime<Utc>,
    ) -> Result<Result<(), (usize, RetryAfter)>, sqlx::Error> {
        let names = wanted.map(|(budget, _)| budget.name.to_owned());
        let keys = wanted.map(|(budget, key)| self.key(budget, key).to_vec());
        let limits = wanted.map(|(budget, _)| i32::try_from(budget.limit).unwrap_or(i32::MAX));
        let ends = wanted.map(|(budget, _)| now + budget.window);
        // Each asks whether the one before it gave something back, and so is taken after it.
        let taken = sqlx::query_scalar!(
            r#"with wanted as (
                select * from unnest($1::text[], $2::bytea[], $3::int[], $4::timestamptz[])
                    with ordinality as wanted (name, key_hash, most, ends_at, place)
               ), first as (
                insert into platform_budgets as b (name, key_hash, used, ends_at)
                select name, key_hash, 1, ends_at from wanted
                where place = 1 and most > 0
                    and set_config('synchronous_commit', 'off', true) = 'off'
                on conflict (name, key_hash) do update
                set used = case when b.ends_at <= $5 then 1 else b.used + 1 end,
                    ends_at = case when b.ends_at <= $5 then excluded.ends_at else b.ends_at end
                where b.ends_at <= $5 or b.used < (select most from wanted where place = 1)
                returning used
               ), second as (
                insert into platform_budgets as b (name, key_hash, used, ends_at)
                select name, key_hash, 1, ends_at from wanted
                where place = 2 and most > 0 and exists (select from first)
                on conflict (name, key_hash) do update
                set used = case when b.ends_at <= $5 then 1 else b.used + 1 end,
                    ends_at = case when b.ends_at <= $5 then excluded.ends_at else b.ends_at end
                where b.ends_at <= $5 or b.used < (select most from wanted where place = 2)
                returning used
               ), third as (
                insert into platform_budgets as b (name, key_hash, used, ends_at)
                select name, key_hash, 1, ends_at from wanted
                where place = 3 and most > 0 and exists (select from second)
                on conflict (name, key_hash) do update
                set used = case when b.ends_at <= $5 then 1 else b.used + 1 end,
                    ends_at = case when b.ends_at <= $5 then excluded.ends_at else b.ends_at end
                where b.ends_at <= $5 or b.used < (select most from wanted where place = 3)
                returning used
               )
               select (select count(*) from first) + (select count(*) from second)
                   + (select count(*) from third) as "taken!""#,
            &names,
            &keys,
            &limits,
            &ends,
            now,
        )
        .fetch_one(db)
        .await?;
        let place = usize::try_from(taken).unwrap_or_default();
        let Some((budget, key)) = wanted.get(place) else { return Ok(Ok(())) };
        let found = self.find(&mut *db.acquire().await?, budget, key).await?;
        let ends_at = found.map_or(now, |(_, ends_at)| ends_at);
        Ok(Err((place, RetryAfter::until(ends_at, now))))
    }

    /// Counts one use without asking whether it may be: for failures.
    pub async fn count(
        &self,
        db: &mut PgConnection,
        budget: &Budget,
        key: &str,
        now: DateTime<Utc>,
    ) -> Result<(), sqlx::Error> {
        let unlimited = Budget { limit: u32::MAX, ..*budget };
        match self.take(db, &unlimited, key, now).await {
            Ok(_) | Err(TakeError::UsedUp(_)) => Ok(()),
            Err(TakeError::Database(error)) => Err(error),
        }
    }

    /// Gives one use back that was taken: it was not what the budget is there against.
    pub async fn give_back(
        &self,
        db: &mut PgConnection,
        budget: &Budget,
        key: &str,
        now: DateTime<Utc>,
    ) -> Result<(), sqlx::Error> {
        // A row that nobody has used is gone, as the table asks for.
        sqlx::query!(
            "merge into platform_budgets b using (values ($1::text, $2::bytea)) as k (name, key_hash)
             on b.name = k.name and b.key_hash = k.key_hash and b.ends_at > $3
             when matched and b.used > 1 then update set used = b.used - 1
             when matched then delete",
            budget.name,
            &self.key(budget, key),
            now,
        )
        .execute(db)
        .await
        .map(drop)
    }

    /// Gives one use of each of two back and then forgets what was used of a third: of what
    /// [`Self::take_in_order`] has taken. It is a transaction of its own that does not wait for the
    /// disk.
    pub async fn settle(
        &self,
        db: &PgPool,
        taken: [(&Budget, &str); 3],
        now: DateTime<Utc>,
    ) -> Result<(), sqlx::Error> {
        let keys = taken.map(|(budget, key)| self.key(budget, key));
        let [first, second, third] = taken.map(|(budget, _)| budget.name);
        // In the order in which they are taken, so that two never wait for each other. Of the first
        // one use always stays: few enough not to matter, and it spares a row that comes and goes.
        sqlx::query!(
            "with first as (
                update platform_budgets set used = used - 1
                where name = $6 and key_hash = $7 and ends_at > $3 and used > 1
                returning used
             ), cleared as (delete from platform_budgets where name = $4 and key_hash = $5)
             merge into platform_budgets b using (
                select $1::text as name, $2::bytea as key_hash
                where set_config('synchronous_commit', 'off', true) = 'off'
                    and (select count(*) from first) >= 0
             ) k
             on b.name = k.name and b.key_hash = k.key_hash and b.ends_at > $3
             when matched and b.used > 1 then update set used = b.used - 1
             when matched then delete",
            second,
            &keys[1],
            now,
            third,
            &keys[2],
            first,
            &keys[0],
        )
        .execute(db)
        .await
        .map(drop)
    }

    /// How often it was used in the window of now.
    pub async fn used(
        &self,
        db: &mut PgConnection,
        budget: &Budget,
        key: &str,
        now: DateTime<Utc>,
    ) -> Result<u32, sqlx::Error> {
        let found = self.find(db, budget, key).await?;
        Ok(found.filter(|(_, ends_at)| *ends_at > now).map_or(0, |(used, _)| used))
    }

    /// How often each of some was used in the window of now, asked in one question.
    pub async fn used_each<const N: usize>(
        &self,
        db: &mut PgConnection,
        asked: [(&Budget, &str); N],
        now: DateTime<Utc>,
    ) -> Result<[u32; N], sqlx::Error> {
        let names = asked.map(|(budget, _)| budget.name.to_owned());
        let keys = asked.map(|(budget, key)| self.key(budget, key).to_vec());
        let rows = sqlx::query!(
            r#"select asked.place as "place!", b.used
               from unnest($1::text[], $2::bytea[])
                   with ordinality as asked (name, key_hash, place)
               join platform_budgets b using (name, key_hash)
               where b.ends_at > $3"#,
            &names,
            &keys,
            now,
        )
        .fetch_all(db)
        .await?;
        let mut used = [0; N];
        for row in rows {
            let place = usize::try_from(row.place - 1).unwrap_or(usize::MAX);
            if let Some(used) = used.get_mut(place) {
                *used = u32::try_from(row.used).unwrap_or(u32::MAX);
            }
        }
        Ok(used)
    }

    /// Forgets what was used of a key.
    pub async fn clear(
        &self,
        db: &mut PgConnection,
        budget: &Budget,
        key: &str,
    ) -> Result<(), sqlx::Error> {
        sqlx::query!(
            "delete from platform_budgets where name = $1 and key_hash = $2",
            budget.name,
            &self.key(budget, key),
        )
        .execute(db)
        .await
        .map(drop)
    }

    async fn find(
        &self,
        db: &mut PgConnection,
        budget: &Budget,
        key: &str,
    ) -> Result<Option<(u32, DateTime<Utc>)>, sqlx::Error> {
        let row = sqlx::query!(
            "select used, ends_at from platform_budgets where name = $1 and key_hash = $2",
            budget.name,
            &self.key(budget, key),
        )
        .fetch_optional(db)
        .await?;
        Ok(row.map(|row| (u32::try_from(row.used).unwrap_or(u32::MAX), row.ends_at)))
    }

    fn key(&self, budget: &Budget, key: &str) -> [u8; 32] {
        self.hash.of(&[budget.name.as_bytes(), key.as_bytes()])
    }
}

/// The key of a client's address. Who has one IPv6 address has its whole /64 network.
pub fn address_key(address: IpAddr) -> String {
    match address.to_canonical() {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            format!("{a:x}:{b:x}:{c:x}:{d:x}::/64")
        }
    }
}

/// The key of a client's network: of IPv6 the /48, which a home may have.
pub fn network_key(address: IpAddr) -> String {
    match address.to_canonical() {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => {
            let [a, b, c, ..] = address.segments();
            format!("{a:x}:{b:x}:{c:x}::/48")
        }
    }
}

/// Forgets windows that are over, every few minutes.
pub fn register_purge(registry: &mut Registry, db: PgPool) {
    registry.handle(PURGE, Bounds::default(), move |run| {
        let db = db.clone();
        async move {
            while delete_over(&db, run.now).await? > 0 {}
            Ok(())
        }
    });
    registry.schedule(PURGE, Duration::from_secs(300));
}

async fn delete_over(db: &PgPool, now: DateTime<Utc>) -> Result<u64, sqlx::Error> {
    let deleted = sqlx::query!(
        "delete from platform_budgets where (name, key_hash) in (
            select name, key_hash from platform_budgets where ends_at <= $1 limit $2
            for update skip locked
         )",
        now,
        PURGE_BATCH,
    )
    .execute(db)
    .await?;
    Ok(deleted.rows_affected())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_networks_of_one_subscriber_are_one_key() {
        let key = |text: &str| address_key(text.parse().unwrap());
        assert_eq!(key("203.0.113.7"), "203.0.113.7");
        assert_eq!(key("::ffff:203.0.113.7"), "203.0.113.7");
        assert_eq!(key("2001:db8:1:2:3::1"), key("2001:db8:1:2:ffff::9"));
        assert_ne!(key("2001:db8:1:2::1"), key("2001:db8:1:3::1"));
        let network = |text: &str| network_key(text.parse().unwrap());
        assert_eq!(network("::ffff:203.0.113.7"), "203.0.113.7");
        assert_eq!(network("2001:db8:1:2::1"), network("2001:db8:1:3::1"));
        assert_ne!(network("2001:db8:1::1"), network("2001:db8:2::1"));
    }

    #[test]
    fn a_wait_is_rounded_up_and_never_nothing() {
        let now = DateTime::from_timestamp(1_900_000_000, 0).unwrap();
        let wait = |ms| RetryAfter::until(now + chrono::Duration::milliseconds(ms), now).0;
        assert_eq!([wait(-5), wait(0), wait(1), wait(1_001)], [1, 1, 1, 2]);
    }
}
