//! The unprivileged operating system account that PostgreSQL runs under when we are root.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use crate::Error;

/// Accounts that root may run PostgreSQL under, in order of preference.
const CANDIDATES: [&str; 2] = ["postgres", "nobody"];

/// An unprivileged account. Only a root process needs one; every other user runs PostgreSQL as
/// itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Account {
    uid: u32,
    gid: u32,
}

impl Account {
    /// The account to drop privileges to, or `None` if this process is not root.
    ///
    /// Existing data that belong to an ordinary user stay that user's, so that a run as root does
    /// not lock the user out afterwards.
    pub(crate) fn choose(database: &Path) -> Result<Option<Self>, Error> {
        if effective_uid()? != 0 {
            return Ok(None);
        }
        if let Ok(meta) = fs::metadata(database)
            && meta.uid() != 0
        {
            return Ok(Some(Self { uid: meta.uid(), gid: meta.gid() }));
        }
        let path = Path::new("/etc/passwd");
        let passwd = fs::read_to_string(path).map_err(Error::io("read", path))?;
        CANDIDATES
            .iter()
            .find_map(|name| Self::in_passwd(&passwd, name))
            .map(Some)
            .ok_or(Error::NoAccount)
    }

    fn in_passwd(passwd: &str, name: &str) -> Option<Self> {
        passwd.lines().find_map(|line| {
            let mut fields = line.split(':');
            if fields.next()? != name {
                return None;
            }
            let uid = fields.nth(1)?.parse().ok().filter(|uid| *uid != 0)?;
            let gid = fields.next()?.parse().ok()?;
            Some(Self { uid, gid })
        })
    }

    /// Whether the account may enter `directory`: it needs search permission on the directory and
    /// all its parents.
    pub(crate) fn can_enter(self, directory: &Path) -> bool {
        directory.ancestors().all(|step| {
            fs::metadata(step).is_ok_and(|meta| {
                let bit = if meta.uid() == self.uid {
                    0o100
                } else if meta.gid() == self.gid {
                    0o010
                } else {
                    0o001
                };
                meta.permissions().mode() & bit != 0
            })
        })
    }
}

/// Changes the owner of `path` to the account, if there is one.
pub(crate) fn give(path: &Path, account: Option<Account>) -> Result<(), Error> {
    match account {
        Some(account) => chown(path, Some(account.uid), Some(account.gid))
            .map_err(Error::io("change the owner of", path)),
        None => Ok(()),
    }
}

/// The user id that owns the files PostgreSQL writes.
pub(crate) fn owner_uid(account: Option<Account>) -> Result<u32, Error> {
    account.map_or_else(effective_uid, |account| Ok(account.uid))
}

/// A command that runs under the account, without the caller's `PG*` environment variables.
pub(crate) fn command(program: &Path, account: Option<Account>) -> Command {
    let mut command = Command::new(program);
    // The account may be unable to enter the caller's directory, and initdb fails without a
    // readable working directory.
    command.current_dir("/").env("LC_ALL", "C");
    // If PostgreSQL reported READY to systemd, systemd would take it as readiness of the whole
    // program.
    command.env_remove("NOTIFY_SOCKET");
    for (name, _) in std::env::vars_os() {
        if name.as_encoded_bytes().starts_with(b"PG") {
            command.env_remove(name);
        }
    }
    if let Some(account) = account {
        command.uid(account.uid).gid(account.gid);
    }
    command
}

fn effective_uid() -> Result<u32, Error> {
    let program = Path::new("id");
    let output = Command::new(program).arg("-u").output().map_err(Error::io("run", program))?;
    String::from_utf8_lossy(&output.stdout)
        .trim()
        .parse()
        .map_err(std::io::Error::other)
        .map_err(Error::io("understand the answer of", program))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PASSWD: &str = "root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65533:n:/:/bin/false\n";

    #[test]
    fn reads_an_account_from_passwd() {
        let nobody = Account { uid: 65534, gid: 65533 };
        assert_eq!(Account::in_passwd(PASSWD, "nobody"), Some(nobody));
        assert_eq!(Account::in_passwd(PASSWD, "postgres"), None);
    }

    #[test]
    fn never_chooses_root() {
        assert_eq!(Account::in_passwd(PASSWD, "root"), None);
    }
}
