//! The search index for games: fuzzy prefix search by name. Case and accents are ignored, the
//! prefix of a word is enough, and longer words may contain one or two typos.
//!
//! Typos are found by symmetric deletion: words are indexed by the hashes of what remains after
//! letters are deleted. `mimes` without its third letter is `mies`, and so is `mines`. The number
//! of lookups depends on the length of the typed word, not on the number of games.

use std::collections::{BTreeMap, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::bits::Bits;

/// Deletions are made only within the first letters of a word, which bounds their number.
const DELETION_PREFIX: usize = 7;
/// A word that occurs in more than one in this many games stores its games as a bitset.
const DENSE: usize = 32;
/// The most words of a query that are searched; the rest is ignored.
const WORDS_MAX: usize = 8;

/// Splits a text into words, in lower case and without accents and punctuation.
pub fn words(text: &str) -> Vec<String> {
    let plain = text.nfkd().filter(|letter| !is_combining_mark(*letter) && *letter != '\'');
    let plain: String =
        plain.filter(|letter| *letter != '’').flat_map(char::to_lowercase).collect();
    let words = plain.split(|letter: char| !letter.is_alphanumeric());
    words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// The number of typos allowed in a word, by its length. A word with digits must match exactly.
fn allowed_typos(word: &str) -> usize {
    if word.contains(|letter: char| letter.is_ascii_digit()) {
        return 0;
    }
    match word.chars().count() {
        0..=3 => 0,
        4..=7 => 1,
        _ => 2,
    }
}

/// A word, and the games whose names contain it.
struct Entry {
    word: Box<str>,
    games: Vec<usize>,
    dense: Option<Bits>,
}

/// The search index: all words of the names of all games.
#[derive(Default)]
pub struct Words {
    bound: usize,
    /// Sorted by word.
    entries: Vec<Entry>,
    /// The hash of each deletion variant, and the index of its word. Sorted by hash.
    deletions: Vec<(u64, usize)>,
    /// The games of short prefixes that match very many games.
    dense_prefixes: HashMap<Box<str>, Bits>,
}

impl Words {
    /// Builds the index from games and their names; a game may have several names.
    pub fn new<'a>(bound: usize, names: impl IntoIterator<Item = (usize, &'a str)>) -> Self {
        let mut found: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (game, name) in names {
            let mut parts = words(name);
            // `Sari-Sari` may also be typed as one word.
            if parts.len() == 2 {
                parts.push(parts.concat());
            }
            parts.sort_unstable();
            parts.dedup();
            for word in parts {
                let games = found.entry(word).or_default();
                if games.last() != Some(&game) {
                    games.push(game);
                }
            }
        }
        let entries = found.into_iter().map(|(word, games)| {
            let is_dense = games.len() > bound / DENSE;
            let dense = is_dense.then(|| Bits::of(bound, games.iter().copied()));
            Entry { word: word.into(), games, dense }
        });
        let mut words = Self { bound, entries: entries.collect(), ..Self::default() };
        words.deletions = words.all_deletions();
        words.dense_prefixes = words.find_dense_prefixes();
        words
    }

    fn all_deletions(&self) -> Vec<(u64, usize)> {
        let entries = (0usize..).zip(&self.entries);
        let mut all: Vec<_> = entries
            .flat_map(|(index, entry)| {
                let hashes = deletions(&entry.word, allowed_typos(&entry.word));
                hashes.into_iter().map(move |hash| (hash, index))
            })
            .collect();
        all.sort_unstable();
        all
    }

    /// Precomputes the games of prefixes of one or two letters that match many games, so that these
    /// searches are fast too.
    fn find_dense_prefixes(&self) -> HashMap<Box<str>, Bits> {
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for entry in &self.entries {
            for prefix in short_prefixes(&entry.word) {
                *counts.entry(prefix).or_default() += entry.games.len();
            }
        }
        counts.retain(|_, count| *count > self.bound / DENSE);
        let dense = counts.into_keys().map(|text| (text.into(), self.scan(text)));
        dense.collect()
    }

    /// The games with a word that starts with a prefix.
    fn find_prefix(&self, text: &str) -> Bits {
        match self.dense_prefixes.get(text) {
            Some(bits) => bits.clone(),
            None => self.scan(text),
        }
    }

    fn scan(&self, text: &str) -> Bits {
        let first = self.entries.partition_point(|entry| *entry.word < *text);
        let entries = self.entries[first..].iter();
        let mut bits = Bits::none(self.bound);
        for entry in entries.take_while(|entry| entry.word.starts_with(text)) {
            entry.add_to(&mut bits);
        }
        bits
    }

    /// The games with a word that differs from the typed one by the allowed number of typos.
    fn find_with_typos(&self, typed: &str) -> Bits {
        let mut bits = Bits::none(self.bound);
        for hash in deletions(typed, allowed_typos(typed)) {
            let first = self.deletions.partition_point(|(known, _)| *known < hash);
            let same = self.deletions[first..].iter().take_while(|(known, _)| *known == hash);
            for (_, index) in same {
                let entry = &self.entries[*index];
                let max = allowed_typos(&entry.word).max(allowed_typos(typed));
                if distance(&entry.word, typed) <= max {
                    entry.add_to(&mut bits);
                }
            }
        }
        bits
    }

    /// The games that a typed word matches: by prefix, or with typos if no prefix matches.
    pub fn find(&self, typed: &str) -> Bits {
        let found = self.find_prefix(typed);
        match found.count() {
            0 => self.find_with_typos(typed),
            _ => found,
        }
    }
}

impl Entry {
    fn add_to(&self, bits: &mut Bits) {
        match &self.dense {
            Some(dense) => bits.add(dense),
            None => self.games.iter().for_each(|game| bits.insert(*game)),
        }
    }
}

/// The words of a search query, up to `WORDS_MAX`.
pub fn query_words(text: &str) -> Vec<String> {
    let mut query = words(text);
    query.truncate(WORDS_MAX);
    query
}

/// The prefixes of one and of two letters of a word.
fn short_prefixes(word: &str) -> impl Iterator<Item = &str> {
    let ends = word.char_indices().skip(1).map(|(end, _)| end).chain([word.len()]);
    ends.take(2).map(|end| &word[..end])
}

/// The hashes of all variants of a word's prefix with up to `max` letters deleted.
fn deletions(word: &str, max: usize) -> Vec<u64> {
    if max == 0 {
        return Vec::new();
    }
    let mut level: Vec<Vec<char>> = vec![word.chars().take(DELETION_PREFIX).collect()];
    let mut all = level.clone();
    for _ in 0..max {
        let mut next: Vec<Vec<char>> = Vec::new();
        for word in &level {
            for index in 0..word.len() {
                let mut variant = word.clone();
                variant.remove(index);
                next.push(variant);
            }
        }
        next.sort_unstable();
        next.dedup();
        all.extend(next.iter().cloned());
        level = next;
    }
    let hash = |letters: Vec<char>| {
        let mut hasher = DefaultHasher::new();
        letters.hash(&mut hasher);
        hasher.finish()
    };
    let mut hashes: Vec<u64> = all.into_iter().map(hash).collect();
    hashes.sort_unstable();
    hashes.dedup();
    hashes
}

/// The edit distance (Damerau-Levenshtein, optimal string alignment): the number of insertions,
/// deletions, substitutions and swaps of adjacent letters.
fn distance(one: &str, two: &str) -> usize {
    let [one, two]: [Vec<char>; 2] = [one, two].map(|word| word.chars().collect());
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=two.len()).collect();
    for (i, letter) in one.iter().enumerate() {
        let mut next = vec![i + 1];
        for (j, other) in two.iter().enumerate() {
            let changed = row[j] + usize::from(letter != other);
            let mut least = changed.min(row[j + 1] + 1).min(next[j] + 1);
            let is_swapped = i > 0 && j > 0 && *letter == two[j - 1] && one[i - 1] == *other;
            if is_swapped {
                least = least.min(before[j - 1] + 1);
            }
            next.push(least);
        }
        before = std::mem::replace(&mut row, next);
    }
    row[two.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: &[&str] = &[
        "Dice",
        "Capiz Windows",
        "Sari-Sari",
        "Hi-Lo",
        "Plinko",
        "Bahura ng Korales",
        "Pistá 777",
    ];

    fn find(text: &str) -> Vec<&'static str> {
        let names = (0usize..).zip(NAMES.iter().copied());
        let all = Words::new(NAMES.len(), names);
        let mut found = Bits::of(NAMES.len(), 0..7);
        for word in query_words(text) {
            found.keep(&all.find(&word));
        }
        found.iter().map(|game| NAMES[game]).collect()
    }

    #[test]
    fn beginnings_capitals_accents_and_signs_do_not_matter() {
        assert_eq!(find("DIC"), ["Dice"]);
        assert_eq!(find("win cap"), ["Capiz Windows"]);
        assert_eq!(find("sari sari"), ["Sari-Sari"]);
        assert_eq!(find("sarisari"), ["Sari-Sari"]);
        assert_eq!(find("hilo"), ["Hi-Lo"]);
        assert_eq!(find("pista"), ["Pistá 777"]);
        assert_eq!(find("PÌSTÄ"), ["Pistá 777"]);
        assert_eq!(find("k"), ["Bahura ng Korales"]);
    }

    #[test]
    fn mistakes_are_forgiven_in_longer_words() {
        for text in ["plinco", "pliinko", "plinok", "linko", "plinkoo", "plimko"] {
            assert_eq!(find(text), ["Plinko"], "{text}");
        }
        assert_eq!(find("capiz widnows"), ["Capiz Windows"]);
        assert_eq!(find("korles"), ["Bahura ng Korales"]);
        assert_eq!(find("dcie"), ["Dice"]);
        assert_eq!(find("capizwimdovs"), ["Capiz Windows"]);
        for text in ["plaxxo", "dxxe", "778", "xyz", "ri-"] {
            assert!(find(text).is_empty(), "{text}");
        }
    }

    #[test]
    fn distances_count_single_mistakes() {
        for (one, two, expected) in
            [("", "", 0), ("a", "", 1), ("mines", "mimes", 1), ("abcd", "badc", 2), ("ñu", "nu", 1)]
        {
            assert_eq!(distance(one, two), expected, "{one} {two}");
            assert_eq!(distance(two, one), expected, "{two} {one}");
        }
    }
}
