//! The catalogue in the back office: vendors, games and merchants' offers. A change is live on this
//! node at once, and on the other nodes within a second.

mod http;
mod names;
mod ops;
mod store;
mod values;

pub use http::routes;
pub(super) use names::{name_games, name_vendors};
