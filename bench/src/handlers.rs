//! Measures requests of the release server against bare axum handlers.
//!
//! The server runs on a fresh database and free ports. The reference is another process whose
//! handlers only answer: with as many bytes, and for the home document with exactly the same bytes,
//! headers included. The same client loads both alternately.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crate::client::{Answer, Connection, Request};
use crate::load::{Load, LoadClient, Measurement};
use crate::member::Member;
use crate::process::{Bare, Database, Server};
use crate::report::Ratio;
use crate::{DICE_PATH, Failure, HOME_PATH, READ_PATH, bare, report};

/// The number of concurrent requests.
const CONNECTIONS: usize = 64;
/// Measurements of each load; the results are medians over them.
const MEASUREMENTS: usize = 5;

/// The headers that a browser sends when it opens a page.
const BROWSER: [(&str, &str); 6] = [
    (
        "User-Agent",
        "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) \
         Chrome/142.0.0.0 Mobile Safari/537.36",
    ),
    ("Accept", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"),
    ("Accept-Encoding", "gzip, deflate, br, zstd"),
    ("Accept-Language", "en-US,en;q=0.9"),
    ("Upgrade-Insecure-Requests", "1"),
    ("Sec-Fetch-Dest", "document"),
];

/// Measures all loads, prints their tables and returns their ratios.
pub async fn bench(program: &Path, duration: Duration) -> Result<Vec<Ratio>, Failure> {
    let server = Server::start(program, &Database::Own).await?;
    match measure(&server, duration).await {
        Ok(ratios) => server.stop().await.map(|()| ratios),
        Err(error) => Err(format!("{error}\n{}", server.log_tail()).into()),
    }
}

async fn measure(server: &Server, duration: Duration) -> Result<Vec<Ratio>, Failure> {
    let members = Arc::new(Member::log_in_many(server.address(), CONNECTIONS).await?);
    let host = server.address().to_string();
    let loads = [
        ("cached_read", READ_PATH, read(&host)),
        ("home_document", HOME_PATH, home(&host)),
        ("home_document_member", HOME_PATH, home_of_members(&host, &members)),
        ("dice_round", DICE_PATH, dice(&host, &members)),
    ];
    // One response of each kind, for its size, and to fail early with the server's error.
    let [read_answer, home_answer, _, dice_answer] = [
        first_answer(server, &loads[0].2).await?,
        first_answer(server, &loads[1].2).await?,
        first_answer(server, &loads[2].2).await?,
        first_answer(server, &loads[3].2).await?,
    ];
    let sizes = [read_answer.body.len(), dice_answer.body.len()];
    let bare = Bare::start(sizes, &bare::handed_over(&home_answer)).await?;

    let mut measurements = loads.each_ref().map(|_| [Vec::new(), Vec::new()]);
    for number in 0..=MEASUREMENTS {
        for ((_, _, load), measurements) in loads.iter().zip(&mut measurements) {
            for (address, measurements) in
                [bare.address(), server.address()].into_iter().zip(measurements)
            {
                let clients = LoadClient::many(address, CONNECTIONS, load).await?;
                let measured = Measurement::run(clients, duration).await?;
                // The first measurement of each load is only a warm-up.
                measurements.extend((number > 0).then_some(measured));
            }
        }
    }
    for ((name, path, _), measurements) in loads.iter().zip(&measurements) {
        report::print(name, path, measurements);
    }
    Ok(loads
        .iter()
        .zip(&measurements)
        .map(|((name, ..), measurements)| report::ratio(name, measurements))
        .collect())
}

fn read(host: &str) -> Load {
    let host = host.to_owned();
    Arc::new(move |_| Request::get(READ_PATH, &host))
}

/// The document request of a browser's first visit.
fn home(host: &str) -> Load {
    let request = Request::new("GET", HOME_PATH, host, &BROWSER, "");
    Arc::new(move |_| request.clone())
}

/// The document requests of browsers of logged-in members.
fn home_of_members(host: &str, members: &[Member]) -> Load {
    let requests: Vec<_> = members
        .iter()
        .map(|member| {
            let headers = [&BROWSER[..], &[("Cookie", member.cookies())]].concat();
            Request::new("GET", HOME_PATH, host, &headers, "")
        })
        .collect();
    Arc::new(move |number| requests[number % requests.len()].clone())
}

fn dice(host: &str, members: &Arc<Vec<Member>>) -> Load {
    let (host, members) = (host.to_owned(), Arc::clone(members));
    Arc::new(move |number| members[number % members.len()].play(DICE_PATH, &host))
}

async fn first_answer(server: &Server, load: &Load) -> Result<Answer, Failure> {
    let request = load(0);
    let answer = Connection::open(server.address()).await?.exchange(&request).await?;
    answer.expect_ok(request.path())?;
    Ok(answer)
}
