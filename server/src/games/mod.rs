//! Games: the catalogue, lists, launch, the record of rounds and the winners board.
//!
//! Owns the tables `games_*`. A round is written once, in the transaction that moves its
//! money, and holds its whole book: it can be shown and checked again at any time.

mod audit;
mod http;
mod model;
mod store;

pub use audit::check_rounds;
pub use http::{popular, routes};
pub use model::{
    Catalogue, Game, GameItem, Limits, NewRound, OpenStake, Round, mask, winner_event,
};
pub use store::{
    Sought, find_anybodys, find_round, find_rounds, insert_rounds, list_rounds, list_shares,
    list_sought,
};
