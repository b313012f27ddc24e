//! Accounts, transfers and postings.

use std::borrow::Cow;
use std::sync::Arc;

use capiz_rules::money::{Amount, Currency};
use serde::Serialize;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::reasons::Reason;
use crate::codes;
use platform::error::ApiError;
use platform::fail::Injected;

/// The short name of an outside vendor: capital letters and digits.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Vendor(Arc<str>);

impl Vendor {
    /// A vendor by its short name, 2 to 16 capital letters or digits.
    pub fn new(name: &str) -> Option<Self> {
        let is_short = (2..=16).contains(&name.len());
        let is_plain = name.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit());
        (is_short && is_plain).then(|| Self(name.into()))
    }

    /// The short name.
    pub fn name(&self) -> &str {
        &self.0
    }
}

/// One side of a transfer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Account {
    /// What the holder can play with and withdraw.
    Main,
    /// What is set aside for something under way, a withdrawal for example.
    Held,
    /// Gifts whose conditions are not met yet.
    Bonus,
    /// Points, in a currency of their own.
    Points,
    /// A wallet that an outside vendor keeps.
    Vendor(Vendor),
    /// An account of the holder's merchant.
    House(House),
}

/// What the accounts of a merchant are for. They have no rows: their balances are sums.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum House {
    /// Games are paid from it and pay to it.
    Games,
    /// Gifts come from it.
    Promotions,
    /// The outside world: deposits come from it, withdrawals go to it.
    Bank,
    /// Between the two steps of a transfer from one holder to another; empty otherwise.
    Transit,
    /// Fees go to it.
    Fees,
    /// Commissions of agents come from it.
    Agents,
    /// Rebates and paid points come from it.
    Loyalty,
    /// Corrections by staff.
    Corrections,
    /// Points come from it and go to it.
    Points,
    /// Jackpots are fed from it.
    Jackpots,
    /// What an outside vendor's games won and lost.
    Provider(Vendor),
}

impl House {
    /// The name, and that of its twin for demo money.
    fn names(&self) -> Option<(&'static str, &'static str)> {
        Some(match self {
            Self::Games => ("house:games", "house:demo-games"),
            Self::Promotions => ("house:promotions", "house:demo-promotions"),
            Self::Bank => ("house:bank", "house:demo-bank"),
            Self::Transit => ("house:transit", "house:demo-transit"),
            Self::Fees => ("house:fees", "house:demo-fees"),
            Self::Agents => ("house:agents", "house:demo-agents"),
            Self::Loyalty => ("house:loyalty", "house:demo-loyalty"),
            Self::Corrections => ("house:corrections", "house:demo-corrections"),
            Self::Points => ("house:points", "house:demo-points"),
            Self::Jackpots => ("house:jackpots", "house:demo-jackpots"),
            Self::Provider(_) => return None,
        })
    }

    fn name(&self, currency: Currency) -> Cow<'static, str> {
        let is_demo = currency == Currency::Fun;
        match (self, self.names()) {
            (_, Some((real, demo))) => Cow::Borrowed(if is_demo { demo } else { real }),
            (Self::Provider(vendor), None) if is_demo => {
                format!("house:demo-provider:{}", vendor.name()).into()
            }
            (Self::Provider(vendor), None) => format!("house:provider:{}", vendor.name()).into(),
            (_, None) => Cow::Borrowed("house:unnamed"),
        }
    }

    fn parse(name: &str) -> Option<Self> {
        let name = name.strip_prefix("demo-").unwrap_or(name);
        Some(match name {
            "games" => Self::Games,
            "promotions" => Self::Promotions,
            "bank" => Self::Bank,
            "transit" => Self::Transit,
            "fees" => Self::Fees,
            "agents" => Self::Agents,
            "loyalty" => Self::Loyalty,
            "corrections" => Self::Corrections,
            "points" => Self::Points,
            "jackpots" => Self::Jackpots,
            other => Self::Provider(Vendor::new(other.strip_prefix("provider:")?)?),
        })
    }
}

impl Account {
    /// The account's name in a transfer. Demo money has house accounts of its own.
    pub fn name(&self, currency: Currency) -> Cow<'static, str> {
        match self {
            Self::Main => Cow::Borrowed("main"),
            Self::Held => Cow::Borrowed("held"),
            Self::Bonus => Cow::Borrowed("bonus"),
            Self::Points => Cow::Borrowed("points"),
            Self::Vendor(vendor) => format!("vendor:{}", vendor.name()).into(),
            Self::House(house) => house.name(currency),
        }
    }

    /// The account of a name.
    pub fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "main" => Self::Main,
            "held" => Self::Held,
            "bonus" => Self::Bonus,
            "points" => Self::Points,
            other => match other.strip_prefix("house:") {
                Some(house) => Self::House(House::parse(house)?),
                None => Self::Vendor(Vendor::new(other.strip_prefix("vendor:")?)?),
            },
        })
    }

    /// Whether it belongs to the merchant and not to the holder.
    pub fn is_house(&self) -> bool {
        matches!(self, Self::House(_))
    }
}

/// An amount that moves from one account to another.
#[derive(Clone, Debug)]
pub struct Transfer {
    /// Where it comes from.
    pub debit: Account,
    /// Where it goes to.
    pub credit: Account,
    /// How much; above zero.
    pub amount: Amount,
    /// Why.
    pub reason: Reason,
    /// The sequence number of the transfer that it undoes.
    pub reverses: Option<i64>,
}

impl Transfer {
    /// A transfer that undoes nothing.
    pub fn new(debit: Account, credit: Account, amount: Amount, reason: Reason) -> Self {
        Self { debit, credit, amount, reason, reverses: None }
    }

    /// The currency that it moves: points are one of their own.
    pub(super) fn currency(&self, holders: Currency) -> Currency {
        if self.debit == Account::Points || self.credit == Account::Points {
            Currency::Pts
        } else {
            holders
        }
    }
}

/// The push event that tells a member's pages of a new balance.
#[derive(Debug, Serialize)]
pub struct BalanceEvent {
    #[serde(rename = "type")]
    kind: &'static str,
    balance: NewBalance,
}

#[derive(Debug, Serialize)]
struct NewBalance {
    currency: &'static str,
    balance: Amount,
    version: i64,
}

impl BalanceEvent {
    /// A main account after a posting, with its version.
    pub fn new((balance, version): (Amount, i64), currency: Currency) -> Self {
        let balance = NewBalance { currency: currency.code(), balance, version };
        Self { kind: "balance", balance }
    }
}

/// An idempotency key, and the hash of what it was sent with.
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

/// Transfers of one holder that are accepted or refused together.
#[derive(Clone, Debug)]
pub struct Posting {
    /// Whose.
    pub holder_id: Uuid,
    /// The key: one effect for ever.
    pub key: Key,
    /// The record of the domain that causes it.
    pub reference: Uuid,
    /// At least one.
    pub transfers: Vec<Transfer>,
}

/// What a desk remembers of a holder, in the holder's row: read under its lock and written with
/// its balances. To the wallet it means nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mark {
    /// A record of the desk's domain.
    pub reference: Option<Uuid>,
    /// How far the desk has come with it.
    pub count: i64,
}

/// What a posting left behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Posted {
    /// The record of the domain that caused it.
    pub reference: Uuid,
    /// What was on the holder's main account after it.
    pub balance: Amount,
    /// The holder's sequence number after it: a newer balance has a higher one.
    pub version: i64,
    /// Whether it was posted before under the same key, and nothing was done now.
    pub is_replay: bool,
}

/// Why a posting was refused.
#[derive(Debug, thiserror::Error)]
pub enum PostError {
    /// The holder has too little.
    #[error("not enough balance")]
    InsufficientFunds,
    /// The key was used for something else.
    #[error("key used for another request")]
    KeyReused,
    /// The balance would leave the range of amounts.
    #[error("amount out of range")]
    OutOfRange,
    /// There is no such holder.
    #[error("no such holder")]
    NoHolder,
    /// The holder's account is frozen, and it is the holder who asks.
    #[error("the account is frozen")]
    Frozen,
    /// The holder's account is closed.
    #[error("the account is closed")]
    Closed,
    /// A hold that is not open, a transfer that cannot be undone, an escrow that is closed.
    #[error("{0}")]
    Impossible(&'static str),
    /// A test asked for a failure.
    #[error(transparent)]
    Injected(#[from] Injected),
    /// The database failed.
    #[error(transparent)]
    Database(#[from] sqlx::Error),
}

impl From<PostError> for ApiError {
    fn from(error: PostError) -> Self {
        match error {
            PostError::InsufficientFunds => Self::new(codes::INSUFFICIENT_FUNDS),
            PostError::KeyReused => Self::new(codes::KEY_REUSED),
            PostError::OutOfRange => Self::new(codes::LIMIT),
            PostError::NoHolder => Self::internal("a member without a wallet"),
            PostError::Frozen => Self::new(members::codes::FROZEN),
            PostError::Closed => Self::new(members::codes::CLOSED),
            PostError::Impossible(_) => Self::new(codes::IMPOSSIBLE).caused_by(error),
            PostError::Injected(cause) => Self::unavailable(cause),
            PostError::Database(cause) => cause.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_account_can_be_read_back_from_its_name() {
        let vendor = Vendor::new("ACME9").unwrap();
        let houses = [
            House::Games,
            House::Promotions,
            House::Bank,
            House::Transit,
            House::Fees,
            House::Agents,
            House::Loyalty,
            House::Corrections,
            House::Points,
            House::Jackpots,
            House::Provider(vendor.clone()),
        ];
        let own = [Account::Main, Account::Held, Account::Bonus, Account::Points];
        let all = own.into_iter().chain([Account::Vendor(vendor)]);
        for account in all.chain(houses.map(Account::House)) {
            for currency in Currency::ALL {
                let name = account.name(currency);
                assert_eq!(Account::parse(&name).as_ref(), Some(&account), "{name}");
                assert_eq!(name.starts_with("house:"), account.is_house());
                let is_demo = name.starts_with("house:demo-");
                assert_eq!(is_demo, account.is_house() && currency == Currency::Fun);
            }
        }
        for name in ["", "house:", "house:vault", "vendor:", "vendor:acme", "mains"] {
            assert_eq!(Account::parse(name), None, "{name}");
        }
    }
}
