//! Studio: our own games, and the seeds that make them fair.
//!
//! Owns the tables `studio_*`. A round is decided inside the transaction that pays for it:
//! the wallet is locked, the key looked up, the nonce taken, the book drawn, the money moved
//! and the round recorded, or none of it. A refused stake uses no nonce.

mod http;
mod ops;
mod seeds;
mod store;

pub use http::routes;
pub use ops::{DiceBet, Played, Player, play_dice};
pub use seeds::{SeedVault, on_registered};
