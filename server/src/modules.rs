//! The list of all modules. It is also the order in which their hooks are called.

use platform::codes::ErrorCode;
use platform::jobs::Registry;
use platform::module::Module;
use platform::seal::SealGate;
use platform::{budget, codes, jobs, outbox, push, seal};

use crate::{App, audit, find, front, subjects};

/// Every module, each after those that it stands on.
pub fn list(app: &App) -> Vec<Module> {
    vec![
        platform(app),
        staff::module(&app.staff),
        site::module(&app.site),
        content::module(&app.content),
        members::module(&app.members),
        identity::module(&app.identity),
        wallet::module(&app.wallet),
        games::module(&app.games),
        studio::module(&app.studio),
        promotions::module(),
        support::module(&app.support),
        agents::module(&app.agents),
        service::module(&app.service),
        server(app),
    ]
}

/// What the platform brings of its own.
fn platform(app: &App) -> Module {
    let core = platform::Core::clone(app);
    Module::new("platform").codes(codes::ALL).jobs(move |registry| {
        push::register_purge(registry, core.db.clone());
        budget::register_purge(registry, core.db.clone());
        outbox::register_jobs(registry, core.outbox.clone(), core.db.clone());
        seal::register_purge(registry, SealGate::of(&core));
    })
}

/// What the server itself brings: documents, the audit of everything, and the office's palette,
/// which finds things of many domains.
fn server(app: &App) -> Module {
    let audited = app.clone();
    Module::new("server")
        .site(front::routes().with_state(app.clone()))
        .office(find::routes().merge(subjects::routes()).with_state(app.clone()))
        .jobs(move |registry| audit::register_jobs(registry, &audited))
}

/// What runs on a schedule, or when somebody queues it.
pub fn job_registry(app: &App) -> Registry {
    let mut registry = jobs::Registry::new();
    for module in list(app) {
        module.register_jobs(&mut registry);
    }
    registry
}

/// Every error code, in the order of the modules.
pub fn error_codes(app: &App) -> Vec<ErrorCode> {
    list(app).iter().flat_map(|module| module.codes.iter().copied()).collect()
}
