//! Regions: countries where a site is closed, and games it does not offer in a country.

use axum::body::Body;
use axum::http::{Method, Request, header};
use serde_json::{Value, json};

use crate::harness::{Answer, Client, TestApp};
use crate::office::clerk;
use crate::policies::{GERMANY, PHILIPPINES, geoip_database};

/// A site behind a proxy, with a policy for Germany.
pub async fn site(policy: &str) -> TestApp {
    let test = TestApp::configured(|config| {
        config.platform.geoip = geoip_database();
        config.platform.trusted_proxies = vec!["127.0.0.1".parse().unwrap()];
    })
    .await;
    test.change(&format!(
        "insert into site_policies (merchant_id, country, restricted, closed_categories)
         select id, 'DE', {policy} from site_merchants"
    ))
    .await;
    test
}

async fn status(client: &Client<'_>) -> (Value, Value, Value) {
    let status = client.get("/wps/system/status").await.value()["status"].clone();
    let permission = client.get("/wps/system/permission").await;
    let boot = client.get("/wps/system/boot").await;
    (status, permission.value()["regionRestriction"].clone(), boot.value()["status"].clone())
}

#[tokio::test]
async fn visitors_of_a_restricted_country_find_a_page_that_says_so() {
    let test = site("true, '{}'").await;
    let (german, filipino) = (test.visitor().at(GERMANY), test.visitor().at(PHILIPPINES));
    assert_eq!(status(&german).await, (json!(2), json!(true), json!(2)));
    assert_eq!(status(&filipino).await, (json!(0), json!(false), json!(0)));
    let permission = german.get("/wps/system/permission").await;
    assert_eq!(permission.value()["location"]["ip"], GERMANY);
    // Maintenance takes precedence, because it concerns everybody.
    test.change("update site_merchants set maintenance = true").await;
    assert_eq!(status(&german).await.0, json!(1));
}

#[tokio::test]
async fn nothing_is_played_from_there() {
    let test = site("true, '{}'").await;
    let home = test.member("maria").await;
    let maria = home.at(GERMANY);
    let refused = |answer: Answer| answer.assert_refused(403, "site.restricted");
    for path in [
        "/lgw/games",
        "/lgw/games/popular",
        "/lgw/games/winners",
        "/wps/member/info",
        "/wps/v2/wallets/balance",
        "/wps/game/launchGame?gameCode=dice",
    ] {
        refused(maria.get(path).await);
        home.at(PHILIPPINES).get(path).await.value();
    }
    let bet = json!({ "stake": "1", "choice": { "target": 5000, "direction": "under" } });
    refused(maria.play("key-of-a-traveller", &bet).await);
    let mut stranger = test.visitor().at(GERMANY);
    refused(stranger.login("maria", "a-good-password").await);
    refused(stranger.register("heinrich", "a-good-password").await);
    // The calls of the replacement page work, and visitors can send feedback.
    for path in ["/wps/system/whitelabel", "/wps/system/domainRoute", "/wps/captcha/challenge"] {
        maria.get(path).await.value();
    }
    let feedback = json!({ "questionType": "OTHER", "content": "Why may I not play here?" });
    maria.request(Method::PUT, "/wps/feedback", Some(&feedback)).await.value();
}

async fn play_keno(client: &Client<'_>, key: &str) -> Answer {
    let body = json!({ "stake": "1", "choice": { "picks": [1, 2, 3] } });
    let request = Request::builder()
        .method(Method::POST)
        .uri("/lgw/play/keno")
        .header(header::CONTENT_TYPE, "application/json")
        .header("idempotency-key", key);
    client.send(request.body(Body::from(body.to_string())).unwrap()).await
}

fn codes(answer: &Answer) -> Vec<String> {
    let list = answer.value().as_array().or_else(|| answer.value()["content"].as_array()).unwrap();
    list.iter().map(|game| game["gameCode"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn a_closed_category_is_neither_listed_nor_played() {
    let test = site("false, '{BINGO}'").await;
    let home = test.member("maria").await.at(PHILIPPINES);
    let maria = home.at(GERMANY);
    let keno = "keno".to_owned();
    assert!(codes(&home.get("/lgw/games").await).contains(&keno));
    let abroad = codes(&maria.get("/lgw/games").await);
    assert!(!abroad.contains(&keno) && abroad.contains(&"dice".to_owned()), "{abroad:?}");
    let found = maria.get("/lgw/games?search=keno").await;
    assert!(!codes(&found).contains(&keno));
    let menus = |answer: &Answer| answer.text.contains("\"BINGO\"");
    assert!(menus(&home.get("/lgw/games/game_menus").await));
    assert!(!menus(&maria.get("/lgw/games/game_menus").await));

    let key = "played-before-the-journey";
    let launch = "/wps/game/launchGame?gameCode=keno";
    home.get(launch).await.value();
    maria.get(launch).await.assert_refused(404, "games.unknown_game");
    let first = play_keno(&home, key).await;
    first.value();
    play_keno(&maria, "played-abroad").await.assert_refused(404, "games.unknown_game");
    // The response of an earlier round is repeated anywhere.
    assert_eq!(play_keno(&maria, key).await.value()["id"], first.value()["id"]);
}

#[tokio::test]
async fn the_office_closes_a_country() {
    let test = site("false, '{}'").await;
    staff::create_demo_staff(&test.app.staff, capiz::demo::STAFF).await.unwrap();
    let admin = clerk(&test, "admin").await;
    let merchants = admin.get("/office/api/settings/merchants").await;
    let id = merchants.value()[0]["id"].as_str().unwrap().to_owned();
    let path = format!("/office/api/settings/merchants/{id}");
    let seen = admin.get(&path).await.value()["policies"]["DE"].clone();
    assert_eq!((&seen["restricted"], &seen["closedCategories"]), (&json!(false), &json!([])));
    let change = async |fields: Value| {
        let mut value = seen.clone();
        for (name, field) in fields.as_object().unwrap() {
            value[name] = field.clone();
        }
        let reason = "the law there";
        let body = json!({ "kind": "policy", "name": "DE", "seen": seen, "value": value,
            "reason": reason });
        admin.send(Method::PUT, &path, Some(&body)).await
    };
    for categories in [json!(["HOT"]), json!(["GOLF"]), json!(["LIVE", "LIVE"])] {
        let refused = change(json!({ "closedCategories": categories })).await;
        assert_eq!(refused.body["fields"], json!({ "closedCategories": "unknown" }));
    }
    change(json!({ "restricted": true, "closedCategories": ["LIVE"] })).await.value();
    assert_eq!(status(&test.visitor().at(GERMANY)).await.0, json!(2));
    assert_eq!(status(&test.visitor().at(PHILIPPINES)).await.0, json!(0));
}

#[tokio::test]
async fn switches_and_the_domain_can_be_asked_for() {
    let test = TestApp::new().await;
    let visitor = test.visitor();
    let permission = visitor.get("/wps/system/permission").await;
    let tree = visitor.get("/wps/system/whitelabel").await;
    assert_eq!(tree.value(), &permission.value()["info"]["whitelabelVal"]);
    assert!(tree.headers.contains_key(header::ETAG));
    let route = visitor.get("/wps/system/domainRoute").await;
    assert_eq!(route.value(), &json!({ "domainRoute": "/", "mainDomain": "127.0.0.1" }));
}
