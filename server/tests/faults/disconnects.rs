//! Clients that go away in the middle of a call.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use sqlx::{Connection as _, PgConnection};
use tokio::time::sleep;

use crate::bounded;
use crate::http::Connection;
use crate::play::{Bet, Session, id_of};
use crate::process::Site;

const MEMBERS: usize = 3;
/// Calls of each member that are cut off.
const CUTS: usize = 36;
/// How much later than the one before a call is cut off, so that it strikes everywhere.
const STEP: Duration = Duration::from_micros(700);

/// How a client leaves: every kind comes up for every member.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cut {
    AfterTheBody,
    AfterTheBodyWithAReset,
    InTheBody,
}

const KINDS: [Cut; 3] = [Cut::AfterTheBody, Cut::AfterTheBodyWithAReset, Cut::InTheBody];

async fn send_and_leave(session: &Session, bet: &Bet, cut: Cut, after: Duration) {
    let text = session.play(bet);
    let sent = if cut == Cut::InTheBody { &text[..text.len() - 10] } else { &text };
    let connection = Connection::open(session.address).await.expect("a connection");
    connection.send_and_cut(sent, after, cut != Cut::AfterTheBody).await.expect("sent");
}

#[tokio::test]
async fn clients_that_go_away_leave_whole_rounds_or_none() {
    bounded(0, async {
        let mut site = Site::start().await;
        let (mut total, mut played) = (0, 0);
        for member in 0..MEMBERS {
            let session = Session::register(site.address, &format!("player{member}")).await;
            let mut bets = Vec::new();
            let mut after = Duration::ZERO;
            for number in 0..CUTS {
                let bet = Bet::new(format!("cut-{member}-{number:04}"), number);
                let cut = KINDS[number % KINDS.len()];
                send_and_leave(&session, &bet, cut, after).await;
                bets.push(bet);
                after += STEP;
            }
            played += settle(&site, &session).await;
            check(&session, &bets).await;
            total += bets.len();
        }
        site.stop().await;
        let audit = site.audit().await;
        println!("{total} calls cut off, {played} of them played all the same. {audit}");
    })
    .await;
}

/// Waits until no transaction is open and no more rounds come; gives how many there are. Well
/// before the database itself would end a stale transaction.
async fn settle(site: &Site, session: &Session) -> usize {
    let mut database = PgConnection::connect(&site.database_url()).await.expect("the database");
    let began = Instant::now();
    let mut before = usize::MAX;
    loop {
        let open: i64 = sqlx::query_scalar(
            "select count(*) from pg_stat_activity where state like 'idle in transaction%'",
        )
        .fetch_one(&mut database)
        .await
        .expect("a count");
        let now = session.rounds().await.len();
        if open == 0 && now == before {
            database.close().await.expect("closed");
            return now;
        }
        assert!(began.elapsed() < Duration::from_secs(5), "{open} transactions stay open");
        before = now;
        sleep(Duration::from_millis(200)).await;
    }
}

/// Sent again, every key has one round: the one from before, or a new one.
async fn check(session: &Session, bets: &[Bet]) {
    let before = session.rounds().await;
    let whole = bets.len() - bets.len().div_ceil(KINDS.len());
    assert!(before.len() <= whole, "half a body was played");
    let mut ids = BTreeSet::new();
    for bet in bets {
        let id = id_of(session.send(bet).await.value());
        assert!(ids.insert(id), "two keys share a round");
    }
    assert!(before.is_subset(&ids), "a round without a key");
    assert_eq!(session.rounds().await, ids);
    session.send(&Bet::new("one-more-round".to_owned(), 0)).await.value();
}
