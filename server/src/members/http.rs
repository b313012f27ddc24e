//! How a member looks on the wire.

use chrono::{DateTime, Utc};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::model::{MemberKind, Profile};

/// Member info.
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
    /// The log-in before this one.
    last_login_at: Option<DateTime<Utc>>,
}

/// A profile for the wire.
pub fn info_of(profile: Profile, last_login_at: Option<DateTime<Utc>>) -> MemberInfo {
    MemberInfo {
        id: profile.id,
        account: profile.account,
        nickname: profile.nickname,
        kind: profile.kind.number(),
        is_agent: matches!(profile.kind, MemberKind::Agent(_)),
        is_trial: profile.kind == MemberKind::Trial,
        currency: profile.currency.code().to_owned(),
        registered_at: profile.registered_at,
        last_login_at,
    }
}
