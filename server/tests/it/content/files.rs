//! Files uploaded by staff, and the configuration profiles for iOS.

use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use serde_json::json;

use crate::harness::{Answer, TestApp};
use crate::office::{Clerk, clerk, office};

/// A picture of one pixel.
fn png() -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, 1, 1);
    encoder.set_color(png::ColorType::Rgb);
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(&[1, 2, 3]).unwrap();
    writer.finish().unwrap();
    bytes
}

/// A ZIP archive with one empty file.
fn archive(name: &str) -> Vec<u8> {
    let length = u16::try_from(name.len()).unwrap().to_le_bytes();
    let mut bytes = b"PK\x03\x04".to_vec();
    bytes.extend([0; 22]);
    bytes.extend(length);
    bytes.extend([0; 2]);
    bytes.extend(name.as_bytes());
    let start = u32::try_from(bytes.len()).unwrap();
    bytes.extend(b"PK\x01\x02");
    bytes.extend([0; 24]);
    bytes.extend(length);
    bytes.extend([0; 16]);
    bytes.extend(name.as_bytes());
    bytes.extend(b"PK\x05\x06");
    bytes.extend([0; 12]);
    bytes.extend(start.to_le_bytes());
    bytes.extend([0; 2]);
    bytes
}

async fn upload(test: &TestApp, clerk: &Clerk<'_>, name: &str, bytes: Vec<u8>) -> Answer {
    let request = Request::builder()
        .method("POST")
        .uri(format!("/office/api/files?name={name}"))
        .header("x-office-page", "1")
        .header(header::CONTENT_TYPE, "application/octet-stream")
        .header(header::COOKIE, clerk.cookie());
    test.send_office(request.body(Body::from(bytes)).unwrap()).await
}

#[tokio::test]
async fn pictures_are_kept_and_given_out_by_both_listeners() {
    let test = office().await;
    let content = clerk(&test, "content").await;
    let bytes = png();
    let answer = upload(&test, &content, "a.png", bytes.clone()).await;
    let (url, kind) = (&answer.value()["url"], &answer.value()["kind"]);
    assert_eq!((kind.as_str(), answer.value()["bytes"].as_u64()), (Some("png"), Some(69)));
    let url = url.as_str().unwrap().to_owned();
    // Uploading the same bytes again gives the same file.
    assert_eq!(upload(&test, &content, "b.png", bytes).await.value()["url"], url.as_str());
    let get = || Request::builder().uri(&url);
    for office in [false, true] {
        let request = get().body(Body::empty()).unwrap();
        let file = match office {
            true => test.send_office(request).await,
            false => test.send(request).await,
        };
        assert_eq!(file.status, StatusCode::OK);
        assert_eq!(file.headers[header::CONTENT_TYPE], "image/png");
        assert_eq!(file.headers[header::X_CONTENT_TYPE_OPTIONS], "nosniff");
        assert_eq!(file.headers[header::CONTENT_LENGTH], "69");
        let policy = file.headers[header::CONTENT_SECURITY_POLICY].to_str().unwrap();
        assert!(policy.contains("sandbox") && policy.contains("frame-ancestors 'none'"));
        let cached = file.headers[header::CACHE_CONTROL].to_str().unwrap();
        assert!(cached.contains("immutable"));
    }
    let again = get().header(header::IF_NONE_MATCH, "*").body(Body::empty()).unwrap();
    assert_eq!(test.send(again).await.status, StatusCode::NOT_MODIFIED);
    let wrong = url.replace(".png", ".apk");
    test.visitor().get(&wrong).await.assert_refused(404, "request.not_found");
    test.visitor().get("/files/nothing").await.assert_refused(404, "request.not_found");
    let entries = clerk(&test, "auditor").await.audit_log(&json!({ "limit": 5 })).await;
    assert_eq!(entries.text.matches("content.file").count(), 1);
}

#[tokio::test]
async fn an_app_is_a_file_to_be_saved() {
    let test = office().await;
    let content = clerk(&test, "content").await;
    // More than one chunk.
    let mut bytes = vec![0; 3_000_000];
    let app = archive("AndroidManifest.xml");
    bytes.splice(..4, b"PK\x03\x04".iter().copied());
    let start = bytes.len();
    bytes.extend(&app);
    let offset = u32::from_le_bytes(app[app.len() - 6..app.len() - 2].try_into().unwrap());
    let offset = offset + u32::try_from(start).unwrap();
    let end = bytes.len();
    bytes[end - 6..end - 2].copy_from_slice(&offset.to_le_bytes());
    let length = bytes.len();
    let answer = upload(&test, &content, "My%20App.apk", bytes).await;
    assert_eq!(answer.value()["kind"], "apk");
    let file = test.visitor().get(answer.value()["url"].as_str().unwrap()).await;
    assert_eq!(file.status, StatusCode::OK);
    assert_eq!(file.headers[header::CONTENT_LENGTH], length.to_string());
    assert_eq!(file.headers[header::CONTENT_DISPOSITION], "attachment; filename=\"MyApp.apk\"");
}

#[tokio::test]
async fn what_is_no_such_file_is_not_taken() {
    let test = office().await;
    let content = clerk(&test, "content").await;
    let svg = b"<svg xmlns=\"http://www.w3.org/2000/svg\"/>".to_vec();
    for bytes in [svg, archive("readme.txt"), b"<script>".to_vec(), Vec::new()] {
        let answer = upload(&test, &content, "a.png", bytes).await;
        answer.assert_refused(415, "request.unsupported_media_type");
    }
    let mut broken = png();
    broken.truncate(50);
    upload(&test, &content, "a.png", broken).await.assert_refused(400, "input.invalid");
    let mut large = png();
    large.resize(2 * 1024 * 1024 + 1, 0);
    upload(&test, &content, "a.png", large).await.assert_refused(413, "request.too_large");
    upload(&test, &content, "", png()).await.assert_refused(400, "input.invalid");
    let auditor = clerk(&test, "auditor").await;
    upload(&test, &auditor, "a.png", png()).await.assert_refused(403, "staff.not_allowed");
}

#[tokio::test]
async fn a_profile_puts_the_site_on_the_home_screen() {
    let test = TestApp::new().await;
    test.change("update site_merchants set main_domain = 'play.example', name = 'A & B'").await;
    for (path, full) in
        [("/downloads/ios.mobileconfig", "true"), ("/downloads/ios-lite.mobileconfig", "false")]
    {
        let answer = test.visitor().get(path).await;
        assert_eq!(answer.headers[header::CONTENT_TYPE], "application/x-apple-aspen-config");
        for part in [
            "<key>URL</key><string>https://play.example/</string>",
            "<key>Label</key><string>A &amp; B</string>",
            "com.apple.webClip.managed",
            &format!("<key>FullScreen</key><{full}/>"),
        ] {
            assert!(answer.text.contains(part), "{part}: {}", answer.text);
        }
        // The profile stays the same, so that installing it again replaces it.
        assert_eq!(test.visitor().get(path).await.text, answer.text);
    }
}
