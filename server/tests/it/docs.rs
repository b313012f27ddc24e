//! Documented facts that must match the code: the API document, the error codes, the environment.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use capiz::router;
use capiz::{config, modules};

use crate::harness::{TestApp, api_document};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Compares a committed file with the expected text; `CAPIZ_WRITE_DOCS=1` writes it.
#[track_caller]
fn assert_committed(file: &str, expected: &str) {
    let path = root().join(file);
    if std::env::var("CAPIZ_WRITE_DOCS").is_ok() {
        std::fs::write(&path, expected).unwrap();
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(found == expected, "{file} is out of date: run `make docs` and commit it");
}

#[tokio::test]
async fn openapi_json_is_up_to_date() {
    let test = TestApp::new().await;
    let document = router::api_document(&test.app).to_pretty_json().unwrap();
    assert_committed("openapi.json", &(document + "\n"));
}

/// API clients are generated with these names.
#[test]
fn every_call_has_a_name_of_its_own() {
    let document = api_document();
    let paths = document["paths"].as_object().unwrap().values();
    let calls = paths.flat_map(|path| path.as_object().unwrap().values());
    let mut names: Vec<_> = calls.map(|call| call["operationId"].as_str().unwrap()).collect();
    names.sort_unstable();
    for pair in names.windows(2) {
        assert_ne!(pair[0], pair[1]);
    }
}

/// The names in backquotes on a page in docs/.
fn named_in(file: &str) -> BTreeSet<String> {
    let text = std::fs::read_to_string(root().join(file)).unwrap();
    text.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

const LEVELS: [&str; 5] = ["secret", "personal", "of money", "of the house", "open"];

/// The tables that have a level and a time in docs/data.md, each exactly once.
fn tables_with_levels() -> BTreeSet<String> {
    let text = std::fs::read_to_string(root().join("docs/data.md")).unwrap();
    let (_, rest) = text.split_once("| Level | Table | For how long |\n").expect("the levels");
    let mut found = BTreeSet::new();
    for row in rest.lines().skip(1).take_while(|line| line.starts_with('|')) {
        let cells: Vec<_> = row.trim_matches('|').split('|').map(str::trim).collect();
        let [level, tables, time] = cells.as_slice() else { panic!("three cells: {row}") };
        assert!(LEVELS.contains(level), "{level} is no level: {row}");
        assert!(time.chars().any(char::is_alphabetic), "for how long? {row}");
        for table in tables.split('`').skip(1).step_by(2) {
            assert!(found.insert(table.to_owned()), "{table} has two rows");
        }
    }
    found
}

#[tokio::test]
async fn every_table_has_its_level_and_its_time() {
    let test = TestApp::new().await;
    let tables: Vec<String> = sqlx::query_scalar(
        "select c.relname::text from pg_class c join pg_namespace n on n.oid = c.relnamespace
         where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition
           and c.relname not like '\\_sqlx%'",
    )
    .fetch_all(&test.owner)
    .await
    .unwrap();
    let named = named_in("docs/data.md");
    let rated = tables_with_levels();
    let missing: Vec<_> = tables.iter().filter(|table| !rated.contains(*table)).collect();
    assert!(missing.is_empty(), "docs/data.md gives no level and no time to {missing:?}");
    let is_table = |name: &&String| {
        let (domain, rest) = name.split_once('_').unwrap_or_default();
        !rest.is_empty() && tables.iter().any(|table| table.starts_with(&format!("{domain}_")))
    };
    let gone: Vec<_> =
        named.iter().filter(is_table).filter(|name| !tables.contains(name)).collect();
    assert!(gone.is_empty(), "docs/data.md names {gone:?}, which are no tables");
}

/// All Rust code below a folder, as one text.
fn source(folder: &Path) -> String {
    let mut text = String::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            text.push_str(&source(&path));
        } else if path.extension().is_some_and(|end| end == "rs") {
            text.push_str(&std::fs::read_to_string(path).unwrap());
        }
    }
    text
}

#[test]
fn every_line_about_a_person_is_written_down() {
    let folders = ["server/src", "crates/platform/src", "domains"];
    let source: String = folders.map(|folder| source(&root().join(folder))).concat();
    let actions = source.split("request_context::log(\"").skip(1);
    let actions: BTreeSet<_> = actions.map(|rest| rest.split('"').next().unwrap()).collect();
    assert!(actions.len() > 3 && actions.contains("logged in"), "{actions:?}");
    let named = named_in("docs/data.md");
    for action in actions.iter().chain(&["refused", "answered"]) {
        assert!(named.contains(*action), "docs/data.md does not name the line {action}");
    }
}

#[tokio::test]
async fn the_api_guide_lists_every_error_code() {
    let test = TestApp::new().await;
    let path = root().join("docs/api.md");
    let text = std::fs::read_to_string(path).unwrap();
    let (begin, end) = ("<!-- codes: begin -->\n", "<!-- codes: end -->");
    let (head, rest) = text.split_once(begin).expect("docs/api.md has the mark for the codes");
    let (_, tail) = rest.split_once(end).expect("docs/api.md has the mark after the codes");
    let mut table = String::from("| Code | Status | Sentence |\n|---|---|---|\n");
    for code in modules::error_codes(&test.app) {
        let status = code.status().as_u16();
        table.push_str(&format!("| `{}` | {status} | {} |\n", code.text(), code.sentence()));
    }
    assert_committed("docs/api.md", &format!("{head}{begin}{table}{end}{tail}"));
}

#[tokio::test]
async fn codes_are_unique_and_well_formed() {
    let test = TestApp::new().await;
    let codes = modules::error_codes(&test.app);
    let mut texts: Vec<_> = codes.iter().map(|code| code.text()).collect();
    for text in &texts {
        let (domain, reason) = text.split_once('.').unwrap();
        let is_word = |word: &str| word.chars().all(|c| c.is_ascii_lowercase() || c == '_');
        assert!(is_word(domain) && is_word(reason), "{text}");
    }
    texts.sort_unstable();
    texts.dedup();
    assert_eq!(texts.len(), codes.len());
}

#[test]
fn the_example_environment_is_complete() {
    let text = std::fs::read_to_string(root().join(".env.example")).unwrap();
    let mut named: Vec<_> = text
        .lines()
        .filter_map(|line| line.trim_start_matches("# ").split_once('=').map(|(name, _)| name))
        .filter(|name| name.chars().all(|c| c.is_ascii_uppercase() || c == '_'))
        .collect();
    named.sort_unstable();
    let mut known = config::VARIABLES.to_vec();
    known.sort_unstable();
    assert_eq!(named, known);
}
