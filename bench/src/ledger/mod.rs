//! Rounds of dice against one database transaction per round.
//!
//! One PostgreSQL, durable, over its Unix socket, takes in turn:
//!
//! - the **reference**: the same rows in tables of the same shape, one transaction per round, as
//!   one function call, over as many connections as are best for it;
//! - ours **in process**: the wallet's writer with the studio's desk;
//! - ours **over HTTP**: the release binary.
//!
//! What the writer wrote is audited at the end.

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

pub use ground::{Ground, SECRET};
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

/// Members that play.
const MEMBERS: usize = 10_000;
/// Rounds of turns; medians are taken over them.
const ROUNDS: usize = 3;
/// How long a turn that only warms up takes at most.
const WARM_UP: Duration = Duration::from_secs(1);

/// Measures everything, prints the tables and gives the ratios.
pub async fn bench(program: &Path, turn: Duration) -> Result<Vec<Ratio>, Failure> {
    let ground = Ground::prepare().await?;
    let outcome = measure(&ground, program, turn).await;
    ground.close().await?;
    outcome
}

async fn measure(ground: &Ground, program: &Path, turn: Duration) -> Result<Vec<Ratio>, Failure> {
    let crowd = Crowd::register(ground, MEMBERS).await?;
    let reference = Reference::prepare(ground, &crowd).await?;
    ground.owner_does("analyze").await?;
    let bench = Bench {
        ground,
        program,
        meter: Meter::new(ground).await?,
        inside: Inside::new(ground, &crowd)?,
        site: Site::new(ground, &crowd).await?,
        reference,
    };
    let mut table = Table::default();
    // The first round only warms up. The server's hourly jobs run in it, too: while there is
    // little to look at.
    bench.play(turn.min(WARM_UP), &mut Table::default()).await?;
    for _ in 0..ROUNDS {
        bench.play(turn, &mut table).await?;
    }
    table.print();
    audit(ground).await?;
    Ok(table.ratios())
}

/// Everything that is loaded.
struct Bench<'a> {
    ground: &'a Ground,
    program: &'a Path,
    meter: Meter,
    reference: Reference,
    inside: Inside,
    site: Site,
}

impl Bench<'_> {
    /// One turn of every load.
    async fn play(&self, turn: Duration, table: &mut Table) -> Result<(), Failure> {
        for spread in Spread::ALL {
            let chooser = Chooser::new(spread, MEMBERS);
            for load in plan::loads(Who::Reference, spread) {
                let clients = self.reference.clients(load.clients, &chooser);
                table.add(load, self.meter.run(clients, turn, None).await?);
            }
            for load in plan::loads(Who::Inside, spread) {
                let clients = self.inside.clients(load.clients, &chooser);
                table.add(load, self.meter.run(clients, turn, None).await?);
            }
        }
        self.play_over_http(turn, table).await
    }

    /// The server runs only for its own turns: a second node would work on in the others'.
    async fn play_over_http(&self, turn: Duration, table: &mut Table) -> Result<(), Failure> {
        let server = Server::start(self.program, &self.ground.database()).await?;
        match self.load_server(&server, turn, table).await {
            Ok(()) => server.stop().await,
            Err(error) => Err(format!("{error}\n{}", server.log_tail()).into()),
        }
    }

    async fn load_server(
        &self,
        server: &Server,
        turn: Duration,
        table: &mut Table,
    ) -> Result<(), Failure> {
        self.site.refresh(self.ground).await?;
        let (address, id) = (server.address(), Some(server.id()));
        self.site.warm_up(address).await?;
        for spread in Spread::ALL {
            for load in plan::loads(Who::Http, spread).chain(plan::loads(Who::Browser, spread)) {
                let clients = self.site.clients(address, load).await?;
                table.add(load, self.meter.run(clients, turn, id).await?);
            }
        }
        Ok(())
    }
}

/// What the server's own code refused; nothing may be.
pub fn refused(error: ApiError) -> Failure {
    format!("{error:?}").into()
}

/// Everything that the writer wrote must be sound, or the figures are worth nothing.
async fn audit(ground: &Ground) -> Result<(), Failure> {
    let began = Instant::now();
    let audited = capiz::audit::run(&ground.app.db).await?;
    println!(
        "audit: clean, {} transfers of {} holders in {:.1} s",
        audited.transfers,
        audited.holders,
        began.elapsed().as_secs_f64()
    );
    Ok(())
}
