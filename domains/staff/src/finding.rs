//! Module hooks for the back office: finders for its search palette, and display names for the ids
//! in its audit log.

use std::collections::HashMap;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::model::StaffSession;
use super::rights::Right;
use platform::error::ApiError;

/// A search result of the palette.
#[derive(Serialize, ToSchema)]
pub struct FoundThing {
    /// `member`, `round`, `transfer` or `approval`.
    pub kind: &'static str,
    /// The id; for a transfer, the id of its member.
    pub id: Uuid,
    /// The sequence number, for a transfer.
    #[schema(required)]
    pub seq: Option<i64>,
    /// The name to show.
    pub label: String,
    /// Further details, to tell results with the same name apart.
    pub more: String,
}

impl FoundThing {
    /// A result with an id of its own.
    pub fn new(kind: &'static str, id: Uuid, label: String, more: String) -> Self {
        Self { kind, id, seq: None, label, more }
    }
}

type FoundThings<'a> = BoxFuture<'a, Result<Vec<FoundThing>, ApiError>>;
type Find = dyn for<'a> Fn(&'a StaffSession, &'a str) -> FoundThings<'a> + Send + Sync;

/// Module hook: finds things for the search palette, within the person's rights.
#[derive(Clone)]
pub struct Finder(Arc<Find>);

impl Finder {
    /// Makes a finder from a function.
    pub fn new(
        find: impl for<'a> Fn(&'a StaffSession, &'a str) -> FoundThings<'a> + Send + Sync + 'static,
    ) -> Self {
        Self(Arc::new(find))
    }

    /// The results for a search text.
    pub async fn find(
        &self,
        person: &StaffSession,
        text: &str,
    ) -> Result<Vec<FoundThing>, ApiError> {
        (self.0)(person, text).await
    }
}

type FoundNames<'a> = BoxFuture<'a, Result<HashMap<String, String>, ApiError>>;
type Name = dyn for<'a> Fn(&'a [&'a str]) -> FoundNames<'a> + Send + Sync;

/// Module hook: looks up the display names of subjects in the audit log, which stores only ids.
#[derive(Clone)]
pub struct Names {
    /// The kind of subject: the part before the colon.
    pub kind: &'static str,
    /// The right to see the names; without it, the right to read the audit log is enough.
    pub right: Option<Right>,
    find: Arc<Name>,
}

impl Names {
    /// Makes a name lookup for one kind of subjects from a function.
    pub fn new(
        kind: &'static str,
        right: Option<Right>,
        find: impl for<'a> Fn(&'a [&'a str]) -> FoundNames<'a> + Send + Sync + 'static,
    ) -> Self {
        Self { kind, right, find: Arc::new(find) }
    }

    /// The names by id; ids are the part of the subjects after the colon.
    pub async fn find(&self, ids: &[&str]) -> Result<HashMap<String, String>, ApiError> {
        (self.find)(ids).await
    }
}

/// The texts that are valid UUIDs.
pub fn ids_of(texts: &[&str]) -> Vec<Uuid> {
    texts.iter().filter_map(|text| text.parse().ok()).collect()
}
