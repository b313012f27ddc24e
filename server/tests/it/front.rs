//! Files for robots and home screens, and which paths have a page.

use axum::body::Body;
use axum::http::{Request, StatusCode, header};

use crate::harness::TestApp;

async fn text(
    test: &TestApp,
    path: &str,
    headers: &[(&str, &str)],
) -> (StatusCode, String, String) {
    let mut request = Request::builder().uri(path).header(header::HOST, "127.0.0.1");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let answer = test.send(request.body(Body::empty()).unwrap()).await;
    let kind = answer.headers[header::CONTENT_TYPE].to_str().unwrap().to_owned();
    (answer.status, kind, answer.text)
}

#[tokio::test]
async fn robots_find_every_open_page_and_no_call() {
    let test = TestApp::new().await;
    let (status, kind, robots) = text(&test, "/robots.txt", &[]).await;
    assert_eq!((status, kind.as_str()), (StatusCode::OK, "text/plain; charset=utf-8"));
    assert!(robots.contains("Disallow: /wps/"), "{robots}");
    let (_, kind, sitemap) = text(&test, "/sitemap.xml", &[]).await;
    assert_eq!(kind, "application/xml");
    for path in ["/</loc>", "/promotions</loc>", "/fairness</loc>", "/down</loc>"] {
        assert!(sitemap.contains(path), "{path} is not in {sitemap}");
    }
    for path in ["securityCenter", "transactionHistory", "/wps/"] {
        assert!(!sitemap.contains(path), "{path} is in {sitemap}");
    }
}

#[tokio::test]
async fn the_app_is_called_like_its_merchant_in_the_visitors_language() {
    let test = TestApp::new().await;
    let (_, kind, manifest) = text(&test, "/manifest.webmanifest", &[("cookie", "lang=TY")]).await;
    assert_eq!(kind, "application/manifest+json");
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    assert_eq!(manifest["name"], "Capiz");
    assert_eq!(manifest["lang"], "fil");
    assert_eq!(manifest["display"], "standalone");
}
