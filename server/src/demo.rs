//! Demo data: a merchant, and members whose history was played through the real engine.

use std::sync::Arc;

use capiz_rules::money::{Amount, Currency};
use chrono::Duration;
use sqlx::PgPool;

use crate::App;
use agents::{ContactKind, NewApplication};
use identity::Visit;
use members::{MemberKind, Registration, Way};
use platform::clock::Clock;
use platform::error::ApiError;
use platform::ids::new_id;
use platform::language::Language;
use site::{Merchant, NewMerchant};
use staff::{Actor, DemoPerson};
use studio::{Bet, Player};
use support::{NewFeedback, Question};

/// The demo merchant's code.
const CODE: &str = "capiz";

/// The demo's members: usernames and passwords, printed at the start.
pub const MEMBERS: &[(&str, &str)] =
    &[("maria", "maria-sees-through"), ("joselito", "joselito-sees-through")];

/// The demo's staff, one of each role, printed at the start.
pub const STAFF: &[DemoPerson] = &[
    person("admin", "Amihan Reyes", "administrator", b"capiz-demo-admin-key"),
    person("cashier", "Carlo Santos", "cashier", b"capiz-demo-cashier-k"),
    person("support", "Sampaguita Cruz", "support", b"capiz-demo-support-k"),
    person("content", "Crisanto Bautista", "content", b"capiz-demo-content-k"),
    person("auditor", "Aurora Mendoza", "auditor", b"capiz-demo-auditor-k"),
];

const fn person(
    username: &'static str,
    name: &'static str,
    role: &'static str,
    factor: &'static [u8; 20],
) -> DemoPerson {
    DemoPerson { username, name, role, password: "office-sees-through", factor }
}

/// Rounds that each of them has played, of every game of one step: game, stake and choice.
const HISTORY: &[(&str, &str, &str)] = &[
    ("dice", "10", r#"{"target":4950,"direction":"under"}"#),
    ("windows", "5", "{}"),
    ("plinko", "12.5", r#"{"rows":12,"risk":"medium"}"#),
    ("sari", "8", "{}"),
    ("limbo", "20", r#"{"target":180}"#),
    ("reef", "5", "{}"),
    ("dice", "25", r#"{"target":5050,"direction":"over"}"#),
    ("wheel", "15", r#"{"segments":20,"risk":"low"}"#),
    ("fiesta", "6", "{}"),
    ("keno", "10", r#"{"picks":[3,8,15,21,34]}"#),
    ("scratch", "10", "{}"),
    ("dice", "40", r#"{"target":9000,"direction":"under"}"#),
];
const HISTORY_TURNS: usize = 3;
const HISTORY_STEP: Duration = Duration::minutes(17);
/// How long a letter waits for its answer.
const ANSWERED_AFTER: Duration = Duration::minutes(4);

/// 1,000 PHP for a new member.
const WELCOME_CREDIT: Amount = Amount::from_units(10_000_000);

/// Founds the demo merchant on the loopback hosts.
pub async fn found_merchant(db: &PgPool, clock: &Clock) -> Result<(), sqlx::Error> {
    let now = clock.now();
    let mut tx = db.begin().await?;
    let merchant = NewMerchant {
        id: new_id(now),
        code: CODE,
        name: "Capiz",
        currency: Currency::Php,
        time_zone: "Asia/Manila",
        main_domain: "127.0.0.1",
        welcome_credit: WELCOME_CREDIT,
        hosts: &[("127.0.0.1", true), ("localhost", true), ("[::1]", true)],
    };
    site::insert_merchant(&[content::ON_FOUNDED], &mut tx, &merchant, now).await?;
    tx.commit().await
}

/// Fills an empty database, or goes on where an earlier try was cut off. Does nothing where
/// merchants of the operator's own exist, or where the demo is whole. True when it did
/// something.
///
/// The application's clock is one that stands in the past: it is moved on between rounds, so
/// that the history reads like a day of play.
pub async fn seed(app: &App) -> Result<bool, ApiError> {
    if site::is_empty(&app.db).await? {
        found_merchant(&app.db, &app.clock).await?;
        app.site.sites.refresh().await;
    }
    let Some(merchant) = app.site.sites.find(&app.db, "127.0.0.1", Some(CODE)).await? else {
        return Ok(false);
    };
    staff::found_demo(&app.staff, STAFF).await?;
    let mut players = Vec::new();
    for (username, password) in MEMBERS {
        players.extend(register(app, &merchant, username, password).await?);
    }
    for turn in 0..HISTORY_TURNS {
        for (index, bet) in HISTORY.iter().enumerate() {
            for player in &players {
                app.clock.advance(HISTORY_STEP);
                play(app, *player, bet, format!("demo-round-{turn}-{index}")).await?;
            }
        }
    }
    write_letters(app, &players).await?;
    Ok(!players.is_empty())
}

/// How long the demo's history takes: begin this long before now.
pub fn history_length() -> Duration {
    let rounds = HISTORY_TURNS * HISTORY.len() * MEMBERS.len();
    HISTORY_STEP * i32::try_from(rounds).unwrap_or_default() + ANSWERED_AFTER
}

/// Registers a member of the demo; none where it exists already.
async fn register(
    app: &App,
    merchant: &Arc<Merchant>,
    username: &str,
    password: &str,
) -> Result<Option<Player>, ApiError> {
    if members::is_name_taken(&app.db, merchant.id, username).await? {
        return Ok(None);
    }
    let form = Registration::by_username(username, password);
    let (merchant_of, visit) = (Arc::clone(merchant), Visit::of_nobody());
    let started =
        identity::register(&app.identity, merchant_of, Way::Username, form, visit).await?;
    Ok(Some(Player {
        member_id: started.member_id,
        merchant_id: merchant.id,
        kind: MemberKind::Member,
        currency: merchant.currency,
        is_barred: false,
    }))
}

async fn play(
    app: &App,
    player: Player,
    (game, stake, choice): &(&str, &str, &str),
    key: String,
) -> Result<(), ApiError> {
    let stake = stake.parse().map_err(ApiError::internal)?;
    let choice = serde_json::from_str(choice).map_err(ApiError::internal)?;
    let bet = Bet::new(game, stake, &choice)?;
    match studio::play(&app.studio, player, key, bet).await {
        // A run of bad luck may empty the wallet; the history is then shorter.
        Err(error) if error.code == wallet::codes::INSUFFICIENT_FUNDS => Ok(()),
        other => other.map(drop),
    }
}

/// What a member wrote to the house, and what it answered.
struct Letter {
    question: Question,
    language: Language,
    content: &'static str,
    answer: Option<&'static str>,
}

const LETTERS: &[Letter] = &[
    Letter {
        question: Question::Game,
        language: Language::English,
        content: "How can I check that a round of dice was fair? I would like to see it for myself.",
        answer: Some(
            "Open the round in your history and choose Verify: your browser draws it again from \
             both seeds. Once you rotate your seed, the server seed of all rounds before is shown.",
        ),
    },
    Letter {
        question: Question::Account,
        language: Language::Tagalog,
        content: "Gusto kong palitan ang numero ko dahil nawala ang dati kong telepono. Paano po?",
        answer: None,
    },
];

/// One of the demo's members has written and was answered, another waits, and wants to be an
/// affiliate.
async fn write_letters(app: &App, players: &[Player]) -> Result<(), ApiError> {
    for (player, letter) in players.iter().zip(LETTERS) {
        let feedback = NewFeedback {
            merchant_id: player.merchant_id,
            written_by: Some(player.member_id),
            question: letter.question,
            content: letter.content.to_owned(),
            contact: None,
            language: letter.language,
        };
        let id = support::write(&app.support, feedback, None).await?;
        if let Some(answer) = letter.answer {
            app.clock.advance(ANSWERED_AFTER);
            support::answer(&app.support, Actor::server(), id, answer.to_owned()).await?;
        }
    }
    let Some(player) = players.last() else { return Ok(()) };
    let application = NewApplication {
        merchant_id: player.merchant_id,
        asked_by: Some(player.member_id),
        name: "Joselito Ramos".to_owned(),
        contact_kind: ContactKind::Telegram,
        contact: "@joselito_plays".to_owned(),
        audience: "About 2,000 people who watch my videos on board games in Cebu".to_owned(),
        message: "I would like to show how a round is verified.".to_owned(),
        affiliate_code: None,
        referral_code: None,
        language: Language::English,
    };
    agents::apply(&app.agents, application, None).await.map(drop)
}
