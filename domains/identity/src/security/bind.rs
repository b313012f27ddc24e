//! Binds a phone number or an e-mail address to a member. A code proves that it belongs to the
//! member, and works only for the member that requested it. Whether another member has the number
//! is revealed only to the holder of the code.

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
use crate::verify::{self, Destination, Purpose, Requester, read_mobile};
use members::{Contact, MemberInfo, ReadyContact};
use platform::db;
use platform::error::{Answer, ApiError, Envelope, Refusal, answer};
use platform::extract::Json;
use platform::seal::{Sealed, SealedBody};
use site::Merchant;

/// A phone number to bind.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct NewMobile {
    /// `63`, with or without `+`.
    #[serde(default)]
    country_dialing_code: String,
    /// The phone number as people write it.
    #[serde(default)]
    mobile_num: String,
    /// The solved challenge, `{challenge, solution}` in base64.
    human: Option<String>,
}

/// An e-mail address to bind.
#[derive(Deserialize, ToSchema)]
struct NewEmail {
    #[serde(default)]
    email: String,
    /// The solved challenge, `{challenge, solution}` in base64.
    human: Option<String>,
}

/// Binds a phone number by the code that was sent to it.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BindMobile {
    /// `63`, with or without `+`.
    #[serde(default)]
    country_dialing_code: String,
    /// The phone number as people write it.
    #[serde(default)]
    mobile_num: String,
    verification_code: Option<String>,
    /// The password; needed if the member has another number.
    password: Option<String>,
    /// A code of the authenticator app or a recovery code; needed if the member has a second
    /// factor.
    two_factor_code: Option<String>,
}

/// Binds an e-mail address by the code that was sent to it.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BindEmail {
    #[serde(default)]
    email: String,
    verification_code: Option<String>,
    /// The password; needed if the member has another address.
    password: Option<String>,
    /// A code of the authenticator app or a recovery code; needed if the member has a second
    /// factor.
    two_factor_code: Option<String>,
}

/// Sends a code to a phone number that the member wants to bind.
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

/// Sends a code to an e-mail address that the member wants to bind.
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
    answer(verify::send(app, visitor, code_request(member), to, true).await?.into())
}

/// The code is bound to the member, so it works on all devices of the member.
fn code_request(member: &CurrentMember) -> (Purpose, Requester) {
    (Purpose::Bind, Requester::Member(member.id))
}

/// Binds a phone number by the code that was sent to it; a previous number of the member becomes
/// free. The sealed plaintext is `BindMobile`; the answer is the updated member info.
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
    let credentials = Credentials {
        code: body.verification_code,
        password: body.password,
        two_factor_code: body.two_factor_code,
    };
    let to = Destination::Mobile(mobile.clone());
    bind(&app, &visitor, &member, (Contact::Mobile(mobile), to), credentials).await
}

/// Binds an e-mail address by the code that was sent to it; a previous address of the member
/// becomes free. The sealed plaintext is `BindEmail`; the answer is the updated member info.
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
    let credentials = Credentials {
        code: body.verification_code,
        password: body.password,
        two_factor_code: body.two_factor_code,
    };
    let to = Destination::Email(email.clone());
    bind(&app, &visitor, &member, (Contact::Email(email), to), credentials).await
}

/// What a member proves a change with.
struct Credentials {
    code: Option<String>,
    password: Option<String>,
    two_factor_code: Option<String>,
}

async fn bind(
    app: &Identity,
    visitor: &Visitor,
    member: &CurrentMember,
    (contact, to): (Contact, Destination),
    credentials: Credentials,
) -> Answer<MemberInfo> {
    member.require_real()?;
    let requirement = two_factor::require_code(app, member, credentials.two_factor_code).await?;
    let change = match members::check_contact(
        &app.members,
        member.reauth_request(),
        contact,
        credentials.password,
    )
    .await
    {
        Err(error) if error.code == members::codes::WRONG_PASSWORD => {
            human::note_failure(app, visitor).await?;
            return Err(error);
        }
        checked => checked?,
    };
    let (visitor, request, member_id) = (visitor.clone(), code_request(member), member.id);
    let merchant = Arc::clone(&member.merchant);
    app.run(move |app| async move {
        let mut proof = requirement.count(&app).await?;
        let bound = async {
            // Compare the two-factor code first, like the password: the code that was sent has only
            // few attempts.
            proof.compare(&app).await?;
            let code =
                verify::check(&app, &visitor, request, &to, credentials.code.as_deref()).await?;
            write(&app, (&merchant, member_id), &change, (code, &mut proof)).await
        };
        let bound = bound.await;
        proof.settle(&app, bound).await
    })
    .await?;
    answer(load_info(app, member).await?)
}

/// Stores the contact and spends both codes in one transaction.
async fn write(
    app: &Identity,
    (merchant, member_id): (&Merchant, Uuid),
    change: &ReadyContact,
    (code, proof): (verify::Proof, &mut two_factor::Proof),
) -> Result<(), ApiError> {
    let mut tx = app.db.begin().await?;
    verify::spend(&mut tx, code).await?;
    members::lock_state_shared(&mut tx, member_id).await?;
    proof.spend(app, &mut tx).await?;
    if let Some(notice) = change.told() {
        members::notify(&app.members, &mut tx, (merchant, member_id), notice).await?;
    }
    members::bind_contact(&mut tx, merchant.id, change, app.clock.now()).await?;
    // The recovery links that were sent to the old address must not work any more.
    recovery::delete_links(&mut tx, member_id).await?;
    db::commit(tx).await
}

/// The routes of binding.
pub(crate) fn routes() -> OpenApiRouter<Identity> {
    OpenApiRouter::new()
        .routes(routes!(send_to_mobile, bind_mobile))
        .routes(routes!(send_to_email, bind_email))
}
