//! Who makes the request that is being answered, and from where, for the lines that are written about it.
//!
//! Of a person the log says the account's id and the network, never a name or the whole address: lines are
//! kept where nobody can take a person's out again. Whose account it is may be known before the secret
//! was right: then it is the account that somebody tried to get at.

use std::cell::Cell;
use std::fmt;
use std::future::Future;
use std::net::IpAddr;

use tracing::field::{DisplayValue, display};
use uuid::Uuid;

tokio::task_local! {
    static ASKER: Cell<Asker>;
}

/// What is known of whoever asks.
#[derive(Clone, Copy, Default)]
pub struct Asker {
    /// Whose account it is.
    pub account: Option<Uuid>,
    address: Option<IpAddr>,
}

impl Asker {
    /// Of the request that is being answered.
    pub fn current() -> Self {
        ASKER.try_with(Cell::get).unwrap_or_default()
    }

    /// The same, of this account if it is known.
    #[must_use]
    pub fn or_of(self, account: Option<Uuid>) -> Self {
        Self { account: account.or(self.account), ..self }
    }

    /// The account, for a line.
    pub fn shown(self) -> Option<DisplayValue<Uuid>> {
        self.account.map(display)
    }

    /// From where, for a line.
    pub fn network(self) -> Option<DisplayValue<Network>> {
        self.address.map(|address| display(Network(address.to_canonical())))
    }
}

/// A network as a line has it: it tells a town, not a home.
pub struct Network(IpAddr);

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            IpAddr::V4(address) => {
                let [a, b, c, _] = address.octets();
                write!(f, "{a}.{b}.{c}.0/24")
            }
            IpAddr::V6(address) => {
                let [a, b, c, ..] = address.segments();
                write!(f, "{a:x}:{b:x}:{c:x}::/48")
            }
        }
    }
}

/// Answers a request of which nothing is known yet: what it gives, and who asked.
pub async fn ask<T>(work: impl Future<Output = T>) -> (T, Asker) {
    ASKER.scope(Cell::default(), async { (work.await, Asker::current()) }).await
}

/// Takes along what is known to a task of its own.
pub fn carry<T>(work: impl Future<Output = T>) -> impl Future<Output = T> {
    ASKER.scope(Cell::new(Asker::current()), work)
}

/// Notes whose account asks.
pub fn note_account(id: Uuid) {
    note(|asker| Asker { account: Some(id), ..asker });
}

/// Notes from where somebody asks.
pub fn note_address(address: IpAddr) {
    note(|asker| Asker { address: Some(address), ..asker });
}

fn note(change: impl FnOnce(Asker) -> Asker) {
    // Outside of a request nobody asks.
    let _ = ASKER.try_with(|asker| asker.set(change(asker.get())));
}

/// Writes a line about what whoever asks has done.
pub fn tell(deed: &'static str) {
    let asker = Asker::current();
    tracing::info!(account = asker.shown(), network = asker.network(), "{deed}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_told_by_its_network() {
        for (address, network) in [
            ("198.51.100.7", "198.51.100.0/24"),
            ("::ffff:198.51.100.7", "198.51.100.0/24"),
            ("2001:db8:1:2:3::4", "2001:db8:1::/48"),
        ] {
            let address: IpAddr = address.parse().unwrap();
            assert_eq!(Network(address.to_canonical()).to_string(), network);
        }
    }

    #[tokio::test]
    async fn a_task_of_its_own_knows_who_asks() {
        let id = Uuid::from_u128(7);
        let ((), asker) = ask(async {
            note_account(id);
            let task = tokio::spawn(carry(async { Asker::current().account }));
            assert_eq!(task.await.unwrap(), Some(id));
        })
        .await;
        assert_eq!((asker.account, Asker::current().account), (Some(id), None));
    }
}
