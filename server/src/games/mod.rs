//! Games: vendors and the catalogue, lists and search, favorites, launch, the record of rounds and
//! the winners board.
//!
//! Owns the tables `games_*`. The catalogue is read into memory when its edition has changed, and
//! every list is made from there. A round is written once, in the transaction that moves its
//! money, and holds its whole book: it can be shown and checked again at any time.

mod audit;
mod bits;
mod catalogue;
mod catalogue_store;
mod game;
mod http;
mod launch;
mod lists_http;
mod model;
mod office;
mod own_http;
mod own_store;
mod returns;
mod search;
mod shop;
mod store;

pub use audit::check_rounds;
pub use catalogue::Catalogue;
pub use game::{Game, GameItem, Limits};
pub use http::routes;
pub use lists_http::{edition, hot, menus, newest, popular, with_jackpot};
pub use model::{NewRound, OpenStake, Round, mask, winner_event};
pub use office::routes as office_routes;
pub use store::{
    Sought, find_anybodys, find_round, find_rounds, insert_rounds, list_shares, list_sought,
    sample_rounds,
};
