//! Push over a real WebSocket: greeting, live events, resume, gaps, origins.

use std::sync::Arc;
use std::time::Duration;

use axum::http::Method;
use capiz::router;
use futures_util::{SinkExt, StreamExt};
use platform::ids::new_id;
use platform::jobs::{Registry, Worker};
use platform::push::{self, Hub, Relay, Topic};
use platform::{serve, shutdown};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{WebSocketStream, client_async};
use uuid::Uuid;

use crate::harness::{Client, TestApp};

/// The site on a port of its own, with its relay.
struct Site<'a> {
    test: &'a TestApp,
    host: String,
    relay: Relay,
    trigger: shutdown::ShutdownTrigger,
}

impl<'a> Site<'a> {
    async fn open(test: &'a TestApp) -> Self {
        let listener = serve::bind("127.0.0.1:0".parse().unwrap(), "CAPIZ_LISTEN").await.unwrap();
        let host = listener.local_addr().unwrap().to_string();
        let (trigger, shutdown) = shutdown::channel();
        tokio::spawn(serve::run(listener, router::site(&test.app), None, shutdown));
        let relay = Relay::new(Arc::clone(&test.app.push));
        relay.step().await.unwrap();
        Self { test, host, relay, trigger }
    }

    async fn connect(&self, client: &Client<'_>) -> Socket {
        self.connect_from(client, &format!("http://{}", self.host)).await.unwrap()
    }

    async fn connect_from(&self, client: &Client<'_>, origin: &str) -> Result<Socket, Box<Error>> {
        Socket::open((&self.host, "/wps/push"), origin, &client.cookies.join("; ")).await
    }

    async fn merchant(&self) -> Uuid {
        sqlx::query_scalar("select id from site_merchants")
            .fetch_one(&self.test.owner)
            .await
            .unwrap()
    }

    /// Commits a bundle of events and lets the relay run.
    async fn happen_all(&self, events: &[(Topic, Value)]) {
        record_all(self.test, events).await;
        self.relay.step().await.unwrap();
    }

    /// Commits an event and lets the relay run.
    async fn happen(&self, topic: Topic, event: Value) {
        record(self.test, topic, event).await;
        self.relay.step().await.unwrap();
    }
}

async fn record(test: &TestApp, topic: Topic, event: Value) {
    let now = test.app.clock.now();
    let mut tx = test.app.db.begin().await.unwrap();
    push::record(&mut tx, new_id(now), &topic.key(), &event, now).await.unwrap();
    tx.commit().await.unwrap();
}

async fn record_all(test: &TestApp, events: &[(Topic, Value)]) {
    let mut tx = test.app.db.begin().await.unwrap();
    push::record_all(&mut tx, events, test.app.clock.now()).await.unwrap();
    tx.commit().await.unwrap();
}

async fn purge(test: &TestApp) {
    let mut registry = Registry::new();
    push::register_purge(&mut registry, test.app.db.clone());
    let worker = Worker::new(test.app.db.clone(), test.app.clock.clone(), registry);
    worker.run_due(test.app.clock.now()).await.unwrap();
}

async fn count_rows(test: &TestApp) -> i64 {
    sqlx::query_scalar("select count(*) from platform_events").fetch_one(&test.owner).await.unwrap()
}

fn numbered(number: i64) -> Value {
    json!({ "type": "n", "n": number })
}

/// The client side of a WebSocket.
pub struct Socket(WebSocketStream<TcpStream>);

impl Socket {
    /// Opens a WebSocket from a page of this origin, with these cookies.
    pub async fn open(
        (host, path): (&str, &str),
        origin: &str,
        cookies: &str,
    ) -> Result<Self, Box<Error>> {
        let mut request = format!("ws://{host}{path}").into_client_request().unwrap();
        request.headers_mut().insert("origin", origin.parse().unwrap());
        if !cookies.is_empty() {
            request.headers_mut().insert("cookie", cookies.parse().unwrap());
        }
        let stream = TcpStream::connect(host).await.unwrap();
        let (socket, _) = client_async(request, stream).await.map_err(Box::new)?;
        Ok(Self(socket))
    }

    pub async fn say(&mut self, frame: Value) {
        self.0.send(Message::text(frame.to_string())).await.unwrap();
    }

    pub async fn next(&mut self) -> Message {
        let next = timeout(Duration::from_secs(5), self.0.next()).await;
        next.expect("a frame in time").expect("an open socket").unwrap()
    }

    pub async fn hear(&mut self) -> Value {
        match self.next().await {
            Message::Text(text) => serde_json::from_str(&text).unwrap(),
            other => panic!("no text: {other:?}"),
        }
    }

    /// Expects the next frame to be of this topic; returns its version and its single event.
    pub async fn hear_on(&mut self, topic: &str) -> (i64, Value) {
        let (version, events) = self.hear_all_on(topic).await;
        let [event] = events.as_slice() else { panic!("not one event: {events:?}") };
        (version, event.clone())
    }

    /// Expects the next frame to be of this topic; returns its version and all its events.
    pub async fn hear_all_on(&mut self, topic: &str) -> (i64, Vec<Value>) {
        let frame = self.hear().await;
        assert_eq!(frame["topic"], topic, "{frame}");
        let events = match topic {
            "control" => vec![frame["event"].clone()],
            _ => frame["events"].as_array().unwrap().clone(),
        };
        (frame["v"].as_i64().unwrap(), events)
    }

    /// Checks that no other frame is pending.
    pub async fn assert_silent(&mut self) {
        self.say(json!({ "type": "ping" })).await;
        assert_eq!(self.hear_on("control").await.1, json!({ "type": "pong" }));
    }

    pub async fn hello(&mut self, token: Option<&str>, resume: Value) -> Value {
        self.say(json!({ "type": "hello", "token": token, "resume": resume })).await;
        let (_, ready) = self.hear_on("control").await;
        assert_eq!(ready["type"], "ready", "{ready}");
        ready
    }

    /// Checks that the socket is closed because its session has ended.
    pub async fn assert_over(&mut self) {
        let denied = json!({ "type": "denied", "code": "session.required" });
        assert_eq!(self.hear_on("control").await.1, denied);
        self.assert_closed(CloseCode::from(4401)).await;
    }

    pub async fn assert_closed(&mut self, code: CloseCode) {
        match self.next().await {
            Message::Close(Some(frame)) => assert_eq!(frame.code, code, "{}", frame.reason),
            other => panic!("not closed: {other:?}"),
        }
    }
}

fn member_of(client: &Client<'_>, info: &Value) -> Topic {
    assert!(client.token.is_some());
    Topic::Member(info["id"].as_str().unwrap().parse().unwrap())
}

#[tokio::test]
async fn visitors_hear_of_their_site_and_no_other() {
    let test = TestApp::new().await;
    let site = Site::open(&test).await;
    let merchant = site.merchant().await;
    let mut socket = site.connect(&test.visitor()).await;
    let ready = socket.hello(None, json!({})).await;
    assert_eq!(ready["topics"], json!({ "site": 0, "winners": 0 }));
    assert_eq!(ready["gaps"], json!([]));

    let other = new_id(test.app.clock.now());
    site.happen(Topic::Site(other), json!({ "type": "status", "status": 2 })).await;
    site.happen(Topic::Member(merchant), json!({ "type": "balance" })).await;
    site.happen(Topic::Site(merchant), json!({ "type": "status", "status": 1 })).await;
    assert_eq!(socket.hear_on("site").await, (3, json!({ "type": "status", "status": 1 })));
    site.happen(Topic::Winners(merchant), json!({ "type": "winner" })).await;
    assert_eq!(socket.hear_on("winners").await.0, 4);
    socket.say(json!({ "type": "ping" })).await;
    assert_eq!(socket.hear_on("control").await.1, json!({ "type": "pong" }));
}

#[tokio::test]
async fn what_is_rolled_back_is_never_told() {
    let test = TestApp::new().await;
    let site = Site::open(&test).await;
    let merchant = site.merchant().await;
    let mut socket = site.connect(&test.visitor()).await;
    socket.hello(None, json!({})).await;
    let now = test.app.clock.now();
    let mut tx = test.app.db.begin().await.unwrap();
    let topic = Topic::Site(merchant).key();
    push::record(&mut tx, new_id(now), &topic, &json!({ "type": "undone" }), now).await.unwrap();
    tx.rollback().await.unwrap();
    site.happen(Topic::Site(merchant), json!({ "type": "done" })).await;
    assert_eq!(socket.hear_on("site").await, (1, json!({ "type": "done" })));
}

#[tokio::test]
async fn a_member_is_told_until_the_session_ends() {
    let test = TestApp::new().await;
    let member = test.member("pushed").await;
    let site = Site::open(&test).await;
    let topic = member_of(&member, member.get("/wps/member/info").await.value());
    let mut socket = site.connect(&member).await;
    let ready = socket.hello(member.token.as_deref(), json!({})).await;
    assert!(ready["topics"]["member"].is_i64(), "{ready}");
    site.happen(topic, json!({ "type": "balance" })).await;
    assert_eq!(socket.hear_on("member").await.1, json!({ "type": "balance" }));

    let left = member.request(axum::http::Method::DELETE, "/wps/session/logout", None).await;
    left.value();
    site.relay.step().await.unwrap();
    assert_eq!(socket.hear_on("member").await.1, json!({ "type": "session_ended" }));
    socket.assert_over().await;
    // A page that reconnects with the ended token is a visitor, and its socket stays open.
    let mut again = site.connect(&member).await;
    let ready = again.hello(member.token.as_deref(), json!({})).await;
    assert_eq!(ready["topics"].get("member"), None);
    assert_eq!(again.hear_on("control").await.1["type"], "denied");
    site.happen(topic, json!({ "type": "balance" })).await;
    again.assert_silent().await;
}

#[tokio::test]
async fn logging_out_elsewhere_does_not_end_this_pages_session() {
    let test = TestApp::new().await;
    let site = Site::open(&test).await;
    let member = test.member("maria").await;
    let mut elsewhere = member.clone();
    elsewhere.token = None;
    elsewhere.login("maria", "a-good-password").await;
    let mut socket = site.connect(&member).await;
    socket.hello(member.token.as_deref(), json!({})).await;
    elsewhere.request(Method::DELETE, "/wps/session/logout", None).await.value();
    site.relay.step().await.unwrap();
    socket.say(json!({ "type": "ping" })).await;
    // Only the answer arrives: the end of the other session is not sent to this page.
    assert_eq!(socket.hear_on("control").await.1, json!({ "type": "pong" }));
}

#[tokio::test]
async fn a_revoked_device_loses_its_socket_at_once_on_every_node() {
    let test = TestApp::new().await;
    let node = test.another_node();
    let (site, far) = (Site::open(&test).await, Site::open(&node).await);
    let member = test.member("maria").await;
    let mut revoked = node.visitor();
    revoked.login("maria", "a-good-password").await.value();
    let mut kept_socket = site.connect(&member).await;
    kept_socket.hello(member.token.as_deref(), json!({})).await;
    let mut socket = far.connect(&revoked).await;
    let ready = socket.hello(revoked.token.as_deref(), json!({})).await;
    assert!(ready["topics"]["member"].is_i64(), "{ready}");
    let devices = member.get("/wps/member/devices").await;
    let devices = devices.value().as_array().unwrap().clone();
    let device = devices.iter().find(|device| device["isCurrent"] == false).unwrap();
    let path = format!("/wps/member/devices/{}", device["id"].as_str().unwrap());
    member.request(Method::DELETE, &path, None).await.value();
    site.relay.step().await.unwrap();
    far.relay.step().await.unwrap();
    assert_eq!(socket.hear_on("member").await.1, json!({ "type": "session_ended" }));
    socket.assert_over().await;
    kept_socket.assert_silent().await;
}

#[tokio::test]
async fn a_freeze_closes_the_sockets_of_a_member_on_every_node_and_says_why() {
    let test = crate::office::office().await;
    let node = test.another_node();
    let (site, far) = (Site::open(&test).await, Site::open(&node).await);
    let here = test.member("maria").await;
    let mut there = node.visitor();
    there.login("maria", "a-good-password").await.value();
    let mut sockets = [site.connect(&here).await, far.connect(&there).await];
    for (socket, client) in sockets.iter_mut().zip([&here, &there]) {
        socket.hello(client.token.as_deref(), json!({})).await;
    }
    let info = here.get("/wps/member/info").await;
    let path = format!("/office/api/members/{}/freeze", info.value()["id"].as_str().unwrap());
    let support = crate::office::clerk(&test, "support").await;
    let why = json!({ "reason": "a stolen phone" });
    support.send(Method::POST, &path, Some(&why)).await.value();
    site.relay.step().await.unwrap();
    far.relay.step().await.unwrap();
    let expected = json!({ "type": "session_ended", "why": "member.frozen" });
    for socket in &mut sockets {
        assert_eq!(socket.hear_on("member").await.1, expected);
        socket.assert_over().await;
    }
    there.get("/wps/member/info").await.assert_refused(401, "session.required");
}

#[tokio::test]
async fn the_relays_of_two_nodes_close_what_a_new_password_ends_within_a_second() {
    let test = TestApp::new().await;
    let node = test.another_node();
    let (site, far) = (Site::open(&test).await, Site::open(&node).await);
    let (trigger, shutdown) = shutdown::channel();
    for push in [&test.app.push, &node.app.push] {
        tokio::spawn(Relay::new(Arc::clone(push)).run(shutdown.clone()));
    }
    let member = test.member("maria").await;
    let mut here = test.visitor();
    here.login("maria", "a-good-password").await.value();
    let mut there = node.visitor();
    there.login("maria", "a-good-password").await.value();
    let mut own = site.connect(&member).await;
    let mut others = [site.connect(&here).await, far.connect(&there).await];
    own.hello(member.token.as_deref(), json!({})).await;
    for (socket, client) in others.iter_mut().zip([&here, &there]) {
        let ready = socket.hello(client.token.as_deref(), json!({})).await;
        assert!(ready["topics"]["member"].is_i64(), "{ready}");
    }
    let change = json!({
        "oldPassword": "a-good-password", "newPassword": "mango riot at noon",
        "confirmNewPassword": "mango riot at noon",
    });
    member.sealed(Method::POST, "/wps/member/password", &change).await.value();
    for socket in &mut others {
        assert_eq!(socket.hear_on("member").await.1, json!({ "type": "session_ended" }));
        socket.assert_over().await;
    }
    own.assert_silent().await;
    trigger.begin();
}

#[tokio::test]
async fn a_socket_closes_when_its_session_is_idle_for_too_long() {
    let test = TestApp::new().await;
    let site = Site::open(&test).await;
    let member = test.member("maria").await;
    let mut socket = site.connect(&member).await;
    socket.hello(member.token.as_deref(), json!({})).await;
    test.advance(chrono::Duration::minutes(10));
    member.get("/wps/member/info").await.value();
    test.advance(chrono::Duration::minutes(10));
    socket.assert_silent().await;
    test.advance(chrono::Duration::minutes(5));
    socket.assert_over().await;
    member.get("/wps/member/info").await.assert_refused(401, "session.required");
}

#[tokio::test]
async fn a_socket_closes_when_its_session_is_too_old() {
    let test = TestApp::new().await;
    let site = Site::open(&test).await;
    let member = test.member("maria").await;
    let mut socket = site.connect(&member).await;
    socket.hello(member.token.as_deref(), json!({})).await;
    for _ in 0..71 {
        test.advance(chrono::Duration::minutes(10));
        member.get("/wps/member/info").await.value();
    }
    socket.assert_silent().await;
    test.advance(chrono::Duration::minutes(10));
    socket.assert_over().await;
}

#[tokio::test]
async fn an_open_socket_does_not_keep_a_session_alive() {
    let test = TestApp::new().await;
    let site = Site::open(&test).await;
    let member = test.member("maria").await;
    let mut socket = site.connect(&member).await;
    socket.hello(member.token.as_deref(), json!({})).await;
    for _ in 0..4 {
        test.advance(chrono::Duration::minutes(4));
        socket.say(json!({ "type": "auth", "token": member.token })).await;
        socket.hear_on("control").await;
    }
    member.get("/wps/member/info").await.assert_refused(401, "session.required");
}

#[tokio::test]
async fn logging_in_and_out_binds_the_open_socket() {
    let test = TestApp::new().await;
    let member = test.member("binder").await;
    let site = Site::open(&test).await;
    let mut socket = site.connect(&member).await;
    let ready = socket.hello(Some("nonsense"), json!({})).await;
    assert_eq!(ready["topics"].get("member"), None);
    assert_eq!(socket.hear_on("control").await.1["type"], "denied");
    socket.say(json!({ "type": "auth", "token": member.token })).await;
    let (_, ready) = socket.hear_on("control").await;
    assert!(ready["topics"]["member"].is_i64(), "{ready}");
    socket.say(json!({ "type": "auth", "token": null })).await;
    let (_, ready) = socket.hear_on("control").await;
    assert_eq!(ready["topics"].get("member"), None);
}

#[tokio::test]
async fn a_token_is_worth_nothing_without_its_device() {
    let test = TestApp::new().await;
    let member = test.member("robbed").await;
    let site = Site::open(&test).await;
    let mut socket = site.connect(&test.visitor()).await;
    let ready = socket.hello(member.token.as_deref(), json!({})).await;
    assert_eq!(ready["topics"].get("member"), None);
    assert_eq!(socket.hear_on("control").await.1["type"], "denied");
}

#[tokio::test]
async fn a_socket_that_comes_back_gets_what_it_missed() {
    let test = TestApp::new().await;
    let site = Site::open(&test).await;
    let merchant = site.merchant().await;
    for number in 1..=5 {
        site.happen(Topic::Site(merchant), json!({ "type": "status", "status": number })).await;
    }
    let mut socket = site.connect(&test.visitor()).await;
    let ready = socket.hello(None, json!({ "site": 3, "winners": 5 })).await;
    assert_eq!(ready["gaps"], json!([]));
    assert_eq!(ready["topics"], json!({ "site": 3, "winners": 5 }));
    assert_eq!(socket.hear_on("site").await, (4, json!({ "type": "status", "status": 4 })));
    assert_eq!(socket.hear_on("site").await, (5, json!({ "type": "status", "status": 5 })));
    site.happen(Topic::Site(merchant), json!({ "type": "status", "status": 6 })).await;
    assert_eq!(socket.hear_on("site").await.0, 6);
}

#[tokio::test]
async fn what_was_purged_or_never_was_is_a_gap() {
    let test = TestApp::new().await;
    let site = Site::open(&test).await;
    let merchant = site.merchant().await;
    for number in 1..=3 {
        site.happen(Topic::Site(merchant), json!({ "type": "status", "status": number })).await;
    }
    test.advance(chrono::Duration::minutes(61));
    purge(&test).await;
    assert_eq!(count_rows(&test).await, 0);

    let mut socket = site.connect(&test.visitor()).await;
    let ready = socket.hello(None, json!({ "site": 1, "winners": 999 })).await;
    assert_eq!(ready["gaps"], json!(["site", "winners"]));
    assert_eq!(ready["topics"], json!({ "site": 3, "winners": 3 }));
    let mut current = site.connect(&test.visitor()).await;
    let ready = current.hello(None, json!({ "site": 3 })).await;
    assert_eq!(ready["gaps"], json!([]));
}

#[tokio::test]
async fn a_bundle_is_one_row_and_one_frame_for_each_topic() {
    let test = TestApp::new().await;
    let member = test.member("bundled").await;
    let site = Site::open(&test).await;
    let merchant = site.merchant().await;
    let topic = member_of(&member, member.get("/wps/member/info").await.value());
    let mut page = site.connect(&member).await;
    page.hello(member.token.as_deref(), json!({})).await;
    let mut visitor = site.connect(&test.visitor()).await;
    visitor.hello(None, json!({})).await;

    let before = count_rows(&test).await;
    let stranger = Topic::Member(new_id(test.app.clock.now()));
    let winners = Topic::Winners(merchant);
    let events =
        [(winners, 1), (topic, 2), (stranger, 3), (winners, 4)].map(|(t, n)| (t, numbered(n)));
    site.happen_all(&events).await;
    assert_eq!(count_rows(&test).await, before + 1);

    let (version, won) = visitor.hear_all_on("winners").await;
    assert_eq!(won, [numbered(1), numbered(4)]);
    visitor.assert_silent().await;
    let mut heard = [page.hear().await, page.hear().await];
    heard.sort_by_key(|frame| frame["topic"].to_string());
    let [own, all] = heard;
    assert_eq!(own, json!({ "v": version, "topic": "member", "events": [numbered(2)] }));
    assert_eq!(all["events"], json!([numbered(1), numbered(4)]));
    page.assert_silent().await;

    site.happen(winners, numbered(5)).await;
    assert_eq!(visitor.hear_on("winners").await, (version + 1, numbered(5)));
}

#[tokio::test]
async fn a_bundle_that_is_rolled_back_or_empty_is_never_told() {
    let test = TestApp::new().await;
    let site = Site::open(&test).await;
    let topic = Topic::Site(site.merchant().await);
    let mut socket = site.connect(&test.visitor()).await;
    socket.hello(None, json!({})).await;
    let mut tx = test.app.db.begin().await.unwrap();
    push::record_all(&mut tx, &[(topic, numbered(1))], test.app.clock.now()).await.unwrap();
    tx.rollback().await.unwrap();
    site.happen_all(&[]).await;
    site.happen_all(&[(topic, numbered(2))]).await;
    assert_eq!(socket.hear_on("site").await, (1, numbered(2)));
}

#[tokio::test]
async fn a_socket_that_comes_back_finds_its_events_in_bundles() {
    let test = TestApp::new().await;
    let site = Site::open(&test).await;
    let merchant = site.merchant().await;
    let (own, winners) = (Topic::Site(merchant), Topic::Winners(merchant));
    let other = Topic::Site(new_id(test.app.clock.now()));
    site.happen(own, numbered(1)).await;
    site.happen_all(&[(own, numbered(2)), (other, numbered(0)), (own, numbered(3))]).await;
    site.happen_all(&[(other, numbered(0))]).await;
    site.happen(own, numbered(4)).await;
    site.happen_all(&[(winners, numbered(5)), (own, numbered(6))]).await;

    let mut socket = site.connect(&test.visitor()).await;
    let ready = socket.hello(None, json!({ "site": 1, "winners": 0 })).await;
    assert_eq!(ready["gaps"], json!([]));
    assert_eq!(socket.hear_all_on("site").await, (2, vec![numbered(2), numbered(3)]));
    assert_eq!(socket.hear_on("site").await, (4, numbered(4)));
    assert_eq!(socket.hear_on("site").await, (5, numbered(6)));
    assert_eq!(socket.hear_on("winners").await, (5, numbered(5)));
    socket.assert_silent().await;
}

#[tokio::test]
async fn more_bundles_than_a_replay_looks_through_are_a_gap() {
    let test = TestApp::new().await;
    let site = Site::open(&test).await;
    let merchant = site.merchant().await;
    let other = Topic::Site(new_id(test.app.clock.now()));
    for _ in 0..201 {
        record_all(&test, &[(other, numbered(0))]).await;
    }
    site.happen(Topic::Site(merchant), numbered(1)).await;
    let mut socket = site.connect(&test.visitor()).await;
    // From 2 on there are 199 bundles and the event itself; from 0 on there are 201.
    let ready = socket.hello(None, json!({ "site": 2, "winners": 0 })).await;
    assert_eq!(ready["gaps"], json!(["winners"]));
    assert_eq!(socket.hear_on("site").await, (202, numbered(1)));
    socket.assert_silent().await;
}

#[tokio::test]
async fn bundles_that_no_replay_reads_are_purged_early() {
    let test = TestApp::new().await;
    let site = Site::open(&test).await;
    let topic = Topic::Site(site.merchant().await);
    site.happen(topic, numbered(0)).await;
    for number in 1..=210 {
        record_all(&test, &[(topic, numbered(number))]).await;
    }
    site.relay.step().await.unwrap();
    test.advance(chrono::Duration::minutes(1));
    purge(&test).await;
    assert_eq!(count_rows(&test).await, 211);
    test.advance(chrono::Duration::minutes(2));
    purge(&test).await;
    assert_eq!(count_rows(&test).await, 201);

    let mut socket = site.connect(&test.visitor()).await;
    let ready = socket.hello(None, json!({ "site": 10, "winners": 209 })).await;
    assert_eq!(ready["gaps"], json!(["site"]));
    socket.assert_silent().await;
    test.advance(chrono::Duration::minutes(60));
    purge(&test).await;
    assert_eq!(count_rows(&test).await, 0);
}

#[tokio::test]
async fn another_sessions_end_takes_nothing_else_of_a_bundle_with_it() {
    let test = TestApp::new().await;
    let site = Site::open(&test).await;
    let member = test.member("maria").await;
    let topic = member_of(&member, member.get("/wps/member/info").await.value());
    let mut socket = site.connect(&member).await;
    socket.hello(member.token.as_deref(), json!({})).await;
    let end = json!({ "type": "session_ended" });
    site.happen_all(&[(topic, numbered(1)), (topic, end.clone())]).await;
    let (version, event) = socket.hear_on("member").await;
    assert_eq!(event, numbered(1));
    socket.assert_silent().await;

    // The same holds for a page that reconnects.
    let mut again = site.connect(&member).await;
    again.hello(member.token.as_deref(), json!({ "member": version - 1 })).await;
    assert_eq!(again.hear_on("member").await, (version, numbered(1)));
    again.assert_silent().await;

    sqlx::query("update sessions_tokens set ended_at = seen_at")
        .execute(&test.owner)
        .await
        .unwrap();
    site.happen_all(&[(topic, numbered(2)), (topic, end.clone())]).await;
    assert_eq!(socket.hear_all_on("member").await.1, [numbered(2), end]);
    socket.assert_over().await;
}

#[tokio::test]
async fn commits_close_together_are_numbered_together() {
    let test = TestApp::new().await;
    let topic = Topic::Site(new_id(test.app.clock.now()));
    let (trigger, shutdown) = shutdown::channel();
    let hub = Hub::new(test.app.db.clone(), shutdown.clone());
    let began = std::time::Instant::now();
    let relay = tokio::spawn(Relay::new(Arc::clone(&hub)).run(shutdown));
    for number in 0..60 {
        record_all(&test, &[(topic, numbered(number))]).await;
        hub.wake();
    }
    let unnumbered = "select count(*) from platform_events where seq is null";
    while sqlx::query_scalar::<_, i64>(unnumbered).fetch_one(&test.owner).await.unwrap() > 0 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let paced = began.elapsed().as_millis() / 20 + 1;
    trigger.begin();
    relay.await.unwrap();
    // Rows that were numbered in one transaction have its id.
    let passes: i64 = sqlx::query_scalar("select count(distinct xmin::text) from platform_events")
        .fetch_one(&test.owner)
        .await
        .unwrap();
    assert!(u128::try_from(passes).unwrap() <= paced, "{passes} passes where {paced} may be");
}

#[tokio::test]
async fn only_the_sites_own_pages_may_connect() {
    let test = TestApp::new().await;
    let site = Site::open(&test).await;
    let Err(error) = site.connect_from(&test.visitor(), "https://evil.example").await else {
        panic!("a foreign page got a socket");
    };
    let Error::Http(response) = *error else { panic!("{error}") };
    assert_eq!(response.status().as_u16(), 403);
    let plain = test.visitor().get("/wps/push").await;
    plain.assert_refused(400, "request.malformed");
}

#[tokio::test]
async fn bad_frames_end_the_conversation() {
    let test = TestApp::new().await;
    let site = Site::open(&test).await;
    let hello = json!({ "type": "hello", "token": null });
    let bad = [
        Message::text("{}"),
        Message::text("not json"),
        Message::text(hello.to_string()),
        Message::binary(vec![1, 2, 3]),
        Message::text("x".repeat(5_000)),
    ];
    for message in bad {
        let mut socket = site.connect(&test.visitor()).await;
        socket.hello(None, json!({})).await;
        socket.0.send(message).await.unwrap();
        socket.assert_closed(CloseCode::Policy).await;
    }
    let mut impatient = site.connect(&test.visitor()).await;
    impatient.say(json!({ "type": "ping" })).await;
    impatient.assert_closed(CloseCode::Policy).await;
}

#[tokio::test]
async fn two_relays_number_everything_once_and_lose_nothing() {
    const WRITERS: u32 = 4;
    const EACH: u32 = 60;
    let test = TestApp::new().await;
    let merchant = new_id(test.app.clock.now());
    let (trigger, shutdown) = shutdown::channel();
    let relays: Vec<_> = (0..2)
        .map(|_| {
            let hub = Hub::new(test.app.db.clone(), shutdown.clone());
            (Relay::new(Arc::clone(&hub)), hub)
        })
        .collect();
    for (relay, _) in &relays {
        relay.step().await.unwrap();
    }
    let writing = futures_util::future::join_all((0..WRITERS).map(|writer| {
        let test = &test;
        async move {
            for number in 0..EACH {
                let event = json!({ "type": "n", "n": writer * EACH + number });
                record(test, Topic::Site(merchant), event).await;
            }
        }
    }));
    let relaying = futures_util::future::join_all(relays.iter().map(|(relay, _)| async {
        let mut count = 0;
        while count < usize::try_from(WRITERS * EACH).unwrap() {
            count += relay.step().await.unwrap();
            tokio::task::yield_now().await;
        }
        count
    }));
    let (_, counts) =
        timeout(Duration::from_secs(30), async { tokio::join!(writing, relaying) }).await.unwrap();
    assert_eq!(counts, [240, 240]);
    let numbers: Vec<i64> = sqlx::query_scalar("select seq from platform_events order by seq")
        .fetch_all(&test.owner)
        .await
        .unwrap();
    assert_eq!(numbers, (1..=240).collect::<Vec<i64>>());
    trigger.begin();
}

#[tokio::test]
async fn sockets_are_told_when_the_server_stops() {
    let test = TestApp::new().await;
    let site = Site::open(&test).await;
    let mut socket = site.connect(&test.visitor()).await;
    socket.hello(None, json!({})).await;
    test.stop();
    socket.assert_closed(CloseCode::Away).await;
    drop(socket);
    test.app.push.drained().await;
    site.trigger.begin();
}
