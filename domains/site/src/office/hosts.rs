//! Validation of host names.

use std::net::{Ipv4Addr, Ipv6Addr};

/// Whether a text is a host without port as requests name it: a domain in lower case, an IPv4
/// address, or an IPv6 address in brackets.
pub(super) fn is_host(text: &str) -> bool {
    if let Some(inner) = text.strip_prefix('[') {
        let address = inner.strip_suffix(']').and_then(|inner| inner.parse::<Ipv6Addr>().ok());
        return address.is_some_and(|address| format!("[{address}]") == text);
    }
    let last = text.rsplit('.').next().unwrap_or_default();
    if last.bytes().all(|byte| byte.is_ascii_digit()) {
        return text.parse::<Ipv4Addr>().is_ok_and(|address| address.to_string() == text);
    }
    text.len() <= 253 && text.split('.').all(is_label)
}

fn is_label(label: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    (1..=63).contains(&label.len())
        && label.bytes().all(is_plain)
        && !label.starts_with('-')
        && !label.ends_with('-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_domains_and_addresses() {
        for good in
            ["localhost", "capiz.example", "xn--bcher-kva.example", "127.0.0.1", "[::1]", "a.b-c.d"]
        {
            assert!(is_host(good), "{good}");
        }
        for bad in [
            "",
            " ",
            "Capiz.example",
            "capiz.example:80",
            "https://capiz.example",
            "capiz.example/",
            "a..b",
            ".a",
            "a.",
            "-a.example",
            "a_b.example",
            "127.1",
            "127.0.0.256",
            "0127.0.0.1",
            "::1",
            "[::1",
            "[0:0:0:0:0:0:0:1]",
            "bücher.example",
        ] {
            assert!(!is_host(bad), "{bad}");
        }
        assert!(!is_host(&format!("{}.example", "a".repeat(64))));
        assert!(!is_host(&vec!["abcdefgh"; 40].join(".")));
    }
}
