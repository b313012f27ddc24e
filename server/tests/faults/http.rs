//! A small HTTP/1.1 client that sends one request after the other over a connection.

use std::io::{self, ErrorKind};
use std::net::SocketAddr;
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::{sleep, timeout};

/// Longer than the server's own timeout for a request.
const TIMEOUT: Duration = Duration::from_secs(20);

/// A response.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub cookies: Vec<String>,
    /// Whether the response has a `Retry-After` header.
    pub has_retry_after: bool,
    pub body: Value,
}

impl Answer {
    /// The value of a successful response; fails the test for any other.
    #[track_caller]
    pub fn value(&self) -> &Value {
        assert!(self.status == 200 && self.body["success"] == true, "{self:?}");
        &self.body["value"]
    }

    /// Whether this is a refusal with this status and code.
    pub fn is_refusal(&self, status: u16, code: &str) -> bool {
        self.status == status && self.body["success"] == false && self.body["code"] == code
    }

    /// Whether this is the envelope of a server that is temporarily unavailable.
    pub fn is_unavailable(&self) -> bool {
        self.status == 503
            && self.has_retry_after
            && self.body["success"] == false
            && self.body["code"] == "server.unavailable"
            && self.body["message"].is_string()
    }
}

/// The text of a request; the length of the body is filled in.
pub fn request(line: &str, host: SocketAddr, headers: &[(&str, &str)], body: &str) -> String {
    let mut text = format!("{line} HTTP/1.1\r\nHost: {host}\r\n");
    for (name, value) in headers {
        text.push_str(&format!("{name}: {value}\r\n"));
    }
    text.push_str(&format!("Content-Length: {}\r\n\r\n{body}", body.len()));
    text
}

/// A persistent connection.
pub struct Connection(TcpStream);

impl Connection {
    pub async fn open(address: SocketAddr) -> io::Result<Self> {
        let stream = timeout(TIMEOUT, TcpStream::connect(address)).await??;
        stream.set_nodelay(true)?;
        Ok(Self(stream))
    }

    /// Sends a request and reads the response.
    pub async fn exchange(&mut self, request: &str) -> io::Result<Answer> {
        timeout(TIMEOUT, async {
            self.0.write_all(request.as_bytes()).await?;
            self.read_answer().await
        })
        .await?
    }

    /// Sends a request and disconnects after a moment: with a proper shutdown, or with a reset as a
    /// crashed client does.
    pub async fn send_and_cut(
        mut self,
        text: &str,
        after: Duration,
        reset: bool,
    ) -> io::Result<()> {
        self.0.write_all(text.as_bytes()).await?;
        sleep(after).await;
        if reset {
            self.0.set_zero_linger()?;
        }
        Ok(())
    }

    async fn read_answer(&mut self) -> io::Result<Answer> {
        let mut bytes = Vec::new();
        let head_length = loop {
            let end = bytes.windows(4).position(|part| part == b"\r\n\r\n");
            match end {
                Some(end) => break end,
                None => self.read_more(&mut bytes).await?,
            }
        };
        let head = String::from_utf8_lossy(&bytes[..head_length]).into_owned();
        let values = |name: &'static str| {
            head.lines().filter_map(move |line| {
                let (found, value) = line.split_once(':')?;
                found.eq_ignore_ascii_case(name).then(|| value.trim())
            })
        };
        let status = head.split(' ').nth(1).and_then(|word| word.parse().ok());
        let length: Option<usize> = values("content-length").next().and_then(|v| v.parse().ok());
        let (Some(status), Some(length)) = (status, length) else {
            return Err(io::Error::new(ErrorKind::InvalidData, head));
        };
        let mut body = bytes.split_off(head_length + 4);
        while body.len() < length {
            self.read_more(&mut body).await?;
        }
        let cookies = values("set-cookie").filter_map(|line| line.split(';').next());
        Ok(Answer {
            status,
            cookies: cookies.map(str::to_owned).collect(),
            has_retry_after: values("retry-after").next().is_some(),
            body: serde_json::from_slice(&body).unwrap_or(Value::Null),
        })
    }

    async fn read_more(&mut self, bytes: &mut Vec<u8>) -> io::Result<()> {
        match self.0.read_buf(bytes).await? {
            0 => Err(ErrorKind::UnexpectedEof.into()),
            _ => Ok(()),
        }
    }
}

/// The nodes of one site, with a persistent connection to each.
pub struct NodeConnections(Vec<(SocketAddr, Option<Connection>)>);

impl NodeConnections {
    pub fn new(addresses: &[SocketAddr]) -> Self {
        Self(addresses.iter().map(|address| (*address, None)).collect())
    }

    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// Sends a request to one of the nodes and reads the response.
    pub async fn exchange(&mut self, node: usize, request: &str) -> io::Result<Answer> {
        let (address, kept) = &mut self.0[node];
        let mut connection = match kept.take() {
            Some(connection) => connection,
            None => Connection::open(*address).await?,
        };
        let answer = connection.exchange(request).await?;
        *kept = Some(connection);
        Ok(answer)
    }

    /// Sends a request to one of the nodes and disconnects after a moment.
    pub async fn send_and_leave(&self, node: usize, request: &str, after: Duration) {
        // The node may be down, which counts as a disconnect too.
        if let Ok(connection) = Connection::open(self.0[node].0).await {
            let _ = connection.send_and_cut(request, after, true).await;
        }
    }

    /// Closes all connections, because the nodes may have been killed.
    pub fn close(&mut self) {
        for (_, kept) in &mut self.0 {
            *kept = None;
        }
    }
}
