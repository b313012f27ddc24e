//! Members: accounts, registration, profiles and passwords.
//!
//! Owns the tables `members_*`. A username, a mobile number, an e-mail address and an invitation
//! code belong to one member of a merchant; each has a table of reservations, and the row in it
//! decides; a number or an address that was only typed yields to whoever proves to hold it
//! (`claims`). Usernames are compared without case. Passwords are hashed with a pepper, identity
//! numbers encrypted, with keys outside the database. Other domains learn of a new member inside
//! the transaction that makes it, by the listeners in [`OnRegistered`], and of an account that is
//! frozen or closed by those in [`OnStateChanged`].

use std::sync::{Arc, OnceLock};

use platform::Core;
use platform::error::ApiError;
use platform::module::Module;
use site::Site;
use sqlx::PgTransaction;
use staff::{Asked as _, Finder, Names, Staff};
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;

mod arrivals;
mod claims;
mod claims_store;
pub mod codes;
mod completion;
mod contacts;
mod contacts_store;
mod form;
mod http;
mod losses;
mod model;
mod notices;
pub mod office;
mod ops;
pub mod rights;
mod secrets_store;
mod security;
mod state;
mod state_store;
mod step_up;
mod store;
mod trials;
mod vault;

pub use arrivals::{Stranger, introduce};
pub use claims_store::find_by_mobile;
pub use completion::{Completion, ReadyCompletion, check_completion, complete, require_complete};
pub use contacts::{
    Contact, ReadyContact, bind_contact, check_contact, find_recipient, read_email,
};
pub use contacts_store::{Reach, Recipient, find_reach};
pub use form::{Registration, Way};
pub use http::{LoginFacts, MemberInfo, info_of};
pub use losses::{LostContact, list_lost};
pub use model::{
    GivenNumber, Hashes, Links, MemberKind, NewMember, Newcomer, OnRegistered, Origin, Person,
    Profile,
};
pub use notices::{Notice, notify};
pub use office::{File, Relative, find_file};
pub use ops::{
    Claimed, NewAccount, Recognised, check_username, create, create_trial, find_agent_by_code,
    find_claimed, find_links, hash_secrets, login_key, recognise, require_free,
};
pub use security::{
    ICONS, NewPassword, PasswordChange, PaymentPasswordChange, ProfileChange, ReadyChange,
    ReadyPaymentPassword, change_password, change_profile, check_new_password,
    check_password_change, check_password_shape, check_payment_password, choose_icon,
    choose_language, require_payment_password, set_payment_password,
};
pub use state::{
    MemberState, OnStateChanged, StateChange, ask_for_password, change_state, hold_alone,
    hold_state, is_asked_for_password, lock_state,
};
pub use step_up::{Asked, require_password};
pub use store::{
    Named, Standing, find_profile, find_standing, is_name_taken, list_named, list_nicknames,
};
pub use trials::{lock_trials, remove_trials};
pub use vault::Vault;

/// The state of the domain.
#[derive(Clone)]
pub struct Members(Arc<Parts>);

/// What the domain's state is made of.
pub struct Parts {
    core: Core,
    /// The office.
    pub staff: Staff,
    /// The sites.
    pub site: Site,
    vault: Vault,
    hooks: OnceLock<Hooks>,
}

/// What modules do with members.
struct Hooks {
    on_registered: Vec<OnRegistered>,
    on_state_changed: Vec<OnStateChanged>,
}

platform::state! { Members over Parts { staff: Staff, site: Site } }

impl Members {
    /// The members of an installation.
    pub fn new(core: Core, staff: Staff, site: Site) -> Self {
        let vault = Vault::new(&core.root);
        Self(Arc::new(Parts { core, staff, site, vault, hooks: OnceLock::new() }))
    }

    /// Takes in who hears of members, in the order of the modules; once, before anything is served.
    pub fn bind(&self, modules: &[Module]) {
        let hooks = Hooks {
            on_registered: modules.iter().flat_map(Module::hooks).collect(),
            on_state_changed: modules.iter().flat_map(Module::hooks).collect(),
        };
        assert!(self.hooks.set(hooks).is_ok(), "the members were bound before");
    }

    /// Tells everybody of a new member, inside the transaction that makes it.
    pub async fn tell_registered(
        &self,
        tx: &mut PgTransaction<'static>,
        member: &NewMember,
    ) -> Result<(), ApiError> {
        for hook in self.hooks.get().iter().flat_map(|hooks| &hooks.on_registered) {
            hook.0(self, tx, member).await?;
        }
        Ok(())
    }

    /// Who hears of another state of an account.
    fn on_state_changed(&self) -> &[OnStateChanged] {
        self.hooks.get().map_or(&[], |hooks| &hooks.on_state_changed)
    }
}

/// What is sealed, in the clear: the document of a sealed call names only the seal.
#[derive(OpenApi)]
#[openapi(components(schemas(
    Registration,
    PasswordChange,
    PaymentPasswordChange,
    ProfileChange,
    Completion
)))]
struct SealedBodies;

/// What the domain brings to the server.
pub fn module(state: &Members) -> Module {
    let (members, finding, naming) = (state.clone(), state.clone(), state.clone());
    let right = rights::MembersRead::RIGHT;
    Module::new("members")
        .hook(staff::Rights(rights::ALL))
        .codes(codes::ALL)
        .site(
            OpenApiRouter::with_openapi(SealedBodies::openapi())
                .merge(http::routes())
                .with_state(state.clone()),
        )
        .jobs(move |registry| losses::register_jobs(registry, &members))
        .hook(Finder::new(move |person, text| {
            let app = finding.clone();
            Box::pin(async move { office::find_things(&app, person, text).await })
        }))
        .hook(Names::new("member", Some(right), move |ids| {
            let app = naming.clone();
            Box::pin(async move { office::name(&app, ids).await })
        }))
}
