//! The command line of `capiz`: serve, migrate, seed, audit, outbox.

use std::process::ExitCode;

use capiz::config::Config;
use capiz::serve::{self, CommandError};
use clap::{Parser, Subcommand};

/// The Capiz betting server.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Serve the players' site and the back office.
    Serve,
    /// Apply all database migrations.
    Migrate,
    /// Fill an empty database with demo data.
    Seed,
    /// Audit the ledger; prints the first violation and exits non-zero if there is one.
    Audit,
    /// Print the newest text messages and e-mails, newest last.
    Outbox {
        /// The number of messages.
        #[arg(default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=1000))]
        count: u32,
    },
}

#[tokio::main]
async fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let config = match Config::from_env() {
        Ok(config) => config,
        Err(errors) => {
            eprintln!("{errors}");
            return ExitCode::from(2);
        }
    };
    match run(arguments.command, config).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("capiz: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn run(command: Command, config: Config) -> Result<(), CommandError> {
    match command {
        Command::Serve => serve::serve(config).await,
        Command::Migrate => serve::migrate(config).await,
        Command::Seed => serve::seed(config).await,
        Command::Audit => serve::audit(config).await,
        Command::Outbox { count } => serve::outbox(config, count).await,
    }
}
