//! Measures rounds of dice against one database transaction per round.
//!
//! One durable PostgreSQL, reached over its Unix socket, takes these loads one after the other:
//!
//! - the **reference**: the same rows in tables of the same shape, one transaction per round as one
//!   function call, with the number of connections that is best for it;
//! - **in process**: the wallet's writer with the studio's bet handler;
//! - **over HTTP**: the release binary.
//!
//! At the end the audit checks everything that the writer wrote.

mod chance;
mod ground;
mod growth;
mod http;
mod inside;
mod members;
mod meter;
mod plan;
mod reference;
mod table;

use std::path::Path;
use std::time::{Duration, Instant};

use platform::error::ApiError;

pub use ground::{SECRET, Setup};
pub use growth::bench_growth;

use crate::Failure;
use crate::process::Server;
use crate::report::Ratio;
use chance::{Chooser, Spread};
use http::Site;
use inside::Inside;
use members::Crowd;
use meter::Meter;
use plan::Who;
use reference::Reference;
use table::Table;

/// The number of members that play.
const MEMBERS: usize = 10_000;
/// Rounds of measurements; the results are medians over them.
const ROUNDS: usize = 3;
/// The maximum duration of a warm-up.
const WARM_UP: Duration = Duration::from_secs(1);

/// Measures everything, prints the tables and returns the ratios.
pub async fn bench(program: &Path, duration: Duration) -> Result<Vec<Ratio>, Failure> {
    let setup = Setup::prepare().await?;
    let outcome = measure(&setup, program, duration).await;
    setup.close().await?;
    outcome
}

async fn measure(setup: &Setup, program: &Path, duration: Duration) -> Result<Vec<Ratio>, Failure> {
    let crowd = Crowd::register(setup, MEMBERS).await?;
    let reference = Reference::prepare(setup, &crowd).await?;
    setup.execute_as_owner("analyze").await?;
    let bench = Bench {
        setup,
        program,
        meter: Meter::new(setup).await?,
        inside: Inside::new(setup, &crowd)?,
        site: Site::new(setup, &crowd).await?,
        reference,
    };
    let mut table = Table::default();
    // The first round is only a warm-up. The server's hourly jobs run in it too, while there is
    // little data.
    bench.play(duration.min(WARM_UP), &mut Table::default()).await?;
    for _ in 0..ROUNDS {
        bench.play(duration, &mut table).await?;
    }
    table.print();
    audit(setup).await?;
    Ok(table.ratios())
}

/// All loads.
struct Bench<'a> {
    setup: &'a Setup,
    program: &'a Path,
    meter: Meter,
    reference: Reference,
    inside: Inside,
    site: Site,
}

impl Bench<'_> {
    /// Measures every load once.
    async fn play(&self, duration: Duration, table: &mut Table) -> Result<(), Failure> {
        for spread in Spread::ALL {
            let chooser = Chooser::new(spread, MEMBERS);
            for load in plan::loads(Who::Reference, spread) {
                let clients = self.reference.clients(load.clients, &chooser);
                table.add(load, self.meter.run(clients, duration, None).await?);
            }
            for load in plan::loads(Who::Inside, spread) {
                let clients = self.inside.clients(load.clients, &chooser);
                table.add(load, self.meter.run(clients, duration, None).await?);
            }
        }
        self.play_over_http(duration, table).await
    }

    /// The server runs only during its own measurements, because a second node would work in the
    /// background of the others.
    async fn play_over_http(&self, duration: Duration, table: &mut Table) -> Result<(), Failure> {
        let server = Server::start(self.program, &self.setup.database()).await?;
        match self.load_server(&server, duration, table).await {
            Ok(()) => server.stop().await,
            Err(error) => Err(format!("{error}\n{}", server.log_tail()).into()),
        }
    }

    async fn load_server(
        &self,
        server: &Server,
        duration: Duration,
        table: &mut Table,
    ) -> Result<(), Failure> {
        self.site.refresh(self.setup).await?;
        let (address, id) = (server.address(), Some(server.id()));
        self.site.warm_up(address).await?;
        for spread in Spread::ALL {
            for load in plan::loads(Who::Http, spread).chain(plan::loads(Who::Browser, spread)) {
                let clients = self.site.clients(address, load).await?;
                table.add(load, self.meter.run(clients, duration, id).await?);
            }
        }
        Ok(())
    }
}

/// Turns an error of the server's code into a failure of the run; no call may fail.
pub fn refused(error: ApiError) -> Failure {
    format!("{error:?}").into()
}

/// Audits everything that the writer wrote: the figures count only if it is correct.
async fn audit(setup: &Setup) -> Result<(), Failure> {
    let began = Instant::now();
    let audited = capiz::audit::run(&setup.app.db).await?;
    println!(
        "audit: clean, {} transfers of {} holders in {:.1} s",
        audited.transfers,
        audited.holders,
        began.elapsed().as_secs_f64()
    );
    Ok(())
}
