//! Agents: today who wants to become one.
//!
//! Owns the tables `agents_*`. Members and visitors apply to be affiliates; the office decides
//! once. A decision is an answer to the applicant and makes nobody an agent by itself. A member
//! has one open application at most, which the table says, too.

mod http;
mod model;
mod office_http;
mod ops;
mod store;

pub use http::routes;
pub use model::{ContactKind, NewApplication};
pub use office_http::routes as office_routes;
pub use ops::apply;
