//! Whether every round was paid for, once, and every payment has its round.

use std::collections::HashMap;

use sqlx::PgConnection;
use uuid::Uuid;

use super::model::OpenStake;
use wallet::{AuditError, Offence, RoundMoney, RoundsMoney};

/// A round as the audit looks at it.
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

/// Holds the rounds of some members, those that are still open included, against the money that
/// moved for them. The nonces of a pair run from 0 without a gap or a repetition: no draw was
/// skipped and none was used twice. The next one of the active pair follows.
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
        let without = money.keys().find(|key| !rounds.iter().any(|r| (r.member_id, r.id) == **key));
        let holder_id = without.map_or(Uuid::nil(), |(holder_id, _)| *holder_id);
        return Err(Offence::new(
            holder_id,
            "there are payments without a round, or rounds without payment",
        )
        .into());
    }
    let mut next_nonces: HashMap<Uuid, i64> = HashMap::new();
    for round in rounds {
        let wrong =
            |what: &str| Offence::new(round.member_id, format!("round {}: {what}", round.id));
        if money.get(&(round.member_id, round.id)) != Some(&round.money) {
            return Err(wrong("its stake and payout are not what was moved").into());
        }
        let next = next_nonces.entry(round.seed_id).or_default();
        if round.nonce != *next {
            return Err(wrong("its nonce does not follow").into());
        }
        *next += 1;
    }
    for (member_id, mark) in wallet::list_marks(db, members).await? {
        let Some(seed_id) = mark.reference else { continue };
        if next_nonces.get(&seed_id).copied().unwrap_or_default() != mark.count {
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
