//! What shows that the mobile number in a form is its owner's: a code that was sent there, or the
//! word of the phone service. It is checked before anything is written, and spent in the
//! transaction that writes the number down.

use capiz_rules::names::FieldCode;
use sqlx::PgTransaction;

use crate::Identity;
use crate::codes;
use crate::gates::Visitor;
use crate::phone::{self, VerifiedNumber};
use crate::verify::{self, Asker, Destination, Proof, Purpose};
use members::GivenNumber;
use platform::error::ApiError;
use platform::phone::Mobile;

/// Evidence that is good.
pub(crate) enum Evidence {
    /// A code that was sent there.
    Code(Proof),
    /// The word of the phone service.
    Service(VerifiedNumber),
}

impl Evidence {
    /// Checks what came with a number, from a device; none where nothing was asked for.
    pub(crate) async fn check(
        app: &Identity,
        (visitor, device_hash): (&Visitor, [u8; 32]),
        given: &GivenNumber,
    ) -> Result<Option<Self>, ApiError> {
        if let Some(token) = &given.id_token {
            let verified = phone::verify(app, &visitor.merchant, token).await?;
            return match verified.mobile.e164() == given.mobile {
                true => Ok(Some(Self::Service(verified))),
                false => Err(another_number()),
            };
        }
        let Some(code) = &given.code else { return Ok(None) };
        let mobile = Mobile::from_e164(&given.mobile);
        let mobile = mobile.map_err(|_| ApiError::fields([("mobileNum", "invalid")]))?;
        let to = Destination::Mobile(mobile);
        let wanted = (Purpose::Register, Asker::Browser(device_hash));
        let proof = verify::check(app, visitor, wanted, &to, Some(code)).await?;
        Ok(Some(Self::Code(proof)))
    }

    /// Uses it up.
    pub(crate) async fn spend(self, tx: &mut PgTransaction<'_>) -> Result<(), ApiError> {
        match self {
            Self::Code(proof) => verify::spend(tx, proof).await,
            Self::Service(verified) => phone::spend(tx, &verified).await,
        }
    }
}

/// The phone service vouches for another number than the form has.
fn another_number() -> ApiError {
    let named = [("mobileNum", FieldCode::Mismatch.as_str(), None)];
    ApiError::new(codes::PHONE_UNVERIFIED).naming(named)
}
