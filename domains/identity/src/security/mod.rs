//! The security center: members view and change their profile, passwords and contacts.

pub(crate) mod account;
pub(crate) mod bind;
