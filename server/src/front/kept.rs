//! Documents that are kept ready while nothing that they are made of has changed.
//!
//! Merchants, games and content are read anew when they change, and then lie elsewhere in memory:
//! so it is enough to compare where they lie, and a document is as young as they are.

use std::any::Any;
use std::collections::HashMap;
use std::ptr;
use std::sync::{Arc, PoisonError, RwLock, Weak};

use crate::App;
use platform::error::ApiError;
use platform::language::Language;
use platform::pages::{FileHash, Rendered};
use site::Merchant;

/// Merchants × countries with laws of their own × languages × pages; when there are more, all are
/// forgotten.
const KEPT: usize = 1_024;

type Part = dyn Any + Send + Sync;

/// What a document is made of now.
pub(super) struct Makings {
    parts: [Arc<Part>; 3],
    files: [Option<FileHash>; 2],
}

impl Makings {
    /// To be asked for before the document is made: what changes meanwhile is seen at the next look.
    pub(super) async fn of(
        app: &App,
        merchant: &Arc<Merchant>,
        language: Language,
        name: &str,
    ) -> Result<Self, ApiError> {
        let games: Arc<Part> = games::edition(&app.games).await?;
        let texts: Arc<Part> = content::seen(&app.content, merchant, language).await?;
        Ok(Self {
            parts: [Arc::<Merchant>::clone(merchant), games, texts],
            files: app.build.pages.files_of(name, language.tag()),
        })
    }
}

/// Where a merchant lies, the language, and the path of a page.
type Key = (usize, Language, &'static str);

struct Kept {
    /// They do not keep what they point to, but its place in memory, so that nothing else comes to
    /// lie there.
    parts: [Weak<Part>; 3],
    files: [Option<FileHash>; 2],
    document: Arc<Rendered>,
}

impl Kept {
    fn is_of(&self, makings: &Makings) -> bool {
        let mut parts = self.parts.iter().zip(&makings.parts);
        let same = |(kept, now): (&Weak<Part>, &Arc<Part>)| {
            ptr::addr_eq(Weak::as_ptr(kept), Arc::as_ptr(now))
        };
        parts.all(same) && self.files == makings.files
    }

    fn is_current(&self) -> bool {
        self.parts.iter().all(|part| part.strong_count() > 0)
    }
}

/// The documents of pages that are always there. Those that show one of many are not kept: anybody
/// can ask for as many as there are names.
#[derive(Default)]
pub struct Documents(RwLock<HashMap<Key, Kept>>);

impl Documents {
    /// The document of a page, if it is made of these.
    pub(super) fn find(
        &self,
        makings: &Makings,
        language: Language,
        path: &'static str,
    ) -> Option<Arc<Rendered>> {
        let documents = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let kept = documents.get(&key(makings, language, path))?;
        kept.is_of(makings).then(|| Arc::clone(&kept.document))
    }

    /// Keeps a document for the next look, and none whose makings are gone.
    pub(super) fn keep(
        &self,
        makings: &Makings,
        language: Language,
        path: &'static str,
        document: &Arc<Rendered>,
    ) {
        let mut documents = self.0.write().unwrap_or_else(PoisonError::into_inner);
        documents.retain(|_, kept| kept.is_current());
        if documents.len() >= KEPT {
            documents.clear();
        }
        let kept = Kept {
            parts: makings.parts.each_ref().map(Arc::downgrade),
            files: makings.files,
            document: Arc::clone(document),
        };
        documents.insert(key(makings, language, path), kept);
    }
}

fn key(makings: &Makings, language: Language, path: &'static str) -> Key {
    (Arc::as_ptr(&makings.parts[0]).addr(), language, path)
}
