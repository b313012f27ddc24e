//! The generated files for search engines and home screens: robots.txt, sitemap.xml and the web app
//! manifest.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::json;

use super::head::escape;
use super::paths;
use crate::App;
use platform::language::Language;
use site::Merchant;

/// The file at a path, if it is one of these; each merchant has its own.
pub(super) fn file(
    app: &App,
    merchant: &Merchant,
    path: &str,
    language: Language,
) -> Option<Response> {
    let (kind, body) = match path {
        "/robots.txt" => ("text/plain; charset=utf-8", robots(app, merchant)),
        "/sitemap.xml" => ("application/xml", sitemap(app, merchant)),
        "/manifest.webmanifest" => ("application/manifest+json", manifest(merchant, language)),
        _ => return None,
    };
    let headers = [
        (header::CONTENT_TYPE, kind),
        (header::CACHE_CONTROL, "public, max-age=300"),
        (header::VARY, "Cookie, Accept-Language"),
    ];
    Some((StatusCode::OK, headers, body).into_response())
}

/// Everything but the API may be crawled. Private pages have a `noindex` tag in their head instead.
fn robots(app: &App, merchant: &Merchant) -> String {
    let origin = merchant.origin(app);
    format!("User-agent: *\nDisallow: /wps/\nDisallow: /lgw/\n\nSitemap: {origin}/sitemap.xml\n")
}

fn sitemap(app: &App, merchant: &Merchant) -> String {
    let origin = merchant.origin(app);
    let pages = ["/", "/help"].into_iter().chain(paths::PUBLIC.iter().copied());
    let pages =
        pages.map(|path| format!("<url><loc>{}</loc></url>", escape(&format!("{origin}{path}"))));
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\
         <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">{}</urlset>",
        pages.collect::<String>()
    )
}

/// The web app manifest, which makes the site installable.
fn manifest(merchant: &Merchant, language: Language) -> String {
    let icon = |name: &str, size: &str, purpose: &str| json!({ "src": format!("/icons/{name}.png"), "sizes": size, "type": "image/png", "purpose": purpose });
    json!({
        "id": "/",
        "name": merchant.name,
        "short_name": merchant.name,
        "lang": language.tag(),
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": "#07110e",
        "theme_color": "#07110e",
        "categories": ["games", "entertainment"],
        "icons": [
            icon("192", "192x192", "any"),
            icon("512", "512x512", "any"),
            icon("maskable-512", "512x512", "maskable"),
        ],
    })
    .to_string()
}
