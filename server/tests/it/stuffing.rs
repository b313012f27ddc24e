//! Passwords that leaked elsewhere, tried here from ten thousand addresses. The bots do the work of
//! the proofs, and some can read captchas; what counts is how many guesses are compared with a
//! password at all. `FAULT_GUESSES` says how many are sent.

use std::collections::BTreeMap;

use axum::http::Method;
use chrono::Duration;
use futures_util::stream::{self, StreamExt};
use serde_json::{Value, json};

use crate::bind::bind;
use crate::captcha::answer_of;
use crate::harness::{Answer, Client, PASSWORD, TestApp, address, size};

const LOGIN: &str = "/wps/session/login";
const ADDRESSES: usize = 10_000;
const AT_ONCE: usize = 32;
/// Accounts that exist; as many names again do not.
const ACCOUNTS: usize = 8;
/// What is allowed of a million.
const MOST_VERIFIED: usize = 500;
/// What a day allows on a site.
const OF_A_DAY: usize = 400;

/// What the bots were told.
type Told = BTreeMap<String, usize>;

/// A guess from one of the addresses.
#[derive(Clone)]
struct Bot<'a> {
    client: Client<'a>,
    name: String,
    reads_captchas: bool,
}

impl<'a> Bot<'a> {
    fn new(test: &'a TestApp, number: usize, reads_captchas: bool) -> Self {
        let client = test.visitor().at(address(number % ADDRESSES));
        // Mostly a new name each time, as a leaked list has them; every eighth is a member's.
        let name = match number % 8 {
            0 => format!("member{}", number / 8 % ACCOUNTS),
            _ => format!("leaked{number}"),
        };
        Self { client, name, reads_captchas }
    }

    /// Guesses again while the line is too long: nothing is looked at then.
    async fn insist(self, test: &TestApp) -> Answer {
        for _ in 0..400 {
            let answer = self.clone().guess(test).await;
            if answer.body["code"] != "server.unavailable" {
                return answer;
            }
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        panic!("the line does not grow shorter");
    }

    async fn guess(mut self, test: &TestApp) -> Answer {
        let mut login = json!({
            "type": "username", "username": self.name, "password": "from a leaked list",
            "human": self.client.proof().await,
        });
        if self.reads_captchas {
            login["captcha"] = read_captcha(test, &mut self.client).await;
        }
        self.client.sealed(Method::POST, LOGIN, &login).await
    }
}

/// What a captcha asks for; nothing where the address has had too many.
async fn read_captcha(test: &TestApp, client: &mut Client<'_>) -> Value {
    let shown = client.get("/wps/captcha?kind=question").await;
    client.adopt(&shown);
    match shown.body["value"].as_str() {
        Some(question) => json!(answer_of(test, client, question).await),
        None => Value::Null,
    }
}

/// Lets bots guess for a while, and counts what they are told.
async fn attack(
    test: &TestApp,
    guesses: usize,
    minutes: usize,
    reads_captchas: bool,
    told: &mut Told,
) {
    let bots = stream::iter(0..guesses).map(|number| {
        // The clock goes on by a minute so many times, evenly.
        if number * minutes / guesses != (number + 1) * minutes / guesses {
            test.advance(Duration::minutes(1));
        }
        Bot::new(test, number, reads_captchas).insist(test)
    });
    let mut answers = bots.buffer_unordered(AT_ONCE);
    while let Some(answer) = answers.next().await {
        let code = answer.body["code"].as_str().expect("a refusal").to_owned();
        *told.entry(code).or_default() += 1;
    }
}

/// Guesses that were compared with a password: the only ones who are told that it is wrong.
fn verified(told: &Told) -> usize {
    told.get("session.wrong_credentials").copied().unwrap_or(0)
}

/// An owner who logs in on a browser, answering a captcha.
async fn owner_logs_in(test: &TestApp, client: &mut Client<'_>) -> Answer {
    test.advance(Duration::seconds(2));
    let captcha = read_captcha(test, client).await;
    let login = json!({
        "type": "username", "username": "owner", "password": PASSWORD,
        "human": client.proof().await, "captcha": captcha,
    });
    client.sealed(Method::POST, LOGIN, &login).await
}

async fn owner_logs_in_by_phone(test: &TestApp, client: &mut Client<'_>) -> Answer {
    let mut number = json!({ "mobileNum": "9171234567", "countryDialingCode": "63" });
    number["human"] = json!(client.proof().await);
    let sent = client.post("/wps/verification/sms/noLogin", &number).await;
    sent.value();
    client.adopt(&sent);
    let code = test.letter_to("+639171234567").await[..6].to_owned();
    (number["type"], number["verificationCode"]) = (json!("sms"), json!(code));
    client.sealed(Method::POST, LOGIN, &number).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_a_million_guesses_no_more_than_five_hundred_are_verified() {
    let test = TestApp::behind_a_proxy().await;
    let home = address(20_000);
    let mut owner = test.visitor().at(home);
    owner.register("owner", PASSWORD).await.value();
    let number = json!({ "mobileNum": "9171234567", "countryDialingCode": "63" });
    bind(&test, &owner, &number, &json!({})).await.value();
    for number in 0..ACCOUNTS {
        let mut member = test.visitor().at(address(20_001 + number));
        member.register(&format!("member{number}"), PASSWORD).await.value();
    }
    let guesses = size("FAULT_GUESSES", 300);
    let is_small = guesses < 10_000;
    let mut told = Told::new();
    if is_small {
        // Most of the day's guesses take place without us: they are only work.
        attack(&test, 8, 0, false, &mut told).await;
        test.change(
            "update platform_budgets set used = used + 372
             where name in ('sessions.login.elsewhere', 'sessions.login.wrong_elsewhere')",
        )
        .await;
        test.change("update platform_budgets set used = 300 where name = 'sessions.login.site'")
            .await;
    }
    // Over three hours; what is asked of strangers for half of one is forgotten five times.
    let minutes = if is_small { 0 } else { 180 };
    attack(&test, guesses * 9 / 10, minutes, false, &mut told).await;
    let blind = verified(&told);
    // To read more captchas brings nothing more.
    attack(&test, (guesses / 10).min(2_000), 0, true, &mut told).await;
    // Until the last of the day's tries is known to have been wrong, others are told to wait.
    attack(&test, 3, 0, true, &mut told).await;
    println!("  {told:?}; {blind} verified without reading a captcha");
    let most = if is_small { OF_A_DAY - 372 } else { OF_A_DAY };
    assert_eq!(verified(&told), most);
    assert!(most <= MOST_VERIFIED && told.contains_key("session.locked"));

    // The owner comes in on a known device, at home on a new one, and anywhere by phone.
    owner.token = None;
    owner_logs_in(&test, &mut owner).await.value();
    owner_logs_in(&test, &mut test.visitor().at(home)).await.value();
    let abroad = &mut test.visitor().at(address(30_000));
    owner_logs_in(&test, abroad).await.assert_refused(429, "session.locked");
    owner_logs_in_by_phone(&test, abroad).await.value();
    owner_logs_in(&test, abroad).await.value();
    // A day later everybody does.
    test.advance(Duration::hours(24));
    owner_logs_in(&test, &mut test.visitor().at(address(30_001))).await.value();
}
