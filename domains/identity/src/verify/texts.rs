//! The texts of messages with a code.

use platform::language::Language;

/// Subject and text of the message with a code. An SMS holds 160 characters.
pub(super) fn write(language: Language, site: &str, code: &str, minutes: u16) -> (String, String) {
    match language {
        Language::English => {
            let unit = if minutes == 1 { "minute" } else { "minutes" };
            let text = format!(
                "{code} is your {site} code, valid for {minutes} {unit}. Never give it to anyone, not even to us."
            );
            (format!("Your {site} code"), text)
        }
        Language::Tagalog => {
            let text = format!(
                "{code} ang iyong {site} code, balido nang {minutes} minuto. Huwag itong ibigay kaninuman, kahit sa amin."
            );
            (format!("Ang iyong {site} code"), text)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_fits_one_text_message() {
        for language in [Language::English, Language::Tagalog] {
            let (subject, text) = write(language, "A site with a long name", "012345", 60);
            assert!(text.is_ascii() && text.len() <= 160, "{text}");
            assert!(text.starts_with("012345 ") && !subject.contains("012345"));
        }
    }
}
