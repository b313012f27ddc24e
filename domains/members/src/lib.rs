//! Members: accounts, registration, profiles, contacts and passwords. Owns the tables `members_*`.
//!
//! Username, mobile number, e-mail address and invitation code are unique per merchant. Each has a
//! reservation table, and the row in it decides who has it. A contact that was typed but not
//! verified goes to the member who verifies it (`claims`). Usernames are case-insensitive.
//! Passwords are hashed with a pepper and identity numbers are encrypted, both with keys kept
//! outside the database. Other domains react to a new member ([`OnRegistered`]) and to a change of
//! an account's state ([`OnStateChanged`]) with hooks that run in the same transaction.

use std::sync::{Arc, OnceLock};

use platform::Core;
use platform::error::ApiError;
use platform::module::Module;
use site::Site;
use sqlx::PgTransaction;
use staff::{Finder, Names, RequiredRight as _, Staff};
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;

mod claims;
mod claims_store;
pub mod codes;
mod completion;
mod contacts;
mod contacts_store;
mod form;
mod http;
mod model;
mod notices;
pub mod office;
mod ops;
mod revoked_contacts;
pub mod rights;
mod secrets_store;
mod security;
mod social_signup;
mod state;
mod state_store;
mod step_up;
mod store;
mod trials;
mod vault;

pub use claims_store::find_by_mobile;
pub use completion::{Completion, ReadyCompletion, check_completion, complete, require_complete};
pub use contacts::{
    Contact, ReadyContact, bind_contact, check_contact, find_recipient, read_email,
};
pub use contacts_store::{Recipient, VerifiedContacts, find_verified_contacts};
pub use form::{Registration, RegistrationMethod};
pub use http::{LoginFacts, MemberInfo, info_of};
pub use model::{
    GivenNumber, Hashes, Links, MemberKind, NewMember, Newcomer, OnRegistered, Origin, Person,
    Profile,
};
pub use notices::{Notice, notify};
pub use office::{File, Relative, find_file};
pub use ops::{
    Claimed, NewAccount, VerifiedLogin, check_username, create, create_trial, find_agent_by_code,
    find_links, find_login_candidate, hash_secrets, login_key, require_free, verify_login,
};
pub use revoked_contacts::{RevokedContact, list_revoked_contacts};
pub use security::{
    ICONS, NewPassword, PasswordChange, PaymentPasswordChange, ProfileChange, ReadyChange,
    ReadyPaymentPassword, change_password, change_profile, check_new_password,
    check_password_change, check_password_shape, check_payment_password, choose_icon,
    choose_language, require_payment_password, set_payment_password,
};
pub use social_signup::{SocialSignup, social_registration};
pub use state::{
    MemberState, OnStateChanged, StateChange, change_state, is_asked_for_password, lock_state,
    lock_state_exclusive, lock_state_shared, require_new_password,
};
pub use step_up::{ReauthRequest, require_password};
pub use store::{
    Named, Standing, find_profile, find_standing, is_name_taken, list_named, list_nicknames,
};
pub use trials::{lock_trials, remove_trials};
pub use vault::Vault;

/// The state of the domain.
#[derive(Clone)]
pub struct Members(Arc<Parts>);

/// The parts of the domain state.
pub struct Parts {
    core: Core,
    /// The staff domain.
    pub staff: Staff,
    /// The site domain.
    pub site: Site,
    vault: Vault,
    hooks: OnceLock<Hooks>,
}

/// Hooks of the modules, collected by [`Members::bind`].
struct Hooks {
    on_registered: Vec<OnRegistered>,
    on_state_changed: Vec<OnStateChanged>,
}

platform::state! { Members over Parts { staff: Staff, site: Site } }

impl Members {
    /// Creates the domain state; [`Members::bind`] adds the hooks.
    pub fn new(core: Core, staff: Staff, site: Site) -> Self {
        let vault = Vault::new(&core.root);
        Self(Arc::new(Parts { core, staff, site, vault, hooks: OnceLock::new() }))
    }

    /// Collects the hooks of all modules, in module order. Called once, before the server accepts
    /// requests.
    pub fn bind(&self, modules: &[Module]) {
        let hooks = Hooks {
            on_registered: modules.iter().flat_map(Module::hooks).collect(),
            on_state_changed: modules.iter().flat_map(Module::hooks).collect(),
        };
        assert!(self.hooks.set(hooks).is_ok(), "Members::bind was called twice");
    }

    /// Runs every [`OnRegistered`] hook, inside the transaction that creates the member.
    pub async fn run_registered_hooks(
        &self,
        tx: &mut PgTransaction<'static>,
        member: &NewMember,
    ) -> Result<(), ApiError> {
        for hook in self.hooks.get().iter().flat_map(|hooks| &hooks.on_registered) {
            hook.0(self, tx, member).await?;
        }
        Ok(())
    }

    /// The hooks that run when an account's state changes.
    fn on_state_changed(&self) -> &[OnStateChanged] {
        self.hooks.get().map_or(&[], |hooks| &hooks.on_state_changed)
    }
}

/// Schemas of the bodies that are sent sealed (encrypted): the API document of a sealed endpoint
/// names only the sealed envelope, so the schemas inside are added here.
#[derive(OpenApi)]
#[openapi(components(schemas(
    Registration,
    PasswordChange,
    PaymentPasswordChange,
    ProfileChange,
    Completion
)))]
struct SealedBodies;

/// The domain's module: routes, rights, error codes, jobs and hooks.
pub fn module(state: &Members) -> Module {
    let (members, finder_state, names_state) = (state.clone(), state.clone(), state.clone());
    let right = rights::MembersRead::RIGHT;
    Module::new("members")
        .hook(staff::Rights(rights::ALL))
        .codes(codes::ALL)
        .site(
            OpenApiRouter::with_openapi(SealedBodies::openapi())
                .merge(http::routes())
                .with_state(state.clone()),
        )
        .jobs(move |registry| revoked_contacts::register_jobs(registry, &members))
        .hook(Finder::new(move |person, text| {
            let app = finder_state.clone();
            Box::pin(async move { office::palette_results(&app, person, text).await })
        }))
        .hook(Names::new("member", Some(right), move |ids| {
            let app = names_state.clone();
            Box::pin(async move { office::account_names(&app, ids).await })
        }))
}
