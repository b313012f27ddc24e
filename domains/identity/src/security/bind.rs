//! Giving a member a number or an e-mail address that it can be reached at: a code shows that it
//! is the member's, and is good for the member that asked for it. Whether somebody else has it is
//! told to whoever has the code, and to nobody before.

use std::sync::Arc;

use axum::extract::State;
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use crate::Identity;
use crate::gates::Visitor;
use crate::human;
use crate::recovery;
use crate::security::account::load_info;
use crate::sessions::current::CurrentMember;
use crate::two_factor;
use crate::verify::http::SentView;
use crate::verify::{self, Asker, Destination, Purpose, read_mobile};
use members::{Contact, MemberInfo, ReadyContact};
use platform::db;
use platform::error::{Answer, ApiError, Envelope, Refusal, answer};
use platform::extract::Json;
use platform::seal::{Sealed, SealedBody};
use site::Merchant;

/// A number that a member wants to be reached at.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct NewMobile {
    /// `63`, with or without `+`.
    #[serde(default)]
    country_dialing_code: String,
    /// As people write it.
    #[serde(default)]
    mobile_num: String,
    /// The solved challenge, `{challenge, solution}` in base64.
    human: Option<String>,
}

/// An address that a member wants to be reached at.
#[derive(Deserialize, ToSchema)]
struct NewEmail {
    #[serde(default)]
    email: String,
    /// The solved challenge, `{challenge, solution}` in base64.
    human: Option<String>,
}

/// The code that came to a number.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BindMobile {
    /// `63`, with or without `+`.
    #[serde(default)]
    country_dialing_code: String,
    /// As people write it.
    #[serde(default)]
    mobile_num: String,
    verification_code: Option<String>,
    /// Needed where the member has another number.
    password: Option<String>,
    /// Of the app, or a recovery code; needed of those who have a second factor.
    two_factor_code: Option<String>,
}

/// The code that came to an address.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BindEmail {
    #[serde(default)]
    email: String,
    verification_code: Option<String>,
    /// Needed where the member has another address.
    password: Option<String>,
    /// Of the app, or a recovery code; needed of those who have a second factor.
    two_factor_code: Option<String>,
}

/// Sends a code to a number that the member wants to bind.
#[utoipa::path(post, path = "/wps/member/bind/mobile", tag = "members", security(("token" = [])),
    responses((status = 200, body = Envelope<SentView>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn send_to_mobile(
    member: CurrentMember,
    visitor: Visitor,
    State(app): State<Identity>,
    Json(body): Json<NewMobile>,
) -> Answer<SentView> {
    member.require_real()?;
    let mobile = read_mobile(&body.country_dialing_code, &body.mobile_num)?;
    send(&app, &visitor, (&member, Destination::Mobile(mobile)), body.human).await
}

/// Sends a code to an address that the member wants to bind.
#[utoipa::path(post, path = "/wps/member/bind/email", tag = "members", security(("token" = [])),
    responses((status = 200, body = Envelope<SentView>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn send_to_email(
    member: CurrentMember,
    visitor: Visitor,
    State(app): State<Identity>,
    Json(body): Json<NewEmail>,
) -> Answer<SentView> {
    member.require_real()?;
    let email = members::read_email(&visitor.merchant, &body.email, app.clock.now())?;
    send(&app, &visitor, (&member, Destination::Email(email)), body.human).await
}

async fn send(
    app: &Identity,
    visitor: &Visitor,
    (member, to): (&CurrentMember, Destination),
    human: Option<String>,
) -> Answer<SentView> {
    human::check(app, visitor, human.as_deref()).await?;
    answer(verify::send(app, visitor, wanted(member), to, true).await?.into())
}

/// A code of the member's own, on whichever device it is read.
fn wanted(member: &CurrentMember) -> (Purpose, Asker) {
    (Purpose::Bind, Asker::Member(member.id))
}

/// Binds a number by the code that came to it; a number that the member had is free then. The
/// sealed plaintext is `BindMobile`; the answer is the member info as it is now.
#[utoipa::path(put, path = "/wps/member/bind/mobile", tag = "members", security(("token" = [])),
    request_body(content = SealedBody, content_type = "application/sealed+json"),
    responses((status = 200, body = Envelope<MemberInfo>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn bind_mobile(
    member: CurrentMember,
    visitor: Visitor,
    State(app): State<Identity>,
    Sealed(body): Sealed<BindMobile>,
) -> Answer<MemberInfo> {
    let mobile = read_mobile(&body.country_dialing_code, &body.mobile_num)?;
    let shown = Shown {
        code: body.verification_code,
        password: body.password,
        two_factor_code: body.two_factor_code,
    };
    let to = Destination::Mobile(mobile.clone());
    bind(&app, &visitor, &member, (Contact::Mobile(mobile), to), shown).await
}

/// Binds an address by the code that came to it; an address that the member had is free then. The
/// sealed plaintext is `BindEmail`; the answer is the member info as it is now.
#[utoipa::path(put, path = "/wps/member/bind/email", tag = "members", security(("token" = [])),
    request_body(content = SealedBody, content_type = "application/sealed+json"),
    responses((status = 200, body = Envelope<MemberInfo>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn bind_email(
    member: CurrentMember,
    visitor: Visitor,
    State(app): State<Identity>,
    Sealed(body): Sealed<BindEmail>,
) -> Answer<MemberInfo> {
    let email = members::read_email(&visitor.merchant, &body.email, app.clock.now())?;
    let shown = Shown {
        code: body.verification_code,
        password: body.password,
        two_factor_code: body.two_factor_code,
    };
    let to = Destination::Email(email.clone());
    bind(&app, &visitor, &member, (Contact::Email(email), to), shown).await
}

/// What a member shows to be allowed to.
struct Shown {
    code: Option<String>,
    password: Option<String>,
    two_factor_code: Option<String>,
}

async fn bind(
    app: &Identity,
    visitor: &Visitor,
    member: &CurrentMember,
    (contact, to): (Contact, Destination),
    shown: Shown,
) -> Answer<MemberInfo> {
    member.require_real()?;
    let asked = two_factor::ask(app, member, shown.two_factor_code).await?;
    let change =
        match members::check_contact(&app.members, member.asked(), contact, shown.password).await {
            Err(error) if error.code == members::codes::WRONG_PASSWORD => {
                human::note_failure(app, visitor).await?;
                return Err(error);
            }
            checked => checked?,
        };
    let (visitor, wanted, member_id) = (visitor.clone(), wanted(member), member.id);
    let merchant = Arc::clone(&member.merchant);
    app.run(move |app| async move {
        let mut proof = asked.count(&app).await?;
        let bound = async {
            // Like the password before the code that was sent, of which there are few tries.
            proof.compare(&app).await?;
            let code = verify::check(&app, &visitor, wanted, &to, shown.code.as_deref()).await?;
            write(&app, (&merchant, member_id), &change, (code, &mut proof)).await
        };
        let bound = bound.await;
        proof.settle(&app, bound).await
    })
    .await?;
    answer(load_info(app, member).await?)
}

/// Gives a member a contact, against the code that came to it and the one of the second factor.
async fn write(
    app: &Identity,
    (merchant, member_id): (&Merchant, Uuid),
    change: &ReadyContact,
    (code, proof): (verify::Proof, &mut two_factor::Proof),
) -> Result<(), ApiError> {
    let mut tx = app.db.begin().await?;
    verify::spend(&mut tx, code).await?;
    members::hold_state(&mut tx, member_id).await?;
    proof.spend(app, &mut tx).await?;
    if let Some(told) = change.told() {
        members::notify(&app.members, &mut tx, (merchant, member_id), told).await?;
    }
    members::bind_contact(&mut tx, merchant.id, change, app.clock.now()).await?;
    // Whoever reads the old address has no way in any more.
    recovery::delete_links(&mut tx, member_id).await?;
    db::commit(tx).await
}

/// The routes of binding.
pub(crate) fn routes() -> OpenApiRouter<Identity> {
    OpenApiRouter::new()
        .routes(routes!(send_to_mobile, bind_mobile))
        .routes(routes!(send_to_email, bind_email))
}
