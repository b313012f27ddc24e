//! Accounts, transfers and postings.

use capiz_rules::money::{Amount, Currency};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::codes::ErrorCode;
use crate::platform::error::ApiError;

/// One side of a transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Account {
    /// The member's main account in the posting's currency.
    Main,
    /// The merchant's account that games pay from and are paid to.
    Games,
    /// The merchant's account that gifts come from.
    Promotions,
}

impl Account {
    /// The account's name in a transfer. Demo money has house accounts of its own.
    pub fn name(self, currency: Currency) -> &'static str {
        match (self, currency == Currency::Fun) {
            (Self::Main, _) => "main",
            (Self::Games, false) => "house:games",
            (Self::Promotions, false) => "house:promotions",
            (Self::Games, true) => "house:demo-games",
            (Self::Promotions, true) => "house:demo-promotions",
        }
    }

    /// Whether it belongs to the member.
    pub fn is_member(self) -> bool {
        self == Self::Main
    }
}

/// Why money moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The gift that a new member finds.
    Welcome,
    /// What a round cost.
    Stake,
    /// What a round paid.
    Payout,
}

impl Reason {
    /// The reason's name in a transfer.
    pub fn name(self) -> &'static str {
        match self {
            Self::Welcome => "welcome",
            Self::Stake => "stake",
            Self::Payout => "payout",
        }
    }
}

/// An amount that moves from one account to another.
#[derive(Clone, Copy, Debug)]
pub struct Transfer {
    /// Where it comes from.
    pub debit: Account,
    /// Where it goes to.
    pub credit: Account,
    /// How much; above zero.
    pub amount: Amount,
    /// Why.
    pub reason: Reason,
}

/// A client's idempotency key, and the hash of what it was sent with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    /// The key as sent.
    pub text: String,
    /// The hash of the call and its body.
    pub body_hash: [u8; 32],
}

impl Key {
    /// Binds a key to a call and its body.
    pub fn new(text: String, call: &str, body: &str) -> Self {
        let mut hasher = Sha256::new();
        hasher.update(call.as_bytes());
        hasher.update([0]);
        hasher.update(body.as_bytes());
        Self { text, body_hash: hasher.finalize().into() }
    }
}

/// Transfers of one member that are accepted or refused together.
pub struct Posting {
    /// In which currency.
    pub currency: Currency,
    /// The client's key.
    pub key: Key,
    /// The record of the domain that causes it.
    pub reference: Uuid,
    /// At least one.
    pub transfers: Vec<Transfer>,
}

/// What a posting left behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Posted {
    /// The record of the domain that caused it.
    pub reference: Uuid,
    /// The member's balance after it.
    pub balance: Amount,
    /// The member's sequence number after it: a newer balance has a higher one.
    pub version: i64,
}

/// Why a posting was refused.
#[derive(Debug, thiserror::Error)]
pub enum PostError {
    /// The member has too little.
    #[error("not enough balance")]
    InsufficientFunds,
    /// The key was used for something else.
    #[error("key used for another request")]
    KeyReused,
    /// The balance would leave the range of amounts.
    #[error("amount out of range")]
    OutOfRange,
    /// The member has no wallet in this currency.
    #[error("no such account")]
    NoAccount,
    /// The database failed.
    #[error(transparent)]
    Database(#[from] sqlx::Error),
}

impl From<PostError> for ApiError {
    fn from(error: PostError) -> Self {
        match error {
            PostError::InsufficientFunds => Self::new(ErrorCode::WalletInsufficientFunds),
            PostError::KeyReused => Self::new(ErrorCode::WalletKeyReused),
            PostError::OutOfRange => Self::new(ErrorCode::WalletLimit),
            PostError::NoAccount => Self::internal("a member without a wallet"),
            PostError::Database(cause) => cause.into(),
        }
    }
}
