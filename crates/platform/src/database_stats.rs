//! Database statistics (latency, connections, locks, sizes) and process memory, for health pages.

use std::sync::Arc;
use std::time::{Duration, Instant};

use sqlx::{Connection, PgPool};

use super::cache::Cache;

/// How long sizes are cached: measuring them reads the database directory on disk.
const SIZES_LIFE: Duration = Duration::from_secs(60);
/// How many of the largest tables are listed.
const TABLES: i64 = 8;

/// Statistics of the database server.
#[derive(Clone, Copy, Debug)]
pub struct DatabaseStats {
    /// Round-trip time of a ping.
    pub latency: Duration,
    /// Open connections, of all nodes.
    pub connections: i64,
    /// The maximum number of connections.
    pub connections_max: i64,
    /// Connections in this node's pool, total and idle.
    pub pool: (u32, usize),
    /// Age of the oldest open transaction, in milliseconds.
    pub oldest_transaction_ms: i64,
    /// Connections that wait for a lock.
    pub waiting_for_locks: i64,
}

/// Reads the statistics. They come from a database function, so they are cheap.
pub async fn read_database(db: &PgPool) -> Result<DatabaseStats, sqlx::Error> {
    let mut connection = db.acquire().await?;
    let began = Instant::now();
    connection.ping().await?;
    let latency = began.elapsed();
    let row = sqlx::query!(
        r#"select connections as "connections!", connections_max as "connections_max!",
            oldest_transaction_ms as "oldest_transaction_ms!",
            waiting_for_locks as "waiting_for_locks!"
         from platform_vitals()"#
    )
    .fetch_one(&mut *connection)
    .await?;
    Ok(DatabaseStats {
        latency,
        connections: row.connections,
        connections_max: row.connections_max,
        pool: (db.size(), db.num_idle()),
        oldest_transaction_ms: row.oldest_transaction_ms,
        waiting_for_locks: row.waiting_for_locks,
    })
}

/// The size of one table.
#[derive(Clone, Debug)]
pub struct TableSize {
    /// The table name.
    pub name: String,
    /// Bytes on disk, indexes included.
    pub bytes: i64,
    /// The planner's estimate of its rows.
    pub rows: i64,
}

/// The size of the database.
#[derive(Clone, Debug)]
pub struct Sizes {
    /// Total bytes on disk.
    pub bytes: i64,
    /// The largest tables, largest first.
    pub tables: Vec<TableSize>,
}

/// A cache of the sizes.
pub struct DatabaseSizes(Cache<Sizes>);

impl Default for DatabaseSizes {
    fn default() -> Self {
        Self(Cache::new(SIZES_LIFE))
    }
}

impl DatabaseSizes {
    /// The sizes, at most a minute old.
    pub async fn read(&self, db: &PgPool) -> Result<Arc<Sizes>, sqlx::Error> {
        self.0.get(async || measure(db).await).await
    }
}

async fn measure(db: &PgPool) -> Result<Sizes, sqlx::Error> {
    let bytes = sqlx::query_scalar!(r#"select pg_database_size(current_database()) as "bytes!""#)
        .fetch_one(db)
        .await?;
    let tables = sqlx::query_as!(
        TableSize,
        r#"select relname::text as "name!", pg_total_relation_size(oid) as "bytes!",
            greatest(reltuples, 0)::bigint as "rows!"
         from pg_class
         where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace
         order by 2 desc, 1 limit $1"#,
        TABLES,
    )
    .fetch_all(db)
    .await?;
    Ok(Sizes { bytes, tables })
}

/// The resident memory (RSS) of this process. None where `/proc` does not exist.
pub fn memory_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kibibytes: u64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    kibibytes.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn a_process_holds_some_memory() {
        assert!(memory_bytes().is_some_and(|bytes| bytes > 1 << 20));
    }
}
