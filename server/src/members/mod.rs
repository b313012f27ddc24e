//! Members: accounts, profiles and passwords.
//!
//! Owns the tables `members_*`. A username belongs to one member of a merchant, whatever its
//! case. Other domains learn of a new member inside the transaction that makes it, by the
//! listeners in [`OnRegistered`].

mod http;
mod model;
mod ops;
mod passwords;
mod store;

pub use http::{MemberInfo, info_of};
pub use model::{MemberKind, NewMember, OnRegistered, Profile};
pub use ops::{
    Credentials, create_trial, create_with_password, find_by_credentials, is_password_of,
};
pub use passwords::Passwords;
pub use store::{find_by_mobile, find_profile, is_name_taken, list_nicknames};
