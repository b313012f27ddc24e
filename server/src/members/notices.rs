//! Telling a member that how one comes into its account was changed. If it was somebody else, the
//! member learns of it where that person does not sit: at a contact that is known to be its own.

use sqlx::PgTransaction;
use uuid::Uuid;

use super::contacts_store;
use crate::app::App;
use crate::platform::error::ApiError;
use crate::platform::language::Language;
use crate::platform::outbox::{Channel, Message};
use crate::site::Merchant;

/// What was changed.
#[derive(Clone, Copy, Debug)]
pub enum Change {
    /// The password.
    Password,
    /// The transaction password.
    PaymentPassword,
    /// A second factor was added.
    FactorOn,
    /// The second factor was taken away.
    FactorOff,
    /// The recovery codes.
    RecoveryCodes,
    /// The mobile number.
    Mobile,
    /// The e-mail address.
    Email,
    /// Nothing yet: many wrong codes came after the right password.
    WrongCodes,
}

/// Writes to a member of a change, in its transaction. Comes before a contact itself is changed, so
/// that the one so far is written to. Who has proved none is not reached.
pub async fn tell_of_change(
    app: &App,
    tx: &mut PgTransaction<'_>,
    (merchant, member_id): (&Merchant, Uuid),
    change: Change,
) -> Result<(), ApiError> {
    let Some(reach) = contacts_store::find_reach(tx, member_id).await? else { return Ok(()) };
    let (channel, to) = match (reach.email, reach.mobile) {
        (Some(email), _) => (Channel::Mail, email),
        (None, Some(mobile)) => (Channel::Sms, mobile),
        (None, None) => return Ok(()),
    };
    let language = reach.language.as_deref().and_then(Language::parse);
    let (subject, text) = words(language.unwrap_or(Language::English), &merchant.name, change);
    let (merchant_id, purpose) = (merchant.id, "members.changed");
    let message = Message { merchant_id, purpose, channel, to, subject, text, deadline: None };
    app.outbox.send(tx, message, app.clock.now()).await?;
    Ok(())
}

/// Subject and text of the message. No link: letters with links are what thieves write.
fn words(language: Language, site: &str, change: Change) -> (String, String) {
    let what = what(language, change);
    match language {
        Language::English => (
            format!("{site}: {what}"),
            format!(
                "{what} on your {site} account. If that was you, there is nothing to do. If not, \
                 open {site}, choose a new password with 'Forgot password', and write to us."
            ),
        ),
        Language::Tagalog => (
            format!("{site}: {what}"),
            format!(
                "{what} sa {site} account mo. Kung ikaw iyon, wala kang kailangang gawin. Kung \
                 hindi, buksan ang {site}, pumili ng bagong password sa 'Forgot password', at \
                 sumulat sa amin."
            ),
        ),
    }
}

fn what(language: Language, change: Change) -> &'static str {
    match (language, change) {
        (Language::English, Change::Password) => "The password was changed",
        (Language::English, Change::PaymentPassword) => "The transaction password was changed",
        (Language::English, Change::FactorOn) => "Two-factor login was turned on",
        (Language::English, Change::FactorOff) => "Two-factor login was turned off",
        (Language::English, Change::RecoveryCodes) => "The recovery codes were renewed",
        (Language::English, Change::Mobile) => "The mobile number was changed",
        (Language::English, Change::Email) => "The e-mail address was changed",
        (Language::English, Change::WrongCodes) => {
            "Somebody with the right password typed many wrong two-factor codes"
        }
        (Language::Tagalog, Change::Password) => "Napalitan ang password",
        (Language::Tagalog, Change::PaymentPassword) => "Napalitan ang transaction password",
        (Language::Tagalog, Change::FactorOn) => "Binuksan ang two-factor login",
        (Language::Tagalog, Change::FactorOff) => "Isinara ang two-factor login",
        (Language::Tagalog, Change::RecoveryCodes) => "Pinalitan ang mga recovery code",
        (Language::Tagalog, Change::Mobile) => "Napalitan ang mobile number",
        (Language::Tagalog, Change::Email) => "Napalitan ang e-mail address",
        (Language::Tagalog, Change::WrongCodes) => {
            "May nakaalam ng tamang password at maraming maling two-factor code ang tinype"
        }
    }
}
