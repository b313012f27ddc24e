//! Invitation codes of agents and friends at registration.

use serde_json::json;

use crate::harness::{Client, TestApp};
use crate::registration::set_rule;

async fn code_of(client: &Client<'_>) -> String {
    client.get("/wps/member/info").await.value()["affiliateCode"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn an_agents_code_makes_an_upline() {
    let test = TestApp::new().await;
    let agent = test.member("agent").await;
    let friend = test.member("friend").await;
    test.change("update members_profiles set kind = 41 where account = 'agent'").await;
    let (agents, friends) = (code_of(&agent).await, code_of(&friend).await);
    assert_ne!(agents, friends);
    let check = async |code: &str| {
        let path = format!("/wps/agent/affiliate/check?code={code}&domain=127.0.0.1");
        test.visitor().get(&path).await
    };
    assert_eq!(check(&agents.to_lowercase()).await.value(), &json!({ "code": agents }));
    for wrong in [friends.as_str(), "NOBODYS1", "", "%27", &"A".repeat(2_000)] {
        check(wrong).await.assert_refused(400, "member.invitation_code");
    }
    test.visitor().get("/wps/agent/affiliate/check").await.assert_refused(400, "request.malformed");
    for wrong in [friends.as_str(), "NOBODYS1"] {
        let refused = test.visitor().fill_in("maria", &json!({ "affiliateCode": wrong })).await;
        refused.assert_refused(400, "member.invitation_code");
        assert_eq!(refused.body["fields"], json!({ "affiliateCode": "invalid" }));
    }
    let more = json!({ "affiliateCode": agents.to_lowercase(), "referralCode": friends });
    test.visitor().fill_in("maria", &more).await.value();
    // An invalid link does not prevent registration.
    test.visitor().fill_in("josefa", &json!({ "referralCode": "DEADLINK" })).await.value();
    let linked: Vec<(String, String, Option<String>)> = sqlx::query_as(
        "select m.account, u.account, r.account from members_uplines l
         join members_profiles m on m.member_id = l.member_id
         join members_profiles u on u.member_id = l.upline_id
         left join members_recommenders b on b.member_id = l.member_id
         left join members_profiles r on r.member_id = b.recommender_id",
    )
    .fetch_all(&test.owner)
    .await
    .unwrap();
    assert_eq!(linked, [("maria".to_owned(), "agent".to_owned(), Some("friend".to_owned()))]);
    test.switch("REFERRAL3", false).await;
    test.visitor().fill_in("clara", &json!({ "referralCode": friends })).await.value();
    test.switch("REFERRAL3", true).await;
    test.visitor().fill_in("luisa", &json!({ "referralCode": friends })).await.value();
    let guests: Vec<String> = sqlx::query_scalar(
        "select account from members_recommenders join members_profiles using (member_id)
         order by account",
    )
    .fetch_all(&test.owner)
    .await
    .unwrap();
    assert_eq!(guests, ["luisa", "maria"]);
    set_rule(&test, "recommenderId", true, false).await;
    let refused = test.visitor().fill_in("rosa", &json!({ "recommenderId": "nobody" })).await;
    assert_eq!(refused.body["fields"], json!({ "recommenderId": "invalid" }));
    test.visitor().fill_in("rosa", &json!({ "recommenderId": "FRIEND" })).await.value();
}

#[tokio::test]
async fn invitation_codes_cannot_be_tried_without_end() {
    let test = TestApp::configured(|config| {
        config.platform.trusted_proxies = vec!["127.0.0.1".parse().unwrap()];
    })
    .await;
    let path = "/wps/agent/affiliate/check?code=NOBODYS1";
    let guesser = test.visitor().at("203.0.113.7");
    for _ in 0..60 {
        guesser.get(path).await.assert_refused(400, "member.invitation_code");
    }
    guesser.get(path).await.assert_refused(429, "request.too_many");
    let other = test.visitor().at("203.0.113.8");
    other.get(path).await.assert_refused(400, "member.invitation_code");
    test.advance(chrono::Duration::minutes(10));
    guesser.get(path).await.assert_refused(400, "member.invitation_code");
}

#[tokio::test]
async fn a_friends_link_that_was_cut_off_keeps_nobody_out() {
    let test = TestApp::new().await;
    test.visitor().fill_in("maria", &json!({ "referralCode": "FRIEND-12" })).await.value();
    set_rule(&test, "referralCode", true, true).await;
    let refused = test.visitor().fill_in("josefa", &json!({ "referralCode": "FRIEND-12" })).await;
    assert_eq!(refused.body["fields"], json!({ "referralCode": "pattern" }));
}
