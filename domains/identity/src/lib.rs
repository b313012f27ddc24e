//! Identity: every way into an account, and what a request must show to act for a member.
//!
//! Owns the tables `sessions_*`. Its parts, each with its own page:
//!
//! - [`sessions`]: how they begin and end, the device's half, the extractors [`CurrentMember`] and
//!   [`Entitled`].
//! - The gates before a session: [`human`] (proof of work), [`captcha`] and [`verify`] (codes to phones
//!   and e-mail). Each is one `check`, made for a [`Visitor`], and each is good once.
//! - The ways in: [`login`], [`registration`], [`trials`], [`social`], [`phone`] and [`two_factor`].
//! - The way back: [`recovery`], which needs the number and the address that [`security`] takes.
//! - [`office`]: what staff see and do of members.

use std::sync::Arc;

use members::Members;
use platform::Core;
use platform::module::Module;
use platform::outside::Outside;
use site::Site;
use staff::Staff;
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;

use crate::phone::PhoneService;

pub mod captcha;
pub mod codes;
mod gates;
mod gates_store;
mod http;
pub mod human;
mod id_token;
mod jobs;
mod login;
mod office;
pub mod phone;
mod purge;
mod recovery;
mod registration;
mod security;
mod sender;
mod sessions;
mod settings;
mod social;
mod trials;
mod two_factor;
pub mod verify;
mod window;

pub use gates::{Gates, Visitor};
pub use login::Login;
pub use purge::purge;
pub use recovery::{CodeReset, LinkLook, LinkReset};
pub use registration::register;
pub use security::bind::{BindEmail, BindMobile};
pub use sender::Sender;
pub use sessions::arrival::Visit;
pub use sessions::current::{CurrentMember, Entitled};
pub use sessions::live::LiveSessions;
pub use sessions::ops::Started;
pub use sessions::socket::{SocketIdentity, watch};
pub use settings::{OauthSettings, OidcSettings, PhoneSettings, Settings, UserFields};
pub use social::{LoginBySocial, Social};
pub use trials::{FreePlay, remove_trials, start_trial};
pub use two_factor::{ConfirmFactor, FactorKeys, ProveFactor, StepUp};

/// The state of the domain.
#[derive(Clone)]
pub struct Identity(Arc<Parts>);

/// What the domain's state is made of.
pub struct Parts {
    core: Core,
    /// The office.
    pub staff: Staff,
    /// The sites.
    pub site: Site,
    /// The members.
    pub members: Members,
    /// What the environment decides.
    pub settings: Settings,
    /// Secrets that are shared with authenticator apps.
    pub factors: FactorKeys,
    /// The keys of captchas, human checks, codes and remembered passwords.
    pub gates: Gates,
    /// Sessions that were read a moment ago.
    pub live_sessions: LiveSessions,
    /// Social sign-in.
    pub social: Social,
    /// The service that verifies phone numbers, where there is one.
    pub phone: Option<PhoneService>,
}

platform::state! { Identity over Parts { staff: Staff, site: Site, members: Members } }

impl Identity {
    /// The ways in of an installation.
    pub fn new(members: Members, settings: Settings) -> Self {
        let outside = Outside::default();
        let core = Core::clone(&members);
        Self(Arc::new(Parts {
            factors: FactorKeys::new(&core.root),
            gates: Gates::new(&core.root),
            live_sessions: LiveSessions::default(),
            social: Social::new(&settings, &core.root, &outside),
            phone: settings.phone.clone().map(|phone| PhoneService::new(phone, outside)),
            staff: members.staff.clone(),
            site: members.site.clone(),
            members,
            settings,
            core,
        }))
    }
}

/// What is sealed, in the clear: the document of a sealed call names only the seal.
#[derive(OpenApi)]
#[openapi(components(schemas(
    StepUp,
    ConfirmFactor,
    ProveFactor,
    Login,
    FreePlay,
    LinkLook,
    LinkReset,
    CodeReset,
    BindMobile,
    BindEmail,
    LoginBySocial,
    phone::LoginByPhone
)))]
struct SealedBodies;

/// What the domain brings to the server.
pub fn module(state: &Identity) -> Module {
    let identity = state.clone();
    Module::new("identity")
        .codes(codes::ALL)
        .site(
            OpenApiRouter::with_openapi(SealedBodies::openapi())
                .merge(http::routes())
                .with_state(state.clone()),
        )
        .office(office::routes().with_state(state.clone()))
        .jobs(move |registry| jobs::register(registry, &identity))
}
