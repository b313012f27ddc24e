//! Writes and checks the test vectors, against which the web's implementation is tested.
//!
//! `CAPIZ_WRITE_VECTORS=1 cargo test -p capiz-rules` writes the files; every other run checks that
//! they are exactly what is generated.

use std::fs;
use std::path::Path;

use capiz_rules::chain::{Entry, START};
use capiz_rules::fair::{ServerSeed, Stream};
use capiz_rules::games::dice::{Choice, Direction, Event};
use capiz_rules::games::{Dice, Game, Progress, Terms};
use capiz_rules::merkle::{Leaf, Side, Tree};
use capiz_rules::money::Amount;
use serde::Serialize;
use sha2::{Digest, Sha256};

/// The values are structs, not maps, so that the order of their fields does not depend on a feature
/// of serde_json.
fn check(name: &str, value: &impl Serialize) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors").join(name);
    let text = serde_json::to_string_pretty(value).expect("JSON") + "\n";
    if std::env::var_os("CAPIZ_WRITE_VECTORS").is_some() {
        fs::write(&path, text).expect("a writable file");
    } else {
        let stored = fs::read_to_string(&path).expect("a stored file");
        assert!(stored == text, "{name} differs: run with CAPIZ_WRITE_VECTORS=1 and read the diff");
    }
}

fn seed(number: u32) -> ServerSeed {
    ServerSeed::from_bytes(Sha256::digest(format!("capiz vector {number}")).into())
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct StreamCase {
    server_seed: String,
    client_seed: String,
    nonce: u64,
    game: String,
    words: Vec<u32>,
    /// These draws start again at the stream's first word, in the listed order.
    below: Vec<Draw>,
}

#[derive(Serialize)]
struct Draw {
    n: u64,
    result: u32,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CommitmentCase {
    server_seed: String,
    commitment: String,
}

#[derive(Serialize)]
struct FairFile {
    streams: Vec<StreamCase>,
    commitments: Vec<CommitmentCase>,
}

fn stream(number: u32, client_seed: &str, nonce: u64, game: &str) -> StreamCase {
    const BOUNDS: [u64; 14] = [
        10_000,
        2,
        1,
        6,
        52,
        37,
        4_294_967_296,
        3_000_000_000,
        2_147_483_649,
        2_147_483_649,
        4_294_967_295,
        90,
        1_000_000_007,
        10_000,
    ];
    let seed = seed(number);
    let new = || Stream::new(&seed, client_seed, nonce, game);
    let (mut words, mut draws) = (new(), new());
    let below = BOUNDS.map(|n| Draw { n, result: draws.below(n).expect("a draw") });
    StreamCase {
        server_seed: seed.reveal(),
        client_seed: client_seed.to_owned(),
        nonce,
        game: game.to_owned(),
        words: (0..24).map(|_| words.next_word()).collect(),
        below: below.into(),
    }
}

#[test]
fn fair() {
    let client_seeds =
        ["lucky", "a", "with:colon:7", " spaces and ~!@#$%^&*() ", "perlas ng silanganan ₱"];
    let mut streams: Vec<StreamCase> = (0..)
        .zip(client_seeds)
        .map(|(number, client)| stream(number, client, u64::from(number) * 3, Dice::CODE))
        .collect();
    streams.push(stream(5, &"x".repeat(64), 9_007_199_254_740_991, "dice"));
    streams.push(stream(6, "another game", 1, "mines"));
    let mut seeds: Vec<ServerSeed> = (0..6).map(seed).collect();
    seeds.extend([ServerSeed::from_bytes([0; 32]), ServerSeed::from_bytes([255; 32])]);
    let commitments = seeds
        .iter()
        .map(|seed| CommitmentCase { server_seed: seed.reveal(), commitment: seed.commitment() })
        .collect();
    check("fair.json", &FairFile { streams, commitments });
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct DiceCase {
    server_seed: String,
    client_seed: String,
    nonce: u64,
    stake: Amount,
    target: u32,
    direction: Direction,
    roll: u32,
    won: bool,
    payout: Amount,
}

fn dice_case(number: u32) -> DiceCase {
    const STAKES: [&str; 8] = ["1", "1.01", "2.5", "10", "33.33", "100", "999.99", "10000"];
    let direction = if number.is_multiple_of(2) { Direction::Under } else { Direction::Over };
    let edges = match direction {
        Direction::Under => [1, 2, 9_800, 5_000],
        Direction::Over => [199, 200, 9_998, 4_999],
    };
    let index = usize::try_from(number / 2).expect("a small number");
    let target = edges.get(index).copied().unwrap_or(200 + number * 7_919 % 9_600);
    let choice = Choice { target, direction };
    let stake: Amount = STAKES[index % STAKES.len()].parse().expect("an amount");
    let (seed, client_seed, nonce) = (seed(number / 10), "dice vectors", u64::from(number % 10));
    let mut stream = Stream::new(&seed, client_seed, nonce, Dice::CODE);
    let terms = Terms { stake, most: Amount::from_units(i64::MAX) };
    let played = Dice::play(&mut stream, &terms, &choice, &[]).expect("a book");
    let Progress::Over(book) = played else { panic!("dice have one step") };
    let Event::Roll { roll, won, .. } = book.events[0];
    DiceCase {
        server_seed: seed.reveal(),
        client_seed: client_seed.to_owned(),
        nonce,
        stake,
        target,
        direction,
        roll,
        won,
        payout: book.multiple.of(stake).expect("a payout"),
    }
}

#[test]
fn dice_rounds() {
    let cases: Vec<DiceCase> = (0..260).map(dice_case).collect();
    let wins = cases.iter().filter(|case| case.won).count();
    assert!((80..180).contains(&wins), "{wins} wins: both outcomes must be well covered");
    check("dice.json", &cases);
}

#[derive(Serialize)]
struct ValidCase {
    text: &'static str,
    /// A string, because JavaScript numbers cannot represent the largest values.
    units: String,
    canonical: String,
}

fn valid(text: &'static str) -> ValidCase {
    let amount: Amount = text.parse().expect("an amount");
    ValidCase { text, units: amount.units().to_string(), canonical: amount.to_string() }
}

/// `amount × numerator ÷ denominator`, rounded down, and then down to a multiple of `unit`.
#[derive(Serialize)]
struct FloorCase {
    amount: Amount,
    numerator: i64,
    denominator: i64,
    unit: Amount,
    result: Amount,
}

fn floor(amount: &str, numerator: i64, denominator: i64, unit: &str) -> FloorCase {
    let amount: Amount = amount.parse().expect("an amount");
    let unit = unit.parse().expect("an amount");
    let product = amount.times_floor(numerator, denominator).expect("in range");
    let result = product.floor_to(unit).expect("in range");
    FloorCase { amount, numerator, denominator, unit, result }
}

#[derive(Serialize)]
struct MoneyFile {
    valid: Vec<ValidCase>,
    invalid: Vec<&'static str>,
    floors: Vec<FloorCase>,
}

#[test]
fn money() {
    let valid_texts = [
        "0",
        "-0",
        "0.0",
        "0.0000",
        "1",
        "-1",
        "10",
        "1250.5",
        "1250.50",
        "1250.5000",
        "0.0001",
        "-0.0001",
        "0.01",
        "0.10",
        "00012.30",
        "-00.5",
        "1000000",
        "900719925474099.1",
        "922337203685477.5807",
        "-922337203685477.5808",
        "000000000000000000000000000001",
    ];
    let invalid = [
        "",
        "-",
        "+1",
        ".",
        ".5",
        "5.",
        "-.5",
        "1.00000",
        "1,5",
        "1 000",
        " 1",
        "1 ",
        "1e3",
        "0x10",
        "NaN",
        "Infinity",
        "--1",
        "1.2.3",
        "1.-2",
        "١٢٣",
        "1\u{0}",
        "\n1",
        "922337203685477.5808",
        "-922337203685477.5809",
        "99999999999999999999999999999999",
    ];
    for text in invalid {
        assert!(text.parse::<Amount>().is_err(), "{text:?}");
    }
    let floors = [
        floor("10", 9_900, 5_000, "0.01"),
        floor("1", 9_900, 9_800, "0.01"),
        floor("3.33", 9_900, 7_777, "0.01"),
        floor("0.0001", 1, 3, "0.0001"),
        floor("-1", 1, 3, "0.01"),
        floor("-0.0001", 1, 2, "0.0001"),
        floor("1000000", 1, 7, "1"),
        floor("922337203685477.5807", 1, 1, "0.01"),
        floor("922337203685477.5807", 999_999_999, 1_000_000_000, "0.01"),
        floor("99.99", 5, 100, "0.25"),
    ];
    let file = MoneyFile {
        valid: valid_texts.map(valid).into(),
        invalid: invalid.into(),
        floors: floors.into(),
    };
    check("money.json", &file);
}

/// A transfer as a member receives it, with everything that is hashed, as texts.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct TransferCase {
    seq: i64,
    at: String,
    currency: &'static str,
    debit: &'static str,
    credit: &'static str,
    amount: Amount,
    kind: &'static str,
    key: Option<&'static str>,
    body_hash: Option<String>,
    reference: String,
    reverses: Option<i64>,
    debit_after: Option<Amount>,
    credit_after: Option<Amount>,
    hash: String,
}

#[derive(Serialize)]
struct Head {
    seq: i64,
    hash: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct StatementCase {
    holder_id: String,
    merchant_id: String,
    head: Head,
    content: Vec<TransferCase>,
}

/// The fields that vary between transfers: kind, currency, debit, credit, amount, the balances
/// afterwards, the key, the sequence number of the reversed transfer, and the fraction of the
/// second.
type Move = (
    &'static str,
    &'static str,
    [&'static str; 2],
    &'static str,
    [Option<&'static str>; 2],
    Option<&'static str>,
    Option<i64>,
    i64,
);

const MOVES: [Move; 16] = [
    ("welcome", "PHP", ["house:promotions", "main"], "1000", [None, Some("1000")], None, None, 0),
    (
        "stake",
        "PHP",
        ["main", "house:games"],
        "10",
        [Some("990"), None],
        Some("k-1"),
        None,
        123_456,
    ),
    ("payout", "PHP", ["house:games", "main"], "19.8", [None, Some("1009.8")], None, None, 123_456),
    (
        "stake",
        "PHP",
        ["main", "house:games"],
        "0.0001",
        [Some("1009.7999"), None],
        Some("perlas ñ ₱"),
        None,
        1,
    ),
    ("hold", "PHP", ["main", "held"], "500", [Some("509.7999"), Some("500")], None, None, 999_999),
    (
        "release",
        "PHP",
        ["held", "main"],
        "200.25",
        [Some("299.75"), Some("710.0499")],
        None,
        None,
        120_000,
    ),
    (
        "withdrawal",
        "PHP",
        ["held", "house:bank"],
        "299.75",
        [Some("0"), None],
        Some("w"),
        None,
        100,
    ),
    (
        "vendor_in",
        "PHP",
        ["main", "vendor:lucky"],
        "10.0499",
        [Some("700"), Some("10.0499")],
        None,
        None,
        500_000,
    ),
    ("bonus", "PHP", ["house:promotions", "bonus"], "50", [None, Some("50")], None, None, 10),
    ("bonus_paid", "PHP", ["bonus", "main"], "50", [Some("0"), Some("750")], None, None, 10),
    (
        "points_earned",
        "PTS",
        ["house:points", "points"],
        "12.5",
        [None, Some("12.5")],
        None,
        None,
        20,
    ),
    ("stake", "PHP", ["main", "house:games"], "750", [Some("0"), None], Some("all"), None, 30),
    (
        "reversal",
        "PHP",
        ["house:games", "main"],
        "750",
        [None, Some("750")],
        None,
        Some(12),
        700_000,
    ),
    ("send", "PHP", ["main", "house:transit"], "100", [Some("650"), None], Some("s"), None, 40),
    (
        "vendor_out",
        "PHP",
        ["vendor:lucky", "main"],
        "0.0499",
        [Some("10"), Some("650.0499")],
        None,
        None,
        50,
    ),
    (
        "correction",
        "PHP",
        ["house:corrections", "main"],
        "349999.9501",
        [None, Some("350650")],
        None,
        None,
        60,
    ),
];

fn bytes_of<const N: usize>(text: &str) -> [u8; N] {
    let mut bytes = [0; N];
    bytes.copy_from_slice(&Sha256::digest(text)[..N]);
    bytes
}

fn uuid(bytes: [u8; 16]) -> String {
    let hex = hex::encode(bytes);
    [&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]].join("-")
}

/// A time on a fixed day: `(microseconds since 1970, RFC 3339)`, the fraction with 0, 3 or 6
/// digits.
fn time(seq: i64, fraction: i64) -> (i64, String) {
    const MIDNIGHT: i64 = 1_794_700_800; // 2026-11-15
    let second = seq * 5_111;
    let (hours, minutes, seconds) = (second / 3600, second / 60 % 60, second % 60);
    let decimals = match fraction {
        0 => String::new(),
        fraction if fraction % 1_000 == 0 => format!(".{:03}", fraction / 1_000),
        fraction => format!(".{fraction:06}"),
    };
    let text = format!("2026-11-15T{hours:02}:{minutes:02}:{seconds:02}{decimals}Z");
    ((MIDNIGHT + second) * 1_000_000 + fraction, text)
}

fn transfer(seq: i64, made: Move, ids: [[u8; 16]; 2], previous: &mut [u8; 32]) -> TransferCase {
    let (kind, currency, [debit, credit], amount, after, key, reverses, fraction) = made;
    let [holder, merchant] = ids;
    let amount: Amount = amount.parse().expect("an amount");
    let [debit_after, credit_after] =
        after.map(|text| text.map(|text| text.parse::<Amount>().expect("an amount")));
    let body_hash = key.map(Sha256::digest);
    let reference = bytes_of(&format!("reference {seq}"));
    let (at_micros, at) = time(seq, fraction);
    *previous = Entry {
        holder,
        seq,
        merchant,
        currency,
        debit,
        credit,
        amount: amount.units(),
        kind,
        key,
        body_hash: body_hash.as_deref(),
        reference,
        debit_after: debit_after.map(Amount::units),
        credit_after: credit_after.map(Amount::units),
        at_micros,
        reverses,
    }
    .hash(previous);
    TransferCase {
        seq,
        at,
        currency,
        debit,
        credit,
        amount,
        kind,
        key,
        body_hash: body_hash.map(hex::encode),
        reference: uuid(reference),
        reverses,
        debit_after,
        credit_after,
        hash: hex::encode(*previous),
    }
}

fn statement() -> StatementCase {
    let ids = [bytes_of("holder"), bytes_of("merchant")];
    let mut hash = START;
    let content: Vec<TransferCase> =
        (1..).zip(MOVES).map(|(seq, made)| transfer(seq, made, ids, &mut hash)).collect();
    let seq = content.last().map_or(0, |last| last.seq);
    StatementCase {
        holder_id: uuid(ids[0]),
        merchant_id: uuid(ids[1]),
        head: Head { seq, hash: hex::encode(hash) },
        content,
    }
}

#[derive(Serialize)]
struct StepCase {
    side: &'static str,
    hash: String,
    sum: Amount,
}

/// A proof as a member receives it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ProofCase {
    day: &'static str,
    currency: &'static str,
    holder_id: String,
    balance: Amount,
    salt: String,
    steps: Vec<StepCase>,
    root: String,
    total: Amount,
    leaves: usize,
}

#[derive(Serialize)]
struct TreeCase {
    leaves: usize,
    root: String,
    total: Amount,
    proofs: Vec<ProofCase>,
}

fn proof(tree: &Tree, leaf: &Leaf, leaves: usize) -> ProofCase {
    let index = tree.index_of(&leaf.node().expect("a node").hash).expect("in the tree");
    let steps = tree.prove(index).into_iter().map(|step| StepCase {
        side: match step.side {
            Side::Left => "left",
            Side::Right => "right",
        },
        hash: hex::encode(step.node.hash),
        sum: Amount::from_units(step.node.sum),
    });
    ProofCase {
        day: "2026-11-14",
        currency: "PHP",
        holder_id: uuid(leaf.holder),
        balance: Amount::from_units(leaf.balance),
        salt: hex::encode(leaf.salt),
        steps: steps.collect(),
        root: hex::encode(tree.root().hash),
        total: Amount::from_units(tree.root().sum),
        leaves,
    }
}

fn tree(size: usize) -> TreeCase {
    let balances = [9_900_000, 0, 1, 123_456_789, 50_000, 99, 10_000, 9_000_000_000_000_000];
    let leaves: Vec<Leaf> = (0..size)
        .map(|number| Leaf {
            salt: bytes_of(&format!("salt {size} {number}")),
            holder: bytes_of(&format!("holder {number}")),
            balance: balances[number % balances.len()],
        })
        .collect();
    let tree = Tree::build(leaves.clone()).expect("a tree");
    TreeCase {
        leaves: size,
        root: hex::encode(tree.root().hash),
        total: Amount::from_units(tree.root().sum),
        proofs: leaves.iter().map(|leaf| proof(&tree, leaf, size)).collect(),
    }
}

#[derive(Serialize)]
struct LedgerFile {
    statement: StatementCase,
    trees: Vec<TreeCase>,
}

#[test]
fn ledger() {
    let trees = [0, 1, 2, 3, 5, 8].map(tree).into();
    check("ledger.json", &LedgerFile { statement: statement(), trees });
}
