//! Measures rounds of dice during a burst of logins.
//!
//! Players play at a fixed rate over HTTP. In every other measurement 500 members log in at the
//! same moment, with the correct password and a solved proof of work; a login that gets a 503 is
//! sent again, unchanged, after `Retry-After`. The ratios say how much slower rounds are answered
//! meanwhile; the report also shows the server's peak memory.

use std::collections::BTreeMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use altcha::{CreateChallengeOptions, SolveChallengeOptions};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use capiz::App;
use capiz::demo;
use identity::Visit;
use members::{Registration, RegistrationMethod};
use platform::clock::Clock;
use platform::ids::new_id;
use platform::seal::{self, SealKey, Target};
use platform::secret::{RootKey, Secret};
use serde_json::json;
use tokio::task::JoinSet;
use tokio::time::{sleep, sleep_until};
use uuid::Uuid;

use crate::client::{Answer, Connection, Request};
use crate::ledger::{SECRET, Setup, refused};
use crate::member::{Member, text, value_of};
use crate::process::Server;
use crate::report::{Ratio, median, milliseconds};
use crate::{DICE_PATH, Failure};

const LOGIN_PATH: &str = "/wps/session/login";
const PASSWORD: &str = "a-good-password";
/// The number of concurrent logins.
const LOGINS: usize = 500;
/// The number of connections that rounds are played over, alternately.
const PLAYERS: usize = 32;
/// Rounds per second: few enough for the machine to handle them easily without logins.
const PACE: u32 = 200;
/// Pairs of measurements, without logins and with; the results are medians over them.
const MEASUREMENTS: usize = 5;
/// How long rounds are played before the first measurement.
const WARM_UP: Duration = Duration::from_secs(3);

/// Measures, prints the table and returns the ratios.
pub async fn bench(program: &Path) -> Result<[Ratio; 4], Failure> {
    let setup = Setup::prepare().await?;
    let outcome = prepare_and_measure(&setup, program).await;
    setup.close().await?;
    outcome
}

async fn prepare_and_measure(setup: &Setup, program: &Path) -> Result<[Ratio; 4], Failure> {
    let merchant_id = register(&setup.app).await?;
    let server = Server::start(program, &setup.database()).await?;
    match measure(&server, merchant_id).await {
        Ok(ratios) => server.stop().await.map(|()| ratios),
        Err(error) => Err(format!("{error}\n{}", server.log_tail()).into()),
    }
}

/// Creates the merchant and the members who will log in; each has its own password hash.
async fn register(app: &App) -> Result<Uuid, Failure> {
    demo::create_demo_merchant(&app.db, &app.clock).await?;
    app.site.sites.refresh().await;
    let merchant = app.site.sites.find(&app.db, "127.0.0.1", None).await?;
    let merchant = merchant.ok_or("the merchant cannot be found")?;
    for number in 0..LOGINS {
        let form = Registration::by_username(&name(number), PASSWORD);
        let (merchant, visit) = (Arc::clone(&merchant), Visit::of_nobody());
        let made =
            identity::register(&app.identity, merchant, RegistrationMethod::Username, form, visit)
                .await;
        made.map_err(refused)?;
    }
    Ok(merchant.id)
}

fn name(number: usize) -> String {
    format!("burst{number}")
}

/// The response times of the rounds of one measurement.
struct Rounds {
    /// The mean of all rounds.
    mean: Duration,
    half: Duration,
    slow: Duration,
    /// The median of the 99th percentiles of the single seconds. Other load on the machine disturbs
    /// only a few of these seconds, logins all of them.
    slow_in_a_second: Duration,
    slowest: Duration,
}

impl Rounds {
    /// Computes the figures from when each round was due and how long it took.
    fn of(times: &[(Duration, Duration)]) -> Option<Self> {
        let mut seconds: BTreeMap<u64, Vec<Duration>> = BTreeMap::new();
        for (due, took) in times {
            seconds.entry(due.as_secs()).or_default().push(*took);
        }
        let mut slow = seconds.values().filter_map(|second| at(second, 99)).collect::<Vec<_>>();
        slow.sort_unstable();
        let all: Vec<Duration> = times.iter().map(|(_, took)| *took).collect();
        Some(Self {
            mean: all.iter().sum::<Duration>() / u32::try_from(all.len()).ok()?,
            half: at(&all, 50)?,
            slow: at(&all, 99)?,
            slow_in_a_second: at(&slow, 50)?,
            slowest: at(&all, 100)?,
        })
    }
}

/// The percentile of the times.
fn at(times: &[Duration], percent: usize) -> Option<Duration> {
    let mut times = times.to_vec();
    times.sort_unstable();
    times.get((times.len() * percent / 100).min(times.len().checked_sub(1)?)).copied()
}

/// A measurement with logins.
struct Burst {
    rounds: Rounds,
    took: Duration,
    /// How many logins were refused with a 503 and sent again.
    refusals: usize,
}

async fn measure(server: &Server, merchant_id: Uuid) -> Result<[Ratio; 4], Failure> {
    let players: Arc<[Member]> = Member::log_in_many(server.address(), PLAYERS).await?.into();
    let play = |length| play(server.address(), Arc::clone(&players), length);
    play(Playing::For(WARM_UP)).await?;
    let before = peak_memory(server.id())?;
    let (mut quiet, mut bursts) = (Vec::new(), Vec::new());
    for _ in 0..MEASUREMENTS {
        let burst = burst(server.address(), merchant_id, &play).await?;
        quiet.push(play(Playing::For(burst.took)).await?);
        bursts.push(burst);
    }
    let after = peak_memory(server.id())?;
    Ok(report(&quiet, &bursts, (before, after)))
}

/// How long rounds are played.
enum Playing {
    For(Duration),
    /// Until this counter of unfinished logins is zero.
    Beside(Arc<AtomicUsize>),
}

impl Playing {
    fn is_over(&self, began: Instant) -> bool {
        match self {
            Self::For(length) => began.elapsed() >= *length,
            Self::Beside(left) => left.load(Ordering::Relaxed) == 0,
        }
    }
}

/// Plays at the fixed rate. The time of a round is counted from when it was due, so that a slow
/// round that delays the next one is not hidden (coordinated omission).
async fn play(
    address: SocketAddr,
    players: Arc<[Member]>,
    playing: Playing,
) -> Result<Rounds, Failure> {
    let playing = Arc::new(playing);
    let began = Instant::now();
    let mut tasks = JoinSet::new();
    for number in 0..PLAYERS {
        let (players, playing) = (Arc::clone(&players), Arc::clone(&playing));
        tasks.spawn(async move {
            let mut connection = Connection::open(address).await?;
            let (host, pause) = (address.to_string(), Duration::from_secs(1) / PACE);
            let mut due = began + pause * u32::try_from(number)?;
            let mut times = Vec::new();
            while !playing.is_over(began) {
                sleep_until(due.into()).await;
                let request = players[number].play(DICE_PATH, &host);
                connection.exchange(&request).await?.expect_ok(DICE_PATH)?;
                times.push((due - began, due.elapsed()));
                due += pause * u32::try_from(PLAYERS)?;
            }
            Ok::<_, Failure>(times)
        });
    }
    let mut times = Vec::new();
    while let Some(done) = tasks.join_next().await {
        times.append(&mut done??);
    }
    Rounds::of(&times).ok_or_else(|| "no round was played".into())
}

/// Starts all logins at once while rounds are played.
async fn burst<F: Future<Output = Result<Rounds, Failure>>>(
    address: SocketAddr,
    merchant_id: Uuid,
    play: impl Fn(Playing) -> F,
) -> Result<Burst, Failure> {
    let mut ready = Vec::with_capacity(LOGINS);
    for number in 0..LOGINS {
        ready.push(Login::prepare(address, merchant_id, number).await?);
    }
    let left = Arc::new(AtomicUsize::new(LOGINS));
    let began = Instant::now();
    let mut tasks = JoinSet::new();
    for login in ready {
        let left = Arc::clone(&left);
        tasks.spawn(async move {
            let done = login.log_in().await;
            left.fetch_sub(1, Ordering::Relaxed);
            done
        });
    }
    let rounds = play(Playing::Beside(left)).await?;
    let took = began.elapsed();
    let mut refusals = 0;
    while let Some(done) = tasks.join_next().await {
        refusals += done??;
    }
    Ok(Burst { rounds, took, refusals })
}

/// An open connection and a login request that is ready to be sent.
struct Login {
    connection: Connection,
    request: Request,
}

impl Login {
    async fn prepare(
        address: SocketAddr,
        merchant_id: Uuid,
        number: usize,
    ) -> Result<Self, Failure> {
        let mut connection = Connection::open(address).await?;
        let host = address.to_string();
        let request = request(&mut connection, &host, merchant_id, number).await?;
        Ok(Self { connection, request })
    }

    /// Logs in; returns how often the login was refused and sent again.
    async fn log_in(mut self) -> Result<usize, Failure> {
        for refusals in 0.. {
            let answer = self.connection.exchange(&self.request).await?;
            if answer.status != 503 {
                answer.expect_ok(LOGIN_PATH)?;
                return Ok(refusals);
            }
            // The refused request was not opened by the server, so its nonce is still unused and it
            // can be sent again.
            sleep(wait(&answer)?).await;
        }
        Err("the login was refused too often".into())
    }
}

/// How long to wait before sending again: a random moment within the last second of `Retry-After`,
/// as the web does it.
fn wait(answer: &Answer) -> Result<Duration, Failure> {
    let seconds = answer.headers("retry-after").next().and_then(|text| text.parse().ok());
    let seconds = Duration::from_secs(seconds.unwrap_or(1));
    Ok(seconds.saturating_sub(Duration::from_millis(u64::from(getrandom::u32()? % 1_000))))
}

/// A sealed login request from an address that no other request has.
async fn request(
    connection: &mut Connection,
    host: &str,
    merchant_id: Uuid,
    number: usize,
) -> Result<Request, Failure> {
    static NEXT_ADDRESS: AtomicU32 = AtomicU32::new(0);
    let key_path = "/wps/system/key";
    let key = connection.exchange(&Request::get(key_path, host)).await?;
    let key = value_of(key_path, &key)?;
    let key = SealKey {
        kid: text(&key, "kid")?.to_owned(),
        public_key: text(&key, "publicKey")?.to_owned(),
        now: key["now"].as_i64().ok_or("the server's key has no time")?,
    };
    let login = json!({
        "type": "username", "username": name(number), "password": PASSWORD,
        "human": proof(merchant_id, &key)?,
    });
    let moment = Clock::system().now();
    let nonce = new_id(moment).to_string();
    let target = Target { method: "POST", path: LOGIN_PATH };
    let sealed = seal::seal_to(&key, target, &nonce, login.to_string().as_bytes());
    let sealed = json!(sealed.map_err(|error| format!("sealing failed: {error:?}"))?);
    let address = NEXT_ADDRESS.fetch_add(1, Ordering::Relaxed);
    let address = Ipv4Addr::from_bits(Ipv4Addr::new(10, 0, 0, 0).to_bits() + address).to_string();
    let headers = [("Content-Type", seal::MEDIA_TYPE), ("X-Forwarded-For", address.as_str())];
    Ok(Request::new("POST", LOGIN_PATH, host, &headers, &sealed.to_string()))
}

/// A proof of work that takes one try: with the secret, the hidden number can be chosen. Verifying
/// it costs the server as much as any other proof.
fn proof(merchant_id: Uuid, key: &SealKey) -> Result<String, Failure> {
    let root = RootKey::new(&Secret::new(SECRET.to_owned()));
    let moment = Clock::system().now();
    let data = json!({ "id": new_id(moment), "merchant": merchant_id, "level": 4 });
    let signed = |purpose| Some(root.derive(purpose).map(|byte| format!("{byte:02x}")).concat());
    let challenge = altcha::create_challenge(CreateChallengeOptions {
        algorithm: "PBKDF2/SHA-256".to_owned(),
        cost: 2_000,
        counter: Some(0),
        data: serde_json::from_value(data)?,
        expires_at: Some(key.now / 1_000 + 300),
        hmac_signature_secret: signed("sessions/human/challenge"),
        hmac_key_signature_secret: signed("sessions/human/solution"),
        ..Default::default()
    })
    .map_err(|error| format!("no challenge: {error}"))?;
    let solution = altcha::solve_challenge(SolveChallengeOptions::new(&challenge))
        .map_err(|error| format!("no solution: {error}"))?;
    let payload = json!({ "challenge": challenge, "solution": solution });
    Ok(BASE64_STANDARD.encode(payload.to_string()))
}

/// The peak memory of a process, in megabytes.
fn peak_memory(process: u32) -> Result<f64, Failure> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status"))?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next());
    let kilobytes: f64 = kilobytes.ok_or("/proc has no peak memory (VmHWM)")?.parse()?;
    Ok(kilobytes / 1_024.0)
}

fn report(quiet: &[Rounds], bursts: &[Burst], (before, after): (f64, f64)) -> [Ratio; 4] {
    println!("{PACE} rounds/s ({DICE_PATH}) beside {LOGINS} logins at once ({LOGIN_PATH})");
    let heads = ["mean ms", "p50 ms", "p99 ms", "in a second", "slowest ms"];
    println!("  {:<16} {}", "", heads.map(|head| format!("{head:>11}")).join(" "));
    let beside: Vec<&Rounds> = bursts.iter().map(|burst| &burst.rounds).collect();
    for (what, all) in [("without logins", quiet.iter().collect()), ("with logins", beside)] {
        let middle = |time: fn(&Rounds) -> Duration| {
            median(all.iter().map(|rounds: &&Rounds| milliseconds(time(rounds))))
        };
        let times = [
            middle(|rounds| rounds.mean),
            middle(|rounds| rounds.half),
            middle(|rounds| rounds.slow),
            middle(|rounds| rounds.slow_in_a_second),
            middle(|rounds| rounds.slowest),
        ];
        println!("  {what:<16} {}", times.map(|time| format!("{time:>11.2}")).join(" "));
    }
    let all = f64::from(u32::try_from(LOGINS).unwrap_or(u32::MAX));
    let rate = median(bursts.iter().map(|burst| all / burst.took.as_secs_f64()));
    let refusals: usize = bursts.iter().map(|burst| burst.refusals).sum();
    println!(
        "  {rate:.1} logins/s; {refusals} were refused (503) and sent again in {MEASUREMENTS} bursts"
    );
    println!("  peak memory of the server: {before:.0} MB before, {after:.0} MB after");
    let ratio = |time: fn(&Rounds) -> Duration| {
        let of = |rounds: &Rounds| milliseconds(time(rounds));
        let pairs = bursts.iter().zip(quiet);
        median(pairs.map(|(burst, quiet)| of(&burst.rounds) / of(quiet)))
    };
    [
        ("rounds_mean_beside_logins".to_owned(), ratio(|rounds| rounds.mean)),
        ("rounds_p50_beside_logins".to_owned(), ratio(|rounds| rounds.half)),
        ("rounds_p99_beside_logins".to_owned(), ratio(|rounds| rounds.slow)),
        (
            "rounds_p99_of_a_second_beside_logins".to_owned(),
            ratio(|rounds| rounds.slow_in_a_second),
        ),
    ]
}
