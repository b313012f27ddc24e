//! Wheel: it stops at one of its segments; all are equally likely.

use serde::{Deserialize, Serialize};

use super::{Book, Fraction, Game, Multiple, Never, Progress, Refused, Risk, Terms};
use crate::fair::Stream;

/// The game.
pub struct Wheel;

/// The player's choice of the wheel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Choice {
    /// 10, 20, 30, 40 or 50.
    pub segments: u8,
    /// The variance of the segments.
    pub risk: Risk,
}

/// The events of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum Event {
    /// The wheel stopped.
    Stop {
        /// The index of the segment, from 0.
        segment: u8,
    },
}

/// The segments that win, in hundredths, in their order around the wheel. A wheel pays back 9.9
/// stakes for each ten segments.
fn wins(choice: &Choice) -> Option<Vec<u32>> {
    let tens = match choice.segments {
        10 | 20 | 30 | 40 | 50 => usize::from(choice.segments / 10),
        _ => return None,
    };
    Some(match (choice.risk, choice.segments) {
        (Risk::Low, _) => [170, 100, 140, 100, 140, 100, 140, 100].repeat(tens),
        (Risk::Medium, 10) => vec![310, 140, 200, 140, 200],
        (Risk::Medium, 20) => vec![500, 140, 200, 300, 200, 140, 300, 200],
        (Risk::Medium, 30) => vec![700, 185, 200, 300, 200, 200, 300, 200, 185, 300, 200],
        (Risk::Medium, 40) => {
            vec![1_000, 140, 200, 300, 200, 140, 300, 200, 200, 300, 140, 200, 300, 200, 140]
        }
        (Risk::Medium, _) => vec![
            1_500, 150, 200, 300, 150, 200, 300, 200, 150, 300, 200, 150, 300, 200, 150, 300, 200,
        ],
        (Risk::High, segments) => vec![u32::from(segments) * 99],
    })
}

/// What each segment of a wheel pays, in hundredths. The winning segments are spaced evenly.
pub fn segments(choice: &Choice) -> Option<Vec<u32>> {
    let wins = wins(choice)?;
    let count = usize::from(choice.segments);
    let mut wheel = vec![0; count];
    for (number, win) in wins.iter().enumerate() {
        wheel[number * count / wins.len()] = *win;
    }
    Some(wheel)
}

impl Game for Wheel {
    type Choice = Choice;
    type Action = Never;
    type Event = Event;

    const CODE: &'static str = "wheel";

    fn usual() -> Choice {
        Choice { segments: 30, risk: Risk::Medium }
    }

    fn check(choice: &Choice) -> Result<(), Refused> {
        wins(choice).map(drop).ok_or(Refused::Choice("segments"))
    }

    fn greatest(choice: &Choice) -> Multiple {
        let most = wins(choice).and_then(|wins| wins.into_iter().max());
        most.map_or(Multiple::NOTHING, Multiple::hundredths)
    }

    fn returns(choice: &Choice) -> Fraction {
        let paid: u32 = segments(choice).unwrap_or_default().iter().sum();
        Fraction::new(paid.into(), 100 * u128::from(choice.segments))
    }

    fn play(
        stream: &mut Stream,
        _: &Terms,
        choice: &Choice,
        _: &[Never],
    ) -> Result<Progress<Event>, Refused> {
        let wheel = segments(choice).ok_or(Refused::Choice("segments"))?;
        let drawn = stream.below(u64::from(choice.segments))?;
        let segment = u8::try_from(drawn).map_err(|_| Refused::Choice("segments"))?;
        let multiple = Multiple::hundredths(wheel[usize::from(segment)]);
        Ok(Progress::Over(Book { events: vec![Event::Stop { segment }], multiple }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_wheel_returns_99_percent_and_has_room_for_its_wins() {
        for risk in Risk::ALL {
            for count in [10, 20, 30, 40, 50] {
                let choice = Choice { segments: count, risk };
                assert_eq!(Wheel::returns(&choice), Fraction::new(99, 100), "{choice:?}");
                let wheel = segments(&choice).expect("a wheel");
                assert_eq!(wheel.len(), usize::from(count));
                let winning = wheel.iter().filter(|pays| **pays > 0).count();
                assert_eq!(winning, wins(&choice).expect("a wheel").len(), "{choice:?}");
            }
        }
        for count in [0, 5, 15, 60, 255] {
            let choice = Choice { segments: count, risk: Risk::Low };
            assert_eq!(Wheel::check(&choice), Err(Refused::Choice("segments")));
        }
    }
}
