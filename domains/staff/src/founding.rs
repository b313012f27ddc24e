//! The first people of an office.

use super::model::{Actor, NewcomerSecrets};
use super::people::{self, Card};
use super::store;
use crate::Staff;
use platform::error::ApiError;
use platform::totp::TotpSecret;

/// Who runs an office that has nobody yet.
const FIRST: &str = "admin";

/// Adds the first administrator where nobody works yet: the username and the secrets, which are
/// told once. Of nodes that start at the same time one adds it. Where nobody is left who may do
/// everything and has a password that is good, nobody can give another: one of them gets new secrets.
pub async fn found(app: &Staff) -> Result<Option<(String, NewcomerSecrets)>, ApiError> {
    if !store::is_empty(&mut *app.db.acquire().await?).await? {
        let Some(person) = store::find_shut_out(&app.db, app.clock.now()).await? else {
            return Ok(None);
        };
        let username = person.1.clone();
        return Ok(people::renew_over(app, person).await?.map(|secrets| (username, secrets)));
    }
    let card = card("Administrator", "administrator", "the office was founded");
    match people::add(app, Actor::server(), FIRST.to_owned(), card).await {
        Ok((_, secrets)) => Ok(Some((FIRST.to_owned(), secrets))),
        Err(error) if error.code == platform::codes::NAME_TAKEN => Ok(None),
        Err(error) => Err(error),
    }
}

/// Somebody of the demo's office, with everything that it takes to log in.
#[derive(Clone, Copy, Debug)]
pub struct DemoPerson {
    /// What they log in as.
    pub username: &'static str,
    /// What they are called.
    pub name: &'static str,
    /// Their one role.
    pub role: &'static str,
    /// Known to everybody.
    pub password: &'static str,
    /// The authenticator's twenty bytes, known to everybody.
    pub factor: &'static [u8; 20],
}

impl DemoPerson {
    /// The authenticator's secret as it is typed.
    pub fn secret(&self) -> String {
        TotpSecret::from_bytes(self.factor.to_vec()).text()
    }
}

/// Adds the demo's people where nobody works yet.
pub async fn found_demo(app: &Staff, people: &[DemoPerson]) -> Result<(), ApiError> {
    if !store::is_empty(&mut *app.db.acquire().await?).await? {
        return Ok(());
    }
    for person in people {
        let card = card(person.name, person.role, "part of the demo");
        let factor = TotpSecret::from_bytes(person.factor.to_vec());
        people::add_known(app, person.username, card, person.password, factor).await?;
    }
    Ok(())
}

fn card(name: &str, role: &str, reason: &str) -> Card {
    Card {
        name: name.to_owned(),
        roles: vec![role.to_owned()],
        is_active: true,
        reason: reason.to_owned(),
    }
}
