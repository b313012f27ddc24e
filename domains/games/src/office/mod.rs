//! The catalogue in the office: vendors, games, and how each merchant offers them. What is changed
//! is live on this node at once and on the others within a second.

mod http;
mod names;
mod ops;
mod store;
mod values;

pub use http::routes;
pub(super) use names::{name_games, name_vendors};
