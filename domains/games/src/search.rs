//! Finding games by what somebody types: capitals and accents do not matter, the beginning of a
//! word is enough, and a mistake or two in a longer word are forgiven.
//!
//! Words that are typed with a mistake are found by what is left of them when letters are taken
//! out: `mimes` without its third letter is `mies`, and so is `mines`. The number of looks
//! depends on the word that was typed, not on the number of games.

use std::collections::{BTreeMap, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::bits::Bits;

/// Only so many letters at the beginning of a word decide where it is looked for.
const HEAD: usize = 7;
/// A word that stands in more than this part of all games keeps them as bits.
const DENSE: usize = 32;
/// More words than anybody types to find a game.
const WORDS_MOST: usize = 8;

/// The words of a text without capitals, accents and signs.
pub fn words(text: &str) -> Vec<String> {
    let plain = text.nfkd().filter(|letter| !is_combining_mark(*letter) && *letter != '\'');
    let plain: String =
        plain.filter(|letter| *letter != '’').flat_map(char::to_lowercase).collect();
    let words = plain.split(|letter: char| !letter.is_alphanumeric());
    words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// How many mistakes are forgiven in a word. Numbers are not guessed at.
fn forgiven(word: &str) -> usize {
    if word.contains(|letter: char| letter.is_ascii_digit()) {
        return 0;
    }
    match word.chars().count() {
        0..=3 => 0,
        4..=7 => 1,
        _ => 2,
    }
}

/// A word and the games that it stands in.
struct Entry {
    word: Box<str>,
    games: Vec<usize>,
    dense: Option<Bits>,
}

/// All words of all games.
#[derive(Default)]
pub struct Words {
    bound: usize,
    /// By word.
    entries: Vec<Entry>,
    /// What is left of words without some of their letters: its hash, and the word.
    remains: Vec<(u64, usize)>,
    /// The games of very many words that begin alike.
    beginnings: HashMap<Box<str>, Bits>,
}

impl Words {
    /// The words of games, each with its names.
    pub fn new<'a>(bound: usize, names: impl IntoIterator<Item = (usize, &'a str)>) -> Self {
        let mut found: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (game, name) in names {
            let mut parts = words(name);
            // `Sari-Sari` is typed as one word, too.
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
        words.remains = words.all_remains();
        words.beginnings = words.dense_beginnings();
        words
    }

    fn all_remains(&self) -> Vec<(u64, usize)> {
        let entries = (0usize..).zip(&self.entries);
        let mut all: Vec<_> = entries
            .flat_map(|(index, entry)| {
                let remains = remains(&entry.word, forgiven(&entry.word));
                remains.into_iter().map(move |hash| (hash, index))
            })
            .collect();
        all.sort_unstable();
        all
    }

    /// Somebody who has typed a letter or two waits for nothing, either.
    fn dense_beginnings(&self) -> HashMap<Box<str>, Bits> {
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for entry in &self.entries {
            for beginning in beginnings(&entry.word) {
                *counts.entry(beginning).or_default() += entry.games.len();
            }
        }
        counts.retain(|_, count| *count > self.bound / DENSE);
        let dense = counts.into_keys().map(|text| (text.into(), self.scan(text)));
        dense.collect()
    }

    /// The games with a word that begins so.
    fn beginning(&self, text: &str) -> Bits {
        match self.beginnings.get(text) {
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

    /// The games with a word that may have been meant.
    fn meant(&self, typed: &str) -> Bits {
        let mut bits = Bits::none(self.bound);
        for hash in remains(typed, forgiven(typed)) {
            let first = self.remains.partition_point(|(known, _)| *known < hash);
            let same = self.remains[first..].iter().take_while(|(known, _)| *known == hash);
            for (_, index) in same {
                let entry = &self.entries[*index];
                let most = forgiven(&entry.word).max(forgiven(typed));
                if distance(&entry.word, typed) <= most {
                    entry.add_to(&mut bits);
                }
            }
        }
        bits
    }

    /// The games that a word finds: those with a word that begins so, and where there is none,
    /// those with a word that may have been meant.
    pub fn find(&self, typed: &str) -> Bits {
        let found = self.beginning(typed);
        match found.count() {
            0 => self.meant(typed),
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

/// The words that somebody typed.
pub fn typed(text: &str) -> Vec<String> {
    let mut typed = words(text);
    typed.truncate(WORDS_MOST);
    typed
}

/// The first letter of a word, and the first two.
fn beginnings(word: &str) -> impl Iterator<Item = &str> {
    let ends = word.char_indices().skip(1).map(|(end, _)| end).chain([word.len()]);
    ends.take(2).map(|end| &word[..end])
}

/// Hashes of what is left of a word's head when up to so many letters are taken out.
fn remains(word: &str, most: usize) -> Vec<u64> {
    if most == 0 {
        return Vec::new();
    }
    let mut level: Vec<Vec<char>> = vec![word.chars().take(HEAD).collect()];
    let mut all = level.clone();
    for _ in 0..most {
        let mut next: Vec<Vec<char>> = Vec::new();
        for word in &level {
            for index in 0..word.len() {
                let mut left = word.clone();
                left.remove(index);
                next.push(left);
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

/// How many letters have to be added, taken out, changed or swapped with the next one.
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
        for word in typed(text) {
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
        for (one, two, wanted) in
            [("", "", 0), ("a", "", 1), ("mines", "mimes", 1), ("abcd", "badc", 2), ("ñu", "nu", 1)]
        {
            assert_eq!(distance(one, two), wanted, "{one} {two}");
            assert_eq!(distance(two, one), wanted, "{two} {one}");
        }
    }
}
