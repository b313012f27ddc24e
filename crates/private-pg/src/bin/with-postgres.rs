//! Runs a command with a private PostgreSQL and passes its address in `DATABASE_URL`.

use std::ffi::{OsStr, OsString};
use std::os::unix::fs::DirBuilderExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, ExitStatus};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use private_pg::{Durability, Options, Server};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

const USAGE: &str = "usage: with-postgres [--data DIR | --temp] [--unsafe-fast] \
                     [--root CHECKOUT] [--migrate DIR] -- COMMAND [ARGUMENT…]";
const NO_MIGRATIONS: &str = "this build knows no --migrate: build it with `--features migrate`";

fn main() -> ExitCode {
    match Request::parse(std::env::args_os().skip(1)).and_then(|request| run(&request)) {
        Ok(code) => ExitCode::from(code),
        Err(message) => {
            eprintln!("with-postgres: {message}");
            ExitCode::FAILURE
        }
    }
}

struct Request {
    data: Option<PathBuf>,
    checkout: PathBuf,
    durability: Durability,
    migrations: Option<PathBuf>,
    command: Vec<OsString>,
}

impl Request {
    fn parse(mut words: impl Iterator<Item = OsString>) -> Result<Self, String> {
        let mut request = Self {
            data: Some(PathBuf::from("var/postgres")),
            checkout: PathBuf::from("."),
            durability: Durability::Safe,
            migrations: None,
            command: Vec::new(),
        };
        while let Some(word) = words.next() {
            let mut value = || words.next().map(PathBuf::from).ok_or_else(|| USAGE.to_owned());
            match word.to_str() {
                Some("--data") => request.data = Some(value()?),
                Some("--temp") => request.data = None,
                Some("--root") => request.checkout = value()?,
                Some("--migrate") if !cfg!(feature = "migrate") => {
                    return Err(NO_MIGRATIONS.to_owned());
                }
                Some("--migrate") => request.migrations = Some(value()?),
                Some("--unsafe-fast") => request.durability = Durability::None,
                Some("--") => {
                    request.command = words.collect();
                    break;
                }
                _ => return Err(USAGE.to_owned()),
            }
        }
        if request.command.is_empty() { Err(USAGE.to_owned()) } else { Ok(request) }
    }
}

/// Runs the command and returns its exit code.
fn run(request: &Request) -> Result<u8, String> {
    // Signal handlers are installed before the start, so that no signal ends this process between
    // start and stop and leaves a server behind.
    let signals = Signals::new([SIGHUP, SIGINT, SIGTERM]).map_err(|error| error.to_string())?;
    let (data, temporary) = match &request.data {
        Some(data) => (data.clone(), None),
        None => TemporaryDirectory::create().map(|made| (made.0.clone(), Some(made)))?,
    };
    let mut options = Options::new(Some(&request.checkout), &data);
    options.durability = request.durability;
    // Tests run in parallel, and each opens connection pools of its own.
    options.max_connections = 300;
    let server = Server::start(&options).map_err(|error| error.to_string())?;
    for note in server.notes() {
        eprintln!("with-postgres: {note}.");
    }
    let url = server.default_url();
    let migrated = request.migrations.as_deref().map_or(Ok(()), |from| migrate(from, &url));
    let outcome = migrated.and_then(|()| run_command(&request.command, &url, signals));
    // As root, the temporary data may have been moved to a directory that the unprivileged account
    // can reach.
    let moved = temporary.as_ref().map(|_| TemporaryDirectory(server.directory().to_owned()));
    server.stop().map_err(|error| error.to_string())?;
    drop(moved);
    outcome.map(exit_code)
}

/// Applies the SQL files of a directory with the same migrator as the server.
#[cfg(feature = "migrate")]
fn migrate(directory: &Path, url: &str) -> Result<(), String> {
    use sqlx::Connection;
    use sqlx::migrate::{MigrateError, Migrator};

    let work = async {
        let migrator = Migrator::new(directory).await?;
        let mut connection = sqlx::PgConnection::connect(url).await?;
        migrator.run(&mut connection).await?;
        connection.close().await?;
        Ok(())
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.map_err(|error| error.to_string())?.block_on(work).map_err(|error: MigrateError| {
        format!("the migrations in {} were not applied: {error}", directory.display())
    })
}

#[cfg(not(feature = "migrate"))]
fn migrate(_: &Path, _: &str) -> Result<(), String> {
    Err(NO_MIGRATIONS.to_owned())
}

fn run_command(words: &[OsString], url: &str, mut signals: Signals) -> Result<ExitStatus, String> {
    let mut command = Command::new(&words[0]);
    // Cargo's variables describe this package, not the command's build: with them, build scripts
    // that read them would be rebuilt here and again by the next build outside.
    for (name, _) in std::env::vars_os().filter(|(name, _)| is_of_package(name)) {
        command.env_remove(name);
    }
    let mut child = command
        .args(&words[1..])
        .env("DATABASE_URL", url)
        .spawn()
        .map_err(|error| format!("{} does not run: {error}", words[0].display()))?;
    let (sender, ended) = mpsc::channel();
    let pid = child.id().to_string();
    let waiter = thread::spawn(move || {
        let status = child.wait();
        // The receiver waits for this message, so sending cannot fail.
        let _ = sender.send(());
        status
    });
    while ended.recv_timeout(Duration::from_millis(50)).is_err() {
        for signal in signals.pending() {
            pass_on(signal, &pid);
        }
    }
    let status = waiter.join().map_err(|_| "the waiting thread failed".to_owned())?;
    status.map_err(|error| error.to_string())
}

/// Whether this is a variable that cargo sets from the package of the program it runs.
fn is_of_package(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_")
}

/// Forwards a signal to the command. Ctrl-C in a terminal reaches the command by itself; all other
/// signals reach only this process.
fn pass_on(signal: i32, pid: &str) {
    if signal == SIGINT {
        return;
    }
    // If the command has just ended, `kill` fails and there is nothing left to signal.
    let _ = Command::new("kill").args([&format!("-{signal}"), pid]).status();
}

/// The exit code as a shell reports it: 128 plus the signal number for a command ended by a signal.
fn exit_code(status: ExitStatus) -> u8 {
    let code = status.code().or(status.signal().map(|signal| 128 + signal)).unwrap_or(1);
    u8::try_from(code).unwrap_or(1)
}

/// A directory that is removed when the value is dropped.
struct TemporaryDirectory(PathBuf);

impl TemporaryDirectory {
    fn create() -> Result<Self, String> {
        let parent = std::env::temp_dir();
        // The counter avoids directories left behind by a killed process with the same process id.
        let free = (0..100).find_map(|number| {
            let path = parent.join(format!("capiz-pg-{}-{number}", std::process::id()));
            std::fs::DirBuilder::new().mode(0o700).create(&path).ok().map(|()| Self(path))
        });
        free.ok_or_else(|| format!("no directory can be made in {}", parent.display()))
    }
}

impl Drop for TemporaryDirectory {
    fn drop(&mut self) {
        // Best effort: a directory that cannot be removed stays in the temporary directory.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
