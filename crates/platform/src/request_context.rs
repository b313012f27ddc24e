//! The request context: the account and client network of the current request, for log lines.
//!
//! Logs identify a person only by account id and network, never by name or full IP address, because
//! a person's data cannot be removed from logs again. The account may be set before the password
//! was verified: then it is the account that somebody tried to log in to.

use std::cell::Cell;
use std::fmt;
use std::future::Future;
use std::net::IpAddr;

use tracing::field::{DisplayValue, display};
use uuid::Uuid;

tokio::task_local! {
    static CONTEXT: Cell<RequestContext>;
}

/// What is known about the sender of the current request.
#[derive(Clone, Copy, Default)]
pub struct RequestContext {
    /// The account, once it is known.
    pub account: Option<Uuid>,
    address: Option<IpAddr>,
}

impl RequestContext {
    /// The context of the current request; empty outside of a request.
    pub fn current() -> Self {
        CONTEXT.try_with(Cell::get).unwrap_or_default()
    }

    /// Replaces the account, if one is given.
    #[must_use]
    pub fn with_account(self, account: Option<Uuid>) -> Self {
        Self { account: account.or(self.account), ..self }
    }

    /// The account, as a log field.
    pub fn account_field(self) -> Option<DisplayValue<Uuid>> {
        self.account.map(display)
    }

    /// The client's network, as a log field.
    pub fn network_field(self) -> Option<DisplayValue<Network>> {
        self.address.map(|address| display(Network(address.to_canonical())))
    }
}

/// A client's network for logs: /24 for IPv4, /48 for IPv6. Enough for a region, not for a
/// household.
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

/// Runs a request with an empty context, and returns its result with the final context.
pub async fn scope<T>(work: impl Future<Output = T>) -> (T, RequestContext) {
    CONTEXT.scope(Cell::default(), async { (work.await, RequestContext::current()) }).await
}

/// Copies the current context into a future that is spawned as another task.
pub fn inherit<T>(work: impl Future<Output = T>) -> impl Future<Output = T> {
    CONTEXT.scope(Cell::new(RequestContext::current()), work)
}

/// Sets the account of the current request.
pub fn set_account(id: Uuid) {
    update(|context| RequestContext { account: Some(id), ..context });
}

/// Sets the client address of the current request.
pub fn set_address(address: IpAddr) {
    update(|context| RequestContext { address: Some(address), ..context });
}

fn update(change: impl FnOnce(RequestContext) -> RequestContext) {
    // Outside of a request there is no context to update.
    let _ = CONTEXT.try_with(|context| context.set(change(context.get())));
}

/// Logs an action of the current account, such as `logged in`. `docs/data.md` lists all of them.
pub fn log(action: &'static str) {
    let context = RequestContext::current();
    let (account, network) = (context.account_field(), context.network_field());
    tracing::info!(account, network, "{action}");
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
        let ((), context) = scope(async {
            set_account(id);
            let task = tokio::spawn(inherit(async { RequestContext::current().account }));
            assert_eq!(task.await.unwrap(), Some(id));
        })
        .await;
        assert_eq!((context.account, RequestContext::current().account), (Some(id), None));
    }
}
