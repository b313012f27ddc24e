//! The office's push: who may open a WebSocket, what it receives, and when it closes.

use std::sync::Arc;

use axum::http::Method;
use capiz::router;
use chrono::Duration;
use platform::push::Relay;
use platform::{serve, shutdown};
use serde_json::json;
use tokio_tungstenite::tungstenite::Error;

use super::people::{choose_own, newcomer, secrets_in};
use super::{Clerk, clerk, office};
use crate::harness::TestApp;
use crate::push::Socket;
use crate::two_factor::code;

/// The office of a node, on a port of its own, with its relay.
struct House {
    host: String,
    relay: Relay,
    _trigger: shutdown::ShutdownTrigger,
}

impl House {
    async fn open(test: &TestApp) -> Self {
        let address = "127.0.0.1:0".parse().unwrap();
        let listener = serve::bind(address, "CAPIZ_OFFICE_LISTEN").await.unwrap();
        let host = listener.local_addr().unwrap().to_string();
        let (trigger, shutdown) = shutdown::channel();
        tokio::spawn(serve::run(listener, router::office(&test.app), None, shutdown));
        let relay = Relay::new(Arc::clone(&test.app.push));
        relay.step().await.unwrap();
        Self { host, relay, _trigger: trigger }
    }

    async fn try_connect(&self, origin: &str, cookie: &str) -> Result<Socket, u16> {
        let opened = Socket::open((&self.host, "/office/push"), origin, cookie).await;
        opened.map_err(|error| match *error {
            Error::Http(response) => response.status().as_u16(),
            other => panic!("{other}"),
        })
    }

    /// A WebSocket after its greeting.
    async fn connect(&self, clerk: &Clerk<'_>) -> Socket {
        self.connect_to(clerk, &["office", "staff"]).await
    }

    /// A WebSocket after its greeting, subscribed to these topics.
    async fn connect_to(&self, clerk: &Clerk<'_>, topics: &[&str]) -> Socket {
        let origin = format!("http://{}", self.host);
        let cookie = clerk.cookie();
        let mut socket = self.try_connect(&origin, &cookie).await.unwrap();
        let ready = socket.hello(None, json!({})).await;
        let found: Vec<_> = ready["topics"].as_object().unwrap().keys().cloned().collect();
        assert_eq!(found, topics);
        socket
    }
}

async fn ask(cashier: &Clerk<'_>, member_id: &str) -> String {
    let body = json!({
        "kind": "wallet.correct",
        "what": { "memberId": member_id, "direction": "credit", "amount": "5" },
        "reason": "a round was paid twice",
    });
    let requested = cashier.send(Method::POST, "/office/api/approvals", Some(&body)).await;
    requested.value().as_str().unwrap().to_owned()
}

#[tokio::test]
async fn requests_show_on_every_node_and_tell_no_more_than_that() {
    let test = office().await;
    let other = test.another_node();
    let house = House::open(&other).await;
    let maria = test.member("maria").await;
    let record = maria.get("/wps/v2/wallets/transfers").await;
    let member_id = record.value()["holderId"].as_str().unwrap().to_owned();
    let (admin, cashier) = (clerk(&test, "admin").await, clerk(&test, "cashier").await);
    let mut socket = house.connect(&admin).await;

    let id = ask(&cashier, &member_id).await;
    house.relay.step().await.unwrap();
    let event = |state: &str| json!({ "type": "approval", "id": id, "kind": "wallet.correct", "state": state });
    assert_eq!(socket.hear_on("office").await.1, event("open"));
    let refuses = json!({ "agrees": false, "reason": "it was paid once" });
    let path = format!("/office/api/approvals/{id}");
    admin.send(Method::POST, &path, Some(&refuses)).await.value();
    house.relay.step().await.unwrap();
    assert_eq!(socket.hear_on("office").await.1, event("refused"));

    // Requests that expire undecided or are withdrawn are announced too.
    let id = ask(&cashier, &member_id).await;
    let why = json!({ "reason": "it was the wrong member" });
    let path = format!("/office/api/approvals/{id}/withdraw");
    cashier.send(Method::POST, &path, Some(&why)).await.value();
    ask(&cashier, &member_id).await;
    // Advancing the clock would also end the session behind the socket.
    test.change(
        "update staff_approvals set asked_at = asked_at - interval '4 days',
            expires_at = expires_at - interval '4 days' where state = 'open'",
    )
    .await;
    staff::purge(&test.app.staff).await.unwrap();
    house.relay.step().await.unwrap();
    let mut states = Vec::new();
    for _ in 0..4 {
        states.push(socket.hear_on("office").await.1["state"].clone());
    }
    assert_eq!(states, ["open", "withdrawn", "open", "expired"]);
}

#[tokio::test]
async fn only_who_is_on_duty_hears_anything_and_only_on_our_own_pages() {
    let test = office().await;
    let house = House::open(&test).await;
    let admin = clerk(&test, "admin").await;
    let cookie = &admin.cookie();
    let own = format!("http://{}", house.host);
    assert_eq!(house.try_connect(&own, "").await.err(), Some(401));
    let forged = format!("{}=AAAA", cookie.split_once('=').unwrap().0);
    assert_eq!(house.try_connect(&own, &forged).await.err(), Some(401));
    for foreign in ["http://127.0.0.1:8080", "https://evil.example", "null"] {
        assert_eq!(house.try_connect(foreign, cookie).await.err(), Some(403), "{foreign}");
    }
    assert!(house.try_connect(&own, cookie).await.is_ok());
    // A page whose session ends before the greeting is refused.
    let mut late = house.try_connect(&own, cookie).await.unwrap();
    admin.send(Method::POST, "/office/api/session/logout", None).await.value();
    late.say(json!({ "type": "hello" })).await;
    late.assert_over().await;
}

#[tokio::test]
async fn the_office_is_heard_once_somebody_has_a_password_of_their_own() {
    let test = office().await;
    let house = House::open(&test).await;
    let maria = test.member("maria").await;
    let record = maria.get("/wps/v2/wallets/transfers").await;
    let member_id = record.value()["holderId"].as_str().unwrap().to_owned();
    let (admin, cashier) = (clerk(&test, "admin").await, clerk(&test, "cashier").await);
    let added = admin.send(Method::POST, "/office/api/staff", Some(&newcomer("lito"))).await;
    let (password, secret) = secrets_in(&added);
    let mut lito = Clerk::new(&test);
    lito.login("lito", &password, &code(&test, &secret)).await.value();
    let mut socket = house.connect_to(&lito, &["staff"]).await;
    ask(&cashier, &member_id).await;
    house.relay.step().await.unwrap();
    socket.assert_silent().await;

    choose_own(&test, &lito, (&password, &secret)).await;
    house.relay.step().await.unwrap();
    assert_eq!(socket.hear_on("staff").await.1, json!({ "type": "rights" }));
    ask(&cashier, &member_id).await;
    house.relay.step().await.unwrap();
    assert_eq!(socket.hear_on("office").await.1["state"], "open");
}

#[tokio::test]
async fn the_end_of_a_session_closes_its_sockets_and_no_others() {
    let test = office().await;
    let other = test.another_node();
    let house = House::open(&other).await;
    let (one, two) = (clerk(&test, "admin").await, clerk(&test, "admin").await);
    let (mut first, mut second) = (house.connect(&one).await, house.connect(&two).await);
    one.send(Method::POST, "/office/api/session/logout", None).await.value();
    house.relay.step().await.unwrap();
    assert_eq!(first.hear_on("staff").await.1, json!({ "type": "session_ended" }));
    first.assert_over().await;
    second.assert_silent().await;

    // An account that is closed, and one whose secrets were replaced.
    for (username, call) in [("support", Method::PUT), ("content", Method::POST)] {
        let theirs = clerk(&test, username).await;
        let mut socket = house.connect(&theirs).await;
        let id = theirs.get("/office/api/session").await.value()["id"].clone();
        let path = format!("/office/api/staff/{}", id.as_str().unwrap());
        let closed = json!({ "name": "x", "roles": [], "isActive": false, "reason": "left us" });
        let answer = match call {
            Method::PUT => two.send(call, &path, Some(&closed)).await,
            call => {
                let why = json!({ "reason": "the phone was lost" });
                two.send(call, &format!("{path}/reset"), Some(&why)).await
            }
        };
        answer.value();
        house.relay.step().await.unwrap();
        assert_eq!(socket.hear_on("staff").await.1, json!({ "type": "session_ended" }));
        socket.assert_over().await;
    }
    second.assert_silent().await;
}

#[tokio::test]
async fn other_rights_are_told_and_idle_sessions_end() {
    let test = office().await;
    let house = House::open(&test).await;
    let (admin, cashier) = (clerk(&test, "admin").await, clerk(&test, "cashier").await);
    let mut socket = house.connect(&cashier).await;
    let role =
        json!({ "rights": ["wallet.correct", "trail.read"], "reason": "they help the auditor" });
    admin.send(Method::PUT, "/office/api/roles/cashier", Some(&role)).await.value();
    house.relay.step().await.unwrap();
    assert_eq!(socket.hear_on("office").await.1, json!({ "type": "rights" }));
    let id = cashier.get("/office/api/session").await.value()["id"].clone();
    let path = format!("/office/api/staff/{}", id.as_str().unwrap());
    let body = json!({ "name": "C", "roles": ["support"], "isActive": true, "reason": "moved" });
    admin.send(Method::PUT, &path, Some(&body)).await.value();
    house.relay.step().await.unwrap();
    assert_eq!(socket.hear_on("staff").await.1, json!({ "type": "rights" }));

    // An open page does not keep a session alive, and neither do its automatic requests.
    for _ in 0..3 {
        test.advance(Duration::minutes(4));
        let answer = by_itself(&test, &cashier).await;
        assert_eq!(answer, 200);
        socket.assert_silent().await;
    }
    test.advance(Duration::minutes(4));
    socket.assert_over().await;
    assert_eq!(by_itself(&test, &cashier).await, 401);
}

/// Sends an automatic request, as an open page without user activity does.
async fn by_itself(test: &TestApp, clerk: &Clerk<'_>) -> u16 {
    let request = axum::http::Request::builder()
        .uri("/office/api/session")
        .header("x-office-by-itself", "1")
        .header("cookie", clerk.cookie());
    let answer = test.send_office(request.body(axum::body::Body::empty()).unwrap()).await;
    answer.status.as_u16()
}
