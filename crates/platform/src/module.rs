//! Modules: what a domain brings to the server.

use std::any::Any;

use utoipa_axum::router::OpenApiRouter;

use crate::codes::ErrorCode;
use crate::jobs::Registry;

type Register = dyn Fn(&mut Registry) + Send + Sync;

/// What a domain brings to the server: calls, codes, jobs, and what it does when another domain
/// asks everybody. The server's list of modules is the only place that names them all.
pub struct Module {
    /// The domain.
    pub name: &'static str,
    /// What its calls are refused with.
    pub codes: &'static [ErrorCode],
    /// Its calls on the players' listener.
    pub site: OpenApiRouter,
    /// Its calls on the office's listener.
    pub office: OpenApiRouter,
    jobs: Vec<Box<Register>>,
    hooks: Vec<Box<dyn Any + Send + Sync>>,
}

impl Module {
    /// A module that brings nothing yet.
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

    /// With these error codes.
    #[must_use]
    pub fn codes(self, codes: &'static [ErrorCode]) -> Self {
        Self { codes, ..self }
    }

    /// With these calls on the players' listener.
    #[must_use]
    pub fn site(self, site: OpenApiRouter) -> Self {
        Self { site, ..self }
    }

    /// With these calls on the office's listener.
    #[must_use]
    pub fn office(self, office: OpenApiRouter) -> Self {
        Self { office, ..self }
    }

    /// With jobs and their schedules.
    #[must_use]
    pub fn jobs(mut self, register: impl Fn(&mut Registry) + Send + Sync + 'static) -> Self {
        self.jobs.push(Box::new(register));
        self
    }

    /// With something that another domain asks everybody for, by its type.
    #[must_use]
    pub fn hook<H: Any + Send + Sync>(mut self, hook: H) -> Self {
        self.hooks.push(Box::new(hook));
        self
    }

    /// Registers its jobs.
    pub fn register_jobs(&self, registry: &mut Registry) {
        for register in &self.jobs {
            register(registry);
        }
    }

    /// What it brings of this type.
    pub fn hooks<H: Any + Clone>(&self) -> impl Iterator<Item = H> {
        self.hooks.iter().filter_map(|hook| hook.downcast_ref::<H>().cloned())
    }
}
