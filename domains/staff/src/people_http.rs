//! People and roles on the wire.

use axum::extract::State;
use axum::response::Response;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use super::http::Allowed;
use super::model::{NewcomerSecrets, Person};
use super::people::{self, Card};
use super::proof_http::Proved;
use super::rights::{RolesWrite, StaffRead, StaffWrite};
use super::store::{self, RoleRow};
use crate::Staff;
use platform::csv::Csv;
use platform::error::{Answer, ApiError, Envelope, Refusal, answer};
use platform::extract::{Json, Path};

/// The most people that a list shows.
const PEOPLE_MAX: i64 = 500;

/// Somebody who works here.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PersonView {
    id: Uuid,
    username: String,
    name: String,
    roles: Vec<String>,
    is_active: bool,
    created_at: DateTime<Utc>,
    last_login_at: Option<DateTime<Utc>>,
}

impl From<Person> for PersonView {
    fn from(person: Person) -> Self {
        Self {
            id: person.id,
            username: person.username,
            name: person.name,
            roles: person.roles,
            is_active: person.is_active,
            created_at: person.created_at,
            last_login_at: person.last_login_at,
        }
    }
}

/// Who works here, by username; at most 500.
#[utoipa::path(get, path = "/office/api/staff", tag = "staff", operation_id = "staff_list",
    security(("office" = ["staff.read"])),
    responses((status = 200, body = Envelope<Vec<PersonView>>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn list(_: Allowed<StaffRead>, State(app): State<Staff>) -> Answer<Vec<PersonView>> {
    let people = store::list_people(&app.db, PEOPLE_MAX).await?;
    answer(people.into_iter().map(PersonView::from).collect())
}

/// Which people.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct FindPeople {
    /// A part of the name or of the username.
    text: Option<String>,
    /// One of their roles.
    role: Option<String>,
    /// `active` or `closed`; all without it.
    state: Option<String>,
}

impl FindPeople {
    fn check(&self) -> Result<(), ApiError> {
        match self.state.as_deref() {
            None | Some("" | "active" | "closed") => Ok(()),
            Some(_) => Err(ApiError::fields([("state", "unknown")])),
        }
    }

    fn fits(&self, person: &Person) -> bool {
        let wanted = self.text.as_deref().unwrap_or_default().trim().to_lowercase();
        let is_named = [&person.name, &person.username]
            .iter()
            .any(|name| name.to_lowercase().contains(&wanted));
        let role = self.role.as_ref().filter(|role| !role.is_empty());
        let is_in_state = match self.state.as_deref() {
            Some("active") => person.is_active,
            Some("closed") => !person.is_active,
            _ => true,
        };
        is_named && is_in_state && role.is_none_or(|role| person.roles.contains(role))
    }
}

/// The people as a file; that it was taken stands in the trail.
#[utoipa::path(post, path = "/office/api/staff/export", tag = "staff", operation_id = "staff_export", request_body = FindPeople,
    security(("office" = ["staff.read"])),
    responses((status = 200, content_type = "text/csv", body = String),
        (status = "4XX", body = Refusal), (status = "5XX", body = Refusal)))]
async fn export(
    Allowed(person, ..): Allowed<StaffRead>,
    State(app): State<Staff>,
    Json(wanted): Json<FindPeople>,
) -> Result<Response, ApiError> {
    wanted.check()?;
    let people = store::list_people(&app.db, PEOPLE_MAX).await?;
    people::note_export(&app, person.actor()).await?;
    let mut file = Csv::new(&["username", "name", "roles", "active", "added", "last login"]);
    for person in people.iter().filter(|person| wanted.fits(person)) {
        file.line(&[
            &person.username,
            &person.name,
            &person.roles.join(" "),
            &person.is_active.to_string(),
            &person.created_at.to_rfc3339(),
            &person.last_login_at.map(|at| at.to_rfc3339()).unwrap_or_default(),
        ]);
    }
    Ok(file.answer("people"))
}

/// Somebody to be added.
#[derive(Deserialize, ToSchema)]
struct AddPerson {
    /// 3 to 32 letters, digits, dots, dashes and underscores.
    username: String,
    name: String,
    roles: Vec<String>,
    /// Why; it stands in the trail.
    reason: String,
}

/// What somebody needs to log in. Shown once.
#[derive(Serialize, ToSchema)]
struct SecretsView {
    id: Uuid,
    password: String,
    /// The authenticator's secret, for typing.
    secret: String,
    /// The same for the authenticator's camera.
    url: String,
}

impl SecretsView {
    fn new(id: Uuid, secrets: NewcomerSecrets) -> Self {
        let NewcomerSecrets { password, secret, url } = secrets;
        Self { id, password, secret, url }
    }
}

/// Adds somebody.
#[utoipa::path(post, path = "/office/api/staff", tag = "staff", operation_id = "staff_add", request_body = AddPerson,
    security(("office" = ["staff.write"], "office_proof" = [])),
    responses((status = 200, body = Envelope<SecretsView>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn add(
    Proved(person, ..): Proved<StaffWrite>,
    State(app): State<Staff>,
    Json(body): Json<AddPerson>,
) -> Answer<SecretsView> {
    let AddPerson { username, name, roles, reason } = body;
    let card = Card { name, roles, is_active: true, reason };
    let (id, secrets) = people::add(&app, person.actor(), username, card).await?;
    answer(SecretsView::new(id, secrets))
}

/// How somebody's account shall be.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ChangePerson {
    name: String,
    roles: Vec<String>,
    is_active: bool,
    /// Why; it stands in the trail.
    reason: String,
}

/// Changes somebody else's account.
#[utoipa::path(put, path = "/office/api/staff/{id}", tag = "staff", operation_id = "staff_change", request_body = ChangePerson,
    params(("id" = Uuid, Path)), security(("office" = ["staff.write"], "office_proof" = [])),
    responses((status = 200, body = Envelope<PersonView>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn change(
    Proved(person, ..): Proved<StaffWrite>,
    State(app): State<Staff>,
    Path(id): Path<Uuid>,
    Json(body): Json<ChangePerson>,
) -> Answer<PersonView> {
    let ChangePerson { name, roles, is_active, reason } = body;
    let card = Card { name, roles, is_active, reason };
    answer(people::change(&app, &person, id, card).await?.into())
}

/// Why something is done.
#[derive(Deserialize, ToSchema)]
pub(super) struct Why {
    /// It stands in the trail.
    pub(super) reason: String,
}

/// Gives somebody else a new password and a new authenticator secret.
#[utoipa::path(post, path = "/office/api/staff/{id}/reset", tag = "staff", operation_id = "staff_reset", request_body = Why,
    params(("id" = Uuid, Path)), security(("office" = ["staff.write"], "office_proof" = [])),
    responses((status = 200, body = Envelope<SecretsView>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn reset(
    Proved(person, ..): Proved<StaffWrite>,
    State(app): State<Staff>,
    Path(id): Path<Uuid>,
    Json(body): Json<Why>,
) -> Answer<SecretsView> {
    let secrets = people::reset(&app, &person, id, body.reason).await?;
    answer(SecretsView::new(id, secrets))
}

/// A role, and what it may do.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct RoleView {
    name: String,
    /// Also what comes later; such a role cannot be changed.
    has_all: bool,
    rights: Vec<String>,
}

impl From<RoleRow> for RoleView {
    fn from(RoleRow { name, has_all, rights }: RoleRow) -> Self {
        Self { name, has_all, rights }
    }
}

/// The roles.
#[utoipa::path(get, path = "/office/api/roles", tag = "staff", operation_id = "staff_list_roles",
    security(("office" = ["staff.read"])),
    responses((status = 200, body = Envelope<Vec<RoleView>>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn list_roles(_: Allowed<StaffRead>, State(app): State<Staff>) -> Answer<Vec<RoleView>> {
    let roles = store::list_roles(&mut *app.db.acquire().await?).await?;
    answer(roles.into_iter().map(RoleView::from).collect())
}

/// What a role shall be allowed.
#[derive(Deserialize, ToSchema)]
struct ChangeRole {
    /// As `domain.action`.
    rights: Vec<String>,
    /// Why; it stands in the trail.
    reason: String,
}

/// Changes a role that one does not have oneself.
#[utoipa::path(put, path = "/office/api/roles/{name}", tag = "staff", operation_id = "staff_change_role", request_body = ChangeRole,
    params(("name" = String, Path)), security(("office" = ["roles.write"], "office_proof" = [])),
    responses((status = 200, body = Envelope<RoleView>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn change_role(
    Proved(person, ..): Proved<RolesWrite>,
    State(app): State<Staff>,
    Path(name): Path<String>,
    Json(body): Json<ChangeRole>,
) -> Answer<RoleView> {
    answer(people::change_role(&app, &person, name, body.rights, body.reason).await?.into())
}

pub(super) fn routes() -> OpenApiRouter<Staff> {
    OpenApiRouter::new()
        .routes(routes!(list, add))
        .routes(routes!(export))
        .routes(routes!(change))
        .routes(routes!(reset))
        .routes(routes!(list_roles))
        .routes(routes!(change_role))
}
