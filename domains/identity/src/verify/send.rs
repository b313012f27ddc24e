//! Sends verification codes.

use sqlx::Acquire;

use super::CodeScope;
use super::Destination;
use super::Purpose;
use super::Requester;
use super::limits;
use super::store;
use super::texts;
use crate::Identity;
use crate::gates::Visitor;
use platform::db;
use platform::error::ApiError;
use platform::outbox::{Channel, Message};
use platform::secret::random_bytes;

/// The result of sending a code, the same whether the number is known or not.
#[derive(Clone, Copy, Debug)]
pub struct Sent {
    /// How many minutes the code is valid.
    pub expired_minutes: u16,
}

/// Sends a code. If nobody should get it (`is_deliverable` is false: a login with a number that no
/// member has), all work is done and only the message is rolled back, so that neither the answer
/// nor its timing reveals anything.
pub async fn send(
    app: &Identity,
    visitor: &Visitor,
    (purpose, requester): (Purpose, Requester),
    destination: Destination,
    is_deliverable: bool,
) -> Result<Sent, ApiError> {
    let visitor = visitor.clone();
    app.run(move |app| async move {
        let now = app.clock.now();
        let merchant = &visitor.merchant;
        let minutes = merchant.code_minutes;
        let expires_at = now + chrono::Duration::minutes(minutes.into());
        let scope = CodeScope::new(&app, merchant.id, (purpose, requester), &destination);
        let code = new_code();
        let mut tx = app.db.begin().await?;
        limits::take(&app, &mut tx, &visitor, (&scope, &destination), now).await?;
        let code_hash = scope.code_hash(&app, &code);
        store::upsert_code(&mut tx, &scope, &code_hash, (now, expires_at)).await?;
        let (channel, to) = match &destination {
            Destination::Mobile(mobile) => (Channel::Sms, mobile.e164().to_owned()),
            Destination::Email(address) => (Channel::Mail, address.trim().to_owned()),
        };
        let (subject, text) = texts::write(visitor.language, &merchant.name, &code, minutes);
        let (merchant_id, deadline, purpose) = (merchant.id, Some(expires_at), purpose.message());
        let message = Message { merchant_id, purpose, channel, to, subject, text, deadline };
        let mut writing = tx.begin().await?;
        app.outbox.send(&mut writing, message, now).await?;
        match is_deliverable {
            true => writing.commit().await?,
            false => writing.rollback().await?,
        }
        db::commit(tx).await?;
        Ok(Sent { expired_minutes: minutes })
    })
    .await
}

/// Six digits with equal probability: draws outside the largest multiple of a million are repeated
/// (no modulo bias).
fn new_code() -> String {
    const CODES: u32 = 1_000_000;
    const LIMIT: u32 = u32::MAX - u32::MAX % CODES;
    loop {
        let drawn = u32::from_be_bytes(random_bytes());
        if drawn < LIMIT {
            return format!("{:06}", drawn % CODES);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_have_six_digits_and_differ() {
        let codes: std::collections::BTreeSet<_> = (0..1_000).map(|_| new_code()).collect();
        assert!(codes.iter().all(|code| code.len() == 6 && code.parse::<u32>().is_ok()));
        assert!(codes.len() > 990, "{}", codes.len());
    }
}
