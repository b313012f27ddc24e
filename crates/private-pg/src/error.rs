//! What can go wrong, each as a sentence that says what to do.

use std::io;
use std::path::{Path, PathBuf};

use crate::find::{OLDEST_MAJOR, Version};

/// Why the private PostgreSQL could not be found, started or stopped.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No usable PostgreSQL anywhere.
    #[error(
        "no PostgreSQL was found ({tried}); run `npm ci` in web/, install PostgreSQL \
         {OLDEST_MAJOR} or later, or set DATABASE_URL"
    )]
    NotFound {
        /// Where it was looked for, and what was wrong there.
        tried: String,
    },
    /// The only PostgreSQL is too old.
    #[error(
        "the PostgreSQL in {} is version {version}, but {OLDEST_MAJOR} or later is needed; \
         install a newer one or set DATABASE_URL", .directory.display()
    )]
    TooOld {
        /// What `postgres --version` said.
        version: Version,
        /// Where its programs are.
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
        /// The versions at hand.
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
        /// What the system said.
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
        /// ` (process N)`, or nothing where it is not known.
        holder: String,
    },
    /// Root found no account to run PostgreSQL under.
    #[error(
        "PostgreSQL does not run as root, and /etc/passwd has neither `postgres` nor `nobody`; \
         create one of them, or run this program as an ordinary user"
    )]
    NoAccount,
    /// The socket directory belongs to somebody else.
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
        /// The directory it was to fill.
        directory: PathBuf,
        /// What initdb said.
        output: String,
    },
    /// The server ended while it started, or did not become ready in time.
    #[error("PostgreSQL {what}; the end of its log {} says:\n{tail}", .log.display())]
    Start {
        /// What happened, as the rest of a sentence.
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
        /// What pg_ctl said.
        output: String,
    },
    /// Anything else that the system refused.
    #[error("could not {action} {}: {source}", .path.display())]
    Io {
        /// A verb: `read`, `run`.
        action: &'static str,
        /// The file or program.
        path: PathBuf,
        /// What the system said.
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
