//! Member info in API responses, and the check of invitation codes.

use axum::extract::State;
use capiz_rules::names::FieldCode;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use super::model::{MemberKind, Profile};
use super::ops;
use super::store::Standing;
use crate::Members;
use crate::codes;
use platform::ClientIp;
use platform::error::{Answer, ApiError, Envelope, Refusal, answer};
use platform::extract::Query;
use platform::rate_limit::{self, RateLimit};
use site::{Merchant, OpenMerchant};

/// Longer than any invitation code.
const CODE_MAX: usize = 64;
/// Maximum length of a domain name.
const DOMAIN_MAX: usize = 255;

/// Rate limit by address against guessing invitation codes.
const CHECKS: RateLimit = RateLimit {
    name: "members.affiliate.address",
    limit: 60,
    window: std::time::Duration::from_secs(600),
};

/// Member info. Mobile number, e-mail address and real name are masked.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemberInfo {
    id: Uuid,
    account: String,
    nickname: String,
    /// 0 member; 1, 2, 41, 42 agents; 4 trial.
    #[serde(rename = "type")]
    kind: i16,
    is_agent: bool,
    is_trial: bool,
    currency: String,
    registered_at: DateTime<Utc>,
    /// Time of the login before the current one.
    last_login_at: Option<DateTime<Utc>>,
    /// Id of the icon that the member chose.
    icon: String,
    /// The member's own invitation code; demo accounts have none.
    affiliate_code: Option<String>,
    mobile_num: Option<String>,
    mobile_verified: bool,
    email: Option<String>,
    email_verified: bool,
    payee_name: Option<String>,
    has_birthday: bool,
    has_id_number: bool,
    address: Option<String>,
    nationality: Option<String>,
    occupation: Option<String>,
    source_of_income: Option<String>,
    has_password: bool,
    password_changed_at: Option<DateTime<Utc>>,
    password_expired: bool,
    has_payment_password: bool,
    /// Whether the login requires a second factor.
    two_factor: bool,
    /// Whether the member must complete the registration with `POST /wps/member/complete` before
    /// playing.
    to_complete: bool,
    /// Code of the language that the member chose.
    #[schema(required)]
    language: Option<String>,
}

/// Login data of a member that its info shows; other domains supply it.
pub struct LoginFacts {
    /// Time of the login before the current one.
    pub last_login_at: Option<DateTime<Utc>>,
    /// Whether the login requires a second factor.
    pub two_factor: bool,
}

/// Builds a member's info for an API response.
pub fn info_of(
    profile: Profile,
    standing: Option<Standing>,
    facts: LoginFacts,
    (merchant, now): (&Merchant, DateTime<Utc>),
) -> MemberInfo {
    let known = standing.as_ref();
    let text = |of: fn(&Standing) -> &Option<String>| known.and_then(|known| of(known).clone());
    let is = |of: fn(&Standing) -> bool| known.is_some_and(of);
    let changed_at = known.and_then(|known| known.password_changed_at);
    MemberInfo {
        id: profile.id,
        account: profile.account,
        nickname: profile.nickname,
        kind: profile.kind.number(),
        is_agent: matches!(profile.kind, MemberKind::Agent(_)),
        is_trial: profile.kind == MemberKind::Trial,
        currency: profile.currency.code().to_owned(),
        registered_at: profile.registered_at,
        last_login_at: facts.last_login_at,
        icon: known.map_or("capiz", |known| known.icon.as_str()).to_owned(),
        affiliate_code: known.map(|known| known.affiliate_code.clone()),
        mobile_num: text(|known| &known.mobile).map(|mobile| masked(&mobile, 4, 3)),
        mobile_verified: is(|known| known.is_mobile_verified),
        email: text(|known| &known.email).map(|email| masked_email(&email)),
        email_verified: is(|known| known.is_email_verified),
        payee_name: text(|known| &known.payee_name).map(|name| masked(&name, 1, 1)),
        has_birthday: is(|known| known.has_birthday),
        has_id_number: is(|known| known.has_id_number),
        address: text(|known| &known.address),
        nationality: text(|known| &known.nationality),
        occupation: text(|known| &known.occupation),
        source_of_income: text(|known| &known.source_of_income),
        has_password: changed_at.is_some(),
        password_changed_at: changed_at,
        password_expired: changed_at.is_some_and(|at| ops::is_expired(merchant, at, now))
            || is(|known| known.is_asked_for_password),
        has_payment_password: is(|known| known.has_payment_password),
        two_factor: facts.two_factor,
        to_complete: profile.to_complete,
        language: profile.language,
    }
}

/// Masks a text except for some characters at its ends. Never shows the whole text.
pub(super) fn masked(text: &str, first: usize, last: usize) -> String {
    let count = text.chars().count();
    let (first, last) = if first + last < count { (first, last) } else { (1.min(count / 2), 0) };
    let shows = |index: usize| index < first || index >= count - last;
    text.chars().enumerate().map(|(index, c)| if shows(index) { c } else { '*' }).collect()
}

pub(super) fn masked_email(email: &str) -> String {
    match email.split_once('@') {
        Some((local, host)) => format!("{}@{host}", masked(local, 1, 1)),
        None => masked(email, 1, 1),
    }
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct AffiliateQuery {
    /// The invitation code.
    code: String,
    /// The domain on which the page was opened.
    #[serde(default)]
    domain: Option<String>,
}

#[derive(Serialize, ToSchema)]
struct Affiliate {
    /// The code in upper case.
    code: String,
}

/// Checks whether an invitation code belongs to an agent. Fails with `member.invitation_code` if
/// not.
#[utoipa::path(get, path = "/wps/agent/affiliate/check", tag = "members", params(AffiliateQuery),
    responses((status = 200, body = Envelope<Affiliate>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn check_affiliate(
    OpenMerchant(merchant): OpenMerchant,
    ClientIp(address): ClientIp,
    State(app): State<Members>,
    Query(query): Query<AffiliateQuery>,
) -> Answer<Affiliate> {
    if query.domain.is_some_and(|domain| domain.chars().count() > DOMAIN_MAX) {
        return Err(ApiError::fields([("domain", FieldCode::TooLong.as_str())]));
    }
    let key = format!("{} {}", merchant.id, rate_limit::address_key(address));
    app.rate_limits.take(&mut *app.db.acquire().await?, &CHECKS, &key, app.clock.now()).await?;
    let code = query.code.trim().to_ascii_uppercase();
    let is_code = code.len() <= CODE_MAX && code.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let found = match is_code {
        true => ops::find_agent_by_code(&app, merchant.id, &code).await?,
        false => None,
    };
    match found {
        Some(_) => answer(Affiliate { code }),
        None => Err(ApiError::new(codes::INVITATION_CODE)),
    }
}

/// The routes that need no session. Routes that need one are in the `identity` domain.
pub fn routes() -> OpenApiRouter<Members> {
    OpenApiRouter::new().routes(routes!(check_affiliate))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks_never_show_everything() {
        assert_eq!(masked("+639171234567", 4, 3), "+639******567");
        assert_eq!(masked("+639171", 4, 3), "+******");
        assert_eq!(masked("Juan dela Cruz", 1, 1), "J************z");
        assert_eq!((masked("", 1, 1), masked("J", 1, 1)), (String::new(), "*".to_owned()));
        assert_eq!(masked_email("maria@example.com"), "m***a@example.com");
        assert_eq!(masked_email("m@example.com"), "*@example.com");
        assert_eq!(masked_email("mc@example.com"), "m*@example.com");
    }
}
