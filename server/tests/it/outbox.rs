//! The outbox: messages are sent after the commit of their transaction, and deleted afterwards.

use std::io::{BufRead, BufReader, Lines};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex};

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use axum::{Json, Router};
use capiz::modules;
use chrono::Duration;
use platform::jobs::Worker;
use platform::outbox::{Channel, MailSettings, Message, Shown, SmsSettings};
use platform::secret::Secret;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use uuid::Uuid;

use crate::harness::TestApp;

const TEXT: &str = "271828 is your code";

fn message(channel: Channel, to: &str) -> Message {
    Message {
        merchant_id: Uuid::nil(),
        purpose: "test.letter",
        channel,
        to: to.to_owned(),
        subject: "Ang iyong code · 271".to_owned(),
        text: TEXT.to_owned(),
        deadline: None,
    }
}

async fn send(test: &TestApp, message: Message) -> Uuid {
    let mut tx = test.app.db.begin().await.unwrap();
    let id = test.app.outbox.send(&mut tx, message, test.app.clock.now()).await.unwrap();
    tx.commit().await.unwrap();
    id
}

async fn run_jobs(test: &TestApp) {
    let registry = modules::job_registry(&test.app);
    let worker = Worker::new(test.app.db.clone(), test.app.clock.clone(), registry);
    worker.run_due(test.app.clock.now()).await.unwrap();
}

async fn shown(test: &TestApp) -> Vec<Shown> {
    let mut db = test.app.db.acquire().await.unwrap();
    test.app.outbox.list_newest(&mut db, 10).await.unwrap()
}

async fn states(test: &TestApp) -> Vec<String> {
    shown(test).await.into_iter().map(|message| message.state).collect()
}

/// A message provider that returns the given answers in order and remembers what it received.
pub struct Provider {
    answers: Mutex<Vec<StatusCode>>,
    taken: Mutex<Vec<(HeaderMap, Value)>>,
}

impl Provider {
    /// Starts the provider; returns its URL.
    pub async fn start(answers: &[u16]) -> (Arc<Self>, String) {
        let answers = answers.iter().rev().map(|code| StatusCode::from_u16(*code).unwrap());
        let provider =
            Arc::new(Self { answers: Mutex::new(answers.collect()), taken: Mutex::default() });
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/send", listener.local_addr().unwrap());
        let router =
            Router::new().route("/send", post(Self::take)).with_state(Arc::clone(&provider));
        tokio::spawn(async move { axum::serve(listener, router).await });
        (provider, url)
    }

    async fn take(
        State(provider): State<Arc<Self>>,
        headers: HeaderMap,
        Json(body): Json<Value>,
    ) -> StatusCode {
        provider.taken.lock().unwrap().push((headers, body));
        provider.answers.lock().unwrap().pop().unwrap_or(StatusCode::OK)
    }

    pub fn taken(&self) -> Vec<(HeaderMap, Value)> {
        self.taken.lock().unwrap().clone()
    }
}

async fn with_provider(answers: &[u16]) -> (TestApp, Arc<Provider>) {
    let (provider, url) = Provider::start(answers).await;
    let token = Some(Secret::new("token of the provider".to_owned()));
    let settings = SmsSettings::new(&url, token).unwrap();
    (TestApp::configured(|config| config.platform.sms = Some(settings)).await, provider)
}

#[tokio::test]
async fn without_a_channel_messages_are_kept_for_the_operator() {
    let test = TestApp::new().await;
    send(&test, message(Channel::Sms, "+639171234567")).await;
    test.advance(Duration::seconds(1));
    send(&test, message(Channel::Mail, "maria@example.com")).await;
    run_jobs(&test).await;
    let shown = shown(&test).await;
    assert_eq!(states(&test).await, ["kept", "kept"]);
    let sms = shown[1].to_string();
    assert!(sms.contains("sms kept  to +639171234567") && sms.contains(TEXT), "{sms}");
    assert!(!sms.contains("Subject"), "{sms}");
    let mail = shown[0].to_string();
    assert!(mail.contains("to maria@example.com") && mail.contains("Subject: Ang"), "{mail}");
}

#[tokio::test]
async fn the_table_tells_neither_text_nor_recipient() {
    let test = TestApp::new().await;
    send(&test, message(Channel::Sms, "+639171234567")).await;
    let row: String =
        sqlx::query_scalar("select m::text || encode(sealed, 'escape') from platform_messages m")
            .fetch_one(&test.owner)
            .await
            .unwrap();
    assert!(!row.contains("271828") && !row.contains("9171234567"), "{row}");
}

#[tokio::test]
async fn a_message_leaves_only_if_its_cause_commits() {
    let (test, provider) = with_provider(&[]).await;
    let mut tx = test.app.db.begin().await.unwrap();
    let undone = message(Channel::Sms, "+639171234567");
    test.app.outbox.send(&mut tx, undone, test.app.clock.now()).await.unwrap();
    tx.rollback().await.unwrap();
    run_jobs(&test).await;
    assert!(provider.taken().is_empty() && shown(&test).await.is_empty());
}

#[tokio::test]
async fn text_messages_go_to_the_provider_until_it_takes_them() {
    let (test, provider) = with_provider(&[503, 429, 202]).await;
    let id = send(&test, message(Channel::Sms, "+639171234567")).await;
    for expected in ["queued", "queued", "sent"] {
        run_jobs(&test).await;
        assert_eq!(states(&test).await, [expected]);
        test.advance(Duration::seconds(20));
    }
    run_jobs(&test).await;
    let taken = provider.taken();
    assert_eq!(taken.len(), 3);
    for (headers, body) in taken {
        assert_eq!(headers["authorization"], "Bearer token of the provider");
        assert_eq!(headers["idempotency-key"], id.to_string().as_str());
        assert_eq!(body, json!({ "id": id, "to": "+639171234567", "text": TEXT }));
    }
    test.advance(Duration::hours(25));
    run_jobs(&test).await;
    assert!(shown(&test).await[0].letter.is_none(), "what was delivered is forgotten");
    test.advance(Duration::days(30));
    run_jobs(&test).await;
    assert!(shown(&test).await.is_empty());
}

#[tokio::test]
async fn what_is_refused_for_good_or_comes_too_late_is_not_tried_again() {
    let (test, provider) = with_provider(&[422]).await;
    send(&test, message(Channel::Sms, "+639171234567")).await;
    run_jobs(&test).await;
    assert_eq!(states(&test).await, ["failed"]);
    let deadline = Some(test.app.clock.now() + Duration::minutes(5));
    send(&test, Message { deadline, ..message(Channel::Sms, "+639171234568") }).await;
    test.advance(Duration::minutes(5));
    run_jobs(&test).await;
    assert_eq!(states(&test).await, ["expired", "failed"]);
    assert_eq!(provider.taken().len(), 1);
}

#[tokio::test]
async fn a_provider_that_never_takes_it_ends_in_a_failure() {
    let (test, provider) = with_provider(&[500; 20]).await;
    send(&test, message(Channel::Sms, "+639171234567")).await;
    for _ in 0..12 {
        run_jobs(&test).await;
        test.advance(Duration::hours(1));
    }
    assert_eq!((states(&test).await, provider.taken().len()), (vec!["failed".to_owned()], 8));
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let (test, provider) = with_provider(&[307]).await;
    send(&test, message(Channel::Sms, "+639171234567")).await;
    run_jobs(&test).await;
    assert_eq!((states(&test).await, provider.taken().len()), (vec!["queued".to_owned()], 1));
}

/// A real SMTP server from the web's npm packages. It prints its port, then each mail as a line
/// before it accepts it.
pub struct SmtpPeer {
    child: Child,
    lines: Lines<BufReader<ChildStdout>>,
    pub port: u16,
}

impl SmtpPeer {
    pub fn start() -> Self {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../web/scripts/smtp-peer.mjs");
        let mut child =
            Command::new("node").arg(script).stdout(Stdio::piped()).spawn().expect("node");
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let port = lines.next().expect("its port").unwrap().parse().unwrap();
        Self { child, lines, port }
    }

    pub fn next(&mut self) -> Value {
        serde_json::from_str(&self.lines.next().expect("a mail").unwrap()).unwrap()
    }
}

impl Drop for SmtpPeer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[tokio::test]
async fn e_mail_goes_out_by_smtp() {
    let mut peer = SmtpPeer::start();
    let url = Secret::new(format!("smtp://capiz:secret@127.0.0.1:{}", peer.port));
    let settings = MailSettings::new(&url, "Capiz <no-reply@capiz.example>").unwrap();
    let test = TestApp::configured(|config| config.platform.mail = Some(settings)).await;
    let id = send(&test, message(Channel::Mail, "maria@example.com")).await;
    run_jobs(&test).await;
    assert_eq!(states(&test).await, ["sent"]);
    let mail = peer.next();
    assert_eq!(mail["from"], "no-reply@capiz.example");
    assert_eq!(mail["to"], json!(["maria@example.com"]));
    assert_eq!(mail["user"], "capiz");
    let text = mail["text"].as_str().unwrap();
    assert!(text.contains(TEXT) && text.contains("From: Capiz <no-reply@capiz.example>"), "{text}");
    assert!(text.contains(&format!("Message-ID: <{id}@capiz.example>")), "{text}");
    // An address that the server refuses permanently, and an invalid one.
    send(&test, message(Channel::Mail, "nobody@example.com")).await;
    send(&test, message(Channel::Mail, "a\r\nBcc: b@example.com")).await;
    run_jobs(&test).await;
    assert_eq!(states(&test).await, ["failed", "failed", "sent"]);
}
