//! The list of all modules, which is also the order in which their hooks are called.

use platform::codes::ErrorCode;
use platform::jobs::Registry;
use platform::module::Module;
use platform::seal::SealGate;
use platform::{codes, jobs, outbox, push, rate_limit, seal};

use crate::{App, audit, audit_names, front, palette};

/// All modules; each comes after those that it depends on.
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

/// The platform's module: its error codes and jobs.
fn platform(app: &App) -> Module {
    let core = platform::Core::clone(app);
    Module::new("platform").codes(codes::ALL).jobs(move |registry| {
        push::register_purge(registry, core.db.clone());
        rate_limit::register_purge(registry, core.db.clone());
        outbox::register_jobs(registry, core.outbox.clone(), core.db.clone());
        seal::register_purge(registry, SealGate::of(&core));
    })
}

/// The server's own module: HTML documents, the audit jobs, and the back office's search palette
/// and audit log names, which use the hooks of many domains.
fn server(app: &App) -> Module {
    let jobs_app = app.clone();
    Module::new("server")
        .site(front::routes().with_state(app.clone()))
        .office(palette::routes().merge(audit_names::routes()).with_state(app.clone()))
        .jobs(move |registry| audit::register_jobs(registry, &jobs_app))
}

/// The job handlers and schedules of all modules.
pub fn job_registry(app: &App) -> Registry {
    let mut registry = jobs::Registry::new();
    for module in list(app) {
        module.register_jobs(&mut registry);
    }
    registry
}

/// All error codes, in the order of the modules.
pub fn error_codes(app: &App) -> Vec<ErrorCode> {
    list(app).iter().flat_map(|module| module.codes.iter().copied()).collect()
}
