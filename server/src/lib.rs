//! Capiz: a betting house that you can see through.
//!
//! `rules ← platform ← domains ← server`; ARCHITECTURE.md draws the map.

pub mod app;
pub mod audit;
pub mod config;
pub mod demo;
mod dist;
pub mod find;
pub mod front;
pub mod ground;
pub mod modules;
pub mod router;
pub mod serve;
pub mod subjects;

pub use app::App;

/// Requests allocate a lot of small things: with the system's allocator that was a quarter of
/// the processor time of a round over HTTP.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
