//! The domain's routes on the players' site.

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::security::{account, bind};
use crate::{
    Identity, captcha, login, phone, recovery, registration, sessions, social, trials, two_factor,
    verify,
};

pub(crate) fn routes() -> OpenApiRouter<Identity> {
    OpenApiRouter::new()
        .merge(registration::routes())
        .merge(account::routes())
        .merge(sessions::http::routes())
        .merge(login::routes())
        .merge(trials::routes())
        .routes(routes!(phone::login_by_phone))
        .routes(routes!(phone::return_from_phone))
        .merge(social::routes())
        .merge(two_factor::routes())
        .merge(recovery::routes())
        .merge(bind::routes())
        .merge(captcha::http::routes())
        .merge(verify::http::routes())
}
