//! The office: who comes in, what they may do, and what the trail says of it.

mod approvals;
mod frozen;
mod login;
pub mod members;
mod money;
mod people;
mod proof;
mod push;
mod rights;
mod service;
mod settings;
mod timing;
mod trail;

use std::collections::BTreeMap;
use std::sync::Mutex;

use axum::body::Body;
use axum::http::{Method, Request, StatusCode, header};
use chrono::Duration;
use serde_json::{Value, json};
use staff::DemoPerson;

use crate::harness::{Answer, TestApp};
use crate::two_factor::code;

pub const STAFF: &[DemoPerson] = capiz::demo::STAFF;

/// The demo with its staff.
pub async fn office() -> TestApp {
    let test = TestApp::new().await;
    staff::found_demo(&test.app.staff, STAFF).await.unwrap();
    test
}

/// A browser in the office.
pub struct Clerk<'a> {
    test: &'a TestApp,
    /// By their names, as a browser keeps them.
    pub cookies: Mutex<BTreeMap<String, String>>,
}

impl<'a> Clerk<'a> {
    pub fn new(test: &'a TestApp) -> Self {
        Self { test, cookies: Mutex::default() }
    }

    /// The header that the browser sends its cookies in.
    pub fn cookie(&self) -> String {
        let cookies = self.cookies.lock().unwrap();
        let pairs: Vec<_> = cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        pairs.join("; ")
    }

    /// Another browser with the same cookies, or those of them whose names fit.
    pub fn copy<'b>(&self, test: &'b TestApp, fits: impl Fn(&str) -> bool) -> Clerk<'b> {
        let mut cookies = self.cookies.lock().unwrap().clone();
        cookies.retain(|name, _| fits(name));
        Clerk { test, cookies: Mutex::new(cookies) }
    }

    /// Keeps the cookies of an answer, and forgets those that it takes back.
    fn adopt(&self, answer: &Answer) {
        let mut cookies = self.cookies.lock().unwrap();
        for cookie in answer.headers.get_all(header::SET_COOKIE) {
            let cookie = cookie.to_str().unwrap();
            let (name, value) = cookie.split(';').next().unwrap().split_once('=').unwrap();
            match cookie.contains("Max-Age=0") {
                true => cookies.remove(name),
                false => cookies.insert(name.to_owned(), value.to_owned()),
            };
        }
    }

    pub async fn send(&self, method: Method, path: &str, body: Option<&Value>) -> Answer {
        let mut request = Request::builder().method(method).uri(path).header("x-office-page", "1");
        let cookie = self.cookie();
        if !cookie.is_empty() {
            request = request.header(header::COOKIE, cookie);
        }
        let body = match body {
            Some(body) => {
                request = request.header(header::CONTENT_TYPE, "application/json");
                Body::from(body.to_string())
            }
            None => Body::empty(),
        };
        let answer = self.test.send_office(request.body(body).unwrap()).await;
        self.adopt(&answer);
        answer
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.send(Method::GET, path, None).await
    }

    /// What is looked for goes in the body.
    pub async fn find(&self, path: &str, wanted: &Value) -> Answer {
        self.send(Method::POST, path, Some(wanted)).await
    }

    /// Rows of the trail, the latest first.
    pub async fn trail(&self, wanted: &Value) -> Answer {
        self.find("/office/api/trail/find", wanted).await
    }

    pub async fn login(&mut self, username: &str, password: &str, code: &str) -> Answer {
        let body = json!({ "username": username, "password": password, "code": code });
        self.send(Method::POST, "/office/api/session/login", Some(&body)).await
    }
}

/// Somebody of the demo's staff, logged in. Each code is good once, so the clock moves on first.
pub async fn clerk<'a>(test: &'a TestApp, username: &str) -> Clerk<'a> {
    test.advance(Duration::seconds(30));
    let person = STAFF.iter().find(|person| person.username == username).unwrap();
    let mut clerk = Clerk::new(test);
    let answer = clerk.login(username, person.password, &code(test, &person.secret())).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
    clerk
}
