//! Measures lists and searches of a very large catalogue against those of a small one.
//!
//! One server runs, and its catalogue is replaced between the measurements. The ratio compares the
//! response time with a hundred thousand games to that of the same query with a thousand.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use capiz::demo;
use tokio::time::sleep;

use crate::Failure;
use crate::client::{Connection, Request};
use crate::ledger::Setup;
use crate::load::{Load, LoadClient, Measurement};
use crate::member::value_of;
use crate::process::Server;
use crate::report::{Ratio, median};

/// The number of games in the small and the large catalogue.
const SIZES: [usize; 2] = [1_000, 100_000];
/// Pairs of measurements; the results are medians over them.
const ROUNDS: usize = 3;
/// How long to wait until the server has noticed another catalogue.
const TIMEOUT: Duration = Duration::from_secs(60);

/// The queries: the name of the ratio, and the query string.
const QUESTIONS: [(&str, &str); 10] = [
    ("all", ""),
    ("page_20", "pageNo=20"),
    ("category", "gameType=RNG&gameClassify=JP"),
    ("nothing_there", "gameType=FISH&vassalage=V15&sort=name"),
    ("hot", "isHot=1&sort=newest"),
    ("letter", "search=g"),
    ("word", "search=dragon"),
    ("words", "search=golden%20dragon"),
    ("mistake", "search=drgaon"),
    ("nothing_found", "search=zzzzzzzz"),
];

/// The median response times of one query, in seconds, by catalogue size.
type Times = [Vec<f64>; 2];

/// Measures, prints the table and returns the ratios.
pub async fn bench(program: &Path, duration: Duration) -> Result<Vec<Ratio>, Failure> {
    let setup = Setup::prepare().await?;
    let outcome = prepare_and_measure(&setup, program, duration).await;
    setup.close().await?;
    outcome
}

async fn prepare_and_measure(
    setup: &Setup,
    program: &Path,
    duration: Duration,
) -> Result<Vec<Ratio>, Failure> {
    demo::create_demo_merchant(&setup.app.db, &setup.app.clock).await?;
    let server = Server::start(program, &setup.database()).await?;
    match measure(setup, server.address(), duration).await {
        Ok(ratios) => server.stop().await.map(|()| ratios),
        Err(error) => Err(format!("{error}\n{}", server.log_tail()).into()),
    }
}

async fn measure(
    setup: &Setup,
    address: SocketAddr,
    duration: Duration,
) -> Result<Vec<Ratio>, Failure> {
    let own = total(address).await?;
    let mut times: [Times; QUESTIONS.len()] = Default::default();
    for _ in 0..ROUNDS {
        for (index, size) in SIZES.into_iter().enumerate() {
            setup.execute_as_owner(&filled(size)).await?;
            wait_for(address, own + size).await?;
            for ((_, question), times) in QUESTIONS.iter().zip(&mut times) {
                // There are many queries: together they take about as long as two other loads.
                let answered = ask(address, question, duration / 5).await?;
                times[index].push(answered.median.as_secs_f64());
            }
        }
    }
    print(&times);
    let ratio = |(name, times): (&str, &Times)| (format!("catalogue_{name}"), ratio_of(times));
    Ok(QUESTIONS.iter().map(|(name, _)| *name).zip(&times).map(ratio).collect())
}

/// Measures one client that repeats a query for this long.
async fn ask(
    address: SocketAddr,
    question: &str,
    length: Duration,
) -> Result<Measurement, Failure> {
    let request = Request::get(&path(question), &address.to_string());
    let load: Load = Arc::new(move |_| request.clone());
    Measurement::run(LoadClient::many(address, 1, &load).await?, length).await
}

fn path(question: &str) -> String {
    format!("/lgw/games?{question}")
}

/// The number of games in the list.
async fn total(address: SocketAddr) -> Result<usize, Failure> {
    let path = path("pageSize=1");
    let request = Request::get(&path, &address.to_string());
    let answer = Connection::open(address).await?.exchange(&request).await?;
    let total = value_of(&path, &answer)?["total"].as_u64();
    Ok(usize::try_from(total.ok_or("the list has no total")?)?)
}

async fn wait_for(address: SocketAddr, games: usize) -> Result<(), Failure> {
    let deadline = Instant::now() + TIMEOUT;
    while total(address).await? != games {
        if Instant::now() > deadline {
            return Err("the server does not list the games".into());
        }
        sleep(Duration::from_millis(100)).await;
    }
    Ok(())
}

/// SQL that fills the catalogue with this many games of twenty vendors, in addition to our own.
fn filled(games: usize) -> String {
    format!(
        "delete from games_catalogue where code like 'g-%';
         insert into games_vendors (vassalage, display_name, account_type_name, position)
         select 'V' || n, 'Vendor ' || n, 'V' || n, n + 10 from generate_series(10, 29) n
         on conflict do nothing;
         insert into games_catalogue (code, vendor, vassalage, game_type, name, classify,
            is_new, is_hot, position, min_stake, max_stake, max_payout)
         select 'g-' || n, 'V' || 10 + n % 20, 'V' || 10 + n % 20,
            (array['RNG', 'LIVE', 'PVP', 'FISH'])[1 + n % 4],
            (array['Golden', 'Lucky', 'Wild', 'Royal', 'Mystic'])[1 + n % 5] || ' ' ||
            (array['Dragon', 'Tiger', 'Pearl', 'Fortune', 'Lantern', 'Carnival', 'Treasure'])
                [1 + n % 7] || ' ' || n,
            (array['{{JP}}', '{{SC}}', '{{}}'])[1 + n % 3]::text[],
            n % 10 = 0, n % 50 = 0, n + 100, 10000, 100000, 1000000
         from generate_series(100, 99 + {games}) n"
    )
}

fn ratio_of([few, many]: &Times) -> f64 {
    median(few.iter().zip(many).map(|(few, many)| many / few))
}

fn print(times: &[Times]) {
    let [few, many] = SIZES;
    println!("lists and searches (/lgw/games), median response time in microseconds");
    println!("  {:<42} {few:>8} {many:>8} {:>7}", "games", "ratio");
    for ((_, question), times) in QUESTIONS.iter().zip(times) {
        let [few, many] = times.each_ref().map(|times| median(times.iter().copied()) * 1e6);
        println!("  {question:<42} {few:>8.0} {many:>8.0} {:>7.2}", ratio_of(times));
    }
}
