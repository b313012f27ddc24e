//! Clients that disconnect in the middle of a call.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use sqlx::{Connection as _, PgConnection};
use tokio::time::sleep;

use crate::chance::Chance;
use crate::http::Connection;
use crate::play::{Bet, Session, id_of};
use crate::process::Site;
use crate::{bounded, size, tables};

const MEMBERS: usize = 3;
/// Later than most responses, so that calls are cut off at every stage.
const LATEST: Duration = Duration::from_millis(25);

/// How a client disconnects. Every kind occurs for every member.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cut {
    AfterTheBody,
    AfterTheBodyWithAReset,
    InTheBody,
    InTheHead,
}

const KINDS: [Cut; 4] =
    [Cut::AfterTheBody, Cut::AfterTheBodyWithAReset, Cut::InTheBody, Cut::InTheHead];
/// The number of kinds that send the complete request, after which there may be a round.
const COMPLETE_KINDS: usize = 2;

async fn send_and_leave(session: &Session, bet: &Bet, cut: Cut, after: Duration) {
    let text = session.play(bet);
    let sent = match cut {
        Cut::AfterTheBody | Cut::AfterTheBodyWithAReset => &text[..],
        Cut::InTheBody => &text[..text.len() - 10],
        Cut::InTheHead => &text[..text.len() / 2],
    };
    let connection = Connection::open(session.address).await.expect("a connection");
    connection.send_and_cut(sent, after, cut != Cut::AfterTheBody).await.expect("sent");
}

/// Makes calls that are cut off, and returns their bets.
async fn leave_often(session: &Session, member: usize, cuts: usize, chance: &Chance) -> Vec<Bet> {
    let mut bets = Vec::new();
    for number in 0..cuts {
        let bet = Bet::new(format!("cut-{member}-{number:05}"), number);
        let cut = KINDS[number % KINDS.len()];
        send_and_leave(session, &bet, cut, chance.moment(LATEST)).await;
        bets.push(bet);
    }
    bets
}

#[tokio::test]
async fn clients_that_go_away_leave_whole_rounds_or_none() {
    let cuts = size("FAULT_DISCONNECTS", 120).div_ceil(MEMBERS);
    bounded(u32::try_from(cuts / 100).expect("a small number"), async {
        let chance = Chance::new("clients that go away");
        let mut site = Site::start().await;
        let (mut total, mut played) = (0, 0);
        for member in 0..MEMBERS {
            let session = Session::register(site.node.address, &format!("player{member}")).await;
            let bets = leave_often(&session, member, cuts, &chance).await;
            played += settle(&site, &session).await;
            check(&session, &bets).await;
            total += bets.len();
        }
        site.stop().await;
        let audit = site.audit().await;
        println!("  {total} calls cut off, {played} of them played all the same. {audit}");
    })
    .await;
}

/// Waits until no transaction is open and no more rounds appear, and returns their number. The wait
/// ends well before the database's own timeout ends a stale transaction.
async fn settle(site: &Site, session: &Session) -> usize {
    let mut database = PgConnection::connect(&site.database_url()).await.expect("the database");
    let began = Instant::now();
    let mut before = usize::MAX;
    loop {
        let open = tables::idle_transactions(&mut database).await;
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

/// Sends all bets again: every key has one round, either the one from before or a new one.
async fn check(session: &Session, bets: &[Bet]) {
    let before = session.rounds().await;
    let complete = bets.len().div_ceil(KINDS.len()) * COMPLETE_KINDS;
    assert!(before.len() <= complete, "half a body was played");
    let mut ids = BTreeSet::new();
    for bet in bets {
        let id = id_of(session.send(bet).await.value());
        assert!(ids.insert(id), "two keys share a round");
    }
    assert!(before.is_subset(&ids), "a round without a key");
    assert_eq!(session.rounds().await, ids);
    session.send(&Bet::new("one-more-round".to_owned(), 0)).await.value();
}
