//! The binary: `capiz serve`, and the commands beside it.

use std::process::ExitCode;

use capiz::config::Config;
use capiz::serve::{self, CommandError};
use clap::{Parser, Subcommand};

/// A betting house that you can see through.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Serve the site and the office.
    Serve,
    /// Bring the database up to date.
    Migrate,
    /// Fill an empty database with the demo.
    Seed,
    /// Check the ledger; exits non-zero with the first offence.
    Audit,
    /// Print the newest text messages and e-mails, newest last.
    Outbox {
        /// How many.
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
