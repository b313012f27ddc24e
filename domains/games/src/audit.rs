//! The audit of rounds against the ledger: every round was paid exactly once, and every payment
//! belongs to a round.

use std::collections::HashMap;

use sqlx::PgConnection;
use uuid::Uuid;

use super::model::OpenStake;
use wallet::{AuditError, Offence, RoundMoney, RoundsMoney};

/// The columns of a round that the audit compares.
struct Checked {
    member_id: Uuid,
    id: Uuid,
    money: RoundMoney,
    seed_id: Uuid,
    nonce: i64,
}

impl From<OpenStake> for Checked {
    fn from(open: OpenStake) -> Self {
        let currency = open.currency.code().to_owned();
        let money = RoundMoney { stake: open.stake.units(), payout: 0, currency };
        let OpenStake { member_id, id, seed_id, nonce, .. } = open;
        Self { member_id, id, money, seed_id, nonce }
    }
}

/// Compares the rounds of some members, including open ones, with the transfers made for them. The
/// nonces of a seed pair must run from 0 without gap or repetition, so no draw was skipped or used
/// twice; the next nonce of the active pair must follow the last one used.
pub async fn check_rounds(
    db: &mut PgConnection,
    members: &[Uuid],
    money: &RoundsMoney,
    open: Vec<OpenStake>,
) -> Result<(), AuditError> {
    let mut rounds = list_rounds(db, members).await?;
    rounds.extend(open.into_iter().map(Checked::from));
    rounds.sort_by_key(|round| (round.member_id, round.seed_id, round.nonce));
    if rounds.len() != money.len() {
        let unmatched =
            money.keys().find(|key| !rounds.iter().any(|r| (r.member_id, r.id) == **key));
        let holder_id = unmatched.map_or(Uuid::nil(), |(holder_id, _)| *holder_id);
        return Err(Offence::new(
            holder_id,
            "there are payments without a round, or rounds without payment",
        )
        .into());
    }
    let mut next_nonces: HashMap<Uuid, i64> = HashMap::new();
    for round in rounds {
        let offence =
            |what: &str| Offence::new(round.member_id, format!("round {}: {what}", round.id));
        if money.get(&(round.member_id, round.id)) != Some(&round.money) {
            return Err(offence("its stake and payout are not what was moved").into());
        }
        let next = next_nonces.entry(round.seed_id).or_default();
        if round.nonce != *next {
            return Err(offence("its nonce does not follow").into());
        }
        *next += 1;
    }
    for (member_id, cursor) in wallet::list_cursors(db, members).await? {
        let Some(seed_id) = cursor.reference else { continue };
        if next_nonces.get(&seed_id).copied().unwrap_or_default() != cursor.count {
            return Err(Offence::new(member_id, "the next nonce does not follow").into());
        }
    }
    Ok(())
}

async fn list_rounds(db: &mut PgConnection, members: &[Uuid]) -> Result<Vec<Checked>, sqlx::Error> {
    let rows = sqlx::query!(
        "select member_id, id, stake, payout, currency, seed_id, nonce from games_rounds
         where member_id = any($1) order by member_id, seed_id, nonce",
        members,
    )
    .fetch_all(db)
    .await?;
    let rounds = rows.into_iter().map(|row| Checked {
        member_id: row.member_id,
        id: row.id,
        money: RoundMoney { stake: row.stake, payout: row.payout, currency: row.currency },
        seed_id: row.seed_id,
        nonce: row.nonce,
    });
    Ok(rounds.collect())
}
