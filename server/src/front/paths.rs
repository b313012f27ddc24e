//! Which page a path gets. The page's own router knows the same paths; a test holds both together.

/// What a path shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Page {
    /// The home page, prerendered whole; log-in, registration and help are popups over it.
    Home,
    /// The frame of the site, which fills itself.
    Shell,
    /// The frame of the site around a page that says that there is none.
    Unknown,
}

/// Other addresses of the home page, and popups over it.
const HOME: &[&str] = &["/", "/index", "/index.html", "/home", "/login", "/register", "/help"];

/// Pages that everybody may find, also a search engine.
pub(super) const OPEN: &[&str] = &[
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

/// Pages of whoever is logged in, or on the way there.
const OWN: &[&str] = &[
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

/// Pages that show one of many: something stands behind the last stroke.
const ONE_OF_MANY: &[&str] = &["/play/", "/verify/", "/promotions/"];

/// The path as it stands among those that are always there.
pub(super) fn lasting(path: &str) -> Option<&'static str> {
    [HOME, OPEN, OWN].into_iter().flatten().find(|page| **page == path).copied()
}

/// The page of a path.
pub(super) fn page_of(path: &str) -> Page {
    if HOME.contains(&path) {
        return Page::Home;
    }
    let is_known =
        lasting(path).is_some() || ONE_OF_MANY.iter().any(|parent| is_one_below(path, parent));
    if is_known { Page::Shell } else { Page::Unknown }
}

/// Whether a search engine may list the page.
pub(super) fn is_open(path: &str) -> bool {
    page_of(path) == Page::Home || OPEN.contains(&path) || is_one_below(path, "/promotions/")
}

/// Whether a path is one step below another.
pub(super) fn is_one_below(path: &str, parent: &str) -> bool {
    path.strip_prefix(parent).is_some_and(|rest| !rest.is_empty() && !rest.contains('/'))
}
