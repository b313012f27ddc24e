//! Display names of games and vendors for the audit log. All staff may see them, so no right is
//! needed.

use std::collections::HashMap;

use crate::Games;
use platform::error::ApiError;

/// The names of games, by game code or by the id of an offer, `MERCHANT/GAME`.
pub(crate) async fn name_games(
    app: &Games,
    ids: &[&str],
) -> Result<HashMap<String, String>, ApiError> {
    let mut names = HashMap::new();
    for id in ids {
        let code = id.rsplit('/').next().unwrap_or(id);
        let game = app.catalogue.find(&app.db, code).await?;
        names.extend(game.map(|game| ((*id).to_owned(), game.name.clone())));
    }
    Ok(names)
}

/// The names of vendors, by their codes.
pub(crate) async fn name_vendors(
    app: &Games,
    ids: &[&str],
) -> Result<HashMap<String, String>, ApiError> {
    let mut names = HashMap::new();
    for id in ids {
        let name = app.catalogue.vendor_name(&app.db, id).await?;
        names.extend(name.map(|name| ((*id).to_owned(), name)));
    }
    Ok(names)
}
