//! URLs of calls contain no personal data.
//!
//! Proxies and browsers log URLs. So search terms that identify a person are sent in a body, and a
//! new call whose URL has a parameter that is not listed here fails until somebody has reviewed it.

/// Parameters that say nothing about a person whatever their value: pages, kinds, states, times,
/// names of games and merchants. Parameters that can only be ids need no entry here.
const HARMLESS: &[&str] = &[
    "pageNo",
    "pageSize",
    "limit",
    "limitNum",
    "before",
    "day",
    "from",
    "until",
    "kind",
    "state",
    "status",
    "type",
    "types",
    "sort",
    "language",
    "lang",
    "device",
    "platform",
    "isPlatform",
    "clientType",
    "execution",
    "group",
    "merchant",
    "merchantCode",
    "currency",
    "game",
    "gameCode",
    "gameType",
    "gameCategory",
    "gameClassify",
    "vassalage",
    "isNew",
    "isHot",
    "maintenance",
    "visible",
    "nodeId",
    "vendor",
    "slug",
    "provider",
];

/// Parameters that could be personal data elsewhere, and why they may be in these URLs.
const IN_PLACE: &[(&str, &[&str])] = &[
    // Whose requests to list: `me` or `others`.
    ("/office/api/approvals", &["by"]),
    // The number of a row in a member's own record, and the accounts and amounts to filter by.
    ("/office/api/members/{id}/transfers", &["account", "least", "most"]),
    ("/office/api/members/{id}/transfers/export", &["account", "least", "most"]),
    ("/office/api/members/{id}/transfers/{seq}", &["seq"]),
    ("/wps/v2/wallets/transfers", &["after"]),
    // An idempotency key that the client generated.
    ("/wps/v2/wallets/transfers/key/{key}", &["key"]),
    // Names of games, vendors, roles, services, pages, and of a public file.
    ("/lgw/games", &["search"]),
    ("/office/api/games/catalogue", &["search"]),
    ("/office/api/games/catalogue/{name}", &["name"]),
    ("/office/api/games/merchants/{id}/offers/{name}", &["name"]),
    ("/office/api/games/vendors/{name}", &["name"]),
    ("/office/api/roles/{name}", &["name"]),
    ("/office/api/service/outside/{name}/try", &["name"]),
    ("/office/api/files", &["name"]),
    ("/wps/pages/{name}", &["name"]),
    // Derived from a hash of the session's token; it gives no access.
    ("/office/api/session/list/{id}", &["id"]),
    ("/wps/member/devices/{id}", &["id"]),
    // Agents publish this code; the call is given by the specification.
    ("/wps/agent/affiliate/check", &["code", "domain"]),
    // OAuth requires these in the query. They are valid once, in the browser that started the
    // login.
    ("/wps/session/social/{provider}/callback", &["code", "error", "iss"]),
];

/// The parameters of all URLs, except those that are ids by their type.
fn parameters() -> Vec<(String, String)> {
    let document = crate::harness::api_document();
    let mut found = Vec::new();
    for (path, calls) in document["paths"].as_object().unwrap() {
        let calls = calls.as_object().unwrap().values();
        for parameter in calls.filter_map(|call| call["parameters"].as_array()).flatten() {
            let is_in_address = parameter["in"] == "path" || parameter["in"] == "query";
            if is_in_address && parameter["schema"]["format"] != "uuid" {
                found.push((path.clone(), parameter["name"].as_str().unwrap().to_owned()));
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

fn may_stand(path: &str, name: &str) -> bool {
    let here = IN_PLACE.iter().filter(|(place, _)| *place == path);
    HARMLESS.contains(&name) || here.flat_map(|(_, names)| *names).any(|allowed| *allowed == name)
}

#[test]
fn no_address_of_a_call_has_room_for_a_person() {
    let all = parameters();
    assert!(all.len() > 50, "the document has {all:?}");
    let odd: Vec<_> = all.iter().filter(|(path, name)| !may_stand(path, name)).collect();
    assert!(odd.is_empty(), "put these into a body, or say above why they may stay: {odd:#?}");
}

#[test]
fn the_list_of_exceptions_has_nothing_that_is_gone() {
    let all = parameters();
    let is_there = |path: &str, name: &str| all.iter().any(|one| one.0 == path && one.1 == name);
    for (path, names) in IN_PLACE {
        for name in *names {
            assert!(is_there(path, name), "{path} has no {name} any more");
        }
    }
    for name in HARMLESS {
        assert!(all.iter().any(|one| one.1 == *name), "nothing is called {name} any more");
    }
}
