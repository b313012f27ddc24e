//! The human check: a proof of work is required, and each proof is valid once.

use std::net::IpAddr;
use std::sync::Arc;

use chrono::Duration;
use identity::{Visitor, human};
use platform::language::Language;
use site::Merchant;

use crate::harness::{TestApp, prove};

/// A visitor whose IP address ends with this number.
pub async fn visitor_at(test: &TestApp, number: u8) -> Visitor {
    let address = IpAddr::from([203, 0, 113, number]);
    Visitor { merchant: test.merchant().await, address, language: Language::English }
}

/// A visitor at the IP address that the tests' requests come from.
pub async fn visitor(test: &TestApp) -> Visitor {
    Visitor { address: IpAddr::from([127, 0, 0, 1]), ..visitor_at(test, 1).await }
}

#[tokio::test]
async fn a_proof_is_accepted_once_by_a_race() {
    let test = TestApp::new().await;
    let visitor = visitor(&test).await;
    let proof = prove(&test.visitor()).await;
    let race = (0..64).map(|_| human::check(&test.app.identity, &visitor, Some(&proof)));
    let accepted = futures_util::future::join_all(race).await;
    assert_eq!(accepted.iter().filter(|result| result.is_ok()).count(), 1);
}

#[tokio::test]
async fn a_proof_belongs_to_a_merchant_and_to_ten_minutes() {
    let test = TestApp::new().await;
    let client = test.visitor();
    let visitor = visitor(&test).await;
    let code = async |visitor: &Visitor, proof: Option<&str>| {
        human::check(&test.app.identity, visitor, proof)
            .await
            .map(drop)
            .map_err(|error| error.code.text())
    };
    assert_eq!(code(&visitor, None).await, Err("session.human_check"));
    assert_eq!(code(&visitor, Some("nonsense")).await, Err("session.human_check"));
    let proof = prove(&client).await;
    let mut other = visitor.clone();
    other.merchant = Arc::new(Merchant {
        id: uuid::Uuid::nil(),
        code: "other".to_owned(),
        name: "Other".to_owned(),
        time_zone: "Asia/Manila".to_owned(),
        main_domain: "other.example".to_owned(),
        switches: Vec::new(),
        ..Merchant::clone(&visitor.merchant)
    });
    assert_eq!(code(&other, Some(&proof)).await, Err("session.human_check"));
    assert_eq!(code(&visitor, Some(&proof)).await, Ok(()), "a refusal does not spend it");
    let proof = prove(&client).await;
    test.advance(Duration::minutes(10));
    assert_eq!(code(&visitor, Some(&proof)).await, Err("session.human_check"));
}

#[tokio::test]
async fn failures_make_it_harder_for_their_address_alone() {
    let test = TestApp::new().await;
    let client = test.visitor();
    let (loud, quiet) = (visitor(&test).await, visitor_at(&test, 9).await);
    let level = async || {
        let answer = client.get("/wps/captcha/challenge").await;
        answer.value()["parameters"]["data"]["level"].as_u64().unwrap()
    };
    let early = prove(&client).await;
    let mut levels = vec![level().await];
    for _ in 0..6 {
        for _ in 0..5 {
            human::note_failure(&test.app.identity, &loud).await.unwrap();
            human::note_failure(&test.app.identity, &quiet).await.unwrap();
        }
        levels.push(level().await);
    }
    assert_eq!(levels, [0, 1, 2, 3, 4, 4, 4]);
    // A proof of the earlier, lower difficulty is no longer sufficient.
    assert!(human::check(&test.app.identity, &loud, Some(&early)).await.is_err());
    assert!(
        human::check(&test.app.identity, &visitor_at(&test, 10).await, Some(&early)).await.is_ok()
    );
    test.advance(Duration::minutes(30));
    assert_eq!(level().await, 0);
}
