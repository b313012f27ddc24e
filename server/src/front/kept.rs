//! The cache of rendered HTML documents. A document is valid as long as its inputs are unchanged.
//!
//! Merchants, games and content are loaded as new objects when they change and never modified in
//! place. So comparing the addresses of the objects is enough, and a cached document is as fresh as
//! its inputs.

use std::any::Any;
use std::collections::HashMap;
use std::ptr;
use std::sync::{Arc, PoisonError, RwLock, Weak};

use crate::App;
use platform::error::ApiError;
use platform::language::Language;
use platform::pages::{FileHash, Rendered};
use site::Merchant;

/// The most cached documents: merchants × countries with a policy of their own × languages × pages.
/// When it is reached, the cache is cleared.
const DOCUMENTS_MAX: usize = 1_024;

type Input = dyn Any + Send + Sync;

/// The current inputs of a document: merchant, games and content, and the files of the web build.
pub(super) struct CacheInputs {
    objects: [Arc<Input>; 3],
    files: [Option<FileHash>; 2],
}

impl CacheInputs {
    /// Collects the inputs. Call it before rendering, so that a change during the rendering is
    /// noticed at the next lookup.
    pub(super) async fn of(
        app: &App,
        merchant: &Arc<Merchant>,
        language: Language,
        name: &str,
    ) -> Result<Self, ApiError> {
        let games: Arc<Input> = games::edition(&app.games).await?;
        let texts: Arc<Input> = content::seen(&app.content, merchant, language).await?;
        Ok(Self {
            objects: [Arc::<Merchant>::clone(merchant), games, texts],
            files: app.build.pages.files_of(name, language.tag()),
        })
    }
}

/// The address of the merchant object, the language, and the path of the page.
type Key = (usize, Language, &'static str);

struct CachedDocument {
    /// Weak references do not keep the objects alive, but they keep the allocations, so that no
    /// other object can get the same address.
    objects: [Weak<Input>; 3],
    files: [Option<FileHash>; 2],
    document: Arc<Rendered>,
}

impl CachedDocument {
    /// Whether the document was rendered from exactly these inputs.
    fn is_of(&self, inputs: &CacheInputs) -> bool {
        let mut objects = self.objects.iter().zip(&inputs.objects);
        let is_same = |(cached, current): (&Weak<Input>, &Arc<Input>)| {
            ptr::addr_eq(Weak::as_ptr(cached), Arc::as_ptr(current))
        };
        objects.all(is_same) && self.files == inputs.files
    }

    /// Whether all inputs still exist; otherwise the document can never be used again.
    fn is_current(&self) -> bool {
        self.objects.iter().all(|object| object.strong_count() > 0)
    }
}

/// The cached documents. Only pages with a fixed path are cached: paths of detail pages are
/// unbounded, so requests for them could flood the cache.
#[derive(Default)]
pub struct Documents(RwLock<HashMap<Key, CachedDocument>>);

impl Documents {
    /// The cached document of a page, if it was rendered from these inputs.
    pub(super) fn find(
        &self,
        inputs: &CacheInputs,
        language: Language,
        path: &'static str,
    ) -> Option<Arc<Rendered>> {
        let documents = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let cached = documents.get(&key(inputs, language, path))?;
        cached.is_of(inputs).then(|| Arc::clone(&cached.document))
    }

    /// Caches a document, and drops those whose inputs no longer exist.
    pub(super) fn insert(
        &self,
        inputs: &CacheInputs,
        language: Language,
        path: &'static str,
        document: &Arc<Rendered>,
    ) {
        let mut documents = self.0.write().unwrap_or_else(PoisonError::into_inner);
        documents.retain(|_, cached| cached.is_current());
        if documents.len() >= DOCUMENTS_MAX {
            documents.clear();
        }
        let cached = CachedDocument {
            objects: inputs.objects.each_ref().map(Arc::downgrade),
            files: inputs.files,
            document: Arc::clone(document),
        };
        documents.insert(key(inputs, language, path), cached);
    }
}

fn key(inputs: &CacheInputs, language: Language, path: &'static str) -> Key {
    (Arc::as_ptr(&inputs.objects[0]).addr(), language, path)
}
