//! Member search of the back office.
//!
//! One search text is matched as whatever it looks like: an id, a prefix of a mobile number in any
//! usual notation, of an e-mail address or of a username, or a whole invitation code. Results are
//! sorted by the text that matched; without a search text the newest members come first.

mod store;

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use capiz_rules::names;
use sqlx::PgConnection;
use uuid::Uuid;

pub use self::store::{File, ListedRow, Relative};
use self::store::{Hit, PrefixRange, Scope};
use super::model::MemberKind;
use super::state::MemberState;
use crate::Members;
use crate::rights::MembersRead;
use crate::store::list_named;
use platform::error::ApiError;
use site::Merchant;
use staff::{FoundThing, RequiredRight as _, StaffSession, ids_of};

/// How many members the command palette shows.
const PALETTE_LIMIT: i64 = 6;
/// Maximum length of a search text, in characters.
const TEXT_MAX: usize = 128;
/// Fewer digits than this are not searched as a mobile number.
const DIGITS_MIN: usize = 4;
/// The highest Unicode character, which occurs in no text: appended to a prefix it ends the
/// prefix's range.
const PREFIX_END: char = '\u{10ffff}';

/// Filter of the member list.
#[derive(Default)]
pub struct MemberFilter {
    /// The search text; empty for all members.
    pub text: String,
    /// The code of a merchant; none for all merchants.
    pub merchant: Option<String>,
    /// Only members in this state.
    pub state: Option<MemberState>,
    /// Only these kinds; none for members and agents.
    pub kind: Option<Kinds>,
    /// Oldest first; only without a search text.
    pub is_oldest_first: bool,
    /// The cursor of the previous page.
    pub after: Option<Cursor>,
}

/// Groups of member kinds to filter by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kinds {
    /// Plain members.
    Members,
    /// Agents.
    Agents,
    /// Demo accounts; listed only on request.
    Trials,
}

impl Kinds {
    /// Parses the name used in the API.
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

/// The end of a page: its last member, and the text that matched it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cursor {
    member_id: Uuid,
    text: String,
}

impl Cursor {
    /// Parses the text form used in the API.
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
    /// The members of the page.
    pub rows: Vec<ListedRow>,
    /// The cursor of the next page; none on the last page.
    pub next: Option<String>,
    /// All merchants.
    pub merchants: Vec<Arc<Merchant>>,
}

/// Search results for the command palette; none without the right to read members.
pub(crate) async fn palette_results(
    app: &Members,
    person: &StaffSession,
    text: &str,
) -> Result<Vec<FoundThing>, ApiError> {
    if !person.may(MembersRead::RIGHT) {
        return Ok(Vec::new());
    }
    let filter = MemberFilter { text: text.to_owned(), ..MemberFilter::default() };
    let page = list(app, &filter, PALETTE_LIMIT).await?;
    let found = page.rows.into_iter().map(|row| {
        let more = row.mobile.or(row.email).unwrap_or(row.nickname);
        FoundThing::new("member", row.member_id, row.account, more)
    });
    Ok(found.collect())
}

/// The usernames of some members, by id.
pub(crate) async fn account_names(
    app: &Members,
    ids: &[&str],
) -> Result<HashMap<String, String>, ApiError> {
    let named = list_named(&mut *app.db.acquire().await?, &ids_of(ids)).await?;
    Ok(named.into_iter().map(|one| (one.member_id.to_string(), one.account)).collect())
}

/// A member's full record, with its agent and its recommender.
pub async fn find_file(
    db: &mut PgConnection,
    member_id: Uuid,
) -> Result<Option<(File, Vec<Relative>)>, sqlx::Error> {
    match store::find_file(&mut *db, member_id).await? {
        Some(file) => Ok(Some((file, store::list_relatives(db, member_id).await?))),
        None => Ok(None),
    }
}

/// One page of the members that match a filter.
pub async fn list(app: &Members, filter: &MemberFilter, limit: i64) -> Result<Page, ApiError> {
    let text = filter.text.trim();
    if text.chars().count() > TEXT_MAX {
        return Err(ApiError::fields([("q", "too_long")]));
    }
    let merchants = app.site.sites.all(&app.db).await?;
    let scope = scope_of(filter, &merchants)?;
    let hits = match text {
        "" => list_all(app, filter, &scope, limit + 1).await?,
        text => match text.parse::<Uuid>() {
            // An id names one member, so the other filters are ignored.
            Ok(member_id) => vec![Hit { text: String::new(), member_id }],
            Err(_) => search(app, filter, &scope, &merchants, limit + 1).await?,
        },
    };
    let (ids, next) = paginate(hits, limit);
    let rows = store::list_rows(&app.db, &ids).await?;
    let mut rows: HashMap<Uuid, ListedRow> =
        rows.into_iter().map(|row| (row.member_id, row)).collect();
    let rows = ids.iter().filter_map(|id| rows.remove(id)).collect();
    Ok(Page { rows, next, merchants })
}

fn scope_of(filter: &MemberFilter, merchants: &[Arc<Merchant>]) -> Result<Scope, ApiError> {
    let is_selected = |merchant: &&Arc<Merchant>| {
        filter.merchant.as_ref().is_none_or(|code| *code == merchant.code)
    };
    let merchants: Vec<Uuid> =
        merchants.iter().filter(is_selected).map(|merchant| merchant.id).collect();
    if merchants.is_empty() {
        return Err(ApiError::fields([("merchant", "unknown")]));
    }
    let kinds = match filter.kind {
        Some(kind) => kind.numbers().to_vec(),
        None => [Kinds::Members, Kinds::Agents].map(Kinds::numbers).concat(),
    };
    let states = match filter.state {
        Some(state) => vec![state],
        None => MemberState::ALL.to_vec(),
    };
    let states = states.into_iter().map(|state| state.name().to_owned()).collect();
    Ok(Scope { merchants, kinds, states })
}

async fn list_all(
    app: &Members,
    filter: &MemberFilter,
    scope: &Scope,
    limit: i64,
) -> Result<Vec<Hit>, sqlx::Error> {
    let after = filter.after.as_ref().map(|cursor| cursor.member_id);
    let ids = if filter.is_oldest_first {
        store::list_oldest(&app.db, scope, after.unwrap_or(Uuid::nil()), limit).await?
    } else {
        store::list_newest(&app.db, scope, after.unwrap_or(Uuid::max()), limit).await?
    };
    Ok(ids.into_iter().map(|member_id| Hit { text: String::new(), member_id }).collect())
}

/// Searches by everything that the text may be; each search uses its own index.
async fn search(
    app: &Members,
    filter: &MemberFilter,
    scope: &Scope,
    merchants: &[Arc<Merchant>],
    limit: i64,
) -> Result<Vec<Hit>, sqlx::Error> {
    let (text, after) = (filter.text.trim(), filter.after.as_ref());
    let after = after.map_or(("", Uuid::nil()), |cursor| (cursor.text.as_str(), cursor.member_id));
    let mut hits = BTreeSet::new();
    let name = names::username_key(text);
    let end = format!("{name}{PREFIX_END}");
    let range = PrefixRange { first: &name, end: &end, after };
    hits.extend(store::list_by_name(&app.db, &range, scope, limit).await?);
    if scope.kinds.contains(&MemberKind::Trial.number()) {
        hits.extend(store::list_demo_by_name(&app.db, &range, scope, limit).await?);
    }
    if text.contains('@') {
        hits.extend(store::list_by_email(&app.db, &range, scope, limit).await?);
    }
    for number in numbers_of(text, merchants) {
        let end = format!("{number}{PREFIX_END}");
        let range = PrefixRange { first: &number, end: &end, after };
        hits.extend(store::list_by_mobile(&app.db, &range, scope, limit).await?);
    }
    if text.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        let code = text.to_ascii_uppercase();
        let found = store::list_by_code(&app.db, &code, scope).await?;
        hits.extend(found.into_iter().filter(|hit| (hit.text.as_str(), hit.member_id) > after));
    }
    Ok(hits.into_iter().collect())
}

/// The stored forms that a typed prefix of a mobile number may have: with its own dialing code, or
/// with that of each merchant, and without the national leading zero.
fn numbers_of(text: &str, merchants: &[Arc<Merchant>]) -> Vec<String> {
    let is_number = text.chars().all(|c| c.is_ascii_digit() || "+ -().".contains(c));
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    if !is_number || digits.len() < DIGITS_MIN {
        return Vec::new();
    }
    if text.trim_start().starts_with('+') {
        return vec![international(&digits, merchants)];
    }
    let local = digits.trim_start_matches('0');
    let mut numbers = BTreeSet::new();
    match digits.strip_prefix("00") {
        Some(digits) => {
            numbers.insert(international(digits, merchants));
        }
        None if local.len() == digits.len() => {
            numbers.insert(international(&digits, merchants));
        }
        None => {}
    }
    for merchant in merchants {
        numbers.insert(format!("+{}{local}", merchant.policy.dialing_code));
    }
    numbers.into_iter().collect()
}

/// The E.164 form of a number that begins with its dialing code. A national leading zero after the
/// code is dropped.
fn international(digits: &str, merchants: &[Arc<Merchant>]) -> String {
    let mut codes = merchants.iter().map(|merchant| merchant.policy.dialing_code.as_str());
    let code = codes.find(|code| digits.starts_with(&format!("{code}0"))).unwrap_or_default();
    format!("+{code}{}", digits[code.len()..].trim_start_matches('0'))
}

/// The members of a page, each once, and the cursor of the next page.
fn paginate(hits: Vec<Hit>, limit: i64) -> (Vec<Uuid>, Option<String>) {
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
        let (ids, next) = paginate(hits, 3);
        assert_eq!(ids, [Uuid::from_u128(1), Uuid::from_u128(2)]);
        assert!(next.unwrap().ends_with("~c"));
        assert_eq!(paginate(vec![hit("a", 1)], 1).1, None);
    }
}
