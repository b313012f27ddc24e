//! The slot engine: spins a machine and pays its wins.

use super::grid::{Grid, Place};
use super::wins::{self, Win};
use super::{Event, Falls, Machine, Scatter, at_most_last};
use crate::fair::Stream;
use crate::games::{Book, Fraction, Multiple, Refused};
use crate::money::Overflow;

/// The most cascades of one spin. A machine that exceeds it has wrong data.
const MAX_FALLS: usize = 200;

/// Plays a round: the paid spin and the free spins that it wins.
pub fn spin(machine: &Machine, stream: &mut Stream) -> Result<Book<Event>, Refused> {
    let mut round = Round { machine, hundredths: 0, events: Vec::new() };
    let spins = round.spin(stream, false)?;
    if spins > 0 {
        round.events.push(Event::Free { spins });
    }
    for _ in 0..spins {
        if round.is_full() {
            break;
        }
        round.spin(stream, true)?;
    }
    round.end()
}

struct Round<'a> {
    machine: &'a Machine,
    /// The wins so far, in hundredths of the machine's share.
    hundredths: u64,
    events: Vec<Event>,
}

impl Round<'_> {
    /// Plays one spin with its cascades. Returns how many free spins its scatters give.
    fn spin(&mut self, stream: &mut Stream, free: bool) -> Result<u8, Refused> {
        let mut grid = Grid::draw(self.machine, stream)?;
        self.events.push(Event::Spin { reels: grid.reels.clone(), free });
        let spins = self.pay_scatters(&grid, free);
        for fall in 0..MAX_FALLS {
            let wins = wins::find(self.machine, &grid);
            self.pay(&wins, self.multiplier(free, fall))?;
            if wins.is_empty() || self.machine.falls.is_none() {
                break;
            }
            let gone: Vec<Place> = wins.into_iter().flat_map(|win| win.places).collect();
            grid.fall(&gone, self.machine, stream)?;
            self.events.push(Event::Fall { reels: grid.reels.clone() });
        }
        Ok(if free { 0 } else { spins })
    }

    /// The multiplier of wins at a cascade.
    fn multiplier(&self, free: bool, fall: usize) -> u32 {
        let falls = match (self.machine.falls, free) {
            (Some(Falls { paid, .. }), false) => at_most_last(paid, fall),
            (Some(Falls { free, .. }), true) => at_most_last(free, fall),
            (None, _) => 1,
        };
        falls.saturating_mul(self.free_multiplier(free))
    }

    fn free_multiplier(&self, free: bool) -> u32 {
        self.machine.scatter.filter(|_| free).map_or(1, |scatter| scatter.multiplier)
    }

    /// Pays scatters, which always pay multiples of the whole stake, not of the machine's share.
    fn pay_scatters(&mut self, grid: &Grid, free: bool) -> u8 {
        let Some(Scatter { symbol, pays, spins, .. }) = self.machine.scatter else { return 0 };
        let places = wins::scatters(self.machine, grid);
        let hundredths = at_most_last(pays, places.len()) * self.free_multiplier(free);
        let count = at_most_last(spins, places.len());
        if hundredths > 0 {
            let shares = self.machine.share().denominator();
            self.hundredths += u64::from(hundredths) * u64::try_from(shares).unwrap_or(1);
            let multiplier = Multiple::hundredths(hundredths).to_string();
            self.events.push(Event::Win { symbol, places, ways: 1, multiplier });
        }
        count
    }

    fn pay(&mut self, wins: &[Win], multiplier: u32) -> Result<(), Overflow> {
        for win in wins {
            let hundredths = u64::from(win.hundredths) * u64::from(multiplier);
            self.hundredths = self.hundredths.checked_add(hundredths).ok_or(Overflow)?;
            self.events.push(Event::Win {
                symbol: win.symbol,
                places: win.places.clone(),
                ways: win.ways,
                multiplier: self.shared(hundredths)?.to_string(),
            });
        }
        Ok(())
    }

    /// Hundredths of a share as a multiple of the stake.
    fn shared(&self, hundredths: u64) -> Result<Multiple, Overflow> {
        let share = self.machine.share().times(Fraction::new(hundredths.into(), 100))?;
        Ok(Multiple::of_fraction(share))
    }

    fn is_full(&self) -> bool {
        let shares = self.machine.share().denominator();
        u128::from(self.hundredths) >= u128::from(self.machine.most) * shares
    }

    fn end(mut self) -> Result<Book<Event>, Refused> {
        let multiple = match self.is_full() {
            true => self.machine.greatest(),
            false => self.shared(self.hundredths)?,
        };
        if self.is_full() {
            self.events.push(Event::Most);
        }
        Ok(Book { events: self.events, multiple })
    }
}
