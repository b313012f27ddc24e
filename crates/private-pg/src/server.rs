//! Starts, adopts and stops the private server.

use std::fs::{self, File};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::account::{command, give};
use crate::find::Binaries;
use crate::options::{Durability, Options};
use crate::pidfile::{self, PidFile};
use crate::place::Place;
use crate::{DATABASE, Error, USER};

/// How often a state is polled while waiting for it.
const POLL: Duration = Duration::from_millis(20);
/// PostgreSQL's message while workers of a killed server are still ending.
const WORKERS_LEFT: &str = "pre-existing shared memory block";

/// A running private PostgreSQL. Stopped by [`Server::stop`], or when dropped.
#[derive(Debug)]
pub struct Server {
    place: Place,
    binaries: Binaries,
    socket_directory: PathBuf,
    /// `None` for an adopted server, which is no child of this process.
    child: Option<Child>,
    stop_timeout: Duration,
    stopped: bool,
    /// Held, never read: the lock keeps other programs out of the data directory.
    _lock: File,
}

impl Server {
    /// Starts PostgreSQL, or adopts the server that a killed program left behind.
    pub fn start(options: &Options) -> Result<Self, Error> {
        let mut place = Place::prepare(&options.data)?;
        let lock = place.lock()?;
        let made_by = major_of(&place.database());
        let found = options.search.find(&place.database(), made_by, place.account)?;
        let binaries = found.binaries;
        place.notes.extend(found.note);
        let (socket_directory, child) = match adopt(options, &place, &binaries)? {
            Some(socket_directory) => {
                place
                    .notes
                    .push("A PostgreSQL that was left running has been taken over".to_owned());
                (socket_directory, None)
            }
            None => {
                let (socket_directory, child) = launch(options, &mut place, &binaries)?;
                (socket_directory, Some(child))
            }
        };
        let stop_timeout = options.stop_timeout;
        let stopped = false;
        Ok(Self { place, binaries, socket_directory, child, stop_timeout, stopped, _lock: lock })
    }

    /// The directory of the socket. The user is [`USER`], without a password.
    pub fn socket_directory(&self) -> &Path {
        &self.socket_directory
    }

    /// The URL of a database of this server, for `DATABASE_URL`.
    pub fn url(&self, database: &str) -> String {
        url_of(&self.socket_directory, database)
    }

    /// The URL of the database that exists from the start.
    pub fn default_url(&self) -> String {
        self.url(DATABASE)
    }

    /// The PostgreSQL programs in use.
    pub fn binaries(&self) -> &Binaries {
        &self.binaries
    }

    /// Whether this server was adopted from a killed program.
    pub fn is_adopted(&self) -> bool {
        self.child.is_none()
    }

    /// Notes for the operator about anything unexpected during the start.
    pub fn notes(&self) -> &[String] {
        &self.place.notes
    }

    /// The directory with all files of this server; it may differ from the requested one.
    pub fn directory(&self) -> &Path {
        self.place.root()
    }

    /// The server's log file.
    pub fn log_path(&self) -> PathBuf {
        self.place.log_path()
    }

    /// Whether the server's main process is alive.
    pub fn is_running(&mut self) -> bool {
        match &mut self.child {
            Some(child) => matches!(child.try_wait(), Ok(None)),
            None => {
                let database = self.place.database();
                PidFile::read(&database).is_some_and(|file| file.is_served(&database))
            }
        }
    }

    /// Stops the server and waits until it has ended.
    pub fn stop(mut self) -> Result<(), Error> {
        self.shut_down()
    }

    fn shut_down(&mut self) -> Result<(), Error> {
        if std::mem::replace(&mut self.stopped, true) || !self.is_running() {
            return Ok(());
        }
        let stopped = stop_gently(&self.place, &self.binaries, self.stop_timeout);
        if let Some(child) = &mut self.child {
            if stopped.is_err() {
                // The process may have ended already; `wait` below decides.
                let _ = child.kill();
            }
            child.wait().map_err(Error::io("wait for", &self.binaries.program("postgres")))?;
            return Ok(());
        }
        stopped
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // There is nobody to report a failure to, and the next start adopts a server that still
        // runs.
        let _ = self.shut_down();
    }
}

fn url_of(socket_directory: &Path, database: &str) -> String {
    let host = percent_encoded(socket_directory.as_os_str().as_encoded_bytes());
    let database = percent_encoded(database.as_bytes());
    format!("postgres:///{database}?host={host}&user={USER}")
}

/// The URL of the database that another program is running on this data, for tools that only read.
pub fn running_url(options: &Options) -> Result<Option<String>, Error> {
    let database = Place::prepare(&options.data)?.database();
    let running = PidFile::read(&database).filter(|file| file.ready && file.is_served(&database));
    Ok(running.map(|file| url_of(&file.socket_directory, DATABASE)))
}

/// The major version that wrote the data, if there are any.
fn major_of(database: &Path) -> Option<u32> {
    fs::read_to_string(database.join("PG_VERSION")).ok()?.trim().parse().ok()
}

/// Adopts a server of this directory that still runs. A server that is shutting down, or that runs
/// with another durability than requested, is stopped instead.
fn adopt(options: &Options, place: &Place, binaries: &Binaries) -> Result<Option<PathBuf>, Error> {
    let database = place.database();
    let served = || PidFile::read(&database).filter(|file| file.is_served(&database));
    let Some(file) = served() else {
        pidfile::disarm(&database)?;
        return Ok(None);
    };
    let unsafe_now = fs::read_to_string(database.join("postmaster.opts"))
        .is_ok_and(|line| line.contains("fsync=off"));
    if file.stopping || unsafe_now != (options.durability == Durability::None) {
        stop_gently(place, binaries, options.stop_timeout)?;
        return Ok(None);
    }
    let deadline = Instant::now() + options.start_timeout;
    while Instant::now() < deadline {
        match served() {
            Some(file) if file.ready => return Ok(Some(file.socket_directory)),
            Some(_) => sleep(POLL),
            None => return Ok(None),
        }
    }
    Err(start_error(place, 0, "was left running and does not become ready".to_owned()))
}

fn launch(
    options: &Options,
    place: &mut Place,
    binaries: &Binaries,
) -> Result<(PathBuf, Child), Error> {
    place.remove_unfinished();
    if major_of(&place.database()).is_none() {
        create_database(options, place, binaries)?;
    }
    let socket_directory = place.socket_directory()?;
    let deadline = Instant::now() + options.start_timeout;
    loop {
        let (log, begin) = place.open_log()?;
        let mut child = spawn(options, place, binaries, &socket_directory, log)?;
        match wait_until_ready(&mut child, &place.database(), deadline) {
            Ok(()) => return Ok((socket_directory, child)),
            Err(what) => {
                // Killing fails only if the child has already ended.
                let _ = child.kill();
                let _ = child.wait();
                let error = start_error(place, begin, what);
                if !place.log_tail(begin).contains(WORKERS_LEFT) || deadline <= Instant::now() {
                    return Err(error);
                }
                sleep(POLL * 10);
            }
        }
    }
}

/// Runs initdb in a temporary directory and renames the result, so that an interrupted run is never
/// used as a database.
fn create_database(options: &Options, place: &Place, binaries: &Binaries) -> Result<(), Error> {
    let (unfinished, database) = (place.unfinished_database(), place.database());
    fs::create_dir(&unfinished).map_err(Error::not_writable(&unfinished))?;
    give(&unfinished, place.account)?;
    let program = binaries.program("initdb");
    let mut initdb = command(&program, place.account);
    initdb.arg("--pgdata").arg(&unfinished).args([
        "--username=capiz",
        "--auth-local=trust",
        "--auth-host=reject",
        "--encoding=UTF8",
        "--locale=C",
        "--data-checksums",
        "--no-instructions",
    ]);
    if options.durability == Durability::None {
        initdb.arg("--no-sync");
    }
    let output = initdb.stdin(Stdio::null()).output().map_err(Error::io("run", &program))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        return Err(Error::Init { directory: database, output: said });
    }
    // The rename replaces an empty directory and fails on one with files in it.
    fs::rename(&unfinished, &database).map_err(Error::not_writable(&database))
}

fn spawn(
    options: &Options,
    place: &Place,
    binaries: &Binaries,
    socket_directory: &Path,
    log: File,
) -> Result<Child, Error> {
    let program = binaries.program("postgres");
    let mut postgres = command(&program, place.account);
    postgres.arg("-D").arg(place.database());
    for setting in options.all_settings(socket_directory) {
        postgres.arg("-c").arg(setting);
    }
    let log_too = log.try_clone().map_err(Error::io("open", &place.log_path()))?;
    postgres
        .stdin(Stdio::null())
        .stdout(log)
        .stderr(log_too)
        // A process group of its own: Ctrl-C in the terminal reaches only this program, which then
        // stops the server in order.
        .process_group(0)
        .spawn()
        .map_err(Error::io("run", &program))
}

fn wait_until_ready(child: &mut Child, database: &Path, deadline: Instant) -> Result<(), String> {
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Err(format!("ended while it started ({status})")),
            Ok(None) => {}
            Err(error) => return Err(format!("cannot be waited for: {error}")),
        }
        let ready =
            PidFile::read(database).is_some_and(|file| file.ready && file.pid == child.id());
        if ready {
            return Ok(());
        }
        if deadline <= Instant::now() {
            return Err("did not become ready in time".to_owned());
        }
        sleep(POLL);
    }
}

fn start_error(place: &Place, begin: u64, what: String) -> Error {
    Error::Start { what, log: place.log_path(), tail: place.log_tail(begin) }
}

/// A fast shutdown, which closes connections. If it does not finish in time, an immediate shutdown,
/// from which the next start recovers.
fn stop_gently(place: &Place, binaries: &Binaries, timeout: Duration) -> Result<(), Error> {
    let gentle = pg_ctl_stop(place, binaries, "fast", timeout);
    if gentle.is_ok() {
        return Ok(());
    }
    pg_ctl_stop(place, binaries, "immediate", Duration::from_secs(10))
}

fn pg_ctl_stop(
    place: &Place,
    binaries: &Binaries,
    mode: &str,
    timeout: Duration,
) -> Result<(), Error> {
    let program = binaries.program("pg_ctl");
    let output = command(&program, place.account)
        .args(["stop", "-w", "-s", "-m", mode, "-t", &timeout.as_secs().to_string(), "-D"])
        .arg(place.database())
        .stdin(Stdio::null())
        // A process group of its own, so that a second Ctrl-C does not interrupt the shutdown.
        .process_group(0)
        .output()
        .map_err(Error::io("run", &program))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    Err(Error::Stop { directory: place.database(), output: said })
}

/// Percent-encodes everything but plain letters, digits and `/-._~`.
fn percent_encoded(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        if byte.is_ascii_alphanumeric() || b"/-._~".contains(byte) {
            text.push(char::from(*byte));
        } else {
            text.push_str(&format!("%{byte:02X}"));
        }
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_characters_of_a_path_are_encoded() {
        assert_eq!(percent_encoded(b"/tmp/a-b_c.d"), "/tmp/a-b_c.d");
        assert_eq!(percent_encoded("/a b&c?é".as_bytes()), "/a%20b%26c%3F%C3%A9");
    }
}
