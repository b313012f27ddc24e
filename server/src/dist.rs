//! The built web: release builds carry it, debug builds read it from disk.

use rust_embed::{Embed, EmbeddedFile};

#[derive(Embed)]
#[folder = "../web/dist"]
#[exclude = "*.map"]
#[allow_missing = true]
struct Dist;

/// A file of the build.
pub(crate) fn find(name: &str) -> Option<EmbeddedFile> {
    Dist::get(name)
}
