//! Measures whether rounds slow down while the ledger grows.

use std::time::Duration;

use super::chance::{Chooser, Spread};
use super::ground::Setup;
use super::inside::Inside;
use super::members::Crowd;
use super::meter::{Cell, Meter};
use super::{MEMBERS, ROUNDS, WARM_UP, audit, table};
use crate::Failure;
use crate::load::Measurement;
use crate::report::{Ratio, median};

/// The numbers of transfers at which is measured.
const SIZES: [i64; 3] = [100_000, 1_000_000, 10_000_000];
/// Clients during a measurement.
const CLIENTS: usize = 256;
/// Clients while the ledger is filled: larger batches fill it faster.
const FILLERS: usize = 2_048;
/// How long the ledger is filled before its size is checked again.
const FILL: Duration = Duration::from_secs(1);

/// Fills the ledger through the writer and measures it at each size.
pub async fn bench_growth(duration: Duration) -> Result<Ratio, Failure> {
    let setup = Setup::prepare().await?;
    let outcome = measure(&setup, duration).await;
    setup.close().await?;
    outcome
}

async fn measure(setup: &Setup, duration: Duration) -> Result<Ratio, Failure> {
    let crowd = Crowd::register(setup, MEMBERS).await?;
    setup.execute_as_owner("analyze").await?;
    let (inside, meter) = (Inside::new(setup, &crowd)?, Meter::new(setup).await?);
    let mut rates = Vec::new();
    table::print_head();
    for size in SIZES {
        fill(setup, &inside, size).await?;
        // Otherwise autovacuum would run at an unpredictable moment.
        setup.execute_as_owner("vacuum (analyze)").await?;
        let began = count(setup).await?;
        let cells = measure_rounds(&inside, &meter, duration).await?;
        let title = format!("{began} to {} transfers", count(setup).await?);
        table::print_row(&title, &cells);
        rates.push(median(cells.iter().map(|cell| cell.measured.rate)));
    }
    audit(setup).await?;
    let (first, last) = (rates.first().ok_or("no size")?, rates.last().ok_or("no size")?);
    Ok(("ledger_growth".to_owned(), last / first))
}

async fn measure_rounds(
    inside: &Inside,
    meter: &Meter,
    duration: Duration,
) -> Result<Vec<Cell>, Failure> {
    let chooser = Chooser::new(Spread::Uniform, MEMBERS);
    Measurement::run(inside.clients(CLIENTS, &chooser), duration.min(WARM_UP)).await?;
    let mut cells = Vec::new();
    for _ in 0..ROUNDS {
        cells.push(meter.run(inside.clients(CLIENTS, &chooser), duration, None).await?);
    }
    Ok(cells)
}

async fn fill(setup: &Setup, inside: &Inside, size: i64) -> Result<(), Failure> {
    let chooser = Chooser::new(Spread::Uniform, MEMBERS);
    while count(setup).await? < size {
        Measurement::run(inside.clients(FILLERS, &chooser), FILL).await?;
    }
    Ok(())
}

/// The number of transfers, by adding up the sequence numbers, which have no gaps.
async fn count(setup: &Setup) -> Result<i64, Failure> {
    const SQL: &str = "select sum(seq)::bigint from wallet_holders";
    Ok(sqlx::query_scalar(SQL).fetch_one(&mut setup.connect().await?).await?)
}
