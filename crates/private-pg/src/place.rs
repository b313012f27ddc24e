//! The directories and files of one private server: data, socket, lock and log.

use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::Error;
use crate::account::{Account, give, owner_uid};

/// Where root keeps the files that an unprivileged account must reach.
pub(crate) const SYSTEM_ROOT: &str = "/var/lib/capiz";
/// The file name of the socket that PostgreSQL creates in its socket directory.
const SOCKET_NAME: &str = ".s.PGSQL.5432";
/// Unix allows 104 to 108 bytes, including the terminating zero.
const LONGEST_SOCKET_PATH: usize = 100;
/// Prefix of database directories that initdb has not finished.
const UNFINISHED: &str = "data.new-";
/// How long to wait for the lock of a dead process: a child process that it was just starting
/// inherits the lock and holds it until `exec`.
const LEFT_LOCK: Duration = Duration::from_secs(3);
/// How often to retry the lock meanwhile.
const POLL: Duration = Duration::from_millis(20);
/// A larger log file is rotated at the next start.
const LOG_LIMIT_BYTES: u64 = 16 * 1024 * 1024;

/// The directories of one private server.
#[derive(Debug)]
pub(crate) struct Place {
    root: PathBuf,
    pub(crate) account: Option<Account>,
    pub(crate) notes: Vec<String>,
}

/// The process id written into a lock file.
fn holder_of(file: &mut File) -> Option<u32> {
    let mut pid = String::new();
    file.rewind().and_then(|()| file.read_to_string(&mut pid)).ok()?;
    pid.trim().parse().ok()
}

/// Whether a process exists. Without `/proc` the answer is yes.
fn lives(pid: u32) -> bool {
    !Path::new("/proc/self").exists() || Path::new("/proc").join(pid.to_string()).exists()
}

impl Place {
    /// Prepares the requested directory, or one under `/var/lib/capiz` if the account that must run
    /// PostgreSQL cannot enter the requested one.
    pub(crate) fn prepare(requested: &Path) -> Result<Self, Error> {
        let requested = create(requested)?;
        let account = Account::choose(&requested.join("data"))?;
        let parent = requested.parent().unwrap_or(&requested);
        let mut notes = Vec::new();
        let root = match account {
            Some(account) if !account.can_enter(parent) => {
                let root = create(
                    &Path::new(SYSTEM_ROOT).join(format!("{:016x}", path_hash(&requested))),
                )?;
                notes.push(format!(
                    "The database is in {}, because {} is closed to the account that \
                     PostgreSQL runs under",
                    root.display(),
                    requested.display()
                ));
                root
            }
            _ => requested,
        };
        let account = if notes.is_empty() { account } else { Account::choose(&root.join("data"))? };
        own(&root, account)?;
        Ok(Self { root, account, notes })
    }

    /// The directory that holds all the others.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// PostgreSQL's data directory.
    pub(crate) fn database(&self) -> PathBuf {
        self.root.join("data")
    }

    /// Where initdb works until it is done. The name contains the process id, because the initdb of
    /// a killed program may still run and removes its own directory if it fails.
    pub(crate) fn unfinished_database(&self) -> PathBuf {
        self.root.join(format!("{UNFINISHED}{}", std::process::id()))
    }

    /// Removes what interrupted runs of initdb left behind.
    pub(crate) fn remove_unfinished(&self) {
        let entries = fs::read_dir(&self.root).into_iter().flatten().flatten();
        let left = entries.filter(|entry| {
            entry.file_name().as_encoded_bytes().starts_with(UNFINISHED.as_bytes())
        });
        for entry in left {
            // Best effort: an initdb that still runs may prevent the removal; the next start tries
            // again.
            let _ = fs::remove_dir_all(entry.path());
        }
    }

    /// The server's log file.
    pub(crate) fn log_path(&self) -> PathBuf {
        self.root.join("postgres.log")
    }

    /// Locks the directory for this process. Dropping the returned file releases the lock.
    pub(crate) fn lock(&self) -> Result<File, Error> {
        let path = self.root.join("lock");
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(Error::not_writable(&path))?;
        let deadline = Instant::now() + LEFT_LOCK;
        loop {
            match file.try_lock() {
                Ok(()) => break,
                Err(TryLockError::WouldBlock) => {
                    let holder = holder_of(&mut file);
                    if holder.is_some_and(|pid| !lives(pid)) && Instant::now() < deadline {
                        sleep(POLL);
                        continue;
                    }
                    let holder = holder.map_or_else(String::new, |pid| format!(" (process {pid})"));
                    return Err(Error::InUse { directory: self.root.clone(), holder });
                }
                Err(TryLockError::Error(source)) => {
                    return Err(Error::Io { action: "lock", path, source });
                }
            }
        }
        file.set_len(0)
            .and_then(|()| file.rewind())
            .and_then(|()| writeln!(file, "{}", std::process::id()))
            .map_err(Error::not_writable(&path))?;
        Ok(file)
    }

    /// A directory for the socket that only the server's account can enter, without old sockets.
    pub(crate) fn socket_directory(&mut self) -> Result<PathBuf, Error> {
        let usual = self.root.join("run");
        let directory = if fits_a_socket(&usual) {
            usual
        } else {
            let short = PathBuf::from(format!("/tmp/capiz-{:016x}", path_hash(&self.root)));
            self.notes.push(format!(
                "The database's socket is in {}, because the path {} does not suit a socket",
                short.display(),
                usual.display()
            ));
            short
        };
        match DirBuilder::new().mode(0o700).create(&directory) {
            Ok(()) => give(&directory, self.account)?,
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(Error::not_writable(&directory)(error)),
        }
        check_private(&directory, owner_uid(self.account)?)?;
        for name in [SOCKET_NAME.to_owned(), format!("{SOCKET_NAME}.lock")] {
            // No server runs here, because we hold the lock. Usually there is no file to remove.
            let _ = fs::remove_file(directory.join(name));
        }
        Ok(directory)
    }

    /// Opens the log for appending, and returns the offset at which this start's lines begin.
    pub(crate) fn open_log(&self) -> Result<(File, u64), Error> {
        let path = self.log_path();
        let size = fs::metadata(&path).map_or(0, |meta| meta.len());
        if size > LOG_LIMIT_BYTES {
            let aside = path.with_extension("log.old");
            fs::rename(&path, &aside).map_err(Error::not_writable(&path))?;
        }
        let file = OpenOptions::new()
            .create(true)
            .append(true)
            .open(&path)
            .map_err(Error::not_writable(&path))?;
        let begin = file.metadata().map_err(Error::io("read", &path))?.len();
        Ok((file, begin))
    }

    /// The last lines of the log after offset `begin`.
    pub(crate) fn log_tail(&self, begin: u64) -> String {
        const LINES: usize = 15;
        const BYTES: u64 = 64 * 1024;
        let mut text = Vec::new();
        let read = File::open(self.log_path()).and_then(|mut file| {
            let end = file.metadata()?.len();
            file.seek(SeekFrom::Start(begin.max(end.saturating_sub(BYTES))))?;
            file.take(BYTES).read_to_end(&mut text)
        });
        if let Err(error) = read {
            return format!("(not readable: {error})");
        }
        let text = String::from_utf8_lossy(&text);
        let lines: Vec<&str> = text.lines().collect();
        lines[lines.len().saturating_sub(LINES)..].join("\n")
    }
}

/// Creates a directory with all its parents, and returns its canonical path.
fn create(directory: &Path) -> Result<PathBuf, Error> {
    fs::create_dir_all(directory).map_err(Error::not_writable(directory))?;
    fs::canonicalize(directory).map_err(Error::not_writable(directory))
}

/// Makes the account the owner of the server's directory and closes it to all others.
fn own(root: &Path, account: Option<Account>) -> Result<(), Error> {
    give(root, account)?;
    fs::set_permissions(root, PermissionsExt::from_mode(0o700)).map_err(Error::not_writable(root))
}

/// Whether PostgreSQL accepts the directory for its socket: it parses a list of directories, so a
/// comma or a quote would be misread, and the path has a length limit.
fn fits_a_socket(directory: &Path) -> bool {
    let bytes = directory.as_os_str().len() + 1 + SOCKET_NAME.len();
    bytes < LONGEST_SOCKET_PATH
        && directory.to_str().is_some_and(|text| !text.contains([',', '"', '\'', '\\', '\n']))
}

/// Refuses a directory that another user has created: that user could put a socket there and
/// receive our queries.
fn check_private(directory: &Path, uid: u32) -> Result<(), Error> {
    let meta = fs::symlink_metadata(directory).map_err(Error::io("read", directory))?;
    let why = if !meta.is_dir() {
        "it is no directory"
    } else if meta.uid() != uid {
        "it belongs to another user"
    } else if meta.permissions().mode() & 0o077 != 0 {
        "others may enter it"
    } else {
        return Ok(());
    };
    Err(Error::SocketDirectory { path: directory.to_owned(), why })
}

/// FNV-1a, because the hash must be the same in every build.
fn path_hash(path: &Path) -> u64 {
    path.as_os_str().as_encoded_bytes().iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_or_odd_paths_do_not_fit_a_socket() {
        assert!(fits_a_socket(Path::new("/srv/capiz/var/postgres/run")));
        assert!(!fits_a_socket(Path::new(&format!("/{}", "x".repeat(90)))));
        assert!(!fits_a_socket(Path::new("/srv/a,b/run")));
    }

    #[test]
    fn the_hash_of_a_path_never_changes() {
        assert_eq!(path_hash(Path::new("")), 0xcbf2_9ce4_8422_2325);
        assert_eq!(path_hash(Path::new("a")), 0xaf63_dc4c_8601_ec8c);
    }
}
