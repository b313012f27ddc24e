//! The text of the e-mail with an answer.

use platform::language::Language;

/// Subject and text of the e-mail with an answer.
pub(super) fn write(language: Language, site: &str, answer: &str) -> (String, String) {
    match language {
        Language::English => (
            format!("{site} has answered you"),
            format!("You wrote to us, and this is our answer:\n\n{answer}\n\nYour {site} team"),
        ),
        Language::Tagalog => (
            format!("May sagot na ang {site} sa iyo"),
            format!(
                "Sumulat ka sa amin, at ito ang sagot namin:\n\n{answer}\n\nAng iyong {site} team"
            ),
        ),
    }
}
