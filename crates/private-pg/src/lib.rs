//! A private PostgreSQL server that the program finds, starts, adopts and stops by itself.
//!
//! The server is a direct child process. It listens on a Unix socket in a directory that only its
//! account can enter, and never on TCP. Invariants:
//!
//! - One program per data directory: a lock file is held for as long as [`Server`] lives.
//! - A server that a killed program left behind is found by its `postmaster.pid` and adopted.
//! - PostgreSQL never runs as root: as root it is started under an unprivileged account, from a
//!   directory that this account can reach.
//!
//! All functions block; asynchronous callers use a blocking task.

mod account;
mod error;
mod find;
mod npm;
mod options;
mod pidfile;
mod place;
mod server;

pub use error::Error;
pub use find::{Binaries, OLDEST_MAJOR, Search, Version};
pub use options::{Durability, Options};
pub use server::{Server, running_url};

/// The superuser of the private server.
pub const USER: &str = "capiz";
/// The database that exists from the start.
pub const DATABASE: &str = "postgres";
