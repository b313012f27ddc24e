//! Studio: our own games, and the seeds that make them fair.
//!
//! Owns the tables `studio_*`. A round is decided inside the transaction that pays for it, by
//! the desk that the studio has at the wallet's writer ([`Rounds`]): the wallet is locked, the
//! book drawn, the money moved, the nonce taken and the round recorded, or none of it. A
//! refused stake uses no nonce.

mod http;
mod office_http;
mod ops;
mod rounds;
mod seeds;
mod store;

pub use http::routes;
pub use office_http::routes as office_routes;
pub use ops::{DiceBet, Player, play_dice};
pub use rounds::{Play, Played, Rounds, SeedShown};
pub use seeds::{SeedVault, check_pairs, on_registered};
