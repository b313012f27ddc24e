//! Demo data: a merchant, staff, and members whose rounds are played by the real game engine.

use std::sync::Arc;

use capiz_rules::money::{Amount, Currency};
use chrono::Duration;
use sqlx::PgPool;

use crate::App;
use agents::{ContactKind, NewApplication};
use identity::Visit;
use members::{MemberKind, Registration, RegistrationMethod};
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

/// The demo members: usernames and passwords, printed at the start.
pub const MEMBERS: &[(&str, &str)] =
    &[("maria", "maria-sees-through"), ("joselito", "joselito-sees-through")];

/// The demo staff, one for each role, printed at the start.
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

/// The rounds that each member plays, from all games that take a single step: game, stake and
/// choice.
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
const HISTORY_REPEATS: usize = 3;
const HISTORY_STEP: Duration = Duration::minutes(17);
/// How long a feedback message waits for its answer.
const ANSWERED_AFTER: Duration = Duration::minutes(4);

/// The welcome credit of a new member: 1,000 PHP.
const WELCOME_CREDIT: Amount = Amount::from_units(10_000_000);

/// Creates the demo merchant on the loopback hosts.
pub async fn create_demo_merchant(db: &PgPool, clock: &Clock) -> Result<(), sqlx::Error> {
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
    site::insert_merchant(&[content::ON_MERCHANT_CREATED], &mut tx, &merchant, now).await?;
    tx.commit().await
}

/// Fills an empty database with demo data, or completes an interrupted attempt. Does nothing if the
/// operator's own merchants exist, or if the demo is complete. Returns whether it added anything.
///
/// The application needs a fixed clock in the past. It is advanced between rounds, so that the
/// history looks like a day of play.
pub async fn seed(app: &App) -> Result<bool, ApiError> {
    if site::is_empty(&app.db).await? {
        create_demo_merchant(&app.db, &app.clock).await?;
        app.site.sites.refresh().await;
    }
    let Some(merchant) = app.site.sites.find(&app.db, "127.0.0.1", Some(CODE)).await? else {
        return Ok(false);
    };
    staff::create_demo_staff(&app.staff, STAFF).await?;
    let mut players = Vec::new();
    for (username, password) in MEMBERS {
        players.extend(register(app, &merchant, username, password).await?);
    }
    for repeat in 0..HISTORY_REPEATS {
        for (index, bet) in HISTORY.iter().enumerate() {
            for player in &players {
                app.clock.advance(HISTORY_STEP);
                play(app, *player, bet, format!("demo-round-{repeat}-{index}")).await?;
            }
        }
    }
    write_feedback(app, &players).await?;
    Ok(!players.is_empty())
}

/// The length of the demo's history: start the clock this long before now.
pub fn history_length() -> Duration {
    let rounds = HISTORY_REPEATS * HISTORY.len() * MEMBERS.len();
    HISTORY_STEP * i32::try_from(rounds).unwrap_or_default() + ANSWERED_AFTER
}

/// Registers a demo member. `None` if the member exists already.
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
    let (merchant_handle, visit) = (Arc::clone(merchant), Visit::of_nobody());
    let started = identity::register(
        &app.identity,
        merchant_handle,
        RegistrationMethod::Username,
        form,
        visit,
    )
    .await?;
    Ok(Some(Player {
        member_id: started.member_id,
        merchant_id: merchant.id,
        kind: MemberKind::Member,
        currency: merchant.currency,
        is_restricted: false,
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
        // Losses may empty the wallet; the history is then shorter.
        Err(error) if error.code == wallet::codes::INSUFFICIENT_FUNDS => Ok(()),
        other => other.map(drop),
    }
}

/// A feedback message of a member, and its answer.
struct Feedback {
    question: Question,
    language: Language,
    content: &'static str,
    answer: Option<&'static str>,
}

const FEEDBACK: &[Feedback] = &[
    Feedback {
        question: Question::Game,
        language: Language::English,
        content: "How can I check that a round of dice was fair? I would like to see it for myself.",
        answer: Some(
            "Open the round in your history and choose Verify: your browser draws it again from \
             both seeds. Once you rotate your seed, the server seed of all rounds before is shown.",
        ),
    },
    Feedback {
        question: Question::Account,
        language: Language::Tagalog,
        content: "Gusto kong palitan ang numero ko dahil nawala ang dati kong telepono. Paano po?",
        answer: None,
    },
];

/// Adds feedback of both members, one answered and one open, and an affiliate application.
async fn write_feedback(app: &App, players: &[Player]) -> Result<(), ApiError> {
    for (player, sample) in players.iter().zip(FEEDBACK) {
        let feedback = NewFeedback {
            merchant_id: player.merchant_id,
            written_by: Some(player.member_id),
            question: sample.question,
            content: sample.content.to_owned(),
            contact: None,
            language: sample.language,
        };
        let id = support::write(&app.support, feedback, None).await?;
        if let Some(answer) = sample.answer {
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
