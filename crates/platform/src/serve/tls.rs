//! The TLS certificate: loading it from files, or generating a self-signed one.

use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};

use super::Tls;

/// Why a certificate cannot be used, as a sentence for the operator.
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
    /// The certificate and key do not match, or the key type is not supported.
    #[error("The TLS certificate and its key cannot be used: {0}")]
    Unusable(#[from] rustls::Error),
    /// The self-signed certificate cannot be generated.
    #[error("No self-signed certificate can be generated: {0}")]
    Making(#[from] rcgen::Error),
    /// The self-signed certificate cannot be written.
    #[error("The self-signed certificate cannot be written to {path}: {reason}", path = .path.display())]
    Keeping {
        /// The file.
        path: PathBuf,
        /// The I/O error.
        reason: io::Error,
    },
}

/// The names in the self-signed certificate, which is for local testing only.
const OWN_NAMES: [&str; 3] = ["localhost", "127.0.0.1", "::1"];

/// Loads the certificate. A self-signed one is generated once and stored in the data directory.
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
    let generated = rcgen::generate_simple_self_signed(OWN_NAMES.map(str::to_owned))?;
    let store = |path: &Path, text: String, mode: u32| {
        write(path, &text, mode)
            .map_err(|reason| TlsError::Keeping { path: path.to_owned(), reason })
    };
    store(key, generated.signing_key.serialize_pem(), 0o600)?;
    store(cert, generated.cert.pem(), 0o644)
}

/// Writes a temporary file and renames it, so that a crash leaves no partial key.
fn write(path: &Path, text: &str, mode: u32) -> io::Result<()> {
    let temporary = path.with_extension("new");
    match fs::remove_file(&temporary) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut options = fs::OpenOptions::new();
    let mut file = options.write(true).create_new(true).mode(mode).open(&temporary)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    fs::rename(temporary, path)
}
