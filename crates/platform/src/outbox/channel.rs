//! Message channels (SMS, e-mail) and the trait of their providers.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use uuid::Uuid;

use super::Letter;

/// The channel of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channel {
    /// A text message.
    Sms,
    /// An e-mail.
    Mail,
}

impl Channel {
    /// The name in the database.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sms => "sms",
            Self::Mail => "mail",
        }
    }

    pub(super) fn from_name(name: &str) -> Option<Self> {
        [Self::Sms, Self::Mail].into_iter().find(|channel| channel.name() == name)
    }
}

/// A failed delivery. The text is logged, so it must not name the recipient.
#[derive(Debug, thiserror::Error)]
pub enum DeliveryError {
    /// A temporary failure: the delivery is retried.
    #[error("the message was not accepted: {0}")]
    Later(String),
    /// A permanent failure: the provider rejects this message.
    #[error("the message was rejected: {0}")]
    Never(String),
}

/// A provider that delivers messages.
pub trait Deliver: Send + Sync {
    /// Delivers a message. The id is the same in every attempt, so the provider can deduplicate.
    fn deliver<'a>(
        &'a self,
        id: Uuid,
        letter: &'a Letter,
    ) -> BoxFuture<'a, Result<(), DeliveryError>>;
}

/// The configured providers by channel.
#[derive(Clone, Default)]
pub struct Channels {
    /// The provider of text messages.
    pub sms: Option<Arc<dyn Deliver>>,
    /// The provider of e-mail.
    pub mail: Option<Arc<dyn Deliver>>,
}

impl Channels {
    pub(super) fn get(&self, channel: Channel) -> Option<&Arc<dyn Deliver>> {
        match channel {
            Channel::Sms => self.sms.as_ref(),
            Channel::Mail => self.mail.as_ref(),
        }
    }
}
