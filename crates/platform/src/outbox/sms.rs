//! The SMS channel: delivery by an HTTP call to the provider.

use std::time::Duration;

use axum::http::{Method, Request, StatusCode, Uri, header};
use futures_util::future::BoxFuture;
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::Bytes;
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use serde_json::json;
use uuid::Uuid;

use super::{Deliver, DeliveryError, Letter};
use crate::secret::Secret;

/// The timeout of a delivery, response included.
const TIME_LIMIT: Duration = Duration::from_secs(10);
/// The maximum size of a response.
const MAX_RESPONSE_BYTES: usize = 64 * 1024;

/// The provider's URL and token.
#[derive(Clone, Debug)]
pub struct SmsSettings {
    url: Uri,
    token: Option<Secret>,
}

impl SmsSettings {
    /// Parses the URL. Only `https`, or `http` to loopback, because messages contain codes.
    pub fn new(url: &str, token: Option<Secret>) -> Result<Self, String> {
        let expected = "expected https://host/path, or http:// on loopback".to_owned();
        let url: Uri = url.parse().map_err(|_| expected.clone())?;
        let is_allowed = match (url.scheme_str(), url.host()) {
            (Some("https"), Some(_)) => true,
            (Some("http"), Some(host)) => is_loopback(host),
            _ => false,
        };
        if is_allowed { Ok(Self { url, token }) } else { Err(expected) }
    }

    /// The host of the URL. The path is not shown, as it may contain a secret.
    pub fn host(&self) -> &str {
        self.url.host().unwrap_or_default()
    }
}

/// Whether a host is loopback.
pub(super) fn is_loopback(host: &str) -> bool {
    ["localhost", "127.0.0.1", "[::1]", "::1"].contains(&host)
}

/// Posts `{"id", "to", "text"}` to the provider. Any 2xx means that it accepted the message.
pub struct HttpSms {
    settings: SmsSettings,
    client: Client<HttpsConnector<HttpConnector>, Full<Bytes>>,
}

impl HttpSms {
    /// A client for the configured provider.
    pub fn new(settings: SmsSettings) -> Self {
        // Redirects are not followed, so the message only goes to the configured URL.
        let connector =
            HttpsConnectorBuilder::new().with_webpki_roots().https_or_http().enable_http1().build();
        Self { settings, client: Client::builder(TokioExecutor::new()).build(connector) }
    }

    fn request(&self, id: Uuid, letter: &Letter) -> Result<Request<Full<Bytes>>, DeliveryError> {
        let body = json!({ "id": id, "to": letter.to, "text": letter.text }).to_string();
        let mut request = Request::builder()
            .method(Method::POST)
            .uri(self.settings.url.clone())
            .header(header::CONTENT_TYPE, "application/json")
            .header("idempotency-key", id.to_string());
        if let Some(token) = &self.settings.token {
            request = request.header(header::AUTHORIZATION, format!("Bearer {}", token.reveal()));
        }
        // The builder's own error could contain the token.
        request
            .body(Full::from(body))
            .map_err(|_| DeliveryError::Never("CAPIZ_SMS_TOKEN is not a valid header value".into()))
    }

    async fn post(&self, request: Request<Full<Bytes>>) -> Result<StatusCode, DeliveryError> {
        let later = |error: &dyn std::fmt::Display| DeliveryError::Later(error.to_string());
        let answer = self.client.request(request).await.map_err(|error| later(&error))?;
        let status = answer.status();
        // The body is read to the end so that the connection can be reused.
        let body = Limited::new(answer.into_body(), MAX_RESPONSE_BYTES).collect().await;
        body.map_err(|error| later(&error))?;
        Ok(status)
    }
}

impl Deliver for HttpSms {
    fn deliver<'a>(
        &'a self,
        id: Uuid,
        letter: &'a Letter,
    ) -> BoxFuture<'a, Result<(), DeliveryError>> {
        Box::pin(async move {
            let request = self.request(id, letter)?;
            let late = |_| DeliveryError::Later("the provider took too long".to_owned());
            let status =
                tokio::time::timeout(TIME_LIMIT, self.post(request)).await.map_err(late)??;
            match status.as_u16() {
                200..=299 => Ok(()),
                // The message itself is rejected. Other statuses, such as 401, can be fixed by the
                // operator, so those deliveries are retried.
                400 | 404 | 413 | 415 | 422 => Err(DeliveryError::Never(status.to_string())),
                _ => Err(DeliveryError::Later(status.to_string())),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_leave_the_machine_only_encrypted() {
        for good in ["https://sms.example/send", "http://127.0.0.1:9/x", "http://localhost/x"] {
            assert!(SmsSettings::new(good, None).is_ok(), "{good}");
        }
        for bad in ["http://sms.example/send", "http://127.0.0.1.example/", "ftp://127.0.0.1", "/x"]
        {
            assert!(SmsSettings::new(bad, None).is_err(), "{bad}");
        }
    }
}
