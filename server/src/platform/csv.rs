//! Files for spreadsheets.

use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};

/// A file of rows below their heads, as a download of this name.
pub fn file<const N: usize>(
    name: &'static str,
    heads: [&str; N],
    rows: impl IntoIterator<Item = [String; N]>,
) -> Response {
    let mut text = heads.join(",") + "\r\n";
    for row in rows {
        text.push_str(&row.map(|text| cell(&text)).join(","));
        text.push_str("\r\n");
    }
    let kind = HeaderValue::from_static("text/csv; charset=utf-8");
    let place = HeaderValue::from_str(&format!("attachment; filename=\"{name}\""));
    let mut response = text.into_response();
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    if let Ok(place) = place {
        response.headers_mut().insert(header::CONTENT_DISPOSITION, place);
    }
    response
}

/// A cell that no spreadsheet takes for a formula.
fn cell(text: &str) -> String {
    let is_formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
    let guard = if is_formula { "'" } else { "" };
    format!("\"{guard}{}\"", text.replace('"', "\"\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_text_to_every_spreadsheet() {
        assert_eq!(cell("=1+1"), "\"'=1+1\"");
        assert_eq!(cell("said \"no\", twice"), "\"said \"\"no\"\", twice\"");
        assert_eq!(cell(""), "\"\"");
    }
}
