//! Tests the private server with real programs: those of the checkout's npm package, or the
//! system's.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use private_pg::{Durability, Error, Options, Search, Server};
use sqlx::{Connection, PgConnection};

/// A directory under /tmp that is removed when the test ends.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = PathBuf::from(format!("/tmp/private-pg-{}-{number}", std::process::id()));
        fs::create_dir(&path).expect("a new directory");
        Self(path)
    }

    fn join(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn checkout() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn options(data: &Path) -> Options {
    let mut options = Options::new(Some(&checkout()), data);
    options.durability = Durability::None;
    options.shared_buffers = "16MB".to_owned();
    options
}

/// Runs a statement that returns no rows.
fn run(url: &str, sql: &'static str) {
    block_on(async {
        let mut connection = PgConnection::connect(url).await.expect("a connection");
        sqlx::query(sql).execute(&mut connection).await.expect("no error");
    });
}

/// Returns the first column of the first row as text.
fn ask(url: &str, sql: &'static str) -> String {
    block_on(async {
        let mut connection = PgConnection::connect(url).await.expect("a connection");
        sqlx::query_scalar(sql).fetch_one(&mut connection).await.expect("a row")
    })
}

fn block_on<T>(work: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.expect("a runtime").block_on(work)
}

fn pid_of(data: &Path) -> u32 {
    let text = fs::read_to_string(data.join("data/postmaster.pid")).expect("a pid file");
    text.lines().next().and_then(|line| line.parse().ok()).expect("a pid")
}

fn lives(pid: u32) -> bool {
    // A zombie process has no working directory any more.
    fs::read_link(format!("/proc/{pid}/cwd")).is_ok()
}

fn wait_for(what: &str, mut done: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !done() {
        assert!(Instant::now() < deadline, "{what} did not happen in time");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Starts `with-postgres` around a `cat`, which ends when its input is closed.
fn starting_victim(data: &Path) -> Child {
    Command::new(env!("CARGO_BIN_EXE_with-postgres"))
        .arg("--data")
        .arg(data)
        .arg("--unsafe-fast")
        .arg("--root")
        .arg(checkout())
        .args(["--", "cat"])
        .stdin(Stdio::piped())
        .spawn()
        .expect("with-postgres")
}

/// Like `starting_victim`, but waits until the server is ready.
fn victim(data: &Path) -> Child {
    let child = starting_victim(data);
    wait_for("the victim's start", || {
        fs::read_to_string(data.join("data/postmaster.pid"))
            .is_ok_and(|text| text.lines().nth(7).is_some_and(|line| line.trim() == "ready"))
    });
    child
}

#[test]
fn starts_stops_and_starts_again_with_its_data() {
    let scratch = Scratch::new();
    let data = scratch.join("data root");
    let server = Server::start(&options(&data)).expect("a first start");
    assert!(!server.is_adopted());
    let url = server.default_url();
    assert_eq!(ask(&url, "select current_user::text"), "capiz");
    assert_eq!(ask(&url, "show data_checksums"), "on");
    assert_eq!(ask(&url, "show server_encoding"), "UTF8");
    assert_eq!(ask(&url, "show listen_addresses"), "");
    run(&url, "create table kept as select 'here'::text as value");
    let mode = fs::metadata(server.socket_directory()).expect("a directory").permissions().mode();
    assert_eq!(mode & 0o777, 0o700);
    let pid = pid_of(&data);
    server.stop().expect("a clean stop");
    assert!(!lives(pid));

    let began = Instant::now();
    let server = Server::start(&options(&data)).expect("a second start");
    assert!(began.elapsed() < Duration::from_secs(10));
    assert!(!server.is_adopted());
    assert_eq!(ask(&server.default_url(), "select value from kept"), "here");
    server.stop().expect("a clean stop");
}

#[test]
fn dropping_stops_the_server() {
    let scratch = Scratch::new();
    let server = Server::start(&options(&scratch.join("d"))).expect("a start");
    let pid = pid_of(&scratch.join("d"));
    drop(server);
    assert!(!lives(pid));
}

#[test]
fn adopts_what_a_killed_program_left_behind() {
    let scratch = Scratch::new();
    let data = scratch.join("d");
    let mut victim = victim(&data);
    let pid = pid_of(&data);
    victim.kill().expect("kill -9");
    victim.wait().expect("an end");
    assert!(lives(pid));

    let mut server = Server::start(&options(&data)).expect("an adoption");
    assert!(server.is_adopted());
    assert!(server.is_running());
    assert!(server.notes().iter().any(|note| note.contains("taken over")));
    assert_eq!(pid_of(&data), pid);
    assert_eq!(ask(&server.default_url(), "select 'still here'"), "still here");
    server.stop().expect("a clean stop");
    wait_for("the end of the adopted server", || !lives(pid));
}

/// A program killed while it starts a child process leaves its lock with that child for a moment.
#[test]
fn waits_for_the_lock_of_a_program_that_is_gone() {
    let scratch = Scratch::new();
    let data = scratch.join("d");
    Server::start(&options(&data)).expect("a start").stop().expect("a clean stop");
    let gone = Command::new("true").spawn().and_then(|mut child| {
        child.wait()?;
        Ok(child.id())
    });
    fs::write(data.join("lock"), gone.expect("a process that ended").to_string()).expect("a lock");
    let held = fs::File::open(data.join("lock")).expect("the lock");
    held.lock().expect("a hold");
    let release = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(500));
        drop(held);
    });
    let server = Server::start(&options(&data)).expect("a start after the lock");
    release.join().expect("an end");
    let lock = fs::read_to_string(data.join("lock")).expect("the lock");
    assert_eq!(lock.trim(), std::process::id().to_string());
    server.stop().expect("a clean stop");
}

#[test]
fn starts_after_a_kill_in_the_first_start() {
    for name in ["base", "base/1", "global/pg_control", "base/4"] {
        let scratch = Scratch::new();
        let data = scratch.join("d");
        let mut victim = starting_victim(&data);
        let unfinished = data.join(format!("data.new-{}", victim.id()));
        wait_for("the victim's initdb", || unfinished.join(name).exists());
        victim.kill().expect("kill -9");
        victim.wait().expect("an end");
        let server = Server::start(&options(&data)).expect("a start beside the old initdb");
        assert_eq!(ask(&server.default_url(), "select 'whole'"), "whole");
    }
}

#[test]
fn an_unsafe_server_is_not_adopted_as_a_safe_one() {
    let scratch = Scratch::new();
    let data = scratch.join("d");
    let mut victim = victim(&data);
    let pid = pid_of(&data);
    victim.kill().expect("kill -9");
    victim.wait().expect("an end");

    let mut safe = options(&data);
    safe.durability = Durability::Safe;
    let server = Server::start(&safe).expect("a new server");
    assert!(!server.is_adopted());
    assert_ne!(pid_of(&data), pid);
    assert_eq!(ask(&server.default_url(), "show fsync"), "on");
}

#[test]
fn recovers_when_the_database_itself_was_killed() {
    let scratch = Scratch::new();
    let data = scratch.join("d");
    let mut server = Server::start(&options(&data)).expect("a start");
    let pid = pid_of(&data);
    Command::new("kill").args(["-9", &pid.to_string()]).status().expect("kill");
    wait_for("the end", || !server.is_running());
    drop(server);
    let server = Server::start(&options(&data)).expect("a start with recovery");
    assert_ne!(pid_of(&data), pid);
    assert_eq!(ask(&server.default_url(), "select 'back'"), "back");
}

#[test]
fn a_stale_pid_file_does_not_hinder() {
    let scratch = Scratch::new();
    let data = scratch.join("d");
    Server::start(&options(&data)).expect("a start").stop().expect("a stop");
    let file = data.join("data/postmaster.pid");
    // A process id beyond every limit, then the id of a living process that is no PostgreSQL: this
    // test.
    for pid in [4_194_305, std::process::id()] {
        let text = format!("{pid}\n{0}/data\n1\n5432\n{0}/run\n\n 1 1\nready\n", data.display());
        fs::write(&file, text).expect("a stale file");
        let server = Server::start(&options(&data)).expect("a start");
        assert!(!server.is_adopted());
        server.stop().expect("a stop");
    }
}

#[test]
fn a_living_stranger_with_the_same_number_does_not_hinder() {
    let scratch = Scratch::new();
    let data = scratch.join("d");
    Server::start(&options(&data)).expect("a start").stop().expect("a stop");
    let mut stranger = Command::new("sleep").arg("60").spawn().expect("a stranger");
    let text =
        format!("{}\n{1}/data\n1\n5432\n{1}/run\n\n 1 1\nready\n", stranger.id(), data.display());
    fs::write(data.join("data/postmaster.pid"), text).expect("a stale file");
    let started = Server::start(&options(&data)).map(|server| server.is_adopted());
    stranger.kill().expect("kill");
    stranger.wait().expect("an end");
    assert!(!started.expect("a start"));
}

#[test]
fn a_second_program_is_kept_out() {
    let scratch = Scratch::new();
    let first = Server::start(&options(&scratch.join("d"))).expect("a start");
    let second = Server::start(&options(&scratch.join("d"))).expect_err("no second one");
    assert!(matches!(second, Error::InUse { .. }), "{second}");
    assert!(second.to_string().contains(&format!("process {}", std::process::id())), "{second}");
    assert_eq!(ask(&first.default_url(), "select 'undisturbed'"), "undisturbed");
}

#[test]
fn a_long_path_gets_a_short_socket_directory() {
    let scratch = Scratch::new();
    let data = scratch.join(&"long".repeat(25));
    let server = Server::start(&options(&data)).expect("a start");
    assert!(server.socket_directory().starts_with("/tmp"), "{:?}", server.socket_directory());
    assert!(server.notes().iter().any(|note| note.contains("socket")), "{:?}", server.notes());
    assert_eq!(ask(&server.default_url(), "select 'reached'"), "reached");
    let short = server.socket_directory().to_owned();
    server.stop().expect("a stop");
    fs::remove_dir_all(short).expect("the short directory");
}

#[test]
fn a_socket_directory_of_others_is_refused() {
    let scratch = Scratch::new();
    let data = scratch.join("d");
    Server::start(&options(&data)).expect("a start").stop().expect("a stop");
    fs::set_permissions(data.join("run"), PermissionsExt::from_mode(0o755)).expect("a new mode");
    let refused = Server::start(&options(&data)).expect_err("no start");
    assert!(matches!(refused, Error::SocketDirectory { .. }), "{refused}");
}

#[test]
fn an_old_version_is_refused_by_its_number() {
    let scratch = Scratch::new();
    for name in ["postgres", "initdb", "pg_ctl"] {
        let program = scratch.join(name);
        fs::write(&program, "#!/bin/sh\necho 'postgres (PostgreSQL) 14.1'\n").expect("a script");
        fs::set_permissions(&program, PermissionsExt::from_mode(0o755)).expect("a mode");
    }
    let mut old = options(&scratch.join("d"));
    old.search = Search {
        checkout: None,
        path: scratch.0.clone().into_os_string(),
        system: scratch.join("none"),
    };
    let refused = Server::start(&old).expect_err("too old");
    assert!(matches!(refused, Error::TooOld { .. }), "{refused}");
    assert!(refused.to_string().contains("14.1"), "{refused}");
}

#[test]
fn no_postgresql_at_all_is_said() {
    let scratch = Scratch::new();
    let mut none = options(&scratch.join("d"));
    none.search = Search { checkout: None, path: "".into(), system: scratch.join("none") };
    let refused = Server::start(&none).expect_err("nothing there");
    assert!(matches!(refused, Error::NotFound { .. }), "{refused}");
}

#[test]
fn data_of_another_major_version_are_left_alone() {
    let scratch = Scratch::new();
    let data = scratch.join("d");
    fs::create_dir_all(data.join("data")).expect("a directory");
    fs::write(data.join("data/PG_VERSION"), "9\n").expect("a version");
    let refused = Server::start(&options(&data)).expect_err("another version");
    assert!(matches!(refused, Error::OtherMajor { made_by: 9, .. }), "{refused}");
}

#[test]
fn a_bad_setting_is_told_with_the_log() {
    let scratch = Scratch::new();
    let mut bad = options(&scratch.join("d"));
    bad.settings.push(("work_mem".to_owned(), "plenty".to_owned()));
    let refused = Server::start(&bad).expect_err("no start");
    assert!(refused.to_string().contains("work_mem"), "{refused}");
}

#[test]
fn a_file_in_the_way_is_told() {
    let scratch = Scratch::new();
    fs::write(scratch.join("file"), "").expect("a file");
    let refused = Server::start(&options(&scratch.join("file/d"))).expect_err("no start");
    assert!(matches!(refused, Error::NotWritable { .. }), "{refused}");
}

#[test]
fn with_postgres_passes_address_and_exit_code_on() {
    let scratch = Scratch::new();
    let status = Command::new(env!("CARGO_BIN_EXE_with-postgres"))
        .args(["--temp", "--unsafe-fast", "--root"])
        .arg(checkout())
        .args(["--", "sh", "-c", "echo \"$DATABASE_URL\" > \"$0\"; exit 7"])
        .arg(scratch.join("url"))
        .env("TMPDIR", &scratch.0)
        .status()
        .expect("with-postgres");
    assert_eq!(status.code(), Some(7));
    let url = fs::read_to_string(scratch.join("url")).expect("an address");
    assert!(url.starts_with("postgres:///postgres?host=/"), "{url}");
    // Only our own file is left.
    assert_eq!(fs::read_dir(&scratch.0).expect("a directory").count(), 1);
}

#[test]
fn with_postgres_does_not_pass_its_own_package_on() {
    let status = Command::new(env!("CARGO_BIN_EXE_with-postgres"))
        .args(["--temp", "--unsafe-fast", "--root"])
        .arg(checkout())
        .args([
            "--",
            "sh",
            "-c",
            "env | grep -q '^CARGO_PKG_\\|^CARGO_MANIFEST_' && exit 7 || exit 8",
        ])
        .env("CARGO_MANIFEST_DIR", "/nowhere")
        .env("CARGO_PKG_NAME", "private-pg")
        .status()
        .expect("with-postgres");
    assert_eq!(status.code(), Some(8));
}

/// Runs `with-postgres --migrate` with one migration around a command that must not fail.
fn migrate(scratch: &Scratch, sql: &str) -> std::process::Output {
    let migrations = scratch.join("migrations");
    fs::create_dir(&migrations).expect("a directory");
    fs::write(migrations.join("0001_first.sql"), sql).expect("a migration");
    Command::new(env!("CARGO_BIN_EXE_with-postgres"))
        .args(["--temp", "--unsafe-fast", "--root"])
        .arg(checkout())
        .arg("--migrate")
        .arg(&migrations)
        .args(["--", "sh", "-c", "echo ran > \"$0\""])
        .arg(scratch.join("ran"))
        .output()
        .expect("with-postgres")
}

#[cfg(feature = "migrate")]
#[test]
fn with_postgres_migrates_before_the_command() {
    let scratch = Scratch::new();
    let good = migrate(&scratch, "create table first (id int primary key)");
    assert!(good.status.success(), "{}", String::from_utf8_lossy(&good.stderr));
    assert!(scratch.join("ran").exists());

    let scratch = Scratch::new();
    let bad = migrate(&scratch, "create table first (id nonsense)");
    assert_eq!(bad.status.code(), Some(1));
    let said = String::from_utf8_lossy(&bad.stderr);
    assert!(said.contains("were not applied") && said.contains("nonsense"), "{said}");
    assert!(!scratch.join("ran").exists());
}

#[cfg(not(feature = "migrate"))]
#[test]
fn with_postgres_says_that_it_cannot_migrate() {
    let scratch = Scratch::new();
    let refused = migrate(&scratch, "select 1");
    assert_eq!(refused.status.code(), Some(1));
    let said = String::from_utf8_lossy(&refused.stderr);
    assert!(said.contains("--features migrate"), "{said}");
    assert!(!scratch.join("ran").exists());
}

#[test]
fn with_postgres_stops_the_server_when_it_is_ended() {
    let scratch = Scratch::new();
    let data = scratch.join("d");
    let mut interrupted = victim(&data);
    // `wait` would close the command's input and thereby end the command, so the input is taken
    // first.
    let _input = interrupted.stdin.take();
    let pid = pid_of(&data);
    Command::new("kill").arg(interrupted.id().to_string()).status().expect("kill");
    assert_eq!(interrupted.wait().expect("an end").code(), Some(128 + 15));
    assert!(!lives(pid));
}

#[test]
fn root_uses_a_directory_that_the_account_can_reach() {
    let scratch = Scratch::new();
    let id = Command::new("id").arg("-u").output().expect("id");
    if id.stdout.trim_ascii() != b"0" {
        // Only root has to hand its server to another account.
        return;
    }
    fs::set_permissions(&scratch.0, PermissionsExt::from_mode(0o700)).expect("a closed directory");
    let server = Server::start(&options(&scratch.join("d"))).expect("a start");
    assert!(server.directory().starts_with("/var/lib/capiz"), "{:?}", server.directory());
    assert!(
        server.notes().iter().any(|note| note.contains("The database is in")),
        "{:?}",
        server.notes()
    );
    assert_eq!(ask(&server.default_url(), "select 'reached'"), "reached");
    let elsewhere = server.directory().to_owned();
    server.stop().expect("a stop");
    fs::remove_dir_all(elsewhere).expect("the directory elsewhere");
}
