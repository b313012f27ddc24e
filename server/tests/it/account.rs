//! The security center: what members see and change of their profiles.

use axum::http::Method;
use serde_json::{Value, json};

use crate::harness::{Answer, Client, PASSWORD, TestApp};
use crate::password::{change_password, set_payment};

pub async fn info(client: &Client<'_>) -> Value {
    client.get("/wps/member/info").await.value().clone()
}

#[tokio::test]
async fn member_info_tells_what_is_set_and_masks_the_rest() {
    let test = TestApp::new().await;
    test.switch("REGMOBVERF3", false).await;
    let mut client = test.visitor();
    let more = json!({
        "mobileNum": "9171234567", "email": "Maria.Clara@example.com", "nickname": "Clara",
        "birthday": "1990-01-31", "ofAge": true, "payeeName": "Maria Clara",
    });
    client.fill_in("maria", &more).await.value();
    let profile = info(&client).await;
    let picked = json!({
        "account": profile["account"], "nickname": profile["nickname"], "type": profile["type"],
        "isAgent": profile["isAgent"], "isTrial": profile["isTrial"], "icon": profile["icon"],
        "mobileNum": profile["mobileNum"], "mobileVerified": profile["mobileVerified"],
        "email": profile["email"], "emailVerified": profile["emailVerified"],
        "payeeName": profile["payeeName"], "hasBirthday": profile["hasBirthday"],
        "hasIdNumber": profile["hasIdNumber"], "hasPassword": profile["hasPassword"],
        "passwordExpired": profile["passwordExpired"], "twoFactor": profile["twoFactor"],
        "hasPaymentPassword": profile["hasPaymentPassword"], "lastLoginAt": profile["lastLoginAt"],
    });
    let expected = json!({
        "account": "maria", "nickname": "Clara", "type": 0, "isAgent": false, "isTrial": false,
        "icon": "capiz", "mobileNum": "+639******567", "mobileVerified": false,
        "email": "M*********a@example.com", "emailVerified": false,
        "payeeName": "M*********a", "hasBirthday": true, "hasIdNumber": false,
        "hasPassword": true, "passwordExpired": false, "twoFactor": false,
        "hasPaymentPassword": false, "lastLoginAt": null,
    });
    assert_eq!(picked, expected);
    let text = profile.to_string();
    for secret in ["9171234567", "Maria.Clara", "1990", "argon2"] {
        assert!(!text.contains(secret), "{secret}");
    }
    test.change("update members_profiles set kind = 2").await;
    assert_eq!(
        (&info(&client).await["isAgent"], &info(&client).await["type"]),
        (&json!(true), &json!(2))
    );
    let trial = info(&test.trial().await).await;
    assert_eq!((&trial["isTrial"], &trial["affiliateCode"]), (&json!(true), &Value::Null));
}

async fn change_info(client: &Client<'_>, body: Value) -> Answer {
    client.sealed(Method::PUT, "/wps/member/info", &body).await
}

#[tokio::test]
async fn a_profile_is_changed_and_some_of_it_once() {
    let test = TestApp::new().await;
    let client = test.member("maria").await;
    test.change("update members_details set birthday = null").await;
    let change = json!({
        "nickname": "Clara", "address": "7 Shell Street, Roxas City", "occupation": "Weaver",
        "birthday": "1990-01-31", "ofAge": true, "payeeName": "Maria Clara",
    });
    let changed = change_info(&client, change).await;
    let changed = changed.value();
    assert_eq!(
        (
            &changed["nickname"],
            &changed["address"],
            &changed["occupation"],
            &changed["hasBirthday"]
        ),
        (&json!("Clara"), &json!("7 Shell Street, Roxas City"), &json!("Weaver"), &json!(true))
    );
    for once in
        [json!({ "birthday": "1991-01-31", "ofAge": true }), json!({ "payeeName": "Other" })]
    {
        change_info(&client, once).await.assert_refused(409, "member.already_set");
    }
    let less = change_info(&client, json!({ "address": "" })).await;
    assert_eq!(
        (&less.value()["address"], &less.value()["occupation"]),
        (&Value::Null, &json!("Weaver"))
    );
    for (wrong, fields) in [
        (json!({ "nickname": "" }), json!({ "nickname": "required" })),
        (json!({ "nickname": "a\u{7}bc" }), json!({ "nickname": "pattern" })),
        (json!({ "address": "x" }), json!({ "address": "too_short" })),
        (json!({ "birthday": "2015-01-31", "ofAge": true }), json!({ "birthday": "too_young" })),
        (json!({ "birthday": "1990-01-31" }), json!({ "ofAge": "required" })),
    ] {
        assert_eq!(change_info(&client, wrong).await.body["fields"], fields);
    }
    assert_eq!(info(&client).await["nickname"], "Clara");
}

#[tokio::test]
async fn an_icon_is_one_of_ours() {
    let test = TestApp::new().await;
    let client = test.member("maria").await;
    let answer = client.get("/wps/member/info/icon").await;
    let icons = answer.value()["icons"].as_array().unwrap();
    assert!(icons.len() >= 12 && icons.contains(&answer.value()["icon"]));
    let choose = async |icon: &str| {
        client.request(Method::PUT, "/wps/member/info/icon", Some(&json!({ "icon": icon }))).await
    };
    assert_eq!(choose("tarsier").await.value()["icon"], "tarsier");
    assert_eq!(info(&client).await["icon"], "tarsier");
    for wrong in ["", "../tarsier", "TARSIER"] {
        assert_eq!(choose(wrong).await.body["fields"], json!({ "icon": "invalid" }));
    }
}

#[tokio::test]
async fn demo_accounts_have_no_member_functions() {
    let test = TestApp::new().await;
    let trial = test.trial().await;
    change_password(&trial, "x", "mango riot at noon").await.assert_refused(403, "session.trial");
    change_info(&trial, json!({ "nickname": "Clara" })).await.assert_refused(403, "session.trial");
    set_payment(&trial, "x", None, "904173").await.assert_refused(403, "session.trial");
    let body = json!({ "icon": "tarsier" });
    let icon = trial.request(Method::PUT, "/wps/member/info/icon", Some(&body)).await;
    icon.assert_refused(403, "session.trial");
}

#[tokio::test]
async fn who_registers_in_another_language_than_the_usual_one_is_written_to_in_it() {
    let test = TestApp::new().await;
    let mut luz = test.visitor();
    luz.cookies.push("lang=TY".to_owned());
    luz.register("luzviminda", PASSWORD).await.value();
    assert_eq!(info(&luz).await["language"], "TY");
    let english =
        "insert into site_brands select id, '{\"languages\": [\"EN\"]}' from site_merchants";
    test.change(english).await;
    let mut other = test.visitor();
    other.cookies.push("lang=TY".to_owned());
    other.register("luwalhati", PASSWORD).await.value();
    assert_eq!(info(&other).await["language"], Value::Null);
}

#[tokio::test]
async fn the_chosen_language_is_kept_for_other_devices() {
    let test = TestApp::new().await;
    let maria = test.member("maria").await;
    assert_eq!(info(&maria).await["language"], Value::Null);
    let choose = async |client: &Client<'_>, language: &str| {
        let body = json!({ "language": language });
        client.request(Method::PUT, "/wps/member/language", Some(&body)).await
    };
    choose(&maria, "TY").await.value();
    let mut phone = test.visitor();
    phone.login("maria", PASSWORD).await.value();
    assert_eq!(info(&phone).await["language"], "TY");
    for unknown in ["", "ty", "KR", "EN; drop table"] {
        let refused = choose(&maria, unknown).await;
        assert_eq!(refused.body["fields"], json!({ "language": "invalid" }), "{unknown}");
    }
    choose(&test.visitor(), "EN").await.assert_refused(401, "session.required");
    let trial = test.trial().await;
    choose(&trial, "EN").await.value();
    assert_eq!(info(&trial).await["language"], "EN");
}
