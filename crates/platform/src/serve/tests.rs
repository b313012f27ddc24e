use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use axum::routing::get;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::sync::Notify;
use tokio_rustls::TlsConnector;

use super::*;
use crate::{secret, shutdown};

const REQUEST: &[u8] = b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

struct Running {
    address: SocketAddr,
    trigger: shutdown::ShutdownTrigger,
    server: tokio::task::JoinHandle<()>,
}

async fn start(router: Router, tls: Option<Arc<ServerConfig>>) -> Running {
    let listener = bind("127.0.0.1:0".parse().unwrap(), "CAPIZ_LISTEN").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (trigger, shutdown) = shutdown::channel();
    let server = tokio::spawn(run(listener, router, tls, shutdown));
    Running { address, trigger, server }
}

fn whoami() -> Router {
    let say = |ConnectInfo(peer): ConnectInfo<SocketAddr>| async move { peer.ip().to_string() };
    Router::new().route("/", get(say))
}

async fn ask(mut stream: impl AsyncRead + AsyncWrite + Unpin) -> String {
    stream.write_all(REQUEST).await.unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.unwrap();
    String::from_utf8(answer).unwrap()
}

#[tokio::test]
async fn an_address_in_use_is_named_with_its_variable() {
    let taken = bind("127.0.0.1:0".parse().unwrap(), "CAPIZ_LISTEN").await.unwrap();
    let address = taken.local_addr().unwrap();
    let error = bind(address, "CAPIZ_OFFICE_LISTEN").await.unwrap_err();
    let expected =
        format!("{address} is already in use: stop the other program or set CAPIZ_OFFICE_LISTEN");
    assert_eq!(error.to_string(), expected);
}

#[tokio::test]
async fn handlers_know_the_peer() {
    let running = start(whoami(), None).await;
    let answer = ask(TcpStream::connect(running.address).await.unwrap()).await;
    assert!(answer.starts_with("HTTP/1.1 200") && answer.ends_with("127.0.0.1"), "{answer}");
}

#[tokio::test]
async fn requests_in_work_are_finished_and_new_connections_refused() {
    let (begun, go) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let router = Router::new().route("/", {
        let (begun, go) = (Arc::clone(&begun), Arc::clone(&go));
        get(move || async move {
            begun.notify_one();
            go.notified().await;
            "finished"
        })
    });
    let running = start(router, None).await;
    let stream = TcpStream::connect(running.address).await.unwrap();
    let asked = tokio::spawn(ask(stream));
    begun.notified().await;
    running.trigger.begin();
    while TcpStream::connect(running.address).await.is_ok() {
        tokio::task::yield_now().await;
    }
    go.notify_one();
    assert!(asked.await.unwrap().ends_with("finished"));
    running.server.await.unwrap();
}

#[tokio::test]
async fn silent_connections_do_not_hold_up_the_shutdown() {
    let running = start(whoami(), None).await;
    let _silent = TcpStream::connect(running.address).await.unwrap();
    // A second, answered connection shows that the first was accepted.
    ask(TcpStream::connect(running.address).await.unwrap()).await;
    running.trigger.begin();
    timeout(Duration::from_secs(5), running.server).await.unwrap().unwrap();
}

fn scratch() -> PathBuf {
    let name = format!("capiz-tls-{}", hex::encode(secret::random_bytes::<6>()));
    let path = std::env::temp_dir().join(name);
    std::fs::create_dir(&path).unwrap();
    path
}

#[tokio::test]
async fn a_self_signed_certificate_is_made_once_and_speaks_tls() {
    let data = scratch();
    let config = tls(&Tls::SelfSigned, &data).unwrap();
    let (cert, key) = (data.join("self-signed.crt"), data.join("self-signed.key"));
    assert_eq!(std::fs::metadata(&key).unwrap().permissions().mode() & 0o777, 0o600);
    let made = std::fs::read(&cert).unwrap();
    tls(&Tls::SelfSigned, &data).unwrap();
    assert_eq!(std::fs::read(&cert).unwrap(), made);

    let running = start(whoami(), config).await;
    let mut roots = rustls::RootCertStore::empty();
    roots.add(CertificateDer::from_pem_file(&cert).unwrap()).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let client = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let stream = TcpStream::connect(running.address).await.unwrap();
    let name = ServerName::try_from("localhost").unwrap();
    let stream = TlsConnector::from(Arc::new(client)).connect(name, stream).await.unwrap();
    assert!(ask(stream).await.ends_with("127.0.0.1"));
    std::fs::remove_dir_all(data).unwrap();
}

#[test]
fn unusable_files_are_named() {
    let data = scratch();
    let (cert, key) = (data.join("none.pem"), data.join("key.pem"));
    std::fs::write(&key, "nonsense").unwrap();
    let error = tls(&Tls::Files { cert: cert.clone(), key }, &data).unwrap_err();
    assert!(error.to_string().starts_with(&cert.display().to_string()), "{error}");
    std::fs::remove_dir_all(data).unwrap();
}
