//! The paths of the players' site, and the document each one gets. The web router has the same
//! paths; a test compares both.

/// The document of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Page {
    /// The home page, fully prerendered. Login, registration and help are popups over it.
    Home,
    /// The shell of the site; the page renders its content in the browser.
    Shell,
    /// The shell of the site with status 404; the page shows that it was not found.
    Unknown,
}

/// Other addresses of the home page, and popups over it.
const HOME: &[&str] = &["/", "/index", "/index.html", "/home", "/login", "/register", "/help"];

/// Public pages, which search engines may list.
pub(super) const PUBLIC: &[&str] = &[
    "/hot",
    "/rng",
    "/lott",
    "/bingo",
    "/fish",
    "/pvp",
    "/live",
    "/sports",
    "/esports",
    "/cockfight",
    "/elott",
    "/fbSports",
    "/promotions",
    "/join",
    "/pointMall",
    "/seamless",
    "/down",
    "/fairness",
    "/verify",
    "/proof",
    "/terms",
    "/privacy",
    "/responsible",
    "/about",
];

/// Pages of logged-in members, and of the login.
const MEMBER_PAGES: &[&str] = &[
    "/search",
    "/favorites",
    "/recent",
    "/lottery",
    "/seaLottery",
    "/vnLottery",
    "/agentHome",
    "/transactionHistory",
    "/securityCenter",
    "/login/verify",
];

/// Detail pages: a path below one of these.
const DETAIL_PAGES: &[&str] = &["/play/", "/verify/", "/promotions/"];

/// The path as a static string, if it is a fixed path and not that of a detail page.
pub(super) fn static_path(path: &str) -> Option<&'static str> {
    [HOME, PUBLIC, MEMBER_PAGES].into_iter().flatten().find(|page| **page == path).copied()
}

/// The document of a path.
pub(super) fn page_of(path: &str) -> Page {
    if HOME.contains(&path) {
        return Page::Home;
    }
    let is_known =
        static_path(path).is_some() || DETAIL_PAGES.iter().any(|parent| is_child(path, parent));
    if is_known { Page::Shell } else { Page::Unknown }
}

/// Whether a search engine may list the page.
pub(super) fn is_public(path: &str) -> bool {
    page_of(path) == Page::Home || PUBLIC.contains(&path) || is_child(path, "/promotions/")
}

/// Whether a path is a direct child of another, which ends with a slash.
pub(super) fn is_child(path: &str, parent: &str) -> bool {
    path.strip_prefix(parent).is_some_and(|rest| !rest.is_empty() && !rest.contains('/'))
}
