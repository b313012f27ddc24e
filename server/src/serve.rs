//! The commands of the binary: serve, migrate, seed, audit, outbox.

use std::io::{self, Write};
use std::sync::Arc;
use std::time::Duration;

use rustls::ServerConfig;
use sqlx::PgPool;

use crate::App;
use crate::config::Config;
use crate::ground::{self, Ground, GroundError};
use crate::{audit, demo, modules, router};
use platform::clock::Clock;
use platform::jobs::Worker;
use platform::outbox::{self, Channels, Outbox};
use platform::push::Relay;
use platform::secret::RootKey;
use platform::serve::{self, Listener, ServeError, Tls};
use platform::shutdown::{self, Shutdown};
use platform::telemetry;
use staff::NewcomerSecrets;

/// Why a command ended, as a sentence for the operator.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// There is no database to work with.
    #[error(transparent)]
    Ground(#[from] GroundError),
    /// A listener could not be opened.
    #[error(transparent)]
    Serve(#[from] ServeError),
    /// Demo data could not be made.
    #[error("the demo data could not be made: {0}")]
    Demo(String),
    /// The first administrator could not be added.
    #[error("the office could not be founded: {0}")]
    Office(String),
    /// Merchants could not be given their first content.
    #[error("the first content could not be written: {0}")]
    Content(sqlx::Error),
    /// The ledger is not what it must be.
    #[error("the ledger is not sound: {0}")]
    Audit(String),
    /// The outbox cannot be read.
    #[error("the outbox cannot be read: {0}")]
    Outbox(sqlx::Error),
    /// Signals cannot be heard.
    #[error("signals cannot be heard: {0}")]
    Signals(#[from] io::Error),
}

/// Serves the site, the office and the metrics until a signal comes.
pub async fn serve(config: Config) -> Result<(), CommandError> {
    telemetry::init(config.log_json);
    let shutdown = shutdown::on_signals()?;
    // Ports and certificate before the database: what is wrong with them is told at once.
    let listeners = Listeners::bind(&config).await?;
    let ground = Ground::prepare(config).await?;
    let served = tokio::select! {
        served = serve_on(&ground, listeners, shutdown.clone()) => served,
        () = ground.watch() => Ok(()),
    };
    ground.close().await;
    served
}

async fn serve_on(
    ground: &Ground,
    listeners: Listeners,
    shutdown: Shutdown,
) -> Result<(), CommandError> {
    let app = ground.app(Clock::system(), shutdown.clone());
    // An operator's own database gets demo members only by `capiz seed`.
    let has_demo = app.config.demo && ground.is_private();
    if has_demo {
        seed_demo(ground, shutdown.clone()).await?;
    }
    content::found_missing(&app.content).await.map_err(CommandError::Content)?;
    let first = staff::found(&app.staff).await;
    let first = first.map_err(|error| CommandError::Office(format!("{error:?}")))?;
    announce(&app, has_demo, first);
    serve_app(&app, listeners, shutdown).await;
    Ok(())
}

struct Listeners {
    site: Listener,
    office: Listener,
    metrics: Option<Listener>,
    tls: Option<Arc<ServerConfig>>,
}

impl Listeners {
    async fn bind(config: &Config) -> Result<Self, CommandError> {
        let metrics = match config.metrics_listen {
            Some(address) => Some(serve::bind(address, "CAPIZ_METRICS_LISTEN").await?),
            None => None,
        };
        Ok(Self {
            site: serve::bind(config.platform.listen, "CAPIZ_LISTEN").await?,
            office: serve::bind(config.office_listen, "CAPIZ_OFFICE_LISTEN").await?,
            metrics,
            tls: tls(config)?,
        })
    }
}

/// The certificate; one of our own making is kept in the data directory.
fn tls(config: &Config) -> Result<Option<Arc<ServerConfig>>, CommandError> {
    if config.platform.tls == Tls::SelfSigned {
        ground::make_data_directory(&config.data)?;
    }
    Ok(serve::tls(&config.platform.tls, &config.data)?)
}

async fn serve_app(app: &App, listeners: Listeners, shutdown: Shutdown) {
    let worker = Worker::new(app.db.clone(), app.clock.clone(), modules::job_registry(app));
    app.timetable.tell(worker.kinds());
    let relay = Relay::new(app.push.clone());
    let operators = telemetry::metrics_router(app.db.clone(), shutdown.clone());
    let Listeners { site, office, metrics, tls } = listeners;
    let all = async {
        tokio::join!(
            serve::run(site, router::site(app), tls.clone(), shutdown.clone()),
            serve::run(office, router::office(app), tls, shutdown.clone()),
            serve_metrics(metrics, operators, shutdown.clone()),
            worker.run(shutdown.clone()),
            identity::watch(&app.identity, shutdown.clone()),
            relay.run(shutdown.clone()),
        );
    };
    tokio::select! {
        () = all => {}
        () = too_long_after(&shutdown) => {
            tracing::warn!("something waits for a database that does not answer; ending without it");
        }
    }
    // After the listeners: every order that was taken is answered first.
    if tokio::time::timeout(END_PATIENCE, app.studio.rounds.drain()).await.is_err() {
        tracing::warn!("some orders could not be written; their keys tell what became of them");
    }
    app.push.drained().await;
}

/// How long parts of the server may take to end: longer than requests get, and not for ever.
const END_PATIENCE: Duration = Duration::from_secs(12);

async fn too_long_after(shutdown: &Shutdown) {
    shutdown.begun().await;
    tokio::time::sleep(END_PATIENCE).await;
}

async fn serve_metrics(listener: Option<Listener>, router: axum::Router, shutdown: Shutdown) {
    if let Some(listener) = listener {
        serve::run(listener, router, None, shutdown).await;
    }
}

/// Fills an empty database with a demo whose history ends now.
async fn seed_demo(ground: &Ground, shutdown: Shutdown) -> Result<bool, CommandError> {
    let past = Clock::fixed(Clock::system().now() - demo::history_length());
    let seeded = demo::seed(&ground.app(past, shutdown)).await;
    seeded.map_err(|error| CommandError::Demo(format!("{error:?}")))
}

/// Says where the site is and how to get in.
fn announce(app: &App, has_demo: bool, first: Option<(String, NewcomerSecrets)>) {
    let scheme = if app.speaks_tls() { "https" } else { "http" };
    let mut text = format!(
        "\n  Capiz is ready.\n\n    Site    {scheme}://{}\n    Office  {scheme}://{}\n",
        app.config.platform.listen, app.config.office_listen
    );
    if has_demo {
        text.push_str("\n    Demo members (username / password)\n");
        for (username, password) in demo::MEMBERS {
            text.push_str(&format!("      {username} / {password}\n"));
        }
        text.push_str("\n    Demo staff (username / password / authenticator secret)\n");
        for person in demo::STAFF {
            let (username, password) = (person.username, person.password);
            text.push_str(&format!("      {username} / {password} / {}\n", person.secret()));
        }
    }
    if let Some((username, secrets)) = first {
        let NewcomerSecrets { password, secret, url } = secrets;
        text.push_str(&format!(
            "\n    An administrator of the office. This is shown once; log in and choose a password of\n    \
             your own within three days.\n      \
             username  {username}\n      password  {password}\n      \
             authenticator secret  {secret}\n      {url}\n"
        ));
    }
    if let Some(kept) = kept_messages(&app.config) {
        text.push_str(&format!("\n    {kept} are kept; `capiz outbox` shows them.\n"));
    }
    // Nobody may be reading; that is no reason to stop.
    let _ = writeln!(io::stdout(), "{text}\n  Ctrl-C stops it.\n");
}

/// What nobody is configured to send.
fn kept_messages(config: &Config) -> Option<&'static str> {
    match (&config.platform.sms, &config.platform.mail) {
        (None, None) => Some("Text messages and e-mails"),
        (None, Some(_)) => Some("Text messages"),
        (Some(_), None) => Some("E-mails"),
        (Some(_), Some(_)) => None,
    }
}

/// Brings the database up to date and ends.
pub async fn migrate(config: Config) -> Result<(), CommandError> {
    let ground = Ground::prepare(config).await?;
    ground.close().await;
    println!("The database is up to date.");
    Ok(())
}

/// Fills an empty database with the demo.
pub async fn seed(config: Config) -> Result<(), CommandError> {
    let ground = Ground::prepare(config).await?;
    let (_trigger, shutdown) = shutdown::channel();
    let seeded = seed_demo(&ground, shutdown).await;
    ground.close().await;
    match seeded? {
        true => println!("The demo is in place."),
        false => println!("Nothing was done: a merchant exists already."),
    }
    Ok(())
}

/// Checks the ledger's invariants and tells the first offence.
pub async fn audit(config: Config) -> Result<(), CommandError> {
    let audited = match ground::connect_running(&config).await? {
        Some(db) => audit::run(&db).await,
        None => {
            let ground = Ground::prepare(config).await?;
            let audited = audit::run(&ground.db).await;
            ground.close().await;
            audited
        }
    };
    let audited = audited.map_err(|error| CommandError::Audit(error.to_string()))?;
    println!(
        "The ledger is sound: {} transfers of {} holders were checked.",
        audited.transfers, audited.holders
    );
    Ok(())
}

/// Prints the newest messages of the outbox, newest last.
pub async fn outbox(config: Config, count: u32) -> Result<(), CommandError> {
    let messages = match ground::connect_running(&config).await? {
        Some(db) => {
            let root = ground::running_root_key(&config)?;
            newest_messages(&db, &root, count).await
        }
        None => {
            let ground = Ground::prepare(config).await?;
            let messages = newest_messages(&ground.db, ground.root_key(), count).await;
            ground.close().await;
            messages
        }
    };
    let messages = messages.map_err(CommandError::Outbox)?;
    if messages.is_empty() {
        println!("The outbox is empty.");
    }
    for message in messages.iter().rev() {
        println!("{message}");
    }
    Ok(())
}

async fn newest_messages(
    db: &PgPool,
    root: &RootKey,
    count: u32,
) -> Result<Vec<outbox::Shown>, sqlx::Error> {
    // To read needs no channels.
    let outbox = Outbox::new(root, Channels::default());
    outbox.list_newest(&mut *db.acquire().await?, count).await
}
