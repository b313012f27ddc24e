//! The `<head>` of a document: title, description, robots, canonical link and Open Graph tags.

use serde_json::Value;

use super::paths::{self, Page};
use crate::App;
use platform::language::Language;
use site::Merchant;

/// Open Graph images by page; all other pages use that of the home page.
const PICTURES: &[(&str, &str)] = &[
    ("/promotions", "promotions"),
    ("/fairness", "fairness"),
    ("/verify", "fairness"),
    ("/proof", "fairness"),
    ("/help", "help"),
    ("/down", "download"),
    ("/rng", "games"),
    ("/hot", "games"),
    ("/play/", "games"),
];

/// The part of a document's head that depends on page, merchant and language.
pub(super) fn head(app: &App, merchant: &Merchant, path: &str, language: Language) -> String {
    let (title, description) = words(app, merchant, path, language);
    let origin = merchant.origin(app);
    let url = match paths::page_of(path) {
        Page::Home if path != "/help" => format!("{origin}/"),
        _ => format!("{origin}{path}"),
    };
    let picture = format!("{origin}/og/{}.{}.png", picture(path), language.tag());
    let name = escape(&merchant.name);
    let (title, description) = (escape(&title), escape(&description));
    let (url, picture) = (escape(&url), escape(&picture));
    let robots = match paths::is_public(path) {
        true => "",
        false => "<meta name=\"robots\" content=\"noindex\" />",
    };
    format!(
        "<title>{title}</title><meta name=\"description\" content=\"{description}\" />{robots}\
         <link rel=\"canonical\" href=\"{url}\" />\
         <meta property=\"og:type\" content=\"website\" />\
         <meta property=\"og:site_name\" content=\"{name}\" />\
         <meta property=\"og:title\" content=\"{title}\" />\
         <meta property=\"og:description\" content=\"{description}\" />\
         <meta property=\"og:url\" content=\"{url}\" />\
         <meta property=\"og:image\" content=\"{picture}\" />\
         <meta property=\"og:image:width\" content=\"1200\" />\
         <meta property=\"og:image:height\" content=\"630\" />\
         <meta property=\"og:locale\" content=\"{}\" />\
         <meta name=\"twitter:card\" content=\"summary_large_image\" />",
        match language {
            Language::English => "en_PH",
            Language::Tagalog => "fil_PH",
        }
    )
}

/// Makes the page hide the prerendered banner until it has rendered its own.
pub(super) const OTHER_BANNER: &str = "<meta name=\"other-banner\" />";

/// Whether the first banner is the one that the home page was prerendered with, which is that of a
/// new site.
pub(super) fn has_built_banner(app: &App, name: &str, boot: &Value) -> bool {
    let Some(title) = boot["banners"][0]["title"].as_str() else { return false };
    // Escaped as React escapes text.
    let written = escape(title).replace('\'', "&#x27;");
    let built = app.build.pages.bytes(name).unwrap_or_default();
    String::from_utf8_lossy(&built).contains(&format!(">{written}<"))
}

/// Title and description, from the web build's translations.
fn words(app: &App, merchant: &Merchant, path: &str, language: Language) -> (String, String) {
    let texts = app.build.pages.words_of_pages(language.tag());
    let page = texts.get(path).or_else(|| texts.get(parent(path))).or_else(|| texts.get("/"));
    let word = |key: &str| {
        let text = page.and_then(|page| page.get(key)).and_then(Value::as_str);
        text.unwrap_or("{0}").replace("{0}", &merchant.name)
    };
    (word("title"), word("description"))
}

/// The path of the list page above a detail page.
fn parent(path: &str) -> &str {
    path.rfind('/').map_or(path, |at| &path[..at])
}

fn picture(path: &str) -> &'static str {
    let found = PICTURES.iter().find(|(page, _)| match page.ends_with('/') {
        true => path.starts_with(page),
        false => path == *page || paths::is_child(path, &format!("{page}/")),
    });
    found.map_or("home", |(_, name)| name)
}

/// Escapes text for HTML elements and quoted attributes.
pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            other => escaped.push(other),
        }
    }
    escaped
}
