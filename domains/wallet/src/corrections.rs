//! Corrections of a member's balance by staff, with two-person approval.

use capiz_rules::money::Amount;
use futures_util::future::BoxFuture;
use serde::Deserialize;
use serde_json::Value;
use sqlx::{PgConnection, PgTransaction};
use uuid::Uuid;

use super::model::{Account, House, Key, PostError, Posting, Transfer};
use super::ops;
use super::reasons::Reason;
use platform::Core;
use platform::error::ApiError;
use staff::{About, AboutMember, ApprovalKind, RequiredRight};

/// The approval kind of corrections: one person requests it, another one decides.
pub(super) const CORRECTION: ApprovalKind = ApprovalKind {
    kind: "wallet.correct",
    ask: crate::rights::WalletCorrect::RIGHT,
    decide: crate::rights::WalletApprove::RIGHT,
    subject,
    describe,
    execute,
};

/// The request body of a correction.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Correction {
    member_id: Uuid,
    direction: Direction,
    amount: Amount,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Direction {
    /// The member receives the amount.
    Credit,
    /// The amount is taken from the member.
    Debit,
}

impl Direction {
    fn text(self) -> &'static str {
        match self {
            Self::Credit => "credit",
            Self::Debit => "debit",
        }
    }
}

fn parse(request: &Value) -> Result<Correction, ApiError> {
    let correction = Correction::deserialize(request);
    let correction = correction.map_err(|_| ApiError::fields([("what", "pattern")]))?;
    match correction.amount.is_positive() {
        true => Ok(correction),
        false => Err(ApiError::fields([("amount", "pattern")])),
    }
}

fn subject(request: &Value) -> Result<String, ApiError> {
    parse(request).map(|correction| format!("member:{}", correction.member_id))
}

/// Describes the member and the amount of each request.
fn describe<'a>(
    db: &'a mut PgConnection,
    requests: &'a [Value],
) -> BoxFuture<'a, Result<Vec<About>, sqlx::Error>> {
    Box::pin(async move {
        let corrections: Vec<_> = requests.iter().map(|request| parse(request).ok()).collect();
        let ids: Vec<Uuid> = corrections.iter().flatten().map(|found| found.member_id).collect();
        let named = members::list_named(db, &ids).await?;
        let about = |correction: Option<Correction>| {
            let Some(Correction { member_id, direction, amount }) = correction else {
                return About::default();
            };
            let member = named.iter().find(|member| member.member_id == member_id);
            About {
                way: Some(direction.text().to_owned()),
                member: member
                    .map(|member| AboutMember { id: member_id, username: member.account.clone() }),
                amount: Some(amount),
                currency: member.map(|member| member.currency.clone()),
            }
        };
        Ok(corrections.into_iter().map(about).collect())
    })
}

fn execute<'a>(
    app: &'a Core,
    tx: &'a mut PgTransaction<'static>,
    id: Uuid,
    request: &'a Value,
) -> BoxFuture<'a, Result<(), ApiError>> {
    Box::pin(async move {
        let Correction { member_id, direction, amount } = parse(request)?;
        let house = Account::House(House::Corrections);
        let (debit, credit) = match direction {
            Direction::Credit => (house, Account::Main),
            Direction::Debit => (Account::Main, house),
        };
        let posting = Posting {
            holder_id: member_id,
            key: Key::new(format!("capiz:correction:{id}"), "wallet.correct", &request.to_string()),
            reference: id,
            transfers: vec![Transfer::new(debit, credit, amount, Reason::Correction)],
        };
        match ops::post_one(tx, posting, app.clock.now()).await {
            Ok(_) => Ok(()),
            Err(PostError::NoHolder) => Err(ApiError::new(staff::codes::NO_MEMBER)),
            Err(error) => Err(error.into()),
        }
    })
}
