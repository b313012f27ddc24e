//! Site: merchants and their hosts, switches, rules of registration, policies, start-up status.
//!
//! Owns the tables `site_*`. The host decides the merchant; the header `Merchant` is heard
//! only on hosts that belong to no single merchant. What the operator changes (`office`) is
//! live on every node within a second, open pages hear of it, and every change is kept with
//! how it was before.

mod brand;
mod content;
mod countries;
mod http;
mod model;
mod office;
mod rules;
mod store;
mod switches;

pub use brand::Brand;
pub use content::{
    Library, boot as content_boot, found_missing as found_content, get_file, get_lite_profile,
    get_profile, seen as content_seen,
};
pub use countries::dialing_codes;
pub use http::{AnyMerchant, OpenMerchant, routes};
pub use model::{Directory, Merchant};
pub use office::office_routes;
pub use rules::{FieldRule, Policy, RegisterRules};
pub use store::{NewMerchant, insert_merchant, is_empty};
pub use switches::{Switch, SwitchNode};
