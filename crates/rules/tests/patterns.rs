//! Properties of the field patterns, and the test vectors for the web's implementation.
//! `CAPIZ_WRITE_VECTORS=1 cargo test -p capiz-rules` writes the file.

use std::fs;
use std::path::Path;

use capiz_rules::patterns::{Pattern, Shape};
use proptest::prelude::*;
use serde::Serialize;

#[derive(Serialize)]
struct Row {
    id: &'static str,
    form: &'static str,
}

#[derive(Serialize)]
struct TextCase {
    text: String,
    /// The ids of all patterns that the text matches.
    fits: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ShapeCase {
    pattern_id: &'static str,
    min: usize,
    max: usize,
    text: String,
    code: Option<&'static str>,
}

#[derive(Serialize)]
struct PatternFile {
    patterns: Vec<Row>,
    texts: Vec<TextCase>,
    shapes: Vec<ShapeCase>,
}

const CHOSEN: &[&str] = &[
    "",
    " ",
    "a",
    "A",
    "7",
    "Maria1990",
    "1maria",
    "maria clara",
    "Maria Clara",
    "maria  clara",
    " maria clara",
    "maria clara ",
    "Juan dela Cruz",
    "José Rizal",
    "Jean-Luc O'Neil",
    "J. Rizal",
    "山田 太郎",
    "홍 길동",
    "Ana\u{a0}Cruz",
    "Ana\u{1680}x Cruz",
    "Ana Cruz2",
    "Ana 😀",
    "MARIA",
    "MARIA CLARA",
    "Str0ng!",
    "str0ng!",
    "STR0NG!",
    "Strong!",
    "Str0ng",
    "Str0ng é",
    "Aa1~",
    "Aa1`",
    "Aa1[",
    "Aa1/",
    "Aa1 ",
    "Éa1!",
    "123456",
    "０１２３",
    "१२३",
    "+639171234567",
    "09171234567",
    "0917-123",
    "中文123",
    "中文",
    "中文a",
    "㐀",
    "\u{9fff}",
    "\u{a000}",
    "\u{33ff}",
    "\u{4dc0}",
    "a@b.co",
    "maria.clara@example.com",
    "maria+tag@mail.example.ph",
    "a@b",
    "a@b.c",
    "@b.co",
    "a@",
    "a@@b.co",
    "a@b@c.co",
    "a b@c.co",
    ".a@b.co",
    "a.@b.co",
    "a..b@c.co",
    "a@-b.co",
    "a@b-.co",
    "a@b..co",
    "a@b.co.",
    "a@b.c0",
    "a@123.com",
    "a@xn--b.com",
    "A!#$%&'*+/=?^_`{|}~-@b.co",
    "\"a\"@b.co",
    "a@[1.2.3.4]",
    "é@b.co",
    "a@é.co",
    "a@b.co\n",
    "(a)@b.co",
    "a,b@c.co",
    "1990-01-31",
    "1990-02-29",
    "2000-02-29",
    "1900-02-29",
    "2004-02-29",
    "1990-04-31",
    "1990-12-31",
    "1990-13-01",
    "1990-00-10",
    "1990-01-00",
    "0000-01-01",
    "0001-01-01",
    "9999-12-31",
    "1990-1-31",
    "1990/01/31",
    "01-31-1990",
    "02-29-1990",
    "02-29-2004",
    "13-01-1990",
    "31-01-1990",
    "00-10-1990",
    "1-31-1990",
    "1990-01-31 ",
    "１990-01-31",
    "한국어",
    "가",
    "힣",
    "\u{d7a4}",
    "ㄱㅎ",
    "ㆎ",
    "\u{3130}",
    "한 국",
    "한a",
    "\u{1100}\u{1161}",
    "ไทย",
    "กรุงเทพฯ",
    "ภาษาไทย",
    "ไทย ไทย",
    "\u{0e3f}",
    "๑๒๓",
    "ไทย1",
    "漢字",
    "々",
    "〇",
    "漢字カ",
    "\u{20000}",
    "\u{2a6df}",
    "\u{2a700}",
    "ひらがな",
    "ひらがなー",
    "ゝゞ",
    "ゔ",
    "ひらカタ",
    "ひら がな",
    "カタカナ",
    "ｶﾀｶﾅ",
    "ＡＢＣ",
    "全角　文字",
    "全角abc",
    "￥",
    "｡",
    "！",
    "、。",
    "\u{3099}",
    "tab\there",
    "line\nbreak",
    "\u{85}",
    "\u{2003}",
    "\u{200b}",
    "\u{feff}",
    "\u{3000}",
    "\u{180e}",
    "nul\0",
    "😀",
    "👨‍👩‍👧",
    "e\u{301}",
    "\u{10ffff}",
    "\u{e000}",
    "\u{ffff}",
];

/// Characters that generated texts are made of: some of each kind, and the edges between the kinds.
const ALPHABET: &[&str] = &[
    "abcxyz",
    "ABCXYZ",
    "0189",
    " ",
    "-",
    ".",
    "@",
    "!_/~",
    "'",
    "中文㐀",
    "가힣ㄱ",
    "กฯ์",
    "漢々",
    "ひー",
    "カ",
    "ＡＢ",
    "　",
    "é",
    "😀",
    "\u{a0}\t",
];

/// A small random generator of our own, so that a new version of a dependency never changes the
/// vectors.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let high = usize::try_from(self.0 >> 33).expect("31 bits");
        high % bound
    }

    fn letter(&mut self, kind: &str) -> char {
        let letters: Vec<char> = kind.chars().collect();
        letters[self.below(letters.len())]
    }

    /// A text of one kind of characters, or of several; most nearly match some pattern.
    fn text(&mut self) -> String {
        let kinds: Vec<&str> =
            (0..=self.below(4)).map(|_| ALPHABET[self.below(ALPHABET.len())]).collect();
        let length = self.below(13);
        (0..length)
            .map(|_| {
                let kind = kinds[self.below(kinds.len())];
                self.letter(kind)
            })
            .collect()
    }

    fn date(&mut self) -> String {
        let (year, month, day) = (1896 + self.below(210), self.below(14), self.below(33));
        match self.below(2) {
            0 => format!("{year:04}-{month:02}-{day:02}"),
            _ => format!("{month:02}-{day:02}-{year:04}"),
        }
    }

    fn email(&mut self) -> String {
        let word = |numbers: &mut Self| {
            let length = numbers.below(5);
            (0..length).map(|_| numbers.letter("ab0-.+_")).collect::<String>()
        };
        let (local, host, top) = (word(self), word(self), ["co", "c", "com", "c0"][self.below(4)]);
        format!("{local}@{host}.{top}")
    }
}

fn texts() -> Vec<String> {
    let mut numbers = Numbers(20_261_115);
    let mut texts: Vec<String> = CHOSEN.iter().map(|text| (*text).to_owned()).collect();
    texts.push(format!("{}@b.co", "a".repeat(64)));
    texts.push(format!("{}@b.co", "a".repeat(65)));
    texts.push(format!("a@{}.co", "b".repeat(63)));
    texts.push(format!("a@{}.co", "b".repeat(64)));
    texts.push(format!("{}@{}co", "a".repeat(64), format!("{}.", "b".repeat(46)).repeat(4)));
    texts.push(format!("{}@{}com", "a".repeat(64), format!("{}.", "b".repeat(46)).repeat(4)));
    texts.push("A".repeat(1_000));
    texts.extend((0..900).map(|_| numbers.text()));
    texts.extend((0..200).map(|_| numbers.date()));
    texts.extend((0..200).map(|_| numbers.email()));
    texts
}

fn shapes() -> Vec<ShapeCase> {
    let mut numbers = Numbers(7);
    let patterns: Vec<Pattern> = Pattern::all().collect();
    (0..600)
        .map(|_| {
            let pattern = patterns[numbers.below(patterns.len())];
            let min = 1 + numbers.below(6);
            let max = min + numbers.below(12);
            let text = numbers.text();
            let code = Shape { min, max, pattern }.check(&text).err();
            let code = code.map(capiz_rules::names::FieldCode::as_str);
            ShapeCase { pattern_id: pattern.id(), min, max, text, code }
        })
        .collect()
}

#[test]
fn the_vectors_are_what_the_patterns_say() {
    let fits = |text: &str| {
        let ids: Vec<_> = Pattern::all().filter(|p| p.fits(text)).map(Pattern::id).collect();
        ids.join(" ")
    };
    let texts = texts().into_iter().map(|text| TextCase { fits: fits(&text), text });
    let file = PatternFile {
        patterns: Pattern::all().map(|p| Row { id: p.id(), form: p.form() }).collect(),
        texts: texts.collect(),
        shapes: shapes(),
    };
    for pattern in Pattern::all() {
        let is_in = |case: &&TextCase| case.fits.split(' ').any(|id| id == pattern.id());
        let count = file.texts.iter().filter(is_in).count();
        assert!(count >= 4, "{} has {count} good vectors", pattern.id());
        assert!(pattern == Pattern::Any || count < file.texts.len());
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors/patterns.json");
    let text = serde_json::to_string_pretty(&file).expect("JSON") + "\n";
    if std::env::var_os("CAPIZ_WRITE_VECTORS").is_some() {
        fs::write(&path, text).expect("a writable file");
    } else {
        let stored = fs::read_to_string(&path).expect("a stored file");
        assert!(stored == text, "patterns.json differs: run with CAPIZ_WRITE_VECTORS=1");
    }
}

/// Patterns that only restrict the character set.
const SETS: &[Pattern] = &[
    Pattern::Alphanumeric,
    Pattern::ChineseDigits,
    Pattern::Digits,
    Pattern::Uppercase,
    Pattern::NoSpaces,
    Pattern::English,
    Pattern::Korean,
    Pattern::Thai,
    Pattern::Kanji,
    Pattern::Hiragana,
    Pattern::FullWidth,
    Pattern::Mobile,
];

proptest! {
    #[test]
    fn a_text_fits_a_set_if_its_parts_do(a in "\\PC{1,6}|[a-zA-Z0-9 ]{1,6}|[ก-์ぁ-ー가-힣一-龥]{1,6}", b in "\\PC{1,6}|[A-Z]{1,6}") {
        let both = format!("{a}{b}");
        for set in SETS {
            prop_assert_eq!(set.fits(&both), set.fits(&a) && set.fits(&b), "{}", set.id());
        }
    }

    #[test]
    fn a_stronger_pattern_implies_the_weaker(text in "[A-Za-z0-9]{0,8}|\\PC{0,8}|[A-Za-z]{1,4} [A-Za-z]{1,4}") {
        let fits = |pattern: Pattern| pattern.fits(&text);
        prop_assert!(!fits(Pattern::LetterFirst) || fits(Pattern::Alphanumeric));
        prop_assert!(!fits(Pattern::Uppercase) || fits(Pattern::OneUppercase));
        prop_assert!(!fits(Pattern::Mixed) || fits(Pattern::OneUppercase));
        prop_assert!(!fits(Pattern::Kanji) || fits(Pattern::FullWidth));
        prop_assert!(!fits(Pattern::FullName) || !fits(Pattern::NoSpaces));
        prop_assert!(fits(Pattern::Any));
    }

    #[test]
    fn lengths_are_bounds_in_characters(text in "\\PC{0,12}", min in 1_usize..8, more in 0_usize..8) {
        let shape = Shape { min, max: min + more, pattern: Pattern::Any };
        let count = text.chars().count();
        prop_assert_eq!(shape.check(&text).is_ok(), (min..=min + more).contains(&count));
    }
}
