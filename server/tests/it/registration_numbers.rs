//! Registration with a mobile number, and who owns a number.

use axum::http::Method;
use serde_json::{Value, json};

use crate::harness::{Answer, Client, TestApp};
use crate::registration_gates::code_to;

pub async fn register_by_mobile(client: &mut Client<'_>, number: &str, more: Value) -> Answer {
    let human = client.proof().await;
    let mut form = json!({
        "mobileNum": number, "birthday": "1990-05-17", "ofAge": true, "adult": true,
        "terms": true, "human": human,
    });
    for (name, value) in more.as_object().unwrap() {
        form[name] = value.clone();
    }
    let answer = client.sealed(Method::PUT, "/wps/member/register/mobile", &form).await;
    client.adopt(&answer);
    answer
}

#[tokio::test]
async fn a_mobile_number_is_a_username() {
    let test = TestApp::new().await;
    test.switch("REGMOBVERF3", false).await;
    let password = json!({
        "password": "a-good-password", "confirmPassword": "a-good-password",
        "countryDialingCode": "+63",
    });
    let mut client = test.visitor();
    let refused = register_by_mobile(&mut client, "09171234567", json!({})).await;
    assert_eq!(
        refused.body["fields"],
        json!({ "password": "required", "confirmPassword": "required" })
    );
    register_by_mobile(&mut client, "09171234567", password.clone()).await.value();
    let info = client.get("/wps/member/info").await;
    assert_eq!(info.value()["account"], "+639171234567");
    assert_eq!(info.value()["mobileNum"], "+639******567");
    assert_eq!(info.value()["mobileVerified"], false);
    // The number is not shown to other players.
    let nickname = info.value()["nickname"].as_str().unwrap();
    assert!(nickname.starts_with("player"), "{nickname}");
    // The same number in another notation is the same number.
    let again = register_by_mobile(&mut test.visitor(), "9171234567", password.clone()).await;
    again.assert_refused(409, "member.mobile_taken");
    assert_eq!(again.body["fields"], json!({ "mobileNum": "taken" }));
    for name in ["09171234567", "9171234567", "+639171234567", "639171234567"] {
        test.visitor().login(name, "a-good-password").await.value();
    }
    for (number, code) in [("", "required"), ("123456", "too_short"), ("0000000", "invalid")] {
        let refused = register_by_mobile(&mut test.visitor(), number, password.clone()).await;
        assert_eq!(refused.body["fields"], json!({ "mobileNum": code }), "{number}");
    }
    let guessed = json!({
        "password": "09181234567", "confirmPassword": "09181234567",
    });
    let refused = register_by_mobile(&mut test.visitor(), "09181234567", guessed).await;
    assert_eq!(refused.body["fields"], json!({ "password": "common" }));

    // If the form has no passwords, the account has none and cannot be logged into by password. The
    // number is then the member's only credential, so it is verified by a code whatever the switch
    // says.
    test.switch("MOBILENUMPASSREG3", false).await;
    let mut client = test.phone();
    let ignored = json!({ "password": "ignored-here" });
    let refused = register_by_mobile(&mut client, "9179999999", ignored).await;
    assert_eq!(refused.body["fields"], json!({ "verificationCode": "required" }));
    let code = code_to(&test, "9179999999").await;
    let more = json!({ "password": "ignored-here", "verificationCode": code });
    register_by_mobile(&mut client, "9179999999", more).await.value();
    assert_eq!(client.get("/wps/member/info").await.value()["hasPassword"], false);
    let refused = test.visitor().login("9179999999", "ignored-here").await;
    refused.assert_refused(400, "session.wrong_credentials");
}

#[tokio::test]
async fn numbers_and_addresses_belong_to_one_member() {
    let test = TestApp::new().await;
    test.switch("REGMOBVERF3", false).await;
    let more = json!({ "mobileNum": "9172345678", "email": "Maria@Example.com" });
    test.visitor().fill_in("maria", &more).await.value();
    let mobile = test.visitor().fill_in("josefa", &json!({ "mobileNum": "09172345678" })).await;
    mobile.assert_refused(409, "member.mobile_taken");
    let email = test.visitor().fill_in("josefa", &json!({ "email": "maria@example.COM" })).await;
    email.assert_refused(409, "member.email_taken");
    let all = test.visitor().fill_in("MARIA", &more).await;
    all.assert_refused(409, "member.name_taken");
    let named = json!({ "username": "taken", "mobileNum": "taken", "email": "taken" });
    assert_eq!(all.body["fields"], named);
    // A number of another country with the same digits is another number.
    let other = json!({ "mobileNum": "9172345678", "countryDialingCode": "1" });
    test.visitor().fill_in("josefa", &other).await.value();
}

#[tokio::test]
async fn gaps_in_a_number_count_for_nothing() {
    let test = TestApp::new().await;
    test.switch("REGMOBVERF3", false).await;
    let written = ["0917 123 4567", "+63 (918) 123-4567", "919.123.4567"];
    for (index, number) in written.into_iter().enumerate() {
        let mut client = test.visitor();
        let more = json!({ "mobileNum": number });
        client.fill_in(&format!("maria{index}"), &more).await.value();
        let info = client.get("/wps/member/info").await;
        assert_eq!(info.value()["mobileNum"], "+639******567", "{number}");
    }
    for (number, code) in [("0917 12", "too_short"), ("+1 917 123 4567", "invalid")] {
        let refused = test.visitor().fill_in("josefa", &json!({ "mobileNum": number })).await;
        assert_eq!(refused.body["fields"], json!({ "mobileNum": code }), "{number}");
    }
}
