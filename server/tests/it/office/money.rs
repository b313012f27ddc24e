//! Tracing money in the office: balances, the record, a transfer, its round, and back.

use axum::http::{Method, header};
use serde_json::{Value, json};

use super::members::id_of;
use super::{Clerk, clerk, office};
use crate::harness::Client;

fn roll(stake: &str) -> Value {
    json!({ "stake": stake, "choice": { "target": 5000, "direction": "under" } })
}

async fn record(clerk: &Clerk<'_>, id: &str, query: &str) -> Value {
    clerk.get(&format!("/office/api/members/{id}/transfers?{query}")).await.value().clone()
}

fn seqs(page: &Value) -> Vec<i64> {
    page["content"].as_array().unwrap().iter().map(|row| row["seq"].as_i64().unwrap()).collect()
}

/// Plays until a round wins; returns its id.
async fn win(client: &Client<'_>) -> String {
    for number in 0.. {
        let round = client.play(&format!("until-one-wins-{number}"), &roll("10")).await;
        if round.value()["payout"] != "0" {
            return round.value()["id"].as_str().unwrap().to_owned();
        }
    }
    unreachable!()
}

#[tokio::test]
async fn a_cent_is_followed_from_the_balance_to_the_round_and_back() {
    let test = office().await;
    let maria = test.member("maria").await;
    let id = id_of(&maria).await;
    let round_id = win(&maria).await;
    let cashier = clerk(&test, "cashier").await;
    let wallet = cashier.get(&format!("/office/api/members/{id}/wallet")).await;
    let accounts = wallet.value()["accounts"].as_array().unwrap();
    assert_eq!(accounts[0]["account"], "main");
    assert_eq!(accounts[0]["balance"], maria.balance().await);
    let head = wallet.value()["head"]["seq"].as_i64().unwrap();

    let page = record(&cashier, &id, "limit=2").await;
    assert_eq!(seqs(&page), [head, head - 1]);
    let path = format!("/office/api/members/{id}/transfers/{head}");
    let payout = cashier.get(&path).await;
    let payout = payout.value();
    assert_eq!(payout["about"], "round");
    assert_eq!(payout["transfer"]["kind"], "payout");
    assert_eq!(payout["transfer"]["reference"], round_id);
    assert_eq!(payout["transfer"]["creditAfter"], maria.balance().await);
    assert_eq!(payout["hashHolds"], true);
    assert_eq!(payout["head"]["seq"], head);
    assert_eq!(payout["beside"][0]["seq"], head - 1);
    assert_eq!(payout["beside"][0]["kind"], "stake");
    assert_eq!(payout["creditBefore"], payout["beside"][0]["debitAfter"]);
    assert_eq!(payout["previousHash"], payout["beside"][0]["hash"]);

    let round = cashier.get(&format!("/office/api/rounds/{round_id}")).await;
    let round = round.value();
    assert_eq!(round["memberId"], id);
    assert_eq!(round["account"], "maria");
    assert_eq!(round["round"]["seed"]["serverSeed"], Value::Null, "it is in use");
    let moved: Vec<_> = round["transfers"].as_array().unwrap().iter().map(|t| &t["seq"]).collect();
    assert_eq!(moved, [head - 1, head]);
    let rotate = json!({ "clientSeed": "bagong salita" });
    maria.post("/lgw/fair/seed/rotate", &rotate).await.value();
    let round = cashier.get(&format!("/office/api/rounds/{round_id}")).await;
    assert!(round.value()["round"]["seed"]["serverSeed"].is_string());

    let gift = cashier.get(&format!("/office/api/members/{id}/transfers/1")).await;
    assert_eq!(gift.value()["about"], "gift");
    assert_eq!(gift.value()["previousHash"], "00".repeat(32));
    let none = cashier.get(&format!("/office/api/members/{id}/transfers/{}", head + 1)).await;
    none.assert_refused(404, "wallet.unknown_transfer");
    let none = cashier.get(&format!("/office/api/members/{id}/transfers/0")).await;
    none.assert_refused(404, "wallet.unknown_transfer");

    // A row that was changed in the database is reported.
    test.change("update wallet_transfers set amount = amount + 1 where seq = 2").await;
    let changed = cashier.get(&format!("/office/api/members/{id}/transfers/2")).await;
    assert_eq!(changed.value()["hashHolds"], false);
}

#[tokio::test]
async fn a_correction_names_who_asked_and_who_agreed() {
    let test = office().await;
    let maria = test.member("maria").await;
    let id = id_of(&maria).await;
    let (cashier, admin) = (clerk(&test, "cashier").await, clerk(&test, "admin").await);
    let what = json!({ "memberId": id, "direction": "credit", "amount": "0.01" });
    let correction = json!({ "kind": "wallet.correct", "what": what, "reason": "a cent was lost" });
    let correction = cashier.send(Method::POST, "/office/api/approvals", Some(&correction)).await;
    let approval = correction.value().as_str().unwrap().to_owned();
    let agrees = json!({ "agrees": true, "reason": "seen in the rounds" });
    let path = format!("/office/api/approvals/{approval}");
    admin.send(Method::POST, &path, Some(&agrees)).await.value();
    let support = clerk(&test, "support").await;
    let transfer = support.get(&format!("/office/api/members/{id}/transfers/2")).await;
    let transfer = transfer.value();
    assert_eq!(transfer["about"], "correction");
    assert_eq!(transfer["transfer"]["reference"], approval);
    assert_eq!(transfer["approval"]["askedBy"], "cashier");
    assert_eq!(transfer["approval"]["decidedBy"], "admin");
    assert_eq!(transfer["approval"]["reason"], "a cent was lost");
    assert_eq!(transfer["creditBefore"], "1000");
    assert_eq!(transfer["transfer"]["creditAfter"], "1000.01");
}

#[tokio::test]
async fn a_record_is_looked_through_by_reason_account_time_and_amount() {
    let test = office().await;
    let maria = test.member("maria").await;
    let id = id_of(&maria).await;
    let start = test.app.clock.now();
    for (number, stake) in ["10", "20", "30", "40"].iter().enumerate() {
        test.advance(chrono::Duration::hours(1));
        maria.get("/wps/member/info").await;
        let mut maria = maria.clone();
        if maria.get("/wps/member/info").await.status != 200 {
            maria.login("maria", crate::harness::PASSWORD).await.value();
        }
        maria.play(&format!("round-number-{number}"), &roll(stake)).await.value();
    }
    let cashier = clerk(&test, "cashier").await;
    let stakes = record(&cashier, &id, "kind=stake").await;
    assert_eq!(seqs(&stakes).len(), 4);
    assert_eq!(stakes["next"], Value::Null);
    assert_eq!(seqs(&record(&cashier, &id, "account=house:promotions").await), [1]);
    let large = record(&cashier, &id, "kind=stake&least=20&most=30").await;
    let amounts: Vec<_> =
        large["content"].as_array().unwrap().iter().map(|row| row["amount"].clone()).collect();
    assert_eq!(amounts, ["30", "20"]);
    let at = |hours| {
        let time = start + chrono::Duration::hours(hours);
        time.to_rfc3339_opts(chrono::SecondsFormat::Secs, true)
    };
    let between = format!("kind=stake&from={}&until={}", at(2), at(4));
    let amounts: Vec<_> = record(&cashier, &id, &between).await["content"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["amount"].clone())
        .collect();
    assert_eq!(amounts, ["30", "20"]);
    let rounds = format!("/office/api/members/{id}/rounds?from={}&until={}", at(2), at(4));
    let rounds = cashier.get(&rounds).await;
    assert_eq!(rounds.value()["content"].as_array().unwrap().len(), 2);
    assert_eq!(rounds.value()["games"][0]["code"], "dice");
    let others = cashier.get(&format!("/office/api/members/{id}/rounds?game=bingo")).await;
    assert_eq!(others.value()["content"], json!([]));
    // Page by page, without a gap.
    let (mut all, mut before) = (Vec::new(), String::new());
    loop {
        let page = record(&cashier, &id, &format!("kind=stake&limit=1{before}")).await;
        all.extend(seqs(&page));
        match page["next"].as_i64() {
            Some(next) => before = format!("&before={next}"),
            None => break,
        }
    }
    assert_eq!(all, seqs(&stakes));
    for query in
        ["kind=theft", "account=mine", "from=9999999999", "least=x", "from=-9999-01-01T00:00:00Z"]
    {
        let path = format!("/office/api/members/{id}/transfers?{query}");
        let answer = cashier.get(&path).await;
        assert_eq!(answer.status.as_u16(), 400, "{query}: {}", answer.text);
    }
    let file = cashier.get(&format!("/office/api/members/{id}/transfers/export?kind=stake")).await;
    assert_eq!(file.text.lines().count(), 5, "{}", file.text);
    assert!(file.headers[header::CONTENT_TYPE].to_str().unwrap().starts_with("text/csv"));
    let auditor = clerk(&test, "auditor").await;
    let taken = auditor.audit_log(&json!({ "subject": format!("member:{id}") })).await;
    assert_eq!(taken.value()[0]["action"], "wallet.export");
}

#[tokio::test]
async fn the_palette_finds_what_ones_rights_allow() {
    let test = office().await;
    let maria = test.member("maria").await;
    let id = id_of(&maria).await;
    let round_id = win(&maria).await;
    let cashier = clerk(&test, "cashier").await;
    let what = json!({ "memberId": id, "direction": "credit", "amount": "1" });
    let correction =
        json!({ "kind": "wallet.correct", "what": what, "reason": "a round was lost" });
    let correction = cashier.send(Method::POST, "/office/api/approvals", Some(&correction)).await;
    let approval = correction.value().as_str().unwrap().to_owned();
    let content = clerk(&test, "content").await;
    let support = clerk(&test, "support").await;
    let kinds = async |clerk: &Clerk<'_>, text: &str| -> Vec<String> {
        let answer = clerk.find("/office/api/find", &json!({ "q": text })).await;
        let things = answer.value().as_array().unwrap().iter();
        things.map(|thing| thing["kind"].as_str().unwrap().to_owned()).collect()
    };
    for text in ["mari", &id, &round_id, &approval, &format!("{id}:1")] {
        assert_eq!(kinds(&content, text).await, [""; 0], "{text}");
    }
    assert_eq!(kinds(&support, "mari").await, ["member"]);
    assert_eq!(kinds(&support, &id).await, ["member"]);
    assert_eq!(kinds(&support, &round_id).await, ["round"]);
    assert_eq!(kinds(&support, &format!("{id}:1")).await, ["transfer"]);
    assert_eq!(kinds(&support, &approval).await, [""; 0]);
    assert_eq!(kinds(&cashier, &approval).await, ["approval"]);
    assert_eq!(kinds(&support, "m").await, [""; 0]);
    let nothing = support.find("/office/api/find", &json!({})).await;
    nothing.assert_refused(400, "request.malformed");
    // Staff who may see rounds but not wallets see no balances.
    test.change("update staff_roles set rights = '{rounds.read}' where name = 'content'").await;
    let round = content.get(&format!("/office/api/rounds/{round_id}")).await;
    assert_eq!(round.value()["transfers"], Value::Null);
    content
        .get(&format!("/office/api/rounds/{id}"))
        .await
        .assert_refused(404, "games.unknown_round");
}
