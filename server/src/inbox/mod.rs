//! Inbox: what members and visitors write to the house, and what it answers.
//!
//! Owns the tables `inbox_*`. Whoever is not logged in passes the human check; everybody has a
//! budget. Feedback is heard also where the site is closed: its replacement pages have no other
//! way to reach the house. It is answered once, and whoever wrote it as a member finds the answer
//! on the page, and in the mail where an address is verified.

mod http;
mod model;
mod office_http;
mod ops;
mod store;
mod texts;

pub use http::routes;
pub use model::{NewFeedback, Question};
pub use office_http::routes as office_routes;
pub use ops::{answer, write};
