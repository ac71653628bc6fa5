//! Somebody does something in the browser or at the terminal, so their phone stays silent for a while.

use askback_wire::path;
use askback_wire::presence::PresenceResponse;
use axum::Json;

use super::AppState;
use crate::authenticate::Caller;
use crate::extract::NoBody;
use crate::openapi::Route;
use crate::problem::Problem;

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::post(path::PRESENCE, "note_presence", note)
            .summary("Tells that somebody types or presses something at this surface.")
            .description(
                "Send it while somebody acts, at most every 20 seconds, and not because a page is open. The first \
                 message of a question to them waits up to two minutes while they do.",
            )
            .returns::<PresenceResponse>(200, "Whether the server wants to know.")
            .writes_store(),
    ]
}

async fn note(
    state: AppState,
    caller: Caller,
    NoBody: NoBody,
) -> Result<Json<PresenceResponse>, Problem> {
    state.channels.presence.note(caller.scope.person()).await?;
    let wanted = state.channels.presence.is_wanted();
    Ok(Json(PresenceResponse { wanted }))
}
