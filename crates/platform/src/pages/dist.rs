//! The files of the built web, embedded or on disk.

use std::borrow::Cow;

use axum::body::Bytes;
use rust_embed::EmbeddedFile;

/// Finds a file of the build by its name.
pub type FindFile = fn(&str) -> Option<EmbeddedFile>;

/// A file of the build.
pub(super) struct File {
    pub data: Bytes,
    /// SHA-256 of the data.
    pub hash: [u8; 32],
}

/// The files of the build, or those given by a test.
pub(super) enum Dist {
    Built(FindFile),
    #[cfg(test)]
    Given(std::collections::HashMap<&'static str, Vec<u8>>),
}

impl Dist {
    /// Whether files can change while the server runs: debug builds read them from disk.
    pub fn may_change(&self) -> bool {
        cfg!(debug_assertions)
    }

    pub fn get(&self, name: &str) -> Option<File> {
        match self {
            Self::Built(find) => {
                let file = find(name)?;
                let data = match file.data {
                    Cow::Borrowed(bytes) => Bytes::from_static(bytes),
                    Cow::Owned(bytes) => Bytes::from(bytes),
                };
                Some(File { data, hash: file.metadata.sha256_hash() })
            }
            #[cfg(test)]
            Self::Given(files) => {
                use sha2::Digest;
                let data = files.get(name)?.clone();
                let hash = sha2::Sha256::digest(&data).into();
                Some(File { data: data.into(), hash })
            }
        }
    }
}
