//! Studio: our own games, and the seeds that make them fair.
//!
//! Owns the tables `studio_*`. A round is decided inside the transaction that pays for it, by
//! the desk that the studio has at the wallet's writer ([`Rounds`]): the wallet is locked, the
//! book drawn, the money moved, the nonce taken and the round recorded, or none of it. A
//! refused stake uses no nonce. Rounds of several steps are played in transactions of their own
//! ([`steps`]), and the jackpot in one that follows its round ([`jackpots`]).

mod http;
mod jackpot_store;
mod jackpots;
mod model;
mod office_http;
mod ops;
mod replays;
mod rounds;
mod seeds;
mod steps;
mod steps_store;
mod store;
mod view;

pub use http::routes;
pub use jackpots::{Jackpots, check_jackpots, keep_jackpots};
pub use model::{Bet, Player};
pub use office_http::routes as office_routes;
pub use ops::play;
pub use replays::{Replayed, replay_sample};
pub use rounds::{Play, Played, Rounds, SeedShown};
pub use seeds::{SeedVault, check_pairs, on_registered};
pub use steps::{end_left_rounds, list_open_stakes, on_state_changed};
