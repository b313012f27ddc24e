//! Sanitizes the HTML that staff write: a few harmless tags, no scripts. The page sanitizes it
//! again before showing it, with the same allowlist (`vectors/html.json`).

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::LazyLock;

use ammonia::{Builder, UrlRelative};
use serde::Deserialize;

/// The maximum length of a text, in characters.
pub const LONGEST: usize = 60_000;

/// Complexity limits: parsing deeply nested HTML is slow.
const MAX_DEPTH: usize = 100;
const MAX_ENTITIES: usize = 2_000;
const MAX_TAGS: usize = 5_000;
/// Limit on depth × tags: the parser reopens unclosed tags in every paragraph.
const MAX_WORK: usize = 100_000;

/// Allowed URL schemes of links, besides relative links.
const SCHEMES: [&str; 3] = ["https", "mailto", "tel"];

/// The allowlist of tags and their attributes.
#[derive(Deserialize)]
struct Allowed {
    tags: HashSet<String>,
    attributes: BTreeMap<String, HashSet<String>>,
}

static ALLOWED: LazyLock<Allowed> = LazyLock::new(|| {
    let text = include_str!("../../../vectors/html.json");
    serde_json::from_str(text).expect("the list of tags can be read")
});

static CLEANER: LazyLock<Builder<'static>> = LazyLock::new(|| {
    let Allowed { tags, attributes } = &*ALLOWED;
    let texts = |set: &'static HashSet<String>| set.iter().map(String::as_str).collect();
    let of_tags = attributes.iter().map(|(tag, names)| (tag.as_str(), texts(names)));
    let mut cleaner = Builder::empty();
    cleaner
        .tags(texts(tags))
        .clean_content_tags(HashSet::from(["script", "style", "iframe"]))
        .tag_attributes(of_tags.collect::<HashMap<_, HashSet<_>>>())
        .url_schemes(HashSet::from(SCHEMES))
        .url_relative(UrlRelative::PassThrough)
        .link_rel(None)
        .strip_comments(true);
    cleaner
});

/// Why a text is rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// Longer than [`LONGEST`].
    TooLong,
    /// Nested too deeply, or too many tags or entities.
    Tangled,
}

impl Refused {
    /// The short code for the field error.
    pub fn code(self) -> &'static str {
        match self {
            Self::TooLong => "too_long",
            Self::Tangled => "tangled",
        }
    }
}

/// Returns the text without everything that is not on the allowlist.
pub fn clean(html: &str) -> Result<String, Refused> {
    if html.chars().count() > LONGEST {
        return Err(Refused::TooLong);
    }
    if is_too_complex(html) {
        return Err(Refused::Tangled);
    }
    Ok(CLEANER.clean(html).to_string())
}

/// Tags that do not nest: void elements, and those that their next sibling closes.
const NOT_NESTED: &[&str] = &[
    "br", "hr", "img", "input", "wbr", "meta", "link", "area", "base", "col", "embed", "source",
    "track", "p", "li", "tr", "td", "th", "thead", "tbody", "dt", "dd", "option",
];

/// A cheap check before parsing, stricter than a parser: an unclosed tag counts as open to the end.
fn is_too_complex(html: &str) -> bool {
    if html.bytes().filter(|byte| *byte == b'&').count() > MAX_ENTITIES {
        return true;
    }
    let mut open: Vec<String> = Vec::new();
    let (mut tags, mut deepest) = (0, 0);
    for piece in html.split('<').skip(1) {
        let (is_end, piece) = match piece.strip_prefix('/') {
            Some(after) => (true, after),
            None => (false, piece),
        };
        let is_name = |c: &char| !c.is_ascii_whitespace() && !['/', '>'].contains(c);
        let name = piece.chars().take_while(is_name).collect::<String>().to_ascii_lowercase();
        if !name.starts_with(|first: char| first.is_ascii_alphabetic()) {
            continue;
        }
        tags += 1;
        if NOT_NESTED.contains(&name.as_str()) {
            continue;
        }
        if !is_end {
            open.push(name);
            deepest = deepest.max(open.len());
        } else if let Some(index) = open.iter().rposition(|other| *other == name) {
            open.remove(index);
        }
        if tags > MAX_TAGS || deepest > MAX_DEPTH {
            return true;
        }
    }
    tags > MAX_TAGS || deepest * tags > MAX_WORK
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Deserialize)]
    struct Cases {
        kept: Vec<String>,
        cleaned: Vec<(String, String)>,
    }

    fn cases() -> Cases {
        serde_json::from_str(include_str!("../../../vectors/html-cases.json")).unwrap()
    }

    #[test]
    fn what_is_allowed_is_kept_and_nothing_else() {
        let Cases { kept, cleaned } = cases();
        for text in kept {
            assert_eq!(clean(&text).unwrap(), text);
        }
        for (text, expected) in cleaned {
            assert_eq!(clean(&text).unwrap(), expected, "{text}");
        }
    }

    #[test]
    fn cleaning_twice_changes_nothing() {
        for (text, _) in cases().cleaned {
            let once = clean(&text).unwrap();
            assert_eq!(clean(&once).unwrap(), once);
        }
    }

    #[test]
    fn tangled_texts_are_refused_before_they_are_parsed() {
        assert_eq!(clean(&"<b>".repeat(101)), Err(Refused::Tangled));
        assert_eq!(clean(&"<b><i></b>".repeat(101)), Err(Refused::Tangled));
        assert_eq!(clean(&"&amp;".repeat(2_001)), Err(Refused::Tangled));
        assert_eq!(clean(&"<br>".repeat(5_001)), Err(Refused::Tangled));
        let reopened = "<b>".repeat(99) + &"<p>a".repeat(2_000);
        assert_eq!(clean(&reopened), Err(Refused::Tangled));
        assert_eq!(clean(&"a".repeat(60_001)), Err(Refused::TooLong));
        clean(&"<p>one <b>two</b>".repeat(1_000)).unwrap();
        clean(&("<ul>".repeat(90) + "a" + &"</ul>".repeat(90))).unwrap();
    }
}
