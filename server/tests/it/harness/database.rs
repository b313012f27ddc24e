//! Databases for the tests: one is migrated, and every test clones it.

use capiz::bootstrap::MIGRATOR;
use std::sync::Once;
use std::sync::atomic::{AtomicU32, Ordering};

use capiz::demo;
use platform::clock::Clock;
use platform::db;
use sqlx::Connection;
use sqlx::postgres::{PgConnectOptions, PgConnection};
use tokio::sync::OnceCell;
use tracing_subscriber::filter::dynamic_filter_fn;
use tracing_subscriber::layer::SubscriberExt;

use super::{TIMEOUTS, start_of_time};

static TEMPLATE: OnceCell<(PgConnectOptions, String)> = OnceCell::const_new();
static COUNTER: AtomicU32 = AtomicU32::new(0);

/// Sets a default `tracing` subscriber that discards everything, but is asked about each line every
/// time. Without it, the first thread that logs a line without a subscriber caches for all threads
/// that the line is disabled, and a test that starts to capture the log at that moment misses it.
fn set_default_subscriber() {
    static SET: Once = Once::new();
    SET.call_once(|| {
        let deaf = tracing_subscriber::registry().with(dynamic_filter_fn(|_, _| false));
        tracing::subscriber::set_global_default(deaf).unwrap();
    });
}

/// Migrates one database and creates the merchant; every test clones it.
async fn template() -> &'static (PgConnectOptions, String) {
    set_default_subscriber();
    TEMPLATE
        .get_or_init(|| async {
            let url = std::env::var("DATABASE_URL")
                .expect("these tests need a database: run them with `make test-rust`");
            let options = db::options(&url).unwrap();
            let name = format!("capiz_template_{}", std::process::id());
            // Case folding beyond ASCII, as in operators' databases.
            let folding = "template template0 locale_provider builtin builtin_locale 'C.UTF-8'";
            create_database(&options, &format!(r#"create database "{name}" {folding}"#)).await;
            let template = options.clone().database(&name);
            db::prepare(&template, &MIGRATOR, false).await.unwrap();
            let pool = db::connect(template, 1, TIMEOUTS).await.unwrap();
            demo::create_demo_merchant(&pool, &Clock::fixed(start_of_time())).await.unwrap();
            pool.close().await;
            (options, name)
        })
        .await
}

async fn create_database(options: &PgConnectOptions, sql: &str) {
    let mut connection = PgConnection::connect_with(options).await.unwrap();
    sqlx::raw_sql(sqlx::AssertSqlSafe(sql)).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
}

/// An empty database.
pub async fn new_database() -> PgConnectOptions {
    let (options, _) = template().await;
    create(options, "empty", "").await
}

/// A database with the merchant.
pub(super) async fn copy_of_template() -> PgConnectOptions {
    let (options, template) = template().await;
    create(options, "test", &format!(r#"template "{template}""#)).await
}

async fn create(options: &PgConnectOptions, kind: &str, how: &str) -> PgConnectOptions {
    let number = COUNTER.fetch_add(1, Ordering::SeqCst);
    let name = format!("capiz_{kind}_{}_{number}", std::process::id());
    create_database(options, &format!(r#"create database "{name}" {how}"#)).await;
    options.clone().database(&name)
}
