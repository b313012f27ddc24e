//! Profile, icon, language, password and transaction password of the current member.

use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::Identity;
use crate::gates::Visitor;
use crate::recovery;
use crate::registration::evidence::Evidence;
use crate::sessions::current::CurrentMember;
use crate::sessions::device::Device;
use crate::sessions::model::Token;
use crate::sessions::ops;
use crate::sessions::store;
use crate::two_factor;
use members::{
    self, Completion, LoginFacts, MemberInfo, Notice, PasswordChange, PaymentPasswordChange,
    ProfileChange, ReadyChange, ReadyPaymentPassword, RevokedContact,
};
use platform::db;
use platform::error::{Answer, ApiError, Envelope, Refusal, answer};
use platform::extract::Json;
use platform::seal::{Sealed, SealedBody};

/// Returns the member of the session.
#[utoipa::path(get, path = "/wps/member/info", tag = "members", security(("token" = [])),
    responses((status = 200, body = Envelope<MemberInfo>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn get_member_info(State(app): State<Identity>, member: CurrentMember) -> Answer<MemberInfo> {
    answer(load_info(&app, &member).await?)
}

pub(crate) async fn load_info(
    app: &Identity,
    member: &CurrentMember,
) -> Result<MemberInfo, ApiError> {
    let mut db = app.db.acquire().await?;
    let profile = members::find_profile(&mut db, member.id).await?;
    let profile = profile.ok_or_else(|| ApiError::new(platform::codes::SESSION_REQUIRED))?;
    let standing = members::find_standing(&mut db, member.id).await?;
    let facts = LoginFacts {
        last_login_at: store::find_login_before(&mut db, member.id).await?,
        two_factor: two_factor::has_factor(&mut db, member.id).await?,
    };
    Ok(members::info_of(profile, standing, facts, (&member.merchant, app.clock.now())))
}

/// Changes the member's profile. The sealed plaintext is `ProfileChange`; the answer is the updated
/// member info.
#[utoipa::path(put, path = "/wps/member/info", tag = "members", security(("token" = [])),
    request_body(content = SealedBody, content_type = "application/sealed+json"),
    responses((status = 200, body = Envelope<MemberInfo>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn change_info(
    State(app): State<Identity>,
    member: CurrentMember,
    Sealed(change): Sealed<ProfileChange>,
) -> Answer<MemberInfo> {
    member.require_real()?;
    members::change_profile(&app.members, &member.merchant, member.id, change).await?;
    answer(load_info(&app, &member).await?)
}

/// Completes the registration of a member who signed up through a social provider. The sealed
/// plaintext is `Completion`; the answer is the updated member info.
#[utoipa::path(post, path = "/wps/member/complete", tag = "members", security(("token" = [])),
    request_body(content = SealedBody, content_type = "application/sealed+json"),
    responses((status = 200, body = Envelope<MemberInfo>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn complete(
    visitor: Visitor,
    State(app): State<Identity>,
    member: CurrentMember,
    device: Device,
    Sealed(completion): Sealed<Completion>,
) -> Answer<MemberInfo> {
    member.require_real()?;
    let ready =
        members::check_completion(&app.members, &member.merchant, member.id, completion).await?;
    let (device_hash, _) = device.enrol();
    let evidence = match ready.number() {
        Some(number) => Evidence::check(&app, (&visitor, device_hash), number).await?,
        None => None,
    };
    let member_id = member.id;
    app.run(move |app| async move {
        let mut tx = app.db.begin().await?;
        members::complete(&app.members, &mut tx, &ready, evidence.is_some()).await?;
        if let Some(evidence) = evidence {
            evidence.spend(&mut tx).await?;
        }
        store::update_completed(&mut tx, member_id).await?;
        db::commit(tx).await
    })
    .await?;
    app.live_sessions.forget(&member.token);
    answer(load_info(&app, &member).await?)
}

/// The member's icon and all icons to choose from.
#[derive(Serialize, ToSchema)]
struct IconView {
    icon: String,
    icons: &'static [&'static str],
}

/// Returns the member's icon.
#[utoipa::path(get, path = "/wps/member/info/icon", tag = "members", security(("token" = [])),
    responses((status = 200, body = Envelope<IconView>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn get_icon(State(app): State<Identity>, member: CurrentMember) -> Answer<IconView> {
    let mut db = app.db.acquire().await?;
    let standing = members::find_standing(&mut db, member.id).await?;
    let icon = standing.map_or_else(|| members::ICONS[0].to_owned(), |standing| standing.icon);
    answer(IconView { icon, icons: members::ICONS })
}

/// The id of an icon.
#[derive(Deserialize, ToSchema)]
struct IconChoice {
    icon: String,
}

/// Chooses the member's icon.
#[utoipa::path(put, path = "/wps/member/info/icon", tag = "members", security(("token" = [])),
    request_body = IconChoice,
    responses((status = 200, body = Envelope<IconView>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn choose_icon(
    State(app): State<Identity>,
    member: CurrentMember,
    Json(choice): Json<IconChoice>,
) -> Answer<IconView> {
    member.require_real()?;
    members::choose_icon(&app.members, member.id, &choice.icon).await?;
    answer(IconView { icon: choice.icon, icons: members::ICONS })
}

/// Lists phone numbers and e-mail addresses that the member had entered without proof and that
/// another member has since verified, newest first; at most 10.
#[utoipa::path(get, path = "/wps/member/contacts/lost", tag = "members", security(("token" = [])),
    responses((status = 200, body = Envelope<Vec<RevokedContact>>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn list_lost_contacts(
    State(app): State<Identity>,
    member: CurrentMember,
) -> Answer<Vec<RevokedContact>> {
    member.require_real()?;
    answer(members::list_revoked_contacts(&app.members, member.id).await?)
}

/// One of the site's languages.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct LanguageChoice {
    /// Its code, `EN` or `TY`.
    language: String,
}

/// Stores the language that the member has chosen, for other devices and for messages.
#[utoipa::path(put, path = "/wps/member/language", tag = "members", security(("token" = [])),
    request_body = LanguageChoice,
    responses((status = 200, body = Envelope<LanguageChoice>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn choose_language(
    State(app): State<Identity>,
    member: CurrentMember,
    Json(choice): Json<LanguageChoice>,
) -> Answer<LanguageChoice> {
    members::choose_language(&app.members, &member.merchant, member.id, &choice.language).await?;
    answer(choice)
}

/// A session's new token.
#[derive(Serialize, ToSchema)]
struct NewToken {
    token: String,
}

/// Changes the member's password, ends all other sessions and gives this one a new token. The old
/// token stays valid for ten more seconds. The sealed plaintext is `PasswordChange`.
#[utoipa::path(post, path = "/wps/member/password", tag = "members", security(("token" = [])),
    request_body(content = SealedBody, content_type = "application/sealed+json"),
    responses((status = 200, body = Envelope<NewToken>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn change_password(
    State(app): State<Identity>,
    member: CurrentMember,
    Sealed(mut change): Sealed<PasswordChange>,
) -> Answer<NewToken> {
    member.require_real()?;
    let code = change.two_factor_code.take();
    let requirement = match member.is_fresh_password_change(app.clock.now()) {
        true => two_factor::CodeRequirement::Nothing,
        false => two_factor::require_code(&app, &member, code).await?,
    };
    let change = members::check_password_change(
        &app.members,
        &member.merchant,
        member.reauth_request(),
        change,
    )
    .await?;
    let token = app.run(move |app| async move {
        let mut proof = requirement.count(&app).await?;
        let replaced = replace_password(&app, &member, &change, &mut proof).await;
        proof.settle(&app, replaced).await
    });
    answer(NewToken { token: token.await?.text() })
}

/// Writes a checked password change and returns the new session token.
async fn replace_password(
    app: &Identity,
    member: &CurrentMember,
    change: &ReadyChange,
    proof: &mut two_factor::Proof,
) -> Result<Token, ApiError> {
    let mut tx = app.db.begin().await?;
    members::lock_state_exclusive(&mut tx, member.id).await?.require_active()?;
    proof.spend(app, &mut tx).await?;
    recovery::revoke_pending_access(&mut tx, member.id).await?;
    if !members::change_password(&app.members, &mut tx, change).await? {
        return Err(ApiError::new(members::codes::WRONG_PASSWORD));
    }
    let owner = (&*member.merchant, member.id);
    members::notify(&app.members, &mut tx, owner, Notice::Password).await?;
    let ended = ops::end_others(app, &mut tx, &member.token).await?;
    store::update_password_changed(&mut tx, member.id).await?;
    let token = ops::renew_token(app, &mut tx, &member.token).await?;
    let committed = db::commit(tx).await;
    app.live_sessions.forget(&member.token);
    ended.forget(app);
    committed.map(|()| token)
}

/// Sets or changes the transaction password. The sealed plaintext is `PaymentPasswordChange`.
#[utoipa::path(post, path = "/wps/member/payment-password", tag = "members",
    security(("token" = [])),
    request_body(content = SealedBody, content_type = "application/sealed+json"),
    responses((status = 200, body = Envelope<Option<String>>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn set_payment_password(
    State(app): State<Identity>,
    member: CurrentMember,
    Sealed(mut change): Sealed<PaymentPasswordChange>,
) -> Answer<Option<String>> {
    member.require_real()?;
    let requirement =
        two_factor::require_code(&app, &member, change.two_factor_code.take()).await?;
    let change = members::check_payment_password(
        &app.members,
        &member.merchant,
        member.reauth_request(),
        change,
    )
    .await?;
    app.run(move |app| async move {
        let mut proof = requirement.count(&app).await?;
        let set = write_payment_password(&app, &member, &change, &mut proof).await;
        proof.settle(&app, set).await
    })
    .await?;
    answer(None)
}

async fn write_payment_password(
    app: &Identity,
    member: &CurrentMember,
    change: &ReadyPaymentPassword,
    proof: &mut two_factor::Proof,
) -> Result<(), ApiError> {
    let mut tx = app.db.begin().await?;
    members::lock_state_shared(&mut tx, member.id).await?;
    proof.spend(app, &mut tx).await?;
    members::set_payment_password(&app.members, &mut tx, &member.merchant, change).await?;
    db::commit(tx).await
}

/// The routes of the security center.
pub(crate) fn routes() -> OpenApiRouter<Identity> {
    OpenApiRouter::new()
        .routes(routes!(get_member_info, change_info))
        .routes(routes!(complete))
        .routes(routes!(get_icon, choose_icon))
        .routes(routes!(choose_language))
        .routes(routes!(list_lost_contacts))
        .routes(routes!(change_password))
        .routes(routes!(set_payment_password))
}
