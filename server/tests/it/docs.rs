//! Written-down facts that must stay true: the API document, the codes, the environment.

use std::path::PathBuf;

use capiz::codes::ErrorCode;
use capiz::config;
use capiz::router;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Compares a committed file with what it must be; `CAPIZ_WRITE_DOCS=1` writes it.
#[track_caller]
fn assert_committed(file: &str, expected: &str) {
    let path = root().join(file);
    if std::env::var("CAPIZ_WRITE_DOCS").is_ok() {
        std::fs::write(&path, expected).unwrap();
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(found == expected, "{file} is out of date: run `make docs` and commit it");
}

#[test]
fn openapi_json_is_up_to_date() {
    let document = router::api_document().to_pretty_json().unwrap();
    assert_committed("openapi.json", &(document + "\n"));
}

/// Types of clients are made by these names.
#[test]
fn every_call_has_a_name_of_its_own() {
    let document = serde_json::to_value(router::api_document()).unwrap();
    let paths = document["paths"].as_object().unwrap().values();
    let calls = paths.flat_map(|path| path.as_object().unwrap().values());
    let mut names: Vec<_> = calls.map(|call| call["operationId"].as_str().unwrap()).collect();
    names.sort_unstable();
    for pair in names.windows(2) {
        assert_ne!(pair[0], pair[1]);
    }
}

#[test]
fn the_api_guide_lists_every_error_code() {
    let path = root().join("docs/api.md");
    let text = std::fs::read_to_string(path).unwrap();
    let (begin, end) = ("<!-- codes: begin -->\n", "<!-- codes: end -->");
    let (head, rest) = text.split_once(begin).expect("docs/api.md has the mark for the codes");
    let (_, tail) = rest.split_once(end).expect("docs/api.md has the mark after the codes");
    let mut table = String::from("| Code | Status | Sentence |\n|---|---|---|\n");
    for code in ErrorCode::ALL {
        let status = code.status().as_u16();
        table.push_str(&format!("| `{}` | {status} | {} |\n", code.text(), code.sentence()));
    }
    assert_committed("docs/api.md", &format!("{head}{begin}{table}{end}{tail}"));
}

#[test]
fn codes_are_unique_and_well_formed() {
    let mut texts: Vec<_> = ErrorCode::ALL.iter().map(|code| code.text()).collect();
    for text in &texts {
        let (domain, reason) = text.split_once('.').unwrap();
        let is_word = |word: &str| word.chars().all(|c| c.is_ascii_lowercase() || c == '_');
        assert!(is_word(domain) && is_word(reason), "{text}");
    }
    texts.sort_unstable();
    texts.dedup();
    assert_eq!(texts.len(), ErrorCode::ALL.len());
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
