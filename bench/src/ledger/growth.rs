//! Whether rounds slow down while the ledger grows.

use std::time::Duration;

use super::chance::{Chooser, Spread};
use super::ground::Ground;
use super::inside::Inside;
use super::members::Crowd;
use super::meter::{Cell, Meter};
use super::{MEMBERS, ROUNDS, WARM_UP, audit, table};
use crate::Failure;
use crate::load::Turn;
use crate::report::{Ratio, median};

/// At how many transfers it is measured.
const SIZES: [i64; 3] = [100_000, 1_000_000, 10_000_000];
/// Clients while it is measured.
const CLIENTS: usize = 256;
/// Clients while it is filled: larger batches fill faster.
const FILLERS: usize = 2_048;
/// How long it is filled between two looks at how far it is.
const FILL: Duration = Duration::from_secs(1);

/// Fills the ledger through the writer and measures it at each size.
pub async fn bench_growth(turn: Duration) -> Result<Ratio, Failure> {
    let ground = Ground::prepare().await?;
    let outcome = measure(&ground, turn).await;
    ground.close().await?;
    outcome
}

async fn measure(ground: &Ground, turn: Duration) -> Result<Ratio, Failure> {
    let crowd = Crowd::register(ground, MEMBERS).await?;
    ground.owner_does("analyze").await?;
    let (inside, meter) = (Inside::new(ground, &crowd)?, Meter::new(ground).await?);
    let mut rates = Vec::new();
    table::print_head();
    for size in SIZES {
        fill(ground, &inside, size).await?;
        // Otherwise the database would clean up at a moment of its own choice.
        ground.owner_does("vacuum (analyze)").await?;
        let began = count(ground).await?;
        let cells = turns(&inside, &meter, turn).await?;
        let title = format!("{began} to {} transfers", count(ground).await?);
        table::print_row(&title, &cells);
        rates.push(median(cells.iter().map(|cell| cell.turn.rate)));
    }
    audit(ground).await?;
    let (first, last) = (rates.first().ok_or("no size")?, rates.last().ok_or("no size")?);
    Ok(("ledger_growth".to_owned(), last / first))
}

async fn turns(inside: &Inside, meter: &Meter, turn: Duration) -> Result<Vec<Cell>, Failure> {
    let chooser = Chooser::new(Spread::Uniform, MEMBERS);
    Turn::run(inside.clients(CLIENTS, &chooser), turn.min(WARM_UP)).await?;
    let mut cells = Vec::new();
    for _ in 0..ROUNDS {
        cells.push(meter.run(inside.clients(CLIENTS, &chooser), turn, None).await?);
    }
    Ok(cells)
}

async fn fill(ground: &Ground, inside: &Inside, size: i64) -> Result<(), Failure> {
    let chooser = Chooser::new(Spread::Uniform, MEMBERS);
    while count(ground).await? < size {
        Turn::run(inside.clients(FILLERS, &chooser), FILL).await?;
    }
    Ok(())
}

/// How many transfers there are: the sequence numbers have no gaps.
async fn count(ground: &Ground) -> Result<i64, Failure> {
    const SQL: &str = "select sum(seq)::bigint from wallet_holders";
    Ok(sqlx::query_scalar(SQL).fetch_one(&mut ground.connect().await?).await?)
}
