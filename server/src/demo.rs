//! Demo data: a merchant, and members whose history was played through the real engine.

use std::sync::Arc;

use capiz_rules::dice::Direction;
use capiz_rules::money::{Amount, Currency};
use sqlx::PgPool;

use crate::app::App;
use crate::codes::ErrorCode;
use crate::members::{Credentials, MemberKind};
use crate::platform::clock::Clock;
use crate::platform::error::ApiError;
use crate::platform::ids::new_id;
use crate::platform::secret::random_bytes;
use crate::sessions;
use crate::site::{self, Merchant, NewMerchant};
use crate::studio::{self, DiceBet, Player};

/// The demo's members: usernames and passwords, printed at the start.
pub const MEMBERS: &[(&str, &str)] =
    &[("maria", "maria-sees-through"), ("joselito", "joselito-sees-through")];

/// Rounds that each of them has played: stake and target in hundredths.
const HISTORY: &[(&str, u32, Direction)] = &[
    ("10", 4950, Direction::Under),
    ("25", 5050, Direction::Over),
    ("5", 1000, Direction::Under),
    ("20", 7500, Direction::Under),
    ("12.5", 6600, Direction::Over),
    ("40", 9000, Direction::Under),
];
const HISTORY_TURNS: usize = 6;

/// The switches of a new merchant: login and registration by username are open.
const SWITCHES: &[(&str, Option<&str>, bool)] = &[
    ("LOGIN", None, true),
    ("COMM3", Some("LOGIN"), true),
    ("MOBILEVERCODELOGIN3", Some("LOGIN"), false),
    ("REGISTER", None, true),
    ("DIRECTREG3", Some("REGISTER"), true),
    ("USERNAMEREG3", Some("REGISTER"), true),
    ("MOBILENUMREG3", Some("REGISTER"), false),
];

/// 1,000 PHP for a new member.
const WELCOME_CREDIT: Amount = Amount::from_units(10_000_000);

/// Founds the demo merchant on the loopback hosts.
pub async fn found_merchant(db: &PgPool, clock: &Clock) -> Result<(), sqlx::Error> {
    let now = clock.now();
    let mut tx = db.begin().await?;
    let merchant = NewMerchant {
        id: new_id(now),
        code: "capiz",
        name: "Capiz",
        currency: Currency::Php,
        time_zone: "Asia/Manila",
        main_domain: "127.0.0.1",
        welcome_credit: WELCOME_CREDIT,
        hosts: &[("127.0.0.1", true), ("localhost", true), ("[::1]", true)],
        switches: SWITCHES,
    };
    site::insert_merchant(&mut tx, &merchant, now).await?;
    tx.commit().await
}

/// Fills an empty database; does nothing where a merchant exists. True when it filled it.
pub async fn seed(app: &App) -> Result<bool, ApiError> {
    if !site::is_empty(&app.db).await? {
        return Ok(false);
    }
    found_merchant(&app.db, &app.clock).await?;
    app.sites.refresh().await;
    let merchant = app.sites.find(&app.db, "127.0.0.1", None).await?;
    let merchant = merchant.ok_or_else(|| ApiError::internal("the demo merchant is missing"))?;
    for (username, password) in MEMBERS {
        seed_member(app, &merchant, username, password).await?;
    }
    Ok(true)
}

async fn seed_member(
    app: &App,
    merchant: &Arc<Merchant>,
    username: &str,
    password: &str,
) -> Result<(), ApiError> {
    let given = Credentials { username: username.to_owned(), password: password.to_owned() };
    let started = sessions::register(app, Arc::clone(merchant), given, random_bytes()).await?;
    let player = Player {
        member_id: started.member_id,
        merchant_id: merchant.id,
        kind: MemberKind::Member,
        currency: merchant.currency,
    };
    for turn in 0..HISTORY_TURNS {
        for (index, (stake, target, direction)) in HISTORY.iter().enumerate() {
            let stake = stake.parse().map_err(ApiError::internal)?;
            let bet = DiceBet::new(stake, *target, *direction)?;
            let key = format!("demo-round-{turn}-{index}");
            match studio::play_dice(app, player, key, bet).await {
                // A run of bad luck may empty the wallet; the history is then shorter.
                Err(error) if error.code == ErrorCode::WalletInsufficientFunds => {}
                other => drop(other?),
            }
        }
    }
    Ok(())
}
