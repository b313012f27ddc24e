//! The Capiz server: puts all domains together into one application with its routers, configuration
//! and commands.
//!
//! Crates depend in one direction, `rules ← platform ← domains ← server`; see ARCHITECTURE.md.

pub mod app;
pub mod audit;
pub mod audit_names;
pub mod bootstrap;
pub mod config;
pub mod demo;
mod dist;
pub mod front;
pub mod modules;
pub mod palette;
pub mod router;
pub mod serve;

pub use app::App;

/// Requests make many small allocations: with the system allocator they took a quarter of the CPU
/// time of a round over HTTP.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
