//! Using a code.

use sqlx::PgTransaction;
use subtle::ConstantTimeEq;

use super::Asker;
use super::Destination;
use super::Place;
use super::Purpose;
use super::limits;
use super::store;
use crate::Identity;
use crate::codes;
use crate::gates::Visitor;
use crate::human;
use platform::codes::ErrorCode;
use platform::error::ApiError;

/// Wrong guesses, right ones and repetitions together.
pub(super) const TRIES: i16 = 5;

/// A code was right. It is not spent yet: that happens in the transaction that it is good for.
#[must_use = "a code that is not spent can be used again"]
#[derive(Debug)]
pub struct Proof {
    place: Place,
    code_hash: [u8; 32],
}

/// Checks a code. The try counts whatever becomes of the caller's work, and the code stays alive
/// until it is spent, so that a form with another mistake can be sent again.
pub async fn check(
    app: &Identity,
    visitor: &Visitor,
    wanted: (Purpose, Asker),
    destination: &Destination,
    code: Option<&str>,
) -> Result<Proof, ApiError> {
    let code = code.map(str::trim).filter(|code| !code.is_empty());
    let code = code.ok_or_else(|| ApiError::new(codes::VERIFICATION_CODE_MISSING))?;
    let place = Place::new(app, visitor.merchant.id, wanted, destination);
    match try_code(app, place, destination, code).await? {
        Ok(proof) => Ok(proof),
        Err(refused) => {
            human::note_failure(app, visitor).await?;
            Err(ApiError::new(refused))
        }
    }
}

async fn try_code(
    app: &Identity,
    place: Place,
    destination: &Destination,
    code: &str,
) -> Result<Result<Proof, ErrorCode>, ApiError> {
    let now = app.clock.now();
    let code_hash = place.code_hash(app, code);
    let mut db = app.db.acquire().await?;
    // Counted before it is compared, so that a thousand guesses at once are still five.
    let Some(wanted) = store::count_try(&mut db, &place, TRIES, now).await? else {
        let is_over = store::has_code(&mut db, &place).await?;
        return Ok(Err(match is_over {
            true => codes::VERIFICATION_CODE_EXPIRED,
            false => codes::VERIFICATION_CODE_INVALID,
        }));
    };
    if !bool::from(code_hash.as_slice().ct_eq(&wanted)) {
        return Ok(Err(codes::VERIFICATION_CODE_INVALID));
    }
    limits::note_answer(app, &mut db, (&place, destination)).await?;
    Ok(Ok(Proof { place, code_hash }))
}

/// Spends a code in the transaction that it is good for. Of several who race with one code all
/// but one are refused.
pub async fn spend(tx: &mut PgTransaction<'_>, proof: Proof) -> Result<(), ApiError> {
    let is_first = store::delete_code(tx, &proof.place, &proof.code_hash).await?;
    if is_first { Ok(()) } else { Err(ApiError::new(codes::VERIFICATION_CODE_INVALID)) }
}
