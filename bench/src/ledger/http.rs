//! The load over HTTP: the release binary, persistent connections, and sessions like those of a
//! login.

use std::net::SocketAddr;
use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use platform::secret::random_bytes;
use sha2::{Digest, Sha256};
use studio::Player;
use tokio::task::JoinSet;

use super::chance::{Chance, Chooser, Spread};
use super::ground::Setup;
use super::inside::TARGET;
use super::members::Crowd;
use super::plan::{Load, Who};
use crate::client::{Connection, Request};
use crate::load::Client;
use crate::{DICE_PATH, Failure};

/// The name of the device cookie on a loopback host.
const COOKIE: &str = "__Host-capiz-device";

/// Connections over which every member plays one round as a warm-up.
const WARM_CONNECTIONS: usize = 128;

/// The session token and device secret of a member's session.
struct Session {
    player: Player,
    token: [u8; 32],
    device: [u8; 32],
}

impl Session {
    /// The header lines that authenticate the member.
    fn headers(&self) -> String {
        let token = [self.player.member_id.as_bytes().as_slice(), &self.token].concat();
        let (token, device) = (URL_SAFE_NO_PAD.encode(token), URL_SAFE_NO_PAD.encode(self.device));
        format!("Authorization: Bearer {token}\r\nCookie: {COOKIE}={device}\r\n")
    }
}

/// The members' sessions, as header lines.
pub struct Site {
    headers: Arc<[String]>,
}

impl Site {
    /// Creates a session for every member.
    pub async fn new(setup: &Setup, crowd: &Crowd) -> Result<Self, Failure> {
        let session = |player: &Player| Session {
            player: *player,
            token: random_bytes(),
            device: random_bytes(),
        };
        let sessions: Vec<Session> = crowd.players.iter().map(session).collect();
        insert(setup, &sessions).await?;
        Ok(Self { headers: sessions.iter().map(Session::headers).collect() })
    }

    /// Sets the last-seen time of all sessions. A server writes it at most once a minute per
    /// member; in a measurement of a few seconds these writes would appear often or never, by
    /// chance.
    pub async fn refresh(&self, setup: &Setup) -> Result<(), Failure> {
        setup.execute_as_owner("update sessions_tokens set seen_at = now()").await
    }

    /// Plays one round for every member, so that the server has all sessions and seeds in its
    /// caches, as after running for a while.
    pub async fn warm_up(&self, address: SocketAddr) -> Result<(), Failure> {
        let load = Load { who: Who::Http, clients: WARM_CONNECTIONS, spread: Spread::Uniform };
        let mut playing = JoinSet::new();
        for (first, mut visitor) in self.clients(address, load).await?.into_iter().enumerate() {
            let everybody = self.headers.len();
            playing.spawn(async move {
                for number in (first..everybody).step_by(WARM_CONNECTIONS) {
                    visitor.own = Some(number);
                    visitor.act().await?;
                }
                Ok::<(), Failure>(())
            });
        }
        while let Some(played) = playing.join_next().await {
            played??;
        }
        Ok(())
    }

    /// Opens this many client connections.
    pub async fn clients(
        &self,
        address: SocketAddr,
        load: Load,
    ) -> Result<Vec<HttpClient>, Failure> {
        let chooser = Chooser::new(load.spread, self.headers.len());
        let mut visitors = Vec::with_capacity(load.clients);
        for number in 0..load.clients {
            visitors.push(HttpClient {
                connection: Connection::open(address).await?,
                host: address.to_string(),
                headers: Arc::clone(&self.headers),
                own: (load.who == Who::Browser).then_some(number),
                chooser: chooser.clone(),
                chance: Chance::new(),
            });
        }
        Ok(visitors)
    }
}

async fn insert(setup: &Setup, sessions: &[Session]) -> Result<(), Failure> {
    let hash = |secret: &[u8; 32]| Sha256::digest(secret).to_vec();
    let members: Vec<_> = sessions.iter().map(|session| session.player.member_id).collect();
    let tokens: Vec<_> = sessions.iter().map(|session| hash(&session.token)).collect();
    let devices: Vec<_> = sessions.iter().map(|session| hash(&session.device)).collect();
    sqlx::query(
        "insert into sessions_tokens
            (member_id, token_hash, merchant_id, device_hash, kind, currency,
             started_at, seen_at, ends_at)
         select p.member_id, n.token, p.merchant_id, n.device, p.kind, p.currency,
            now(), now(), now() + interval '12 hours'
         from unnest($1::uuid[], $2::bytea[], $3::bytea[]) as n (id, token, device)
         join members_profiles p on p.member_id = n.id",
    )
    .bind(members)
    .bind(tokens)
    .bind(devices)
    .execute(&mut setup.connect().await?)
    .await?;
    Ok(())
}

/// A connection over which rounds are played.
pub struct HttpClient {
    connection: Connection,
    host: String,
    headers: Arc<[String]>,
    /// The only member of this connection; `None` chooses another member for each request.
    own: Option<usize>,
    chooser: Chooser,
    chance: Chance,
}

impl HttpClient {
    fn request(&mut self) -> Request {
        let number = self.own.unwrap_or_else(|| self.chooser.choose(&mut self.chance));
        let body = format!(r#"{{"stake":"1","choice":{{"target":{TARGET},"direction":"under"}}}}"#);
        let text = format!(
            "POST {DICE_PATH} HTTP/1.1\r\nHost: {}\r\n{}Idempotency-Key: {}\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            self.host,
            self.headers[number],
            self.chance.key(),
            body.len(),
        );
        Request::from_bytes(DICE_PATH, text.into_bytes())
    }
}

impl Client for HttpClient {
    async fn act(&mut self) -> Result<(), Failure> {
        let request = self.request();
        self.connection.exchange(&request).await?.expect_ok(DICE_PATH)
    }
}
