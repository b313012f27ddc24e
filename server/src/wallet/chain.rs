//! The hash chain: each transfer of a member carries the hash of the one before.

use chrono::{DateTime, Utc};
use sha2::{Digest, Sha256};
use uuid::Uuid;

/// The hash before a member's first transfer.
pub(super) const START: [u8; 32] = [0; 32];

/// A transfer as it is stored, without its hash.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) member_id: Uuid,
    pub(super) seq: i64,
    pub(super) merchant_id: Uuid,
    pub(super) currency: String,
    pub(super) debit: String,
    pub(super) credit: String,
    pub(super) amount: i64,
    pub(super) kind: String,
    pub(super) key: Option<String>,
    pub(super) body_hash: Option<Vec<u8>>,
    pub(super) reference: Uuid,
    pub(super) debit_after: Option<i64>,
    pub(super) credit_after: Option<i64>,
    pub(super) at: DateTime<Utc>,
}

impl Row {
    /// `SHA-256(previous hash ‖ canonical bytes)`. Numbers are big-endian, texts carry their
    /// length, and what may be absent says so, so that no two rows have the same bytes.
    pub(super) fn hash(&self, previous: &[u8]) -> [u8; 32] {
        let mut hasher = Sha256::new();
        hasher.update(previous);
        hasher.update(self.member_id.as_bytes());
        hasher.update(self.seq.to_be_bytes());
        hasher.update(self.merchant_id.as_bytes());
        for text in [&self.currency, &self.debit, &self.credit, &self.kind] {
            update_bytes(&mut hasher, Some(text.as_bytes()));
        }
        hasher.update(self.amount.to_be_bytes());
        update_bytes(&mut hasher, self.key.as_deref().map(str::as_bytes));
        update_bytes(&mut hasher, self.body_hash.as_deref());
        hasher.update(self.reference.as_bytes());
        for balance in [self.debit_after, self.credit_after] {
            update_bytes(
                &mut hasher,
                balance.map(i64::to_be_bytes).as_ref().map(<[u8; 8]>::as_slice),
            );
        }
        hasher.update(self.at.timestamp_micros().to_be_bytes());
        hasher.finalize().into()
    }
}

fn update_bytes(hasher: &mut Sha256, bytes: Option<&[u8]>) {
    match bytes {
        None => hasher.update([0]),
        Some(bytes) => {
            hasher.update([1]);
            hasher.update(u32::try_from(bytes.len()).unwrap_or(u32::MAX).to_be_bytes());
            hasher.update(bytes);
        }
    }
}
