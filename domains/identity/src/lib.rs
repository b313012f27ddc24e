//! Identity: sessions and every way to log in: passwords, SMS codes, social sign-in, two-factor and
//! account recovery.
//!
//! Owns the tables `sessions_*`. Its parts:
//!
//! - [`sessions`]: starting and ending sessions, the device cookie, and the extractors
//!   [`CurrentMember`] and [`Entitled`].
//! - The checks before a login: [`human`] (proof of work), [`captcha`] and [`verify`] (codes by SMS
//!   and e-mail). Each has a function `check` that takes a [`Visitor`], and each proof works once.
//! - Logging in: [`login`], [`registration`], [`trials`] (demo accounts), [`social`], [`phone`] and
//!   [`two_factor`].
//! - [`recovery`]: forgotten passwords. It needs the phone number or the e-mail address that a
//!   member binds in [`security`].
//! - [`office`]: what staff see and change of members.

use std::sync::Arc;

use members::Members;
use platform::Core;
use platform::http_client::HttpClient;
use platform::module::Module;
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

/// The fields of the domain's state.
pub struct Parts {
    core: Core,
    /// The staff domain: office sessions, rights, the audit log.
    pub staff: Staff,
    /// The site domain: merchants and their switches.
    pub site: Site,
    /// The members domain: accounts and passwords.
    pub members: Members,
    /// Social providers and the phone service, from environment variables.
    pub settings: Settings,
    /// The encryption keys of TOTP secrets.
    pub factors: FactorKeys,
    /// The keys of proofs of work, captchas, verification codes and remembered passwords.
    pub gates: Gates,
    /// The session cache of this node.
    pub live_sessions: LiveSessions,
    /// Social sign-in.
    pub social: Social,
    /// The service that verifies phone numbers, if one is configured.
    pub phone: Option<PhoneService>,
}

platform::state! { Identity over Parts { staff: Staff, site: Site, members: Members } }

impl Identity {
    /// The state for an installation: derives the keys and sets up the configured providers.
    pub fn new(members: Members, settings: Settings) -> Self {
        let http_client = HttpClient::default();
        let core = Core::clone(&members);
        Self(Arc::new(Parts {
            factors: FactorKeys::new(&core.root),
            gates: Gates::new(&core.root),
            live_sessions: LiveSessions::default(),
            social: Social::new(&settings, &core.root, &http_client),
            phone: settings.phone.clone().map(|phone| PhoneService::new(phone, http_client)),
            staff: members.staff.clone(),
            site: members.site.clone(),
            members,
            settings,
            core,
        }))
    }
}

/// The schemas of the plaintexts of sealed bodies. The API document of a sealed call names only the
/// envelope, so they are listed here.
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

/// The module: routes of the site and the office, error codes and jobs.
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
