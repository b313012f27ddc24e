//! The layers around every listener's routes, so that whatever goes wrong wears the envelope.

use std::any::Any;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, HttpBody};
use axum::extract::{DefaultBodyLimit, Request};
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt;
use http_body_util::Limited;
use tokio::sync::Semaphore;

use super::error::ApiError;
use super::patience::Patience;
use super::telemetry::Meters;
use super::{headers, telemetry};
use crate::codes;

/// The largest piece of content that staff write: two languages of two long texts.
pub const CONTENT_BYTES: usize = 1024 * 1024;
/// The largest file that staff upload.
pub const FILE_BYTES: usize = 100 * 1024 * 1024;

/// Calls that take more than others, by the beginning of their path.
#[derive(Clone, Copy, Debug)]
pub struct Wide {
    prefix: &'static str,
    body_bytes: usize,
    /// Where it is more than others get.
    request_time: Duration,
}

/// Those of the office.
pub const OFFICE: &[Wide] = &[
    Wide {
        prefix: "/office/api/content/",
        body_bytes: CONTENT_BYTES,
        request_time: Duration::ZERO,
    },
    Wide {
        prefix: "/office/api/files",
        body_bytes: FILE_BYTES,
        request_time: Duration::from_secs(600),
    },
];

/// How much one listener takes on.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The largest request body.
    pub body_bytes: usize,
    /// The longest that an answer may take. A handler beyond it is cancelled; money work runs
    /// in tasks of its own, so that it is not.
    pub request_time: Duration,
    /// Requests in work at the same time; more are answered 503.
    pub in_flight: usize,
    /// Calls that take more.
    pub wide: &'static [Wide],
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            body_bytes: 64 * 1024,
            request_time: Patience::default().request(),
            in_flight: 2_048,
            wide: &[],
        }
    }
}

impl Limits {
    /// What holds for a request: how large it may be, and how long it may take.
    fn of(&self, request: &Request) -> (usize, Duration) {
        let path = request.uri().path();
        let wide = self.wide.iter().find(|wide| path.starts_with(wide.prefix));
        wide.map_or((self.body_bytes, self.request_time), |wide| {
            (wide.body_bytes, wide.request_time.max(self.request_time))
        })
    }
}

/// What lies around the routes of a listener.
struct Around {
    limits: Limits,
    in_flight: Semaphore,
    meters: Meters,
    hsts: bool,
    greet: Box<dyn Fn(&Request) + Send + Sync>,
}

/// Wraps the finished routes of a listener, fallback included, in its limits. From the
/// outside in: the log; the security headers; panics; the bound on requests in work; the time
/// limit; the size limit. Routes added later are not covered. `hsts` as in [`headers::decorate`];
/// `greet` sees each request first.
///
/// All in one layer: for each request axum copies whatever lies beneath a layer, twice, so that seven
/// layers cost more than what they do.
pub fn wrap<S: Clone + Send + Sync + 'static>(
    router: Router<S>,
    limits: Limits,
    hsts: bool,
    greet: impl Fn(&Request) + Send + Sync + 'static,
) -> Router<S> {
    let in_flight = Semaphore::new(limits.in_flight);
    let (meters, greet) = (Meters::default(), Box::new(greet));
    let around = Arc::new(Around { limits, in_flight, meters, hsts, greet });
    router.layer(from_fn(move |request, next| {
        let around = Arc::clone(&around);
        async move { around.answer(request, next).await }
    }))
}

impl Around {
    async fn answer(&self, request: Request, next: Next) -> Response {
        telemetry::trace(&self.meters, request, |request| async move {
            (self.greet)(&request);
            let answered = AssertUnwindSafe(self.limited(request, next)).catch_unwind().await;
            let mut response = answered.unwrap_or_else(panicked);
            headers::decorate(response.headers_mut(), self.hsts);
            response
        })
        .await
    }

    async fn limited(&self, request: Request, next: Next) -> Response {
        let Ok(_permit) = self.in_flight.try_acquire() else {
            metrics::counter!("http_refused_total").increment(1);
            return ApiError::unavailable("too many requests in work").into_response();
        };
        let (bytes, time) = self.limits.of(&request);
        let answered = async {
            match limit_body(request, bytes) {
                Ok(request) => next.run(request).await,
                Err(refused) => refused.into_response(),
            }
        };
        match tokio::time::timeout(time, answered).await {
            Ok(response) => response,
            Err(slow) => ApiError::unavailable(slow).into_response(),
        }
    }
}

/// For `method_not_allowed_fallback`: known paths with another method. The router adds the
/// header `Allow`.
pub async fn method_not_allowed() -> ApiError {
    ApiError::new(codes::REQUEST_METHOD)
}

/// The request with a body that ends where it becomes too large.
fn limit_body(mut request: Request, limit: usize) -> Result<Request, ApiError> {
    let size = request.body().size_hint();
    if size.exact() == Some(0) {
        return Ok(request);
    }
    if u64::try_from(limit).is_ok_and(|limit| limit < size.lower()) {
        return Err(ApiError::new(codes::REQUEST_TOO_LARGE));
    }
    DefaultBodyLimit::max(limit).apply(&mut request);
    // A chunked body announces nothing: it is cut off while it is read.
    Ok(request.map(|body| Body::new(Limited::new(body, limit))))
}

fn panicked(panic: Box<dyn Any + Send + 'static>) -> Response {
    let reason = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("no reason given");
    ApiError::internal(format!("a handler panicked: {reason}")).into_response()
}

#[cfg(test)]
mod tests {
    use axum::http::{Method, StatusCode, header};
    use axum::routing::{get, post};
    use futures_util::stream;
    use http_body_util::BodyExt;
    use tower::ServiceExt;

    use super::*;
    use crate::codes::ErrorCode;

    fn app(limits: Limits) -> Router {
        async fn panics() {
            panic!("boom");
        }
        let router = Router::new()
            .route(
                "/size",
                post(|body: Result<String, _>| async { body.map(|body| body.len().to_string()) }),
            )
            .route("/hang", get(std::future::pending::<()>))
            .route("/panic", get(panics))
            .fallback(async || ApiError::new(codes::REQUEST_NOT_FOUND))
            .method_not_allowed_fallback(method_not_allowed);
        wrap(router, limits, false, |_| {})
    }

    async fn call(router: &Router, method: Method, path: &str, body: Body) -> Response {
        let request = axum::http::Request::builder().method(method).uri(path).body(body).unwrap();
        router.clone().oneshot(request).await.unwrap()
    }

    async fn code(response: Response) -> (StatusCode, String) {
        let status = response.status();
        let body = response.into_body().collect().await.unwrap().to_bytes();
        let body: serde_json::Value = serde_json::from_slice(&body).unwrap();
        assert_eq!(body["success"], false);
        (status, body["code"].as_str().unwrap().to_owned())
    }

    fn refused(code: ErrorCode) -> (StatusCode, String) {
        (code.status(), code.text().to_owned())
    }

    #[tokio::test]
    async fn large_bodies_are_refused_however_they_are_sent() {
        let app = app(Limits { body_bytes: 10, ..Limits::default() });
        let fits = call(&app, Method::POST, "/size", Body::from("0123456789")).await;
        assert_eq!(fits.status(), StatusCode::OK);
        let announced = call(&app, Method::POST, "/size", Body::from("0123456789x")).await;
        assert_eq!(code(announced).await, refused(codes::REQUEST_TOO_LARGE));
        let chunks = stream::iter(["012345", "6789", "x"].map(Ok::<_, std::io::Error>));
        let chunked = call(&app, Method::POST, "/size", Body::from_stream(chunks)).await;
        assert_eq!(chunked.status(), StatusCode::PAYLOAD_TOO_LARGE);
    }

    #[tokio::test]
    async fn unknown_paths_and_methods_wear_the_envelope() {
        let app = app(Limits::default());
        let unknown = call(&app, Method::GET, "/nowhere", Body::empty()).await;
        assert_eq!(code(unknown).await, refused(codes::REQUEST_NOT_FOUND));
        let wrong = call(&app, Method::DELETE, "/size", Body::empty()).await;
        assert_eq!(wrong.headers()[header::ALLOW], "POST");
        assert!(wrong.headers().contains_key("x-request-id"));
        assert_eq!(code(wrong).await, refused(codes::REQUEST_METHOD));
    }

    #[tokio::test]
    async fn a_panic_is_an_answer_too() {
        let app = app(Limits::default());
        let response = call(&app, Method::GET, "/panic", Body::empty()).await;
        assert_eq!(response.headers()[header::X_CONTENT_TYPE_OPTIONS], "nosniff");
        assert_eq!(code(response).await, refused(codes::SERVER_INTERNAL));
    }

    #[tokio::test]
    async fn slow_answers_end_and_more_than_the_bound_are_refused() {
        let request_time = Duration::from_millis(50);
        let app = app(Limits { in_flight: 1, request_time, ..Limits::default() });
        let slow = tokio::spawn({
            let app = app.clone();
            async move { call(&app, Method::GET, "/hang", Body::empty()).await }
        });
        tokio::task::yield_now().await;
        let busy = call(&app, Method::GET, "/nowhere", Body::empty()).await;
        assert_eq!(busy.headers()[header::RETRY_AFTER], "1");
        assert_eq!(code(busy).await, refused(codes::SERVER_UNAVAILABLE));
        assert_eq!(code(slow.await.unwrap()).await, refused(codes::SERVER_UNAVAILABLE));
        let free = call(&app, Method::GET, "/nowhere", Body::empty()).await;
        assert_eq!(code(free).await, refused(codes::REQUEST_NOT_FOUND));
    }
}
