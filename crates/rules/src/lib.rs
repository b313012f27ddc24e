//! The pure rules of the house: amounts, fair draws, games, names, the ledger's hashes. No I/O, no clock.
//!
//! Every function is total: it answers or gives an error, for any input, and never panics.
//! The vectors in `vectors/` are written by this crate's tests, and the web's own
//! implementation is held against them.

pub mod chain;
pub mod fair;
pub mod games;
pub mod merkle;
pub mod money;
pub mod names;
pub mod patterns;
