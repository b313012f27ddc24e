//! Configuration mistakes at the start: a clear message, a failing exit code, no process left
//! running.

use std::fs::{self, File};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use platform::fail;

use crate::bounded;
use crate::process::{Scratch, Site, capiz_serve, end_of, free_address, postgres_processes};

const SECRET: &str = "0123456789abcdef0123456789abcdef";

/// `capiz serve` on free ports.
fn serve(data: &Path) -> Command {
    capiz_serve(data, free_address(), free_address())
}

/// Runs a command that must refuse to start, in the folder; returns its message.
async fn refusal(mut command: Command, folder: &Scratch) -> String {
    let path = folder.0.join("stderr");
    let errors = File::create(&path).expect("a file");
    let mut child = command.stdout(Stdio::null()).stderr(errors).spawn().expect("capiz");
    let status = end_of(&mut child, Duration::from_secs(15)).await;
    if status.is_none() {
        child.kill().expect("kill");
        child.wait().expect("an end");
    }
    let output = fs::read_to_string(path).expect("its output");
    let status = status.unwrap_or_else(|| panic!("it should have ended by itself: {output}"));
    assert!(status.code().is_some_and(|code| code != 0), "{status}: {output}");
    assert!(!output.contains("panicked"), "{output}");
    assert_eq!(postgres_processes(&folder.0.join("var")), [0; 0], "left running");
    output
}

#[track_caller]
fn assert_says(output: &str, words: &[&str]) {
    for word in words {
        assert!(output.contains(word), "{word:?} is not in: {output}");
    }
    assert!(!output.contains("hunter2"), "a password is shown: {output}");
}

/// `capiz serve` with an external database.
fn with_url(folder: &Scratch, url: &str) -> Command {
    let mut command = serve(&folder.0.join("var"));
    command.env("DATABASE_URL", url).env("CAPIZ_SECRET", SECRET);
    command
}

#[tokio::test]
async fn a_taken_port_is_told_before_anything_starts() {
    bounded(0, async {
        for variable in ["CAPIZ_LISTEN", "CAPIZ_OFFICE_LISTEN"] {
            let folder = Scratch::new();
            let address = free_address();
            let _other = TcpListener::bind(address).expect("a port");
            let mut command = serve(&folder.0.join("var"));
            command.env(variable, address.to_string());
            let output = refusal(command, &folder).await;
            assert_says(&output, &[&address.to_string(), "in use", variable]);
            assert!(!folder.0.join("var").exists());
        }
    })
    .await;
}

#[tokio::test]
async fn a_data_directory_that_cannot_be_written_is_told() {
    bounded(0, async {
        let folder = Scratch::new();
        let file = folder.0.join("file");
        fs::write(&file, "").expect("a file in the way");
        let output = refusal(serve(&file.join("var")), &folder).await;
        assert_says(&output, &["file/var", "CAPIZ_DATA"]);
    })
    .await;
}

#[tokio::test]
async fn a_wrong_database_url_is_told_without_its_password() {
    bounded(0, async {
        let folder = Scratch::new();
        for wrong in ["postgres://capiz:hunter2@127.0.0.1:port/capiz", "capiz:hunter2"] {
            let output = refusal(with_url(&folder, wrong), &folder).await;
            assert_says(&output, &["DATABASE_URL"]);
        }
        let nobody = format!("postgres://capiz:hunter2@{}/capiz", free_address());
        let output = refusal(with_url(&folder, &nobody), &folder).await;
        assert_says(&output, &["cannot be reached", "DATABASE_URL"]);
    })
    .await;
}

#[tokio::test]
async fn an_outside_database_without_a_secret_is_refused() {
    bounded(0, async {
        let folder = Scratch::new();
        let mut command = with_url(&folder, "postgres://capiz:hunter2@127.0.0.1/capiz");
        command.env_remove("CAPIZ_SECRET");
        let output = refusal(command, &folder).await;
        assert_says(&output, &["CAPIZ_SECRET", "required", "DATABASE_URL"]);
    })
    .await;
}

#[tokio::test]
async fn a_certificate_that_cannot_be_read_is_told() {
    bounded(0, async {
        let folder = Scratch::new();
        let mut command = serve(&folder.0.join("var"));
        command.env("CAPIZ_TLS_CERT", "/nowhere/cert.pem").env("CAPIZ_TLS_KEY", "/nowhere/key.pem");
        assert_says(&refusal(command, &folder).await, &["/nowhere/cert.pem", "CAPIZ_TLS_CERT"]);
    })
    .await;
}

/// A build without fail points refuses all of them, other builds only invalid ones.
#[tokio::test]
async fn a_fail_point_that_cannot_be_is_refused() {
    bounded(0, async {
        let folder = Scratch::new();
        let wrong = if fail::ENABLED { "wallet.locked=stop" } else { "wallet.locked=kill" };
        let mut command = serve(&folder.0.join("var"));
        command.env("CAPIZ_FAIL", wrong);
        assert_says(&refusal(command, &folder).await, &["CAPIZ_FAIL"]);
    })
    .await;
}

#[tokio::test]
async fn a_second_server_on_the_same_data_is_kept_out() {
    bounded(0, async {
        let mut site = Site::start().await;
        let folder = Scratch::new();
        let output = refusal(serve(&site.data()), &folder).await;
        assert_says(&output, &["in use by another running program", "CAPIZ_DATA"]);
        assert!(site.node.is_running() && site.postmaster().is_some());
        site.stop().await;
    })
    .await;
}
