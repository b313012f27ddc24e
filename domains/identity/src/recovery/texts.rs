//! The texts of the recovery mail.

use platform::language::Language;

/// Subject and text of the mail with a link.
pub(super) fn write(
    language: Language,
    site: &str,
    account: &str,
    (link, minutes): (&str, i64),
) -> (String, String) {
    match language {
        Language::English => {
            let text = format!(
                "Somebody, most likely you, wants to choose a new password for {account} at {site}.\n\n\
                 This link is good for {minutes} minutes and works once:\n{link}\n\n\
                 If it was not you, leave it alone: your password stays as it is."
            );
            (format!("Choose a new {site} password"), text)
        }
        Language::Tagalog => {
            let text = format!(
                "May gustong pumili ng bagong password para sa {account} sa {site}, malamang ikaw.\n\n\
                 Balido ang link na ito nang {minutes} minuto at isang beses lang magagamit:\n{link}\n\n\
                 Kung hindi ikaw ito, huwag itong pansinin: mananatili ang iyong password."
            );
            (format!("Pumili ng bagong password sa {site}"), text)
        }
    }
}
