//! Types of the ledger: accounts, transfers, postings, idempotency keys and post errors.

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

/// The short name of an external game vendor: capital letters and digits.
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
    /// The balance that the holder can play with and withdraw.
    Main,
    /// Money reserved by a hold, for a pending withdrawal for example.
    Held,
    /// Bonuses whose conditions are not met yet.
    Bonus,
    /// Loyalty points, in the currency `PTS`.
    Points,
    /// The holder's wallet at an external vendor.
    Vendor(Vendor),
    /// An account of the holder's merchant.
    House(House),
}

/// The house accounts of a merchant. They have no rows: their balances are sums over transfers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum House {
    /// Receives stakes and pays payouts of games.
    Games,
    /// Pays for bonuses and welcome gifts.
    Promotions,
    /// The counterpart of real money: deposits come from it, withdrawals go to it.
    Bank,
    /// Holds money between the two steps of a transfer from one holder to another. Its sum is zero
    /// after every commit.
    Transit,
    /// Receives fees.
    Fees,
    /// Pays the commissions of agents.
    Agents,
    /// Pays rebates and redeemed points.
    Loyalty,
    /// The counterpart of corrections by staff.
    Corrections,
    /// Issues points and takes spent ones back.
    Points,
    /// Funds the jackpot pools.
    Jackpots,
    /// Wins and losses of an external vendor's games.
    Provider(Vendor),
}

impl House {
    /// The account's name for real money and its name for demo money.
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

    /// Parses an account's name.
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

    /// Whether the account belongs to the merchant, not to the holder.
    pub fn is_house(&self) -> bool {
        matches!(self, Self::House(_))
    }
}

/// A movement of money from a debit account to a credit account.
#[derive(Clone, Debug)]
pub struct Transfer {
    /// The account that is debited.
    pub debit: Account,
    /// The account that is credited.
    pub credit: Account,
    /// The amount; must be positive.
    pub amount: Amount,
    /// Why the money moves.
    pub reason: Reason,
    /// The sequence number of the transfer that this one reverses.
    pub reverses: Option<i64>,
}

impl Transfer {
    /// A transfer that is not a reversal.
    pub fn new(debit: Account, credit: Account, amount: Amount, reason: Reason) -> Self {
        Self { debit, credit, amount, reason, reverses: None }
    }

    /// The currency of the transfer: `PTS` if points are involved, otherwise the holder's.
    pub(super) fn currency(&self, holder_currency: Currency) -> Currency {
        if self.debit == Account::Points || self.credit == Account::Points {
            Currency::Pts
        } else {
            holder_currency
        }
    }
}

/// The push event that sends a new balance to a member's open pages.
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
    /// Builds the event from the main balance after a posting and its version.
    pub fn new((balance, version): (Amount, i64), currency: Currency) -> Self {
        let balance = NewBalance { currency: currency.code(), balance, version };
        Self { kind: "balance", balance }
    }
}

/// An idempotency key with the hash of the request that it was sent with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    /// The key as sent.
    pub text: String,
    /// The SHA-256 of the call's name and its body.
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

/// Transfers of one holder that are posted together: all of them or none.
#[derive(Clone, Debug)]
pub struct Posting {
    /// The holder whose accounts they move.
    pub holder_id: Uuid,
    /// The idempotency key: it has one effect for ever.
    pub key: Key,
    /// The id of the record that causes the posting, a round for example.
    pub reference: Uuid,
    /// The transfers; at least one.
    pub transfers: Vec<Transfer>,
}

/// State of a handler for one holder, stored in the holder's row, so it is read under the row lock
/// and written together with the balances. The wallet does not interpret it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HandlerCursor {
    /// The id of a record of the handler's domain.
    pub reference: Option<Uuid>,
    /// A counter of the handler, for example the next nonce.
    pub count: i64,
}

/// The result of a posting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Posted {
    /// The id of the record that caused it.
    pub reference: Uuid,
    /// The holder's main balance after it.
    pub balance: Amount,
    /// The holder's sequence number after it: a newer balance has a higher one.
    pub version: i64,
    /// Whether the key was used before: then nothing was posted now, and this is the first result.
    pub is_replay: bool,
}

/// Why a posting was refused.
#[derive(Debug, thiserror::Error)]
pub enum PostError {
    /// The balance is too low.
    #[error("not enough balance")]
    InsufficientFunds,
    /// The idempotency key was used for another request.
    #[error("key used for another request")]
    KeyReused,
    /// A balance would overflow.
    #[error("amount out of range")]
    OutOfRange,
    /// The holder does not exist.
    #[error("no such holder")]
    NoHolder,
    /// The holder's account is frozen, so its own orders are refused.
    #[error("the account is frozen")]
    Frozen,
    /// The holder's account is closed.
    #[error("the account is closed")]
    Closed,
    /// The state does not allow it: the hold is not open, the transfer cannot be reversed, the
    /// escrow is closed.
    #[error("{0}")]
    Impossible(&'static str),
    /// A fail point of a test was hit.
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
            PostError::NoHolder => Self::internal("the member has no wallet"),
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
