//! Reads `postmaster.pid`, which says which process serves a data directory and whether it is
//! ready.

use std::fs;
use std::path::{Path, PathBuf};

use crate::Error;

/// The lines of the file that are used here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PidFile {
    pub(crate) pid: u32,
    /// Empty until the server has its socket.
    pub(crate) socket_directory: PathBuf,
    pub(crate) ready: bool,
    pub(crate) stopping: bool,
}

impl PidFile {
    pub(crate) fn path(database: &Path) -> PathBuf {
        database.join("postmaster.pid")
    }

    /// Reads the file. `None` if it is missing or only partly written.
    pub(crate) fn read(database: &Path) -> Option<Self> {
        Self::parse(&fs::read_to_string(Self::path(database)).ok()?)
    }

    fn parse(text: &str) -> Option<Self> {
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        let line = |index: usize| lines.get(index).copied().unwrap_or_default();
        Some(Self {
            pid: line(0).parse().ok().filter(|pid| *pid != 0)?,
            socket_directory: PathBuf::from(line(4)),
            ready: line(7) == "ready",
            stopping: line(7) == "stopping",
        })
    }

    /// Whether the process lives and really is the server of this data directory: the process id
    /// may have been reused by another process.
    pub(crate) fn is_served(&self, database: &Path) -> bool {
        let process = PathBuf::from(format!("/proc/{}", self.pid));
        if Path::new("/proc/self/cwd").exists() {
            // The working directory of a server process is its data directory.
            fs::read_link(process.join("cwd")).is_ok_and(|cwd| cwd == database)
                && fs::read(process.join("cmdline")).is_ok_and(|line| names_postgres(&line))
        } else {
            std::process::Command::new("ps")
                .args(["-ww", "-o", "command=", "-p", &self.pid.to_string()])
                .output()
                .is_ok_and(|output| {
                    let line = String::from_utf8_lossy(&output.stdout);
                    line.contains("postgres") && line.contains(&*database.to_string_lossy())
                })
        }
    }
}

/// Whether the first word of a command line ends in `postgres`.
fn names_postgres(command_line: &[u8]) -> bool {
    command_line.split(|byte| *byte == 0).next().is_some_and(|word| word.ends_with(b"postgres"))
}

/// Makes a stale file of a dead server harmless.
///
/// PostgreSQL ignores the process id of a dead process, but refuses to start if another process now
/// has that id. Our own process id in its place is ignored too, as that of the parent process. The
/// other lines stay, because PostgreSQL uses them to find out whether old workers still run.
pub(crate) fn disarm(database: &Path) -> Result<(), Error> {
    let path = PidFile::path(database);
    let Ok(text) = fs::read_to_string(&path) else {
        return Ok(());
    };
    let rest = text.split_once('\n').map_or("", |(_, rest)| rest);
    let ours = format!("{}\n{rest}", std::process::id());
    fs::write(&path, ours).map_err(Error::not_writable(&path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_a_ready_server() {
        let text = "4711\n/data\n1700000000\n5432\n/run/pg\n\n  1234  5678\nready   \n";
        let file = PidFile::parse(text).expect("a valid file");
        assert_eq!(file.pid, 4711);
        assert_eq!(file.socket_directory, Path::new("/run/pg"));
        assert!(file.ready);
    }

    #[test]
    fn a_half_written_file_is_not_ready() {
        assert!(!PidFile::parse("4711\n/data\n").expect("a pid").ready);
        assert_eq!(PidFile::parse(""), None);
        assert_eq!(PidFile::parse("0\n"), None);
        assert_eq!(PidFile::parse("-4\n"), None);
    }
}
