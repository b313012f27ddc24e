//! Ours over HTTP: the release binary, kept connections, sessions like those of a log-in.

use std::net::SocketAddr;
use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use platform::secret::random_bytes;
use sha2::{Digest, Sha256};
use studio::Player;
use tokio::task::JoinSet;

use super::chance::{Chance, Chooser, Spread};
use super::ground::Ground;
use super::inside::TARGET;
use super::members::Crowd;
use super::plan::{Load, Who};
use crate::client::{Connection, Request};
use crate::load::Client;
use crate::{DICE_PATH, Failure};

/// The name of the device's cookie on a loopback page.
const COOKIE: &str = "__Host-capiz-device";

/// Connections over which everybody plays once.
const WARM_CONNECTIONS: usize = 128;

/// The secrets of a member's session.
struct Session {
    player: Player,
    token: [u8; 32],
    device: [u8; 32],
}

impl Session {
    /// The lines of a request that say who asks.
    fn headers(&self) -> String {
        let token = [self.player.member_id.as_bytes().as_slice(), &self.token].concat();
        let (token, device) = (URL_SAFE_NO_PAD.encode(token), URL_SAFE_NO_PAD.encode(self.device));
        format!("Authorization: Bearer {token}\r\nCookie: {COOKIE}={device}\r\n")
    }
}

/// The members' sessions, as the lines that name them.
pub struct Site {
    headers: Arc<[String]>,
}

impl Site {
    /// Starts a session for every member.
    pub async fn new(ground: &Ground, crowd: &Crowd) -> Result<Self, Failure> {
        let session = |player: &Player| Session {
            player: *player,
            token: random_bytes(),
            device: random_bytes(),
        };
        let sessions: Vec<Session> = crowd.players.iter().map(session).collect();
        insert(ground, &sessions).await?;
        Ok(Self { headers: sessions.iter().map(Session::headers).collect() })
    }

    /// Notes that everyone was seen just now. A server writes that once a minute and member,
    /// which is seldom; in a turn of seconds it would be often, or never, by chance.
    pub async fn refresh(&self, ground: &Ground) -> Result<(), Failure> {
        ground.owner_does("update sessions_tokens set seen_at = now()").await
    }

    /// Everybody plays a round: the server then knows all sessions and seeds, like one that has
    /// run for a while.
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

    /// Connects so many clients.
    pub async fn clients(&self, address: SocketAddr, load: Load) -> Result<Vec<Visitor>, Failure> {
        let chooser = Chooser::new(load.spread, self.headers.len());
        let mut visitors = Vec::with_capacity(load.clients);
        for number in 0..load.clients {
            visitors.push(Visitor {
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

async fn insert(ground: &Ground, sessions: &[Session]) -> Result<(), Failure> {
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
    .execute(&mut ground.connect().await?)
    .await?;
    Ok(())
}

/// A connection over which rounds are played.
pub struct Visitor {
    connection: Connection,
    host: String,
    headers: Arc<[String]>,
    /// The one member of this connection; without it each request is for another.
    own: Option<usize>,
    chooser: Chooser,
    chance: Chance,
}

impl Visitor {
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

impl Client for Visitor {
    async fn act(&mut self) -> Result<(), Failure> {
        let request = self.request();
        self.connection.exchange(&request).await?.expect_ok(DICE_PATH)
    }
}
