//! Bitsets of games. Filtering a list is an intersection of a few bitsets, which takes microseconds
//! however many games there are.

/// A bitset: a set of numbers below a bound.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bits {
    words: Vec<u64>,
}

impl Bits {
    /// The empty set for numbers below `bound`.
    pub fn none(bound: usize) -> Self {
        Self { words: vec![0; bound.div_ceil(64)] }
    }

    /// The set of the given numbers, which are below `bound`.
    pub fn of(bound: usize, numbers: impl IntoIterator<Item = usize>) -> Self {
        let mut bits = Self::none(bound);
        numbers.into_iter().for_each(|number| bits.insert(number));
        bits
    }

    /// Adds a number. A number beyond the last 64-bit word is ignored.
    pub fn insert(&mut self, number: usize) {
        if let Some(word) = self.words.get_mut(number / 64) {
            *word |= 1 << (number % 64);
        }
    }

    /// Whether the set contains a number.
    pub fn has(&self, number: usize) -> bool {
        self.words.get(number / 64).is_some_and(|word| word & (1 << (number % 64)) != 0)
    }

    /// The number of elements.
    pub fn count(&self) -> usize {
        self.words.iter().map(|word| usize::try_from(word.count_ones()).unwrap_or_default()).sum()
    }

    /// Intersection with another set, in place.
    pub fn keep(&mut self, other: &Self) {
        for (index, word) in self.words.iter_mut().enumerate() {
            *word &= other.words.get(index).copied().unwrap_or(0);
        }
    }

    /// Union with another set, in place.
    pub fn add(&mut self, other: &Self) {
        self.words.iter_mut().zip(&other.words).for_each(|(word, other)| *word |= other);
    }

    /// Difference: removes the elements of another set, in place.
    pub fn drop(&mut self, other: &Self) {
        self.words.iter_mut().zip(&other.words).for_each(|(word, other)| *word &= !other);
    }

    /// The elements in ascending order.
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

/// A sort order of all games, computed once for each edition.
#[derive(Clone, Debug, Default)]
pub struct Order {
    /// The numbers of the games, sorted.
    games: Vec<usize>,
    /// The rank of each game in `games`, by its number.
    ranks: Vec<usize>,
}

impl Order {
    /// Sorts the games below `bound` by a key.
    pub fn by<K: Ord>(bound: usize, key: impl FnMut(&usize) -> K) -> Self {
        let mut games: Vec<usize> = (0usize..).take(bound).collect();
        games.sort_by_cached_key(key);
        let mut ranks = vec![0; bound];
        for (rank, game) in (0usize..).zip(&games) {
            ranks[*game] = rank;
        }
        Self { games, ranks }
    }

    /// One page of a set in this order: up to `limit` games after the first `offset`.
    pub fn page(&self, set: &Bits, offset: usize, limit: usize) -> Vec<usize> {
        /// Collecting and sorting one game costs about as much as this many steps of a scan.
        const STEPS: usize = 4;
        let (count, end) = (set.count(), offset.saturating_add(limit));
        let steps = self.games.iter().take(count.saturating_mul(STEPS)).copied();
        let mut first: Vec<usize> = steps.filter(|game| set.has(*game)).take(end).collect();
        // The scan finds a page of a large set early, unless its games all rank far behind.
        if first.len() < end.min(count) {
            first = self.sorted(set, end);
        }
        first.into_iter().skip(offset).collect()
    }

    /// The first `end` games of a set in this order, found by sorting their ranks.
    fn sorted(&self, set: &Bits, end: usize) -> Vec<usize> {
        let mut ranks: Vec<usize> = set.iter().map(|game| self.ranks[game]).collect();
        if end < ranks.len() {
            ranks.select_nth_unstable(end);
            ranks.truncate(end);
        }
        ranks.sort_unstable();
        ranks.into_iter().map(|rank| self.games[rank]).collect()
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
        let mut remaining = odd.clone();
        remaining.drop(&low);
        assert_eq!(remaining.iter().next(), Some(71));
        odd.keep(&low);
        assert_eq!(odd.iter().collect::<Vec<_>>(), (1..70).step_by(2).collect::<Vec<_>>());
        remaining.add(&odd);
        assert_eq!(remaining.count(), 100);
        odd.insert(4_000);
        assert_eq!(odd.count(), 35);
    }

    #[test]
    fn a_page_is_the_same_by_either_way() {
        let order = Order::by(1_000, |game| (game * 7_919) % 1_000);
        let mut sets =
            [1, 3, 50, 400].map(|step| Bits::of(1_000, (0..1_000).step_by(step))).to_vec();
        // These rank last, beyond the reach of the scan.
        sets.push(Bits::of(1_000, order.games[950..].iter().copied()));
        for set in sets {
            let all: Vec<usize> =
                order.games.iter().copied().filter(|game| set.has(*game)).collect();
            for (offset, limit) in [(0, 5), (3, 2), (0, 5_000), (999, 5), (2_000, 5)] {
                let expected: Vec<usize> = all.iter().copied().skip(offset).take(limit).collect();
                assert_eq!(order.page(&set, offset, limit), expected, "{offset} {limit}");
            }
        }
    }
}
