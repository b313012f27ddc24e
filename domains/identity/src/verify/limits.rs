//! How many codes are sent: whoever asks for codes to numbers that pay him for each must find
//! that it does not pay.
//!
//! Taken in the transaction that sends, in one order, so that what is refused was not used and
//! two senders never wait for each other in a circle.

use std::time::Duration;

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgTransaction};

use super::Destination;
use super::Place;
use super::store::{self, Sends};
use crate::Identity;
use crate::codes;
use crate::gates::Visitor;
use platform::budget::{Budget, RetryAfter, TakeError};
use platform::error::ApiError;
use platform::phone::Mobile;

const HOUR: Duration = Duration::from_secs(3_600);
const DAY: Duration = Duration::from_secs(86_400);

const PER_DESTINATION: Budget =
    Budget { name: "sessions.codes.destination", limit: 10, window: DAY };
/// Of phones many share one address, so this is no number for one person.
const PER_ADDRESS: Budget = Budget { name: "sessions.codes.address", limit: 30, window: HOUR };
const PER_ADDRESS_DAY: Budget =
    Budget { name: "sessions.codes.address_day", limit: 200, window: DAY };
/// Of ten thousand numbers.
const PER_PREFIX: Budget = Budget { name: "sessions.codes.prefix", limit: 40, window: DAY };
const PER_DIALING_CODE: Budget =
    Budget { name: "sessions.codes.dialing_code", limit: 0, window: DAY };
const PER_MERCHANT: Budget = Budget { name: "sessions.codes.merchant", limit: 0, window: DAY };

/// A block of numbers that got so many codes of which none was entered gets no more that day.
const PER_PREFIX_UNANSWERED: Budget =
    Budget { name: "sessions.codes.prefix_unanswered", limit: 10, window: DAY };

/// The wait after the first code; it doubles from code to code.
const FIRST_WAIT: chrono::Duration = chrono::Duration::minutes(1);
const DOUBLINGS: u32 = 5;
/// Three codes at most in this time.
const THREE_IN: chrono::Duration = chrono::Duration::minutes(10);

/// Takes one code out of all limits, or says which wait is left.
pub(super) async fn take(
    app: &Identity,
    tx: &mut PgTransaction<'_>,
    visitor: &Visitor,
    (place, destination): (&Place, &Destination),
    now: DateTime<Utc>,
) -> Result<(), ApiError> {
    take_turn(tx, place, now).await?;
    let merchant = &visitor.merchant;
    let within = |key: &str| format!("{} {key}", merchant.id);
    let destination_key = within(&destination.canonical());
    app.budgets.take(tx, &PER_DESTINATION, &destination_key, now).await?;
    let address = visitor.address_key();
    app.budgets.take(tx, &PER_ADDRESS, &address, now).await?;
    app.budgets.take(tx, &PER_ADDRESS_DAY, &address, now).await?;
    match destination {
        Destination::Mobile(mobile) => take_mobile(app, tx, visitor, mobile, now).await,
        Destination::Email(_) => Ok(()),
    }
}

/// The turn of one destination: the wait since its last code, and three in ten minutes.
async fn take_turn(
    tx: &mut PgTransaction<'_>,
    place: &Place,
    now: DateTime<Utc>,
) -> Result<(), ApiError> {
    let before = store::lock_sends(tx, place, now).await?;
    if let Some(wait_until) = before.wait_until(now) {
        return Err(RetryAfter::until(wait_until, now).into());
    }
    Ok(store::update_sends(tx, place, &before.with(now), now + DAY).await?)
}

async fn take_mobile(
    app: &Identity,
    tx: &mut PgTransaction<'_>,
    visitor: &Visitor,
    mobile: &Mobile,
    now: DateTime<Utc>,
) -> Result<(), ApiError> {
    let merchant = &visitor.merchant;
    let within = |key: &str| format!("{} {key}", merchant.id);
    app.budgets.take(tx, &PER_PREFIX, &within(mobile.prefix()), now).await?;
    app.budgets.take(tx, &PER_PREFIX_UNANSWERED, &within(mobile.prefix()), now).await?;
    // No country may take all messages of a day for itself.
    let per_country = merchant.sms_per_day - merchant.sms_per_day / 5;
    let dialing_code = within(&mobile.dialing_code().to_string());
    let of_country = Budget { limit: per_country, ..PER_DIALING_CODE };
    let of_all = Budget { limit: merchant.sms_per_day, ..PER_MERCHANT };
    for (budget, key) in [(of_country, dialing_code), (of_all, merchant.id.to_string())] {
        match app.budgets.take(tx, &budget, &key, now).await {
            Err(TakeError::UsedUp(RetryAfter(seconds))) => {
                let (merchant, budget) = (&merchant.code, budget.name);
                tracing::warn!(merchant, budget, "the text messages of the day are used up");
                return Err(ApiError::new(codes::VERIFICATION_QUOTA).retry_after(seconds));
            }
            taken => taken?,
        };
    }
    Ok(())
}

/// A code was entered: its destination and its block of numbers are somebody's.
pub(super) async fn note_answer(
    app: &Identity,
    db: &mut PgConnection,
    (place, destination): (&Place, &Destination),
) -> Result<(), sqlx::Error> {
    store::note_answer(db, place).await?;
    if let Destination::Mobile(mobile) = destination {
        let key = format!("{} {}", place.merchant_id, mobile.prefix());
        app.budgets.clear(db, &PER_PREFIX_UNANSWERED, &key).await?;
    }
    Ok(())
}

impl Sends {
    /// When the next code may be sent; none if that is now.
    fn wait_until(&self, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
        let newest = *self.sent_at.last()?;
        let doublings = u32::from(self.unanswered.saturating_sub(1)).min(DOUBLINGS);
        let pause = if self.unanswered == 0 {
            // A code that was entered may be followed by the next purpose's at once.
            chrono::Duration::zero()
        } else {
            FIRST_WAIT * 2_i32.pow(doublings)
        };
        let third_newest = self.sent_at.iter().rev().nth(2);
        let window = third_newest.map_or(newest, |sent_at| *sent_at + THREE_IN);
        Some(window.max(newest + pause)).filter(|moment| *moment > now)
    }

    /// The same after another code.
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
        assert_eq!(sends.wait_until(start()), Some(start() + THREE_IN));
        assert_eq!(sends.wait_until(start() + THREE_IN), None);
        let sends = Sends { unanswered: 0, sent_at: vec![start()] };
        assert_eq!(sends.wait_until(start()), None);
    }
}
