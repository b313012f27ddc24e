//! SQL for uploaded files.

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool, PgTransaction};

/// Files are stored in parts of this size, so that a download reads one part at a time.
const PART_BYTES: usize = 1024 * 1024;

/// A stored file without its content.
pub(super) struct File {
    pub(super) kind: String,
    pub(super) name: String,
    pub(super) bytes: i64,
}

pub(super) async fn find(db: &PgPool, hash: &str) -> Result<Option<File>, sqlx::Error> {
    sqlx::query_as!(File, "select kind, name, bytes from site_files where hash = $1", hash)
        .fetch_optional(db)
        .await
}

/// One part of a file, counted from 0; `None` after the last.
pub(super) async fn find_part(
    db: &PgPool,
    hash: &str,
    part: i32,
) -> Result<Option<Vec<u8>>, sqlx::Error> {
    let content = sqlx::query_scalar!(
        "select content from site_file_parts where hash = $1 and part = $2",
        hash,
        part,
    );
    content.fetch_optional(db).await
}

/// The size of all files in bytes.
pub(super) async fn total(db: &mut PgConnection) -> Result<i64, sqlx::Error> {
    let total = sqlx::query_scalar!(
        r#"select coalesce(sum(bytes), 0)::bigint as "total!" from site_files"#
    );
    total.fetch_one(db).await
}

/// A file to store.
pub(super) struct NewFile<'a> {
    pub(super) hash: &'a str,
    pub(super) kind: &'a str,
    pub(super) name: &'a str,
    pub(super) content: &'a [u8],
    pub(super) uploaded_by: &'a str,
    pub(super) now: DateTime<Utc>,
}

/// Stores a file. Gives false if a file with the same hash is stored already.
pub(super) async fn insert(
    tx: &mut PgTransaction<'_>,
    file: &NewFile<'_>,
) -> Result<bool, sqlx::Error> {
    let bytes = i64::try_from(file.content.len()).unwrap_or(i64::MAX);
    let inserted = sqlx::query!(
        "insert into site_files (hash, kind, name, bytes, uploaded_by, uploaded_at)
         values ($1, $2, $3, $4, $5, $6) on conflict do nothing",
        file.hash,
        file.kind,
        file.name,
        bytes,
        file.uploaded_by,
        file.now,
    )
    .execute(&mut **tx)
    .await?;
    if inserted.rows_affected() == 0 {
        return Ok(false);
    }
    for (part, content) in (0i32..).zip(file.content.chunks(PART_BYTES)) {
        sqlx::query!(
            "insert into site_file_parts (hash, part, content) values ($1, $2, $3)",
            file.hash,
            part,
            content,
        )
        .execute(&mut **tx)
        .await?;
    }
    Ok(true)
}
