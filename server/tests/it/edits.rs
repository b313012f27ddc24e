//! A changed byte anywhere in the ledger's rows is detected, by a constraint or by the audit.
//! `EDITS` says how many changes are tried.

use capiz::audit;
use serde_json::json;
use sqlx::{AssertSqlSafe, PgPool};

use crate::harness::TestApp;

/// The columns of the ledger, with how one byte of each is changed: `$1` is a random byte, `$2` a
/// random position.
const COLUMNS: &[(&str, &str, &str)] = &[
    ("wallet_transfers", "holder_id", UUID),
    ("wallet_transfers", "seq", NUMBER),
    ("wallet_transfers", "amount", NUMBER),
    ("wallet_transfers", "debit_after", NUMBER),
    ("wallet_transfers", "credit_after", NUMBER),
    ("wallet_transfers", "at", TIME),
    ("wallet_transfers", "ref", UUID),
    ("wallet_transfers", "currency", TEXT),
    ("wallet_transfers", "debit", TEXT),
    ("wallet_transfers", "credit", TEXT),
    ("wallet_transfers", "kind", TEXT),
    ("wallet_transfers", "key", TEXT),
    ("wallet_transfers", "body_hash", BYTES),
    ("wallet_transfers", "hash", BYTES),
    ("wallet_holders", "holder_id", UUID),
    ("wallet_holders", "merchant_id", UUID),
    ("wallet_holders", "kind", TEXT),
    ("wallet_holders", "currency", TEXT),
    ("wallet_holders", "held", NUMBER),
    ("wallet_holders", "bonus", NUMBER),
    ("wallet_holders", "points", NUMBER),
    ("wallet_holders", "main", NUMBER),
    ("wallet_holders", "seq", NUMBER),
    ("wallet_holders", "hash", BYTES),
    ("wallet_holders", "desk_ref", UUID),
    ("wallet_holders", "desk_count", NUMBER),
    ("games_rounds", "member_id", UUID),
    ("games_rounds", "id", UUID),
    ("games_rounds", "seed_id", UUID),
    ("games_rounds", "nonce", NUMBER),
    ("games_rounds", "stake", NUMBER),
    ("games_rounds", "payout", NUMBER),
    ("games_rounds", "currency", TEXT),
];

const NUMBER: &str = "COLUMN # (BYTE::bigint << (PLACE % 8 * 8))";
const TIME: &str = "COLUMN + (1::bigint << (PLACE % 40)) * interval '1 microsecond'";
const TEXT: &str = "overlay(COLUMN placing chr(33 + (ascii(substr(COLUMN, PLACE % length(COLUMN) + 1, 1)) - 33 + 1 + BYTE % 93) % 94) from PLACE % length(COLUMN) + 1 for 1)";
const BYTES: &str = "set_byte(COLUMN, PLACE % 32, get_byte(COLUMN, PLACE % 32) # BYTE)";
const UUID: &str = "encode(set_byte(decode(replace(COLUMN::text, '-', ''), 'hex'), PLACE % 16, get_byte(decode(replace(COLUMN::text, '-', ''), 'hex'), PLACE % 16) # BYTE), 'hex')::uuid";

/// The random number of an index (SplitMix64).
fn scrambled(number: u64) -> u64 {
    let mut mixed = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[tokio::test]
async fn one_changed_byte_anywhere_is_found() {
    let edits: u64 = std::env::var("EDITS").map_or(93, |text| text.parse().expect("a number"));
    let test = TestApp::new().await;
    for name in ["maria", "jose"] {
        let member = test.member(name).await;
        for turn in 0..5 {
            let body = json!({ "stake": "10", "choice": { "target": 5000, "direction": "under" } });
            member.play(&format!("the-round-{turn}"), &body).await.value();
        }
    }
    test.assert_ledger_is_sound().await;
    let (mut by_constraint, mut by_audit) = (0, 0);
    for number in 0..edits {
        let seed = scrambled(number + 1);
        match edit(&test.owner, number, seed).await {
            Edit::Refused => by_constraint += 1,
            Edit::Nothing => continue,
            Edit::Done { undo, what } => {
                assert!(audit::run(&test.app.db).await.is_err(), "not found: {what}");
                by_audit += 1;
                sqlx::raw_sql(AssertSqlSafe(undo)).execute(&test.owner).await.unwrap();
            }
        }
    }
    println!("{by_audit} edits were found by the audit, {by_constraint} by constraints");
    assert!(by_audit > edits / 2);
    test.assert_ledger_is_sound().await;
}

enum Edit {
    /// The table's constraints refuse the change.
    Refused,
    /// The row has no value in this column.
    Nothing,
    Done {
        undo: String,
        what: String,
    },
}

/// Changes one byte of one row.
async fn edit(owner: &PgPool, number: u64, seed: u64) -> Edit {
    let (table, column, change) = COLUMNS[usize::try_from(number).unwrap() % COLUMNS.len()];
    let (byte, place) = (seed % 255 + 1, (seed >> 8) % 1_000);
    let change = change
        .replace("COLUMN", column)
        .replace("BYTE", &byte.to_string())
        .replace("PLACE", &place.to_string());
    let count = format!("select count(*) from {table} where {column} is not null");
    let rows: i64 = sqlx::query_scalar(AssertSqlSafe(count)).fetch_one(owner).await.unwrap();
    if rows == 0 {
        return Edit::Nothing;
    }
    let row = i64::try_from(seed >> 32).unwrap() % rows;
    // The row version is identified by its ctid, before and after the change.
    let old = format!(
        "select ctid::text, {column}::text from {table} where {column} is not null
         order by ctid offset {row} limit 1"
    );
    let (ctid, old): (String, String) =
        sqlx::query_as(AssertSqlSafe(old)).fetch_one(owner).await.unwrap();
    let sql = format!(
        "update {table} set {column} = {change} where ctid = '{ctid}'
         returning ctid::text, {column}::text"
    );
    let done: Result<(String, String), _> =
        sqlx::query_as(AssertSqlSafe(sql)).fetch_one(owner).await;
    match done {
        Err(sqlx::Error::Database(_)) => Edit::Refused,
        Err(error) => panic!("{table}.{column}: {error}"),
        Ok((ctid, new)) => {
            assert_ne!(old, new, "{table}.{column} was changed");
            Edit::Done {
                undo: format!("update {table} set {column} = '{old}' where ctid = '{ctid}'"),
                what: format!("{table}.{column}: {old} became {new}"),
            }
        }
    }
}
