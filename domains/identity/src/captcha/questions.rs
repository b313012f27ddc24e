//! Captcha questions in words, for people who cannot see the picture: which of these words are
//! animals?
//!
//! The question does not say how many words are right, so a guess is one of 91 answers.

use super::below;
use platform::language::Language;

/// Words in a question.
const WORDS: usize = 7;
/// The right words: two to four.
const FEWEST_RIGHT: usize = 2;
const RIGHT_CHOICES: usize = 3;

struct Group {
    plural: &'static str,
    words: &'static [&'static str],
}

const ENGLISH: &[Group] = &[
    Group {
        plural: "animals",
        words: &["dog", "horse", "goat", "rabbit", "chicken", "monkey", "cow", "tiger"],
    },
    Group {
        plural: "fruits",
        words: &["mango", "banana", "apple", "grape", "papaya", "melon", "lemon", "coconut"],
    },
    Group {
        plural: "colors",
        words: &["red", "yellow", "green", "blue", "white", "black", "purple", "brown"],
    },
    Group {
        plural: "parts of the body",
        words: &["hand", "nose", "knee", "ear", "elbow", "finger", "foot", "shoulder"],
    },
    Group {
        plural: "things in a house",
        words: &["chair", "table", "window", "door", "lamp", "spoon", "broom", "pillow"],
    },
];

const TAGALOG: &[Group] = &[
    Group {
        plural: "mga hayop",
        words: &["aso", "kabayo", "kambing", "kuneho", "manok", "unggoy", "baka", "tigre"],
    },
    Group {
        plural: "mga prutas",
        words: &["mangga", "saging", "mansanas", "ubas", "papaya", "pakwan", "bayabas", "niyog"],
    },
    Group {
        plural: "mga kulay",
        words: &["pula", "dilaw", "berde", "asul", "puti", "itim", "lila", "kayumanggi"],
    },
    Group {
        plural: "mga bahagi ng katawan",
        words: &["kamay", "ilong", "tuhod", "tainga", "siko", "daliri", "paa", "balikat"],
    },
    Group {
        plural: "mga gamit sa bahay",
        words: &["upuan", "mesa", "bintana", "pinto", "ilawan", "kutsara", "walis", "unan"],
    },
];

/// A random question: returns the answer and the question.
pub(super) fn ask(language: Language) -> (String, String) {
    let groups = match language {
        Language::English => ENGLISH,
        Language::Tagalog => TAGALOG,
    };
    let group_index = below(groups.len());
    let right = FEWEST_RIGHT + below(RIGHT_CHOICES);
    let mut chosen: Vec<(bool, &str)> =
        pick(groups[group_index].words, right).into_iter().map(|word| (true, word)).collect();
    let others: Vec<&str> = groups
        .iter()
        .enumerate()
        .filter(|(index, _)| *index != group_index)
        .flat_map(|(_, group)| group.words.iter().copied())
        .collect();
    chosen.extend(pick(&others, WORDS - right).into_iter().map(|word| (false, word)));
    shuffle(&mut chosen);
    let listed: Vec<&str> = chosen.iter().map(|(_, word)| *word).collect();
    let answer: Vec<&str> =
        chosen.iter().filter(|(is_right, _)| *is_right).map(|(_, word)| *word).collect();
    let (plural, words) = (groups[group_index].plural, listed.join(", "));
    let question = match language {
        Language::English => {
            format!("Which of these words are {plural}? Type them in this order: {words}.")
        }
        Language::Tagalog => {
            format!("Alin sa mga salitang ito ang {plural}? I-type ayon sa pagkakasunod: {words}.")
        }
    };
    (answer.join(" "), question)
}

fn pick<'a>(words: &[&'a str], count: usize) -> Vec<&'a str> {
    let mut words = words.to_vec();
    shuffle(&mut words);
    words.truncate(count);
    words
}

fn shuffle<T>(list: &mut [T]) {
    for end in (1..list.len()).rev() {
        list.swap(end, below(end + 1));
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn a_word_belongs_to_one_group_only() {
        for groups in [ENGLISH, TAGALOG] {
            let words: Vec<_> = groups.iter().flat_map(|group| group.words).collect();
            let different: BTreeSet<_> = words.iter().collect();
            assert_eq!(words.len(), different.len());
        }
    }

    #[test]
    fn the_answer_is_the_words_of_the_group_in_their_order() {
        for language in [Language::English, Language::Tagalog] {
            for _ in 0..200 {
                let (answer, question) = ask(language);
                let groups = if language == Language::English { ENGLISH } else { TAGALOG };
                let group = groups.iter().find(|group| question.contains(group.plural)).unwrap();
                let (_, listed) = question.split_once(": ").unwrap();
                let listed: Vec<_> = listed.trim_end_matches('.').split(", ").collect();
                assert_eq!(listed.len(), WORDS);
                let right: Vec<_> =
                    listed.into_iter().filter(|word| group.words.contains(word)).collect();
                assert_eq!(right.join(" "), answer);
                assert!((2..=4).contains(&right.len()));
            }
        }
    }
}
