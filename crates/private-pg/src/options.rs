//! Options of the private server.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::find::Search;

/// Whether committed data survive a crash of the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Durability {
    /// Committed data survive a power cut.
    Safe,
    /// Faster, but a crash of the machine may lose data. For tests only.
    None,
}

/// How and where to start the server.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where to search for the programs.
    pub search: Search,
    /// A directory used only for the data; created if missing.
    pub data: PathBuf,
    /// Whether commits are flushed to disk.
    pub durability: Durability,
    /// PostgreSQL's `shared_buffers`.
    pub shared_buffers: String,
    /// PostgreSQL's `max_connections`.
    pub max_connections: u32,
    /// Further settings, as in `postgres -c name=value`.
    pub settings: Vec<(String, String)>,
    /// How long a start may take, including recovery after a crash.
    pub start_timeout: Duration,
    /// How long a clean shutdown may take before an immediate one is forced.
    pub stop_timeout: Duration,
}

impl Options {
    /// A durable server in `data`, with programs from this checkout or the system.
    pub fn new(checkout: Option<&Path>, data: &Path) -> Self {
        Self {
            search: Search::new(checkout),
            data: data.to_owned(),
            durability: Durability::Safe,
            shared_buffers: "128MB".to_owned(),
            max_connections: 100,
            settings: Vec::new(),
            start_timeout: Duration::from_secs(120),
            stop_timeout: Duration::from_secs(30),
        }
    }

    /// All settings passed to the server. The caller's settings come last, so they win.
    pub(crate) fn all_settings(&self, socket_directory: &Path) -> Vec<String> {
        let mut settings = vec![
            "listen_addresses=".to_owned(),
            "port=5432".to_owned(),
            format!("unix_socket_directories={}", socket_directory.display()),
            "unix_socket_permissions=0700".to_owned(),
            "logging_collector=off".to_owned(),
            "log_destination=stderr".to_owned(),
            "timezone=UTC".to_owned(),
            "log_timezone=UTC".to_owned(),
            format!("shared_buffers={}", self.shared_buffers),
            format!("max_connections={}", self.max_connections),
        ];
        if self.durability == Durability::None {
            let fast = ["fsync=off", "full_page_writes=off", "synchronous_commit=off"];
            settings.extend(fast.map(str::to_owned));
        }
        settings.extend(self.settings.iter().map(|(name, value)| format!("{name}={value}")));
        settings
    }
}
