//! The trail: what was done in the office, by whom, and what it changed.
//!
//! Rows are only ever added, in the transaction of the action itself. Each is hashed together with
//! the hash before it, by a key that is not in the database: whoever can write to the tables can
//! not make a trail that holds. The head's row is locked while a row is added, so that the trail
//! has one order.

mod http;
mod store;

use chrono::{DateTime, Utc};
use serde_json::Value;
use sqlx::{PgPool, PgTransaction};

pub(super) use http::routes;
use store::Row;

use super::model::Actor;
use crate::Staff;
use platform::db;
use platform::error::ApiError;
use platform::secret::KeyedHash;

/// How many rows are checked at a time.
const CHUNK: i64 = 2_000;

/// What was done.
pub struct Deed<'a> {
    /// `domain.action`.
    pub action: &'static str,
    /// What it was done to, `kind:name`.
    pub subject: String,
    /// How it was.
    pub before: Option<Value>,
    /// How it is now.
    pub after: Option<Value>,
    /// Why, in the actor's words.
    pub reason: Option<&'a str>,
}

impl Deed<'_> {
    /// A deed that changed nothing that could be shown.
    pub fn plain(action: &'static str, subject: String) -> Self {
        Self { action, subject, before: None, after: None, reason: None }
    }
}

/// A reason is a few words at least: whoever reads the trail later has nothing else.
pub fn check_reason(reason: &str) -> Result<(), ApiError> {
    match reason.trim().chars().count() {
        3..=500 => Ok(()),
        _ => Err(ApiError::fields([("reason", "required")])),
    }
}

/// Adds a deed to the trail, in the transaction that does it.
pub async fn record(
    app: &Staff,
    tx: &mut PgTransaction<'_>,
    actor: &Actor,
    deed: Deed<'_>,
) -> Result<(), ApiError> {
    let (seq, hash) = store::lock_head(tx).await?;
    let mut row = Row {
        seq: seq + 1,
        at: to_micros(app.clock.now()),
        actor_id: actor.id,
        actor: actor.name.clone(),
        action: deed.action.to_owned(),
        subject: deed.subject,
        before: deed.before.map(|value| value.to_string()),
        after: deed.after.map(|value| value.to_string()),
        reason: deed.reason.map(str::to_owned),
        address: actor.address.map(|address| address.to_string()),
        hash: Vec::new(),
    };
    row.hash = row.hashed(&app.office.trail, &hash).to_vec();
    store::insert(tx, &row).await?;
    store::update_head(tx, row.seq, &row.hash).await?;
    Ok(())
}

/// The database keeps microseconds, and what is hashed must read the same afterwards.
fn to_micros(at: DateTime<Utc>) -> DateTime<Utc> {
    DateTime::from_timestamp_micros(at.timestamp_micros()).unwrap_or(at)
}

impl Row {
    fn hashed(&self, key: &KeyedHash, before: &[u8]) -> [u8; 32] {
        let optional = |text: &Option<String>| match text {
            // Nothing is not the same as an empty text.
            Some(text) => format!("+{text}"),
            None => String::new(),
        };
        let actor_id = self.actor_id.map(|id| id.to_string());
        key.of(&[
            before,
            &self.seq.to_be_bytes(),
            &self.at.timestamp_micros().to_be_bytes(),
            optional(&actor_id).as_bytes(),
            self.actor.as_bytes(),
            self.action.as_bytes(),
            self.subject.as_bytes(),
            optional(&self.before).as_bytes(),
            optional(&self.after).as_bytes(),
            optional(&self.reason).as_bytes(),
            optional(&self.address).as_bytes(),
        ])
    }
}

/// A trail that holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checked {
    /// How many rows it has.
    pub rows: i64,
}

/// Why a trail does not hold.
#[derive(Debug, thiserror::Error)]
pub enum Broken {
    /// From this row on it cannot be believed.
    #[error("the trail does not hold from row {0} on")]
    At(i64),
    /// It could not be read.
    #[error(transparent)]
    Database(#[from] sqlx::Error),
}

/// Follows the whole trail in one snapshot: a row that was edited, removed, added or moved is
/// found, and an end that is missing.
pub async fn check(app: &Staff) -> Result<Checked, Broken> {
    follow(&app.db, &app.office.trail).await
}

async fn follow(pool: &PgPool, key: &KeyedHash) -> Result<Checked, Broken> {
    let mut tx = pool.begin().await?;
    db::see_one_moment(&mut tx).await?;
    let (mut seq, mut hash) = (0, vec![0; 32]);
    loop {
        let rows = store::list_after(&mut tx, seq, CHUNK).await?;
        if rows.is_empty() {
            break;
        }
        for row in rows {
            let follows = row.seq == seq + 1 && row.hash == row.hashed(key, &hash);
            if !follows {
                return Err(Broken::At(seq + 1));
            }
            (seq, hash) = (row.seq, row.hash);
        }
    }
    match store::find_head(&mut tx).await? {
        Some(head) if head == (seq, hash) => Ok(Checked { rows: seq }),
        _ => Err(Broken::At(seq + 1)),
    }
}
