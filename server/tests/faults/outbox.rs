//! The operator reads the outbox with `capiz outbox`, while the server runs and after it was
//! stopped.

use altcha::{Challenge, SolveChallengeOptions, solve_challenge};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::json;

use crate::bounded;
use crate::http::{Connection, request};
use crate::process::Site;

#[tokio::test]
async fn codes_of_a_site_without_a_provider_are_read_by_command() {
    bounded(0, async {
        let mut site = Site::start().await;
        assert_eq!(site.node.outbox().await, "The outbox is empty.");
        ask_for_code(&site).await;
        let output = site.node.outbox().await;
        assert!(output.contains("sms kept  to +639171234567"), "{output}");
        assert!(output.contains(" is your Capiz code, valid for 5 minutes."), "{output}");
        site.stop().await;
        assert_eq!(site.node.outbox().await, output);
    })
    .await;
}

async fn ask_for_code(site: &Site) {
    let host = site.node.address;
    let mut connection = Connection::open(host).await.expect("a connection");
    let challenge_request = request("GET /wps/captcha/challenge", host, &[], "");
    let answer = connection.exchange(&challenge_request).await.expect("an answer");
    let challenge: Challenge = serde_json::from_value(answer.value().clone()).expect("a challenge");
    let solution = solve_challenge(SolveChallengeOptions::new(&challenge));
    let solution = solution.expect("a challenge").expect("a solution in time");
    let proof = json!({ "challenge": challenge, "solution": solution }).to_string();
    let human = BASE64_STANDARD.encode(proof);
    let body = json!({ "countryDialingCode": "63", "mobileNo": "09171234567", "human": human });
    let headers = [("Content-Type", "application/json")];
    let line = "POST /wps/verification/sms/register";
    let answer = connection.exchange(&request(line, host, &headers, &body.to_string())).await;
    assert_eq!(answer.expect("an answer").value(), &json!({ "expiredMinutes": 5 }));
}
