//! The search for secrets: how a secret can be encoded, and everything that can be read.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use axum::http::header;
use base64::Engine;
use base64::prelude::{BASE64_STANDARD_NO_PAD, BASE64_URL_SAFE_NO_PAD};
use tracing::level_filters::LevelFilter;

use crate::harness::{Answer, TestApp};

/// A secret that must appear in its places and nowhere else.
pub struct Secret {
    name: String,
    /// The encodings in which it could appear.
    forms: BTreeSet<String>,
    /// Whether it is so short that it could be part of an unrelated number: then only separate
    /// occurrences count.
    is_short: bool,
    places: BTreeSet<String>,
}

impl Secret {
    /// A text, which has no places yet.
    pub fn text(name: &str, text: &str) -> Self {
        let mut forms = BTreeSet::from([text.to_owned()]);
        if text.len() >= 6 {
            forms.extend(codings(text.as_bytes()));
        }
        let is_short = text.len() <= 6;
        Self { name: name.to_owned(), forms, is_short, places: BTreeSet::new() }
    }

    /// Random bytes.
    pub fn bytes(name: &str, bytes: &[u8]) -> Self {
        let forms = codings(bytes);
        Self { name: name.to_owned(), forms, is_short: false, places: BTreeSet::new() }
    }

    pub fn or(mut self, form: &str) -> Self {
        self.forms.insert(form.to_owned());
        self
    }

    pub fn belongs(mut self, places: &[&str]) -> Self {
        self.places.extend(places.iter().map(|place| (*place).to_owned()));
        self
    }

    pub fn is_in(&self, text: &str) -> bool {
        self.forms.iter().any(|form| {
            let mut found = text.match_indices(form.as_str());
            // Only the text as typed is short; its encodings are not.
            let stands_alone = |(at, _): (usize, &str)| {
                let before = text[..at].chars().next_back();
                let after = text[at + form.len()..].chars().next();
                ![before, after].into_iter().flatten().any(|c| c.is_ascii_alphanumeric())
            };
            match self.is_short && form.len() <= 6 {
                true => found.any(stands_alone),
                false => found.next().is_some(),
            }
        })
    }
}

/// Bytes as tables and logs would show them. In base 64 the last characters depend on the bytes
/// that follow, so they are omitted.
fn codings(bytes: &[u8]) -> BTreeSet<String> {
    let whole = &bytes[..bytes.len() / 3 * 3];
    BTreeSet::from([
        hex::encode(bytes),
        BASE64_STANDARD_NO_PAD.encode(whole),
        BASE64_URL_SAFE_NO_PAD.encode(whole),
    ])
}

/// The log, in memory.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Collects everything readable while flows are played.
pub struct Witness<'a> {
    pub test: &'a TestApp,
    log: Log,
    /// All rows that were ever seen, by table.
    rows: BTreeMap<String, BTreeSet<String>>,
    pub secrets: Vec<Secret>,
    _listening: tracing::subscriber::DefaultGuard,
}

impl<'a> Witness<'a> {
    /// Starts capturing. The test must run on one thread: the log is captured per thread.
    pub fn new(test: &'a TestApp) -> Self {
        let log = Log::default();
        let sink = log.clone();
        let subscriber = tracing_subscriber::fmt()
            .with_max_level(LevelFilter::TRACE)
            .with_ansi(false)
            .with_writer(move || sink.clone())
            .finish();
        let listening = tracing::subscriber::set_default(subscriber);
        *test.heard.lock().unwrap() = Some(Vec::new());
        let (rows, secrets) = (BTreeMap::new(), Vec::new());
        Self { test, log, rows, secrets, _listening: listening }
    }

    pub fn keep(&mut self, secret: Secret) {
        self.secrets.push(secret);
    }

    /// Reads all tables.
    pub async fn look(&mut self) {
        let tables: Vec<String> =
            sqlx::query_scalar("select tablename::text from pg_tables where schemaname = 'public'")
                .fetch_all(&self.test.owner)
                .await
                .unwrap();
        for table in tables {
            let sql = format!(r#"select t::text from "{table}" t"#);
            let rows: Vec<String> = sqlx::query_scalar(sqlx::AssertSqlSafe(sql))
                .fetch_all(&self.test.owner)
                .await
                .unwrap();
            self.rows.entry(table).or_default().extend(rows);
        }
    }

    /// The text of each place.
    pub fn places(&self) -> BTreeMap<String, String> {
        let heard = self.test.heard.lock().unwrap().clone().unwrap();
        let join = |rows: &BTreeSet<String>| rows.iter().cloned().collect::<Vec<_>>().join("\n");
        let mut places: BTreeMap<_, _> =
            self.rows.iter().map(|(table, rows)| (table.clone(), join(rows))).collect();
        let log = String::from_utf8(self.log.0.lock().unwrap().clone()).unwrap();
        places.insert("log".to_owned(), log);
        places.insert("cookies".to_owned(), cookies(&heard).join("\n"));
        let answers: Vec<_> = heard.iter().map(|answer| answer.text.as_str()).collect();
        places.insert("answers".to_owned(), answers.join("\n"));
        places
    }

    /// The secrets that are missing where they belong, or appear elsewhere.
    pub fn misplaced(&self) -> Vec<String> {
        let places = self.places();
        let mut wrong = Vec::new();
        for secret in &self.secrets {
            let found = places.iter().filter(|(_, text)| secret.is_in(text));
            let found: BTreeSet<String> = found.map(|(place, _)| place.clone()).collect();
            if found != secret.places {
                let (name, places) = (&secret.name, &secret.places);
                wrong.push(format!("{name}: belongs in {places:?}, found in {found:?}"));
            }
        }
        wrong
    }
}

/// All cookies that were set.
pub fn cookies(heard: &[Answer]) -> Vec<String> {
    let all = heard.iter().flat_map(|answer| answer.headers.get_all(header::SET_COOKIE));
    all.map(|cookie| cookie.to_str().unwrap().to_owned()).collect()
}
