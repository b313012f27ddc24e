//! Credential stuffing: leaked passwords are tried from ten thousand IP addresses. The bots solve
//! the proofs of work, and some can solve captchas. What counts is how many guesses are compared
//! with a password at all. `FAULT_GUESSES` says how many are sent.

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
/// The number of existing accounts; the bots use as many names that do not exist.
const ACCOUNTS: usize = 8;
/// How many of a million guesses may be compared with a password.
const MOST_VERIFIED: usize = 500;
/// The daily limit of a site.
const OF_A_DAY: usize = 400;

/// The outcomes of the guesses.
type Outcomes = BTreeMap<String, usize>;

/// A guess from one of the IP addresses.
#[derive(Clone)]
struct Bot<'a> {
    client: Client<'a>,
    name: String,
    reads_captchas: bool,
}

impl<'a> Bot<'a> {
    fn new(test: &'a TestApp, number: usize, reads_captchas: bool) -> Self {
        let client = test.visitor().at(address(number % ADDRESSES));
        // Mostly a new name each time, as in a leaked list; every eighth is a member's.
        let name = match number % 8 {
            0 => format!("member{}", number / 8 % ACCOUNTS),
            _ => format!("leaked{number}"),
        };
        Self { client, name, reads_captchas }
    }

    /// Repeats a guess while the admission queue is full, because such a guess is not examined.
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

/// Solves a captcha; null if the IP address has requested too many.
async fn read_captcha(test: &TestApp, client: &mut Client<'_>) -> Value {
    let shown = client.get("/wps/captcha?kind=question").await;
    client.adopt(&shown);
    match shown.body["value"].as_str() {
        Some(question) => json!(answer_of(test, client, question).await),
        None => Value::Null,
    }
}

/// Lets bots guess for a while, and counts the outcomes.
async fn attack(
    test: &TestApp,
    guesses: usize,
    minutes: usize,
    reads_captchas: bool,
    outcomes: &mut Outcomes,
) {
    let bots = stream::iter(0..guesses).map(|number| {
        // Advances the clock by this many minutes, evenly distributed.
        if number * minutes / guesses != (number + 1) * minutes / guesses {
            test.advance(Duration::minutes(1));
        }
        Bot::new(test, number, reads_captchas).insist(test)
    });
    let mut answers = bots.buffer_unordered(AT_ONCE);
    while let Some(answer) = answers.next().await {
        let code = answer.body["code"].as_str().expect("a refusal").to_owned();
        *outcomes.entry(code).or_default() += 1;
    }
}

/// Guesses that were compared with a password: only these are answered with wrong credentials.
fn verified(outcomes: &Outcomes) -> usize {
    outcomes.get("session.wrong_credentials").copied().unwrap_or(0)
}

/// The owner logs in on a browser, with a captcha.
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
    let code = test.message_to("+639171234567").await[..6].to_owned();
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
    let mut outcomes = Outcomes::new();
    if is_small {
        // Most of the day's attempts are set directly in the table, to save time.
        attack(&test, 8, 0, false, &mut outcomes).await;
        test.change(
            "update platform_budgets set used = used + 372
             where name in ('sessions.login.elsewhere', 'sessions.login.wrong_elsewhere')",
        )
        .await;
        test.change("update platform_budgets set used = 300 where name = 'sessions.login.site'")
            .await;
    }
    // Over three hours; the limits of unknown devices have a window of half an hour, so they reset
    // five times.
    let minutes = if is_small { 0 } else { 180 };
    attack(&test, guesses * 9 / 10, minutes, false, &mut outcomes).await;
    let blind = verified(&outcomes);
    // Solving more captchas gives no advantage.
    attack(&test, (guesses / 10).min(2_000), 0, true, &mut outcomes).await;
    // While the last of the day's attempts is undecided, others are refused with a 503.
    attack(&test, 3, 0, true, &mut outcomes).await;
    println!("  {outcomes:?}; {blind} verified without reading a captcha");
    let most = if is_small { OF_A_DAY - 372 } else { OF_A_DAY };
    assert_eq!(verified(&outcomes), most);
    assert!(most <= MOST_VERIFIED && outcomes.contains_key("session.locked"));

    // The owner can log in on a known device, at home on a new one, and anywhere by phone.
    owner.token = None;
    owner_logs_in(&test, &mut owner).await.value();
    owner_logs_in(&test, &mut test.visitor().at(home)).await.value();
    let abroad = &mut test.visitor().at(address(30_000));
    owner_logs_in(&test, abroad).await.assert_refused(429, "session.locked");
    owner_logs_in_by_phone(&test, abroad).await.value();
    owner_logs_in(&test, abroad).await.value();
    // A day later everybody can log in again.
    test.advance(Duration::hours(24));
    owner_logs_in(&test, &mut test.visitor().at(address(30_001))).await.value();
}
