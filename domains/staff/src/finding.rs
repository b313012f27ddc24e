//! What domains bring to the office's palette and trail: they find things by what somebody types, and
//! tell the names behind ids. Both are hooks of a domain's module.

use std::collections::HashMap;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::model::OnDuty;
use super::rights::Right;
use platform::error::ApiError;

/// Something that was found.
#[derive(Serialize, ToSchema)]
pub struct FoundThing {
    /// `member`, `round`, `transfer` or `approval`.
    pub kind: &'static str,
    /// Its id; of a transfer its member.
    pub id: Uuid,
    /// The transfer's number in the member's record.
    #[schema(required)]
    pub seq: Option<i64>,
    /// What it is called.
    pub label: String,
    /// What tells it apart from others that are called alike.
    pub more: String,
}

impl FoundThing {
    /// Something with an id of its own.
    pub fn new(kind: &'static str, id: Uuid, label: String, more: String) -> Self {
        Self { kind, id, seq: None, label, more }
    }
}

type FoundThings<'a> = BoxFuture<'a, Result<Vec<FoundThing>, ApiError>>;
type Find = dyn for<'a> Fn(&'a OnDuty, &'a str) -> FoundThings<'a> + Send + Sync;

/// Finds things by what somebody types into the palette, as far as their rights go: a hook.
#[derive(Clone)]
pub struct Finder(Arc<Find>);

impl Finder {
    /// A finder.
    pub fn new(
        find: impl for<'a> Fn(&'a OnDuty, &'a str) -> FoundThings<'a> + Send + Sync + 'static,
    ) -> Self {
        Self(Arc::new(find))
    }

    /// What fits a text.
    pub async fn find(&self, person: &OnDuty, text: &str) -> Result<Vec<FoundThing>, ApiError> {
        (self.0)(person, text).await
    }
}

type FoundNames<'a> = BoxFuture<'a, Result<HashMap<String, String>, ApiError>>;
type Name = dyn for<'a> Fn(&'a [&'a str]) -> FoundNames<'a> + Send + Sync;

/// Tells the names of what rows of the trail are about, which keep ids: a hook.
#[derive(Clone)]
pub struct Names {
    /// What stands before the colon of a subject.
    pub kind: &'static str,
    /// Who may know them; everybody who reads the trail without it.
    pub right: Option<Right>,
    find: Arc<Name>,
}

impl Names {
    /// The names of one kind of subjects.
    pub fn new(
        kind: &'static str,
        right: Option<Right>,
        find: impl for<'a> Fn(&'a [&'a str]) -> FoundNames<'a> + Send + Sync + 'static,
    ) -> Self {
        Self { kind, right, find: Arc::new(find) }
    }

    /// The names of some, each by what stands behind the colon.
    pub async fn find(&self, ids: &[&str]) -> Result<HashMap<String, String>, ApiError> {
        (self.find)(ids).await
    }
}

/// The ids among texts that may be something else.
pub fn ids_of(texts: &[&str]) -> Vec<Uuid> {
    texts.iter().filter_map(|text| text.parse().ok()).collect()
}
