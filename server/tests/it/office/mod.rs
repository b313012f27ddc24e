//! The office: who can log in, what they may do, and what the audit log records.

mod approvals;
mod audit_log;
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

/// An application with the demo staff.
pub async fn office() -> TestApp {
    let test = TestApp::new().await;
    staff::create_demo_staff(&test.app.staff, STAFF).await.unwrap();
    test
}

/// A staff member's browser.
pub struct Clerk<'a> {
    test: &'a TestApp,
    /// By name, as a browser keeps them.
    pub cookies: Mutex<BTreeMap<String, String>>,
}

impl<'a> Clerk<'a> {
    pub fn new(test: &'a TestApp) -> Self {
        Self { test, cookies: Mutex::default() }
    }

    /// The `Cookie` header of the browser.
    pub fn cookie(&self) -> String {
        let cookies = self.cookies.lock().unwrap();
        let pairs: Vec<_> = cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        pairs.join("; ")
    }

    /// Another browser with those of the same cookies whose names match.
    pub fn copy<'b>(&self, test: &'b TestApp, fits: impl Fn(&str) -> bool) -> Clerk<'b> {
        let mut cookies = self.cookies.lock().unwrap().clone();
        cookies.retain(|name, _| fits(name));
        Clerk { test, cookies: Mutex::new(cookies) }
    }

    /// Keeps the cookies of a response, and deletes those that it expires.
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

    /// A search; its terms are sent in the body.
    pub async fn find(&self, path: &str, filter: &Value) -> Answer {
        self.send(Method::POST, path, Some(filter)).await
    }

    /// Rows of the audit log, newest first.
    pub async fn audit_log(&self, filter: &Value) -> Answer {
        self.find("/office/api/trail/find", filter).await
    }

    pub async fn login(&mut self, username: &str, password: &str, code: &str) -> Answer {
        let body = json!({ "username": username, "password": password, "code": code });
        self.send(Method::POST, "/office/api/session/login", Some(&body)).await
    }
}

/// A demo staff member, logged in. Each code is valid once, so the clock is advanced first.
pub async fn clerk<'a>(test: &'a TestApp, username: &str) -> Clerk<'a> {
    test.advance(Duration::seconds(30));
    let person = STAFF.iter().find(|person| person.username == username).unwrap();
    let mut clerk = Clerk::new(test);
    let answer = clerk.login(username, person.password, &code(test, &person.secret())).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
    clerk
}
