//! The certificate that the server shows when it speaks TLS itself.

use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};

use super::Tls;

/// A certificate that cannot be used, in a sentence.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// The certificate or the key cannot be read.
    #[error("{path} holds no usable PEM ({reason}): check CAPIZ_TLS_CERT and CAPIZ_TLS_KEY", path = .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What was wrong with it.
        reason: String,
    },
    /// The two do not belong together, or the key is of an unknown kind.
    #[error("The TLS certificate and its key cannot be used: {0}")]
    Unusable(#[from] rustls::Error),
    /// A certificate of our own could not be made.
    #[error("No self-signed certificate could be made: {0}")]
    Making(#[from] rcgen::Error),
    /// A certificate of our own could not be kept.
    #[error("The self-signed certificate cannot be kept in {path}: {reason}", path = .path.display())]
    Keeping {
        /// The directory.
        path: PathBuf,
        /// Why not.
        reason: io::Error,
    },
}

/// Whom a certificate of our own is made out to; it is for trying things out on one machine.
const OWN_NAMES: [&str; 3] = ["localhost", "127.0.0.1", "::1"];

/// Reads the certificate; one of our own is made once and kept in the data directory.
pub(super) fn load(tls: &Tls, data: &Path) -> Result<Option<Arc<ServerConfig>>, TlsError> {
    match tls {
        Tls::Off => Ok(None),
        Tls::Files { cert, key } => read(cert, key).map(Some),
        Tls::SelfSigned => {
            let (cert, key) = (data.join("self-signed.crt"), data.join("self-signed.key"));
            if !(cert.exists() && key.exists()) {
                make(&cert, &key)?;
            }
            read(&cert, &key).map(Some)
        }
    }
}

fn read(cert: &Path, key: &Path) -> Result<Arc<ServerConfig>, TlsError> {
    let chain = CertificateDer::pem_file_iter(cert)
        .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .map_err(|error| unreadable(cert, error))?;
    if chain.is_empty() {
        return Err(unreadable(cert, "no certificate"));
    }
    let private = PrivateKeyDer::from_pem_file(key).map_err(|error| unreadable(key, error))?;
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_no_client_auth()
        .with_single_cert(chain, private)?;
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(Arc::new(config))
}

fn unreadable(path: &Path, reason: impl ToString) -> TlsError {
    TlsError::Unreadable { path: path.to_owned(), reason: reason.to_string() }
}

fn make(cert: &Path, key: &Path) -> Result<(), TlsError> {
    let made = rcgen::generate_simple_self_signed(OWN_NAMES.map(str::to_owned))?;
    let keep = |path: &Path, text: String, mode: u32| {
        write(path, &text, mode)
            .map_err(|reason| TlsError::Keeping { path: path.to_owned(), reason })
    };
    keep(key, made.signing_key.serialize_pem(), 0o600)?;
    keep(cert, made.cert.pem(), 0o644)
}

/// Writes beside the file and renames, so that a crash leaves no half of a key behind.
fn write(path: &Path, text: &str, mode: u32) -> io::Result<()> {
    let fresh = path.with_extension("new");
    match fs::remove_file(&fresh) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut file = fs::OpenOptions::new().write(true).create_new(true).mode(mode).open(&fresh)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    fs::rename(fresh, path)
}
