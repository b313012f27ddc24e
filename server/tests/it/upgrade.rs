//! Migrations of old databases: the ledger is kept completely, every hash is still valid, and
//! members keep what they have verified.

use std::borrow::Cow;

use capiz::audit;
use capiz::bootstrap::MIGRATOR;
use capiz_rules::chain::{Entry, START};
use platform::db;
use sqlx::migrate::Migrator;
use sqlx::{Connection, PgConnection};
use uuid::Uuid;

use crate::harness::{TIMEOUTS, new_database};

const AT_MICROS: i64 = 1_900_000_000_000_000;

/// The last migration of the first ledger.
const BEFORE: i64 = 10;

fn id(number: u8) -> Uuid {
    Uuid::from_bytes([number; 16])
}

/// The transfers of a member in the first ledger: a gift, a stake, a payout.
fn entries() -> Vec<Entry<'static>> {
    let gift = Entry {
        holder: [1; 16],
        seq: 1,
        merchant: [2; 16],
        currency: "PHP",
        debit: "house:promotions",
        credit: "main",
        amount: 10_000_000,
        kind: "welcome",
        key: Some("capiz:welcome"),
        body_hash: Some(&[7; 32]),
        reference: [1; 16],
        debit_after: None,
        credit_after: Some(10_000_000),
        at_micros: AT_MICROS,
        reverses: None,
    };
    let stake = Entry {
        seq: 2,
        debit: "main",
        credit: "house:games",
        amount: 100_000,
        kind: "stake",
        key: Some("the-first-round"),
        reference: [5; 16],
        debit_after: Some(9_900_000),
        credit_after: None,
        ..gift.clone()
    };
    let payout = Entry {
        seq: 3,
        debit: "house:games",
        credit: "main",
        amount: 198_000,
        kind: "payout",
        key: None,
        body_hash: None,
        reference: [5; 16],
        credit_after: Some(10_098_000),
        ..gift.clone()
    };
    vec![gift, stake, payout]
}

async fn fill(db: &mut PgConnection) {
    let mut hash = START;
    for entry in entries() {
        hash = entry.hash(&hash);
        sqlx::query(
            "insert into wallet_transfers (member_id, seq, merchant_id, currency, debit, credit,
                amount, kind, key, body_hash, ref, debit_after, credit_after, at, hash)
             values ($1, $2, $3, 'PHP', $4, $5, $6, $7, $8, $9, $10, $11, $12,
                to_timestamp($13), $14)",
        )
        .bind(id(1))
        .bind(entry.seq)
        .bind(id(2))
        .bind(entry.debit)
        .bind(entry.credit)
        .bind(entry.amount)
        .bind(entry.kind)
        .bind(entry.key)
        .bind(entry.body_hash)
        .bind(Uuid::from_bytes(entry.reference))
        .bind(entry.debit_after)
        .bind(entry.credit_after)
        .bind(1_900_000_000.0)
        .bind(hash.as_slice())
        .execute(&mut *db)
        .await
        .unwrap();
    }
    let rest = format!(
        "insert into wallet_chains values ('{member}', '{merchant}', 3, '\\x{hash}');
         insert into wallet_accounts values ('{member}', 'main', 'PHP', 10098000);
         insert into studio_seeds values ('{member}', '{seed}', '\\x00', '\\x{hash}', 'seed', 1, now());
         insert into studio_seeds values ('{member}', '{next}', '\\x00', '\\x{hash}', 'seed', 0, now());
         insert into studio_players values ('{member}', '{seed}', '{next}');
         insert into games_rounds values ('{member}', '{round}', '{merchant}', 'dice', 'PHP', 100000,
            198000, '{{\"target\": 5000}}', '[]', '{seed}', 0, now());",
        member = id(1),
        merchant = id(2),
        seed = id(3),
        next = id(4),
        round = id(5),
        hash = hex::encode(hash),
    );
    sqlx::raw_sql(sqlx::AssertSqlSafe(rest)).execute(db).await.unwrap();
}

/// A database as it was after a migration.
async fn as_of(version: i64, owner: &mut PgConnection) {
    let first: Vec<_> =
        MIGRATOR.iter().filter(|migration| migration.version <= version).cloned().collect();
    let first = Migrator { migrations: Cow::Owned(first), ..Migrator::DEFAULT };
    first.run(owner).await.unwrap();
}

/// Members of an old database, with different verified contacts and ways of registration.
const MEMBERS: &str = "
    insert into site_merchants (id, code, name, currency, time_zone, main_domain, welcome_credit, created_at)
    values ('00000000-0000-0000-0000-00000000000a', 'old', 'Old', 'PHP', 'Asia/Manila', 'old.example', 0, now());
    insert into site_switches values
        ('00000000-0000-0000-0000-00000000000a', 'LOGIN', null, 0, true);
    insert into members_profiles
    select ('00000000-0000-0000-0000-00000000000' || n)::uuid, '00000000-0000-0000-0000-00000000000a',
        'member' || n, 'member' || n, 0, 'PHP', now()
    from generate_series(1, 4) as n;
    insert into members_details
        (member_id, affiliate_code, mobile, mobile_verified_at, email, email_verified_at, birthday,
         register_method)
    values
        ('00000000-0000-0000-0000-000000000001', 'AAAA', '+639170000001', now(), 'One@x.example', null, null, 'WEB'),
        ('00000000-0000-0000-0000-000000000002', 'BBBB', '+639170000002', null, 'two@x.example', now(), null, 'WEB'),
        ('00000000-0000-0000-0000-000000000003', 'CCCC', '+639170000003', null, null, null, null, 'SOCIAL'),
        ('00000000-0000-0000-0000-000000000004', 'DDDD', null, null, null, null, '1990-01-01', 'SOCIAL');
    insert into members_mobiles
    select '00000000-0000-0000-0000-00000000000a', mobile, member_id from members_details where mobile is not null;
    insert into members_emails
    select '00000000-0000-0000-0000-00000000000a', lower(email), member_id from members_details where email is not null;
    insert into sessions_entries (member_id, id, at, method)
    values ('00000000-0000-0000-0000-000000000003', gen_random_uuid(), now(), 'sms'),
        ('00000000-0000-0000-0000-000000000002', gen_random_uuid(), now(), 'username');
    insert into sessions_tokens
        (member_id, token_hash, merchant_id, device_hash, kind, currency, started_at, seen_at, ends_at)
    select member_id, sha256('t'), merchant_id, sha256('d'), 0, 'PHP', now(), now(), now() from members_profiles;
";

/// Account, whether the member and its session still have to complete the registration, and whether
/// the number and the address are verified.
type Upgraded = (String, bool, bool, Option<bool>, Option<bool>);

#[tokio::test]
async fn members_keep_what_they_have_proved_and_complete_what_is_open() {
    let options = new_database().await;
    let mut owner = PgConnection::connect_with(&options).await.unwrap();
    as_of(21, &mut owner).await;
    sqlx::raw_sql(MEMBERS).execute(&mut owner).await.unwrap();
    db::prepare(&options, &MIGRATOR, false).await.unwrap();
    let rows: Vec<Upgraded> = sqlx::query_as(
        "select p.account, p.to_complete_since is not null, t.to_complete, m.verified, e.verified
         from members_profiles p join sessions_tokens t using (member_id)
         left join members_mobiles m using (member_id)
         left join members_emails e using (member_id) order by p.account",
    )
    .fetch_all(&mut owner)
    .await
    .unwrap();
    let row = |n: u8, open, mobile, email| (format!("member{n}"), open, open, mobile, email);
    let expected = [
        row(1, false, Some(true), Some(false)),
        row(2, false, Some(false), Some(true)),
        // The member has logged in by a code to the number.
        row(3, true, Some(true), None),
        row(4, false, None, None),
    ];
    assert_eq!(rows, expected);
    let on: bool =
        sqlx::query_scalar("select enabled from site_switches where mod_id = 'REMEMBERPASS3'")
            .fetch_one(&mut owner)
            .await
            .unwrap();
    assert!(on);
}

/// Staff of an old office: some who have logged in, some who have not, and one of the demo.
const PEOPLE: &str = "
    insert into staff_people (id, username, name, password_hash, factor, created_at, last_login_at)
    select ('00000000-0000-0000-0000-00000000000' || n)::uuid, name, name, 'x', '\\x00', now(), came
    from (values (1, 'old', now()), (2, 'new', null), (3, 'demo', null)) as people (n, name, came);
    insert into staff_trail (seq, at, actor, action, subject, reason, hash)
    values (1, now(), 'capiz', 'staff.add', 'person:00000000-0000-0000-0000-000000000003',
        'part of the demo', sha256('t'));
";

#[tokio::test]
async fn passwords_that_nobody_has_come_in_with_are_first_ones() {
    let options = new_database().await;
    let mut owner = PgConnection::connect_with(&options).await.unwrap();
    as_of(46, &mut owner).await;
    sqlx::raw_sql(PEOPLE).execute(&mut owner).await.unwrap();
    db::prepare(&options, &MIGRATOR, false).await.unwrap();
    let ending: Vec<String> = sqlx::query_scalar(
        "select username from staff_people
         where password_until between now() + interval '2 days' and now() + interval '3 days'",
    )
    .fetch_all(&mut owner)
    .await
    .unwrap();
    assert_eq!(ending, ["new"]);
}

#[tokio::test]
async fn the_first_ledger_moves_over_with_every_hash() {
    let options = new_database().await;
    let mut owner = PgConnection::connect_with(&options).await.unwrap();
    as_of(BEFORE, &mut owner).await;
    fill(&mut owner).await;
    db::prepare(&options, &MIGRATOR, false).await.unwrap();

    let pool = db::connect(options, 2, TIMEOUTS).await.unwrap();
    let audited = audit::run(&pool).await.unwrap();
    assert_eq!((audited.holders, audited.transfers), (1, 3));
    let (nonce, main): (i64, i64) = sqlx::query_as(
        "select h.desk_count, h.main from studio_players p
         join wallet_holders h on h.holder_id = p.member_id",
    )
    .fetch_one(&pool)
    .await
    .unwrap();
    assert_eq!((nonce, main), (1, 10_098_000));
}
