//! The ledger's protection: what the server's database role may not do, and what the audit detects.

use capiz::audit;
use serde_json::json;

use crate::harness::TestApp;

async fn played() -> TestApp {
    let test = TestApp::new().await;
    let member = test.member("maria").await;
    for turn in 0..5 {
        let body = json!({ "stake": "10", "choice": { "target": 5000, "direction": "under" } });
        member.play(&format!("the-round-{turn}"), &body).await.value();
    }
    test.assert_ledger_is_sound().await;
    test
}

#[tokio::test]
async fn the_server_can_neither_change_nor_remove_a_transfer() {
    let test = played().await;
    for sql in [
        "update wallet_transfers set amount = amount + 1",
        "delete from wallet_transfers",
        "truncate wallet_transfers",
        "update games_rounds set payout = 0",
        "delete from games_rounds",
        "delete from wallet_holders",
        "update wallet_holders set currency = 'PTS'",
        "update wallet_proofs set total = 0",
        "delete from wallet_holds",
        "update studio_seeds set server_seed = '\\x00'",
        "update studio_seeds set commitment = sha256('x')",
        "alter table wallet_transfers disable trigger all",
        "create table capiz_scratch ()",
    ] {
        let error = sqlx::query(sql).execute(&test.app.db).await.unwrap_err();
        let code = error.as_database_error().and_then(|e| e.code()).unwrap_or_default();
        assert_eq!(code, "42501", "{sql}: {error}");
    }
}

#[tokio::test]
async fn the_tables_refuse_what_cannot_be() {
    let test = played().await;
    for sql in [
        "update wallet_holders set main = -1",
        "update wallet_holders set held = -1",
        "update wallet_transfers set amount = 0",
        "update wallet_transfers set amount = -5",
        "update wallet_transfers set credit = debit",
        "update wallet_transfers set currency = 'FUN'",
        "update wallet_transfers set debit_after = null, credit_after = null",
    ] {
        let error = sqlx::query(sql).execute(&test.owner).await.unwrap_err();
        let code = error.as_database_error().and_then(|e| e.code()).unwrap_or_default();
        assert_eq!(code, "23514", "{sql}: {error}");
    }
}

#[tokio::test]
async fn the_audit_finds_every_kind_of_tampering() {
    for sql in [
        "update wallet_holders set main = main + 1",
        "update wallet_holders set held = held + 1",
        "update wallet_holders set bonus = bonus + 1",
        "update wallet_holders set points = points + 1",
        "update wallet_holders set has_vendors = true",
        "update wallet_holders set merchant_id = gen_random_uuid()",
        "update wallet_holders set kind = 'escrow'",
        "update wallet_holders set seq = seq + 1",
        "update wallet_holders set hash = sha256('x')",
        "update wallet_holders set desk_ref = gen_random_uuid()",
        "update wallet_holders set desk_count = desk_count + 1",
        "insert into wallet_holds select holder_id, gen_random_uuid(), 1 from wallet_holders",
        "update games_rounds set payout = payout + 1 where nonce = 2",
        "update games_rounds set stake = stake + 1 where nonce = 2",
        "update games_rounds set nonce = 7 where nonce = 2",
        "delete from games_rounds where nonce = 4",
        "update wallet_transfers set amount = amount + 1 where seq = 2",
        "update wallet_transfers set at = at + interval '1 microsecond' where seq = 3",
        "update wallet_transfers set ref = gen_random_uuid() where seq = 2",
        "update wallet_transfers set kind = 'welcome' where seq = 2",
        "update wallet_transfers set key = 'other-key' where seq = 2",
        "delete from wallet_transfers where seq = 2",
        "delete from wallet_transfers where seq = (select max(seq) from wallet_transfers)",
        "update wallet_transfers set seq = seq + 1000 where seq = 1",
        "update wallet_holders set currency = 'PTS'",
        "delete from wallet_holders",
        "insert into wallet_transfers select gen_random_uuid(), seq, amount, debit_after,
            credit_after, at, reverses, ref, currency, debit, credit, kind, key, body_hash, hash
         from wallet_transfers where seq = 1",
    ] {
        let test = played().await;
        let changed = sqlx::query(sql).execute(&test.owner).await.unwrap();
        assert_eq!(changed.rows_affected(), 1, "{sql}");
        assert!(audit::run(&test.app.db).await.is_err(), "not found: {sql}");
        test.close().await;
    }
}

#[tokio::test]
async fn money_is_neither_made_nor_lost() {
    let test = played().await;
    test.member("jose").await;
    test.trial().await;
    // The balances of members are what the house accounts paid.
    let rows: Vec<(String, i64, i64)> = sqlx::query_as(
        "select a.currency, sum(a.main)::bigint,
            (select sum(case when t.debit like 'house:%' then t.amount else -t.amount end)::bigint
             from wallet_transfers t where t.currency = a.currency)
         from wallet_holders a group by a.currency order by a.currency",
    )
    .fetch_all(&test.owner)
    .await
    .unwrap();
    assert_eq!(rows.len(), 2);
    for (currency, owned, given) in rows {
        assert_eq!(owned, given, "{currency}");
    }
}
