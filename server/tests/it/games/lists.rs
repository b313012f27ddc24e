//! Menus, lists with every parameter, search, vendors, winners, and ETags.

use axum::body::Body;
use axum::http::{Request, header};
use serde_json::json;

use super::{change, codes, page};
use crate::harness::TestApp;

const ALL: [&str; 12] = [
    "dice", "windows", "mines", "sari", "plinko", "reef", "fiesta", "hilo", "wheel", "limbo",
    "keno", "scratch",
];

#[tokio::test]
async fn a_game_is_listed_with_everything_that_is_known_of_it() {
    let test = TestApp::new().await;
    let answer = test.visitor().get("/lgw/games?pageSize=2").await;
    let list = answer.value();
    assert_eq!(
        (&list["pageNum"], &list["totalPages"], &list["total"]),
        (&json!(1), &json!(6), &json!(12))
    );
    let expected = json!({
        "nodeId": "windows", "vendor": "CAPIZ", "vassalage": "CAPIZ", "vendorName": "Capiz Studio",
        "gameType": "RNG", "gameCode": "windows", "gameName": "Capiz Windows",
        "displayName": "Capiz Windows", "showIcon": "/art/windows.svg", "supportPlay": 0,
        "isGame": "GAME", "gameClassify": ["JP"], "isNew": true, "isHot": true, "jackpot": true,
        "maintenance": false,
    });
    for (name, value) in expected.as_object().unwrap() {
        assert_eq!(&list["content"][1][name], value, "{name}");
    }
    for item in test.visitor().get("/lgw/games").await.value()["content"].as_array().unwrap() {
        let percent: f64 = item["returnPercent"].as_str().unwrap().parse().unwrap();
        assert!((90.0..100.0).contains(&percent), "{item}");
    }
}

#[tokio::test]
async fn every_parameter_narrows_the_list() {
    let test = TestApp::new().await;
    let visitor = test.visitor();
    for (query, expected) in [
        ("", ALL.to_vec()),
        (
            "clientType=3&platform=flash,html5-desktop&merchant=capiz&pageNo=1&pageSize=42",
            ALL.to_vec(),
        ),
        ("clientType=1", vec![]),
        ("platform=flash", vec![]),
        ("pageNo=2&pageSize=5", ALL[5..10].to_vec()),
        ("pageNo=4&pageSize=5", vec![]),
        ("gameType=RNG", ALL.to_vec()),
        ("gameType=LIVE", vec![]),
        ("gameType=HOT", ALL[..6].to_vec()),
        ("gameType=BINGO", vec!["keno"]),
        ("gameClassify=JP", vec!["windows", "sari"]),
        ("gameClassify=SC", vec!["scratch"]),
        ("gameClassify=AC&isNew=1", vec!["mines", "plinko"]),
        ("isNew=0&isHot=0", vec!["wheel", "limbo", "keno", "scratch"]),
        ("vassalage=CAPIZ&pageSize=1", vec!["dice"]),
        ("vassalage=OTHER", vec![]),
        ("sort=name&pageSize=3", vec!["windows", "reef", "dice"]),
        ("gameClassify=JP&sort=name", vec!["windows", "sari"]),
        ("language=TY&gameClassify=SC", vec!["scratch"]),
    ] {
        assert_eq!(page(&visitor, query).await, expected, "{query}");
    }
    for (query, field) in [
        ("pageNo=0", "pageNo"),
        ("pageNo=10001", "pageNo"),
        ("pageSize=0", "pageSize"),
        ("pageSize=101", "pageSize"),
        ("gameType=POKER", "gameType"),
        ("gameClassify=XX", "gameClassify"),
        ("isNew=2", "isNew"),
        ("isHot=7", "isHot"),
        ("merchant=another", "merchant"),
        ("language=E%00", "language"),
        (&format!("search={}", "x".repeat(65)), "search"),
        (&format!("platform={}", "x".repeat(101)), "platform"),
    ] {
        let answer = visitor.get(&format!("/lgw/games?{query}")).await;
        answer.assert_refused(400, "input.invalid");
        assert!(answer.body["fields"][field].is_string(), "{query}: {}", answer.text);
    }
    for query in ["pageNo=x", "pageNo=-1", "clientType=99999999", "sort=price", "isNew=yes"] {
        let answer = visitor.get(&format!("/lgw/games?{query}")).await;
        answer.assert_refused(400, "request.malformed");
    }
}

#[tokio::test]
async fn a_search_forgives_capitals_accents_and_mistakes() {
    let test = TestApp::new().await;
    let visitor = test.visitor();
    for (text, expected) in [
        ("PLINKO", vec!["plinko"]),
        ("plinco", vec!["plinko"]),
        ("widnows", vec!["windows"]),
        ("capiz%20win", vec!["windows"]),
        ("sarisari", vec!["sari"]),
        ("Hi-l%C3%B3", vec!["hilo"]),
        ("hilo", vec!["hilo"]),
        ("fiestta", vec!["fiesta"]),
        // Its name in the other language, and other search terms for it.
        ("korales", vec!["reef"]),
        ("m%C3%ADnes", vec!["mines"]),
        ("scrtach", vec!["scratch"]),
        ("zzzz", vec![]),
        ("%21%21%21", vec![]),
        ("%00", vec![]),
    ] {
        assert_eq!(page(&visitor, &format!("search={text}")).await, expected, "{text}");
    }
    // A vendor's name finds its games, after games with the word in their own names.
    let by_vendor = page(&visitor, "search=capiz&pageSize=3").await;
    assert_eq!(by_vendor, ["windows", "dice", "mines"]);
    assert_eq!(page(&visitor, "search=capiz&gameClassify=SC").await, ["scratch"]);
    assert_eq!(page(&visitor, "search=%20").await.len(), 12);
}

#[tokio::test]
async fn names_are_told_in_the_language_that_is_asked_for() {
    let test = TestApp::new().await;
    let visitor = test.visitor();
    for (query, name) in
        [("", "Coral Reef"), ("&language=TY", "Bahura ng Korales"), ("&language=JA", "Coral Reef")]
    {
        let answer = visitor.get(&format!("/lgw/games?search=reef{query}")).await;
        assert_eq!(answer.value()["content"][0]["gameName"], name, "{query}");
    }
    let hot = visitor
        .get("/lgw/games/hot?merchantCode=capiz&isPlatform=2&platform=html5-desktop&language=TY")
        .await;
    assert_eq!(codes(hot.value()), ALL[..6]);
    assert_eq!(hot.value()[1]["gameName"], "Mga Bintanang Capiz");
    visitor.get("/lgw/games/hot?isPlatform=1").await.assert_refused(400, "input.invalid");
    visitor.get("/lgw/games/hot?merchantCode=x").await.assert_refused(400, "input.invalid");
    let popular = visitor.get("/lgw/games/popular?language=TY").await;
    assert_eq!(codes(popular.value()), ALL);
    assert_eq!(popular.value()[5]["gameName"], "Bahura ng Korales");
}

#[tokio::test]
async fn menus_have_the_categories_that_have_games() {
    let test = TestApp::new().await;
    let visitor = test.visitor();
    let menus = visitor.get("/lgw/games/game_menus").await;
    let menus = menus.value().as_array().unwrap();
    let names: Vec<_> = menus.iter().map(|menu| menu["gameCategory"].as_str().unwrap()).collect();
    assert_eq!(names, ["RNG", "BINGO", "HOT"]);
    let vendor = &menus[0]["vendors"][0];
    assert_eq!(vendor["displayName"], "Capiz Studio");
    assert_eq!((&vendor["accountTypeName"], &vendor["games"]), (&json!("Capiz"), &json!(12)));
    assert_eq!(vendor["images"]["purple"], "/art/vendor/CAPIZ/purple.svg");
    assert_eq!(menus[0]["labels"], json!({ "AC": 5, "BG": 1, "JP": 2, "SC": 1, "TG": 1 }));

    // Vendors without games are not listed; sports of some vendors are e-sports.
    change(
        &test,
        "insert into games_vendors (vassalage, display_name, account_type_name, position)
         values ('AV', 'Avalon', 'AV', 2), ('NONE', 'Nothing', 'NONE', 3);
         insert into games_catalogue
            (code, vendor, vassalage, game_type, name, position, min_stake, max_stake, max_payout)
         values ('av-cup', 'AV', 'AV', 'SPORTS', 'The Cup', 20, 10000, 10000, 10000)",
    )
    .await;
    let menus = visitor.get("/lgw/games/game_menus").await;
    let names: Vec<_> =
        menus.value().as_array().unwrap().iter().map(|menu| &menu["gameCategory"]).collect();
    assert_eq!(names, ["RNG", "BINGO", "ESPORTS", "HOT"]);
    assert_eq!(page(&visitor, "gameType=ESPORTS").await, ["av-cup"]);
    assert!(page(&visitor, "gameType=SPORTS").await.is_empty());
    let vendors = visitor.get("/lgw/games/vendors?merchantCode=capiz").await;
    let names: Vec<_> =
        vendors.value().as_array().unwrap().iter().map(|v| &v["vassalage"]).collect();
    assert_eq!(names, ["CAPIZ", "AV"]);
    visitor.get("/lgw/games/vendors?merchantCode=x").await.assert_refused(400, "input.invalid");
}

#[tokio::test]
async fn bingo_is_a_category_only_where_tagalog_is_spoken() {
    let test = TestApp::new().await;
    let brand = "insert into site_brands (merchant_id, brand)
         select id, '{\"languages\": [\"EN\"]}' from site_merchants";
    change(&test, brand).await;
    let menus = test.visitor().get("/lgw/games/game_menus").await;
    let menus = menus.value().as_array().unwrap();
    let names: Vec<_> = menus.iter().map(|menu| &menu["gameCategory"]).collect();
    assert_eq!(names, ["RNG", "HOT"]);
    assert!(menus[0]["labels"].get("BG").is_none());
    assert!(page(&test.visitor(), "gameType=BINGO").await.is_empty());
}

#[tokio::test]
async fn lists_carry_etags_and_are_not_sent_twice() {
    let test = TestApp::new().await;
    let visitor = test.visitor();
    for path in [
        "/lgw/games/game_menus",
        "/lgw/games/popular",
        "/lgw/games/hot",
        "/lgw/games?search=dice",
        "/lgw/games/vendors",
        "/lgw/games/winners",
    ] {
        let first = visitor.get(path).await;
        let etag = first.headers[header::ETAG].clone();
        assert_eq!(first.headers[header::CACHE_CONTROL], "no-cache", "{path}");
        let ask = |tag: header::HeaderValue| {
            visitor.send(
                Request::builder()
                    .uri(path)
                    .header(header::IF_NONE_MATCH, tag)
                    .body(Body::empty())
                    .unwrap(),
            )
        };
        let again = ask(etag.clone()).await;
        assert_eq!((again.status.as_u16(), again.text.as_str()), (304, ""), "{path}");
        assert_eq!(again.headers[header::ETAG], etag);
        let other = ask(header::HeaderValue::from_static("\"other\"")).await;
        assert_eq!((other.status.as_u16(), &other.text), (200, &first.text), "{path}");
    }
    let before = visitor.get("/lgw/games/popular").await.headers[header::ETAG].clone();
    change(&test, "update games_catalogue set name = 'Dices' where code = 'dice'").await;
    assert_ne!(visitor.get("/lgw/games/popular").await.headers[header::ETAG], before);
}

#[tokio::test]
async fn the_winners_board_can_be_asked_for_a_category() {
    let test = TestApp::new().await;
    let member = test.member("maria").await;
    let bet = json!({ "stake": "1", "choice": { "target": 9800, "direction": "under" } });
    for turn in 0..12 {
        member.play(&format!("the-round-{turn}"), &bet).await.value();
    }
    let board = async |query: &str| {
        let answer = test.visitor().get(&format!("/lgw/games/winners?{query}")).await;
        codes(answer.value()).len()
    };
    let all = board("gameCategory=ALL&language=EN&limitNum=20").await;
    assert!(all > 0);
    assert_eq!(board("gameCategory=RNG").await, all);
    assert_eq!(board("gameCategory=HOT&limitNum=1").await, 1);
    assert_eq!(board("gameCategory=LIVE").await, 0);
    for query in ["gameCategory=X", "limitNum=0", "limitNum=21", "language=%00"] {
        let answer = test.visitor().get(&format!("/lgw/games/winners?{query}")).await;
        answer.assert_refused(400, "input.invalid");
    }
}

#[tokio::test]
async fn all_games_are_played_from_one_wallet() {
    let test = TestApp::new().await;
    let wallet = test.visitor().get("/lgw/games/merchant_wallet?merchantCode=capiz").await;
    assert_eq!(wallet.value(), &json!({ "isSingle": 1 }));
    let other = test.visitor().get("/lgw/games/merchant_wallet?merchantCode=x").await;
    other.assert_refused(400, "input.invalid");
}
