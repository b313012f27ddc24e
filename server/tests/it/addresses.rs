//! What stands in the addresses of calls: nothing that tells of a person.
//!
//! Addresses are written down on the way, by proxies and browsers. So whoever is looked for is named in a body, and a
//! new call whose address has a parameter that is not listed here fails until somebody has thought about it.

/// What says nothing of anybody, whatever its value is: pages, kinds, states, times, names of games and merchants. Ids
/// that are only ids need no name here.
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

/// What would say something elsewhere, and why it may stand in these addresses.
const IN_PLACE: &[(&str, &[&str])] = &[
    // Whose call it is: `me` or `others`.
    ("/office/api/approvals", &["by"]),
    // The number of a row in a member's own record, and the sides and amounts that are looked for in it.
    ("/office/api/members/{id}/transfers", &["account", "least", "most"]),
    ("/office/api/members/{id}/transfers/export", &["account", "least", "most"]),
    ("/office/api/members/{id}/transfers/{seq}", &["seq"]),
    ("/wps/v2/wallets/transfers", &["after"]),
    // A key that the client made up for one intent.
    ("/wps/v2/wallets/transfers/key/{key}", &["key"]),
    // Names of games, vendors, roles, services, pages, and of a file that everybody will see.
    ("/lgw/games", &["search"]),
    ("/office/api/games/catalogue", &["search"]),
    ("/office/api/games/catalogue/{name}", &["name"]),
    ("/office/api/games/merchants/{id}/offers/{name}", &["name"]),
    ("/office/api/games/vendors/{name}", &["name"]),
    ("/office/api/roles/{name}", &["name"]),
    ("/office/api/service/outside/{name}/try", &["name"]),
    ("/office/api/files", &["name"]),
    ("/wps/pages/{name}", &["name"]),
    // Made of a hash of the session's token; it opens nothing.
    ("/office/api/session/list/{id}", &["id"]),
    ("/wps/member/devices/{id}", &["id"]),
    // An agent gives this code to everybody; the call is the specification's.
    ("/wps/agent/affiliate/check", &["code", "domain"]),
    // The protocol has them in a query. They are good once, in the browser that began.
    ("/wps/session/social/{provider}/callback", &["code", "error", "iss"]),
];

/// The parameters of all addresses, with what is not an id by its type alone.
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
