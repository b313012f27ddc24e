//! All SQL of games.

use capiz_rules::money::{Amount, Currency};
use serde_json::Value;
use sqlx::{PgConnection, PgPool, PgTransaction};
use uuid::Uuid;

use super::model::{Game, Limits, NewRound, Round};

pub(super) async fn list_catalogue(db: &PgPool) -> Result<Vec<Game>, sqlx::Error> {
    let rows = sqlx::query!(
        "select code, vendor, vassalage, game_type, name, support_play,
            min_stake, max_stake, max_payout
         from games_catalogue order by position, code limit 10000"
    )
    .fetch_all(db)
    .await?;
    let games = rows.into_iter().map(|row| Game {
        code: row.code,
        vendor: row.vendor,
        vassalage: row.vassalage,
        game_type: row.game_type,
        name: row.name,
        support_play: row.support_play,
        limits: Limits {
            min_stake: Amount::from_units(row.min_stake),
            max_stake: Amount::from_units(row.max_stake),
            max_payout: Amount::from_units(row.max_payout),
        },
    });
    Ok(games.collect())
}

/// Records a round, in the transaction that moves its money.
pub async fn insert_round(tx: &mut PgTransaction<'_>, round: &NewRound) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into games_rounds
            (member_id, id, merchant_id, game_code, currency, stake, payout, choice, book,
             seed_id, nonce, played_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
        round.member_id,
        round.id,
        round.merchant_id,
        round.game_code,
        round.currency.code(),
        round.stake.units(),
        round.payout.units(),
        round.choice,
        round.book,
        round.seed_id,
        round.nonce,
        round.played_at,
    )
    .execute(&mut **tx)
    .await
    .map(drop)
}

struct RoundRow {
    id: Uuid,
    member_id: Uuid,
    merchant_id: Uuid,
    game_code: String,
    currency: String,
    stake: i64,
    payout: i64,
    choice: Value,
    book: Value,
    seed_id: Uuid,
    nonce: i64,
    played_at: chrono::DateTime<chrono::Utc>,
}

impl TryFrom<RoundRow> for Round {
    type Error = sqlx::Error;

    fn try_from(row: RoundRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            id: row.id,
            member_id: row.member_id,
            merchant_id: row.merchant_id,
            game_code: row.game_code,
            currency: row
                .currency
                .parse::<Currency>()
                .map_err(|e| sqlx::Error::Decode(e.into()))?,
            stake: Amount::from_units(row.stake),
            payout: Amount::from_units(row.payout),
            choice: row.choice,
            book: row.book,
            seed_id: row.seed_id,
            nonce: row.nonce,
            played_at: row.played_at,
        })
    }
}

/// One round of a member.
pub async fn find_round(
    db: &mut PgConnection,
    member_id: Uuid,
    id: Uuid,
) -> Result<Option<Round>, sqlx::Error> {
    let row = sqlx::query_as!(
        RoundRow,
        "select id, member_id, merchant_id, game_code, currency, stake, payout, choice, book,
            seed_id, nonce, played_at
         from games_rounds where member_id = $1 and id = $2",
        member_id,
        id,
    )
    .fetch_optional(db)
    .await?;
    row.map(Round::try_from).transpose()
}

/// A member's rounds, newest first, older than `before`.
pub async fn list_rounds(
    db: &mut PgConnection,
    member_id: Uuid,
    before: Option<Uuid>,
    limit: i64,
) -> Result<Vec<Round>, sqlx::Error> {
    let rows = sqlx::query_as!(
        RoundRow,
        "select id, member_id, merchant_id, game_code, currency, stake, payout, choice, book,
            seed_id, nonce, played_at
         from games_rounds
         where member_id = $1 and ($2::uuid is null or id < $2)
         order by id desc limit $3",
        member_id,
        before,
        limit,
    )
    .fetch_all(db)
    .await?;
    rows.into_iter().map(Round::try_from).collect()
}

/// A merchant's latest wins of real money.
pub(super) async fn list_wins(
    db: &mut PgConnection,
    merchant_id: Uuid,
    limit: i64,
) -> Result<Vec<Round>, sqlx::Error> {
    let rows = sqlx::query_as!(
        RoundRow,
        "select id, member_id, merchant_id, game_code, currency, stake, payout, choice, book,
            seed_id, nonce, played_at
         from games_rounds
         where merchant_id = $1 and payout > stake and currency <> 'FUN'
         order by id desc limit $2",
        merchant_id,
        limit,
    )
    .fetch_all(db)
    .await?;
    rows.into_iter().map(Round::try_from).collect()
}
