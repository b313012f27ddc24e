//! CSV downloads, safe to open in a spreadsheet.

use axum::http::header;
use axum::response::{IntoResponse, Response};

/// A CSV file under construction.
pub struct Csv(String);

impl Csv {
    /// Starts a file with its header row. Column names are not escaped: they must be our own plain
    /// words.
    pub fn new(columns: &[&str]) -> Self {
        Self(format!("{}\r\n", columns.join(",")))
    }

    /// Adds a row.
    pub fn line(&mut self, cells: &[&str]) {
        let cells: Vec<String> = cells.iter().map(|text| cell(text)).collect();
        self.0.push_str(&cells.join(","));
        self.0.push_str("\r\n");
    }

    /// The response, which browsers save as `name.csv`.
    pub fn answer(self, name: &str) -> Response {
        let headers = [
            (header::CONTENT_TYPE, "text/csv; charset=utf-8".to_owned()),
            (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}.csv\"")),
        ];
        (headers, self.0).into_response()
    }
}

/// A quoted cell. Text that a spreadsheet would run as a formula gets a leading apostrophe (CSV
/// injection).
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
