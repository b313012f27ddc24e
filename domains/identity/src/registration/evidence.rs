//! Proof that a mobile number in a form belongs to its sender: an SMS code, or an id token of the
//! phone service. It is checked before anything is written, and spent in the transaction that
//! stores the number.

use capiz_rules::names::FieldCode;
use sqlx::PgTransaction;

use crate::Identity;
use crate::codes;
use crate::gates::Visitor;
use crate::phone::{self, VerifiedNumber};
use crate::verify::{self, Destination, Proof, Purpose, Requester};
use members::GivenNumber;
use platform::error::ApiError;
use platform::phone::Mobile;

/// Evidence that was checked and found valid.
pub(crate) enum Evidence {
    /// An SMS code.
    Code(Proof),
    /// An id token of the phone service.
    Service(VerifiedNumber),
}

impl Evidence {
    /// Checks the evidence that came with a number from a device; none if the form needs no
    /// evidence.
    pub(crate) async fn check(
        app: &Identity,
        (visitor, device_hash): (&Visitor, [u8; 32]),
        given: &GivenNumber,
    ) -> Result<Option<Self>, ApiError> {
        if let Some(token) = &given.id_token {
            let verified = phone::verify(app, &visitor.merchant, token).await?;
            return match verified.mobile.e164() == given.mobile {
                true => Ok(Some(Self::Service(verified))),
                false => Err(number_mismatch()),
            };
        }
        let Some(code) = &given.code else { return Ok(None) };
        let mobile = Mobile::from_e164(&given.mobile);
        let mobile = mobile.map_err(|_| ApiError::fields([("mobileNum", "invalid")]))?;
        let to = Destination::Mobile(mobile);
        let request = (Purpose::Register, Requester::Browser(device_hash));
        let proof = verify::check(app, visitor, request, &to, Some(code)).await?;
        Ok(Some(Self::Code(proof)))
    }

    /// Spends the evidence.
    pub(crate) async fn spend(self, tx: &mut PgTransaction<'_>) -> Result<(), ApiError> {
        match self {
            Self::Code(proof) => verify::spend(tx, proof).await,
            Self::Service(verified) => phone::spend(tx, &verified).await,
        }
    }
}

/// The refusal if the phone service verified another number than the one in the form.
fn number_mismatch() -> ApiError {
    let fields = [("mobileNum", FieldCode::Mismatch.as_str(), None)];
    ApiError::new(codes::PHONE_UNVERIFIED).naming(fields)
}
