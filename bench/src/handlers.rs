//! Requests of the release server against a bare axum handler.
//!
//! The server runs on a fresh database and free ports, and beside it, as another process, a
//! handler that does nothing but answer as many bytes. The same client loads both in turn.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crate::client::{Connection, Request};
use crate::load::{Asking, Load, Turn};
use crate::member::Member;
use crate::process::{Bare, Database, Server};
use crate::report::Ratio;
use crate::{DICE_PATH, Failure, READ_PATH, report};

/// Requests that are under way at once.
const CONNECTIONS: usize = 64;
/// Turns of each load; medians are taken over them.
const TURNS: usize = 5;

/// Measures both loads, prints their tables and gives their ratios.
pub async fn bench(program: &Path, turn: Duration) -> Result<Vec<Ratio>, Failure> {
    let server = Server::start(program, &Database::Own).await?;
    match measure(&server, turn).await {
        Ok(ratios) => server.stop().await.map(|()| ratios),
        Err(error) => Err(format!("{error}\n{}", server.log_tail()).into()),
    }
}

async fn measure(server: &Server, turn: Duration) -> Result<Vec<Ratio>, Failure> {
    let members = Member::log_in_many(server.address(), CONNECTIONS).await?;
    let host = server.address().to_string();
    let read: Load = Arc::new(move |_| Request::get(READ_PATH, &host));
    let host = server.address().to_string();
    let dice: Load = Arc::new(move |number| members[number % members.len()].play(DICE_PATH, &host));

    // One answer of each kind, for its size, and to fail early with what the server says.
    let read_bytes = answer_size(server, &read(0)).await?;
    let dice_bytes = answer_size(server, &dice(0)).await?;
    let bare = Bare::start(read_bytes, dice_bytes).await?;

    let targets = [bare.address(), server.address()];
    let mut reads = [Vec::new(), Vec::new()];
    let mut rounds = [Vec::new(), Vec::new()];
    for number in 0..=TURNS {
        for (index, address) in targets.into_iter().enumerate() {
            let read_turn =
                Turn::run(Asking::many(address, CONNECTIONS, &read).await?, turn).await?;
            let dice_turn =
                Turn::run(Asking::many(address, CONNECTIONS, &dice).await?, turn).await?;
            // The first turn of each only warms up.
            if number > 0 {
                reads[index].push(read_turn);
                rounds[index].push(dice_turn);
            }
        }
    }
    report::print("cached_read", READ_PATH, &reads);
    report::print("dice_round", DICE_PATH, &rounds);
    Ok(vec![report::ratio("cached_read", &reads), report::ratio("dice_round", &rounds)])
}

async fn answer_size(server: &Server, request: &Request) -> Result<usize, Failure> {
    let answer = Connection::open(server.address()).await?.exchange(request).await?;
    answer.expect_ok(request.path())?;
    Ok(answer.body.len())
}
