//! The API of staff accounts and roles.

use axum::extract::State;
use axum::response::Response;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use super::http::Allowed;
use super::model::{InitialSecrets, Person};
use super::people::{self, PersonInput};
use super::reauthentication_http::RecentlyAuthenticated;
use super::rights::{RolesWrite, StaffRead, StaffWrite};
use super::store::{self, RoleRow};
use crate::Staff;
use platform::csv::Csv;
use platform::error::{Answer, ApiError, Envelope, Refusal, answer};
use platform::extract::{Json, Path};

/// The most staff accounts that a list returns.
const PEOPLE_MAX: i64 = 500;

/// A staff account.
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

/// Lists the staff accounts by username; at most 500.
#[utoipa::path(get, path = "/office/api/staff", tag = "staff", operation_id = "staff_list",
    security(("office" = ["staff.read"])),
    responses((status = 200, body = Envelope<Vec<PersonView>>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn list(_: Allowed<StaffRead>, State(app): State<Staff>) -> Answer<Vec<PersonView>> {
    let people = store::list_people(&app.db, PEOPLE_MAX).await?;
    answer(people.into_iter().map(PersonView::from).collect())
}

/// The filter of an export of staff accounts.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct FindPeople {
    /// Part of the name or username.
    text: Option<String>,
    /// Only staff with this role.
    role: Option<String>,
    /// `active` or `closed`; all if absent.
    state: Option<String>,
}

impl FindPeople {
    fn check(&self) -> Result<(), ApiError> {
        match self.state.as_deref() {
            None | Some("" | "active" | "closed") => Ok(()),
            Some(_) => Err(ApiError::fields([("state", "unknown")])),
        }
    }

    fn matches(&self, person: &Person) -> bool {
        let text = self.text.as_deref().unwrap_or_default().trim().to_lowercase();
        let is_named =
            [&person.name, &person.username].iter().any(|name| name.to_lowercase().contains(&text));
        let role = self.role.as_ref().filter(|role| !role.is_empty());
        let is_in_state = match self.state.as_deref() {
            Some("active") => person.is_active,
            Some("closed") => !person.is_active,
            _ => true,
        };
        is_named && is_in_state && role.is_none_or(|role| person.roles.contains(role))
    }
}

/// Exports staff accounts as a CSV file. The export is recorded in the audit log.
#[utoipa::path(post, path = "/office/api/staff/export", tag = "staff", operation_id = "staff_export", request_body = FindPeople,
    security(("office" = ["staff.read"])),
    responses((status = 200, content_type = "text/csv", body = String),
        (status = "4XX", body = Refusal), (status = "5XX", body = Refusal)))]
async fn export(
    Allowed(person, ..): Allowed<StaffRead>,
    State(app): State<Staff>,
    Json(filter): Json<FindPeople>,
) -> Result<Response, ApiError> {
    filter.check()?;
    let people = store::list_people(&app.db, PEOPLE_MAX).await?;
    people::record_export(&app, person.actor()).await?;
    let mut file = Csv::new(&["username", "name", "roles", "active", "added", "last login"]);
    for person in people.iter().filter(|person| filter.matches(person)) {
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

/// A staff account to add.
#[derive(Deserialize, ToSchema)]
struct AddPerson {
    /// 3 to 32 letters, digits, dots, dashes and underscores.
    username: String,
    name: String,
    roles: Vec<String>,
    /// The reason, for the audit log.
    reason: String,
}

/// The secrets for a first login. They are shown once.
#[derive(Serialize, ToSchema)]
struct SecretsView {
    id: Uuid,
    password: String,
    /// The TOTP secret, as text to type into the authenticator app.
    secret: String,
    /// The same secret as an `otpauth://` URL, for a QR code.
    url: String,
}

impl SecretsView {
    fn new(id: Uuid, secrets: InitialSecrets) -> Self {
        let InitialSecrets { password, secret, url } = secrets;
        Self { id, password, secret, url }
    }
}

/// Adds a staff account.
#[utoipa::path(post, path = "/office/api/staff", tag = "staff", operation_id = "staff_add", request_body = AddPerson,
    security(("office" = ["staff.write"], "office_proof" = [])),
    responses((status = 200, body = Envelope<SecretsView>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn add(
    RecentlyAuthenticated(person, ..): RecentlyAuthenticated<StaffWrite>,
    State(app): State<Staff>,
    Json(body): Json<AddPerson>,
) -> Answer<SecretsView> {
    let AddPerson { username, name, roles, reason } = body;
    let input = PersonInput { name, roles, is_active: true, reason };
    let (id, secrets) = people::add(&app, person.actor(), username, input).await?;
    answer(SecretsView::new(id, secrets))
}

/// The new values of a staff account.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ChangePerson {
    name: String,
    roles: Vec<String>,
    is_active: bool,
    /// The reason, for the audit log.
    reason: String,
}

/// Changes the account of another staff member.
#[utoipa::path(put, path = "/office/api/staff/{id}", tag = "staff", operation_id = "staff_change", request_body = ChangePerson,
    params(("id" = Uuid, Path)), security(("office" = ["staff.write"], "office_proof" = [])),
    responses((status = 200, body = Envelope<PersonView>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn change(
    RecentlyAuthenticated(person, ..): RecentlyAuthenticated<StaffWrite>,
    State(app): State<Staff>,
    Path(id): Path<Uuid>,
    Json(body): Json<ChangePerson>,
) -> Answer<PersonView> {
    let ChangePerson { name, roles, is_active, reason } = body;
    let input = PersonInput { name, roles, is_active, reason };
    answer(people::change(&app, &person, id, input).await?.into())
}

/// The reason for an action.
#[derive(Deserialize, ToSchema)]
pub(super) struct Why {
    /// The reason, for the audit log.
    pub(super) reason: String,
}

/// Gives another staff member a new temporary password and a new authenticator secret.
#[utoipa::path(post, path = "/office/api/staff/{id}/reset", tag = "staff", operation_id = "staff_reset", request_body = Why,
    params(("id" = Uuid, Path)), security(("office" = ["staff.write"], "office_proof" = [])),
    responses((status = 200, body = Envelope<SecretsView>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn reset(
    RecentlyAuthenticated(person, ..): RecentlyAuthenticated<StaffWrite>,
    State(app): State<Staff>,
    Path(id): Path<Uuid>,
    Json(body): Json<Why>,
) -> Answer<SecretsView> {
    let secrets = people::reset(&app, &person, id, body.reason).await?;
    answer(SecretsView::new(id, secrets))
}

/// A role and its rights.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct RoleView {
    name: String,
    /// Whether it has all rights, including future ones; such a role cannot be changed.
    has_all: bool,
    rights: Vec<String>,
}

impl From<RoleRow> for RoleView {
    fn from(RoleRow { name, has_all, rights }: RoleRow) -> Self {
        Self { name, has_all, rights }
    }
}

/// Lists the roles.
#[utoipa::path(get, path = "/office/api/roles", tag = "staff", operation_id = "staff_list_roles",
    security(("office" = ["staff.read"])),
    responses((status = 200, body = Envelope<Vec<RoleView>>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn list_roles(_: Allowed<StaffRead>, State(app): State<Staff>) -> Answer<Vec<RoleView>> {
    let roles = store::list_roles(&mut *app.db.acquire().await?).await?;
    answer(roles.into_iter().map(RoleView::from).collect())
}

/// The new rights of a role.
#[derive(Deserialize, ToSchema)]
struct ChangeRole {
    /// Rights, as `domain.action`.
    rights: Vec<String>,
    /// The reason, for the audit log.
    reason: String,
}

/// Changes the rights of a role that one does not hold oneself.
#[utoipa::path(put, path = "/office/api/roles/{name}", tag = "staff", operation_id = "staff_change_role", request_body = ChangeRole,
    params(("name" = String, Path)), security(("office" = ["roles.write"], "office_proof" = [])),
    responses((status = 200, body = Envelope<RoleView>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn change_role(
    RecentlyAuthenticated(person, ..): RecentlyAuthenticated<RolesWrite>,
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
