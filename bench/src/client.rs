//! A small HTTP/1.1 client with a persistent connection and limits on size and time.

use std::net::SocketAddr;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::Failure;

/// Timeout of connecting and of one request.
const TIMEOUT: Duration = Duration::from_secs(15);
/// The maximum size of response headers.
const HEAD_LIMIT: usize = 32 * 1024;
/// The maximum size of a response body.
const BODY_LIMIT: usize = 4 * 1024 * 1024;

/// A request as bytes on the wire.
#[derive(Clone)]
pub struct Request {
    path: String,
    bytes: Vec<u8>,
}

impl Request {
    /// A GET request without headers of its own.
    pub fn get(path: &str, host: &str) -> Self {
        Self::new("GET", path, host, &[], "")
    }

    /// Any request; header names and values must be well-formed.
    pub fn new(method: &str, path: &str, host: &str, headers: &[(&str, &str)], body: &str) -> Self {
        let mut text = format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\n");
        for (name, value) in headers {
            text.push_str(&format!("{name}: {value}\r\n"));
        }
        if !body.is_empty() {
            text.push_str(&format!("Content-Length: {}\r\n", body.len()));
        }
        text.push_str("\r\n");
        text.push_str(body);
        Self { path: path.to_owned(), bytes: text.into_bytes() }
    }

    /// A request whose bytes the caller has built.
    pub fn from_bytes(path: &str, bytes: Vec<u8>) -> Self {
        Self { path: path.to_owned(), bytes }
    }

    /// The path, for error messages.
    pub fn path(&self) -> &str {
        &self.path
    }
}

/// A response.
pub struct Answer {
    /// The HTTP status.
    pub status: u16,
    /// The status line and header lines as received.
    head: String,
    /// The body, with the chunked encoding removed.
    pub body: Vec<u8>,
}

impl Answer {
    /// Returns an error for any status but 200.
    pub fn expect_ok(&self, path: &str) -> Result<(), Failure> {
        if self.status == 200 {
            return Ok(());
        }
        let body = String::from_utf8_lossy(&self.body);
        Err(format!("{path} answered {}: {body}", self.status).into())
    }

    /// The header lines, without the status line.
    pub fn header_lines(&self) -> impl Iterator<Item = (&str, &str)> {
        let lines = self.head.lines().skip(1);
        lines.filter_map(|line| line.split_once(':').map(|(name, value)| (name, value.trim())))
    }

    /// All values of a header.
    pub fn headers<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        let lines = self.header_lines();
        lines.filter_map(move |(found, value)| found.eq_ignore_ascii_case(name).then_some(value))
    }
}

/// A persistent connection.
pub struct Connection {
    stream: TcpStream,
    /// Bytes that were received and not yet consumed.
    buffer: Vec<u8>,
}

impl Connection {
    /// Opens a connection.
    pub async fn open(address: SocketAddr) -> Result<Self, Failure> {
        let stream = timeout(TIMEOUT, TcpStream::connect(address)).await??;
        stream.set_nodelay(true)?;
        Ok(Self { stream, buffer: Vec::with_capacity(16 * 1024) })
    }

    /// Sends a request and reads the response.
    pub async fn exchange(&mut self, request: &Request) -> Result<Answer, Failure> {
        timeout(TIMEOUT, async {
            self.stream.write_all(&request.bytes).await?;
            self.read_answer().await
        })
        .await
        .map_err(|_| format!("{} took too long", request.path))?
    }

    async fn read_answer(&mut self) -> Result<Answer, Failure> {
        let end = self.find(b"\r\n\r\n", HEAD_LIMIT).await?;
        let head = String::from_utf8(self.take(end))?;
        self.take(4);
        let status = head.split(' ').nth(1).and_then(|word| word.parse().ok());
        let mut answer = Answer { status: status.ok_or("no HTTP status")?, head, body: Vec::new() };
        let length = answer.headers("content-length").next().map(str::parse::<usize>);
        answer.body = match length {
            Some(length) => {
                let length = length.ok().filter(|length| *length <= BODY_LIMIT);
                self.exactly(length.ok_or("a bad content length")?).await?
            }
            None if answer.headers("transfer-encoding").any(|value| value == "chunked") => {
                self.chunks().await?
            }
            None => return Err("an answer without a length".into()),
        };
        Ok(answer)
    }

    async fn chunks(&mut self) -> Result<Vec<u8>, Failure> {
        let mut body = Vec::new();
        loop {
            let end = self.find(b"\r\n", HEAD_LIMIT).await?;
            let line = String::from_utf8(self.take(end))?;
            self.take(2);
            let size = line.split(';').next().unwrap_or_default().trim();
            let size = usize::from_str_radix(size, 16)?;
            if size > BODY_LIMIT || body.len() + size > BODY_LIMIT {
                return Err("an answer that is too long".into());
            }
            body.extend(self.exactly(size).await?);
            // Each chunk is followed by a line break, the last, empty chunk too.
            self.exactly(2).await?;
            if size == 0 {
                return Ok(body);
            }
        }
    }

    /// Reads until `mark` appears, and returns its offset in the buffer.
    async fn find(&mut self, mark: &[u8], limit: usize) -> Result<usize, Failure> {
        loop {
            if let Some(at) = self.buffer.windows(mark.len()).position(|part| part == mark) {
                return Ok(at);
            }
            if self.buffer.len() > limit {
                return Err("a head that is too long".into());
            }
            self.read_more().await?;
        }
    }

    async fn exactly(&mut self, count: usize) -> Result<Vec<u8>, Failure> {
        while self.buffer.len() < count {
            self.read_more().await?;
        }
        Ok(self.take(count))
    }

    async fn read_more(&mut self) -> Result<(), Failure> {
        match self.stream.read_buf(&mut self.buffer).await? {
            0 => Err("the connection was closed in the middle of an answer".into()),
            _ => Ok(()),
        }
    }

    /// Removes the first bytes from the buffer, which must have been read.
    fn take(&mut self, count: usize) -> Vec<u8> {
        self.buffer.drain(..count.min(self.buffer.len())).collect()
    }
}

#[cfg(test)]
mod tests {
    use tokio::net::TcpListener;

    use super::*;

    /// The client's result if a server sends exactly this response.
    async fn read(answer: &'static str) -> Result<(u16, String), Failure> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?;
        tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.expect("a connection");
            stream.write_all(answer.as_bytes()).await.expect("written");
        });
        let answer = Connection::open(address).await?.exchange(&Request::get("/", "x")).await?;
        Ok((answer.status, String::from_utf8(answer.body)?))
    }

    #[tokio::test]
    async fn reads_both_kinds_of_bodies() {
        let plain = read("HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello").await;
        assert_eq!(plain.expect("an answer"), (200, "hello".to_owned()));
        let chunked = "HTTP/1.1 404 No\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2;x=y\r\nlo\r\n0\r\n\r\n";
        assert_eq!(read(chunked).await.expect("an answer"), (404, "hello".to_owned()));
    }

    #[tokio::test]
    async fn refuses_what_is_no_answer() {
        for wrong in [
            "",
            "HTTP/1.1 200 OK\r\n\r\n",
            "HTTP/1.1 200 OK\r\ncontent-length: x\r\n\r\n",
            "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhel",
            "HTTP/1.1 200 OK\r\ncontent-length: 99999999999\r\n\r\n",
            "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nffffffffffffffff\r\n",
        ] {
            assert!(read(wrong).await.is_err(), "{wrong:?}");
        }
    }
}
