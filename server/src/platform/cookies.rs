//! Reading cookies.

use axum::http::{HeaderMap, header};

/// The first cookie of a name. HTTP/2 may hand cookies over in several headers.
pub fn find<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|text| text.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find_map(|(found, value)| (found == name).then_some(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_cookies_in_one_header_or_in_several() {
        let mut headers = HeaderMap::new();
        headers.append(header::COOKIE, "a=1; lang=TY;;".parse().unwrap());
        headers.append(header::COOKIE, "b=2=3".parse().unwrap());
        let found = ["a", "lang", "b", "c", ""].map(|name| find(&headers, name));
        assert_eq!(found, [Some("1"), Some("TY"), Some("2=3"), None, None]);
    }
}
