//! The SQL of rounds (`games_rounds`).

use capiz_rules::money::{Amount, Currency};
use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::model::{NewRound, Round};
use platform::bulk::{Bulk, Text};

/// Inserts rounds in bulk, in the transaction that moves their money.
pub async fn insert_rounds<'a, I>(db: &mut PgConnection, rounds: I) -> Result<(), sqlx::Error>
where
    I: ExactSizeIterator<Item = &'a NewRound> + Clone,
{
    Bulk::new("games_rounds", rounds.len())
        .uuids("member_id", rounds.clone().map(|round| round.member_id))
        .uuids("id", rounds.clone().map(|round| round.id))
        .uuids("merchant_id", rounds.clone().map(|round| round.merchant_id))
        .uuids("seed_id", rounds.clone().map(|round| round.seed_id))
        .numbers("nonce", rounds.clone().map(|round| round.nonce))
        .numbers("stake", rounds.clone().map(|round| round.stake.units()))
        .numbers("payout", rounds.clone().map(|round| round.payout.units()))
        .numbers("most", rounds.clone().map(|round| round.most.units()))
        .times("played_at", rounds.clone().map(|round| round.played_at))
        .texts("game_code", rounds.clone().map(|round| round.game_code.clone()))
        .texts("currency", rounds.clone().map(|round| Text::Borrowed(round.currency.code())))
        .json("choice", rounds.clone().map(|round| round.choice.clone()))
        .json("actions", rounds.clone().map(|round| round.actions.to_string()))
        .json("book", rounds.map(|round| round.book.clone()))
        .insert(db)
        .await
}

struct RoundRow {
    id: Uuid,
    member_id: Uuid,
    merchant_id: Uuid,
    game_code: String,
    currency: String,
    stake: i64,
    payout: i64,
    most: i64,
    choice: String,
    actions: String,
    book: String,
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
            game_code: row.game_code.into(),
            currency: row
                .currency
                .parse::<Currency>()
                .map_err(|e| sqlx::Error::Decode(e.into()))?,
            stake: Amount::from_units(row.stake),
            payout: Amount::from_units(row.payout),
            most: Amount::from_units(row.most),
            choice: row.choice,
            actions: row.actions.into(),
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
        r#"select id, member_id, merchant_id, game_code, currency, stake, payout, most,
            choice::text as "choice!", actions::text as "actions!", book::text as "book!",
            seed_id, nonce, played_at
         from games_rounds where member_id = $1 and id = $2"#,
        member_id,
        id,
    )
    .fetch_optional(db)
    .await?;
    row.map(Round::try_from).transpose()
}

/// Rounds of several members, looked up by pairs of member and round id.
pub async fn find_rounds(
    db: &mut PgConnection,
    keys: &[(Uuid, Uuid)],
) -> Result<Vec<Round>, sqlx::Error> {
    let (members, ids): (Vec<Uuid>, Vec<Uuid>) = keys.iter().copied().unzip();
    let rows = sqlx::query_as!(
        RoundRow,
        r#"select r.id, r.member_id, r.merchant_id, r.game_code, r.currency, r.stake, r.payout,
            r.most, r.choice::text as "choice!", r.actions::text as "actions!",
            r.book::text as "book!", r.seed_id, r.nonce, r.played_at
         from unnest($1::uuid[], $2::uuid[]) as wanted (member_id, id)
         cross join lateral (
            select * from games_rounds
            where member_id = wanted.member_id and id = wanted.id limit 1
         ) r"#,
        &members,
        &ids,
    )
    .fetch_all(db)
    .await?;
    rows.into_iter().map(Round::try_from).collect()
}

/// The filter of a member's round history.
pub struct RoundFilter<'a> {
    /// Only rounds before this one.
    pub before: Option<Uuid>,
    /// Only rounds played at or after this time.
    pub from: Option<DateTime<Utc>>,
    /// Only rounds played before this time.
    pub until: Option<DateTime<Utc>>,
    /// Only rounds of this game.
    pub game_code: Option<&'a str>,
}

/// The rounds of a member that match a filter, newest first.
pub async fn list_filtered_rounds(
    db: &mut PgConnection,
    member_id: Uuid,
    sought: &RoundFilter<'_>,
    limit: i64,
) -> Result<Vec<Round>, sqlx::Error> {
    let rows = sqlx::query_as!(
        RoundRow,
        r#"select id, member_id, merchant_id, game_code, currency, stake, payout, most,
            choice::text as "choice!", actions::text as "actions!", book::text as "book!",
            seed_id, nonce, played_at
         from games_rounds
         where member_id = $1 and ($2::uuid is null or id < $2)
           and ($3::timestamptz is null or played_at >= $3)
           and ($4::timestamptz is null or played_at < $4)
           and ($5::text is null or game_code = $5)
         order by id desc limit $6"#,
        member_id,
        sought.before,
        sought.from,
        sought.until,
        sought.game_code,
        limit,
    )
    .fetch_all(db)
    .await?;
    rows.into_iter().map(Round::try_from).collect()
}

/// A round by its id alone, for any member. The index on the id alone covers ranges of the table
/// (BRIN), so this costs more than the lookup with the member; only the back office uses it.
pub async fn find_round_of_any_member(
    db: &mut PgConnection,
    id: Uuid,
) -> Result<Option<Round>, sqlx::Error> {
    let row = sqlx::query_as!(
        RoundRow,
        r#"select id, member_id, merchant_id, game_code, currency, stake, payout, most,
            choice::text as "choice!", actions::text as "actions!", book::text as "book!",
            seed_id, nonce, played_at
         from games_rounds where id = $1"#,
        id,
    )
    .fetch_optional(db)
    .await?;
    row.map(Round::try_from).transpose()
}

/// A merchant's latest wins of real money, older than `before` if given.
pub(super) async fn list_wins(
    db: &mut PgConnection,
    merchant_id: Uuid,
    before: Option<Uuid>,
    limit: i64,
) -> Result<Vec<Round>, sqlx::Error> {
    let rows = sqlx::query_as!(
        RoundRow,
        r#"select id, member_id, merchant_id, game_code, currency, stake, payout, most,
            choice::text as "choice!", actions::text as "actions!", book::text as "book!",
            seed_id, nonce, played_at
         from games_rounds
         where merchant_id = $1 and payout > stake and currency <> 'FUN'
           and ($2::uuid is null or id < $2)
         order by id desc limit $3"#,
        merchant_id,
        before,
        limit,
    )
    .fetch_all(db)
    .await?;
    rows.into_iter().map(Round::try_from).collect()
}

/// The sum over all rounds of some games of one `parts`-th of each stake, by merchant and currency.
pub async fn list_shares(
    db: &mut PgConnection,
    codes: &[String],
    parts: i64,
) -> Result<Vec<(Uuid, String, i64)>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"select merchant_id, currency, sum(stake / $2)::bigint as "amount!" from games_rounds
         where game_code = any($1) group by merchant_id, currency"#,
        codes,
        parts,
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(|row| (row.merchant_id, row.currency, row.amount)).collect())
}

/// A random sample of about `count` rounds, without a full table scan: `tablesample` picks random
/// pages, twice as many as needed on average.
pub async fn sample_rounds(db: &mut PgConnection, count: i64) -> Result<Vec<Round>, sqlx::Error> {
    let rows = sqlx::query_as!(
        RoundRow,
        r#"select id, member_id, merchant_id, game_code, currency, stake, payout, most,
            choice::text as "choice!", actions::text as "actions!", book::text as "book!",
            seed_id, nonce, played_at
         from games_rounds tablesample system (
            least(100, 200.0 * $1::bigint / greatest(1, (
                select reltuples from pg_class where oid = 'games_rounds'::regclass)))
         ) limit $1"#,
        count,
    )
    .fetch_all(db)
    .await?;
    rows.into_iter().map(Round::try_from).collect()
}
