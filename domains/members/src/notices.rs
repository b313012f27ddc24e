//! Security notices: tell a member that a credential or a contact of the account was changed, or
//! that many wrong two-factor codes were entered. They go to a verified contact, so that the owner
//! learns of an account takeover.

use sqlx::PgTransaction;
use uuid::Uuid;

use super::contacts_store;
use crate::Members;
use platform::error::ApiError;
use platform::language::Language;
use platform::outbox::{Channel, Message};
use site::Merchant;

/// What the member is notified about.
#[derive(Clone, Copy, Debug)]
pub enum Notice {
    /// The password was changed.
    Password,
    /// The transaction password was changed.
    PaymentPassword,
    /// A second factor was added.
    FactorOn,
    /// The second factor was removed.
    FactorOff,
    /// The recovery codes were renewed.
    RecoveryCodes,
    /// A first mobile number was added.
    MobileAdded,
    /// The mobile number was changed.
    Mobile,
    /// A first e-mail address was added.
    EmailAdded,
    /// The e-mail address was changed.
    Email,
    /// Many wrong two-factor codes were entered after a correct first factor.
    WrongCodes,
}

/// Queues a notice in the outbox, in the transaction of the change. Call it before a contact is
/// changed, so that the notice goes to the old one. A member without a verified contact gets no
/// notice.
pub async fn notify(
    app: &Members,
    tx: &mut PgTransaction<'_>,
    (merchant, member_id): (&Merchant, Uuid),
    notice: Notice,
) -> Result<(), ApiError> {
    let Some(reach) = contacts_store::find_verified_contacts(tx, member_id).await? else {
        return Ok(());
    };
    let (channel, to) = match (reach.email, reach.mobile) {
        (Some(email), _) => (Channel::Mail, email),
        (None, Some(mobile)) => (Channel::Sms, mobile),
        (None, None) => return Ok(()),
    };
    let language = reach.language.as_deref().and_then(Language::parse);
    let (subject, text) = compose(language.unwrap_or(Language::English), &merchant.name, notice);
    let (merchant_id, purpose) = (merchant.id, "members.changed");
    let message = Message { merchant_id, purpose, channel, to, subject, text, deadline: None };
    app.outbox.send(tx, message, app.clock.now()).await?;
    Ok(())
}

/// Subject and text of the message. It has no link, because phishing messages have links.
fn compose(language: Language, site: &str, notice: Notice) -> (String, String) {
    let what = describe(language, notice);
    match language {
        Language::English => (
            format!("{site}: {what}"),
            format!(
                "{what} on your {site} account. If that was you, there is nothing to do. If not, \
                 open {site}, choose a new password with 'Forgot your password?', and write to us."
            ),
        ),
        Language::Tagalog => (
            format!("{site}: {what}"),
            format!(
                "{what} sa {site} account mo. Kung ikaw iyon, wala kang kailangang gawin. Kung \
                 hindi, buksan ang {site}, pumili ng bagong password sa 'Nakalimutan ang password?', at \
                 sumulat sa amin."
            ),
        ),
    }
}

fn describe(language: Language, notice: Notice) -> &'static str {
    match (language, notice) {
        (Language::English, Notice::Password) => "The password was changed",
        (Language::English, Notice::PaymentPassword) => "The transaction password was changed",
        (Language::English, Notice::FactorOn) => "Two-factor login was turned on",
        (Language::English, Notice::FactorOff) => "Two-factor login was turned off",
        (Language::English, Notice::RecoveryCodes) => "The recovery codes were renewed",
        (Language::English, Notice::MobileAdded) => "A mobile number was added",
        (Language::English, Notice::EmailAdded) => "An e-mail address was added",
        (Language::English, Notice::Mobile) => "The mobile number was changed",
        (Language::English, Notice::Email) => "The e-mail address was changed",
        (Language::English, Notice::WrongCodes) => {
            "Somebody passed the first step of the log-in and typed many wrong two-factor codes"
        }
        (Language::Tagalog, Notice::Password) => "Napalitan ang password",
        (Language::Tagalog, Notice::PaymentPassword) => "Napalitan ang transaction password",
        (Language::Tagalog, Notice::FactorOn) => "Binuksan ang two-factor login",
        (Language::Tagalog, Notice::FactorOff) => "Isinara ang two-factor login",
        (Language::Tagalog, Notice::RecoveryCodes) => "Pinalitan ang mga recovery code",
        (Language::Tagalog, Notice::MobileAdded) => "May idinagdag na mobile number",
        (Language::Tagalog, Notice::EmailAdded) => "May idinagdag na e-mail address",
        (Language::Tagalog, Notice::Mobile) => "Napalitan ang mobile number",
        (Language::Tagalog, Notice::Email) => "Napalitan ang e-mail address",
        (Language::Tagalog, Notice::WrongCodes) => {
            "May nakalampas sa unang hakbang ng log-in at maraming maling two-factor code ang tinype"
        }
    }
}
