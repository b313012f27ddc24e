//! The calls that begin and end sessions, and the extractor that asks for one.

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::{FromRef, FromRequestParts, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{AppendHeaders, IntoResponse, Response};
use capiz_rules::money::Currency;
use chrono::{DateTime, Duration, Utc};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use super::arrival::{Arrival, Changeover};
use super::device::Device;
use super::gates::Visitor;
use super::model::Token;
use super::ops::{self, Entered};
use super::{
    account, bind, captcha, devices, factors, login, phone, recovery, registration, remember,
    social, verify,
};
use crate::Identity;
use members::MemberKind;
use platform::ClientIp;
use platform::asker;
use platform::error::{Answer, ApiError, Envelope, Refusal, answer};
use platform::seal::{Sealed, SealedBody};
use site::{Merchant, OpenMerchant};

/// The member that a request acts for.
pub struct CurrentMember {
    /// Its id.
    pub id: Uuid,
    /// Its merchant, which is open.
    pub merchant: Arc<Merchant>,
    /// Its type.
    pub kind: MemberKind,
    /// Its one currency.
    pub currency: Currency,
    pub(super) token: Token,
    /// Where the request came from.
    address: IpAddr,
    /// Whether the registration was open when the session began.
    pub(super) to_complete: bool,
    /// Whether there had to be another password when the session began.
    must_change: bool,
    started_at: DateTime<Utc>,
}

/// For how long a log-in that asks for another password counts as the proof of everything that it took.
const JUST_COME: Duration = Duration::minutes(15);

impl CurrentMember {
    /// The member as it is asked for its password again.
    pub(super) fn asked(&self) -> members::Asked {
        members::Asked { member_id: self.id, merchant_id: self.merchant.id, address: self.address }
    }

    /// Whether the member has just logged in and has to change its password first: whoever has a
    /// second factor has shown it by that.
    pub(super) fn has_just_come_to_change(&self, now: DateTime<Utc>) -> bool {
        self.must_change && now < self.started_at + JUST_COME
    }

    /// Refuses demo accounts, which have no member functions.
    pub fn require_real(&self) -> Result<(), ApiError> {
        match self.kind {
            MemberKind::Trial => Err(ApiError::new(members::codes::TRIAL_ACCOUNT)),
            MemberKind::Member | MemberKind::Agent(_) => Ok(()),
        }
    }
}

impl<S> FromRequestParts<S> for CurrentMember
where
    S: Send + Sync,
    Identity: FromRef<S>,
{
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let app = &Identity::from_ref(state);
        let required = || ApiError::new(platform::codes::SESSION_REQUIRED);
        let OpenMerchant(merchant) = OpenMerchant::from_request_parts(parts, app).await?;
        let token = bearer(&parts.headers).and_then(Token::parse).ok_or_else(required)?;
        let device = Device::from_request_parts(parts, app).await?;
        let ClientIp(address) = ClientIp::from_request_parts(parts, app).await?;
        let session = ops::find_and_touch(app, &token, &device, merchant.id).await?;
        let session = session.ok_or_else(required)?;
        asker::note_account(token.member_id);
        Ok(Self {
            id: token.member_id,
            merchant,
            kind: session.kind,
            currency: session.currency,
            token,
            address,
            to_complete: session.to_complete,
            must_change: session.must_change,
            started_at: session.started_at,
        })
    }
}

/// A member who may play and move money. Every call that does either takes this and not
/// [`CurrentMember`]: whoever has yet to complete the registration, or to set another password, is
/// refused.
pub struct Entitled(pub CurrentMember);

impl<S> FromRequestParts<S> for Entitled
where
    S: Send + Sync,
    Identity: FromRef<S>,
{
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let app = &Identity::from_ref(state);
        let member = CurrentMember::from_request_parts(parts, state).await?;
        // What the session says may be old; nobody is refused on its word.
        if member.to_complete {
            Box::pin(members::require_complete(&app.members, member.id)).await?;
        }
        if member.must_change {
            let device = Device::from_request_parts(parts, app).await?;
            let session = ops::find_live(app, &member.token, &device, member.merchant.id).await?;
            if session.is_some_and(|session| session.must_change) {
                return Err(ApiError::new(members::codes::MUST_CHANGE));
            }
        }
        Ok(Self(member))
    }
}

pub(super) fn bearer(headers: &HeaderMap) -> Option<&str> {
    headers.get(header::AUTHORIZATION)?.to_str().ok()?.strip_prefix("Bearer ")
}

/// What a login answers.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct LoginView {
    /// Of the session; nothing while a second factor is asked for.
    token: Option<String>,
    first_time_login: bool,
    /// Whether the password has to be changed before anything else.
    password_expired: bool,
    /// Asks for a second factor.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false)]
    two_factor: Option<TwoFactorTicket>,
}

/// What the second step of a login needs.
#[derive(Serialize, ToSchema)]
struct TwoFactorTicket {
    /// Good for five minutes and five tries, on this device.
    ticket: String,
}

/// An answer that may also hand the browser its device cookie.
pub(super) struct LoggedIn {
    entered: Entered,
    cookie: Option<HeaderValue>,
}

impl LoggedIn {
    /// Answers a log-in, and ends the session that the page had before.
    pub(super) async fn new(app: &Identity, entered: Entered, changeover: Changeover) -> Self {
        let Changeover { cookie, former } = changeover;
        if let (Entered::Started(_), Some((token, device_hash))) = (&entered, former)
            && let Err(error) = ops::end_former(app, token, device_hash).await
        {
            // Whoever is in is not turned away for it: the old one ends by its time.
            tracing::warn!(?error, "the session before could not be ended");
        }
        Self { entered, cookie }
    }
}

impl IntoResponse for LoggedIn {
    fn into_response(self) -> Response {
        let view = match self.entered {
            Entered::Started(started) => {
                asker::note_account(started.member_id);
                asker::tell("logged in");
                LoginView {
                    token: Some(started.token),
                    first_time_login: started.first_time,
                    password_expired: started.password_expired,
                    two_factor: None,
                }
            }
            Entered::Ticket(ticket) => LoginView {
                token: None,
                first_time_login: false,
                password_expired: false,
                two_factor: Some(TwoFactorTicket { ticket }),
            },
        };
        let cookie = self.cookie.map(|cookie| (header::SET_COOKIE, cookie));
        (AppendHeaders(cookie), answer(view)).into_response()
    }
}

/// Login to a free demo account.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FreePlay {
    /// The visitor's operating system, for statistics.
    #[expect(dead_code, reason = "part of the call's shape; nothing is decided by it")]
    os: String,
    /// `W` for the web.
    platform: String,
    /// A random text of the client's.
    random: String,
    gateway_version: u8,
}

impl FreePlay {
    fn check(&self) -> Result<(), ApiError> {
        let wrong = [
            ("platform", self.platform != "W"),
            ("random", !(8..=128).contains(&self.random.len())),
            ("gatewayVersion", self.gateway_version != 3),
        ];
        let mut fields = wrong.iter().filter(|(_, wrong)| *wrong).peekable();
        match fields.peek() {
            None => Ok(()),
            Some(_) => Err(ApiError::fields(fields.map(|(name, _)| (*name, "invalid")))),
        }
    }
}

/// Opens a demo account and logs it in. The sealed plaintext is `FreePlay`.
#[utoipa::path(post, path = "/wps/session/login/freeplay", tag = "sessions",
    request_body(content = SealedBody, content_type = "application/sealed+json"),
    responses((status = 200, body = Envelope<LoginView>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn login_free_play(
    visitor: Visitor,
    State(app): State<Identity>,
    arrival: Arrival,
    Sealed(body): Sealed<FreePlay>,
) -> Result<LoggedIn, ApiError> {
    body.check()?;
    let (visit, changeover) = arrival.enrol();
    let started = ops::start_trial(&app, visitor, visit).await?;
    Ok(LoggedIn::new(&app, Entered::Started(started), changeover).await)
}

/// Ends the session.
#[utoipa::path(delete, path = "/wps/session/logout", tag = "sessions", security(("token" = [])),
    responses((status = 200, body = Envelope<Option<String>>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn logout(State(app): State<Identity>, member: CurrentMember) -> Answer<Option<String>> {
    ops::logout(&app, member.token).await?;
    asker::tell("logged out");
    answer(None)
}

/// The routes of sessions.
pub fn routes() -> OpenApiRouter<Identity> {
    OpenApiRouter::new()
        .merge(registration::routes())
        .merge(account::routes())
        .merge(devices::routes())
        .merge(login::routes())
        .routes(routes!(login_free_play))
        .routes(routes!(logout))
        .routes(routes!(phone::login_by_phone))
        .routes(routes!(phone::return_from_phone))
        .merge(social::routes())
        .merge(factors::routes())
        .merge(recovery::routes())
        .merge(bind::routes())
        .merge(remember::routes())
        .merge(captcha::http::routes())
        .merge(verify::http::routes())
}
