//! SMS pumping: bots with proofs of work and ever new IP addresses request codes for numbers that
//! earn money with every message. `FAULT_BOTS` says how many requests they send.

use futures_util::stream::{self, StreamExt};
use serde_json::json;

use crate::harness::{Answer, TestApp, address, size};

const CODE: &str = "/wps/verification/sms/register";
const AT_ONCE: usize = 16;
/// The daily limit of a block of ten thousand numbers while none of its codes is entered.
const OF_A_BLOCK: usize = 10;
/// The daily limit of a site, of which one country gets four fifths.
const OF_A_DAY: usize = 50;
const OF_A_COUNTRY: usize = 40;

/// Requests a code for a Philippine number, as a bot or as a person.
async fn ask(test: &TestApp, from: usize, number: &str) -> Answer {
    let client = test.visitor().at(address(from));
    let body =
        json!({ "countryDialingCode": "63", "mobileNo": number, "human": client.proof().await });
    client.post(CODE, &body).await
}

/// Sends the requests of bots; returns how many codes were sent.
async fn attack(
    test: &TestApp,
    bots: std::ops::Range<usize>,
    number: impl Fn(usize) -> String,
) -> usize {
    let requests = bots.map(|bot| {
        let number = number(bot);
        async move { ask(test, bot, &number).await }
    });
    let mut answers = stream::iter(requests).buffer_unordered(AT_ONCE);
    let mut sent = 0;
    while let Some(answer) = answers.next().await {
        match answer.body["code"].as_str() {
            None => sent += usize::from(answer.value()["expiredMinutes"].is_number()),
            Some(code) => {
                assert!(["request.too_many", "verification.quota"].contains(&code), "{code}");
            }
        }
    }
    sent
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bots_get_no_more_codes_than_a_day_allows_and_take_none_from_other_blocks() {
    let test = TestApp::behind_a_proxy().await;
    test.change(&format!("update site_merchants set sms_per_day = {OF_A_DAY}")).await;
    let bots = size("FAULT_BOTS", 200);
    let in_one_block = |bot: usize| format!("917123{:04}", bot % 10_000);
    let sent = attack(&test, 0..bots / 2, in_one_block).await;
    assert_eq!(sent, OF_A_BLOCK);
    ask(&test, bots, "9181234567").await.value();
    let anywhere = |bot: usize| format!("9{:09}", 200_000_000 + bot * 7_919 % 99_999_999);
    let more = attack(&test, bots / 2..bots, anywhere).await;
    println!("  {bots} requests, {} codes sent", sent + 1 + more);
    assert_eq!(sent + 1 + more, OF_A_COUNTRY);
}
