//! Whether every round was paid for, once, and every payment has its round.

use std::collections::HashMap;

use sqlx::PgConnection;
use uuid::Uuid;

use crate::wallet::{self, AuditError, Offence, RoundMoney, RoundsMoney};

/// Holds the rounds of some members against the money that moved for them. The nonces of a pair
/// run from 0 without a gap or a repetition: no draw was skipped and none was used twice. The next
/// one of the active pair follows.
pub async fn check_rounds(
    db: &mut PgConnection,
    members: &[Uuid],
    money: &RoundsMoney,
) -> Result<(), AuditError> {
    let rounds = sqlx::query!(
        "select member_id, id, stake, payout, currency, seed_id, nonce from games_rounds
         where member_id = any($1) order by member_id, seed_id, nonce",
        members,
    )
    .fetch_all(&mut *db)
    .await?;
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
        let moved =
            RoundMoney { stake: round.stake, payout: round.payout, currency: round.currency };
        if money.get(&(round.member_id, round.id)) != Some(&moved) {
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
