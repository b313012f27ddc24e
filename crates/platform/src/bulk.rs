//! Bulk inserts: appends many rows to a table in one statement.

use std::borrow::Cow;

use chrono::{DateTime, Utc};
use sqlx::{AssertSqlSafe, PgConnection, Postgres, query::Query};
use uuid::Uuid;

/// How the rows are sent to PostgreSQL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InsertMethod {
    /// With `copy`: a quarter less work for PostgreSQL, which then writes a page at a time. Only
    /// over a Unix socket: the driver sends the end of the copy as a packet of its own, which TCP
    /// (Nagle and delayed ACK) would hold back for 40 ms.
    Copy,
    /// As one `insert` with an array per column.
    Arrays,
}

impl InsertMethod {
    /// The best method for a connection.
    pub async fn of(db: &mut PgConnection) -> Result<Self, sqlx::Error> {
        let is_local = sqlx::query_scalar!(r#"select inet_server_addr() is null as "local!""#)
            .fetch_one(db)
            .await?;
        Ok(if is_local { Self::Copy } else { Self::Arrays })
    }
}

/// The text of a cell. Most are constants, so they are borrowed.
pub type Text = Cow<'static, str>;

enum Cells {
    Uuids(Vec<Uuid>),
    Numbers(Vec<Option<i64>>),
    Times(Vec<DateTime<Utc>>),
    Texts(Vec<Option<Text>>),
    Json(Vec<String>),
    Hashes(Vec<Option<[u8; 32]>>),
}

/// Rows to be inserted, column by column.
pub struct Bulk {
    table: &'static str,
    rows: usize,
    columns: Vec<(&'static str, Cells)>,
}

impl Bulk {
    /// A bulk insert of `rows` rows into a table.
    pub fn new(table: &'static str, rows: usize) -> Self {
        Self { table, rows, columns: Vec::with_capacity(16) }
    }

    fn column(mut self, name: &'static str, length: usize, cells: Cells) -> Self {
        assert_eq!(length, self.rows, "every column has a cell for every row");
        self.columns.push((name, cells));
        self
    }

    /// Adds a column of ids.
    #[must_use]
    pub fn uuids(self, name: &'static str, cells: impl Iterator<Item = Uuid>) -> Self {
        let cells: Vec<_> = cells.collect();
        self.column(name, cells.len(), Cells::Uuids(cells))
    }

    /// Adds a column of numbers, some of which may be null.
    #[must_use]
    pub fn numbers<N: Into<Option<i64>>>(
        self,
        name: &'static str,
        cells: impl Iterator<Item = N>,
    ) -> Self {
        let cells: Vec<_> = cells.map(Into::into).collect();
        self.column(name, cells.len(), Cells::Numbers(cells))
    }

    /// Adds a column of times.
    #[must_use]
    pub fn times(self, name: &'static str, cells: impl Iterator<Item = DateTime<Utc>>) -> Self {
        let cells: Vec<_> = cells.collect();
        self.column(name, cells.len(), Cells::Times(cells))
    }

    /// Adds a column of texts, some of which may be null.
    #[must_use]
    pub fn texts<T: Into<Option<Text>>>(
        self,
        name: &'static str,
        cells: impl Iterator<Item = T>,
    ) -> Self {
        let cells: Vec<_> = cells.map(Into::into).collect();
        self.column(name, cells.len(), Cells::Texts(cells))
    }

    /// Adds a column of the type `json`.
    #[must_use]
    pub fn json(self, name: &'static str, cells: impl Iterator<Item = String>) -> Self {
        let cells: Vec<_> = cells.collect();
        self.column(name, cells.len(), Cells::Json(cells))
    }

    /// Adds a column of hashes, some of which may be null.
    #[must_use]
    pub fn hashes<H: Into<Option<[u8; 32]>>>(
        self,
        name: &'static str,
        cells: impl Iterator<Item = H>,
    ) -> Self {
        let cells: Vec<_> = cells.map(Into::into).collect();
        self.column(name, cells.len(), Cells::Hashes(cells))
    }

    /// Inserts the rows.
    pub async fn append(
        self,
        db: &mut PgConnection,
        method: InsertMethod,
    ) -> Result<(), sqlx::Error> {
        if self.rows == 0 {
            return Ok(());
        }
        match method {
            InsertMethod::Copy => self.copy(db).await,
            InsertMethod::Arrays => self.insert(db).await,
        }
    }

    fn names(&self) -> String {
        let names: Vec<_> = self.columns.iter().map(|(name, _)| *name).collect();
        names.join(", ")
    }

    async fn copy(self, db: &mut PgConnection) -> Result<(), sqlx::Error> {
        let sql = format!("copy {} ({}) from stdin (format binary)", self.table, self.names());
        let mut copy = db.copy_in_raw(&sql).await?;
        copy.send(self.binary()).await?;
        copy.finish().await.map(drop)
    }

    /// The binary `copy` format: a header, then for each row the number of its cells, and each cell
    /// with its length.
    fn binary(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(64 + self.rows * self.columns.len() * 24);
        bytes.extend_from_slice(b"PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0");
        let width = u16::try_from(self.columns.len()).unwrap_or(u16::MAX);
        for row in 0..self.rows {
            bytes.extend_from_slice(&width.to_be_bytes());
            for (_, cells) in &self.columns {
                cells.write(row, &mut bytes);
            }
        }
        bytes.extend_from_slice(&[0xff, 0xff]);
        bytes
    }

    async fn insert(self, db: &mut PgConnection) -> Result<(), sqlx::Error> {
        let types = self.columns.iter().enumerate();
        let types: Vec<_> = types
            .map(|(index, (_, cells))| format!("${}::{}[]", index + 1, cells.type_name()))
            .collect();
        let cells: Vec<_> = self.columns.iter().map(|(name, cells)| cells.cast(name)).collect();
        let sql = format!(
            "insert into {} ({names}) select {} from unnest({}) as rows ({names})",
            self.table,
            cells.join(", "),
            types.join(", "),
            names = self.names(),
        );
        let mut query = sqlx::query(AssertSqlSafe(sql));
        for (_, cells) in self.columns {
            query = cells.bind(query);
        }
        query.execute(db).await.map(drop)
    }
}

type PgQuery<'a> = Query<'a, Postgres, sqlx::postgres::PgArguments>;

impl Cells {
    fn type_name(&self) -> &'static str {
        match self {
            Self::Uuids(_) => "uuid",
            Self::Numbers(_) => "bigint",
            Self::Times(_) => "timestamptz",
            Self::Texts(_) | Self::Json(_) => "text",
            Self::Hashes(_) => "bytea",
        }
    }

    fn cast(&self, name: &str) -> String {
        match self {
            Self::Json(_) => format!("{name}::json"),
            _ => name.to_owned(),
        }
    }

    fn bind(self, query: PgQuery<'_>) -> PgQuery<'_> {
        match self {
            Self::Uuids(cells) => query.bind(cells),
            Self::Numbers(cells) => query.bind(cells),
            Self::Times(cells) => query.bind(cells),
            Self::Texts(cells) => query
                .bind(cells.into_iter().map(|cell| cell.map(Cow::into_owned)).collect::<Vec<_>>()),
            Self::Json(cells) => query.bind(cells),
            Self::Hashes(cells) => {
                query.bind(cells.into_iter().map(|cell| cell.map(Vec::from)).collect::<Vec<_>>())
            }
        }
    }

    fn write(&self, row: usize, bytes: &mut Vec<u8>) {
        match self {
            Self::Uuids(cells) => write(bytes, Some(cells[row].as_bytes())),
            Self::Numbers(cells) => {
                write(bytes, cells[row].map(i64::to_be_bytes).as_ref().map(<[u8; 8]>::as_slice));
            }
            Self::Times(cells) => {
                let micros = cells[row].timestamp_micros() - POSTGRES_EPOCH_MICROS;
                write(bytes, Some(&micros.to_be_bytes()));
            }
            Self::Texts(cells) => write(bytes, cells[row].as_deref().map(str::as_bytes)),
            Self::Json(cells) => write(bytes, Some(cells[row].as_bytes())),
            Self::Hashes(cells) => {
                write(bytes, cells[row].as_ref().map(<[u8; 32]>::as_slice));
            }
        }
    }
}

/// 2000-01-01, the epoch of PostgreSQL timestamps.
const POSTGRES_EPOCH_MICROS: i64 = 946_684_800_000_000;

/// Writes a cell: its length and bytes, or -1 for null.
fn write(bytes: &mut Vec<u8>, cell: Option<&[u8]>) {
    let length = cell.map_or(-1, |cell| i32::try_from(cell.len()).unwrap_or(i32::MAX));
    bytes.extend_from_slice(&length.to_be_bytes());
    bytes.extend_from_slice(cell.unwrap_or_default());
}
