//! Telemetry for operators: log lines with request ids, Prometheus metrics, health checks.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::io::{IsTerminal, stderr};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{LazyLock, OnceLock, PoisonError, RwLock};
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::{MatchedPath, Request};
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use metrics::{Counter, Histogram};
use metrics_exporter_prometheus::{BuildError, Matcher, PrometheusBuilder, PrometheusHandle};
use sqlx::{Connection, PgPool};
use tracing::{Instrument, Span};
use tracing_subscriber::EnvFilter;

use super::error::Noted;
use super::request_context::{self, RequestContext};
use super::shutdown::Shutdown;

const DEFAULT_FILTER: &str = "info,sqlx=warn";
const READY_TIME: Duration = Duration::from_secs(1);
/// A request that takes longer is logged.
const SLOW: Duration = Duration::from_secs(1);
const UPKEEP: Duration = Duration::from_secs(5);
const SECONDS: &[f64] =
    &[0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 15.0];
/// The request id, in every response, so that a support request can be matched to its log lines.
pub const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Sets up metrics and logging to standard error, as JSON lines or human-readable, filtered by
/// `RUST_LOG`. Must be called inside the Tokio runtime; a second call has no effect.
pub fn init(json: bool) {
    init_logs(json);
    if let Err(error) = metrics() {
        tracing::error!(%error, "metrics cannot be set up, /metrics answers 503");
        return;
    }
    tokio::spawn(run_upkeep());
}

fn init_logs(json: bool) {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| DEFAULT_FILTER.into());
    let logs = tracing_subscriber::fmt().with_env_filter(filter).with_writer(stderr);
    // An error means that logging is already set up, for example by another test.
    let _ = if json {
        logs.json().flatten_event(true).try_init()
    } else {
        logs.with_target(false).with_ansi(stderr().is_terminal()).try_init()
    };
}

/// The metrics of the process. The first call installs the recorder.
fn metrics() -> Result<PrometheusHandle, BuildError> {
    static HANDLE: OnceLock<PrometheusHandle> = OnceLock::new();
    if let Some(handle) = HANDLE.get() {
        return Ok(handle.clone());
    }
    let seconds = Matcher::Full("http_request_seconds".to_owned());
    match PrometheusBuilder::new().set_buckets_for_metric(seconds, SECONDS)?.install_recorder() {
        Ok(handle) => Ok(HANDLE.get_or_init(|| handle).clone()),
        // Another thread installed it first.
        Err(error) => HANDLE.get().cloned().ok_or(error),
    }
}

/// Drains histograms regularly, because otherwise they grow while nobody scrapes `/metrics`.
async fn run_upkeep() {
    while let Ok(handle) = metrics() {
        handle.run_upkeep();
        tokio::time::sleep(UPKEEP).await;
    }
}

/// Gives a request its id, log line and metrics. It must wrap all other layers, but run inside the
/// router, where the matched route is known.
pub async fn trace<F: Future<Output = Response>>(
    meters: &Meters,
    request: Request,
    work: impl FnOnce(Request) -> F,
) -> Response {
    let started = Instant::now();
    let id = RequestId::new();
    let method = method_name(request.method());
    let matched = request.extensions().get::<MatchedPath>().cloned();
    let new_span = || tracing::info_span!("request", id = id.text());
    // No span for documents and assets: they come from memory, and a span would double the cost.
    let span = if matched.is_some() { new_span() } else { Span::none() };
    let work = work(request).instrument(span.clone());
    let (mut response, context) = request_context::scope(work).await;
    let elapsed = started.elapsed();

    // Only the route pattern is logged: the real path or query may hold tokens and usernames.
    let path = matched.as_ref().map_or("unmatched", MatchedPath::as_str);
    let status = response.status();
    if let Some(&Noted { code, account }) = response.extensions().get() {
        let (context, code) = (context.with_account(account), code.text());
        let (account, network) = (context.account_field(), context.network_field());
        span.in_scope(|| tracing::info!(method, path, code, account, network, "refused"));
    } else if is_logged(status, elapsed) {
        let span = if span.is_none() { new_span() } else { span };
        span.in_scope(|| log((method, path), status, elapsed, context));
    }
    meters.measure(method, path, status, elapsed);
    if let Ok(id) = HeaderValue::from_str(id.text()) {
        response.headers_mut().insert(REQUEST_ID, id);
    }
    response
}

/// A request id. An id in the request is ignored, because a client could choose one that collides.
struct RequestId([u8; 16]);

impl RequestId {
    /// A keyed hash of a counter: unpredictable, and without a system call per request.
    fn new() -> Self {
        static KEY: LazyLock<RandomState> = LazyLock::new(RandomState::new);
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = KEY.hash_one(NEXT.fetch_add(1, Ordering::Relaxed));
        let mut text = [b'0'; 16];
        // Cannot fail: the buffer has room for exactly these digits.
        let _ = hex::encode_to_slice(number.to_be_bytes(), &mut text);
        Self(text)
    }

    fn text(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or_default()
    }
}

/// Logs failed and slow requests at `info`, all others at `debug`, to avoid thousands of lines per
/// second.
fn log(
    (method, path): (&str, &str),
    status: StatusCode,
    elapsed: Duration,
    context: RequestContext,
) {
    let status_code = status.as_u16();
    let (account, network) = (context.account_field(), context.network_field());
    let ms = (elapsed.as_secs_f64() * 1e5).round() / 1e2;
    if is_notable(status, elapsed) {
        tracing::info!(method, path, status = status_code, ms, account, network, "answered");
    } else {
        tracing::debug!(method, path, status = status_code, ms, account, network, "answered");
    }
}

/// Whether the request is logged at the current level.
fn is_logged(status: StatusCode, elapsed: Duration) -> bool {
    is_notable(status, elapsed) || tracing::enabled!(tracing::Level::DEBUG)
}

/// Whether a request failed with a 5xx or was slow.
fn is_notable(status: StatusCode, elapsed: Duration) -> bool {
    status.is_server_error() || elapsed > SLOW
}

/// The request metrics of a router, cached by their labels. Their number is bounded by the routes,
/// methods and status classes.
#[derive(Default)]
pub struct Meters(RwLock<HashMap<String, HashMap<MeterKey, Meter>>>);

/// Method and status class.
type MeterKey = (&'static str, &'static str);

struct Meter {
    requests: Counter,
    seconds: Histogram,
}

impl Meters {
    fn measure(&self, method: &'static str, path: &str, status: StatusCode, elapsed: Duration) {
        let key = (method, status_class(status));
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(meter) = known.get(path).and_then(|meters| meters.get(&key)) {
            return meter.measure(elapsed);
        }
        drop(known);
        let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let meters = known.entry(path.to_owned()).or_default();
        meters.entry(key).or_insert_with(|| Meter::new(key, path)).measure(elapsed);
    }
}

impl Meter {
    fn new((method, class): MeterKey, path: &str) -> Self {
        let labels = [
            ("method", method.to_owned()),
            ("route", path.to_owned()),
            ("status", class.to_owned()),
        ];
        Self {
            requests: metrics::counter!("http_requests_total", &labels),
            seconds: metrics::histogram!("http_request_seconds", &labels),
        }
    }

    fn measure(&self, elapsed: Duration) {
        self.requests.increment(1);
        self.seconds.record(elapsed.as_secs_f64());
    }
}

/// A fixed set of method labels: clients can send any method, and labels must stay bounded.
fn method_name(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::DELETE => "DELETE",
        Method::PATCH => "PATCH",
        Method::OPTIONS => "OPTIONS",
        _ => "OTHER",
    }
}

fn status_class(status: StatusCode) -> &'static str {
    match status.as_u16() / 100 {
        1 => "1xx",
        2 => "2xx",
        3 => "3xx",
        4 => "4xx",
        _ => "5xx",
    }
}

/// Whether this node can serve requests; if not, the reason for operators. Migrations need no
/// check, because they run before the listeners open.
pub async fn check_ready(db: &PgPool, shutdown: &Shutdown) -> Result<(), &'static str> {
    if shutdown.is_begun() {
        return Err("the server is shutting down");
    }
    let ping = async { db.acquire().await?.ping().await };
    match tokio::time::timeout(READY_TIME, ping).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(_)) => Err("the database cannot be reached"),
        Err(_) => Err("the database did not answer within a second"),
    }
}

/// The routes of the metrics listener: `/metrics`, `/healthz` (the process is alive) and `/readyz`
/// (it can serve requests).
pub fn metrics_router(db: PgPool, shutdown: Shutdown) -> Router {
    Router::new()
        .route("/healthz", get(|| async { text(StatusCode::OK, "ok") }))
        .route("/readyz", get(move || readiness(db.clone(), shutdown.clone())))
        .route("/metrics", get(render))
}

async fn readiness(db: PgPool, shutdown: Shutdown) -> Response {
    match check_ready(&db, &shutdown).await {
        Ok(()) => text(StatusCode::OK, "ready"),
        Err(reason) => text(StatusCode::SERVICE_UNAVAILABLE, reason),
    }
}

async fn render() -> Response {
    match metrics() {
        Ok(handle) => text(StatusCode::OK, handle.render()),
        Err(_) => text(StatusCode::SERVICE_UNAVAILABLE, "metrics could not be set up, see the log"),
    }
}

fn text(status: StatusCode, body: impl Into<String>) -> Response {
    let plain = (header::CONTENT_TYPE, "text/plain; charset=utf-8");
    (status, [plain, (header::CACHE_CONTROL, "no-store")], body.into()).into_response()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use axum::body::Body;
    use axum::http::Request;
    use http_body_util::BodyExt;
    use tower::ServiceExt;

    use super::*;
    use crate::{layers, shutdown};

    async fn get_text(router: &Router, path: &str) -> (StatusCode, String) {
        let request = Request::get(path).body(Body::empty()).unwrap();
        let response = router.clone().oneshot(request).await.unwrap();
        let status = response.status();
        let body = response.into_body().collect().await.unwrap().to_bytes();
        (status, String::from_utf8(body.to_vec()).unwrap())
    }

    /// A pool without a database behind it.
    fn nowhere() -> PgPool {
        PgPool::connect_lazy("postgres://nobody@127.0.0.1:1/none").unwrap()
    }

    #[tokio::test]
    async fn requests_get_an_id_of_ours_and_are_counted_by_route() {
        metrics().unwrap();
        let router = Router::new().route("/things/{id}", get(|| async { "thing" }));
        let site = layers::wrap(router, layers::Limits::default(), false, |_| {});
        let request = Request::get("/things/secret?token=secret")
            .header("x-request-id", "theirs")
            .body(Body::empty())
            .unwrap();
        let response = site.clone().oneshot(request).await.unwrap();
        let id = response.headers()[REQUEST_ID].to_str().unwrap().to_owned();
        assert_eq!(id.len(), 16);
        let unknown = site.oneshot(Request::get("/nowhere").body(Body::empty()).unwrap()).await;
        assert!(unknown.unwrap().headers().contains_key(REQUEST_ID));

        let router = metrics_router(nowhere(), shutdown::channel().1);
        let (status, body) = get_text(&router, "/metrics").await;
        assert_eq!(status, StatusCode::OK);
        assert!(body.contains(r#"route="/things/{id}",status="2xx""#), "{body}");
        assert!(body.contains("http_request_seconds_bucket") && body.contains("unmatched"));
        assert!(!body.contains("secret"));
    }

    #[tokio::test]
    async fn health_says_alive_and_ready_says_why_not() {
        let (trigger, shutdown) = shutdown::channel();
        let router = metrics_router(nowhere(), shutdown);
        assert_eq!(get_text(&router, "/healthz").await, (StatusCode::OK, "ok".to_owned()));
        let (status, reason) = get_text(&router, "/readyz").await;
        assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE);
        assert!(reason.starts_with("the database"), "{reason}");
        trigger.begin();
        let (_, reason) = get_text(&router, "/readyz").await;
        assert_eq!(reason, "the server is shutting down");
    }

    #[test]
    fn failed_and_slow_requests_are_notable() {
        let quick = Duration::from_millis(3);
        assert!(!is_notable(StatusCode::OK, quick));
        assert!(!is_notable(StatusCode::NOT_FOUND, quick));
        assert!(is_notable(StatusCode::SERVICE_UNAVAILABLE, quick));
        assert!(is_notable(StatusCode::OK, SLOW + quick));
    }

    #[test]
    fn request_ids_differ() {
        let ids: HashSet<[u8; 16]> = (0..1000).map(|_| RequestId::new().0).collect();
        assert_eq!(ids.len(), 1000);
        assert!(RequestId::new().text().bytes().all(|byte| byte.is_ascii_hexdigit()));
    }

    #[test]
    fn labels_do_not_grow_with_invented_methods() {
        assert_eq!(method_name(&Method::from_bytes(b"BREW").unwrap()), "OTHER");
    }
}
