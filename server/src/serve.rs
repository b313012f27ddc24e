//! The commands of the binary: serve, migrate, seed, audit.

use std::fmt::Write;
use std::io;
use std::time::Duration;

use axum::extract::FromRef;

use crate::app::App;
use crate::config::Config;
use crate::ground::{Ground, GroundError};
use crate::platform::clock::Clock;
use crate::platform::jobs::{Bounds, Registry, Worker};
use crate::platform::push::{self, Relay};
use crate::platform::seal::SealGate;
use crate::platform::serve::{self, Listener, ServeError};
use crate::platform::shutdown::{self, Shutdown};
use crate::platform::telemetry;
use crate::{demo, router, sessions, wallet};

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
    /// The ledger is not what it must be.
    #[error("the ledger is not sound: {0}")]
    Audit(String),
    /// Signals cannot be heard.
    #[error("signals cannot be heard: {0}")]
    Signals(#[from] io::Error),
}

/// Serves the site, the office and the metrics until a signal comes.
pub async fn serve(config: Config) -> Result<(), CommandError> {
    telemetry::init(config.log_json);
    let shutdown = shutdown::on_signals()?;
    // Ports are taken before the database starts: a clash is told at once.
    let listeners = Listeners::bind(&config).await?;
    let ground = Ground::prepare(config).await?;
    let app = ground.app(Clock::system(), shutdown.clone());
    if app.config.demo
        && let Err(error) = seed_demo(&ground, shutdown.clone()).await
    {
        ground.close().await;
        return Err(error);
    }
    let (served, ()) =
        tokio::join!(serve_app(&app, listeners, shutdown.clone()), ground.watch(shutdown));
    drop(app);
    ground.close().await;
    served
}

struct Listeners {
    site: Listener,
    office: Listener,
    metrics: Option<Listener>,
}

impl Listeners {
    async fn bind(config: &Config) -> Result<Self, ServeError> {
        let metrics = match config.metrics_listen {
            Some(address) => Some(serve::bind(address, "CAPIZ_METRICS_LISTEN").await?),
            None => None,
        };
        Ok(Self {
            site: serve::bind(config.listen, "CAPIZ_LISTEN").await?,
            office: serve::bind(config.office_listen, "CAPIZ_OFFICE_LISTEN").await?,
            metrics,
        })
    }
}

async fn serve_app(
    app: &App,
    listeners: Listeners,
    shutdown: Shutdown,
) -> Result<(), CommandError> {
    let tls = serve::tls(&app.config.tls, &app.config.data)?;
    let worker = Worker::new(app.db.clone(), app.clock.clone(), job_registry(app));
    let relay = Relay::new(app.push.clone());
    let operators = telemetry::metrics_router(app.db.clone(), shutdown.clone());
    announce(app, &mut io::stdout());
    tokio::join!(
        serve::run(listeners.site, router::site(app), tls.clone(), shutdown.clone()),
        serve::run(listeners.office, router::office(app), tls, shutdown.clone()),
        serve_metrics(listeners.metrics, operators, shutdown.clone()),
        worker.run(shutdown.clone()),
        relay.run(shutdown),
    );
    app.push.drained().await;
    Ok(())
}

async fn serve_metrics(listener: Option<Listener>, router: axum::Router, shutdown: Shutdown) {
    if let Some(listener) = listener {
        serve::run(listener, router, None, shutdown).await;
    }
}

/// What runs on a schedule.
pub fn job_registry(app: &App) -> Registry {
    let mut registry = Registry::new();
    push::register_purge(&mut registry, app.db.clone());
    let gate = SealGate::from_ref(app);
    registry.handle("platform.seal.purge", Bounds::default(), move |_| {
        let gate = gate.clone();
        async move { Ok(gate.purge().await.map(drop)?) }
    });
    registry.schedule("platform.seal.purge", Duration::from_secs(300));
    let app = app.clone();
    registry.handle("sessions.purge", Bounds::default(), move |_| {
        let app = app.clone();
        async move { Ok(sessions::purge(&app).await.map(drop)?) }
    });
    registry.schedule("sessions.purge", Duration::from_secs(3600));
    registry
}

/// Fills an empty database with a demo whose history ends now.
async fn seed_demo(ground: &Ground, shutdown: Shutdown) -> Result<bool, CommandError> {
    let past = Clock::fixed(Clock::system().now() - demo::history_length());
    let seeded = demo::seed(&ground.app(past, shutdown)).await;
    seeded.map_err(|error| CommandError::Demo(format!("{error:?}")))
}

/// Says where the site is and how to get in.
fn announce(app: &App, out: &mut impl io::Write) {
    let scheme = if app.speaks_tls() { "https" } else { "http" };
    let mut text = format!(
        "\n  Capiz is ready.\n\n    Site    {scheme}://{}\n    Office  {scheme}://{}\n",
        app.config.listen, app.config.office_listen
    );
    if app.config.demo {
        text.push_str("\n    Demo members (username / password)\n");
        for (username, password) in demo::MEMBERS {
            // Writing to a text cannot fail.
            let _ = writeln!(text, "      {username} / {password}");
        }
    }
    // Nobody may be reading; that is no reason to stop.
    let _ = writeln!(out, "{text}\n  Ctrl-C stops it.\n");
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
    let ground = Ground::prepare(config).await?;
    let audited = wallet::audit(&ground.db).await;
    ground.close().await;
    let checked = audited.map_err(|error| CommandError::Audit(error.to_string()))?;
    println!("The ledger is sound: {checked} transfers were checked.");
    Ok(())
}
