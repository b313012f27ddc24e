//! Capiz: a betting house that you can see through.
//!
//! `rules ← platform ← domains ← router`; ARCHITECTURE.md draws the map.

pub mod agents;
pub mod app;
pub mod audit;
pub mod codes;
pub mod config;
pub mod demo;
pub mod find;
pub mod front;
pub mod games;
pub mod ground;
pub mod inbox;
pub mod members;
pub mod platform;
pub mod promotions;
pub mod router;
pub mod serve;
pub mod service;
pub mod sessions;
pub mod site;
pub mod staff;
pub mod studio;
pub mod subjects;
pub mod wallet;

/// Requests allocate a lot of small things: with the system's allocator that was a quarter of
/// the processor time of a round over HTTP.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
