//! The reference: axum handlers that only answer, with as many bytes as the real ones.

use axum::Router;
use axum::body::Bytes;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use axum::routing::{get, post};
use tokio::net::TcpListener;

use crate::{DICE_PATH, Failure, READ_PATH};

/// The hidden command that starts the reference.
pub const COMMAND: &str = "bare-reference";

/// Serves until it is killed; tells its address in its first line.
pub async fn serve(read_bytes: &str, play_bytes: &str) -> Result<(), Failure> {
    let (read, play) = (json_of(read_bytes.parse()?), json_of(play_bytes.parse()?));
    let router = Router::new()
        .route(READ_PATH, get(move || async move { json(read) }))
        // A round takes a body, so the reference reads one too.
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
