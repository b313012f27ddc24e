//! Properties that hold for any input.

use capiz_rules::fair::{DrawError, ServerSeed, Stream};
use capiz_rules::games::{Terms, find};
use capiz_rules::money::{Amount, Currency};
use proptest::prelude::*;

fn amounts() -> impl Strategy<Value = Amount> {
    prop_oneof![any::<i64>(), -2_000_000_i64..2_000_000].prop_map(Amount::from_units)
}

fn units(amount: Amount) -> i128 {
    i128::from(amount.units())
}

/// The exact result as an amount; `None` if it is out of range.
fn fitting(exact: i128) -> Option<Amount> {
    i64::try_from(exact).ok().map(Amount::from_units)
}

proptest! {
    #[test]
    fn the_text_of_an_amount_is_read_back(amount in amounts()) {
        let text = amount.to_string();
        prop_assert_eq!(text.parse(), Ok(amount));
        prop_assert!(!text.contains('.') || !text.ends_with('0'));
        let json = serde_json::to_string(&amount).expect("JSON");
        prop_assert_eq!(serde_json::from_str::<Amount>(&json).expect("an amount"), amount);
    }

    #[test]
    fn any_text_is_read_or_refused(text in "[-+0-9.e ]{0,24}|\\PC{0,8}") {
        let digits = text.strip_prefix('-').unwrap_or(&text);
        let (whole, decimals) = digits.split_once('.').unwrap_or((digits, "0"));
        let plain = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        let well_formed = plain(whole) && plain(decimals) && decimals.len() <= 4;
        let read = text.parse::<Amount>();
        prop_assert!(well_formed || read.is_err());
        prop_assert!(!well_formed || read.is_ok() || whole.len() >= 15);
    }

    #[test]
    fn sums_and_differences_are_exact_or_refused(a in amounts(), b in amounts()) {
        prop_assert_eq!(a.plus(b).ok(), fitting(units(a) + units(b)));
        prop_assert_eq!(a.minus(b).ok(), fitting(units(a) - units(b)));
    }

    #[test]
    fn products_are_rounded_down(a in amounts(), n in any::<i64>(), d in any::<i64>()) {
        let exact = units(a) * i128::from(n);
        let floor = (d > 0).then(|| exact.div_euclid(i128::from(d))).and_then(fitting);
        prop_assert_eq!(a.times_floor(n, d).ok(), floor);
    }

    #[test]
    fn floors_are_multiples_just_below(a in amounts(), unit in amounts()) {
        match a.floor_to(unit) {
            Ok(floor) => {
                prop_assert_eq!(units(floor) % units(unit), 0);
                prop_assert!(units(floor) <= units(a) && units(a) - units(floor) < units(unit));
                prop_assert!(floor.is_multiple_of(unit));
            }
            Err(_) => prop_assert!(!unit.is_positive() || units(a) < units(unit) + i128::from(i64::MIN)),
        }
    }

    #[test]
    fn a_draw_is_below_its_bound(
        seed in any::<[u8; 32]>(), client in ".{0,70}", nonce in any::<u64>(), n in any::<u64>(),
    ) {
        let mut stream = Stream::new(&ServerSeed::from_bytes(seed), &client, nonce, "dice");
        for bound in [n, n % (1 << 33), n % 10_001] {
            match stream.below(bound) {
                Ok(drawn) => prop_assert!(u64::from(drawn) < bound && bound <= 1 << 32),
                Err(error) => {
                    prop_assert_eq!(error, DrawError::Range);
                    prop_assert!(bound == 0 || bound > 1 << 32);
                }
            }
        }
    }

    #[test]
    fn dice_never_panics_and_pays_what_it_says(
        seed in any::<[u8; 32]>(), target in prop_oneof![any::<u32>(), 0_u32..10_010],
        under in any::<bool>(), stake in amounts(), most in amounts(),
    ) {
        let dice = find("dice").expect("dice");
        let direction = if under { "under" } else { "over" };
        let choice = format!(r#"{{"target":{target},"direction":"{direction}"}}"#);
        let mut stream = Stream::new(&ServerSeed::from_bytes(seed), "client", 0, "dice");
        let terms = Terms { stake, most };
        let allowed = dice.check_terms(&choice, &terms).is_ok();
        match dice.play(&mut stream, &terms, &choice, &[]) {
            Ok(state) => prop_assert!(!allowed || state.payout.is_some_and(|payout| payout <= most)),
            Err(_) => prop_assert!(!allowed),
        }
    }
}

#[test]
fn amounts_in_json_are_strings_only() {
    for json in ["1", "1.5", "null", "true", "[]", "\"1,5\"", "\"\"", "\"1e3\""] {
        assert!(serde_json::from_str::<Amount>(json).is_err(), "{json}");
    }
}

#[test]
fn currencies_are_known_by_their_codes() {
    for currency in Currency::ALL {
        assert_eq!(currency.code().parse(), Ok(currency));
        let json = serde_json::to_string(&currency).expect("JSON");
        assert_eq!(json, format!("\"{currency}\""));
        assert!(currency.payable_unit().is_positive());
    }
    assert!("php".parse::<Currency>().is_err());
}

/// 200,000 rolls in 100 classes: chi-square with 99 degrees of freedom stays below 148.2 with a
/// probability of 99.9 %. The seed is fixed, so the outcome is too.
#[test]
fn rolls_are_spread_evenly() {
    let seed = ServerSeed::from_bytes([7; 32]);
    let (rounds, classes) = (200_000_u32, 100_u32);
    let mut counts = vec![0_u32; 100];
    for nonce in 0..rounds {
        let mut stream = Stream::new(&seed, "evenly", u64::from(nonce), "dice");
        let roll = stream.below(10_000).expect("a roll");
        counts[usize::try_from(roll / classes).expect("a class")] += 1;
    }
    let expected = f64::from(rounds / classes);
    let chi_square: f64 =
        counts.iter().map(|count| (f64::from(*count) - expected).powi(2) / expected).sum();
    assert!(chi_square < 148.2, "{chi_square}");
    assert!(chi_square > 61.1, "suspiciously even: {chi_square}");
}
