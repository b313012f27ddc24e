//! Tidiness: the structure that ARCHITECTURE.md draws, kept by reading the source.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::harness::TestApp;

fn server() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Every Rust file of the server with its text.
fn sources() -> Vec<(String, String)> {
    let mut found = Vec::new();
    walk(&server().join("src"), &mut found);
    assert!(found.len() > 30, "the walk found the source");
    found
}

fn walk(folder: &Path, found: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            walk(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let name = path.strip_prefix(server().join("src")).unwrap();
            found.push((name.display().to_string(), fs::read_to_string(&path).unwrap()));
        }
    }
}

/// The DAG of domains as ARCHITECTURE.md writes it: `name: those it may use`.
fn dag() -> BTreeMap<String, BTreeSet<String>> {
    let text = fs::read_to_string(server().join("../ARCHITECTURE.md")).unwrap();
    let (_, rest) = text.split_once("```dag\n").expect("ARCHITECTURE.md has a dag block");
    let (block, _) = rest.split_once("```").unwrap();
    let lines = block.lines().filter(|line| !line.trim().is_empty());
    let dag: BTreeMap<_, BTreeSet<_>> = lines
        .map(|line| {
            let (name, uses) = line.split_once(':').unwrap();
            (name.trim().to_owned(), uses.split_whitespace().map(str::to_owned).collect())
        })
        .collect();
    dag
}

/// The domain of a file: its folder, or its own name at the top.
fn domain_of(file: &str) -> &str {
    file.split('/').next().unwrap().trim_end_matches(".rs")
}

#[test]
fn the_dag_has_no_cycle() {
    let mut left = dag();
    while !left.is_empty() {
        let free = left.iter().find(|(_, uses)| uses.iter().all(|used| !left.contains_key(used)));
        let name = free.expect("a cycle among the domains").0.clone();
        left.remove(&name);
    }
}

#[test]
fn domains_use_only_what_the_dag_allows() {
    let dag = dag();
    let top = [
        "app", "audit", "router", "serve", "front", "demo", "ground", "lib", "main", "codes",
        "config", "find", "subjects",
    ];
    for (file, text) in sources() {
        let domain = domain_of(&file);
        if top.contains(&domain) {
            continue;
        }
        for used in uses_of(&text) {
            let allowed = used == domain
                || ["codes", "config"].contains(&used.as_str())
                || (domain != "platform" && ["platform", "app"].contains(&used.as_str()))
                || dag.get(domain).is_some_and(|uses| uses.contains(&used));
            assert!(allowed, "{file} may not use crate::{used}");
        }
        assert!(domain == "platform" || dag.contains_key(domain), "{domain} is not in the DAG");
    }
}

/// The modules that a file names after `crate::`, groups included.
fn uses_of(text: &str) -> BTreeSet<String> {
    let mut uses = BTreeSet::new();
    for (index, _) in text.match_indices("crate::") {
        let rest = &text[index + "crate::".len()..];
        if let Some(group) = rest.strip_prefix('{') {
            let group = group.split('}').next().unwrap();
            uses.extend(group.split(',').map(|part| word(part.trim())));
        } else {
            uses.insert(word(rest));
        }
    }
    uses.remove("");
    uses
}

fn word(text: &str) -> String {
    text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
}

#[test]
fn domains_import_each_other_only_through_their_front_door() {
    for (file, text) in sources() {
        let domain = domain_of(&file);
        for inner in [
            "store",
            "secrets_store",
            "contacts_store",
            "claims",
            "step_up",
            "claims_store",
            "model",
            "ops",
            "http",
            "chain",
            "seeds",
            "device",
        ] {
            for other in dag().keys().filter(|other| *other != domain) {
                let door = format!("crate::{other}::{inner}::");
                assert!(!text.contains(&door), "{file} reaches into {door}");
            }
        }
    }
}

#[test]
fn only_its_owner_names_a_table_in_sql() {
    let tables = tables();
    assert!(tables.len() > 12);
    for (file, text) in sources() {
        let domain = domain_of(&file);
        for table in &tables {
            let owner = table.split('_').next().unwrap();
            let named = text.match_indices(table.as_str()).any(|(index, _)| {
                let before = text[..index].chars().next_back();
                !before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '`')
            });
            assert!(!named || domain == owner, "{file} names {table}, which belongs to {owner}");
        }
    }
}

fn migrations() -> Vec<(String, String)> {
    let mut found: Vec<_> = fs::read_dir(server().join("migrations"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            (name, fs::read_to_string(&path).unwrap())
        })
        .collect();
    found.sort();
    found
}

fn tables() -> Vec<String> {
    let mut tables = Vec::new();
    for (_, text) in migrations() {
        for (index, found) in text.match_indices("create table ") {
            tables.push(word(&text[index + found.len()..]));
        }
    }
    tables
}

#[test]
fn tables_carry_their_owners_name() {
    let dag = dag();
    for table in tables() {
        let owner = table.split('_').next().unwrap();
        assert!(owner == "platform" || dag.contains_key(owner), "{table} has no owner");
    }
}

/// The rules that keep the way to shards open.
#[test]
fn migrations_keep_the_scale_rules() {
    for (name, text) in migrations() {
        let sql: String = text
            .lines()
            .map(|line| line.split("--").next().unwrap())
            .collect::<Vec<_>>()
            .join("\n")
            .to_ascii_lowercase();
        for banned in [
            "serial",
            "create sequence",
            "generated always as identity",
            "pg_notify",
            "listen ",
            "pg_advisory",
            "nextval",
            "float",
            "double precision",
            "money ",
        ] {
            assert!(!sql.contains(banned), "{name} uses {banned}");
        }
    }
}

/// A member's table has the member in every unique key, read from the migrated database; the
/// reservation tables, which are global on purpose, are named here.
#[tokio::test]
async fn unique_keys_of_member_tables_have_the_member() {
    let test = TestApp::new().await;
    let without: Vec<String> = sqlx::query_scalar(
        "select i.indexrelid::regclass::text from pg_index i
         join pg_attribute a on a.attrelid = i.indrelid and a.attname in ('member_id', 'holder_id')
         where i.indisunique and not a.attnum = any(i.indkey)
           and i.indrelid::regclass::text not in
               ('members_names', 'members_mobiles', 'members_emails', 'members_codes',
                'sessions_identities')
           -- It is the reservation of a pool's generation.
           and i.indrelid::regclass::text <> 'wallet_escrows'
           and i.indrelid::regclass::text !~ '^pg_'",
    )
    .fetch_all(&test.owner)
    .await
    .unwrap();
    assert!(without.is_empty(), "unique keys without member_id: {without:?}");
}

/// What docs/asvs.md names in backquotes.
fn named_in_asvs() -> Vec<String> {
    let text = fs::read_to_string(server().join("../docs/asvs.md")).unwrap();
    text.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// The file that a test's place stands for: a path in the server, or a module of these tests.
fn file_of(place: &str) -> PathBuf {
    if place.ends_with(".rs") {
        return server().join(place);
    }
    let module = server().join("tests/it").join(place.replace("::", "/"));
    let file = module.with_extension("rs");
    if file.exists() { file } else { module.join("mod.rs") }
}

/// Whether a text has a test of this name: a helper of the same name holds nothing.
fn has_test(text: &str, name: &str) -> bool {
    let head = format!("fn {name}(");
    let heads = text.match_indices(head.as_str()).map(|(index, _)| &text[..index]);
    let attributes = heads.map(|head| head.trim_end().trim_end_matches("async").trim_end());
    attributes.filter_map(|head| head.lines().last()).any(|line| {
        let line = line.trim_start();
        line.starts_with("#[test]") || line.starts_with("#[tokio::test")
    })
}

/// A requirement is only as good as its test: one that is renamed, moved or removed must not leave a
/// claim behind that nobody keeps.
#[test]
fn every_test_that_asvs_names_is_there() {
    let named = named_in_asvs();
    let tests: Vec<_> = named.iter().filter_map(|name| name.rsplit_once("::")).collect();
    assert!(tests.len() > 100, "the document was read");
    for (place, name) in tests {
        let file = file_of(place);
        let text = fs::read_to_string(&file).unwrap_or_default();
        assert!(has_test(&text, name), "{} has no test {name}", file.display());
    }
    let web: Vec<_> = named.iter().filter(|name| name.starts_with("web/")).collect();
    assert!(web.len() > 10, "so were the tests of the web");
    for path in web {
        assert!(server().join("..").join(path).is_file(), "there is no {path}");
    }
}

/// A call that moves money takes an idempotency key, and whoever makes it has completed the
/// registration.
#[test]
fn who_moves_money_is_entitled_to() {
    let mut count = 0;
    for (file, text) in sources() {
        for (index, _) in text.match_indices("IdempotencyKey(key)") {
            let head = text[..index].rsplit_once("async fn ").unwrap().1;
            assert!(head.contains(": Entitled"), "{file}: {head}");
            count += 1;
        }
    }
    assert!(count > 0);
}

#[test]
fn files_stay_readable() {
    for (file, text) in sources() {
        let lines = text.lines().count();
        assert!(lines <= 500, "{file} has {lines} lines: one subject per file");
    }
}
