//! The built web application: embedded in release builds, read from disk in debug builds.

use rust_embed::{Embed, EmbeddedFile};

#[derive(Embed)]
#[folder = "../web/dist"]
#[exclude = "*.map"]
#[allow_missing = true]
struct Dist;

/// A file of the build, by its path.
pub(crate) fn find(name: &str) -> Option<EmbeddedFile> {
    Dist::get(name)
}
