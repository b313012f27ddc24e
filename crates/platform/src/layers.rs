//! The middleware around all routes of a listener: limits, panics, security headers and telemetry,
//! so that every failure is an error envelope.

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
use super::telemetry::Meters;
use super::timeouts::Timeouts;
use super::{headers, telemetry};
use crate::codes;

/// The body limit for content that staff write: two long texts in two languages.
pub const CONTENT_BYTES: usize = 1024 * 1024;
/// The body limit for files that staff upload.
pub const FILE_BYTES: usize = 100 * 1024 * 1024;

/// Higher limits for the paths that start with a prefix.
#[derive(Clone, Copy, Debug)]
pub struct PathLimits {
    prefix: &'static str,
    body_bytes: usize,
    /// The time limit, if it is more than the listener's own.
    request_time: Duration,
}

/// The higher limits of the office.
pub const OFFICE: &[PathLimits] = &[
    PathLimits {
        prefix: "/office/api/content/",
        body_bytes: CONTENT_BYTES,
        request_time: Duration::ZERO,
    },
    PathLimits {
        prefix: "/office/api/files",
        body_bytes: FILE_BYTES,
        request_time: Duration::from_secs(600),
    },
];

/// The limits of one listener.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The maximum size of a request body.
    pub body_bytes: usize,
    /// The request timeout. The handler is cancelled after it; transactions run in their own tasks
    /// and are not.
    pub request_time: Duration,
    /// The maximum number of concurrent requests; further ones get a 503.
    pub in_flight: usize,
    /// Paths with higher limits.
    pub wide: &'static [PathLimits],
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            body_bytes: 64 * 1024,
            request_time: Timeouts::default().request(),
            in_flight: 2_048,
            wide: &[],
        }
    }
}

impl Limits {
    /// The body limit and the timeout for a request.
    fn of(&self, request: &Request) -> (usize, Duration) {
        let path = request.uri().path();
        let wide = self.wide.iter().find(|wide| path.starts_with(wide.prefix));
        wide.map_or((self.body_bytes, self.request_time), |wide| {
            (wide.body_bytes, wide.request_time.max(self.request_time))
        })
    }
}

/// The state of the middleware.
struct Middleware {
    limits: Limits,
    in_flight: Semaphore,
    meters: Meters,
    hsts: bool,
    on_request: Box<dyn Fn(&Request) + Send + Sync>,
}

/// Wraps all routes of a listener, including the fallback, in the middleware. From the outside in:
/// logging and metrics, security headers, panic handler, limit on concurrent requests, timeout,
/// body limit. Routes added later are not covered. `hsts` as in [`headers::decorate`]; `on_request`
/// sees each request first.
///
/// It is a single layer because axum clones everything beneath a layer twice per request, so seven
/// layers would cost more than the work that they do.
pub fn wrap<S: Clone + Send + Sync + 'static>(
    router: Router<S>,
    limits: Limits,
    hsts: bool,
    on_request: impl Fn(&Request) + Send + Sync + 'static,
) -> Router<S> {
    let in_flight = Semaphore::new(limits.in_flight);
    let (meters, on_request) = (Meters::default(), Box::new(on_request));
    let middleware = Arc::new(Middleware { limits, in_flight, meters, hsts, on_request });
    router.layer(from_fn(move |request, next| {
        let middleware = Arc::clone(&middleware);
        async move { middleware.answer(request, next).await }
    }))
}

impl Middleware {
    async fn answer(&self, request: Request, next: Next) -> Response {
        telemetry::trace(&self.meters, request, |request| async move {
            (self.on_request)(&request);
            let result = AssertUnwindSafe(self.limited(request, next)).catch_unwind().await;
            let mut response = result.unwrap_or_else(panicked);
            headers::decorate(response.headers_mut(), self.hsts);
            response
        })
        .await
    }

    async fn limited(&self, request: Request, next: Next) -> Response {
        let Ok(_permit) = self.in_flight.try_acquire() else {
            metrics::counter!("http_refused_total").increment(1);
            return ApiError::unavailable("too many concurrent requests").into_response();
        };
        let (bytes, time) = self.limits.of(&request);
        let response = async {
            match limit_body(request, bytes) {
                Ok(request) => next.run(request).await,
                Err(refused) => refused.into_response(),
            }
        };
        match tokio::time::timeout(time, response).await {
            Ok(response) => response,
            Err(slow) => ApiError::unavailable(slow).into_response(),
        }
    }
}

/// The handler for `method_not_allowed_fallback`. The router adds the header `Allow`.
pub async fn method_not_allowed() -> ApiError {
    ApiError::new(codes::REQUEST_METHOD)
}

/// Limits the request body, by its announced size and again while it is read.
fn limit_body(mut request: Request, limit: usize) -> Result<Request, ApiError> {
    let size = request.body().size_hint();
    if size.exact() == Some(0) {
        return Ok(request);
    }
    if u64::try_from(limit).is_ok_and(|limit| limit < size.lower()) {
        return Err(ApiError::new(codes::REQUEST_TOO_LARGE));
    }
    DefaultBodyLimit::max(limit).apply(&mut request);
    // A chunked body has no announced size, so it is cut off while it is read.
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
