//! Cached documents always equal what would be generated anew.

use axum::body::Body;
use axum::http::{HeaderMap, Method, Request, StatusCode, header};
use chrono::Duration;

use crate::harness::{Answer, TestApp};
use crate::policies::{GERMANY, PHILIPPINES, geoip_database};

const PACKED: (&str, &str) = ("accept-encoding", "gzip, deflate, br");

/// A site behind a proxy with two merchants, one of which is closed in Germany.
async fn site() -> TestApp {
    let test = TestApp::configured(|config| {
        config.platform.geoip = geoip_database();
        config.platform.trusted_proxies = vec!["127.0.0.1".parse().unwrap()];
    })
    .await;
    test.change(
        "insert into site_policies (merchant_id, country, restricted, closed_categories)
         select id, 'DE', true, '{}' from site_merchants;
         insert into site_merchants values ('018f0000-0000-7000-8000-000000000002', 'second',
            'Second', 'PHP', 'Asia/Manila', 'second.example', 0, false, now());
         insert into site_hosts values
            ('second.example', '018f0000-0000-7000-8000-000000000002', false)",
    )
    .await;
    test
}

async fn ask(test: &TestApp, method: &Method, path: &str, headers: &[(&str, &str)]) -> Answer {
    let mut request = Request::builder().method(method).uri(path);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    test.send(request.body(Body::empty()).unwrap()).await
}

async fn home(test: &TestApp) -> Answer {
    ask(test, &Method::GET, "/", &[]).await
}

/// All of a response except the request id.
fn whole(answer: Answer) -> (StatusCode, HeaderMap, String) {
    let mut headers = answer.headers;
    assert!(headers.remove("x-request-id").is_some());
    (answer.status, headers, answer.text)
}

/// A node without a cache and one with a cache give the same response.
async fn assert_alike(test: &TestApp, method: &Method, path: &str, headers: &[(&str, &str)]) {
    let made = whole(ask(&test.another_node(), method, path, headers).await);
    for _ in 0..2 {
        let kept = whole(ask(test, method, path, headers).await);
        assert_eq!(kept, made, "{method} {path} {headers:?}");
    }
}

#[tokio::test]
async fn a_kept_document_is_the_one_that_would_be_made() {
    let test = site().await;
    let tag = home(&test).await.headers[header::ETAG].to_str().unwrap().to_owned();
    let packed = ask(&test, &Method::GET, "/", &[PACKED]).await;
    let packed_tag = packed.headers[header::ETAG].to_str().unwrap().to_owned();
    let visits: &[&[(&str, &str)]] = &[
        &[],
        &[PACKED],
        &[("cookie", "lang=TY")],
        &[("cookie", "lang=EN; capiz-device=whatever"), PACKED],
        &[("accept-language", "fil-PH,fil;q=0.9,en;q=0.8")],
        &[("if-none-match", &tag)],
        &[("if-none-match", &packed_tag), PACKED],
        &[("if-none-match", "\"another\"")],
        &[("host", "LOCALHOST:8080")],
        &[("host", "second.example")],
        &[("merchant", "second")],
        &[("merchant", "nobody")],
        &[("host", "nobody.example")],
        &[("x-forwarded-for", GERMANY)],
        &[("x-forwarded-for", PHILIPPINES)],
    ];
    for headers in visits {
        for path in ["/", "/login", "/promotions", "/promotions/some", "/?a=b", "/nothing"] {
            assert_alike(&test, &Method::GET, path, headers).await;
        }
        assert_alike(&test, &Method::HEAD, "/", headers).await;
    }
    test.change("update site_merchants set maintenance = true").await;
    assert_alike(&test, &Method::GET, "/", &[]).await;
    assert_alike(&test, &Method::POST, "/", &[]).await;
}

#[tokio::test]
async fn visitors_get_the_document_of_their_merchant_language_and_country() {
    let test = site().await;
    let mut tags = Vec::new();
    for headers in [
        ("accept", "text/html"),
        ("cookie", "lang=TY"),
        ("host", "second.example"),
        ("x-forwarded-for", GERMANY),
    ] {
        for path in ["/", "/help", "/promotions", "/hot"] {
            let answer = ask(&test, &Method::GET, path, &[headers]).await;
            assert_eq!(answer.status, StatusCode::OK);
            assert!(!tags.contains(&answer.headers[header::ETAG]), "{path} {headers:?}");
            tags.push(answer.headers[header::ETAG].clone());
        }
    }
    assert!(
        ask(&test, &Method::GET, "/", &[("x-forwarded-for", GERMANY)])
            .await
            .text
            .contains("\"status\":2")
    );
}

#[tokio::test]
async fn a_known_document_is_not_sent_twice() {
    let test = TestApp::new().await;
    let first = home(&test).await;
    let tag = first.headers[header::ETAG].to_str().unwrap();
    let again = ask(&test, &Method::GET, "/", &[("if-none-match", tag)]).await;
    assert_eq!((again.status, again.text.as_str()), (StatusCode::NOT_MODIFIED, ""));
    assert_eq!(first.headers[header::X_FRAME_OPTIONS], "DENY");
    let policy = header::CONTENT_SECURITY_POLICY;
    assert_eq!(again.headers[&policy], first.headers[&policy]);
    test.change("update site_merchants set name = 'Another'").await;
    let changed = ask(&test, &Method::GET, "/", &[("if-none-match", tag)]).await;
    assert_eq!(changed.status, StatusCode::OK);
}

/// The home page is built with the first banner of a new site.
#[tokio::test]
async fn a_banner_that_was_not_built_in_is_told_to_the_page() {
    let test = TestApp::new().await;
    let is_told = async |path| {
        let answer = ask(&test, &Method::GET, path, &[]).await;
        answer.text.contains(r#"<meta name="other-banner" />"#)
    };
    assert!(!is_told("/").await && !is_told("/fairness").await);
    let title = r#"update site_content set texts = jsonb_set(texts, '{EN,title}', '"Fish & <b>"')"#;
    sqlx::raw_sql(sqlx::AssertSqlSafe(title)).execute(&test.owner).await.unwrap();
    test.app.content.library.refresh().await;
    assert!(is_told("/").await && is_told("/login").await);
    // Only the home page has a banner.
    assert!(!is_told("/fairness").await);
}

#[tokio::test]
async fn whatever_changes_is_seen_at_the_next_look() {
    let test = TestApp::new().await;
    let mut seen = vec![home(&test).await.text];
    let assert_changed = async |seen: &mut Vec<String>, what: &str| {
        let now = home(&test).await.text;
        assert_eq!(now, home(&test.another_node()).await.text, "{what}");
        assert!(!seen.contains(&now), "{what}");
        seen.push(now);
    };
    test.change("update site_merchants set name = 'Another'").await;
    assert_changed(&mut seen, "the merchant's name").await;
    test.change("update site_merchants set maintenance = true").await;
    assert_changed(&mut seen, "maintenance").await;
    test.change("update games_catalogue set maintenance = true where code = 'dice'").await;
    test.app.games.catalogue.refresh().await;
    assert_changed(&mut seen, "the catalogue").await;
    let end = test.app.clock.now() + Duration::hours(1);
    sqlx::query("update site_content set ends_at = $1 where kind = 'banner' and slot = 'w_home'")
        .bind(end)
        .execute(&test.owner)
        .await
        .unwrap();
    test.app.content.library.refresh().await;
    // Nothing has expired yet, so the page is the same.
    assert_eq!(home(&test).await.text, seen[seen.len() - 1]);
    test.advance(Duration::hours(1));
    assert_changed(&mut seen, "the end of a banner").await;
}
