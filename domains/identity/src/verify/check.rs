//! Checks and spends verification codes.

use sqlx::PgTransaction;
use subtle::ConstantTimeEq;

use super::CodeScope;
use super::Destination;
use super::Purpose;
use super::Requester;
use super::limits;
use super::store;
use crate::Identity;
use crate::codes;
use crate::gates::Visitor;
use crate::human;
use platform::codes::ErrorCode;
use platform::error::ApiError;

/// Attempts per code: wrong, right and repeated ones together.
pub(super) const TRIES: i16 = 5;

/// A right code. It is not spent yet: that happens in the transaction that uses it.
#[must_use = "a code that is not spent can be used again"]
#[derive(Debug)]
pub struct Proof {
    scope: CodeScope,
    code_hash: [u8; 32],
}

/// Checks a code. The attempt counts even if the caller's work fails. The code stays valid until it
/// is spent, so a form with another error can be sent again.
pub async fn check(
    app: &Identity,
    visitor: &Visitor,
    request: (Purpose, Requester),
    destination: &Destination,
    code: Option<&str>,
) -> Result<Proof, ApiError> {
    let code = code.map(str::trim).filter(|code| !code.is_empty());
    let code = code.ok_or_else(|| ApiError::new(codes::VERIFICATION_CODE_MISSING))?;
    let scope = CodeScope::new(app, visitor.merchant.id, request, destination);
    match try_code(app, scope, destination, code).await? {
        Ok(proof) => Ok(proof),
        Err(refused) => {
            human::note_failure(app, visitor).await?;
            Err(ApiError::new(refused))
        }
    }
}

async fn try_code(
    app: &Identity,
    scope: CodeScope,
    destination: &Destination,
    code: &str,
) -> Result<Result<Proof, ErrorCode>, ApiError> {
    let now = app.clock.now();
    let code_hash = scope.code_hash(app, code);
    let mut db = app.db.acquire().await?;
    // Counted before the comparison, so that parallel guesses are limited to five as well.
    let Some(expected) = store::count_try(&mut db, &scope, TRIES, now).await? else {
        let exists = store::has_code(&mut db, &scope).await?;
        return Ok(Err(match exists {
            true => codes::VERIFICATION_CODE_EXPIRED,
            false => codes::VERIFICATION_CODE_INVALID,
        }));
    };
    if !bool::from(code_hash.as_slice().ct_eq(&expected)) {
        return Ok(Err(codes::VERIFICATION_CODE_INVALID));
    }
    limits::note_answer(app, &mut db, (&scope, destination)).await?;
    Ok(Ok(Proof { scope, code_hash }))
}

/// Spends a code in the transaction that uses it. If several requests race with one code, all but
/// one are refused.
pub async fn spend(tx: &mut PgTransaction<'_>, proof: Proof) -> Result<(), ApiError> {
    let is_first = store::delete_code(tx, &proof.scope, &proof.code_hash).await?;
    if is_first { Ok(()) } else { Err(ApiError::new(codes::VERIFICATION_CODE_INVALID)) }
}
