//! What visitors read: by language, in its order, within its time window.

use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use chrono::Duration;
use serde_json::json;

use super::{change, empty, insert, insert_at, names, titles};
use crate::harness::TestApp;

#[tokio::test]
async fn a_merchant_begins_with_content_in_both_languages() {
    let test = TestApp::new().await;
    let visitor = test.visitor();
    for path in [
        "/wps/banners?group=w_home",
        "/wps/system/helpCenter?device=WEB",
        "/wps/promotions?type=ALL",
        "/wps/system/downloads",
    ] {
        let answer = visitor.get(path).await;
        assert!(!answer.value().as_array().unwrap().is_empty(), "{path}");
    }
    assert_ne!(visitor.get("/wps/notices").await.value()["total"], 0);
    visitor.get("/wps/pages/about").await.value();
    let incomplete: Vec<String> = sqlx::query_scalar(
        "select kind || ' ' || texts::text from site_content
         where not (texts ? 'EN' and texts ? 'TY')",
    )
    .fetch_all(&test.owner)
    .await
    .unwrap();
    assert!(incomplete.is_empty(), "{incomplete:?}");
    let boot = visitor.get("/wps/system/boot").await;
    assert_eq!(boot.value()["banners"], *visitor.get("/wps/banners?group=w_home").await.value());
    assert!(boot.value()["notices"][0]["title"].is_string());
    assert_eq!(boot.value()["downloads"], *visitor.get("/wps/system/downloads").await.value());
}

#[tokio::test]
async fn merchants_from_before_are_given_content_once() {
    let test = TestApp::new().await;
    change(&test, "delete from site_content; delete from site_content_founded").await;
    let found = async || {
        content::create_missing(&test.app.content).await.unwrap();
        test.app.content.library.refresh().await;
        test.visitor().get("/wps/notices").await.value()["total"].clone()
    };
    let total = found().await;
    assert_ne!(total, 0);
    assert_eq!(found().await, total);
    // Deleted content is not created again.
    empty(&test).await;
    assert_eq!(found().await, 0);
}

#[tokio::test]
async fn words_come_in_the_visitors_language_or_in_the_usual_one() {
    let test = TestApp::new().await;
    empty(&test).await;
    insert(&test, "notice", "", json!({}), titles("Hello", "Kumusta")).await;
    insert(&test, "notice", "", json!({}), json!({ "EN": { "title": "Only English" } })).await;
    let titles_at = async |path: &str, headers: &[(&str, &str)]| {
        let mut request = Request::builder().uri(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let answer = test.send(request.body(Body::empty()).unwrap()).await;
        names(&answer.value()["content"]).join(", ")
    };
    assert_eq!(titles_at("/wps/notices", &[]).await, "Hello, Only English");
    assert_eq!(titles_at("/wps/notices?language=TY", &[]).await, "Kumusta, Only English");
    assert_eq!(titles_at("/wps/notices?lang=TY", &[]).await, "Kumusta, Only English");
    let cookie = [("cookie", "lang=TY")];
    assert_eq!(titles_at("/wps/notices", &cookie).await, "Kumusta, Only English");
    let headers = [("accept-language", "fil-PH,en;q=0.5")];
    assert_eq!(titles_at("/wps/notices", &headers).await, "Kumusta, Only English");
    // An unsupported language, and a merchant with another default language.
    assert_eq!(titles_at("/wps/notices?language=VI", &[]).await, "Hello, Only English");
    test.change(
        "insert into site_brands select id, '{\"defaultLanguage\": \"TY\"}' from site_merchants",
    )
    .await;
    assert_eq!(titles_at("/wps/notices?language=VI", &[]).await, "Kumusta, Only English");
    test.visitor().get("/wps/notices?language=1").await.assert_refused(400, "input.invalid");
}

#[tokio::test]
async fn content_begins_and_ends_by_the_clock() {
    let test = TestApp::new().await;
    empty(&test).await;
    let add = async |name: &str, window| {
        insert_at(&test, ("notice", ""), window, json!({}), titles(name, name)).await;
    };
    add("always", (None, None)).await;
    add("later", (Some(60), None)).await;
    add("until", (None, Some(120))).await;
    add("between", (Some(60), Some(120))).await;
    add("over", (Some(-60), Some(0))).await;
    change(&test, "insert into site_content select gen_random_uuid(), merchant_id, kind, slot, 9,
        false, null, null, data, texts, 1, created_at, updated_at, updated_by from site_content limit 1")
    .await;
    let seen = async || {
        let answer = test.visitor().get("/wps/notices").await;
        let mut seen: Vec<_> =
            names(&answer.value()["content"]).into_iter().map(str::to_owned).collect();
        seen.sort();
        seen.join(" ")
    };
    assert_eq!(seen().await, "always until");
    test.advance(Duration::seconds(60));
    assert_eq!(seen().await, "always between later until");
    test.advance(Duration::seconds(60));
    assert_eq!(seen().await, "always later");
}

#[tokio::test]
async fn a_list_that_is_known_is_not_sent_again() {
    let test = TestApp::new().await;
    let visitor = test.visitor();
    for path in [
        "/wps/banners",
        "/wps/announcements",
        "/wps/notices",
        "/wps/system/helpCenter",
        "/wps/pages/about",
        "/wps/promotions",
        "/wps/system/downloads",
    ] {
        let first = visitor.get(path).await;
        first.value();
        let tag = first.headers[header::ETAG].clone();
        let request = || Request::builder().uri(path).header(header::IF_NONE_MATCH, tag.clone());
        let second = test.send(request().body(Body::empty()).unwrap()).await;
        assert_eq!(second.status, StatusCode::NOT_MODIFIED, "{path}");
        change(
            &test,
            "update site_content set texts = replace(texts::text, '\"EN\": {',
            '\"EN\": {\"more\": \"x\", ')::jsonb",
        )
        .await;
        change(&test, "update site_content set texts = jsonb_set(jsonb_set(texts, '{EN,title}',
            to_jsonb('New ' || gen_random_uuid())), '{EN,name}', to_jsonb('New ' || gen_random_uuid()))").await;
        let third = test.send(request().body(Body::empty()).unwrap()).await;
        assert_eq!(third.status, StatusCode::OK, "{path}");
    }
}

#[tokio::test]
async fn notices_come_by_pages_with_the_latest_first() {
    let test = TestApp::new().await;
    empty(&test).await;
    for number in 1..=11 {
        let name = format!("{number}");
        let texts = titles(&name, &name);
        insert_at(&test, ("notice", ""), (Some(number - 20), None), json!({}), texts).await;
    }
    let visitor = test.visitor();
    let first = visitor.get("/wps/notices").await;
    let value = first.value();
    assert_eq!(names(&value["content"]), ["11", "10", "9", "8", "7", "6", "5", "4", "3"]);
    assert_eq!(
        (&value["pageNum"], &value["totalPages"], &value["total"]),
        (&json!(1), &json!(2), &json!(11))
    );
    let second = visitor.get("/wps/notices?pageNo=2&pageSize=9").await;
    assert_eq!(names(&second.value()["content"]), ["2", "1"]);
    let notice = &second.value()["content"][0];
    let since = test.app.clock.now() - Duration::seconds(18);
    assert_eq!(notice["startDateStr"], since.timestamp_millis().to_string());
    assert_eq!(notice["content"], "<p>2</p>");
    let latest = visitor.get("/wps/announcements?types=PL&platform=W").await;
    assert_eq!(latest.value()["notices"].as_array().unwrap().len(), 10);
    for bad in ["pageNo=0", "pageSize=101", "pageSize=0", "pageNo=10001"] {
        visitor.get(&format!("/wps/notices?{bad}")).await.assert_refused(400, "input.invalid");
    }
    visitor.get("/wps/notices?pageNo=x").await.assert_refused(400, "request.malformed");
}

#[tokio::test]
async fn announcements_come_by_their_types() {
    let test = TestApp::new().await;
    empty(&test).await;
    let popup = |execution: &str| json!({ "type": "PU", "execution": execution, "promotionType": null, "promotion": "gift" });
    insert(&test, "announcement", "", popup("A"), titles("To members", "x")).await;
    insert(&test, "announcement", "", popup("B"), titles("To visitors", "x")).await;
    let headline =
        json!({ "type": "H", "execution": null, "promotionType": null, "promotion": null });
    insert(&test, "announcement", "", headline, titles("To all", "x")).await;
    insert(&test, "banner", "w_home", json!({ "linkageType": "NONE" }), titles("Banner", "x"))
        .await;
    let promotion = json!({ "slug": "gift", "type": "NEWPLAYER", "image": null });
    insert(&test, "promotion", "", promotion, titles("Gift", "x")).await;
    let visitor = test.visitor();
    let all = visitor.get("/wps/announcements?types=B,PL,PU,PR,H&platform=W").await;
    let value = all.value();
    assert_eq!(names(&value["popups"]), ["To members", "To visitors"]);
    assert_eq!(names(&value["headlines"]), ["To all"]);
    assert_eq!(names(&value["banners"]), ["Banner"]);
    assert_eq!(names(&value["promotions"]), ["Gift"]);
    let before = visitor.get("/wps/announcements?types=PU&execution=B").await;
    assert_eq!(names(&before.value()["popups"]), ["To visitors"]);
    assert_eq!(before.value()["popups"][0]["promotion"], "gift");
    for kind in ["banners", "notices", "promotions", "headlines"] {
        assert_eq!(before.value()[kind], json!([]), "{kind}");
    }
    for bad in ["types=X", "platform=M", "types=B,B,B,B,B,B"] {
        let answer = visitor.get(&format!("/wps/announcements?{bad}")).await;
        answer.assert_refused(400, "input.invalid");
    }
    visitor.get("/wps/announcements?execution=Z").await.assert_refused(400, "request.malformed");
}

#[tokio::test]
async fn promotions_pages_and_banners_are_found_by_their_names() {
    let test = TestApp::new().await;
    empty(&test).await;
    let promotion = |slug: &str, kind: &str| json!({ "slug": slug, "type": kind, "image": null });
    let words = json!({ "EN": { "title": "Gift", "summary": "Short", "content": "<p>Long</p>",
        "terms": "<p>Once</p>" } });
    insert(&test, "promotion", "", promotion("gift", "NEWPLAYER"), words).await;
    insert(&test, "promotion", "", promotion("back", "REBATE"), titles("Back", "x")).await;
    insert(&test, "page", "terms", json!({}), titles("Terms", "x")).await;
    insert(&test, "banner", "w_home", json!({ "linkageType": "NONE" }), titles("Home", "x")).await;
    insert(&test, "banner", "w_login", json!({ "linkageType": "NONE" }), titles("Login", "x"))
        .await;
    let visitor = test.visitor();
    let all = visitor.get("/wps/promotions").await;
    assert_eq!(names(all.value()), ["Gift", "Back"]);
    assert_eq!(all.value()[0].get("content"), None);
    let some = visitor.get("/wps/promotions?type=REBATE").await;
    assert_eq!(names(some.value()), ["Back"]);
    visitor.get("/wps/promotions?type=GIFTS").await.assert_refused(400, "input.invalid");
    let one = visitor.get("/wps/promotions/gift").await;
    assert_eq!(
        (&one.value()["summary"], &one.value()["terms"], &one.value()["type"]),
        (&json!("Short"), &json!("<p>Once</p>"), &json!("NEWPLAYER"))
    );
    visitor.get("/wps/promotions/nothing").await.assert_refused(404, "request.not_found");
    assert_eq!(visitor.get("/wps/pages/terms").await.value()["title"], "Terms");
    visitor.get("/wps/pages/privacy").await.assert_refused(404, "request.not_found");
    let home = visitor.get("/wps/banners?group=w_home").await;
    assert_eq!(names(home.value()), ["Home"]);
    visitor.get("/wps/banners?group=w_x").await.assert_refused(400, "input.invalid");
}

#[tokio::test]
async fn articles_stand_in_their_sections() {
    let test = TestApp::new().await;
    empty(&test).await;
    insert(&test, "help_section", "money", json!({}), titles("Money", "Pera")).await;
    insert(&test, "help_section", "empty", json!({}), titles("Empty", "x")).await;
    let article = |section: &str, slug: &str| json!({ "section": section, "slug": slug });
    insert(&test, "help_article", "", article("money", "one"), titles("One", "Isa")).await;
    insert(&test, "help_article", "", article("money", "two"), titles("Two", "Dalawa")).await;
    insert(&test, "help_article", "", article("gone", "three"), titles("Three", "x")).await;
    let help = test.visitor().get("/wps/system/helpCenter?lang=TY&device=WEB").await;
    assert_eq!(names(help.value()), ["Pera"]);
    assert_eq!(names(&help.value()[0]["articles"]), ["Isa", "Dalawa"]);
    assert_eq!(help.value()[0]["articles"][1]["slug"], "two");
}

#[tokio::test]
async fn other_merchants_have_content_of_their_own() {
    let test = TestApp::new().await;
    empty(&test).await;
    insert(&test, "notice", "", json!({}), titles("Ours", "x")).await;
    change(
        &test,
        "insert into site_merchants values ('018f0000-0000-7000-8000-000000000002', 'second',
            'Second', 'PHP', 'Asia/Manila', 'second.example', 0, false, now());
         insert into site_hosts values
            ('second.example', '018f0000-0000-7000-8000-000000000002', false)",
    )
    .await;
    let request = Request::builder().uri("/wps/notices").header(header::HOST, "second.example");
    let answer = test.send(request.body(Body::empty()).unwrap()).await;
    assert_eq!(answer.value()["total"], 0);
    assert_eq!(test.visitor().get("/wps/notices").await.value()["total"], 1);
}

/// The replacement page of a closed site needs content.
#[tokio::test]
async fn content_is_read_during_maintenance_too() {
    let test = TestApp::new().await;
    test.change("update site_merchants set maintenance = true").await;
    test.visitor().get("/wps/system/helpCenter").await.value();
    test.visitor().get("/wps/banners").await.value();
}
