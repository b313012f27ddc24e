//! Secrets: values that never show in logs, and keys derived from the installation's root.

use std::fmt;
use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use hkdf::Hkdf;
use sha2::Sha256;

/// A text whose `Debug` hides it.
#[derive(Clone)]
pub struct Secret(String);

impl Secret {
    /// Wraps a text.
    pub fn new(text: String) -> Self {
        Self(text)
    }

    /// The text itself, where it is needed.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Secret(hidden)")
    }
}

/// The root of all keys of the installation. Nodes that share it share every key.
#[derive(Clone)]
pub struct RootKey(Hkdf<Sha256>);

impl RootKey {
    /// Derives the root from the installation's secret.
    pub fn new(secret: &Secret) -> Self {
        Self(Hkdf::new(Some(b"capiz/root/1"), secret.reveal().as_bytes()))
    }

    /// A 32-byte key for one purpose; other purposes get unrelated keys.
    pub fn derive(&self, purpose: &str) -> [u8; 32] {
        let mut key = [0; 32];
        self.0.expand(purpose.as_bytes(), &mut key).expect("32 bytes are within HKDF's bound");
        key
    }
}

/// Random bytes from the operating system.
pub fn random_bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the operating system gives random bytes");
    bytes
}

/// Reads the installation's secret from its file, or makes one at the first start.
pub fn load_or_create(path: &Path) -> io::Result<Secret> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Secret::new(text.trim().to_owned())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => create(path),
        Err(error) => Err(error),
    }
}

fn create(path: &Path) -> io::Result<Secret> {
    let text = hex::encode(random_bytes::<32>());
    let mut file = fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    writeln!(file, "{text}")?;
    file.sync_all()?;
    Ok(Secret::new(text))
}
