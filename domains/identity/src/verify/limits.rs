//! Rate limits on sending codes. They make SMS pumping unprofitable: requesting codes to numbers
//! whose owner is paid for each message.
//!
//! All limits are taken in the transaction that sends, so a refused code uses none of them, and in
//! one order, so that concurrent requests cannot deadlock.

use std::time::Duration;

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgTransaction};

use super::CodeScope;
use super::Destination;
use super::store::{self, Sends};
use crate::Identity;
use crate::codes;
use crate::gates::Visitor;
use platform::error::ApiError;
use platform::phone::Mobile;
use platform::rate_limit::{RateLimit, RetryAfter, TakeError};

const HOUR: Duration = Duration::from_secs(3_600);
const DAY: Duration = Duration::from_secs(86_400);

const PER_DESTINATION: RateLimit =
    RateLimit { name: "sessions.codes.destination", limit: 10, window: DAY };
/// Codes per address and hour. Many phones share an address, so the limit is high.
const PER_ADDRESS: RateLimit =
    RateLimit { name: "sessions.codes.address", limit: 30, window: HOUR };
const PER_ADDRESS_DAY: RateLimit =
    RateLimit { name: "sessions.codes.address_day", limit: 200, window: DAY };
/// Codes per number prefix, which covers ten thousand numbers.
const PER_PREFIX: RateLimit = RateLimit { name: "sessions.codes.prefix", limit: 40, window: DAY };
const PER_DIALING_CODE: RateLimit =
    RateLimit { name: "sessions.codes.dialing_code", limit: 0, window: DAY };
const PER_MERCHANT: RateLimit =
    RateLimit { name: "sessions.codes.merchant", limit: 0, window: DAY };

/// A number prefix that got this many codes without entering one gets no more that day.
const PER_PREFIX_UNANSWERED: RateLimit =
    RateLimit { name: "sessions.codes.prefix_unanswered", limit: 10, window: DAY };

/// The wait after the first code; it doubles with each code.
const FIRST_WAIT: chrono::Duration = chrono::Duration::minutes(1);
const DOUBLINGS: u32 = 5;
/// The window in which a destination gets at most three codes.
const THREE_CODES_WINDOW: chrono::Duration = chrono::Duration::minutes(10);

/// Takes one code out of all limits, or returns the wait that is left.
pub(super) async fn take(
    app: &Identity,
    tx: &mut PgTransaction<'_>,
    visitor: &Visitor,
    (scope, destination): (&CodeScope, &Destination),
    now: DateTime<Utc>,
) -> Result<(), ApiError> {
    take_destination(tx, scope, now).await?;
    let merchant = &visitor.merchant;
    let key_of = |key: &str| format!("{} {key}", merchant.id);
    let destination_key = key_of(&destination.canonical());
    app.rate_limits.take(tx, &PER_DESTINATION, &destination_key, now).await?;
    let address = visitor.address_key();
    app.rate_limits.take(tx, &PER_ADDRESS, &address, now).await?;
    app.rate_limits.take(tx, &PER_ADDRESS_DAY, &address, now).await?;
    match destination {
        Destination::Mobile(mobile) => take_mobile(app, tx, visitor, mobile, now).await,
        Destination::Email(_) => Ok(()),
    }
}

/// The limits of one destination: the wait since its last code, and three codes in ten minutes.
async fn take_destination(
    tx: &mut PgTransaction<'_>,
    scope: &CodeScope,
    now: DateTime<Utc>,
) -> Result<(), ApiError> {
    let before = store::lock_sends(tx, scope, now).await?;
    if let Some(wait_until) = before.wait_until(now) {
        return Err(RetryAfter::until(wait_until, now).into());
    }
    Ok(store::update_sends(tx, scope, &before.with(now), now + DAY).await?)
}

async fn take_mobile(
    app: &Identity,
    tx: &mut PgTransaction<'_>,
    visitor: &Visitor,
    mobile: &Mobile,
    now: DateTime<Utc>,
) -> Result<(), ApiError> {
    let merchant = &visitor.merchant;
    let key_of = |key: &str| format!("{} {key}", merchant.id);
    app.rate_limits.take(tx, &PER_PREFIX, &key_of(mobile.prefix()), now).await?;
    app.rate_limits.take(tx, &PER_PREFIX_UNANSWERED, &key_of(mobile.prefix()), now).await?;
    // One country may use at most four fifths of the merchant's text messages per day.
    let per_country = merchant.sms_per_day - merchant.sms_per_day / 5;
    let dialing_code = key_of(&mobile.dialing_code().to_string());
    let of_country = RateLimit { limit: per_country, ..PER_DIALING_CODE };
    let of_all = RateLimit { limit: merchant.sms_per_day, ..PER_MERCHANT };
    for (limit, key) in [(of_country, dialing_code), (of_all, merchant.id.to_string())] {
        match app.rate_limits.take(tx, &limit, &key, now).await {
            Err(TakeError::UsedUp(RetryAfter(seconds))) => {
                let (merchant, limit) = (&merchant.code, limit.name);
                tracing::warn!(
                    merchant,
                    limit,
                    "the daily limit of text messages is reached; raise the merchant's limit if the \
                     traffic is genuine"
                );
                return Err(ApiError::new(codes::VERIFICATION_QUOTA).retry_after(seconds));
            }
            taken => taken?,
        };
    }
    Ok(())
}

/// Called after a right code: resets the wait of the destination and the count of its number
/// prefix.
pub(super) async fn note_answer(
    app: &Identity,
    db: &mut PgConnection,
    (scope, destination): (&CodeScope, &Destination),
) -> Result<(), sqlx::Error> {
    store::note_answer(db, scope).await?;
    if let Destination::Mobile(mobile) = destination {
        let key = format!("{} {}", scope.merchant_id, mobile.prefix());
        app.rate_limits.clear(db, &PER_PREFIX_UNANSWERED, &key).await?;
    }
    Ok(())
}

impl Sends {
    /// When the next code may be sent; none if now.
    fn wait_until(&self, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
        let newest = *self.sent_at.last()?;
        let doublings = u32::from(self.unanswered.saturating_sub(1)).min(DOUBLINGS);
        let pause = if self.unanswered == 0 {
            // After a right code the next one, for another purpose, may follow at once.
            chrono::Duration::zero()
        } else {
            FIRST_WAIT * 2_i32.pow(doublings)
        };
        let third_newest = self.sent_at.iter().rev().nth(2);
        let window = third_newest.map_or(newest, |sent_at| *sent_at + THREE_CODES_WINDOW);
        Some(window.max(newest + pause)).filter(|moment| *moment > now)
    }

    /// The sends with one more.
    fn with(&self, now: DateTime<Utc>) -> Self {
        let mut sent_at = self.sent_at.clone();
        sent_at.push(now);
        let sent_at = sent_at.split_off(sent_at.len().saturating_sub(3));
        Self { unanswered: self.unanswered.saturating_add(1), sent_at }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start() -> DateTime<Utc> {
        DateTime::from_timestamp(1_900_000_000, 0).unwrap()
    }

    #[test]
    fn the_wait_doubles_up_to_half_an_hour_and_three_fit_in_ten_minutes() {
        let mut sends = Sends { unanswered: 0, sent_at: Vec::new() };
        let (mut now, mut pauses) = (start(), Vec::new());
        for _ in 0..10 {
            let at = sends.wait_until(now).unwrap_or(now);
            pauses.push((at - now).num_minutes());
            now = at;
            sends = sends.with(now);
        }
        // The fourth waits for the window of ten minutes instead of four.
        assert_eq!(pauses, [0, 1, 2, 7, 8, 16, 32, 32, 32, 32]);
    }

    #[test]
    fn an_answer_ends_the_doubling_but_not_the_window() {
        let sends = Sends { unanswered: 0, sent_at: vec![start(); 3] };
        assert_eq!(sends.wait_until(start()), Some(start() + THREE_CODES_WINDOW));
        assert_eq!(sends.wait_until(start() + THREE_CODES_WINDOW), None);
        let sends = Sends { unanswered: 0, sent_at: vec![start()] };
        assert_eq!(sends.wait_until(start()), None);
    }
}
