//! Hosts, merchants, start-up calls and documents.

use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use serde_json::json;

use crate::harness::{Answer, TestApp};

async fn get(test: &TestApp, host: &str, path: &str, headers: &[(&str, &str)]) -> Answer {
    let mut request = Request::builder().uri(path).header(header::HOST, host);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    test.send(request.body(Body::empty()).unwrap()).await
}

#[tokio::test]
async fn the_host_decides_the_merchant() {
    let test = TestApp::new().await;
    for host in ["127.0.0.1", "127.0.0.1:8080", "LOCALHOST:1", "[::1]", "[::1]:8080"] {
        get(&test, host, "/wps/system/status", &[]).await.value();
    }
    for host in ["example.com", "", "127.0.0.1.example.com", "::1"] {
        let answer = get(&test, host, "/wps/system/status", &[]).await;
        answer.assert_refused(404, "site.unknown_host");
    }
    let page = get(&test, "example.com", "/", &[]).await;
    assert_eq!(page.status, StatusCode::NOT_FOUND);
    assert!(page.headers[header::CONTENT_TYPE].to_str().unwrap().starts_with("text/html"));
}

#[tokio::test]
async fn the_merchant_header_is_heard_only_on_shared_hosts() {
    let test = TestApp::new().await;
    sqlx::raw_sql(
        "insert into site_merchants values ('018f0000-0000-7000-8000-000000000002', 'second',
            'Second', 'PHP', 'Asia/Manila', 'second.example', 0, false, now());
         insert into site_hosts values
            ('second.example', '018f0000-0000-7000-8000-000000000002', false)",
    )
    .execute(&test.owner)
    .await
    .unwrap();
    let domain = async |host: &str, code: &str| {
        let answer = get(&test, host, "/wps/system/permission", &[("merchant", code)]).await;
        answer.body["value"]["info"]["mainDomain"].clone()
    };
    assert_eq!(domain("127.0.0.1", "second").await, "second.example");
    assert_eq!(domain("127.0.0.1", "capiz").await, "127.0.0.1");
    assert_eq!(domain("second.example", "capiz").await, "second.example");
    let unknown = get(&test, "127.0.0.1", "/wps/system/status", &[("merchant", "nobody")]).await;
    unknown.assert_refused(404, "site.unknown_host");
}

#[tokio::test]
async fn a_session_of_one_merchant_is_none_on_another() {
    let test = TestApp::new().await;
    let member = test.member("maria").await;
    sqlx::raw_sql(
        "insert into site_merchants values ('018f0000-0000-7000-8000-000000000002', 'second',
            'Second', 'PHP', 'Asia/Manila', 'second.example', 0, false, now())",
    )
    .execute(&test.owner)
    .await
    .unwrap();
    test.app.site.sites.refresh().await;
    let request = Request::builder().uri("/wps/member/info").header("merchant", "second");
    let answer = member.send(request.body(Body::empty()).unwrap()).await;
    answer.assert_refused(401, "session.required");
}

#[tokio::test]
async fn permission_info_has_the_tree_of_switches() {
    let test = TestApp::new().await;
    let answer = test.visitor().get("/wps/system/permission").await;
    let value = answer.value();
    assert_eq!(value["location"]["ip"], "127.0.0.1");
    assert_eq!(
        (&value["maintenance"], &value["regionRestriction"]),
        (&json!(false), &json!(false))
    );
    let tree = value["info"]["whitelabelVal"].as_array().unwrap();
    let login = tree.iter().find(|node| node["modId"] == "LOGIN").unwrap();
    assert_eq!(login["childrenNodes"][0]["modId"], "COMM3");
    assert_eq!(login["childrenNodes"][0]["enabled"], "1");
    assert_eq!(value["info"]["registerRules"]["username"]["minLength"], 4);
}

#[tokio::test]
async fn maintenance_closes_the_calls_and_says_so() {
    let test = TestApp::new().await;
    let member = test.member("maria").await;
    sqlx::query("update site_merchants set maintenance = true").execute(&test.owner).await.unwrap();
    test.app.site.sites.refresh().await;
    assert_eq!(test.visitor().get("/wps/system/status").await.value()["status"], 1);
    for path in ["/lgw/games/popular", "/wps/v2/wallets/balance"] {
        member.get(path).await.assert_refused(503, "site.maintenance");
    }
}

#[tokio::test]
async fn the_client_address_is_believed_only_from_trusted_proxies() {
    let test = TestApp::new().await;
    let headers = [("x-forwarded-for", "203.0.113.9, 198.51.100.7")];
    let answer = get(&test, "127.0.0.1", "/wps/system/permission", &headers).await;
    assert_eq!(answer.value()["location"]["ip"], "127.0.0.1");
}
