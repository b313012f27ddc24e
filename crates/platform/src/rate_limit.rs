//! Rate limits in the database, shared by all nodes.
//!
//! Owns `platform_budgets`. Each key has a fixed window that starts with its first use, so up to
//! twice the limit can fit around the boundary of two windows. Keys are stored as HMACs, so the
//! table reveals no IP address or phone number.

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

/// How often something may be done per key.
#[derive(Clone, Copy, Debug)]
pub struct RateLimit {
    /// The name, `domain.work.key`.
    pub name: &'static str,
    /// The maximum number of uses per key and window.
    pub limit: u32,
    /// The length of a window.
    pub window: Duration,
}

/// A rate limit is exceeded: the seconds until its window ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RetryAfter(pub u32);

/// Why no use was taken.
#[derive(Debug, thiserror::Error)]
pub enum TakeError {
    /// The limit is exceeded.
    #[error("a rate limit is exceeded for {} s", .0.0)]
    UsedUp(RetryAfter),
    /// The database failed.
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
    /// The wait until `moment`, rounded up to whole seconds, at least one.
    pub fn until(moment: DateTime<Utc>, now: DateTime<Utc>) -> Self {
        let seconds = ((moment - now).num_milliseconds().max(0) + 999) / 1_000;
        Self(u32::try_from(seconds).unwrap_or(u32::MAX).max(1))
    }
}

/// The rate limits of an installation.
#[derive(Clone)]
pub struct RateLimits {
    hash: KeyedHash,
}

impl RateLimits {
    /// Rate limits whose keys are hashed with a key of this installation.
    pub fn new(root: &RootKey) -> Self {
        Self { hash: KeyedHash::new(root, "platform/budgets") }
    }

    /// Takes one use and returns its number within the window, from 1. On the caller's transaction,
    /// if there is one: a rollback undoes the use.
    pub async fn take(
        &self,
        db: &mut PgConnection,
        rate_limit: &RateLimit,
        key: &str,
        now: DateTime<Utc>,
    ) -> Result<u32, TakeError> {
        if rate_limit.limit == 0 {
            return Err(TakeError::UsedUp(RetryAfter::until(now + rate_limit.window, now)));
        }
        let key_hash = self.key(rate_limit, key);
        let max = i32::try_from(rate_limit.limit).unwrap_or(i32::MAX);
        // A row at its limit is not updated, so the statement returns nothing.
        let taken = sqlx::query_scalar!(
            r#"insert into platform_budgets as b (name, key_hash, used, ends_at)
               values ($1, $2, 1, $4)
               on conflict (name, key_hash) do update
               set used = case when b.ends_at <= $3 then 1 else b.used + 1 end,
                   ends_at = case when b.ends_at <= $3 then $4 else b.ends_at end
               where b.ends_at <= $3 or b.used < $5
               returning used"#,
            rate_limit.name,
            &key_hash,
            now,
            now + rate_limit.window,
            max,
        )
        .fetch_optional(&mut *db)
        .await?;
        if let Some(used) = taken {
            return Ok(u32::try_from(used).unwrap_or(u32::MAX));
        }
        let ends_at = self.find(db, rate_limit, key).await?.map_or(now, |(_, ends_at)| ends_at);
        Err(TakeError::UsedUp(RetryAfter::until(ends_at, now)))
    }

    /// Takes one use of each of three limits, in order, and stops at the first that is exceeded:
    /// the inner error is its index and the wait. Runs in a transaction of its own with
    /// `synchronous_commit` off.
    pub async fn take_in_order(
        &self,
        db: &PgPool,
        limits: [(&RateLimit, &str); 3],
        now: DateTime<Utc>,
    ) -> Result<Result<(), (usize, RetryAfter)>, sqlx::Error> {
        let names = limits.map(|(rate_limit, _)| rate_limit.name.to_owned());
        let keys = limits.map(|(rate_limit, key)| self.key(rate_limit, key).to_vec());
        let max = |rate_limit: &RateLimit| i32::try_from(rate_limit.limit).unwrap_or(i32::MAX);
        let maxima = limits.map(|(rate_limit, _)| max(rate_limit));
        let ends = limits.map(|(rate_limit, _)| now + rate_limit.window);
        // Each step checks that the one before it returned a row, which also fixes their order.
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
            &maxima,
            &ends,
            now,
        )
        .fetch_one(db)
        .await?;
        let index = usize::try_from(taken).unwrap_or_default();
        let Some((rate_limit, key)) = limits.get(index) else { return Ok(Ok(())) };
        let found = self.find(&mut *db.acquire().await?, rate_limit, key).await?;
        let ends_at = found.map_or(now, |(_, ends_at)| ends_at);
        Ok(Err((index, RetryAfter::until(ends_at, now))))
    }

    /// Counts one use without enforcing the limit. For counting failures.
    pub async fn count(
        &self,
        db: &mut PgConnection,
        rate_limit: &RateLimit,
        key: &str,
        now: DateTime<Utc>,
    ) -> Result<(), sqlx::Error> {
        let unlimited = RateLimit { limit: u32::MAX, ..*rate_limit };
        match self.take(db, &unlimited, key, now).await {
            Ok(_) | Err(TakeError::UsedUp(_)) => Ok(()),
            Err(TakeError::Database(error)) => Err(error),
        }
    }

    /// Returns one use, when the attempt turned out not to be what the limit protects against.
    pub async fn give_back(
        &self,
        db: &mut PgConnection,
        rate_limit: &RateLimit,
        key: &str,
        now: DateTime<Utc>,
    ) -> Result<(), sqlx::Error> {
        // A row without uses is deleted, because the table requires `used > 0`.
        sqlx::query!(
            "merge into platform_budgets b using (values ($1::text, $2::bytea)) as k (name, key_hash)
             on b.name = k.name and b.key_hash = k.key_hash and b.ends_at > $3
             when matched and b.used > 1 then update set used = b.used - 1
             when matched then delete",
            rate_limit.name,
            &self.key(rate_limit, key),
            now,
        )
        .execute(db)
        .await
        .map(drop)
    }

    /// Undoes [`Self::take_in_order`] after a success: returns one use of the first two limits and
    /// resets the third. Runs in a transaction of its own with `synchronous_commit` off.
    pub async fn settle(
        &self,
        db: &PgPool,
        taken: [(&RateLimit, &str); 3],
        now: DateTime<Utc>,
    ) -> Result<(), sqlx::Error> {
        let keys = taken.map(|(rate_limit, key)| self.key(rate_limit, key));
        let [first, second, third] = taken.map(|(rate_limit, _)| rate_limit.name);
        // Rows are locked in the order in which they are taken, which prevents deadlocks. The first
        // limit keeps its last use: one does not matter, and its row is not deleted and inserted
        // again for every request.
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

    /// The number of uses in the current window.
    pub async fn used(
        &self,
        db: &mut PgConnection,
        rate_limit: &RateLimit,
        key: &str,
        now: DateTime<Utc>,
    ) -> Result<u32, sqlx::Error> {
        let found = self.find(db, rate_limit, key).await?;
        Ok(found.filter(|(_, ends_at)| *ends_at > now).map_or(0, |(used, _)| used))
    }

    /// The number of uses of several limits in their current windows, in one query.
    pub async fn used_many<const N: usize>(
        &self,
        db: &mut PgConnection,
        limits: [(&RateLimit, &str); N],
        now: DateTime<Utc>,
    ) -> Result<[u32; N], sqlx::Error> {
        let names = limits.map(|(rate_limit, _)| rate_limit.name.to_owned());
        let keys = limits.map(|(rate_limit, key)| self.key(rate_limit, key).to_vec());
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
            let index = usize::try_from(row.place - 1).unwrap_or(usize::MAX);
            if let Some(used) = used.get_mut(index) {
                *used = u32::try_from(row.used).unwrap_or(u32::MAX);
            }
        }
        Ok(used)
    }

    /// Resets the limit for a key.
    pub async fn clear(
        &self,
        db: &mut PgConnection,
        rate_limit: &RateLimit,
        key: &str,
    ) -> Result<(), sqlx::Error> {
        sqlx::query!(
            "delete from platform_budgets where name = $1 and key_hash = $2",
            rate_limit.name,
            &self.key(rate_limit, key),
        )
        .execute(db)
        .await
        .map(drop)
    }

    async fn find(
        &self,
        db: &mut PgConnection,
        rate_limit: &RateLimit,
        key: &str,
    ) -> Result<Option<(u32, DateTime<Utc>)>, sqlx::Error> {
        let row = sqlx::query!(
            "select used, ends_at from platform_budgets where name = $1 and key_hash = $2",
            rate_limit.name,
            &self.key(rate_limit, key),
        )
        .fetch_optional(db)
        .await?;
        Ok(row.map(|row| (u32::try_from(row.used).unwrap_or(u32::MAX), row.ends_at)))
    }

    fn key(&self, rate_limit: &RateLimit, key: &str) -> [u8; 32] {
        self.hash.of(&[rate_limit.name.as_bytes(), key.as_bytes()])
    }
}

/// The rate limit key of a client's IP address. For IPv6 it is the /64 network, because a client
/// usually controls all of it.
pub fn address_key(address: IpAddr) -> String {
    match address.to_canonical() {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            format!("{a:x}:{b:x}:{c:x}:{d:x}::/64")
        }
    }
}

/// The rate limit key of a client's network: for IPv6 the /48, which one subscriber may have.
pub fn network_key(address: IpAddr) -> String {
    match address.to_canonical() {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => {
            let [a, b, c, ..] = address.segments();
            format!("{a:x}:{b:x}:{c:x}::/48")
        }
    }
}

/// Registers the job that deletes expired windows every five minutes.
pub fn register_purge(registry: &mut Registry, db: PgPool) {
    registry.handle(PURGE, Bounds::default(), move |run| {
        let db = db.clone();
        async move {
            while delete_expired(&db, run.now).await? > 0 {}
            Ok(())
        }
    });
    registry.schedule(PURGE, Duration::from_secs(300));
}

async fn delete_expired(db: &PgPool, now: DateTime<Utc>) -> Result<u64, sqlx::Error> {
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
