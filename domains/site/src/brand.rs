//! A brand's configuration: languages, links, CDNs and labels of games. It is stored as JSON.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use url::Url;
use utoipa::ToSchema;

/// The platform name in the configuration of every page.
const PLATFORM: &str = "WEB";
/// The user types of members are fixed: the ledger and the agents domain depend on them.
const AGENT_USER_TYPES: [i16; 4] = [1, 2, 41, 42];
const TRIAL_USER_TYPE: i16 = 4;

/// Languages with a complete translation.
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
/// A list of popular games. It is no category of a game, but the game list shows it like one.
const HOT: &str = "HOT";
const PRIZE_MODES: &[&str] = &["LOTT", "ZY", "ELOTT", "SEA"];
/// Game types whose label a brand can change.
const LABELLED: &[&str] = &["SC", "VP", "JP", "TG", "AC", "BG"];
/// The code of bingo, and the language that a site must offer for bingo to have a label.
const BINGO: (&str, &str) = ("BG", "TY");

const RESOURCES_MAX: usize = 20;
const HOSTS_MAX: usize = 10;
const CODES_MAX: usize = 50;
const URL_MAX: usize = 500;
const LABEL_MAX: usize = 40;

/// What a brand's site shows and where its links lead.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Brand {
    /// The base path of the site.
    pub domain_route: String,
    /// Links to the brand's pages elsewhere.
    pub resources: Vec<SiteResource>,
    /// The HTTPS address of customer service.
    pub customer_service: Option<String>,
    /// The site's id at an analytics service.
    pub analytics_id: Option<String>,
    /// Origins that serve images, besides the site itself.
    #[serde(rename = "imageCDNs")]
    pub image_cdns: Vec<String>,
    /// Origins from which games of vendors are launched.
    #[serde(rename = "launchGameCDNs")]
    pub launch_game_cdns: Vec<String>,
    /// The languages that visitors can choose: `EN`, `TY`.
    pub languages: Vec<String>,
    /// The language of visitors who have chosen none and whose browser accepts none of these.
    pub default_language: String,
    /// The kind of lottery.
    pub lottery_type: String,
    /// Game types that open in the game list.
    pub center_game_list: Vec<String>,
    /// Vendors of e-sports.
    pub esport_providers: Vec<String>,
    /// Vendors of cockfights.
    pub cockfight_providers: Vec<String>,
    /// The payout modes of lotteries.
    pub prize_modes: Vec<String>,
    /// The labels of game types: code → label.
    pub game_type_labels: BTreeMap<String, String>,
}

/// A link to a page of the brand outside the site.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SiteResource {
    /// The text of the link, in English.
    pub label_name_en: String,
    /// The HTTPS address.
    pub url: String,
    /// What the link leads to.
    pub resource_type: ResourceType,
    /// The name of the page or channel.
    pub name: String,
}

/// What kind of page a link leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum ResourceType {
    /// A landing page.
    Landing,
    /// A YouTube channel.
    Youtube,
    /// An Instagram page.
    Instagram,
    /// A Facebook page.
    Facebook,
    /// A Telegram channel.
    Telegram,
}

/// Configuration that is the same for every brand.
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

fn to_strings(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
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
            languages: to_strings(LANGUAGES),
            default_language: "EN".to_owned(),
            lottery_type: "Elott".to_owned(),
            center_game_list: to_strings(&["RNG", "HOT", "BINGO"]),
            esport_providers: to_strings(&["AV", "IMES", "IA", "AI", "TF"]),
            cockfight_providers: to_strings(&["DS88", "DIG"]),
            prize_modes: to_strings(PRIZE_MODES),
            game_type_labels: labels.map(|(code, label)| (code.into(), label.into())).into(),
        }
    }
}

impl Brand {
    /// Reads a stored brand. Fields that the row lacks have their default. A row that cannot be
    /// read at all gives the default brand.
    pub(super) fn from_stored(stored: Value) -> Self {
        serde_json::from_value(Self::with_defaults(stored)).unwrap_or_default()
    }

    /// Adds the default of every field that a stored brand lacks, and drops unknown fields.
    pub(super) fn with_defaults(stored: Value) -> Value {
        let mut brand = serde_json::to_value(Self::default()).unwrap_or_default();
        if let (Some(fields), Value::Object(stored)) = (brand.as_object_mut(), stored) {
            for (name, value) in stored {
                if let Some(field) = fields.get_mut(&name) {
                    *field = value;
                }
            }
        }
        brand
    }

    /// The labels of game types that this site shows.
    pub(super) fn labels(&self) -> BTreeMap<&str, &str> {
        let (bingo, language) = BINGO;
        let has_bingo = self.languages.iter().any(|offered| offered == language);
        let labels = self.game_type_labels.iter();
        let shown = labels.filter(|(code, _)| *code != bingo || has_bingo);
        shown.map(|(code, label)| (code.as_str(), label.as_str())).collect()
    }

    /// Whether the site shows games of this type with a label.
    pub fn has_label(&self, code: &str) -> bool {
        self.labels().contains_key(code)
    }

    /// Validation errors as (field, code); empty if the brand is valid.
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
            expect(hosts.len() <= HOSTS_MAX && are_unique(hosts), field, "too_many");
            expect(hosts.iter().all(|host| is_origin(host)), field, "url");
        }
        let are_known = |codes: &[String], known: &[&str]| {
            are_unique(codes) && codes.iter().all(|code| known.contains(&code.as_str()))
        };
        let are_languages = !self.languages.is_empty() && are_known(&self.languages, LANGUAGES);
        expect(are_languages, "languages", "unknown");
        expect(self.languages.contains(&self.default_language), "defaultLanguage", "unknown");
        expect(is_word(&self.lottery_type), "lotteryType", "pattern");
        expect(are_known(&self.center_game_list, GAME_TYPES), "centerGameList", "unknown");
        expect(are_known(&self.prize_modes, PRIZE_MODES), "prizeModes", "unknown");
        for (codes, field) in [
            (&self.esport_providers, "esportProviders"),
            (&self.cockfight_providers, "cockfightProviders"),
        ] {
            let is_good = codes.len() <= CODES_MAX && are_unique(codes);
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

/// Whether a text is one trimmed line of 1 to `max` characters.
pub(super) fn is_text(text: &str, max: usize) -> bool {
    let length = text.chars().count();
    text.trim() == text && (1..=max).contains(&length) && !text.chars().any(char::is_control)
}

/// Whether the texts have no duplicates.
pub(super) fn are_unique(texts: &[String]) -> bool {
    texts.iter().enumerate().all(|(index, text)| !texts[..index].contains(text))
}

/// Whether all names are categories of games.
pub(super) fn are_categories(names: &[String]) -> bool {
    names.iter().all(|name| name != HOT && GAME_TYPES.contains(&name.as_str()))
}

/// 2 to 16 uppercase letters and digits.
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

/// An HTTPS address without a user name or password.
fn is_https(text: &str) -> bool {
    text.len() <= URL_MAX && https(text).is_some()
}

fn https(text: &str) -> Option<Url> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_graphic());
    let url = Url::parse(text).ok().filter(|_| is_plain && text.starts_with("https://"))?;
    let has_no_login = url.username().is_empty() && url.password().is_none();
    url.host_str().filter(|host| has_no_login && !host.is_empty())?;
    Some(url)
}

/// An HTTPS origin (scheme, host, port) in the form in which browsers write it.
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
