//! The hash chain of the ledger: each transfer of a holder carries the hash of the previous one.
//!
//! Given all transfers of a holder, every hash can be recomputed, so changing, removing or
//! inserting a row is visible in all later hashes.

use sha2::{Digest, Sha256};

/// The hash before a holder's first transfer.
pub const START: [u8; 32] = [0; 32];

/// Buffer size for a transfer with texts of the usual lengths, so that the buffer is allocated
/// once.
const USUAL_SIZE: usize = 384;

/// The fields of a transfer that are hashed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry<'a> {
    /// The member whose transfer it is.
    pub holder: [u8; 16],
    /// The sequence number of the transfer within its holder: 1, 2, 3, …
    pub seq: i64,
    /// The merchant that the holder belongs to.
    pub merchant: [u8; 16],
    /// The currency code, such as `PHP`.
    pub currency: &'a str,
    /// The account that is debited.
    pub debit: &'a str,
    /// The account that is credited.
    pub credit: &'a str,
    /// In ten-thousandths, like all amounts in this crate.
    pub amount: i64,
    /// The reason of the transfer.
    pub kind: &'a str,
    /// The idempotency key of the request, if it had one.
    pub key: Option<&'a str>,
    /// The hash of the request with this key.
    pub body_hash: Option<&'a [u8]>,
    /// The id of the round, deposit or other thing that the transfer belongs to.
    pub reference: [u8; 16],
    /// The balance of the debited account afterwards, if it is an account of the holder.
    pub debit_after: Option<i64>,
    /// The balance of the credited account afterwards, if it is an account of the holder.
    pub credit_after: Option<i64>,
    /// Microseconds since 1970 in UTC, the precision of the database.
    pub at_micros: i64,
    /// The sequence number of the transfer that this one reverses.
    pub reverses: Option<i64>,
}

impl Entry<'_> {
    /// `SHA-256(previous hash ‖ canonical bytes)`. Numbers are big-endian, texts carry their
    /// length, and optional fields carry a presence byte, so that no two transfers have the same
    /// bytes.
    pub fn hash(&self, previous: &[u8; 32]) -> [u8; 32] {
        // One buffer and one call: this runs twice for each round of a game, and feeding the hasher
        // many small pieces is slower.
        let mut bytes = Vec::with_capacity(USUAL_SIZE);
        bytes.extend_from_slice(previous);
        self.write(&mut bytes);
        Sha256::digest(&bytes).into()
    }

    fn write(&self, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(&self.holder);
        bytes.extend_from_slice(&self.seq.to_be_bytes());
        bytes.extend_from_slice(&self.merchant);
        for text in [self.currency, self.debit, self.credit, self.kind] {
            write_some(bytes, text.as_bytes());
        }
        bytes.extend_from_slice(&self.amount.to_be_bytes());
        write_optional(bytes, self.key.map(str::as_bytes));
        write_optional(bytes, self.body_hash);
        bytes.extend_from_slice(&self.reference);
        for balance in [self.debit_after, self.credit_after] {
            write_optional(bytes, balance.map(i64::to_be_bytes).as_ref().map(<[u8; 8]>::as_slice));
        }
        bytes.extend_from_slice(&self.at_micros.to_be_bytes());
        // When absent, no presence byte is written, so transfers recorded before reversals existed
        // keep their hashes. As the last field it stays unambiguous.
        if let Some(seq) = self.reverses {
            bytes.push(1);
            bytes.extend_from_slice(&seq.to_be_bytes());
        }
    }
}

fn write_optional(bytes: &mut Vec<u8>, value: Option<&[u8]>) {
    match value {
        None => bytes.push(0),
        Some(value) => write_some(bytes, value),
    }
}

fn write_some(bytes: &mut Vec<u8>, value: &[u8]) {
    bytes.push(1);
    bytes.extend_from_slice(&u32::try_from(value.len()).unwrap_or(u32::MAX).to_be_bytes());
    bytes.extend_from_slice(value);
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENTRY: Entry<'static> = Entry {
        holder: [1; 16],
        seq: 2,
        merchant: [3; 16],
        currency: "PHP",
        debit: "main",
        credit: "house:games",
        amount: 4,
        kind: "stake",
        key: Some("k"),
        body_hash: None,
        reference: [5; 16],
        debit_after: Some(6),
        credit_after: None,
        at_micros: 7,
        reverses: None,
    };

    /// The layout written out by hand: the stored hashes depend on it.
    #[test]
    fn the_bytes_are_those_of_the_stored_hashes() {
        let mut bytes = Vec::new();
        ENTRY.write(&mut bytes);
        let expected = [
            "01".repeat(16).as_str(),
            "0000000000000002",
            "03".repeat(16).as_str(),
            "0100000003504850",
            "01000000046d61696e",
            "010000000b686f7573653a67616d6573",
            "01000000057374616b65",
            "0000000000000004",
            "01000000016b",
            "00",
            "05".repeat(16).as_str(),
            "01000000080000000000000006",
            "00",
            "0000000000000007",
        ]
        .concat();
        assert_eq!(hex::encode(&bytes), expected);
        let reversal = Entry { reverses: Some(1), ..ENTRY };
        let mut longer = Vec::new();
        reversal.write(&mut longer);
        assert_eq!(hex::encode(&longer), expected + "010000000000000001");
        let whole = [START.as_slice(), &bytes].concat();
        assert_eq!(ENTRY.hash(&START), <[u8; 32]>::from(Sha256::digest(whole)));
    }

    #[test]
    fn a_usual_transfer_fits_the_buffer() {
        let (key, body_hash) = ("k".repeat(36), [0; 32]);
        let entry = Entry {
            debit: "house:provider:pragmatic",
            credit: "vendor:pragmatic",
            key: Some(&key),
            body_hash: Some(&body_hash),
            credit_after: Some(1),
            reverses: Some(1),
            ..ENTRY
        };
        let mut bytes = START.to_vec();
        entry.write(&mut bytes);
        assert!(bytes.len() <= USUAL_SIZE, "{}", bytes.len());
    }
}
