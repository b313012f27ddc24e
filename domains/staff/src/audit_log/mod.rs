//! The audit log of the back office: what was done, by whom, and what it changed.
//!
//! Entries are only ever added, in the transaction of the action itself. They form a hash chain:
//! each is hashed together with the hash before it, with a key that is not in the database, so
//! write access to the tables is not enough to forge a valid log. The head row is locked while an
//! entry is added, which gives the log one order.

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

/// How many entries a check reads at a time.
const CHUNK: i64 = 2_000;

/// An entry to add to the audit log.
pub struct AuditEntry<'a> {
    /// `domain.action`.
    pub action: &'static str,
    /// What the action was applied to, as `kind:name`.
    pub subject: String,
    /// The value before.
    pub before: Option<Value>,
    /// The value after.
    pub after: Option<Value>,
    /// The reason, in the actor's words.
    pub reason: Option<&'a str>,
}

impl AuditEntry<'_> {
    /// An entry without values and reason.
    pub fn plain(action: &'static str, subject: String) -> Self {
        Self { action, subject, before: None, after: None, reason: None }
    }
}

/// Checks the reason for an action: 3 to 500 characters, since readers of the audit log have
/// nothing else to go by.
pub fn check_reason(reason: &str) -> Result<(), ApiError> {
    match reason.trim().chars().count() {
        3..=500 => Ok(()),
        _ => Err(ApiError::fields([("reason", "required")])),
    }
}

/// Adds an entry to the audit log, in the transaction of the action. Call it last: it locks the
/// head of the log until the commit, and all other staff actions wait for it.
pub async fn record(
    app: &Staff,
    tx: &mut PgTransaction<'_>,
    actor: &Actor,
    entry: AuditEntry<'_>,
) -> Result<(), ApiError> {
    let (seq, hash) = store::lock_head(tx).await?;
    let mut row = Row {
        seq: seq + 1,
        at: to_micros(app.clock.now()),
        actor_id: actor.id,
        actor: actor.name.clone(),
        action: entry.action.to_owned(),
        subject: entry.subject,
        before: entry.before.map(|value| value.to_string()),
        after: entry.after.map(|value| value.to_string()),
        reason: entry.reason.map(str::to_owned),
        address: actor.address.map(|address| address.to_string()),
        hash: Vec::new(),
    };
    row.hash = row.hashed(&app.keys.audit_log, &hash).to_vec();
    store::insert(tx, &row).await?;
    store::update_head(tx, row.seq, &row.hash).await?;
    Ok(())
}

/// Truncates to the microseconds that the database stores, so that a row read back has the same
/// hash.
fn to_micros(at: DateTime<Utc>) -> DateTime<Utc> {
    DateTime::from_timestamp_micros(at.timestamp_micros()).unwrap_or(at)
}

impl Row {
    /// The hash of the entry, chained to the hash before it.
    fn hashed(&self, key: &KeyedHash, before: &[u8]) -> [u8; 32] {
        let optional = |text: &Option<String>| match text {
            // A missing text must hash differently from an empty one.
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

/// The result of a check that found the audit log intact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checked {
    /// The number of entries.
    pub rows: i64,
}

/// Why a check of the audit log failed.
#[derive(Debug, thiserror::Error)]
pub enum Broken {
    /// The hash chain is broken at this entry; it and all later ones cannot be trusted.
    #[error("the audit log is not valid from entry {0} on")]
    At(i64),
    /// The audit log could not be read.
    #[error(transparent)]
    Database(#[from] sqlx::Error),
}

/// Verifies the hash chain of the whole audit log in one snapshot. Finds entries that were edited,
/// removed, inserted or reordered, and a truncated end.
pub async fn check(app: &Staff) -> Result<Checked, Broken> {
    verify_chain(&app.db, &app.keys.audit_log).await
}

async fn verify_chain(pool: &PgPool, key: &KeyedHash) -> Result<Checked, Broken> {
    let mut tx = pool.begin().await?;
    db::use_snapshot(&mut tx).await?;
    let (mut seq, mut hash) = (0, vec![0; 32]);
    loop {
        let rows = store::list_after(&mut tx, seq, CHUNK).await?;
        if rows.is_empty() {
            break;
        }
        for row in rows {
            let is_valid = row.seq == seq + 1 && row.hash == row.hashed(key, &hash);
            if !is_valid {
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
