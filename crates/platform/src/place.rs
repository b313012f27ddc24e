//! Where a version of a row lies.

use sqlx::encode::IsNull;
use sqlx::error::BoxDynError;
use sqlx::postgres::types::Oid;
use sqlx::postgres::{PgArgumentBuffer, PgHasArrayType, PgTypeInfo, PgValueRef};
use sqlx::{Decode, Encode, Postgres, Type};

/// The `ctid` of a row that the transaction has locked: it stays until the transaction changes
/// the row or ends, so that an update finds the row without an index. In the six bytes that
/// PostgreSQL sends: its text would cost more than it saves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place([u8; 6]);

/// `tid` and `tid[]`, whose numbers are fixed in every PostgreSQL.
const TID: Oid = Oid(27);
const TIDS: Oid = Oid(1010);

impl Type<Postgres> for Place {
    fn type_info() -> PgTypeInfo {
        PgTypeInfo::with_oid(TID)
    }
}

impl PgHasArrayType for Place {
    fn array_type_info() -> PgTypeInfo {
        PgTypeInfo::with_oid(TIDS)
    }
}

impl Decode<'_, Postgres> for Place {
    fn decode(value: PgValueRef<'_>) -> Result<Self, BoxDynError> {
        Ok(Self(value.as_bytes()?.try_into()?))
    }
}

impl Encode<'_, Postgres> for Place {
    fn encode_by_ref(&self, buffer: &mut PgArgumentBuffer) -> Result<IsNull, BoxDynError> {
        buffer.extend_from_slice(&self.0);
        Ok(IsNull::No)
    }
}
