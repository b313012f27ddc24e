//! The service pages: messages, jobs, health and outside services.

use axum::http::Method;
use capiz::config::Config;
use capiz::modules;
use chrono::Duration;
use platform::jobs::{self, Bounds, Job, Registry, Worker};
use platform::outbox::{Channel, MailSettings, Message, SmsSettings};
use platform::secret::Secret;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Clerk, STAFF, clerk, office};
use crate::harness::TestApp;
use crate::outbox::{Provider, SmtpPeer};
use crate::peer::Peer;

const MESSAGES: &str = "/office/api/service/messages";
const FIND: &str = "/office/api/service/messages/find";
const HEALTH: &str = "/office/api/service/health";

/// An office with a changed configuration.
async fn configured(change: impl FnOnce(&mut Config)) -> TestApp {
    let test = TestApp::configured(change).await;
    staff::create_demo_staff(&test.app.staff, STAFF).await.unwrap();
    test
}

async fn send(test: &TestApp, channel: Channel, to: &str) -> Uuid {
    let now = test.app.clock.now();
    let message = Message {
        merchant_id: test.merchant().await.id,
        purpose: "sessions.register",
        channel,
        to: to.to_owned(),
        subject: "Your code".to_owned(),
        text: "271828 is your code".to_owned(),
        deadline: Some(now + Duration::minutes(5)),
    };
    let mut tx = test.app.db.begin().await.unwrap();
    let id = test.app.outbox.send(&mut tx, message, now).await.unwrap();
    tx.commit().await.unwrap();
    id
}

async fn run_jobs(test: &TestApp) {
    let registry = modules::job_registry(&test.app);
    let worker = Worker::new(test.app.db.clone(), test.app.clock.clone(), registry);
    test.app.timetable.set_kinds(worker.kinds());
    worker.run_due(test.app.clock.now()).await.unwrap();
}

fn because(reason: &str) -> Value {
    json!({ "reason": reason })
}

#[tokio::test]
async fn messages_are_listed_without_what_they_say_and_opening_one_is_a_deed() {
    let test = office().await;
    let id = send(&test, Channel::Sms, "+639171234567").await;
    test.advance(Duration::seconds(1));
    send(&test, Channel::Mail, "maria@example.com").await;
    let (admin, support) = (clerk(&test, "admin").await, clerk(&test, "support").await);
    let list = support.find(FIND, &json!({})).await;
    let rows = list.value().as_array().unwrap();
    assert_eq!(rows.len(), 2);
    assert_eq!(
        (&rows[1]["to"], &rows[1]["purpose"]),
        (&json!("+63•••567"), &json!("sessions.register"))
    );
    assert_eq!((&rows[0]["to"], &rows[0]["state"]), (&json!("m…@example.com"), &json!("kept")));
    assert_eq!(rows[0]["merchant"], test.merchant().await.name);
    assert_eq!(rows[0]["canResend"], false, "nobody sends e-mail here");
    for secret in ["271828", "9171234567", "maria@"] {
        assert!(!list.text.contains(secret), "{}", list.text);
    }

    let open = format!("{MESSAGES}/{id}/open");
    let why = because("the member asks on the phone");
    support.send(Method::POST, &open, Some(&why)).await.assert_refused(403, "staff.not_allowed");
    admin.send(Method::POST, &open, Some(&because("?"))).await.assert_refused(400, "input.invalid");
    let opened = admin.send(Method::POST, &open, Some(&why)).await;
    assert_eq!(
        *opened.value(),
        json!({ "to": "+639171234567", "subject": "Your code", "text": "271828 is your code" })
    );
    let entries = admin.audit_log(&json!({ "action": "service.open" })).await;
    let rows = entries.value().as_array().unwrap();
    assert_eq!(rows.len(), 1);
    assert_eq!(rows[0]["subject"], format!("message:{id}"));
    assert_eq!(rows[0]["reason"], "the member asks on the phone");
    assert!(
        !entries.text.contains("271828") && !entries.text.contains("9171234567"),
        "{}",
        entries.text
    );
}

#[tokio::test]
async fn messages_are_found_by_what_is_known_of_them() {
    let test = office().await;
    for number in ["+639171234567", "+639171234568", "+6591234567"] {
        send(&test, Channel::Sms, number).await;
        test.advance(Duration::minutes(1));
    }
    send(&test, Channel::Mail, "Maria@Example.com").await;
    let admin = clerk(&test, "admin").await;
    let found = async |filter: Value| {
        let list = admin.find(FIND, &filter).await;
        list.value().as_array().unwrap().len()
    };
    assert_eq!(found(json!({})).await, 4);
    assert_eq!(found(json!({ "channel": "sms" })).await, 3);
    assert_eq!(found(json!({ "state": "kept", "channel": "mail" })).await, 1);
    assert_eq!(found(json!({ "state": "sent" })).await, 0);
    for whole in ["+639171234567", "09171234567", "917-123-4567", "91234567", "maria@example.com"] {
        assert_eq!(found(json!({ "to": whole })).await, 1, "{whole}");
    }
    for part in ["917123", "maria", "@example.com"] {
        assert_eq!(found(json!({ "to": part })).await, 0, "{part}");
    }
    let start = crate::harness::start_of_time();
    let middle = (start + Duration::seconds(90)).to_rfc3339();
    assert_eq!(found(json!({ "until": middle })).await, 2);
    assert_eq!(found(json!({ "from": middle })).await, 2);
    let page = admin.find(FIND, &json!({ "limit": 3 })).await;
    assert_eq!(found(json!({ "before": page.value()[2]["id"] })).await, 1);
    for bad in [
        json!({ "channel": "pigeon" }),
        json!({ "state": "lost" }),
        json!({ "limit": "x" }),
        json!({ "before": "x" }),
        json!({ "from": "yesterday" }),
    ] {
        let answer = admin.find(FIND, &bad).await;
        assert_eq!(answer.status, 400, "{bad}: {}", answer.text);
    }
}

#[tokio::test]
async fn what_failed_is_sent_again_once_and_while_it_is_of_use() {
    let (provider, url) = Provider::start(&[422, 200]).await;
    let settings = SmsSettings::new(&url, None).unwrap();
    let test = configured(|config| config.platform.sms = Some(settings)).await;
    let id = send(&test, Channel::Sms, "+639171234567").await;
    let path = format!("{MESSAGES}/{id}/resend");
    let why = because("the provider is back");
    let admin = clerk(&test, "admin").await;
    admin.send(Method::POST, &path, Some(&why)).await.assert_refused(409, "service.not_failed");
    run_jobs(&test).await;
    let row = admin.find(FIND, &json!({})).await.value()[0].clone();
    assert_eq!((&row["state"], &row["tries"]), (&json!("failed"), &json!(1)));
    assert!(row["lastError"].as_str().unwrap().contains("422"), "{row}");
    assert_eq!(row["canResend"], true);
    admin.send(Method::POST, &path, Some(&why)).await.value();
    admin.send(Method::POST, &path, Some(&why)).await.assert_refused(409, "service.not_failed");
    run_jobs(&test).await;
    let row = admin.find(FIND, &json!({})).await.value()[0].clone();
    assert_eq!((&row["state"], &row["tries"]), (&json!("sent"), &json!(2)));
    assert_eq!(row["lastError"], Value::Null);
    assert_eq!(provider.taken().len(), 2);

    // Once the text is deleted, the message can neither be read nor sent again.
    test.advance(Duration::hours(25));
    run_jobs(&test).await;
    let admin = clerk(&test, "admin").await;
    let open = format!("{MESSAGES}/{id}/open");
    admin.send(Method::POST, &open, Some(&why)).await.assert_refused(409, "service.text_removed");
}

#[tokio::test]
async fn what_nobody_sends_or_needs_is_not_sent_again() {
    let test = office().await;
    let id = send(&test, Channel::Sms, "+639171234567").await;
    let path = format!("{MESSAGES}/{id}/resend");
    let admin = clerk(&test, "admin").await;
    let why = because("why not");
    admin.send(Method::POST, &path, Some(&why)).await.assert_refused(409, "service.not_configured");
    test.advance(Duration::minutes(6));
    admin.send(Method::POST, &path, Some(&why)).await.assert_refused(409, "service.too_late");
}

/// A job of a kind that always fails, until it is dead.
async fn a_dead_job(test: &TestApp) -> Worker {
    let mut registry = Registry::new();
    let bounds = Bounds { attempts: 2, ..Bounds::default() };
    registry.handle("test.fails", bounds, |run| async move {
        match run.payload["fails"].as_bool() {
            Some(true) => Err("the printer is on fire".into()),
            _ => Ok(()),
        }
    });
    let worker = Worker::new(test.app.db.clone(), test.app.clock.clone(), registry);
    test.app.timetable.set_kinds(worker.kinds());
    let now = test.app.clock.now();
    let payload = json!({ "fails": true });
    let mut tx = test.app.db.begin().await.unwrap();
    let job = Job { kind: "test.fails", payload, due_at: now, unique_key: None };
    jobs::enqueue(&mut tx, job, now).await.unwrap();
    tx.commit().await.unwrap();
    for _ in 0..3 {
        worker.run_due(test.app.clock.now()).await.unwrap();
        test.advance(Duration::minutes(1));
    }
    worker
}

#[tokio::test]
async fn a_dead_job_is_seen_and_given_a_second_life() {
    let test = office().await;
    let worker = a_dead_job(&test).await;
    let (admin, auditor) = (clerk(&test, "admin").await, clerk(&test, "auditor").await);
    let kinds = auditor.get("/office/api/service/jobs").await;
    let kinds = kinds.value().as_array().unwrap().clone();
    let kind = kinds.iter().find(|kind| kind["kind"] == "test.fails").unwrap();
    assert_eq!((&kind["dead"], &kind["attempts"]), (&json!(1), &json!(2)));
    assert_eq!(kind["lastError"], "the printer is on fire");
    let purge = kinds.iter().find(|kind| kind["kind"] == "platform.jobs.purge").unwrap();
    assert_eq!(purge["everyS"], 3600);
    assert!(purge["doneAt"].is_string() && purge["nextAt"].is_string(), "{purge}");
    assert!(purge["tookMs"].as_i64().unwrap() >= 0);

    assert_eq!(auditor.get(HEALTH).await.value()["jobs"]["verdict"]["finding"], "jobs_dead");
    let dead = auditor.get("/office/api/service/jobs/dead").await;
    let id = dead.value()[0]["id"].as_str().unwrap().to_owned();
    assert_eq!(dead.value()[0]["payload"], r#"{"fails":true}"#);
    let path = format!("/office/api/service/jobs/{id}/retry");
    let why = because("the fire is out");
    auditor.send(Method::POST, &path, Some(&why)).await.assert_refused(403, "staff.not_allowed");
    test.change("update platform_jobs set payload = '{}'").await;
    admin.send(Method::POST, &path, Some(&why)).await.value();
    admin.send(Method::POST, &path, Some(&why)).await.assert_refused(404, "service.unknown");
    worker.run_due(test.app.clock.now()).await.unwrap();
    let dead = auditor.get("/office/api/service/jobs/dead").await;
    assert!(dead.value().as_array().unwrap().is_empty());
    assert_eq!(auditor.get(HEALTH).await.value()["jobs"]["verdict"]["finding"], "jobs_well");
    let entries = auditor.audit_log(&json!({ "action": "service.retry" })).await;
    assert_eq!(entries.value()[0]["subject"], format!("job:{id}"));
}

#[tokio::test]
async fn health_tells_what_the_checks_found_and_when() {
    let test = office().await;
    test.member("maria").await;
    let (admin, auditor) = (clerk(&test, "admin").await, clerk(&test, "auditor").await);
    let health = auditor.get(HEALTH).await.value().clone();
    assert_eq!(
        health["ledger"]["verdict"],
        json!({ "state": "watch", "finding": "ledger_unchecked" })
    );
    assert_eq!(health["state"], "watch");
    run_jobs(&test).await;
    let health = auditor.get(HEALTH).await.value().clone();
    assert_eq!(health["state"], "well", "{health}");
    assert_eq!(health["ledger"]["verdict"]["finding"], "ledger_sound");
    assert!(health["ledger"]["rows"].as_i64().unwrap() >= 1, "{health}");
    assert_eq!(health["trail"]["verdict"]["finding"], "trail_whole");
    assert!(health["trail"]["rows"].as_i64().unwrap() >= 7, "{health}");
    assert_eq!(health["rounds"]["verdict"]["finding"], "rounds_fair");
    for part in ["writer", "push", "database", "passwords", "jobs"] {
        assert_eq!(health[part]["verdict"]["finding"], format!("{part}_well"), "{health}");
    }
    assert!(health["database"]["bytes"].as_i64().unwrap() > 1_000_000);
    assert_eq!(health["database"]["tables"].as_array().unwrap().len(), 8);
    assert!(health["database"]["connections"].as_i64().unwrap() > 0);
    assert!(health["database"]["migration"].as_i64().unwrap() >= 30);
    assert!(health["writer"]["lanes"].as_i64().unwrap() > 0);
    assert!(health["node"]["memoryBytes"].as_i64().unwrap() > 1_000_000);

    // Rows are changed directly in the tables; a requested check finds it.
    test.change("update staff_trail set actor = 'nobody' where seq = 2").await;
    test.change("update wallet_holders set main = main + 1").await;
    for what in ["ledger", "trail", "rounds"] {
        let body = json!({ "what": what, "reason": "something looks odd" });
        let path = "/office/api/service/checks";
        auditor
            .send(Method::POST, path, Some(&body))
            .await
            .assert_refused(403, "staff.not_allowed");
        admin.send(Method::POST, path, Some(&body)).await.value();
        assert_eq!(auditor.get(HEALTH).await.value()[what]["isRunning"], true);
    }
    test.advance(Duration::seconds(1));
    run_jobs(&test).await;
    let health = auditor.get(HEALTH).await.value().clone();
    assert_eq!(health["state"], "ill");
    assert_eq!(health["ledger"]["verdict"]["finding"], "ledger_broken");
    assert!(health["ledger"]["fault"].as_str().unwrap().contains("holder"), "{health}");
    assert_eq!(health["trail"]["verdict"]["finding"], "trail_broken");
    assert_eq!(health["trail"]["isRunning"], false);
    test.advance(Duration::hours(4));
    let auditor = clerk(&test, "auditor").await;
    let health = auditor.get(HEALTH).await.value().clone();
    assert_eq!(health["trail"]["verdict"]["finding"], "trail_broken", "a fault does not grow old");
}

/// With the server's own database role: the findings of a check cannot be changed afterwards.
#[tokio::test]
async fn what_a_check_found_stays_as_it_is() {
    let test = office().await;
    run_jobs(&test).await;
    let refused =
        sqlx::raw_sql("update service_checks set fault = null").execute(&test.app.db).await;
    assert!(refused.unwrap_err().to_string().contains("permission denied"));
}

async fn outside(clerk: &Clerk<'_>) -> Vec<(String, bool)> {
    let list = clerk.get("/office/api/service/outside").await;
    let services = list.value().as_array().unwrap().iter().map(|one| {
        (one["name"].as_str().unwrap().to_owned(), one["isConfigured"].as_bool().unwrap())
    });
    services.collect()
}

async fn try_out(clerk: &Clerk<'_>, name: &str, to: Option<&str>) -> Value {
    let body = json!({ "to": to, "reason": "is it there?" });
    let path = format!("/office/api/service/outside/{name}/try");
    clerk.send(Method::POST, &path, Some(&body)).await.body
}

#[tokio::test]
async fn messages_are_tried_against_their_providers() {
    let mut mail = SmtpPeer::start();
    let (provider, url) = Provider::start(&[200, 401, 503]).await;
    let smtp = Secret::new(format!("smtp://capiz:secret@127.0.0.1:{}", mail.port));
    let test = configured(|config| {
        let token = Some(Secret::new("word-of-the-sms".to_owned()));
        config.platform.sms = Some(SmsSettings::new(&url, token).unwrap());
        config.platform.mail =
            Some(MailSettings::new(&smtp, "Capiz <no-reply@capiz.example>").unwrap());
    })
    .await;
    let admin = clerk(&test, "admin").await;
    let list = admin.get("/office/api/service/outside").await;
    assert!(!list.text.contains("word-of-the") && !list.text.contains("secret"), "{}", list.text);
    assert_eq!(list.value()[1]["place"], "no-reply@capiz.example");

    let tried = try_out(&admin, "mail", Some("maria@example.com")).await;
    assert_eq!(tried["value"], json!({ "isGood": true, "outcome": "taken", "detail": null }));
    assert_eq!(mail.next()["to"], json!(["maria@example.com"]));
    let tried = try_out(&admin, "mail", Some("nobody@example.com")).await;
    assert_eq!(tried["value"]["outcome"], "refused", "{tried}");
    assert_eq!(try_out(&admin, "sms", Some("+63 917 123 4567")).await["value"]["outcome"], "taken");
    assert_eq!(provider.taken()[0].1["to"], "+639171234567");
    let tried = try_out(&admin, "sms", Some("+639171234567")).await;
    assert_eq!(
        (&tried["value"]["isGood"], &tried["value"]["outcome"]),
        (&json!(false), &json!("later"))
    );
    assert!(tried["value"]["detail"].as_str().unwrap().contains("401"), "{tried}");
    for (name, to) in
        [("sms", "0917"), ("sms", ""), ("mail", "maria"), ("mail", "a@b.c\r\nBcc: x@y.z")]
    {
        let refused = try_out(&admin, name, Some(to)).await;
        assert_eq!(refused["fields"]["to"], "pattern", "{name} {to}: {refused}");
    }
    assert_eq!(try_out(&admin, "pigeon", None).await["code"], "service.unknown");
    assert_eq!(try_out(&admin, "oidc", None).await["code"], "service.not_configured");
    let entries = admin.audit_log(&json!({ "action": "service.try" })).await;
    assert_eq!(entries.value().as_array().unwrap().len(), 4);
    assert!(
        !entries.text.contains("9171234567") && !entries.text.contains("maria@"),
        "{}",
        entries.text
    );
    // Messages cost money, so tests of a service are limited per person.
    for _ in 0..16 {
        try_out(&admin, "sms", Some("+639171234567")).await;
    }
    assert_eq!(try_out(&admin, "sms", Some("+639171234567")).await["code"], "request.too_many");
}

#[tokio::test]
async fn identity_services_are_asked_for_what_they_publish() {
    let peer = Peer::start();
    let test = peer.site().await;
    staff::create_demo_staff(&test.app.staff, STAFF).await.unwrap();
    let admin = clerk(&test, "admin").await;
    let names: Vec<_> = outside(&admin).await.into_iter().filter(|(_, is)| *is).collect();
    assert_eq!(names.len(), 3, "{names:?}");
    for name in ["phone", "oidc"] {
        let tried = try_out(&admin, name, None).await;
        assert_eq!(
            (&tried["value"]["isGood"], &tried["value"]["outcome"]),
            (&json!(true), &json!("keys")),
            "{tried}"
        );
        assert!(tried["value"]["detail"].as_str().unwrap().parse::<u32>().unwrap() > 0, "{tried}");
    }
    assert_eq!(try_out(&admin, "oauth", None).await["value"]["outcome"], "answered");
    drop(peer);
    for name in ["phone", "oidc", "oauth"] {
        let tried = try_out(&admin, name, None).await;
        assert_eq!(
            (&tried["value"]["isGood"], &tried["value"]["outcome"]),
            (&json!(false), &json!("unreachable")),
            "{tried}"
        );
    }
}
