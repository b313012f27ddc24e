//! Sessions: every way in, and what a request must show to act for a member.
//!
//! Owns the tables `sessions_*`. A session needs two halves: the token, which the page keeps
//! in session storage, and a device secret in an HttpOnly cookie. Both are stored hashed. A
//! session ends after 15 minutes without a request, or 12 hours after it began. A node believes
//! what it has read of a session for a second; a log-out counts at once on the node that did it.
//!
//! The gates before that: [`human`] (proof of work), [`captcha`] and [`verify`] (codes to phones
//! and e-mail). Each is one `check`, made for a [`Visitor`], and each is good once.
//!
//! Who forgot the password gets back in by `recovery`; `bind` gives a member the number and the
//! address that this needs.

mod account;
mod arrival;
mod bind;
pub mod captcha;
mod device;
mod devices;
mod evidence;
mod factors;
mod gates;
mod gates_store;
mod http;
pub mod human;
mod id_token;
mod live;
mod login;
mod model;
mod office;
mod ops;
pub mod phone;
mod purge;
mod recovery;
mod registration;
mod remember;
mod remember_store;
mod sender;
mod social;
mod store;
mod trials;
pub mod verify;
mod window;

pub use arrival::Visit;
pub use bind::{BindEmail, BindMobile};
pub use factors::{ConfirmFactor, FactorKeys, ProveFactor, StepUp};
pub use gates::{Gates, Visitor};
pub use http::{CurrentMember, Entitled, FreePlay, routes};
pub use live::LiveSessions;
pub use login::Login;
pub use office::routes as office_routes;
pub use ops::{SocketIdentity, Started, start_trial, watch};
pub use purge::purge;
pub use recovery::{CodeReset, LinkLook, LinkReset};
pub use registration::register;
pub use sender::Sender;
pub use social::{LoginBySocial, Social};
pub use trials::remove_trials;
