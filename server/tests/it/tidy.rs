//! Checks by reading the source that the code has the structure described in ARCHITECTURE.md.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::harness::TestApp;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// A Rust file of the server.
struct Source {
    /// Its crate: a domain, `platform`, or `server`.
    owner: String,
    /// Relative to the root of the repository.
    path: String,
    text: String,
}

/// The crates of the server, with their folders.
fn crates() -> Vec<(String, PathBuf)> {
    let mut found = vec![
        ("platform".to_owned(), root().join("crates/platform")),
        ("server".to_owned(), root().join("server")),
    ];
    for entry in fs::read_dir(root().join("domains")).unwrap() {
        let path = entry.unwrap().path();
        found.push((path.file_name().unwrap().to_string_lossy().into_owned(), path));
    }
    assert!(found.len() > 12, "the walk found the crates");
    found
}

/// Every Rust file of the server's crates.
fn sources() -> Vec<Source> {
    let mut found = Vec::new();
    for (owner, folder) in crates() {
        let before = found.len();
        walk(&owner, &folder.join("src"), &mut found);
        assert!(found.len() > before, "{owner} has no source");
    }
    assert!(found.len() > 200, "the walk found the source");
    found
}

fn walk(owner: &str, folder: &Path, found: &mut Vec<Source>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            walk(owner, &path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let name = path.strip_prefix(root()).unwrap().display().to_string();
            let text = fs::read_to_string(&path).unwrap();
            found.push(Source { owner: owner.to_owned(), path: name, text });
        }
    }
}

/// ARCHITECTURE.md lists for every domain exactly the domains that its Cargo.toml names.
#[test]
fn the_architecture_draws_the_domains_as_cargo_has_them() {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let (_, rest) = text.split_once("```dag\n").expect("ARCHITECTURE.md has a dag block");
    let (block, _) = rest.split_once("```").unwrap();
    let drawn: BTreeMap<String, BTreeSet<String>> = block
        .lines()
        .filter_map(|line| line.split_once(':'))
        .map(|(name, uses)| {
            (name.trim().to_owned(), uses.split_whitespace().map(str::to_owned).collect())
        })
        .collect();
    let domains: BTreeMap<String, PathBuf> =
        crates().into_iter().filter(|(_, path)| path.starts_with(root().join("domains"))).collect();
    let built: BTreeMap<String, BTreeSet<String>> = domains
        .iter()
        .map(|(name, path)| {
            let manifest = fs::read_to_string(path.join("Cargo.toml")).unwrap();
            let (_, needed) = manifest.split_once("[dependencies]").unwrap();
            let uses = needed.lines().filter_map(|line| line.split('.').next());
            let uses = uses.filter(|used| domains.contains_key(*used)).map(str::to_owned);
            (name.clone(), uses.collect())
        })
        .collect();
    assert_eq!(drawn, built);
}

fn word(text: &str) -> String {
    text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
}

/// Tables whose prefix is an earlier name of their domain.
const OLD_NAMES: [(&str, &str); 5] = [
    ("sessions", "identity"),
    ("inbox", "support"),
    ("site_content", "content"),
    ("site_editions", "content"),
    ("site_file", "content"),
];

/// The crate that owns a table: the longest matching prefix decides.
fn owner_of(table: &str) -> String {
    let old = OLD_NAMES.iter().filter(|(name, _)| table.starts_with(name));
    let old = old.max_by_key(|(name, _)| name.len()).map(|(_, owner)| (*owner).to_owned());
    old.unwrap_or_else(|| word(table).split('_').next().unwrap().to_owned())
}

#[test]
fn only_its_owner_names_a_table_in_sql() {
    let tables = tables();
    assert!(tables.len() > 12);
    for Source { owner, path, text } in sources() {
        for table in &tables {
            let named = text.match_indices(table.as_str()).any(|(index, _)| {
                let before = text[..index].chars().next_back();
                !before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '`')
            });
            let of = owner_of(table);
            assert!(!named || owner == of, "{path} names {table}, which belongs to {of}");
        }
    }
}

fn migrations() -> Vec<(String, String)> {
    let mut found: Vec<_> = fs::read_dir(root().join("server/migrations"))
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
    let crates: BTreeMap<_, _> = crates().into_iter().collect();
    for table in tables() {
        assert!(crates.contains_key(&owner_of(&table)), "{table} has no owner");
    }
}

/// Migration rules that keep sharding possible.
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

/// Every unique key of a member's table contains the member, read from the migrated database.
/// Reservation tables are global on purpose and listed here.
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

/// The names in backquotes in docs/asvs.md.
fn named_in_asvs() -> Vec<String> {
    let text = fs::read_to_string(root().join("docs/asvs.md")).unwrap();
    text.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// The file that contains a test: from a path in the repository, or a module of these tests.
fn file_of(place: &str) -> PathBuf {
    if place.ends_with(".rs") {
        return root().join(place);
    }
    let module = root().join("server/tests/it").join(place.replace("::", "/"));
    let file = module.with_extension("rs");
    if file.exists() { file } else { module.join("mod.rs") }
}

/// Whether a text has a test function of this name; a helper of the same name does not count.
fn has_test(text: &str, name: &str) -> bool {
    let head = format!("fn {name}(");
    let heads = text.match_indices(head.as_str()).map(|(index, _)| &text[..index]);
    let attributes = heads.map(|head| head.trim_end().trim_end_matches("async").trim_end());
    attributes.filter_map(|head| head.lines().last()).any(|line| {
        let line = line.trim_start();
        line.starts_with("#[test]") || line.starts_with("#[tokio::test")
    })
}

/// A requirement is only as good as its test: renaming, moving or removing a test must not leave a
/// false claim in docs/asvs.md.
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
        assert!(root().join(path).is_file(), "there is no {path}");
    }
}

/// A call that moves money requires an idempotency key and a member with a completed registration.
#[test]
fn who_moves_money_is_entitled_to() {
    let mut count = 0;
    for Source { path, text, .. } in sources() {
        for (index, _) in text.match_indices("IdempotencyKey(key)") {
            let head = text[..index].rsplit_once("async fn ").unwrap().1;
            assert!(head.contains(": Entitled"), "{path}: {head}");
            count += 1;
        }
    }
    assert!(count > 0);
}

#[test]
fn files_stay_readable() {
    for Source { path, text, .. } in sources() {
        let lines = text.lines().count();
        assert!(lines <= 500, "{path} has {lines} lines: one subject per file");
    }
}

/// The name of a type in the API document, if the lines after its derive attribute declare one.
fn schema_name(after: &str) -> Option<String> {
    let lines = after.lines().map(str::trim);
    let mut head = lines.skip(1).take_while(|line| !line.is_empty() && !line.ends_with('}'));
    let mut named = None;
    head.find_map(|line| {
        if let Some((_, name)) = line.split_once("schema(as = ") {
            named = Some(word(name));
        }
        let (_, name) = line.split_once("struct ").or_else(|| line.split_once("enum "))?;
        (!line.starts_with('#') && !line.starts_with("//")).then(|| word(name))
    })
    .map(|name| named.unwrap_or(name))
}

/// Two crates with equal schema names would overwrite each other's schema in the document.
#[test]
fn every_schema_of_the_api_has_a_name_of_its_own() {
    let mut owners: BTreeMap<String, String> = BTreeMap::new();
    for Source { path, text, .. } in sources() {
        for (index, _) in text.match_indices("ToSchema)]") {
            let Some(name) = schema_name(&text[index..]) else {
                panic!("{path}: a schema without a name");
            };
            if let Some(other) = owners.insert(name.clone(), path.clone()) {
                panic!(
                    "{path} and {other} both have a schema {name}: `schema(as = …)` tells them apart"
                );
            }
        }
    }
    assert!(owners.len() > 200, "the schemas were found: {}", owners.len());
}

/// What a file imports from its own crate, as modules: `super` and `self` are resolved, groups
/// expanded. Tests inside a file are ignored.
fn imports(module: &[String], text: &str) -> BTreeSet<Vec<String>> {
    let text = text.split("#[cfg(test)]").next().unwrap();
    let code: Vec<_> = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    let code = code.join("\n");
    let mut found = BTreeSet::new();
    for head in ["crate::", "super::", "self::"] {
        for (index, _) in code.match_indices(head) {
            let before = code[..index].chars().next_back();
            if before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':') {
                continue;
            }
            follow(module.to_vec(), &code[index..], &mut found);
        }
    }
    found
}

/// Resolves a path of the source, relative to a module, to everything that it names.
fn follow(mut from: Vec<String>, path: &str, found: &mut BTreeSet<Vec<String>>) {
    let path = path.trim_start();
    if let Some(group) = path.strip_prefix('{') {
        let mut depth = 0;
        let items = group.split_inclusive(|c| {
            depth += i32::from(c == '{') - i32::from(c == '}');
            (c == ',' && depth == 0) || depth < 0
        });
        for item in items.take_while(|item| !item.is_empty()) {
            follow(from.clone(), item, found);
            if item.ends_with('}') && item.matches('}').count() > item.matches('{').count() {
                break;
            }
        }
        return;
    }
    let name = word(path);
    match name.as_str() {
        "crate" => from.clear(),
        "super" => drop(from.pop()),
        "self" | "" => {}
        _ => from.push(name.clone()),
    }
    match path[name.len()..].strip_prefix("::") {
        Some(rest) => follow(from, rest, found),
        None => drop(found.insert(from)),
    }
}

/// The modules of a crate by their paths, without the root, which names all of them.
fn modules(owner: &str, folder: &Path) -> BTreeMap<Vec<String>, Source> {
    let mut files = Vec::new();
    walk(owner, &folder.join("src"), &mut files);
    let source = folder.strip_prefix(root()).unwrap().join("src");
    let path_of = |file: &Source| -> Vec<String> {
        let inner = Path::new(&file.path).strip_prefix(&source).unwrap().with_extension("");
        let mut parts: Vec<_> =
            inner.iter().map(|part| part.to_string_lossy().into_owned()).collect();
        if ["mod", "lib", "main"].contains(&parts.last().unwrap().as_str()) {
            parts.pop();
        }
        parts
    };
    let named = files.into_iter().map(|file| (path_of(&file), file));
    named.filter(|(path, _)| !path.is_empty()).collect()
}

/// All modules that can be reached from a module by its imports.
fn reach(
    start: &[String],
    edges: &BTreeMap<Vec<String>, BTreeSet<Vec<String>>>,
) -> BTreeSet<Vec<String>> {
    let (mut seen, mut left) = (BTreeSet::new(), vec![start.to_vec()]);
    while let Some(module) = left.pop() {
        for next in &edges[&module] {
            if seen.insert(next.clone()) {
                left.push(next.clone());
            }
        }
    }
    seen
}

/// Imports between folders have no cycles, so that a folder can be understood without those that
/// depend on it.
#[test]
fn no_imports_go_in_a_circle_across_folders() {
    for (owner, folder) in crates() {
        let modules = modules(&owner, &folder);
        let edges: BTreeMap<_, BTreeSet<_>> = modules
            .iter()
            .map(|(path, file)| {
                let named = imports(path, &file.text).into_iter().filter_map(|mut named| {
                    while !named.is_empty() && !modules.contains_key(&named) {
                        named.pop();
                    }
                    (!named.is_empty() && named != *path).then_some(named)
                });
                (path.clone(), named.collect())
            })
            .collect();
        let reached: BTreeMap<_, _> =
            edges.keys().map(|path| (path.clone(), reach(path, &edges))).collect();
        let folder_of =
            |path: &[String]| Path::new(&modules[path].path).parent().unwrap().to_owned();
        for (path, others) in &reached {
            let circle = others.iter().find(|other| {
                reached[*other].contains(path) && folder_of(path) != folder_of(other)
            });
            if let Some(other) = circle {
                panic!("{owner}: {} and {} import each other", path.join("::"), other.join("::"));
            }
        }
    }
}
