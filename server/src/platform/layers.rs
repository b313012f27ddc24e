//! The layers around every listener's routes, so that whatever goes wrong wears the envelope.

use std::any::Any;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, HttpBody};
use axum::extract::{DefaultBodyLimit, Request};
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse, Response};
use http_body_util::Limited;
use tokio::sync::Semaphore;
use tower_http::catch_panic::CatchPanicLayer;

use super::error::ApiError;
use crate::codes::ErrorCode;

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
}

impl Default for Limits {
    fn default() -> Self {
        Self { body_bytes: 64 * 1024, request_time: Duration::from_secs(15), in_flight: 2_048 }
    }
}

/// Wraps the finished routes of a listener, fallback included, in the default limits. From the
/// outside in: panics; the bound on requests in work; the time limit; the size limit. Routes
/// added later are not covered. The security headers and the log lie outside of it.
pub fn wrap<S: Clone + Send + Sync + 'static>(router: Router<S>) -> Router<S> {
    wrap_in(router, Limits::default())
}

/// The same with other limits.
pub fn wrap_in<S: Clone + Send + Sync + 'static>(router: Router<S>, limits: Limits) -> Router<S> {
    let in_flight = Arc::new(Semaphore::new(limits.in_flight));
    router
        .layer(DefaultBodyLimit::max(limits.body_bytes))
        .layer(from_fn(move |request, next| limit_body(limits.body_bytes, request, next)))
        .layer(from_fn(move |request, next| limit_time(limits.request_time, request, next)))
        .layer(from_fn(move |request, next| limit_in_flight(Arc::clone(&in_flight), request, next)))
        .layer(CatchPanicLayer::custom(panicked))
}

/// For `method_not_allowed_fallback`: known paths with another method. The router adds the
/// header `Allow`.
pub async fn method_not_allowed() -> ApiError {
    ApiError::new(ErrorCode::RequestMethod)
}

async fn limit_body(limit: usize, request: Request, next: Next) -> Response {
    let announced = request.body().size_hint().lower();
    if u64::try_from(limit).is_ok_and(|limit| limit < announced) {
        return ApiError::new(ErrorCode::RequestTooLarge).into_response();
    }
    // A chunked body announces nothing: it is cut off while it is read.
    next.run(request.map(|body| Body::new(Limited::new(body, limit)))).await
}

async fn limit_time(limit: Duration, request: Request, next: Next) -> Response {
    match tokio::time::timeout(limit, next.run(request)).await {
        Ok(response) => response,
        Err(slow) => ApiError::unavailable(slow).into_response(),
    }
}

async fn limit_in_flight(in_flight: Arc<Semaphore>, request: Request, next: Next) -> Response {
    let Ok(_permit) = in_flight.try_acquire() else {
        metrics::counter!("http_refused_total").increment(1);
        return ApiError::unavailable("too many requests in work").into_response();
    };
    next.run(request).await
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
    use crate::platform::{headers, telemetry};

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
            .fallback(async || ApiError::new(ErrorCode::RequestNotFound))
            .method_not_allowed_fallback(method_not_allowed);
        telemetry::wrap(headers::wrap(wrap_in(router, limits), false))
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
        assert_eq!(code(announced).await, refused(ErrorCode::RequestTooLarge));
        let chunks = stream::iter(["012345", "6789", "x"].map(Ok::<_, std::io::Error>));
        let chunked = call(&app, Method::POST, "/size", Body::from_stream(chunks)).await;
        assert_eq!(chunked.status(), StatusCode::PAYLOAD_TOO_LARGE);
    }

    #[tokio::test]
    async fn unknown_paths_and_methods_wear_the_envelope() {
        let app = app(Limits::default());
        let unknown = call(&app, Method::GET, "/nowhere", Body::empty()).await;
        assert_eq!(code(unknown).await, refused(ErrorCode::RequestNotFound));
        let wrong = call(&app, Method::DELETE, "/size", Body::empty()).await;
        assert_eq!(wrong.headers()[header::ALLOW], "POST");
        assert!(wrong.headers().contains_key("x-request-id"));
        assert_eq!(code(wrong).await, refused(ErrorCode::RequestMethod));
    }

    #[tokio::test]
    async fn a_panic_is_an_answer_too() {
        let app = app(Limits::default());
        let response = call(&app, Method::GET, "/panic", Body::empty()).await;
        assert_eq!(response.headers()[header::X_CONTENT_TYPE_OPTIONS], "nosniff");
        assert_eq!(code(response).await, refused(ErrorCode::ServerInternal));
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
        assert_eq!(code(busy).await, refused(ErrorCode::ServerUnavailable));
        assert_eq!(code(slow.await.unwrap()).await, refused(ErrorCode::ServerUnavailable));
        let free = call(&app, Method::GET, "/nowhere", Body::empty()).await;
        assert_eq!(code(free).await, refused(ErrorCode::RequestNotFound));
    }
}
