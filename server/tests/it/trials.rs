//! Demo accounts: how many may exist, and their expiry.

use axum::http::Method;
use capiz::modules;
use chrono::Duration;
use platform::jobs::Worker;
use serde_json::{Value, json};

use crate::harness::TestApp;

fn roll() -> Value {
    json!({ "stake": "10", "choice": { "target": 5000, "direction": "under" } })
}

/// Runs the jobs that are due.
async fn work(test: &TestApp) {
    let registry = modules::job_registry(&test.app);
    let worker = Worker::new(test.app.db.clone(), test.app.clock.clone(), registry);
    worker.run_due(test.app.clock.now()).await.unwrap();
}

async fn count(test: &TestApp, table: &str) -> i64 {
    let sql = format!("select count(*) from {table}");
    sqlx::query_scalar(sqlx::AssertSqlSafe(sql)).fetch_one(&test.owner).await.unwrap()
}

#[tokio::test]
async fn a_demo_account_goes_and_its_ledger_stays() {
    let test = TestApp::new().await;
    let member = test.member("maria").await;
    let trial = test.trial().await;
    trial.play("a-round-for-nothing", &roll()).await.value();
    member.play("a-round-for-money", &roll()).await.value();
    let (transfers, rounds) =
        (count(&test, "wallet_transfers").await, count(&test, "games_rounds").await);

    test.advance(Duration::hours(36) - Duration::seconds(1));
    work(&test).await;
    assert_eq!(count(&test, "members_profiles").await, 2, "not yet");
    test.advance(Duration::minutes(10));
    work(&test).await;
    let left: Vec<String> = sqlx::query_scalar("select account from members_profiles")
        .fetch_all(&test.owner)
        .await
        .unwrap();
    assert_eq!(left, ["maria"]);
    for table in ["sessions_entries", "sessions_logins"] {
        assert_eq!(count(&test, table).await, 1, "{table} has the member's");
    }
    assert_eq!(count(&test, "sessions_tokens").await, 0, "the member's session was over, too");
    trial.get("/wps/member/info").await.assert_refused(401, "session.required");

    assert_eq!(count(&test, "wallet_transfers").await, transfers);
    assert_eq!(count(&test, "games_rounds").await, rounds);
    test.assert_ledger_is_sound().await;
    test.visitor().login("maria", "a-good-password").await.value();
}

#[tokio::test]
async fn the_merchant_says_for_how_long() {
    let test = TestApp::new().await;
    test.change("update site_merchants set trial_hours = 1").await;
    test.trial().await;
    test.advance(Duration::hours(12));
    let young = test.trial().await;
    test.advance(Duration::hours(1));
    young.get("/wps/member/info").await.assert_refused(401, "session.required");
    identity::remove_trials(&test.app.identity).await.unwrap();
    assert_eq!(count(&test, "members_profiles").await, 1, "the younger one stays");
}

#[tokio::test]
async fn many_demo_accounts_go_in_one_run_by_whichever_node() {
    let test = TestApp::new().await;
    let node = test.another_node();
    test.change(
        "insert into members_profiles
            (member_id, merchant_id, account, nickname, kind, currency, registered_at)
         select gen_random_uuid(), m.id, 'demo' || n, 'demo', 4, 'FUN', to_timestamp(1900000000)
         from site_merchants m cross join generate_series(1, 1300) as n",
    )
    .await;
    for app in [&test, &node] {
        app.advance(Duration::hours(37));
    }
    let (one, other) = tokio::join!(
        identity::remove_trials(&test.app.identity),
        identity::remove_trials(&node.app.identity)
    );
    one.unwrap();
    other.unwrap();
    assert_eq!(count(&test, "members_profiles").await, 0);
}

#[tokio::test]
async fn who_opens_demos_without_end_is_stopped() {
    let test = TestApp::new().await;
    for (name, limit) in [("address", 600), ("network", 2_000), ("site", 50_000)] {
        test.change("delete from platform_budgets").await;
        test.trial().await;
        let name = format!("sessions.trials.{name}");
        let sql = format!("update platform_budgets set used = {limit} where name = '{name}'");
        test.change(&sql).await;
        let body =
            json!({ "os": "Linux", "platform": "W", "random": "0123456789", "gatewayVersion": 3 });
        let visitor = test.visitor();
        let refused = visitor.sealed(Method::POST, "/wps/session/login/freeplay", &body).await;
        refused.assert_refused(429, "request.too_many");
    }
}
