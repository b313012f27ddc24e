//! Compares the simulated payouts with the stated returns.

use capiz_rules::games::{
    Dice, Fiesta, Game, Hilo, Keno, Limbo, Mines, Plinko, Progress, Reef, Sari, Scratch, Terms,
    Wheel, Windows,
};
use capiz_rules::money::Amount;

use super::spread::{self, LIMIT};

/// With fewer rounds than this, choices with rare wins are skipped: the interval of a mean needs a
/// sufficient number of wins.
const MANY: u64 = 1_000_000;

/// A choice, the actions of its rounds, and whether its wins are rare.
struct Case {
    play: fn(&Case, u64) -> Figures,
    code: &'static str,
    choice: &'static str,
    actions: &'static [&'static str],
    is_rare: bool,
}

const fn case<G: Game>(
    choice: &'static str,
    actions: &'static [&'static str],
    is_rare: bool,
) -> Case {
    Case { play: play_all::<G>, code: G::CODE, choice, actions, is_rare }
}

const CASES: &[Case] = &[
    case::<Dice>(r#"{"target":5000,"direction":"under"}"#, &[], false),
    case::<Dice>(r#"{"target":9900,"direction":"over"}"#, &[], true),
    case::<Dice>(r#"{"target":9800,"direction":"under"}"#, &[], false),
    case::<Limbo>(r#"{"target":101}"#, &[], false),
    case::<Limbo>(r#"{"target":200}"#, &[], false),
    case::<Limbo>(r#"{"target":10000}"#, &[], true),
    case::<Mines>(r#"{"mines":3}"#, &[r#"{"pick":0}"#, r#"{"pick":7}"#, r#""cashOut""#], false),
    case::<Mines>(r#"{"mines":24}"#, &[r#"{"pick":12}"#], true),
    case::<Plinko>(r#"{"rows":8,"risk":"low"}"#, &[], false),
    case::<Plinko>(r#"{"rows":12,"risk":"medium"}"#, &[], false),
    case::<Plinko>(r#"{"rows":16,"risk":"high"}"#, &[], true),
    case::<Hilo>("{}", &[r#""higher""#, r#""cashOut""#], false),
    case::<Hilo>("{}", &[r#""skip""#, r#""lower""#, r#""higher""#, r#""cashOut""#], false),
    case::<Wheel>(r#"{"segments":10,"risk":"low"}"#, &[], false),
    case::<Wheel>(r#"{"segments":30,"risk":"medium"}"#, &[], false),
    case::<Wheel>(r#"{"segments":50,"risk":"high"}"#, &[], true),
    case::<Keno>(r#"{"picks":[7]}"#, &[], false),
    case::<Keno>(r#"{"picks":[1,2,3,4,5]}"#, &[], true),
    case::<Keno>(r#"{"picks":[31,2,13,24,5,36,17,28,9,40]}"#, &[], true),
    case::<Scratch>("{}", &[], true),
    case::<Reef>("{}", &[], true),
    case::<Windows>("{}", &[], true),
    case::<Sari>("{}", &[], true),
    case::<Fiesta>("{}", &[], true),
];

/// A stake so large that rounding to the cent is negligible.
const TERMS: Terms =
    Terms { stake: Amount::from_units(100_000_000), most: Amount::from_units(i64::MAX) };

#[derive(Clone, Copy, Default)]
struct Sums {
    rounds: f64,
    paid: f64,
    squares: f64,
    wins: f64,
}

impl Sums {
    fn add(&mut self, paid: f64) {
        self.rounds += 1.0;
        self.paid += paid;
        self.squares += paid * paid;
        self.wins += if paid > 0.0 { 1.0 } else { 0.0 };
    }

    fn join(self, other: Self) -> Self {
        Self {
            rounds: self.rounds + other.rounds,
            paid: self.paid + other.paid,
            squares: self.squares + other.squares,
            wins: self.wins + other.wins,
        }
    }
}

/// The stated return and the simulated one.
struct Figures {
    stated: f64,
    sums: Sums,
}

pub fn compare_all(rounds: u64) -> bool {
    println!("{:<56} {:>10} {:>10} {:>9} {:>8}", "", "stated %", "played %", "± 99.9 %", "wins %");
    let played = CASES.iter().filter(|case| rounds >= MANY || !case.is_rare);
    // All cases are compared, even after one has failed.
    played.filter(|case| !compare(case, &(case.play)(case, rounds))).count() == 0
}

fn compare(case: &Case, figures: &Figures) -> bool {
    let Figures { stated, sums } = figures;
    let mean = sums.paid / sums.rounds;
    let variance = (sums.squares / sums.rounds - mean * mean).max(0.0);
    let margin = LIMIT * (variance / sums.rounds).sqrt() * 100.0;
    let played = mean * 100.0;
    let is_inside = (played - stated).abs() <= margin;
    let steps = match case.actions.len() {
        0 => String::new(),
        count => format!(" {count} steps"),
    };
    println!(
        "{:<56} {stated:>10.4} {played:>10.4} {margin:>9.4} {:>8.3}{}",
        format!("{} {}{steps}", case.code, case.choice),
        sums.wins / sums.rounds * 100.0,
        if is_inside { "" } else { "  OUTSIDE" },
    );
    is_inside
}

fn play_all<G: Game>(case: &Case, rounds: u64) -> Figures {
    let read_choice = || serde_json::from_str::<G::Choice>(case.choice).expect("a choice");
    let read_actions = || -> Vec<G::Action> {
        let read = |text: &&str| serde_json::from_str(text).expect("an action");
        case.actions.iter().map(read).collect()
    };
    let stated = G::returns(&read_choice()).percent().expect("a small number");
    let begin = || {
        let (choice, actions) = (read_choice(), read_actions());
        move |sums: &mut Sums, nonce| sums.add(play_one::<G>(nonce, &choice, &actions))
    };
    let sums = spread::sum(rounds, Sums::default, begin, Sums::join);
    Figures { stated: stated.parse().expect("a number"), sums }
}

/// Plays until the round is over, which may be before all actions are done.
fn play_one<G: Game>(nonce: u64, choice: &G::Choice, actions: &[G::Action]) -> f64 {
    for done in 0..=actions.len() {
        let mut stream = spread::stream(nonce, G::CODE);
        let played = G::play(&mut stream, &TERMS, choice, &actions[..done]);
        if let Ok(Progress::Over(book)) = played {
            return book.multiple.of(TERMS.stake).map_or(f64::NAN, times_stake);
        }
    }
    f64::NAN
}

/// A payout as a multiple of the stake, to five decimals.
fn times_stake(payout: Amount) -> f64 {
    let thousands =
        |amount: Amount| i32::try_from(amount.units() / 1_000).map_or(f64::NAN, f64::from);
    thousands(payout) / thousands(TERMS.stake)
}
