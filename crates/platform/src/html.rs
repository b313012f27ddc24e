//! HTML that staff write: a few tags and nothing that acts. The page cleans it again before it
//! shows it, by the same list (`vectors/html.json`).

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::LazyLock;

use ammonia::{Builder, UrlRelative};
use serde::Deserialize;

/// The longest text that is taken.
pub const LONGEST: usize = 60_000;

/// Bounds on how tangled a text may be: a parser works long on what is nested deeply.
const LEVELS_MOST: usize = 100;
const ENTITIES_MOST: usize = 2_000;
const TAGS_MOST: usize = 5_000;
/// Unclosed marks are opened again in every paragraph: levels × tags.
const WORK_MOST: usize = 100_000;

/// Where links may lead beside the site itself.
const SCHEMES: [&str; 3] = ["https", "mailto", "tel"];

/// What may stand in a text.
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

/// Why a text is not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// It is too long.
    TooLong,
    /// It is nested too deeply, or has too many parts.
    Tangled,
}

impl Refused {
    /// The short code of the field.
    pub fn code(self) -> &'static str {
        match self {
            Self::TooLong => "too_long",
            Self::Tangled => "tangled",
        }
    }
}

/// The text with everything gone that is not allowed.
pub fn clean(html: &str) -> Result<String, Refused> {
    if html.chars().count() > LONGEST {
        return Err(Refused::TooLong);
    }
    if is_tangled(html) {
        return Err(Refused::Tangled);
    }
    Ok(CLEANER.clean(html).to_string())
}

/// Tags that never hold anything, or that the next one of theirs ends.
const FLAT: &[&str] = &[
    "br", "hr", "img", "input", "wbr", "meta", "link", "area", "base", "col", "embed", "source",
    "track", "p", "li", "tr", "td", "th", "thead", "tbody", "dt", "dd", "option",
];

/// Looked at before anything is parsed, and more strictly than a parser would: a mark that is not
/// closed counts to the end.
fn is_tangled(html: &str) -> bool {
    if html.bytes().filter(|byte| *byte == b'&').count() > ENTITIES_MOST {
        return true;
    }
    let mut open: Vec<String> = Vec::new();
    let (mut tags, mut deepest) = (0, 0);
    for piece in html.split('<').skip(1) {
        let (is_end, piece) = match piece.strip_prefix('/') {
            Some(rest) => (true, rest),
            None => (false, piece),
        };
        let is_name = |c: &char| !c.is_ascii_whitespace() && !['/', '>'].contains(c);
        let name = piece.chars().take_while(is_name).collect::<String>().to_ascii_lowercase();
        if !name.starts_with(|first: char| first.is_ascii_alphabetic()) {
            continue;
        }
        tags += 1;
        if FLAT.contains(&name.as_str()) {
            continue;
        }
        if !is_end {
            open.push(name);
            deepest = deepest.max(open.len());
        } else if let Some(index) = open.iter().rposition(|other| *other == name) {
            open.remove(index);
        }
        if tags > TAGS_MOST || deepest > LEVELS_MOST {
            return true;
        }
    }
    tags > TAGS_MOST || deepest * tags > WORK_MOST
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
