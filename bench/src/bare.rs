//! The reference server: axum handlers that do nothing but answer, with as many bytes as the real
//! handlers, or with exactly the same document.

use std::io::Read;

use axum::Router;
use axum::body::Bytes;
use axum::http::header::{CONNECTION, CONTENT_LENGTH, CONTENT_TYPE, DATE, TRANSFER_ENCODING};
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use axum::response::IntoResponse;
use axum::routing::{get, post};
use tokio::net::TcpListener;

use crate::client::Answer;
use crate::{DICE_PATH, Failure, HOME_PATH, READ_PATH};

/// The hidden command that starts the reference server.
pub const COMMAND: &str = "bare-reference";
/// Separates headers and body of a document passed on the standard input.
const END_OF_HEAD: &[u8] = b"\n\n";
/// Headers that the reference's HTTP server writes by itself.
const WRITTEN: [HeaderName; 4] = [CONNECTION, CONTENT_LENGTH, DATE, TRANSFER_ENCODING];

/// Serves until it is killed. The first line of its output is its address. It reads the home
/// document from the standard input.
pub async fn serve(read_bytes: &str, play_bytes: &str) -> Result<(), Failure> {
    let (read, play) = (json_of(read_bytes.parse()?), json_of(play_bytes.parse()?));
    let (headers, home) = document_from(std::io::stdin().lock())?;
    let router = Router::new()
        .route(READ_PATH, get(move || async move { json(read) }))
        .route(HOME_PATH, get(move || async move { (headers, home) }))
        // A round has a request body, so the reference reads one too.
        .route(DICE_PATH, post(move |_body: Bytes| async move { json(play) }));
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("{}", listener.local_addr()?);
    axum::serve(listener, router).await?;
    Ok(())
}

fn json(body: Bytes) -> impl IntoResponse {
    ([(CONTENT_TYPE, "application/json")], body)
}

/// A JSON string of exactly this many bytes, its two quotes included.
fn json_of(bytes: usize) -> Bytes {
    Bytes::from(format!("\"{}\"", "x".repeat(bytes.saturating_sub(2))))
}

/// Encodes a document for the reference's standard input.
pub fn handed_over(document: &Answer) -> Vec<u8> {
    let lines = document.header_lines().map(|(name, value)| format!("{name}: {value}\n"));
    let mut bytes = lines.collect::<String>().into_bytes();
    bytes.push(b'\n');
    bytes.extend(&document.body);
    bytes
}

/// Decodes the document from the standard input.
fn document_from(mut input: impl Read) -> Result<(HeaderMap, Bytes), Failure> {
    let mut bytes = Vec::new();
    input.read_to_end(&mut bytes)?;
    let end = bytes.windows(END_OF_HEAD.len()).position(|part| part == END_OF_HEAD);
    let end = end.ok_or("the document has no head")?;
    let body = Bytes::from(bytes.split_off(end + END_OF_HEAD.len()));
    let mut headers = HeaderMap::new();
    for line in std::str::from_utf8(&bytes)?.lines().filter(|line| !line.is_empty()) {
        let (name, value) = line.split_once(": ").ok_or("a header without a value")?;
        let name: HeaderName = name.parse()?;
        if !WRITTEN.contains(&name) {
            headers.append(name, HeaderValue::from_str(value)?);
        }
    }
    Ok((headers, body))
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncWriteExt;

    use super::*;
    use crate::client::{Connection, Request};

    #[tokio::test]
    async fn a_document_is_handed_over_whole() {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.expect("a connection");
            let answer =
                "HTTP/1.1 200 OK\r\nContent-Length: 4\r\nvary: a\r\nvary: b\r\n\r\n\n\nx\n";
            stream.write_all(answer.as_bytes()).await.expect("written");
        });
        let mut connection = Connection::open(address).await.expect("a connection");
        let answer = connection.exchange(&Request::get("/", "x")).await.expect("an answer");
        let (headers, body) = document_from(handed_over(&answer).as_slice()).expect("a document");
        assert_eq!(headers.get_all("vary").iter().collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!((headers.len(), &body[..]), (2, &b"\n\nx\n"[..]));
    }
}
