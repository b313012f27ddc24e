//! Members: accounts, registration, profiles and passwords.
//!
//! Owns the tables `members_*`. A username, a mobile number, an e-mail address and an invitation
//! code belong to one member of a merchant; each has a table of reservations, and the row in it
//! decides; a number or an address that was only typed yields to whoever proves to hold it
//! (`claims`). Usernames are compared without case. Passwords are hashed with a pepper, identity
//! numbers encrypted, with keys outside the database. Other domains learn of a new member inside
//! the transaction that makes it, by the listeners in [`OnRegistered`], and of an account that is
//! frozen or closed by those in [`OnStateChanged`].

mod arrivals;
mod claims;
mod claims_store;
mod completion;
mod contacts;
mod contacts_store;
mod form;
mod http;
mod losses;
mod model;
mod notices;
mod office;
mod office_http;
mod office_store;
mod ops;
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
pub use http::{LoginFacts, MemberInfo, info_of, routes};
pub use losses::{LostContact, list_lost, register_jobs};
pub use model::{
    GivenNumber, Hashes, Links, MemberKind, NewMember, Newcomer, OnRegistered, Origin, Person,
    Profile,
};
pub use notices::{Notice, notify};
pub use office::{Found, find_file, search};
pub use office_http::routes as office_routes;
pub use office_store::{File, Relative};
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
