//! Sets of games as bits: what a list is filtered by is an intersection of a few of these, which
//! takes microseconds however many games there are.

/// A set of numbers below a bound.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bits {
    words: Vec<u64>,
}

impl Bits {
    /// No number below `bound`.
    pub fn none(bound: usize) -> Self {
        Self { words: vec![0; bound.div_ceil(64)] }
    }

    /// These numbers below `bound`.
    pub fn of(bound: usize, numbers: impl IntoIterator<Item = usize>) -> Self {
        let mut bits = Self::none(bound);
        numbers.into_iter().for_each(|number| bits.insert(number));
        bits
    }

    /// Adds a number. What is not below the bound is not kept.
    pub fn insert(&mut self, number: usize) {
        if let Some(word) = self.words.get_mut(number / 64) {
            *word |= 1 << (number % 64);
        }
    }

    /// Whether a number is in it.
    pub fn has(&self, number: usize) -> bool {
        self.words.get(number / 64).is_some_and(|word| word & (1 << (number % 64)) != 0)
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.words.iter().map(|word| usize::try_from(word.count_ones()).unwrap_or_default()).sum()
    }

    /// Keeps what is in the other, too.
    pub fn keep(&mut self, other: &Self) {
        for (index, word) in self.words.iter_mut().enumerate() {
            *word &= other.words.get(index).copied().unwrap_or(0);
        }
    }

    /// Adds what is in the other.
    pub fn add(&mut self, other: &Self) {
        self.words.iter_mut().zip(&other.words).for_each(|(word, other)| *word |= other);
    }

    /// Takes away what is in the other.
    pub fn drop(&mut self, other: &Self) {
        self.words.iter_mut().zip(&other.words).for_each(|(word, other)| *word &= !other);
    }

    /// The numbers, rising.
    pub fn iter(&self) -> impl Iterator<Item = usize> {
        (0usize..).zip(&self.words).flat_map(|(index, word)| {
            let mut left = *word;
            std::iter::from_fn(move || {
                let bit = usize::try_from(left.trailing_zeros()).ok().filter(|bit| *bit < 64)?;
                left &= left - 1;
                Some(index * 64 + bit)
            })
        })
    }
}

/// An order of all games.
#[derive(Clone, Debug, Default)]
pub struct Order {
    /// The games in this order.
    games: Vec<usize>,
    /// The place of each game in it.
    places: Vec<usize>,
}

impl Order {
    /// An order of the games below `bound` by a key.
    pub fn by<K: Ord>(bound: usize, key: impl FnMut(&usize) -> K) -> Self {
        let mut games: Vec<usize> = (0usize..).take(bound).collect();
        games.sort_by_cached_key(key);
        let mut places = vec![0; bound];
        for (place, game) in (0usize..).zip(&games) {
            places[*game] = place;
        }
        Self { games, places }
    }

    /// Some games of a set in this order: `limit` of them after the first `skipped`.
    pub fn page(&self, set: &Bits, skipped: usize, limit: usize) -> Vec<usize> {
        /// To collect and sort a game costs about as much as so many steps along the order.
        const STEPS: usize = 4;
        let (count, end) = (set.count(), skipped.saturating_add(limit));
        let steps = self.games.iter().take(count.saturating_mul(STEPS)).copied();
        let mut first: Vec<usize> = steps.filter(|game| set.has(*game)).take(end).collect();
        // Few of many are met soon, unless all of them stand far behind.
        if first.len() < end.min(count) {
            first = self.sorted(set, end);
        }
        first.into_iter().skip(skipped).collect()
    }

    /// The first games of a set in this order, by sorting them.
    fn sorted(&self, set: &Bits, end: usize) -> Vec<usize> {
        let mut places: Vec<usize> = set.iter().map(|game| self.places[game]).collect();
        if end < places.len() {
            places.select_nth_unstable(end);
            places.truncate(end);
        }
        places.sort_unstable();
        places.into_iter().map(|place| self.games[place]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_intersected_joined_and_taken_apart() {
        let [mut odd, low] = [Bits::of(200, (1..200).step_by(2)), Bits::of(200, 0..70)];
        assert_eq!((odd.count(), low.count()), (100, 70));
        assert!(odd.has(199) && !odd.has(198) && !odd.has(4_000));
        let mut rest = odd.clone();
        rest.drop(&low);
        assert_eq!(rest.iter().next(), Some(71));
        odd.keep(&low);
        assert_eq!(odd.iter().collect::<Vec<_>>(), (1..70).step_by(2).collect::<Vec<_>>());
        rest.add(&odd);
        assert_eq!(rest.count(), 100);
        odd.insert(4_000);
        assert_eq!(odd.count(), 35);
    }

    #[test]
    fn a_page_is_the_same_by_either_way() {
        let order = Order::by(1_000, |game| (game * 7_919) % 1_000);
        let mut sets =
            [1, 3, 50, 400].map(|step| Bits::of(1_000, (0..1_000).step_by(step))).to_vec();
        // These stand at the very end, where no walk gets to.
        sets.push(Bits::of(1_000, order.games[950..].iter().copied()));
        for set in sets {
            let all: Vec<usize> =
                order.games.iter().copied().filter(|game| set.has(*game)).collect();
            for (skipped, limit) in [(0, 5), (3, 2), (0, 5_000), (999, 5), (2_000, 5)] {
                let wanted: Vec<usize> = all.iter().copied().skip(skipped).take(limit).collect();
                assert_eq!(order.page(&set, skipped, limit), wanted, "{skipped} {limit}");
            }
        }
    }
}
