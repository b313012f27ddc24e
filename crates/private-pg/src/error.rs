//! Errors of the private PostgreSQL. Each message says what is wrong and what to do.

use std::io;
use std::path::{Path, PathBuf};

use crate::find::{OLDEST_MAJOR, Version};

/// Why the private PostgreSQL could not be found, started or stopped.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No usable PostgreSQL was found.
    #[error(
        "no PostgreSQL was found ({tried}); run `npm ci` in web/, install PostgreSQL \
         {OLDEST_MAJOR} or later, or set DATABASE_URL"
    )]
    NotFound {
        /// The places searched, with the reason why each was rejected.
        tried: String,
    },
    /// The only PostgreSQL is too old.
    #[error(
        "the PostgreSQL in {} is version {version}, but {OLDEST_MAJOR} or later is needed; \
         install a newer one or set DATABASE_URL", .directory.display()
    )]
    TooOld {
        /// The version reported by `postgres --version`.
        version: Version,
        /// The directory of its programs.
        directory: PathBuf,
    },
    /// The data were written by another major version.
    #[error(
        "the database in {} was made by PostgreSQL {made_by}, but only version {found} was \
         found; install PostgreSQL {made_by}, or move the directory away to begin with an \
         empty database", .directory.display()
    )]
    OtherMajor {
        /// The major version that wrote the data.
        made_by: u32,
        /// The versions that were found.
        found: String,
        /// The data directory.
        directory: PathBuf,
    },
    /// The data directory cannot be written.
    #[error(
        "the directory {} cannot be written ({source}); give it to the user who runs this \
         program, or choose another with CAPIZ_DATA", .path.display()
    )]
    NotWritable {
        /// The directory or file.
        path: PathBuf,
        /// The system error.
        source: io::Error,
    },
    /// Another program uses the data directory.
    #[error(
        "the database in {} is in use by another running program{holder}; stop that one, or \
         choose another directory with CAPIZ_DATA", .directory.display()
    )]
    InUse {
        /// The data directory.
        directory: PathBuf,
        /// ` (process N)`, or empty if the process is not known.
        holder: String,
    },
    /// Root found no account to run PostgreSQL under.
    #[error(
        "PostgreSQL does not run as root, and /etc/passwd has neither `postgres` nor `nobody`; \
         create one of them, or run this program as an ordinary user"
    )]
    NoAccount,
    /// The socket directory belongs to another user.
    #[error("the socket directory {} is not ours alone ({why}); remove it", .path.display())]
    SocketDirectory {
        /// The directory.
        path: PathBuf,
        /// What is wrong with it.
        why: &'static str,
    },
    /// `initdb` failed.
    #[error("PostgreSQL could not create its database in {}: {output}", .directory.display())]
    Init {
        /// The directory that initdb should have filled.
        directory: PathBuf,
        /// The output of initdb.
        output: String,
    },
    /// The server exited during its start, or was not ready in time.
    #[error("PostgreSQL {what}; the end of its log {} says:\n{tail}", .log.display())]
    Start {
        /// What happened, as the end of a sentence that begins with "PostgreSQL".
        what: String,
        /// The log file.
        log: PathBuf,
        /// The last lines that this start wrote.
        tail: String,
    },
    /// The server did not stop.
    #[error("PostgreSQL in {} could not be stopped: {output}", .directory.display())]
    Stop {
        /// The data directory.
        directory: PathBuf,
        /// The output of pg_ctl.
        output: String,
    },
    /// Any other system error.
    #[error("could not {action} {}: {source}", .path.display())]
    Io {
        /// A verb: `read`, `run`.
        action: &'static str,
        /// The file or program.
        path: PathBuf,
        /// The system error.
        source: io::Error,
    },
}

impl Error {
    pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { action, path, source }
    }

    pub(crate) fn not_writable(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::NotWritable { path, source }
    }
}
