//! The commands of the binary: serve, migrate, seed, audit, outbox.

use std::io::{self, Write};
use std::sync::Arc;
use std::time::Duration;

use rustls::ServerConfig;
use sqlx::PgPool;

use crate::App;
use crate::bootstrap::{self, Bootstrap, BootstrapError};
use crate::config::Config;
use crate::{audit, demo, modules, router};
use platform::clock::Clock;
use platform::jobs::Worker;
use platform::outbox::{self, Channels, Outbox};
use platform::push::Relay;
use platform::secret::RootKey;
use platform::serve::{self, Listener, ServeError, Tls};
use platform::shutdown::{self, Shutdown};
use platform::telemetry;
use staff::InitialSecrets;

/// Why a command failed, as a message for the operator.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// The database could not be prepared.
    #[error(transparent)]
    Bootstrap(#[from] BootstrapError),
    /// A listener could not be opened.
    #[error(transparent)]
    Serve(#[from] ServeError),
    /// The demo data could not be created.
    #[error("the demo data could not be created: {0}")]
    Demo(String),
    /// The first administrator could not be created.
    #[error("the first administrator could not be created: {0}")]
    Office(String),
    /// The initial content of merchants could not be written.
    #[error("the initial content could not be written: {0}")]
    Content(sqlx::Error),
    /// The audit of the ledger found a violation.
    #[error("the ledger is not sound: {0}")]
    Audit(String),
    /// The outbox cannot be read.
    #[error("the outbox cannot be read: {0}")]
    Outbox(sqlx::Error),
    /// The signal handlers could not be installed.
    #[error("the signal handlers could not be installed: {0}")]
    Signals(#[from] io::Error),
}

/// Serves the site, the back office and the metrics until a shutdown signal.
pub async fn serve(config: Config) -> Result<(), CommandError> {
    telemetry::init(config.log_json);
    let shutdown = shutdown::on_signals()?;
    // Ports and certificate before the database, so that mistakes in them are reported at once.
    let listeners = Listeners::bind(&config).await?;
    let bootstrap = Bootstrap::prepare(config).await?;
    let result = tokio::select! {
        result = serve_on(&bootstrap, listeners, shutdown.clone()) => result,
        () = bootstrap.watch() => Ok(()),
    };
    bootstrap.close().await;
    result
}

async fn serve_on(
    bootstrap: &Bootstrap,
    listeners: Listeners,
    shutdown: Shutdown,
) -> Result<(), CommandError> {
    let app = bootstrap.app(Clock::system(), shutdown.clone());
    // An operator's own database gets demo data only by `capiz seed`.
    let has_demo = app.config.demo && bootstrap.is_private();
    if has_demo {
        seed_demo(bootstrap, shutdown.clone()).await?;
    }
    content::create_missing(&app.content).await.map_err(CommandError::Content)?;
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

/// The TLS configuration. A self-signed certificate is stored in the data directory.
fn tls(config: &Config) -> Result<Option<Arc<ServerConfig>>, CommandError> {
    if config.platform.tls == Tls::SelfSigned {
        bootstrap::make_data_directory(&config.data)?;
    }
    Ok(serve::tls(&config.platform.tls, &config.data)?)
}

async fn serve_app(app: &App, listeners: Listeners, shutdown: Shutdown) {
    let worker = Worker::new(app.db.clone(), app.clock.clone(), modules::job_registry(app));
    app.timetable.set_kinds(worker.kinds());
    let relay = Relay::new(app.push.clone());
    let metrics_routes = telemetry::metrics_router(app.db.clone(), shutdown.clone());
    let Listeners { site, office, metrics, tls } = listeners;
    let all = async {
        tokio::join!(
            serve::run(site, router::site(app), tls.clone(), shutdown.clone()),
            serve::run(office, router::office(app), tls, shutdown.clone()),
            serve_metrics(metrics, metrics_routes, shutdown.clone()),
            worker.run(shutdown.clone()),
            identity::watch(&app.identity, shutdown.clone()),
            relay.run(shutdown.clone()),
        );
    };
    tokio::select! {
        () = all => {}
        () = shutdown_timeout(&shutdown) => {
            tracing::warn!("shutdown timed out waiting for the database; continuing without it");
        }
    }
    // After the listeners, so that all accepted orders are written and answered first.
    if tokio::time::timeout(SHUTDOWN_TIMEOUT, app.studio.rounds.drain()).await.is_err() {
        tracing::warn!(
            "some orders were not written before shutdown; look up their outcome by idempotency key"
        );
    }
    app.push.drained().await;
}

/// How long the parts of the server may take to shut down. Longer than the time that listeners give
/// open requests to finish.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(12);

/// Waits for the start of the shutdown, and then for its timeout.
async fn shutdown_timeout(shutdown: &Shutdown) {
    shutdown.begun().await;
    tokio::time::sleep(SHUTDOWN_TIMEOUT).await;
}

async fn serve_metrics(listener: Option<Listener>, router: axum::Router, shutdown: Shutdown) {
    if let Some(listener) = listener {
        serve::run(listener, router, None, shutdown).await;
    }
}

/// Fills an empty database with demo data whose history ends now.
async fn seed_demo(bootstrap: &Bootstrap, shutdown: Shutdown) -> Result<bool, CommandError> {
    let past = Clock::fixed(Clock::system().now() - demo::history_length());
    let seeded = demo::seed(&bootstrap.app(past, shutdown)).await;
    seeded.map_err(|error| CommandError::Demo(format!("{error:?}")))
}

/// Prints the addresses, and the credentials of the demo or the first administrator.
fn announce(app: &App, has_demo: bool, first: Option<(String, InitialSecrets)>) {
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
        let InitialSecrets { password, secret, url } = secrets;
        text.push_str(&format!(
            "\n    Office administrator. This is shown only once: log in and choose your own password\n    \
             within three days.\n      \
             username  {username}\n      password  {password}\n      \
             authenticator secret  {secret}\n      {url}\n"
        ));
    }
    if let Some(kinds) = unsent_messages(&app.config) {
        text.push_str(&format!("\n    {kinds} are stored, not sent; `capiz outbox` shows them.\n"));
    }
    // Standard output may be closed; that is no reason to stop.
    let _ = writeln!(io::stdout(), "{text}\n  Ctrl-C stops it.\n");
}

/// The kinds of messages for which no provider is configured.
fn unsent_messages(config: &Config) -> Option<&'static str> {
    match (&config.platform.sms, &config.platform.mail) {
        (None, None) => Some("Text messages and e-mails"),
        (None, Some(_)) => Some("Text messages"),
        (Some(_), None) => Some("E-mails"),
        (Some(_), Some(_)) => None,
    }
}

/// Applies all migrations.
pub async fn migrate(config: Config) -> Result<(), CommandError> {
    let bootstrap = Bootstrap::prepare(config).await?;
    bootstrap.close().await;
    println!("The database is up to date.");
    Ok(())
}

/// Fills an empty database with demo data.
pub async fn seed(config: Config) -> Result<(), CommandError> {
    let bootstrap = Bootstrap::prepare(config).await?;
    let (_trigger, shutdown) = shutdown::channel();
    let seeded = seed_demo(&bootstrap, shutdown).await;
    bootstrap.close().await;
    match seeded? {
        true => println!("The demo is in place."),
        false => println!("Nothing was done: a merchant exists already."),
    }
    Ok(())
}

/// Audits the ledger, and prints the result or the first violation.
pub async fn audit(config: Config) -> Result<(), CommandError> {
    let audited = match bootstrap::connect_running(&config).await? {
        Some(db) => audit::run(&db).await,
        None => {
            let bootstrap = Bootstrap::prepare(config).await?;
            let audited = audit::run(&bootstrap.db).await;
            bootstrap.close().await;
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
    let messages = match bootstrap::connect_running(&config).await? {
        Some(db) => {
            let root = bootstrap::running_root_key(&config)?;
            newest_messages(&db, &root, count).await
        }
        None => {
            let bootstrap = Bootstrap::prepare(config).await?;
            let messages = newest_messages(&bootstrap.db, bootstrap.root_key(), count).await;
            bootstrap.close().await;
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
    // Reading needs no channels.
    let outbox = Outbox::new(root, Channels::default());
    outbox.list_newest(&mut *db.acquire().await?, count).await
}
