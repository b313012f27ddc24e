//! Background jobs: queued in the transaction of their cause, run once, retried, and dead after the
//! last try.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use platform::jobs::{self, Bounds, Job, Registry, Worker};
use serde_json::{Value, json};

use crate::harness::TestApp;

const KIND: &str = "test.work";

fn job(test: &TestApp, unique_key: Option<&str>) -> Job {
    Job {
        kind: KIND,
        payload: json!({ "n": 1 }),
        due_at: test.app.clock.now(),
        unique_key: unique_key.map(str::to_owned),
    }
}

async fn enqueue(test: &TestApp, job: Job) -> bool {
    let mut tx = test.app.db.begin().await.unwrap();
    let queued = jobs::enqueue(&mut tx, job, test.app.clock.now()).await.unwrap();
    tx.commit().await.unwrap();
    queued
}

/// A worker whose handler counts its runs and fails the first `failures` of them.
fn worker(test: &TestApp, bounds: Bounds, failures: u32) -> (Worker, Arc<AtomicU32>) {
    let runs = Arc::new(AtomicU32::new(0));
    let counted = Arc::clone(&runs);
    let mut registry = Registry::new();
    registry.handle(KIND, bounds, move |run| {
        let counted = Arc::clone(&counted);
        async move {
            assert_eq!(run.payload, json!({ "n": 1 }));
            let before = counted.fetch_add(1, Ordering::SeqCst);
            if before < failures { Err("not yet".into()) } else { Ok(()) }
        }
    });
    (Worker::new(test.app.db.clone(), test.app.clock.clone(), registry), runs)
}

async fn run_due(test: &TestApp, worker: &Worker) -> usize {
    worker.run_due(test.app.clock.now()).await.unwrap()
}

async fn row(test: &TestApp) -> (String, i32, Option<String>) {
    sqlx::query_as("select state, attempts, last_error from platform_jobs where kind = $1")
        .bind(KIND)
        .fetch_one(&test.owner)
        .await
        .unwrap()
}

#[tokio::test]
async fn a_job_runs_once_and_only_if_its_cause_commits() {
    let test = TestApp::new().await;
    let (worker, runs) = worker(&test, Bounds::default(), 0);
    run_due(&test, &worker).await;
    let mut tx = test.app.db.begin().await.unwrap();
    jobs::enqueue(&mut tx, job(&test, None), test.app.clock.now()).await.unwrap();
    tx.rollback().await.unwrap();
    assert_eq!(run_due(&test, &worker).await, 0);
    assert!(enqueue(&test, job(&test, None)).await);
    assert_eq!(run_due(&test, &worker).await, 1);
    assert_eq!(run_due(&test, &worker).await, 0);
    assert_eq!(runs.load(Ordering::SeqCst), 1);
    assert_eq!(row(&test).await, ("done".to_owned(), 1, None));
}

#[tokio::test]
async fn a_key_queues_once() {
    let test = TestApp::new().await;
    assert!(enqueue(&test, job(&test, Some("k"))).await);
    assert!(!enqueue(&test, job(&test, Some("k"))).await);
}

#[tokio::test]
async fn nothing_runs_before_it_is_due() {
    let test = TestApp::new().await;
    let (worker, _) = worker(&test, Bounds::default(), 0);
    run_due(&test, &worker).await;
    let later = test.app.clock.now() + chrono::Duration::minutes(5);
    enqueue(&test, Job { due_at: later, ..job(&test, None) }).await;
    assert_eq!(run_due(&test, &worker).await, 0);
    test.advance(chrono::Duration::minutes(5));
    assert_eq!(run_due(&test, &worker).await, 1);
}

#[tokio::test]
async fn a_failed_job_waits_and_is_tried_again() {
    let test = TestApp::new().await;
    let (worker, runs) = worker(&test, Bounds::default(), 2);
    enqueue(&test, job(&test, None)).await;
    run_due(&test, &worker).await;
    assert_eq!(row(&test).await, ("queued".to_owned(), 1, Some("not yet".to_owned())));
    assert_eq!(run_due(&test, &worker).await, 0);
    test.advance(chrono::Duration::seconds(5));
    run_due(&test, &worker).await;
    test.advance(chrono::Duration::seconds(10));
    run_due(&test, &worker).await;
    assert_eq!(row(&test).await.0, "done");
    assert_eq!(runs.load(Ordering::SeqCst), 3);
}

#[tokio::test]
async fn a_job_that_keeps_failing_is_dead_and_kept() {
    let test = TestApp::new().await;
    let bounds = Bounds { attempts: 2, ..Bounds::default() };
    let (worker, runs) = worker(&test, bounds, u32::MAX);
    enqueue(&test, job(&test, None)).await;
    for _ in 0..4 {
        run_due(&test, &worker).await;
        test.advance(chrono::Duration::days(2));
    }
    assert_eq!(row(&test).await, ("dead".to_owned(), 2, Some("not yet".to_owned())));
    assert_eq!(runs.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn panics_and_endless_runs_are_failures() {
    let test = TestApp::new().await;
    for (number, reason) in [(0, "the handler panicked"), (1, "the handler took too long")] {
        let mut registry = Registry::new();
        let bounds = Bounds { attempts: 1, time_limit: Duration::from_millis(50) };
        registry.handle(KIND, bounds, move |_| async move {
            assert!(number > 0, "a bug");
            std::future::pending().await
        });
        let worker = Worker::new(test.app.db.clone(), test.app.clock.clone(), registry);
        enqueue(&test, job(&test, None)).await;
        run_due(&test, &worker).await;
        assert_eq!(row(&test).await, ("dead".to_owned(), 1, Some(reason.to_owned())));
        sqlx::query("delete from platform_jobs").execute(&test.owner).await.unwrap();
    }
}

#[tokio::test]
async fn a_lost_workers_job_is_taken_over_when_its_lease_ends() {
    let test = TestApp::new().await;
    let (worker, runs) = worker(&test, Bounds { attempts: 3, ..Bounds::default() }, 0);
    run_due(&test, &worker).await;
    enqueue(&test, job(&test, None)).await;
    let lease = test.app.clock.now() + chrono::Duration::seconds(90);
    sqlx::query("update platform_jobs set state = 'running', attempts = 1, lease_until = $1 where kind = $2")
        .bind(lease)
        .bind(KIND)
        .execute(&test.owner)
        .await
        .unwrap();
    assert_eq!(run_due(&test, &worker).await, 0);
    test.advance(chrono::Duration::seconds(90));
    assert_eq!(run_due(&test, &worker).await, 1);
    assert_eq!(row(&test).await.0, "done");
    assert_eq!(runs.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_job_that_ends_its_workers_is_dead_without_another_run() {
    let test = TestApp::new().await;
    let (worker, runs) = worker(&test, Bounds { attempts: 3, ..Bounds::default() }, 0);
    enqueue(&test, job(&test, None)).await;
    sqlx::query("update platform_jobs set state = 'running', attempts = 3, lease_until = due_at")
        .execute(&test.owner)
        .await
        .unwrap();
    run_due(&test, &worker).await;
    assert_eq!(row(&test).await.0, "dead");
    assert_eq!(runs.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn workers_share_the_work_and_schedules_run_once_per_slot() {
    let test = TestApp::new().await;
    let ticks = Arc::new(AtomicU32::new(0));
    let node = || {
        let ticks = Arc::clone(&ticks);
        let mut registry = Registry::new();
        registry.handle("test.tick", Bounds::default(), move |run| {
            let ticks = Arc::clone(&ticks);
            async move {
                assert_eq!(run.payload, Value::Null);
                ticks.fetch_add(1, Ordering::SeqCst);
                Ok(())
            }
        });
        registry.schedule("test.tick", Duration::from_secs(60));
        Worker::new(test.app.db.clone(), test.app.clock.clone(), registry)
    };
    let (one, two) = (node(), node());
    for round in 1..=3 {
        tokio::join!(run_due(&test, &one), run_due(&test, &two));
        tokio::join!(run_due(&test, &one), run_due(&test, &two));
        assert_eq!(ticks.load(Ordering::SeqCst), round);
        test.advance(chrono::Duration::seconds(60));
    }
}

#[tokio::test]
async fn done_jobs_are_purged_after_a_day() {
    let test = TestApp::new().await;
    let (worker, _) = worker(&test, Bounds::default(), 0);
    enqueue(&test, job(&test, None)).await;
    run_due(&test, &worker).await;
    test.advance(chrono::Duration::hours(23));
    run_due(&test, &worker).await;
    assert_eq!(row(&test).await.0, "done");
    test.advance(chrono::Duration::hours(2));
    run_due(&test, &worker).await;
    let left: i64 = sqlx::query_scalar("select count(*) from platform_jobs where kind = $1")
        .bind(KIND)
        .fetch_one(&test.owner)
        .await
        .unwrap();
    assert_eq!(left, 0);
}

#[tokio::test]
async fn a_running_worker_wakes_for_new_work_and_stops_when_told() {
    let test = TestApp::new().await;
    let (worker, runs) = worker(&test, Bounds::default(), 0);
    let (trigger, shutdown) = platform::shutdown::channel();
    let running = tokio::spawn({
        let worker = worker.clone();
        async move { worker.run(shutdown).await }
    });
    enqueue(&test, job(&test, None)).await;
    worker.waker().wake();
    let done = async {
        while row(&test).await.0 != "done" {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(10), done).await.unwrap();
    assert_eq!(runs.load(Ordering::SeqCst), 1);
    trigger.begin();
    tokio::time::timeout(Duration::from_secs(10), running).await.unwrap().unwrap();
}
