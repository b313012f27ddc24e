//! The ways in which messages leave.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use uuid::Uuid;

use super::Letter;

/// How a message goes out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channel {
    /// A text message.
    Sms,
    /// An e-mail.
    Mail,
}

impl Channel {
    /// The name in the table.
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

/// A delivery that failed. The text goes to the log, so it names no recipient.
#[derive(Debug, thiserror::Error)]
pub enum DeliveryError {
    /// It may work later.
    #[error("the message was not taken: {0}")]
    Later(String),
    /// It never will: the provider refuses this message.
    #[error("the message was refused: {0}")]
    Never(String),
}

/// Hands messages to the outside world.
pub trait Deliver: Send + Sync {
    /// Hands one over; the id is the same in every attempt.
    fn deliver<'a>(
        &'a self,
        id: Uuid,
        letter: &'a Letter,
    ) -> BoxFuture<'a, Result<(), DeliveryError>>;
}

/// The channels that are configured.
#[derive(Clone, Default)]
pub struct Channels {
    /// Text messages.
    pub sms: Option<Arc<dyn Deliver>>,
    /// E-mail.
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
