//! Rejects guessable passwords: common ones, the brand name, and the member's own name or number.

use std::collections::HashSet;
use std::sync::LazyLock;

static COMMON: LazyLock<HashSet<&'static str>> =
    LazyLock::new(|| include_str!("../data/common-passwords.txt").lines().collect());

/// The brand name. Callers add the merchant's name.
const BRAND: &str = "capiz";

/// Shorter words are ignored: they occur in too many good passwords.
const WORD_MIN: usize = 3;

/// Whether a password is easy to guess. `words` are what an attacker knows: the username, the
/// merchant's name, the phone number.
pub fn is_guessable(password: &str, words: &[&str]) -> bool {
    let lower = password.to_lowercase();
    COMMON.contains(lower.as_str())
        || is_one_character(&lower)
        || words.iter().chain([&BRAND]).any(|word| is_made_of(&lower, word))
}

fn is_one_character(text: &str) -> bool {
    let mut characters = text.chars();
    characters.next().is_some_and(|first| characters.all(|c| c == first))
}

/// Whether a password is only a word, once or repeated, plus digits and punctuation: `capiz2026!`
/// is made of `capiz`.
fn is_made_of(password: &str, word: &str) -> bool {
    let word = word.to_lowercase();
    let filter = |text: &str, is_kept: fn(char) -> bool| -> String {
        text.chars().filter(|c| is_kept(*c)).collect()
    };
    [char::is_alphanumeric, char::is_alphabetic].into_iter().any(|is_kept: fn(char) -> bool| {
        let (password, word) = (filter(password, is_kept), filter(&word, is_kept));
        word.chars().count() >= WORD_MIN
            && !password.is_empty()
            && password.split(word.as_str()).all(str::is_empty)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_long_sorted_and_in_lower_case() {
        let lines: Vec<&str> = include_str!("../data/common-passwords.txt").lines().collect();
        assert!(lines.len() >= 10_000);
        assert!(lines.is_sorted() && lines.iter().all(|line| **line == line.to_lowercase()));
    }

    #[test]
    fn what_is_tried_first_is_guessable() {
        let words = ["Maria1990", "+639171234567", "9171234567"];
        for password in [
            "123456",
            "Password1",
            "QWERTYUIOP",
            "zzzzzzzz",
            "capiz2026",
            "Capiz-Capiz!",
            "maria1990",
            "MARIA-1990",
            "maria!2026",
            "mariamaria",
            "9171234567",
            "+63 917 1234567",
        ] {
            assert!(is_guessable(password, &words), "{password}");
        }
    }

    #[test]
    fn what_only_mentions_a_name_is_not() {
        let words = ["Maria1990", "+639171234567", "ab", ""];
        for password in
            ["maria-sees-through", "a-good-password", "capiz windows at noon", "abab77xy"]
        {
            assert!(!is_guessable(password, &words), "{password}");
        }
    }
}
