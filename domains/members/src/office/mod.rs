//! Finding members for the office.
//!
//! One text finds by whatever it looks like: an id, the beginning of a mobile number in any usual
//! writing, of an e-mail address or a username, or a whole invitation code. What is found is put
//! into the order of the texts that it was found by; without a text the newest come first.

mod store;

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use capiz_rules::names;
use sqlx::PgConnection;
use uuid::Uuid;

use self::store::{Among, Hit, Range};
pub use self::store::{File, ListedRow, Relative};
use super::model::MemberKind;
use super::state::MemberState;
use crate::Members;
use crate::rights::MembersRead;
use crate::store::list_named;
use platform::error::ApiError;
use site::Merchant;
use staff::{Asked as _, FoundThing, OnDuty, ids_of};

/// How many members the palette is offered.
const FOUND: i64 = 6;
/// The most characters that are looked for.
const TEXT_MAX: usize = 128;
/// Fewer digits than this are no number that is worth looking for.
const DIGITS_MIN: usize = 4;
/// The first character that stands in no text, so that a range ends behind all that begin alike.
const END: char = '\u{10ffff}';

/// What is looked for.
#[derive(Default)]
pub struct Wanted {
    /// What was typed; empty for the newest.
    pub text: String,
    /// The code of a merchant; all without it.
    pub merchant: Option<String>,
    /// Only those in this state.
    pub state: Option<MemberState>,
    /// Only these; members and agents without it.
    pub kind: Option<Kinds>,
    /// The oldest first, where nothing was typed.
    pub is_oldest_first: bool,
    /// Where the page before ended.
    pub after: Option<Cursor>,
}

/// Which kinds of members are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kinds {
    /// Those who are no agents.
    Members,
    /// Those who are.
    Agents,
    /// Only where they are asked for.
    Trials,
}

impl Kinds {
    /// The kinds of a name on the wire.
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "member" => Some(Self::Members),
            "agent" => Some(Self::Agents),
            "trial" => Some(Self::Trials),
            _ => None,
        }
    }

    fn numbers(self) -> &'static [i16] {
        match self {
            Self::Members => &[0],
            Self::Agents => &[1, 2, 41, 42],
            Self::Trials => &[4],
        }
    }
}

/// Where a page ends: the last member, and the text that it was found by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cursor {
    member_id: Uuid,
    text: String,
}

impl Cursor {
    /// The place of a text on the wire.
    pub fn parse(text: &str) -> Option<Self> {
        let (id, text) = text.split_once('~').unwrap_or((text, ""));
        Some(Self { member_id: id.parse().ok()?, text: text.to_owned() })
    }

    fn write(&self) -> String {
        match self.text.as_str() {
            "" => self.member_id.to_string(),
            text => format!("{}~{text}", self.member_id),
        }
    }
}

/// A page of members.
pub struct Page {
    /// Its members.
    pub rows: Vec<ListedRow>,
    /// Where the next page goes on.
    pub next: Option<String>,
    /// The merchants that there are.
    pub merchants: Vec<Arc<Merchant>>,
}

/// A few members for somebody who types, as far as their rights go.
pub(crate) async fn find_things(
    app: &Members,
    person: &OnDuty,
    text: &str,
) -> Result<Vec<FoundThing>, ApiError> {
    if !person.may(MembersRead::RIGHT) {
        return Ok(Vec::new());
    }
    let wanted = Wanted { text: text.to_owned(), ..Wanted::default() };
    let page = list(app, &wanted, FOUND).await?;
    let found = page.rows.into_iter().map(|row| {
        let more = row.mobile.or(row.email).unwrap_or(row.nickname);
        FoundThing::new("member", row.member_id, row.account, more)
    });
    Ok(found.collect())
}

/// The names of some members.
pub(crate) async fn name(app: &Members, ids: &[&str]) -> Result<HashMap<String, String>, ApiError> {
    let named = list_named(&mut *app.db.acquire().await?, &ids_of(ids)).await?;
    Ok(named.into_iter().map(|one| (one.member_id.to_string(), one.account)).collect())
}

/// A member's file, with who brought it.
pub async fn find_file(
    db: &mut PgConnection,
    member_id: Uuid,
) -> Result<Option<(File, Vec<Relative>)>, sqlx::Error> {
    match store::find_file(&mut *db, member_id).await? {
        Some(file) => Ok(Some((file, store::list_relatives(db, member_id).await?))),
        None => Ok(None),
    }
}

/// A page of what is looked for.
pub async fn list(app: &Members, wanted: &Wanted, limit: i64) -> Result<Page, ApiError> {
    let text = wanted.text.trim();
    if text.chars().count() > TEXT_MAX {
        return Err(ApiError::fields([("q", "too_long")]));
    }
    let merchants = app.site.sites.all(&app.db).await?;
    let among = among(wanted, &merchants)?;
    let hits = match text {
        "" => list_all(app, wanted, &among, limit + 1).await?,
        text => match text.parse::<Uuid>() {
            // Whoever names an id means this one, whatever else is chosen.
            Ok(member_id) => vec![Hit { text: String::new(), member_id }],
            Err(_) => find(app, wanted, &among, &merchants, limit + 1).await?,
        },
    };
    let (ids, next) = cut(hits, limit);
    let rows = store::list_rows(&app.db, &ids).await?;
    let mut rows: HashMap<Uuid, ListedRow> =
        rows.into_iter().map(|row| (row.member_id, row)).collect();
    let rows = ids.iter().filter_map(|id| rows.remove(id)).collect();
    Ok(Page { rows, next, merchants })
}

fn among(wanted: &Wanted, merchants: &[Arc<Merchant>]) -> Result<Among, ApiError> {
    let is_wanted = |merchant: &&Arc<Merchant>| {
        wanted.merchant.as_ref().is_none_or(|code| *code == merchant.code)
    };
    let merchants: Vec<Uuid> =
        merchants.iter().filter(is_wanted).map(|merchant| merchant.id).collect();
    if merchants.is_empty() {
        return Err(ApiError::fields([("merchant", "unknown")]));
    }
    let kinds = match wanted.kind {
        Some(kind) => kind.numbers().to_vec(),
        None => [Kinds::Members, Kinds::Agents].map(Kinds::numbers).concat(),
    };
    let states = match wanted.state {
        Some(state) => vec![state],
        None => MemberState::ALL.to_vec(),
    };
    let states = states.into_iter().map(|state| state.name().to_owned()).collect();
    Ok(Among { merchants, kinds, states })
}

async fn list_all(
    app: &Members,
    wanted: &Wanted,
    among: &Among,
    limit: i64,
) -> Result<Vec<Hit>, sqlx::Error> {
    let after = wanted.after.as_ref().map(|cursor| cursor.member_id);
    let ids = if wanted.is_oldest_first {
        store::list_oldest(&app.db, among, after.unwrap_or(Uuid::nil()), limit).await?
    } else {
        store::list_newest(&app.db, among, after.unwrap_or(Uuid::max()), limit).await?
    };
    Ok(ids.into_iter().map(|member_id| Hit { text: String::new(), member_id }).collect())
}

/// Looks a text up in every way that it may be meant, each by its index.
async fn find(
    app: &Members,
    wanted: &Wanted,
    among: &Among,
    merchants: &[Arc<Merchant>],
    limit: i64,
) -> Result<Vec<Hit>, sqlx::Error> {
    let (text, after) = (wanted.text.trim(), wanted.after.as_ref());
    let after = after.map_or(("", Uuid::nil()), |cursor| (cursor.text.as_str(), cursor.member_id));
    let mut hits = BTreeSet::new();
    let name = names::username_key(text);
    let end = format!("{name}{END}");
    let range = Range { first: &name, end: &end, after };
    hits.extend(store::list_by_name(&app.db, &range, among, limit).await?);
    if among.kinds.contains(&MemberKind::Trial.number()) {
        hits.extend(store::list_demo_by_name(&app.db, &range, among, limit).await?);
    }
    if text.contains('@') {
        hits.extend(store::list_by_email(&app.db, &range, among, limit).await?);
    }
    for number in numbers_of(text, merchants) {
        let end = format!("{number}{END}");
        let range = Range { first: &number, end: &end, after };
        hits.extend(store::list_by_mobile(&app.db, &range, among, limit).await?);
    }
    if text.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        let code = text.to_ascii_uppercase();
        let found = store::list_by_code(&app.db, &code, among).await?;
        hits.extend(found.into_iter().filter(|hit| (hit.text.as_str(), hit.member_id) > after));
    }
    Ok(hits.into_iter().collect())
}

/// How a number may be stored whose beginning somebody has typed: with its dialing code, with the
/// merchant's own before it, with or without the leading zero of the country.
fn numbers_of(text: &str, merchants: &[Arc<Merchant>]) -> Vec<String> {
    let is_number = text.chars().all(|c| c.is_ascii_digit() || "+ -().".contains(c));
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    if !is_number || digits.len() < DIGITS_MIN {
        return Vec::new();
    }
    if text.trim_start().starts_with('+') {
        return vec![in_full(&digits, merchants)];
    }
    let local = digits.trim_start_matches('0');
    let mut numbers = BTreeSet::new();
    match digits.strip_prefix("00") {
        Some(international) => {
            numbers.insert(in_full(international, merchants));
        }
        None if local.len() == digits.len() => {
            numbers.insert(in_full(&digits, merchants));
        }
        None => {}
    }
    for merchant in merchants {
        numbers.insert(format!("+{}{local}", merchant.policy.dialing_code));
    }
    numbers.into_iter().collect()
}

/// A number that begins with its dialing code. Some write the country's zero behind it all the same.
fn in_full(digits: &str, merchants: &[Arc<Merchant>]) -> String {
    let mut codes = merchants.iter().map(|merchant| merchant.policy.dialing_code.as_str());
    let code = codes.find(|code| digits.starts_with(&format!("{code}0"))).unwrap_or_default();
    format!("+{code}{}", digits[code.len()..].trim_start_matches('0'))
}

/// The members of a page, each once, and where the next page begins.
fn cut(hits: Vec<Hit>, limit: i64) -> (Vec<Uuid>, Option<String>) {
    let limit = usize::try_from(limit).unwrap_or_default();
    let has_more = hits.len() > limit;
    let mut seen = HashSet::new();
    let mut last = None;
    let mut ids = Vec::new();
    for hit in hits.into_iter().take(limit) {
        if seen.insert(hit.member_id) {
            ids.push(hit.member_id);
        }
        last = Some(Cursor { member_id: hit.member_id, text: hit.text });
    }
    (ids, last.filter(|_| has_more).map(|cursor| cursor.write()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_survives_its_text_form() {
        let id = Uuid::from_u128(7);
        for text in ["", "maria", "a~b", "+639171234567", "maria@example.com"] {
            let cursor = Cursor { member_id: id, text: text.to_owned() };
            assert_eq!(Cursor::parse(&cursor.write()), Some(cursor));
        }
        assert_eq!(Cursor::parse("nobody"), None);
    }

    #[test]
    fn a_page_has_each_member_once_and_goes_on_after_the_last() {
        let hit = |text: &str, id| Hit { text: text.to_owned(), member_id: Uuid::from_u128(id) };
        let hits = vec![hit("a", 1), hit("b", 1), hit("c", 2), hit("d", 3)];
        let (ids, next) = cut(hits, 3);
        assert_eq!(ids, [Uuid::from_u128(1), Uuid::from_u128(2)]);
        assert!(next.unwrap().ends_with("~c"));
        assert_eq!(cut(vec![hit("a", 1)], 1).1, None);
    }
}
