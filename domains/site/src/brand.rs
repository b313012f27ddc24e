//! The brand's configuration: what its site shows and where it sends people.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use url::Url;
use utoipa::ToSchema;

/// The platform of every page that the server delivers.
const PLATFORM: &str = "WEB";
/// Types of members are the ledger's and the agents' knowledge, so that no brand changes them.
const AGENT_USER_TYPES: [i16; 4] = [1, 2, 41, 42];
const TRIAL_USER_TYPE: i16 = 4;

/// Languages whose translation is whole.
const LANGUAGES: &[&str] = &["EN", "TY"];
const GAME_TYPES: &[&str] = &[
    "RNG",
    "HOT",
    "BINGO",
    "LIVE",
    "FISH",
    "PVP",
    "SPORTS",
    "ESPORTS",
    "LOTT",
    "ELOTT",
    "COCKFIGHT",
];
/// Not a kind of game, but listed like one.
const HOT: &str = "HOT";
const PRIZE_MODES: &[&str] = &["LOTT", "ZY", "ELOTT", "SEA"];
const LABELLED: &[&str] = &["SC", "VP", "JP", "TG", "AC", "BG"];
/// Bingo has a label only where this language is spoken.
const BINGO: (&str, &str) = ("BG", "TY");

const RESOURCES_MAX: usize = 20;
const HOSTS_MAX: usize = 10;
const CODES_MAX: usize = 50;
const URL_MAX: usize = 500;
const LABEL_MAX: usize = 40;

/// What a brand's site shows and where it sends people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Brand {
    /// Under which path the site begins.
    pub domain_route: String,
    /// Where else the brand is found.
    pub resources: Vec<SiteResource>,
    /// Where customer service is reached.
    pub customer_service: Option<String>,
    /// The site's id at a service that counts visits.
    pub analytics_id: Option<String>,
    /// Where images come from, besides the site itself.
    #[serde(rename = "imageCDNs")]
    pub image_cdns: Vec<String>,
    /// Where games of vendors are launched from.
    #[serde(rename = "launchGameCDNs")]
    pub launch_game_cdns: Vec<String>,
    /// The languages that visitors choose from: `EN`, `TY`.
    pub languages: Vec<String>,
    /// The language of visitors who have not chosen, and whose browser asks for none of them.
    pub default_language: String,
    /// The kind of lottery.
    pub lottery_type: String,
    /// Game types that open in the game list.
    pub center_game_list: Vec<String>,
    /// Vendors whose sports are e-sports.
    pub esport_providers: Vec<String>,
    /// Vendors of cockfights.
    pub cockfight_providers: Vec<String>,
    /// The ways in which lotteries pay.
    pub prize_modes: Vec<String>,
    /// What game types are called: code → label.
    pub game_type_labels: BTreeMap<String, String>,
}

/// A place of the brand outside the site.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SiteResource {
    /// What its link says, in English.
    pub label_name_en: String,
    /// Where it leads.
    pub url: String,
    /// What it is.
    pub resource_type: ResourceType,
    /// Its own name.
    pub name: String,
}

/// What a place outside the site is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum ResourceType {
    /// A page to arrive on.
    Landing,
    /// A channel of videos.
    Youtube,
    /// A page of pictures.
    Instagram,
    /// A page of the social network.
    Facebook,
    /// A channel of messages.
    Telegram,
}

/// What no brand changes.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct FixedBrand {
    platform: &'static str,
    agent_user_types: [i16; 4],
    trial_user_type: i16,
}

impl Default for FixedBrand {
    fn default() -> Self {
        Self {
            platform: PLATFORM,
            agent_user_types: AGENT_USER_TYPES,
            trial_user_type: TRIAL_USER_TYPE,
        }
    }
}

fn texts(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

impl Default for Brand {
    fn default() -> Self {
        let labels = [
            ("SC", "Scratch"),
            ("VP", "Video poker"),
            ("JP", "Jackpot"),
            ("TG", "Table games"),
            ("AC", "Arcade"),
            ("BG", "Bingo"),
        ];
        Self {
            domain_route: "/".to_owned(),
            resources: Vec::new(),
            customer_service: None,
            analytics_id: None,
            image_cdns: Vec::new(),
            launch_game_cdns: Vec::new(),
            languages: texts(LANGUAGES),
            default_language: "EN".to_owned(),
            lottery_type: "Elott".to_owned(),
            center_game_list: texts(&["RNG", "HOT", "BINGO"]),
            esport_providers: texts(&["AV", "IMES", "IA", "AI", "TF"]),
            cockfight_providers: texts(&["DS88", "DIG"]),
            prize_modes: texts(PRIZE_MODES),
            game_type_labels: labels.map(|(code, label)| (code.into(), label.into())).into(),
        }
    }
}

impl Brand {
    /// A brand as a row has it. What the row does not name, or names in a way of older versions,
    /// is as it is by default.
    pub(super) fn from_stored(stored: Value) -> Self {
        serde_json::from_value(Self::completed(stored)).unwrap_or_default()
    }

    /// The fields that there are, each from the row where it has it.
    pub(super) fn completed(stored: Value) -> Value {
        let mut whole = serde_json::to_value(Self::default()).unwrap_or_default();
        if let (Some(whole), Value::Object(stored)) = (whole.as_object_mut(), stored) {
            for (name, value) in stored {
                if let Some(known) = whole.get_mut(&name) {
                    *known = value;
                }
            }
        }
        whole
    }

    /// The labels of game types for this site.
    pub(super) fn labels(&self) -> BTreeMap<&str, &str> {
        let (bingo, language) = BINGO;
        let speaks = self.languages.iter().any(|spoken| spoken == language);
        let labels = self.game_type_labels.iter();
        let shown = labels.filter(|(code, _)| *code != bingo || speaks);
        shown.map(|(code, label)| (code.as_str(), label.as_str())).collect()
    }

    /// Whether games may be shown with a label here.
    pub fn has_label(&self, code: &str) -> bool {
        self.labels().contains_key(code)
    }

    /// What is wrong with it, by field: nothing, if it can be used.
    pub(super) fn faults(&self) -> Vec<(&'static str, &'static str)> {
        let mut faults = Vec::new();
        let mut expect = |is_good: bool, field, code| {
            if !is_good {
                faults.push((field, code));
            }
        };
        expect(is_path(&self.domain_route), "domainRoute", "pattern");
        expect(self.resources.len() <= RESOURCES_MAX, "resources", "too_many");
        expect(self.resources.iter().all(SiteResource::is_good), "resources", "invalid");
        expect(self.customer_service.as_deref().is_none_or(is_https), "customerService", "url");
        expect(self.analytics_id.as_deref().is_none_or(is_id), "analyticsId", "pattern");
        for (hosts, field) in
            [(&self.image_cdns, "imageCDNs"), (&self.launch_game_cdns, "launchGameCDNs")]
        {
            expect(hosts.len() <= HOSTS_MAX && is_set(hosts), field, "too_many");
            expect(hosts.iter().all(|host| is_origin(host)), field, "url");
        }
        let are_known = |codes: &[String], known: &[&str]| {
            is_set(codes) && codes.iter().all(|code| known.contains(&code.as_str()))
        };
        let speaks = !self.languages.is_empty() && are_known(&self.languages, LANGUAGES);
        expect(speaks, "languages", "unknown");
        expect(self.languages.contains(&self.default_language), "defaultLanguage", "unknown");
        expect(is_word(&self.lottery_type), "lotteryType", "pattern");
        expect(are_known(&self.center_game_list, GAME_TYPES), "centerGameList", "unknown");
        expect(are_known(&self.prize_modes, PRIZE_MODES), "prizeModes", "unknown");
        for (codes, field) in [
            (&self.esport_providers, "esportProviders"),
            (&self.cockfight_providers, "cockfightProviders"),
        ] {
            let is_good = codes.len() <= CODES_MAX && is_set(codes);
            expect(is_good && codes.iter().all(|code| is_code(code)), field, "pattern");
        }
        let mut labels = self.game_type_labels.iter();
        let is_label = |(code, label): (&String, &String)| {
            LABELLED.contains(&code.as_str()) && is_text(label, LABEL_MAX)
        };
        expect(labels.all(is_label), "gameTypeLabels", "invalid");
        faults
    }
}

impl SiteResource {
    fn is_good(&self) -> bool {
        is_text(&self.label_name_en, LABEL_MAX)
            && is_text(&self.name, LABEL_MAX)
            && is_https(&self.url)
    }
}

/// One line that somebody can read.
pub(super) fn is_text(text: &str, most: usize) -> bool {
    let length = text.chars().count();
    text.trim() == text && (1..=most).contains(&length) && !text.chars().any(char::is_control)
}

/// Whether none of some texts comes twice.
pub(super) fn is_set(texts: &[String]) -> bool {
    texts.iter().enumerate().all(|(index, text)| !texts[..index].contains(text))
}

/// Whether games can be of each of these categories.
pub(super) fn are_categories(names: &[String]) -> bool {
    names.iter().all(|name| name != HOT && GAME_TYPES.contains(&name.as_str()))
}

/// Capital letters and digits.
fn is_code(code: &str) -> bool {
    let is_good = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit();
    (2..=16).contains(&code.len()) && code.bytes().all(is_good)
}

fn is_word(text: &str) -> bool {
    (2..=16).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

fn is_id(text: &str) -> bool {
    let is_good = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    (1..=32).contains(&text.len()) && text.bytes().all(is_good)
}

fn is_path(path: &str) -> bool {
    let is_good = |byte: u8| byte.is_ascii_alphanumeric() || b"/-_".contains(&byte);
    path.starts_with('/') && path.len() <= 64 && path.bytes().all(is_good) && !path.contains("//")
}

/// An address of a page over TLS, without a password in it.
fn is_https(text: &str) -> bool {
    text.len() <= URL_MAX && https(text).is_some()
}

fn https(text: &str) -> Option<Url> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_graphic());
    let url = Url::parse(text).ok().filter(|_| is_plain && text.starts_with("https://"))?;
    let is_open = url.username().is_empty() && url.password().is_none();
    url.host_str().filter(|host| is_open && !host.is_empty())?;
    Some(url)
}

/// Scheme and host alone, as browsers write them.
fn is_origin(text: &str) -> bool {
    https(text).is_some_and(|url| url.origin().ascii_serialization() == text)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn with(field: &str, value: Value) -> Result<Vec<(&'static str, &'static str)>, String> {
        let mut brand = serde_json::to_value(Brand::default()).unwrap();
        brand[field] = value;
        let brand: Brand = serde_json::from_value(brand).map_err(|error| error.to_string())?;
        Ok(brand.faults())
    }

    #[test]
    fn the_specifications_brand_is_good() {
        assert_eq!(Brand::default().faults(), []);
        let read: Brand =
            serde_json::from_value(serde_json::to_value(Brand::default()).unwrap()).unwrap();
        assert_eq!(read, Brand::default());
    }

    #[test]
    fn nonsense_is_named_by_its_field() {
        for (field, value) in [
            ("domainRoute", json!("home")),
            ("domainRoute", json!("//evil.example")),
            ("customerService", json!("http://help.example")),
            ("customerService", json!("https://user:word@help.example")),
            ("customerService", json!("javascript:alert(1)")),
            ("customerService", json!("https://")),
            ("analyticsId", json!("G-1\n")),
            ("imageCDNs", json!(["https://img.example/path"])),
            ("imageCDNs", json!(["https://img.example", "https://img.example"])),
            ("launchGameCDNs", json!(["img.example"])),
            ("languages", json!([])),
            ("languages", json!(["EN", "XX"])),
            ("languages", json!(["TY"])),
            ("defaultLanguage", json!("CN")),
            ("lotteryType", json!("")),
            ("centerGameList", json!(["RNG", "RNG"])),
            ("esportProviders", json!(["av"])),
            ("cockfightProviders", json!(["A B"])),
            ("prizeModes", json!(["GOLD"])),
            ("gameTypeLabels", json!({ "XX": "Something" })),
            ("gameTypeLabels", json!({ "SC": " " })),
            (
                "resources",
                json!([{ "labelNameEn": "Us", "name": "us", "url": "ftp://x", "resourceType": "LANDING" }]),
            ),
        ] {
            let faults = with(field, value.clone()).unwrap();
            assert!(!faults.is_empty(), "{field} {value}");
            assert!(field == "languages" || faults.iter().all(|(named, _)| *named == field));
        }
        for (field, value) in [
            ("domainRoute", json!(5)),
            ("resources", json!([{ "resourceType": "MYSPACE" }])),
            ("languages", json!("EN")),
            ("unheardOf", json!(1)),
        ] {
            assert!(with(field, value.clone()).is_err(), "{field} {value}");
        }
    }

    #[test]
    fn a_row_of_before_is_completed() {
        let stored = json!({ "lotteryType": "Other", "goneSince": 1 });
        let brand = Brand::from_stored(stored);
        assert_eq!(brand.lottery_type, "Other");
        assert_eq!(brand.prize_modes, Brand::default().prize_modes);
        assert_eq!(Brand::from_stored(json!({ "languages": 7 })), Brand::default());
    }

    #[test]
    fn bingo_is_labelled_where_tagalog_is_spoken() {
        let mut brand = Brand::default();
        assert_eq!(brand.labels()["BG"], "Bingo");
        brand.languages = vec!["EN".to_owned()];
        assert!(!brand.labels().contains_key("BG"));
        assert_eq!(brand.labels().len(), 5);
    }
}
