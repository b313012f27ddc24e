//! Bulk inserts: appends many rows to a table in one statement, with an array per column.

use std::borrow::Cow;

use chrono::{DateTime, Utc};
use sqlx::{AssertSqlSafe, PgConnection, Postgres, query::Query};
use uuid::Uuid;

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
    pub async fn insert(self, db: &mut PgConnection) -> Result<(), sqlx::Error> {
        if self.rows == 0 {
            return Ok(());
        }
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

    fn names(&self) -> String {
        let names: Vec<_> = self.columns.iter().map(|(name, _)| *name).collect();
        names.join(", ")
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
}
