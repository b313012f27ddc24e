//! Site: merchants and their hosts, switches, rules of registration, policies, start-up status.
//!
//! Owns the tables `site_*`. The host decides the merchant; the header `Merchant` is heard
//! only on hosts that belong to no single merchant. What the operator changes is live on
//! every node within a second.

mod countries;
mod http;
mod model;
mod rules;
mod store;

pub use countries::dialing_codes;
pub use http::{AnyMerchant, OpenMerchant, routes};
pub use model::{Directory, Merchant, Switch};
pub use rules::{FieldRule, Policy, RegisterRules};
pub use store::{NewMerchant, insert_merchant, is_empty};
