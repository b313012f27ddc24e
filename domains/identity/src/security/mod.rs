//! The security center: what members see and change of the ways into their account.

pub(crate) mod account;
pub(crate) mod bind;
