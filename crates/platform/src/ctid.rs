//! PostgreSQL's `ctid` as a Rust type, to update a locked row without an index lookup.

use sqlx::encode::IsNull;
use sqlx::error::BoxDynError;
use sqlx::postgres::types::Oid;
use sqlx::postgres::{PgArgumentBuffer, PgHasArrayType, PgTypeInfo, PgValueRef};
use sqlx::{Decode, Encode, Postgres, Type};

/// The `ctid` of a row that the transaction has locked. It stays valid until the transaction
/// updates the row or ends. Kept as the six bytes of PostgreSQL's binary format: parsing its text
/// form would cost more than the index lookup that it saves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ctid([u8; 6]);

/// The OIDs of `tid` and `tid[]`, the same in every PostgreSQL.
const TID: Oid = Oid(27);
const TIDS: Oid = Oid(1010);

impl Type<Postgres> for Ctid {
    fn type_info() -> PgTypeInfo {
        PgTypeInfo::with_oid(TID)
    }
}

impl PgHasArrayType for Ctid {
    fn array_type_info() -> PgTypeInfo {
        PgTypeInfo::with_oid(TIDS)
    }
}

impl Decode<'_, Postgres> for Ctid {
    fn decode(value: PgValueRef<'_>) -> Result<Self, BoxDynError> {
        Ok(Self(value.as_bytes()?.try_into()?))
    }
}

impl Encode<'_, Postgres> for Ctid {
    fn encode_by_ref(&self, buffer: &mut PgArgumentBuffer) -> Result<IsNull, BoxDynError> {
        buffer.extend_from_slice(&self.0);
        Ok(IsNull::No)
    }
}
