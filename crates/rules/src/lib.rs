//! Pure rules of the betting site: amounts, fair draws, games, names, the hashes of the ledger. No
//! I/O, no clock.
//!
//! Every function is total: it returns a result or an error for any input, and never panics. The
//! tests of this crate write the test vectors in `vectors/`, against which the web's TypeScript
//! implementation is tested.

pub mod chain;
pub mod fair;
pub mod games;
pub mod merkle;
pub mod money;
pub mod names;
pub mod patterns;
