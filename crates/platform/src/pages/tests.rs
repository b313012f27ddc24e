use std::collections::HashMap;
use std::io::Read;

use axum::http::{HeaderName, Method, Request};
use http_body_util::BodyExt;
use serde_json::json;

use super::*;

const HOME: &str = r#"<!doctype html><html><head><!--head--><title>Built</title><!--/head--><style>a{}</style><script>theme()</script>
<script type="module" src="/assets/app.js"></script></head><body>
<script id="boot" type="application/json">__BOOT__</script></body></html>"#;

fn pages() -> Pages {
    let files = HashMap::from([
        ("home.en.html", HOME.as_bytes().to_vec()),
        ("game.html", b"<script type=\"module\" src=\"/assets/game.js\"></script>".to_vec()),
        ("office.html", b"<p>office</p>".to_vec()),
        ("domain.en.html", b"<p>no site</p>".to_vec()),
        ("assets/app.js", b"plain".to_vec()),
        ("assets/app.js.br", b"brotli".to_vec()),
        ("assets/app.js.gz", b"gzip".to_vec()),
        ("assets/app.js.map", b"map".to_vec()),
        ("favicon.ico", b"icon".to_vec()),
        ("icon.svg", b"<svg/>".to_vec()),
        ("downloads/page.html", b"<p>keep me</p>".to_vec()),
    ]);
    Pages::over(Dist::Given(files))
}

fn request(method: Method, path: &str, headers: &[(HeaderName, &str)]) -> Parts {
    let (mut parts, ()) = Request::new(()).into_parts();
    (parts.method, parts.uri) = (method, path.parse().unwrap());
    for (name, value) in headers {
        parts.headers.insert(name, value.parse().unwrap());
    }
    parts
}

fn get(headers: &[(HeaderName, &str)]) -> Parts {
    request(Method::GET, "/", headers)
}

async fn body(response: Response) -> Vec<u8> {
    response.into_body().collect().await.unwrap().to_bytes().to_vec()
}

fn home(pages: &Pages, request: &Parts) -> Response {
    document(pages, &json!({"lang": "EN"}), request)
}

fn document(pages: &Pages, boot: &Value, request: &Parts) -> Response {
    document_with(pages, boot, StatusCode::OK, request)
}

fn document_with(pages: &Pages, boot: &Value, status: StatusCode, request: &Parts) -> Response {
    let sources = Sources::default();
    let head = "<title>Home</title>";
    let wanted = DocumentRequest { name: "home.en.html", boot, head, sources: &sources };
    let document = pages.document(&wanted);
    document.map_or_else(
        || not_built(StatusCode::SERVICE_UNAVAILABLE),
        |document| document.answer(request, status),
    )
}

fn asset(pages: &Pages, path: &str, accept: &str) -> Option<Response> {
    pages.asset(&request(Method::GET, path, &[(header::ACCEPT_ENCODING, accept)]))
}

#[tokio::test]
async fn boot_data_cannot_leave_its_element() {
    let pages = pages();
    let boot = json!({"name": "</script><script>&\u{2028}"});
    let response = document(&pages, &boot, &get(&[]));
    let html = String::from_utf8(body(response).await).unwrap();
    let data = html.split_once("application/json\">").unwrap().1.split_once("</script>").unwrap().0;
    assert_eq!(serde_json::from_str::<Value>(data).unwrap(), boot);
    assert!(!data.contains(['<', '>', '&', '\u{2028}']));
    assert!(!html.contains("__BOOT__"));
}

#[tokio::test]
async fn documents_carry_their_policy_and_a_tag() {
    let pages = pages();
    let response = home(&pages, &get(&[]));
    let policy = response.headers()[header::CONTENT_SECURITY_POLICY].to_str().unwrap();
    // SHA-256 of `theme()`, in base64.
    let theme = "script-src 'self' 'sha256-Rfr3GgHZFiXm+TmNr+li+0sZ4J9FGllo8jsXcJF5XZ8=';";
    assert!(policy.contains(theme), "{policy}");
    assert!(policy.contains("style-src 'self' 'sha256-"), "{policy}");
    assert_eq!(policy.matches("sha256-").count(), 2, "{policy}");
    // Trusted Types policies: the worker of the human check, the analytics script, and DOMPurify,
    // which sanitizes the HTML of staff.
    let types = "require-trusted-types-for 'script'; \
                 trusted-types capiz-worker capiz-analytics dompurify";
    assert!(policy.ends_with(types), "{policy}");
    assert_eq!(response.headers()[header::CACHE_CONTROL], "no-cache");
    assert_eq!(response.headers()[header::VARY], "Cookie, Accept-Language, Accept-Encoding");
    assert_eq!(response.headers()[header::CONTENT_TYPE], "text/html; charset=utf-8");

    let etag = response.headers()[header::ETAG].to_str().unwrap().to_owned();
    let weak = format!("\"other\", W/{etag}");
    let again = home(&pages, &get(&[(header::IF_NONE_MATCH, &weak)]));
    assert_eq!(again.status(), StatusCode::NOT_MODIFIED);
    assert!(again.headers().contains_key(header::CONTENT_SECURITY_POLICY));
    assert!(body(again).await.is_empty());

    let known = get(&[(header::IF_NONE_MATCH, &etag)]);
    let other = document(&pages, &json!({"lang": "TY"}), &known);
    assert_eq!(other.status(), StatusCode::OK);
    let boot = json!({"lang": "EN"});
    let lost = document_with(&pages, &boot, StatusCode::NOT_FOUND, &known);
    assert_eq!(lost.status(), StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn documents_are_packed_for_those_who_take_it() {
    let pages = pages();
    let plain = home(&pages, &get(&[]));
    let packed = home(&pages, &get(&[(header::ACCEPT_ENCODING, "br, gzip")]));
    assert_eq!(packed.headers()[header::CONTENT_ENCODING], "gzip");
    assert_ne!(packed.headers()[header::ETAG], plain.headers()[header::ETAG]);
    let bytes = body(packed).await;
    let mut html = Vec::new();
    flate2::read::GzDecoder::new(bytes.as_slice()).read_to_end(&mut html).unwrap();
    assert_eq!(html, body(plain).await);
}

#[test]
fn the_cache_of_documents_is_bounded() {
    let pages = pages();
    for number in 0..200 {
        let boot = json!({"n": number});
        let response = document(&pages, &boot, &get(&[]));
        assert_eq!(response.status(), StatusCode::OK);
    }
    assert_eq!(pages.lock().len(), 64);
}

#[test]
fn the_frame_is_sandboxed_and_ours_alone() {
    let pages = pages();
    let response = pages.game_frame(&get(&[]));
    let policy = response.headers()[header::CONTENT_SECURITY_POLICY].to_str().unwrap();
    assert!(policy.starts_with("sandbox allow-scripts; default-src 'none'"), "{policy}");
    assert!(policy.contains("frame-ancestors 'self'") && policy.contains("connect-src 'none'"));
    assert!(!policy.contains("unsafe"));
}

#[test]
fn other_documents_have_policies_of_their_own() {
    let pages = pages();
    let office = pages.office(StatusCode::OK, &get(&[]));
    assert!(office.headers().contains_key(header::CONTENT_SECURITY_POLICY));
    let domain = pages.domain("fil", &get(&[]));
    assert_eq!(domain.status(), StatusCode::NOT_FOUND);
    assert!(domain.headers().contains_key(header::CONTENT_SECURITY_POLICY));
}

#[tokio::test]
async fn a_missing_build_is_said_plainly() {
    let pages = Pages::over(Dist::Given(HashMap::new()));
    let response = home(&pages, &get(&[]));
    assert_eq!(response.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert!(String::from_utf8(body(response).await).unwrap().contains("make run"));
}

#[tokio::test]
async fn assets_are_for_ever_and_packed_as_the_client_takes_them() {
    let pages = pages();
    for (accept, encoding, expected) in [
        ("gzip, br", Some("br"), "brotli"),
        ("br;q=0, gzip;q=0.5", Some("gzip"), "gzip"),
        ("br;q=0.0, *;q=0", None, "plain"),
        ("*", Some("br"), "brotli"),
        ("identity", None, "plain"),
        ("", None, "plain"),
    ] {
        let response = asset(&pages, "/assets/app.js", accept).unwrap();
        let headers = response.headers();
        assert_eq!(headers.get(header::CONTENT_ENCODING).map(|it| it.to_str().unwrap()), encoding);
        assert_eq!(headers[header::CACHE_CONTROL], "public, max-age=31536000, immutable");
        assert_eq!(headers[header::CONTENT_TYPE], "text/javascript; charset=utf-8");
        assert_eq!(headers[header::VARY], "Accept-Encoding");
        assert_eq!(headers[header::ACCESS_CONTROL_ALLOW_ORIGIN], "*");
        assert_eq!(headers["cross-origin-resource-policy"], "cross-origin");
        assert_eq!(body(response).await, expected.as_bytes(), "{accept}");
    }
    let kept = asset(&pages, "/downloads/page.html", "").unwrap();
    assert_eq!(kept.headers()[header::CONTENT_TYPE], "application/octet-stream");
    assert!(asset(&pages, "/office.html", "").is_none());
    let icon = asset(&pages, "/favicon.ico", "br").unwrap();
    assert!(icon.headers()[header::CACHE_CONTROL].to_str().unwrap().contains("max-age=300"));
}

#[test]
fn a_file_that_is_opened_by_itself_runs_nothing_and_cannot_be_framed() {
    let pages = pages();
    let policy = |path: &str| {
        let response = asset(&pages, path, "br").unwrap();
        response.headers()[header::CONTENT_SECURITY_POLICY].to_str().unwrap().to_owned()
    };
    for path in ["/assets/app.js", "/favicon.ico", "/icon.svg", "/downloads/page.html"] {
        let policy = policy(path);
        assert!(policy.starts_with("default-src 'none'; "), "{path}: {policy}");
        assert!(policy.contains("base-uri 'none'") && policy.contains("frame-ancestors 'none'"));
        let may_run = path.ends_with(".js");
        assert_eq!(policy.contains("script-src 'self'"), may_run, "{path}: {policy}");
    }
}

#[tokio::test]
async fn head_and_known_tags_get_no_body() {
    let pages = pages();
    let path = "/assets/app.js";
    let head = pages.asset(&request(Method::HEAD, path, &[])).unwrap();
    assert_eq!(head.headers()[header::CONTENT_LENGTH], "5");
    let etag = head.headers()[header::ETAG].to_str().unwrap().to_owned();
    assert!(body(head).await.is_empty());
    let known = [(header::IF_NONE_MATCH, etag.as_str())];
    let again = pages.asset(&request(Method::GET, path, &known)).unwrap();
    assert_eq!(again.status(), StatusCode::NOT_MODIFIED);
    let post = pages.asset(&request(Method::POST, path, &[])).unwrap();
    assert_eq!(post.status(), StatusCode::METHOD_NOT_ALLOWED);
    assert_eq!(post.headers()[header::ALLOW], "GET,HEAD");
}

#[test]
fn only_plain_names_of_the_build_are_served() {
    let pages = pages();
    for path in [
        "/home.en.html",
        "/assets/app.js.br",
        "/assets/app.js.map",
        "/assets/../assets/app.js",
        "/assets//app.js",
        "//assets/app.js",
        "/assets/%2e%2e/app.js",
        "/assets/app.js%00",
        "/.env",
        "/assets/",
        "/assets",
        "/",
    ] {
        assert!(asset(&pages, path, "").is_none(), "{path}");
    }
}

#[tokio::test]
async fn a_page_says_what_it_is_and_may_use_what_its_merchant_names() {
    let pages = pages();
    let sources = Sources {
        images: vec![
            "https://pictures.example".to_owned(),
            "https://a.example; script-src *".to_owned(),
        ],
        ..Sources::default()
    };
    let (boot, head) = (json!({}), "<title>Promotions</title>");
    let wanted = DocumentRequest { name: "home.en.html", boot: &boot, head, sources: &sources };
    let response = pages.document(&wanted).unwrap().answer(&get(&[]), StatusCode::OK);
    let policy = response.headers()[header::CONTENT_SECURITY_POLICY].to_str().unwrap().to_owned();
    assert!(policy.contains("img-src 'self' data: https://pictures.example;"), "{policy}");
    let html = String::from_utf8(body(response).await).unwrap();
    assert!(html.contains(head) && !html.contains("Built"), "{html}");
}
