//! Calls to outside services: bounded in time and size, and only where they were meant to go.
//!
//! Encrypted, except on loopback, where nobody listens in between. Redirects are not followed:
//! whoever answers with one has not answered.

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

/// The longest that a call may take, connection and body included.
const PATIENCE: Duration = Duration::from_secs(5);

/// The largest answer that is read.
const ANSWER_MAX: usize = 256 * 1024;

/// An address that may be called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutsideUrl(Url);

impl OutsideUrl {
    /// Reads an address; the mistake is a sentence's end for the operator.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        let mistake = "expected https://host/path, or http:// on loopback";
        let url = Url::parse(text).map_err(|_| mistake)?;
        let is_fit = match url.scheme() {
            "https" => url.has_host(),
            "http" => is_loopback(&url),
            _ => false,
        };
        let is_plain = url.username().is_empty() && url.password().is_none();
        if is_fit && is_plain { Ok(Self(url)) } else { Err(mistake) }
    }

    /// An address that this one's owner names. What is encrypted does not send us to what is
    /// not, nor to this machine's own services.
    pub fn refers_to(&self, text: &str) -> Result<Self, OutsideError> {
        let named = Self::parse(text).map_err(|_| OutsideError::Unfit)?;
        if is_loopback(&named.0) && !is_loopback(&self.0) {
            return Err(OutsideError::Unfit);
        }
        Ok(named)
    }

    /// The address with more in its query.
    pub fn with_query(&self, pairs: &[(&str, &str)]) -> String {
        let mut url = self.0.clone();
        url.query_pairs_mut().extend_pairs(pairs);
        url.into()
    }

    /// Whose it is.
    pub fn host(&self) -> &str {
        self.0.host_str().unwrap_or_default()
    }

    /// Scheme, host and port: another path there is the same service.
    pub fn origin(&self) -> String {
        self.0.origin().ascii_serialization()
    }

    /// The address as text.
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

/// Why a call failed. None of it is told to visitors.
#[derive(Debug, thiserror::Error)]
pub enum OutsideError {
    /// Not an address that may be called.
    #[error("the service named an address that is not called")]
    Unfit,
    /// Nobody there, or the line broke.
    #[error("the service could not be reached: {0}")]
    Unreachable(Box<dyn std::error::Error + Send + Sync>),
    /// It took too long.
    #[error("the service took too long")]
    Slow,
    /// It said no.
    #[error("the service answered {0}")]
    Refused(u16),
    /// It said something else.
    #[error("the answer of the service could not be read: {0}")]
    Unreadable(Box<dyn std::error::Error + Send + Sync>),
}

impl OutsideError {
    /// Whether it may work when it is tried again.
    pub fn may_pass(&self) -> bool {
        match self {
            Self::Unreachable(_) | Self::Slow => true,
            Self::Refused(status) => *status >= 500 || *status == 429,
            Self::Unfit | Self::Unreadable(_) => false,
        }
    }
}

/// Makes the calls.
#[derive(Clone)]
pub struct Outside {
    client: Client<HttpsConnector<HttpConnector>, Full<Bytes>>,
}

impl fmt::Debug for Outside {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Outside")
    }
}

impl Default for Outside {
    fn default() -> Self {
        let connector =
            HttpsConnectorBuilder::new().with_webpki_roots().https_or_http().enable_http1().build();
        Self { client: Client::builder(TokioExecutor::new()).build(connector) }
    }
}

impl Outside {
    /// Gets a JSON document, with a bearer token where one is given.
    pub async fn get_json<T: DeserializeOwned>(
        &self,
        url: &OutsideUrl,
        token: Option<&str>,
    ) -> Result<T, OutsideError> {
        let mut request = Request::get(url.as_str());
        if let Some(token) = token {
            request = request.header(header::AUTHORIZATION, secret_value("Bearer ", token)?);
        }
        self.call(request, Bytes::new()).await
    }

    /// Posts a form, with a name and a password where they are given, and reads JSON.
    pub async fn post_form<T: DeserializeOwned>(
        &self,
        url: &OutsideUrl,
        form: &[(&str, &str)],
        basic: Option<&str>,
    ) -> Result<T, OutsideError> {
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
    ) -> Result<T, OutsideError> {
        let request = request
            .header(header::ACCEPT, "application/json")
            // Some services turn away who does not say a name.
            .header(header::USER_AGENT, "capiz")
            .body(Full::new(body))
            .map_err(|_| OutsideError::Unfit)?;
        let answer = tokio::time::timeout(PATIENCE, self.exchange(request)).await;
        let bytes = answer.map_err(|_| OutsideError::Slow)??;
        serde_json::from_slice(&bytes).map_err(|error| OutsideError::Unreadable(error.into()))
    }

    async fn exchange(&self, request: Request<Full<Bytes>>) -> Result<Bytes, OutsideError> {
        let response = self.client.request(request).await;
        let response = response.map_err(|error| OutsideError::Unreachable(error.into()))?;
        if !response.status().is_success() {
            return Err(OutsideError::Refused(response.status().as_u16()));
        }
        let body = Limited::new(response.into_body(), ANSWER_MAX).collect().await;
        Ok(body.map_err(OutsideError::Unreadable)?.to_bytes())
    }
}

/// A header whose value does not show in logs.
fn secret_value(scheme: &str, secret: &str) -> Result<HeaderValue, OutsideError> {
    let value = HeaderValue::from_str(&format!("{scheme}{secret}"));
    let mut value = value.map_err(|_| OutsideError::Unfit)?;
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
            assert!(OutsideUrl::parse(fit).is_ok(), "{fit}");
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
            assert!(OutsideUrl::parse(unfit).is_err(), "{unfit}");
        }
    }

    #[test]
    fn an_outside_service_cannot_send_us_to_our_own_machine() {
        let outside = OutsideUrl::parse("https://id.example").unwrap();
        assert!(outside.refers_to("https://keys.example/jwks").is_ok());
        for named in [
            "http://127.0.0.1:9090/metrics",
            "https://localhost/",
            "https://[::1]/",
            "http://id.example/",
        ] {
            assert!(outside.refers_to(named).is_err(), "{named}");
        }
        let near = OutsideUrl::parse("http://localhost:3000").unwrap();
        assert!(near.refers_to("http://localhost:3000/jwks").is_ok());
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
            .route("/flood", get(async || format!("\"{}\"", "x".repeat(ANSWER_MAX))))
            .route("/words", get(async || "hello"))
            .route("/silence", get(std::future::pending::<()>));
        let site = serve(router).await;
        let call = async |path: &str| {
            let url = OutsideUrl::parse(&format!("{site}{path}")).unwrap();
            Outside::default().get_json::<Value>(&url, None).await
        };
        assert_eq!(call("/good").await.unwrap()["a"], 1);
        assert!(matches!(call("/away").await, Err(OutsideError::Refused(307))));
        assert!(matches!(call("/flood").await, Err(OutsideError::Unreadable(_))));
        assert!(matches!(call("/words").await, Err(OutsideError::Unreadable(_))));
        assert!(matches!(call("/silence").await, Err(OutsideError::Slow)));
    }
}
