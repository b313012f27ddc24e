//! Bootstrap of the first administrator, and the staff of the demo.

use super::model::{Actor, InitialSecrets};
use super::people::{self, PersonInput};
use super::store;
use crate::Staff;
use platform::error::ApiError;
use platform::totp::TotpSecret;

/// The username of the first administrator.
const FIRST: &str = "admin";

/// Creates the first administrator if there is no staff account yet, and returns the username and
/// the secrets, which are shown once. Of several nodes that start at the same time, one creates it.
///
/// If the temporary passwords of all administrators have expired, nobody could reset them, so one
/// administrator gets new secrets.
pub async fn found(app: &Staff) -> Result<Option<(String, InitialSecrets)>, ApiError> {
    if !store::is_empty(&mut *app.db.acquire().await?).await? {
        let Some(person) = store::find_expired_administrator(&app.db, app.clock.now()).await?
        else {
            return Ok(None);
        };
        let username = person.1.clone();
        return Ok(people::renew_expired(app, person).await?.map(|secrets| (username, secrets)));
    }
    let input = input("Administrator", "administrator", "the office was founded");
    match people::add(app, Actor::server(), FIRST.to_owned(), input).await {
        Ok((_, secrets)) => Ok(Some((FIRST.to_owned(), secrets))),
        Err(error) if error.code == platform::codes::NAME_TAKEN => Ok(None),
        Err(error) => Err(error),
    }
}

/// A staff member of the demo, with public secrets.
#[derive(Clone, Copy, Debug)]
pub struct DemoPerson {
    /// The username.
    pub username: &'static str,
    /// The display name.
    pub name: &'static str,
    /// The only role.
    pub role: &'static str,
    /// The password, known to everybody.
    pub password: &'static str,
    /// The TOTP secret, known to everybody.
    pub factor: &'static [u8; 20],
}

impl DemoPerson {
    /// The TOTP secret as text to type into an authenticator app.
    pub fn secret(&self) -> String {
        TotpSecret::from_bytes(self.factor.to_vec()).text()
    }
}

/// Creates the staff of the demo if there is no staff account yet.
pub async fn create_demo_staff(app: &Staff, people: &[DemoPerson]) -> Result<(), ApiError> {
    if !store::is_empty(&mut *app.db.acquire().await?).await? {
        return Ok(());
    }
    for person in people {
        let input = input(person.name, person.role, "part of the demo");
        let factor = TotpSecret::from_bytes(person.factor.to_vec());
        people::add_known(app, person.username, input, person.password, factor).await?;
    }
    Ok(())
}

fn input(name: &str, role: &str, reason: &str) -> PersonInput {
    PersonInput {
        name: name.to_owned(),
        roles: vec![role.to_owned()],
        is_active: true,
        reason: reason.to_owned(),
    }
}
