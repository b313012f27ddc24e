//! Tables as files that every spreadsheet opens.

use axum::http::header;
use axum::response::{IntoResponse, Response};

/// A file that grows line by line.
pub struct Csv(String);

impl Csv {
    /// A file with a first line that names the columns: plain words of ours.
    pub fn new(columns: &[&str]) -> Self {
        Self(format!("{}\r\n", columns.join(",")))
    }

    /// Adds a line.
    pub fn line(&mut self, cells: &[&str]) {
        let cells: Vec<String> = cells.iter().map(|text| cell(text)).collect();
        self.0.push_str(&cells.join(","));
        self.0.push_str("\r\n");
    }

    /// The file as an answer that browsers save.
    pub fn answer(self, name: &str) -> Response {
        let headers = [
            (header::CONTENT_TYPE, "text/csv; charset=utf-8".to_owned()),
            (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}.csv\"")),
        ];
        (headers, self.0).into_response()
    }
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
