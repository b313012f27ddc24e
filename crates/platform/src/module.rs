//! `Module`: what a domain registers with the server (routes, error codes, jobs, hooks).

use std::any::Any;

use utoipa_axum::router::OpenApiRouter;

use crate::codes::ErrorCode;
use crate::jobs::Registry;

type Register = dyn Fn(&mut Registry) + Send + Sync;

/// What a domain registers with the server: routes, error codes, jobs and hooks. The server's list
/// of modules is the only place that names all domains.
pub struct Module {
    /// The name of the domain.
    pub name: &'static str,
    /// Its error codes.
    pub codes: &'static [ErrorCode],
    /// Its routes on the players' listener.
    pub site: OpenApiRouter,
    /// Its routes on the office listener.
    pub office: OpenApiRouter,
    jobs: Vec<Box<Register>>,
    hooks: Vec<Box<dyn Any + Send + Sync>>,
}

impl Module {
    /// An empty module.
    pub fn new(name: &'static str) -> Self {
        Self {
            name,
            codes: &[],
            site: OpenApiRouter::new(),
            office: OpenApiRouter::new(),
            jobs: Vec::new(),
            hooks: Vec::new(),
        }
    }

    /// Sets the error codes.
    #[must_use]
    pub fn codes(self, codes: &'static [ErrorCode]) -> Self {
        Self { codes, ..self }
    }

    /// Sets the routes on the players' listener.
    #[must_use]
    pub fn site(self, site: OpenApiRouter) -> Self {
        Self { site, ..self }
    }

    /// Sets the routes on the office listener.
    #[must_use]
    pub fn office(self, office: OpenApiRouter) -> Self {
        Self { office, ..self }
    }

    /// Adds job handlers and schedules.
    #[must_use]
    pub fn jobs(mut self, register: impl Fn(&mut Registry) + Send + Sync + 'static) -> Self {
        self.jobs.push(Box::new(register));
        self
    }

    /// Adds a hook: a value that another domain collects from all modules by its type.
    #[must_use]
    pub fn hook<H: Any + Send + Sync>(mut self, hook: H) -> Self {
        self.hooks.push(Box::new(hook));
        self
    }

    /// Registers its jobs with the worker.
    pub fn register_jobs(&self, registry: &mut Registry) {
        for register in &self.jobs {
            register(registry);
        }
    }

    /// Its hooks of this type.
    pub fn hooks<H: Any + Clone>(&self) -> impl Iterator<Item = H> {
        self.hooks.iter().filter_map(|hook| hook.downcast_ref::<H>().cloned())
    }
}
