//! Social sign-in, against a real provider.

use axum::http::{Method, header};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use chrono::Duration;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::harness::{Answer, Client, TestApp};
use crate::peer::{self, Peer};

const LOGIN: &str = "/wps/session/login/social";

/// Starts a sign-in; returns the provider's URL.
pub async fn leave(client: &mut Client<'_>, provider: &str) -> String {
    let answer = client.get(&format!("/wps/session/social/{provider}/start")).await;
    assert_eq!(answer.status.as_u16(), 303, "{}", answer.text);
    client.adopt(&answer);
    answer.headers[header::LOCATION].to_str().unwrap().to_owned()
}

/// Signs in at the provider as this person; returns the outcome that the pop-up's page reports.
async fn visit(peer: &Peer, client: &mut Client<'_>, provider: &str, person: &str) -> Value {
    let address = leave(client, provider).await;
    outcome_of(&client.get(&peer.visit(&address, person).await).await)
}

/// The outcome that the pop-up's page reports to the page that opened it.
pub fn outcome_of(answer: &Answer) -> Value {
    let (_, rest) = answer.text.split_once("id=\"outcome\">").expect("a page with an outcome");
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

/// The complete sign-in.
pub async fn sign_in(peer: &Peer, client: &mut Client<'_>, provider: &str, person: &str) -> Answer {
    let outcome = visit(peer, client, provider, person).await;
    assert!(outcome["ticket"].is_string(), "{outcome}");
    let answer = client.sealed(Method::POST, LOGIN, &outcome).await;
    client.adopt(&answer);
    answer
}

async fn account(client: &Client<'_>) -> (Value, Value) {
    let info = client.get("/wps/member/info").await;
    (info.value()["id"].clone(), info.value()["account"].clone())
}

async fn count(test: &TestApp, table: &str) -> i64 {
    let sql = format!("select count(*) from {table}");
    sqlx::query_scalar(sqlx::AssertSqlSafe(sql)).fetch_one(&test.owner).await.unwrap()
}

#[tokio::test]
async fn a_person_becomes_a_member_once_and_is_known_again() {
    let peer = Peer::start();
    let test = peer.site().await;
    let mut first = test.visitor();
    let answer = sign_in(&peer, &mut first, "oidc", "maria").await;
    assert_eq!(answer.value()["firstTimeLogin"], true);
    let (id, name) = account(&first).await;
    assert_eq!((name, first.balance().await.as_str()), (json!("mariasantos"), "1000"));
    let mut second = test.visitor();
    let answer = sign_in(&peer, &mut second, "oidc", "maria").await;
    assert_eq!(answer.value()["firstTimeLogin"], false);
    assert_eq!(account(&second).await.0, id);
    let mut other = test.visitor();
    sign_in(&peer, &mut other, "oidc", "nameless").await.value();
    assert_eq!(account(&other).await.1, "guest");
    test.assert_ledger_is_sound().await;
}

#[tokio::test]
async fn plain_oauth_signs_in_too_and_is_another_person() {
    let peer = Peer::start();
    let test = peer.site().await;
    let [mut plain, mut again, mut oidc] = [test.visitor(), test.visitor(), test.visitor()];
    sign_in(&peer, &mut plain, "oauth", "maria").await.value();
    sign_in(&peer, &mut again, "oauth", "maria").await.value();
    sign_in(&peer, &mut oidc, "oidc", "maria").await.value();
    assert_eq!(account(&plain).await, account(&again).await);
    let (id, name) = account(&oidc).await;
    assert_ne!(id, account(&plain).await.0);
    // The name was taken, so digits were added.
    let digits = name.as_str().unwrap().strip_prefix("mariasanto").unwrap().to_owned();
    assert!(digits.len() == 6 && digits.bytes().all(|byte| byte.is_ascii_digit()), "{name}");
}

#[tokio::test]
async fn another_issuer_does_not_inherit_a_providers_people() {
    let peer = Peer::start();
    let test = peer.site().await;
    for provider in ["oidc", "oauth"] {
        let mut first = test.visitor();
        sign_in(&peer, &mut first, provider, "maria").await.value();
        let id = account(&first).await.0;
        // A row from before issuers were stored: the issuer is stored at the next sign-in.
        test.change("update sessions_identities set issuer = ''").await;
        let mut again = test.visitor();
        sign_in(&peer, &mut again, provider, "maria").await.value();
        assert_eq!(account(&again).await.0, id);
        let issuers: Vec<String> =
            sqlx::query_scalar("select issuer from sessions_identities where issuer <> ''")
                .fetch_all(&test.owner)
                .await
                .unwrap();
        assert_eq!(issuers, [peer.issuer.as_str()]);
        // The provider under this name was another one before.
        test.change("update sessions_identities set issuer = 'https://id.example'").await;
        let mut other = test.visitor();
        sign_in(&peer, &mut other, provider, "maria").await.value();
        assert_ne!(account(&other).await.0, id);
        test.change("delete from sessions_identities").await;
    }
}

#[tokio::test]
async fn racing_visits_of_somebody_from_before_issuers_find_the_one_member() {
    let peer = Peer::start();
    let test = peer.site().await;
    let mut first = test.visitor();
    sign_in(&peer, &mut first, "oidc", "maria").await.value();
    let id = account(&first).await.0;
    // Registration is closed.
    test.switch("DIRECTREG3", false).await;
    for _ in 0..3 {
        test.change("update sessions_identities set issuer = ''").await;
        let visits = (0..6).map(|_| async {
            let mut client = test.visitor();
            sign_in(&peer, &mut client, "oidc", "maria").await.value();
            account(&client).await.0
        });
        let found = futures_util::future::join_all(visits).await;
        assert!(found.iter().all(|found| *found == id), "{found:?}");
    }
}

#[tokio::test]
async fn a_member_of_a_provider_has_no_password_to_guess() {
    let peer = Peer::start();
    let test = peer.site().await;
    sign_in(&peer, &mut test.visitor(), "oidc", "maria").await.value();
    for password in ["mariasantos", "a-good-password"] {
        let answer = test.visitor().login("mariasantos", password).await;
        answer.assert_refused(400, "session.wrong_credentials");
    }
}

#[tokio::test]
async fn racing_first_visits_make_one_member() {
    let peer = Peer::start();
    let test = peer.site().await;
    let visits = (0..6).map(|_| async {
        let mut client = test.visitor();
        sign_in(&peer, &mut client, "oidc", "maria").await.value();
        account(&client).await.0
    });
    let mut ids = futures_util::future::join_all(visits).await;
    ids.dedup();
    assert_eq!((ids.len(), count(&test, "members_profiles").await), (1, 1));
    test.assert_ledger_is_sound().await;
}

#[tokio::test]
async fn a_state_is_good_once_in_its_browser_for_ten_minutes() {
    let peer = Peer::start();
    let test = peer.site().await;
    let failed = json!({ "error": "session.social_failed" });
    let mut client = test.visitor();
    let address = leave(&mut client, "oidc").await;
    let back = peer.visit(&address, "maria").await;

    let mut other = test.visitor();
    leave(&mut other, "oidc").await;
    assert_eq!(outcome_of(&other.get(&back).await), failed, "another browser");
    assert_eq!(outcome_of(&test.visitor().get(&back).await), failed, "no cookie");
    let mut strict = client.clone();
    strict.cookies.retain(|cookie| cookie.contains("capiz-device"));
    assert_eq!(outcome_of(&strict.get(&back).await), failed, "the device cookie alone");
    let plain = back.replace("/oidc/", "/oauth/");
    assert_eq!(outcome_of(&client.get(&plain).await), failed, "another provider");
    for wrong in
        ["state=x&code=y", "code=y", "state=x", "", "state=x&state=y", "error=server_error"]
    {
        let path = format!("/wps/session/social/oidc/callback?{wrong}");
        let answer = client.get(&path).await;
        assert!(answer.status.is_client_error(), "{wrong}: {}", answer.text);
        assert!(outcome_of(&answer)["error"].is_string());
    }
    assert!(outcome_of(&client.get(&back).await)["ticket"].is_string());
    assert_eq!(outcome_of(&client.get(&back).await), failed, "used before");

    let address = leave(&mut client, "oidc").await;
    let back = peer.visit(&address, "maria").await;
    test.advance(Duration::minutes(10));
    assert_eq!(outcome_of(&client.get(&back).await), failed, "too late");
}

#[tokio::test]
async fn a_ticket_is_good_once_on_its_device_for_a_minute() {
    let peer = Peer::start();
    let test = peer.site().await;
    let over = "session.ticket_over";
    let mut client = test.visitor();
    let outcome = visit(&peer, &mut client, "oidc", "maria").await;
    test.visitor().sealed(Method::POST, LOGIN, &outcome).await.assert_refused(400, over);
    let mut other = test.visitor();
    visit(&peer, &mut other, "oidc", "jose").await;
    other.sealed(Method::POST, LOGIN, &outcome).await.assert_refused(400, over);
    for wrong in ["", "A", "*", &"A".repeat(64), &"A".repeat(10_000)] {
        let body = json!({ "ticket": wrong });
        client.sealed(Method::POST, LOGIN, &body).await.assert_refused(400, over);
    }
    client.sealed(Method::POST, LOGIN, &json!({})).await.assert_refused(400, "request.malformed");
    client.sealed(Method::POST, LOGIN, &outcome).await.value();
    client.sealed(Method::POST, LOGIN, &outcome).await.assert_refused(400, over);

    let outcome = visit(&peer, &mut client, "oidc", "maria").await;
    test.advance(Duration::minutes(1));
    client.sealed(Method::POST, LOGIN, &outcome).await.assert_refused(400, over);
}

#[tokio::test]
async fn lies_in_an_id_token_are_found_out() {
    let peer = Peer::start();
    let test = peer.site().await;
    let lies = [
        "nonce",
        "noNonce",
        "audience",
        "issuer",
        "expired",
        "unsigned",
        "symmetric",
        "signature",
        "foreignKey",
    ];
    for lie in lies {
        peer.control(&json!({ "lie": lie })).await;
        let outcome = visit(&peer, &mut test.visitor(), "oidc", "maria").await;
        assert_eq!(outcome, json!({ "error": "session.social_failed" }), "{lie}");
    }
    assert_eq!(count(&test, "members_profiles").await, 0);
    peer.control(&json!({ "lie": null })).await;
    sign_in(&peer, &mut test.visitor(), "oidc", "maria").await.value();
}

#[tokio::test]
async fn a_provider_may_change_its_keys() {
    let peer = Peer::start();
    let test = peer.site().await;
    let mut client = test.visitor();
    for keys in ["RS256", "ES256", "RS256"] {
        peer.control(&json!({ "keys": keys })).await;
        tokio::time::sleep(std::time::Duration::from_secs(2)).await;
        peer::now(&test);
        sign_in(&peer, &mut client, "oidc", "maria").await.value();
    }
    assert_eq!(count(&test, "members_profiles").await, 1);
}

#[tokio::test]
async fn a_visitor_may_say_no() {
    let peer = Peer::start();
    let test = peer.site().await;
    let outcome = visit(&peer, &mut test.visitor(), "oidc", "denied").await;
    assert_eq!(outcome, json!({ "error": "session.social_cancelled" }));
}

#[tokio::test]
async fn a_provider_that_is_away_is_said_to_be() {
    let peer = Peer::start();
    let test = peer.site().await;
    let mut client = test.visitor();
    let address = leave(&mut client, "oidc").await;
    let back = peer.visit(&address, "maria").await;
    drop(peer);
    let answer = client.get(&back).await;
    assert_eq!(answer.status.as_u16(), 503);
    assert_eq!(outcome_of(&answer), json!({ "error": "server.unavailable" }));
}

#[tokio::test]
async fn switches_close_every_step() {
    let peer = Peer::start();
    let test = peer.site().await;
    let off = json!({ "error": "site.switched_off" });
    for (provider, switch) in [("oidc", "SOCIALOIDC3"), ("oauth", "SOCIALOAUTH3")] {
        let mut client = test.visitor();
        let address = leave(&mut client, provider).await;
        let back = peer.visit(&address, "maria").await;
        let ticket = visit(&peer, &mut client, provider, "maria").await;
        test.switch(switch, false).await;
        let listed = client.get("/wps/session/social").await;
        assert!(!listed.value().to_string().contains(provider), "{}", listed.text);
        let start = client.get(&format!("/wps/session/social/{provider}/start")).await;
        assert_eq!((start.status.as_u16(), outcome_of(&start)), (403, off.clone()));
        let callback = client.get(&back).await;
        assert_eq!((callback.status.as_u16(), outcome_of(&callback)), (403, off.clone()));
        let denied = format!("/wps/session/social/{provider}/callback?error=access_denied");
        assert_eq!(outcome_of(&client.get(&denied).await), off);
        let login = client.sealed(Method::POST, LOGIN, &ticket).await;
        login.assert_refused(403, "site.switched_off");
        test.switch(switch, true).await;
        client.sealed(Method::POST, LOGIN, &ticket).await.value();
    }
    // Existing members can sign in while registration is closed.
    test.switch("DIRECTREG3", false).await;
    sign_in(&peer, &mut test.visitor(), "oidc", "maria").await.value();
    assert_eq!(visit(&peer, &mut test.visitor(), "oidc", "jose").await, off);
}

#[tokio::test]
async fn only_what_is_configured_is_there() {
    let test = TestApp::new().await;
    assert_eq!(test.visitor().get("/wps/session/social").await.value(), &json!([]));
    let start = test.visitor().get("/wps/session/social/oidc/start").await;
    assert_eq!(outcome_of(&start), json!({ "error": "site.switched_off" }));
    let unknown = test.visitor().get("/wps/session/social/other/start").await;
    unknown.assert_refused(404, "request.not_found");
    let peer = Peer::start();
    let test = peer.site().await;
    let listed = test.visitor().get("/wps/session/social").await;
    let expected = json!([
        { "provider": "oidc", "name": "Harbor" }, { "provider": "oauth", "name": "Fisherfolk" },
    ]);
    assert_eq!(listed.value(), &expected);
}

#[tokio::test]
async fn the_windows_page_runs_its_own_script_only_and_keeps_its_opener() {
    let test = TestApp::new().await;
    let page = test.visitor().get("/wps/session/social/oidc/callback?state=a&code=b").await;
    let (_, rest) = page.text.split_once("<script>").unwrap();
    let script = rest.split_once("</script>").unwrap().0;
    let hash = BASE64_STANDARD.encode(Sha256::digest(script));
    let header = |name: &str| page.headers[name].to_str().unwrap().to_owned();
    let policy = header("content-security-policy");
    assert!(policy.contains(&format!("script-src 'sha256-{hash}';")), "{policy}");
    assert!(policy.starts_with("default-src 'none'; ") && !policy.contains("unsafe"), "{policy}");
    assert_eq!(header("cross-origin-opener-policy"), "unsafe-none");
    assert_eq!(header("referrer-policy"), "no-referrer");
    assert_eq!(header("cache-control"), "no-store");
}

#[tokio::test]
async fn what_is_stored_of_a_sign_in_opens_nothing() {
    let peer = Peer::start();
    let test = peer.site().await;
    let mut client = test.visitor();
    let address = leave(&mut client, "oidc").await;
    let outcome = visit(&peer, &mut client, "oidc", "maria").await;
    let rows: Vec<String> = sqlx::query_scalar(
        "select s::text from sessions_social_states s union all
         select t::text from sessions_social_tickets t",
    )
    .fetch_all(&test.owner)
    .await
    .unwrap();
    assert_eq!(rows.len(), 2);
    let state = address.split_once("state=").unwrap().1.split('&').next().unwrap().to_owned();
    let secrets = client.cookies.iter().map(|cookie| cookie.split_once('=').unwrap().1.to_owned());
    let secrets = secrets.chain([state, outcome["ticket"].as_str().unwrap().to_owned()]);
    for secret in secrets {
        assert!(rows.iter().all(|row| !row.contains(&secret)), "{secret}");
    }
    test.advance(Duration::minutes(11));
    identity::purge(&test.app.identity).await.unwrap();
    assert_eq!(count(&test, "sessions_social_states").await, 0);
    assert_eq!(count(&test, "sessions_social_tickets").await, 0);
}

#[tokio::test]
async fn a_verified_address_is_taken_if_nobody_has_verified_it() {
    let peer = Peer::start();
    let test = peer.site().await;
    test.visitor().fill_in("josefa", &json!({ "email": "jose@mail.example" })).await.value();
    test.verify_contacts().await;
    // An address that was only typed is revoked when a provider verifies it for somebody else.
    test.visitor().fill_in("rosita", &json!({ "email": "lita@mail.example" })).await.value();
    let people = [("oidc", "Maria"), ("oidc", "jose"), ("oidc", "unverified"), ("oauth", "lita")];
    for (provider, person) in people {
        sign_in(&peer, &mut test.visitor(), provider, person).await.value();
    }
    let rows: Vec<(String, Option<String>, bool)> = sqlx::query_as(
        "select account, email, email_verified_at is not null from members_details
         join members_profiles using (member_id) order by account",
    )
    .fetch_all(&test.owner)
    .await
    .unwrap();
    let row = |account: &str, email: Option<&str>, verified| {
        (account.to_owned(), email.map(str::to_owned), verified)
    };
    let expected = [
        row("josefa", Some("jose@mail.example"), true),
        row("josesantos", None, false),
        row("litasantos", Some("lita@mail.example"), true),
        row("mariasantos", Some("maria@mail.example"), true),
        row("rosita", None, false),
        row("unverifiedsantos", None, false),
    ];
    assert_eq!(rows, expected);
}

#[tokio::test]
async fn a_merchant_that_does_not_ask_for_addresses_gets_none() {
    let peer = Peer::start();
    let test = peer.site().await;
    test.change("update site_register_rules set enabled = false where field = 'email'").await;
    sign_in(&peer, &mut test.visitor(), "oidc", "maria").await.value();
    assert_eq!(count(&test, "members_emails").await, 0);
}

#[tokio::test]
async fn one_address_begins_so_many_sign_ins_and_no_more() {
    let peer = Peer::start();
    let test = peer.site().await;
    let client = test.visitor();
    for _ in 0..120 {
        let answer = client.get("/wps/session/social/oauth/start").await;
        assert_eq!(answer.status.as_u16(), 303);
    }
    let answer = client.get("/wps/session/social/oauth/start").await;
    assert_eq!(outcome_of(&answer), json!({ "error": "request.too_many" }));
    assert_eq!(answer.status.as_u16(), 429);
}

#[tokio::test]
async fn the_agents_page_lets_agents_in_only() {
    let peer = Peer::start();
    let test = peer.site().await;
    let mut client = test.visitor();
    let mut outcome = visit(&peer, &mut client, "oidc", "maria").await;
    outcome["agentPage"] = json!(true);
    let refused = client.sealed(Method::POST, LOGIN, &outcome).await;
    refused.assert_refused(403, "session.not_agent");
    test.change("update members_profiles set kind = 41").await;
    client.sealed(Method::POST, LOGIN, &outcome).await.value();
}
