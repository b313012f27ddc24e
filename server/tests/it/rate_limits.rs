//! Rate limits: counted for all nodes together, and reset after their window.

use std::time::Duration;

use axum::http::header;
use capiz::modules;
use platform::db;
use platform::error::ApiError;
use platform::jobs::Worker;
use platform::rate_limit::{RateLimit, RetryAfter, TakeError};
use sqlx::postgres::PgPoolOptions;

use crate::harness::TestApp;

const LIMIT: RateLimit = RateLimit { name: "test.work", limit: 3, window: Duration::from_secs(60) };

async fn take(test: &TestApp, key: &str) -> Result<u32, TakeError> {
    let mut db = test.app.db.acquire().await.unwrap();
    test.app.rate_limits.take(&mut db, &LIMIT, key, test.app.clock.now()).await
}

fn wait_of(taken: Result<u32, TakeError>) -> Option<u32> {
    match taken {
        Ok(_) => None,
        Err(TakeError::UsedUp(RetryAfter(seconds))) => Some(seconds),
        Err(TakeError::Database(error)) => panic!("{error}"),
    }
}

#[tokio::test]
async fn a_budget_is_used_up_and_whole_again_after_its_window() {
    let test = TestApp::new().await;
    for _ in 0..3 {
        assert_eq!(wait_of(take(&test, "a").await), None);
    }
    assert_eq!(wait_of(take(&test, "a").await), Some(60));
    assert_eq!(wait_of(take(&test, "b").await), None, "other keys have their own");
    test.advance(chrono::Duration::milliseconds(59_500));
    assert_eq!(wait_of(take(&test, "a").await), Some(1));
    test.advance(chrono::Duration::milliseconds(500));
    for _ in 0..3 {
        assert_eq!(wait_of(take(&test, "a").await), None);
    }
    assert_eq!(wait_of(take(&test, "a").await), Some(60));
}

#[tokio::test]
async fn several_are_asked_at_once_each_in_its_place() {
    let test = TestApp::new().await;
    let other = RateLimit { name: "test.other", ..LIMIT };
    take(&test, "a").await.unwrap();
    take(&test, "a").await.unwrap();
    take(&test, "b").await.unwrap();
    let mut db = test.app.db.acquire().await.unwrap();
    let limits_and_keys = [(&other, "a"), (&LIMIT, "b"), (&LIMIT, "c"), (&LIMIT, "a")];
    let now = test.app.clock.now();
    let used = test.app.rate_limits.used_many(&mut db, limits_and_keys, now).await.unwrap();
    assert_eq!(used, [0, 1, 0, 2]);
    let later = now + LIMIT.window;
    let used = test.app.rate_limits.used_many(&mut db, limits_and_keys, later).await.unwrap();
    assert_eq!(used, [0; 4], "a window that is over counts for nothing");
}

#[tokio::test]
async fn three_are_taken_in_order_up_to_the_first_that_is_used_up() {
    let test = TestApp::new().await;
    let limit_named = |name, limit| RateLimit { name, limit, ..LIMIT };
    let (wide, narrow) = (limit_named("test.wide", 100), limit_named("test.narrow", 1));
    let now = test.app.clock.now();
    let take = async |limits_and_keys| {
        let taken =
            test.app.rate_limits.take_in_order(&test.app.db, limits_and_keys, now).await.unwrap();
        taken.map_err(|(place, RetryAfter(seconds))| (place, seconds))
    };
    let used = async |limits_and_keys| {
        let mut db = test.app.db.acquire().await.unwrap();
        test.app.rate_limits.used_many(&mut db, limits_and_keys, now).await.unwrap()
    };
    let (a, b, c) = ((&wide, "a"), (&narrow, "b"), (&LIMIT, "c"));
    assert_eq!(take([a, b, c]).await, Ok(()));
    assert_eq!(take([a, b, c]).await, Err((1, 60)), "the second is used up");
    assert_eq!(used([a, b, c]).await, [2, 1, 1], "nothing of the third was taken for it");
    assert_eq!(take([b, a, c]).await, Err((0, 60)));
    assert_eq!(used([a, b, c]).await, [2, 1, 1]);
    for _ in 0..2 {
        assert_eq!(take([a, (&narrow, "other"), c]).await.err(), None);
        let unused = (&LIMIT, "unused");
        let taken = [unused, unused, (&narrow, "other")];
        test.app.rate_limits.settle(&test.app.db, taken, now).await.unwrap();
    }
    assert_eq!(take([a, (&narrow, "other"), c]).await, Err((2, 60)), "the third is used up");
    test.app.rate_limits.settle(&test.app.db, [(&wide, "d"), c, a], now).await.unwrap();
    assert_eq!(used([a, b, c]).await, [0, 1, 2], "one given back, the other forgotten");
    let none = limit_named("test.none", 0);
    assert_eq!(take([a, (&none, "new"), c]).await.err().map(|(place, _)| place), Some(1));
    assert_eq!(used([a, (&none, "new"), c]).await, [1, 0, 2], "where there is nothing to take");
}

#[tokio::test]
async fn tries_that_race_for_the_same_budgets_do_not_wait_for_each_other_for_ever() {
    let test = TestApp::new().await;
    let limit_named = |name| RateLimit { name, limit: 1_000, ..LIMIT };
    let (address, site, name) =
        (limit_named("test.address"), limit_named("test.site"), limit_named("test.name"));
    let now = test.app.clock.now();
    let tries = (0..200).map(async |number| {
        let (from, who) = (format!("{}", number % 5), format!("{}", number % 3));
        let limits_and_keys = [(&address, from.as_str()), (&site, "all"), (&name, who.as_str())];
        let taken = test.app.rate_limits.take_in_order(&test.app.db, limits_and_keys, now).await;
        assert_eq!(taken.unwrap(), Ok(()));
        test.app.rate_limits.settle(&test.app.db, limits_and_keys, now).await.unwrap();
    });
    futures_util::future::join_all(tries).await;
    let mut db = test.app.db.acquire().await.unwrap();
    let limits_and_keys = [(&site, "all"), (&name, "0"), (&address, "0")];
    let used = test.app.rate_limits.used_many(&mut db, limits_and_keys, now).await.unwrap();
    assert_eq!(used, [0, 0, 1], "all was given back, but for one of each address");
}

#[tokio::test]
async fn what_may_be_forgotten_waits_for_no_disk_and_all_else_does() {
    let test = TestApp::new().await;
    // One connection with synchronous commits; the tests' own connections commit asynchronously.
    let options = (*test.app.db.connect_options()).clone();
    let options = options.options([("synchronous_commit", "on")]);
    let pool = PgPoolOptions::new().max_connections(1).connect_with(options).await.unwrap();
    let waits = || sqlx::query_scalar::<_, String>("select current_setting('synchronous_commit')");
    let mut tx = db::begin_async_commit(&pool).await.unwrap();
    assert_eq!(waits().fetch_one(&mut *tx).await.unwrap(), "off");
    let now = test.app.clock.now();
    test.app.rate_limits.take(&mut tx, &LIMIT, "a", now).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(waits().fetch_one(&pool).await.unwrap(), "on");
    let mut db = test.app.db.acquire().await.unwrap();
    assert_eq!(test.app.rate_limits.used(&mut db, &LIMIT, "a", now).await.unwrap(), 1);
    // Turning it off for one statement does not affect the next.
    let off = "select set_config('synchronous_commit', 'off', true)";
    assert_eq!(sqlx::query_scalar::<_, String>(off).fetch_one(&pool).await.unwrap(), "off");
    assert_eq!(waits().fetch_one(&pool).await.unwrap(), "on");
}

#[tokio::test]
async fn racing_users_take_no_more_than_there_is() {
    let test = TestApp::new().await;
    let taken = futures_util::future::join_all((0..200).map(|_| take(&test, "a"))).await;
    assert_eq!(taken.into_iter().filter(Result::is_ok).count(), 3);
}

#[tokio::test]
async fn what_is_undone_was_not_used() {
    let test = TestApp::new().await;
    for _ in 0..10 {
        let mut tx = test.app.db.begin().await.unwrap();
        let now = test.app.clock.now();
        test.app.rate_limits.take(&mut tx, &LIMIT, "a", now).await.unwrap();
        tx.rollback().await.unwrap();
    }
    let mut db = test.app.db.acquire().await.unwrap();
    let now = test.app.clock.now();
    assert_eq!(test.app.rate_limits.used(&mut db, &LIMIT, "a", now).await.unwrap(), 0);
}

#[tokio::test]
async fn the_table_tells_no_key_and_forgets_old_windows() {
    let test = TestApp::new().await;
    take(&test, "203.0.113.7").await.unwrap();
    let rows: Vec<String> = sqlx::query_scalar("select b::text from platform_budgets b")
        .fetch_all(&test.owner)
        .await
        .unwrap();
    let hexed = hex::encode("203.0.113.7");
    assert!(rows.len() == 1 && !rows[0].contains("203.0.113.7") && !rows[0].contains(&hexed));
    let registry = modules::job_registry(&test.app);
    let worker = Worker::new(test.app.db.clone(), test.app.clock.clone(), registry);
    worker.run_due(test.app.clock.now()).await.unwrap();
    assert_eq!(count(&test).await, 1);
    test.advance(chrono::Duration::minutes(6));
    worker.run_due(test.app.clock.now()).await.unwrap();
    assert_eq!(count(&test).await, 0);
}

async fn count(test: &TestApp) -> i64 {
    sqlx::query_scalar("select count(*) from platform_budgets where name = 'test.work'")
        .fetch_one(&test.owner)
        .await
        .unwrap()
}

#[tokio::test]
async fn a_used_up_budget_is_a_429_that_says_when() {
    let test = TestApp::new().await;
    let refused = ApiError::from(TakeError::UsedUp(RetryAfter(300)));
    assert_eq!(refused.code, platform::codes::REQUEST_TOO_MANY);
    let client = test.visitor();
    for _ in 0..120 {
        client.get("/wps/captcha/challenge").await.value();
    }
    let answer = client.get("/wps/captcha/challenge").await;
    answer.assert_refused(429, "request.too_many");
    assert_eq!(answer.body["message"], "too many requests, try again after 5 minutes");
    assert_eq!(answer.headers[header::RETRY_AFTER], "60");
}

#[tokio::test]
async fn addresses_behind_a_trusted_proxy_have_budgets_of_their_own() {
    let proxy = [127, 0, 0, 1].into();
    let test = TestApp::configured(|config| config.platform.trusted_proxies = vec![proxy]).await;
    let ask = async |hops: &str| {
        let request = axum::http::Request::get("/wps/captcha/challenge");
        let request = request.header("x-forwarded-for", hops);
        test.send(request.body(axum::body::Body::empty()).unwrap()).await.status.as_u16()
    };
    for forged in 0..120 {
        // What the client wrote itself stands further left in the header and is ignored.
        assert_eq!(ask(&format!("198.51.100.{forged}, 203.0.113.7")).await, 200);
    }
    assert_eq!(ask("198.51.100.200, 203.0.113.7").await, 429);
    assert_eq!(ask("203.0.113.8").await, 200);
}
