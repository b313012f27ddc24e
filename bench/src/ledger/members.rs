//! Creates the members that play with the server's own code, so that their rows are the same as in
//! production.

use std::sync::Arc;

use capiz::App;
use capiz_rules::money::{Amount, Currency};
use members::{Hashes, Links, NewAccount, Registration, RegistrationMethod};
use platform::ids::new_id;
use site::{Merchant, NewMerchant};
use studio::Player;
use tokio::task::JoinSet;

use super::ground::Setup;
use super::refused;
use crate::Failure;

/// Ten million, so that no member runs out of money.
const CREDIT: Amount = Amount::from_units(100_000_000_000);
/// The number of concurrent transactions that create members.
const MAKERS: usize = 4;

/// Members of one merchant, each with money and seeds.
pub struct Crowd {
    /// In the order of their ids.
    pub players: Arc<[Player]>,
}

impl Crowd {
    /// Creates a merchant and this many members.
    pub async fn register(setup: &Setup, count: usize) -> Result<Self, Failure> {
        let merchant = create_merchant(&setup.app).await?;
        let mut tasks = JoinSet::new();
        let share = count.div_ceil(MAKERS);
        for first in (0..count).step_by(share) {
            let numbers = first..(first + share).min(count);
            tasks.spawn(register(setup.app.clone(), Arc::clone(&merchant), numbers));
        }
        let mut players = Vec::with_capacity(count);
        while let Some(made) = tasks.join_next().await {
            players.append(&mut made??);
        }
        players.sort_by_key(|player| player.member_id);
        Ok(Self { players: players.into() })
    }
}

async fn create_merchant(app: &App) -> Result<Arc<Merchant>, Failure> {
    const HOST: &str = "127.0.0.1";
    let now = app.clock.now();
    let merchant = NewMerchant {
        id: new_id(now),
        code: "bench",
        name: "Bench",
        currency: Currency::Php,
        time_zone: "Asia/Manila",
        main_domain: HOST,
        welcome_credit: CREDIT,
        hosts: &[(HOST, false)],
    };
    let mut tx = app.db.begin().await?;
    site::insert_merchant(&[], &mut tx, &merchant, now).await?;
    tx.commit().await?;
    app.site.sites.refresh().await;
    let merchant = app.site.sites.find(&app.db, HOST, None).await?;
    merchant.ok_or_else(|| "the merchant cannot be found".into())
}

async fn register(
    app: App,
    merchant: Arc<Merchant>,
    numbers: std::ops::Range<usize>,
) -> Result<Vec<Player>, Failure> {
    let mut players = Vec::with_capacity(numbers.len());
    let mut tx = app.db.begin().await?;
    for number in numbers {
        let form = Registration::by_username(&format!("player{number}"), "a-good-password");
        let newcomer = form
            .check(RegistrationMethod::Username, &merchant, app.clock.now())
            .map_err(refused)?;
        // Nobody logs in, so a placeholder instead of a password hash is enough.
        let hashes = Hashes { password: Some("none".to_owned()), payment_password: None };
        let account = NewAccount {
            newcomer,
            hashes,
            links: Links::default(),
            is_mobile_verified: false,
            is_email_verified: false,
            to_complete: false,
            language: None,
        };
        let made = members::create(&app.members, &mut tx, &merchant, account).await;
        let member = made.map_err(refused)?;
        app.members.run_registered_hooks(&mut tx, &member).await.map_err(refused)?;
        players.push(Player {
            member_id: member.profile.id,
            merchant_id: merchant.id,
            kind: member.profile.kind,
            currency: member.profile.currency,
            is_restricted: false,
        });
    }
    tx.commit().await?;
    Ok(players)
}
