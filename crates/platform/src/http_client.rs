//! The HTTP client for external services, with limits on time and response size.
//!
//! Only HTTPS, or plain HTTP to loopback. Redirects are not followed and count as failures, so a
//! service cannot send the server to another address (SSRF).

use std::fmt;
use std::net::IpAddr;
use std::time::Duration;

use axum::http::{HeaderValue, Request, header};
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::Bytes;
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use serde::de::DeserializeOwned;
use url::form_urlencoded::Serializer;
use url::{Host, Url};

/// The timeout of a call, including connecting and reading the body.
const TIMEOUT: Duration = Duration::from_secs(5);

/// The maximum size of a response body.
const MAX_RESPONSE_BYTES: usize = 256 * 1024;

/// A URL that the server may call: HTTPS, or HTTP to loopback, without credentials in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServiceUrl(Url);

impl ServiceUrl {
    /// Parses a URL. The error completes a sentence for the operator.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        let mistake = "expected https://host/path, or http:// on loopback";
        let url = Url::parse(text).map_err(|_| mistake)?;
        let is_fit = match url.scheme() {
            "https" => url.has_host(),
            "http" => is_loopback(&url),
            _ => false,
        };
        let has_no_credentials = url.username().is_empty() && url.password().is_none();
        if is_fit && has_no_credentials { Ok(Self(url)) } else { Err(mistake) }
    }

    /// Parses a URL that this service named, such as a JWKS URL. An external service may not refer
    /// the server to plain HTTP or to loopback (SSRF).
    pub fn refers_to(&self, text: &str) -> Result<Self, HttpError> {
        let named = Self::parse(text).map_err(|_| HttpError::Unfit)?;
        if is_loopback(&named.0) && !is_loopback(&self.0) {
            return Err(HttpError::Unfit);
        }
        Ok(named)
    }

    /// The URL with these query parameters added.
    pub fn with_query(&self, pairs: &[(&str, &str)]) -> String {
        let mut url = self.0.clone();
        url.query_pairs_mut().extend_pairs(pairs);
        url.into()
    }

    /// The host.
    pub fn host(&self) -> &str {
        self.0.host_str().unwrap_or_default()
    }

    /// Scheme, host and port.
    pub fn origin(&self) -> String {
        self.0.origin().ascii_serialization()
    }

    /// The URL as text.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }
}

fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => IpAddr::from(address).is_loopback(),
        Some(Host::Ipv6(address)) => IpAddr::from(address).is_loopback(),
        None => false,
    }
}

/// Why a call failed. For logs and staff, never shown to visitors.
#[derive(Debug, thiserror::Error)]
pub enum HttpError {
    /// The URL or a header is not allowed.
    #[error("the service named a URL that must not be called")]
    Unfit,
    /// No connection, or the connection broke.
    #[error("the service could not be reached: {0}")]
    Unreachable(Box<dyn std::error::Error + Send + Sync>),
    /// The timeout expired.
    #[error("the service took too long")]
    Slow,
    /// A response with a status other than 2xx.
    #[error("the service answered {0}")]
    Refused(u16),
    /// The response is too large or is not the expected JSON.
    #[error("the answer of the service could not be read: {0}")]
    Unreadable(Box<dyn std::error::Error + Send + Sync>),
}

impl HttpError {
    /// Whether the failure is temporary, so that a retry may work.
    pub fn is_temporary(&self) -> bool {
        match self {
            Self::Unreachable(_) | Self::Slow => true,
            Self::Refused(status) => *status >= 500 || *status == 429,
            Self::Unfit | Self::Unreadable(_) => false,
        }
    }
}

/// The client. Cheap to clone.
#[derive(Clone)]
pub struct HttpClient {
    client: Client<HttpsConnector<HttpConnector>, Full<Bytes>>,
}

impl fmt::Debug for HttpClient {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("HttpClient")
    }
}

impl Default for HttpClient {
    fn default() -> Self {
        let connector =
            HttpsConnectorBuilder::new().with_webpki_roots().https_or_http().enable_http1().build();
        Self { client: Client::builder(TokioExecutor::new()).build(connector) }
    }
}

impl HttpClient {
    /// GETs a JSON document, with an optional bearer token.
    pub async fn get_json<T: DeserializeOwned>(
        &self,
        url: &ServiceUrl,
        token: Option<&str>,
    ) -> Result<T, HttpError> {
        let mut request = Request::get(url.as_str());
        if let Some(token) = token {
            request = request.header(header::AUTHORIZATION, secret_value("Bearer ", token)?);
        }
        self.call(request, Bytes::new()).await
    }

    /// POSTs a form, with optional basic authentication, and reads JSON.
    pub async fn post_form<T: DeserializeOwned>(
        &self,
        url: &ServiceUrl,
        form: &[(&str, &str)],
        basic: Option<&str>,
    ) -> Result<T, HttpError> {
        let body = Serializer::new(String::new()).extend_pairs(form).finish();
        let mut request = Request::post(url.as_str())
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
        if let Some(basic) = basic {
            request = request.header(header::AUTHORIZATION, secret_value("Basic ", basic)?);
        }
        self.call(request, body.into()).await
    }

    async fn call<T: DeserializeOwned>(
        &self,
        request: axum::http::request::Builder,
        body: Bytes,
    ) -> Result<T, HttpError> {
        let request = request
            .header(header::ACCEPT, "application/json")
            // Some services refuse requests without a user agent.
            .header(header::USER_AGENT, "capiz")
            .body(Full::new(body))
            .map_err(|_| HttpError::Unfit)?;
        let response = tokio::time::timeout(TIMEOUT, self.exchange(request)).await;
        let bytes = response.map_err(|_| HttpError::Slow)??;
        serde_json::from_slice(&bytes).map_err(|error| HttpError::Unreadable(error.into()))
    }

    async fn exchange(&self, request: Request<Full<Bytes>>) -> Result<Bytes, HttpError> {
        let response = self.client.request(request).await;
        let response = response.map_err(|error| HttpError::Unreachable(error.into()))?;
        if !response.status().is_success() {
            return Err(HttpError::Refused(response.status().as_u16()));
        }
        let body = Limited::new(response.into_body(), MAX_RESPONSE_BYTES).collect().await;
        Ok(body.map_err(HttpError::Unreadable)?.to_bytes())
    }
}

/// A header value marked as sensitive, so that it is not logged.
fn secret_value(scheme: &str, secret: &str) -> Result<HeaderValue, HttpError> {
    let value = HeaderValue::from_str(&format!("{scheme}{secret}"));
    let mut value = value.map_err(|_| HttpError::Unfit)?;
    value.set_sensitive(true);
    Ok(value)
}

#[cfg(test)]
mod tests {
    use axum::Router;
    use axum::response::Redirect;
    use axum::routing::get;
    use serde_json::Value;
    use tokio::net::TcpListener;

    use super::*;

    #[test]
    fn only_encrypted_addresses_and_loopback_are_called() {
        for fit in [
            "https://id.example/a?b=c",
            "http://127.0.0.1:3000",
            "http://[::1]/",
            "http://localhost:1/x",
        ] {
            assert!(ServiceUrl::parse(fit).is_ok(), "{fit}");
        }
        let unfit = [
            "http://id.example/",
            "ftp://127.0.0.1/",
            "file:///etc/passwd",
            "id.example",
            "",
            "https://name:word@id.example/",
            "http://localhost.example/",
            "http://127.0.0.1.nip.io/",
            "http://10.0.0.1/",
            "http://169.254.169.254/latest",
            "javascript:alert(1)",
            "https://",
        ];
        for unfit in unfit {
            assert!(ServiceUrl::parse(unfit).is_err(), "{unfit}");
        }
    }

    #[test]
    fn an_outside_service_cannot_send_us_to_our_own_machine() {
        let external = ServiceUrl::parse("https://id.example").unwrap();
        assert!(external.refers_to("https://keys.example/jwks").is_ok());
        for named in [
            "http://127.0.0.1:9090/metrics",
            "https://localhost/",
            "https://[::1]/",
            "http://id.example/",
        ] {
            assert!(external.refers_to(named).is_err(), "{named}");
        }
        let local = ServiceUrl::parse("http://localhost:3000").unwrap();
        assert!(local.refers_to("http://localhost:3000/jwks").is_ok());
    }

    async fn serve(router: Router) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move { axum::serve(listener, router).await });
        format!("http://{address}")
    }

    #[tokio::test]
    async fn redirects_floods_and_silence_are_failures() {
        let router = Router::new()
            .route("/good", get(async || "{\"a\":1}"))
            .route("/away", get(async || Redirect::temporary("/good")))
            .route("/flood", get(async || format!("\"{}\"", "x".repeat(MAX_RESPONSE_BYTES))))
            .route("/words", get(async || "hello"))
            .route("/silence", get(std::future::pending::<()>));
        let site = serve(router).await;
        let call = async |path: &str| {
            let url = ServiceUrl::parse(&format!("{site}{path}")).unwrap();
            HttpClient::default().get_json::<Value>(&url, None).await
        };
        assert_eq!(call("/good").await.unwrap()["a"], 1);
        assert!(matches!(call("/away").await, Err(HttpError::Refused(307))));
        assert!(matches!(call("/flood").await, Err(HttpError::Unreadable(_))));
        assert!(matches!(call("/words").await, Err(HttpError::Unreadable(_))));
        assert!(matches!(call("/silence").await, Err(HttpError::Slow)));
    }
}
