//! The people and groups that a question may be for.

use askback_wire::list::ListResponse;
use askback_wire::path;
use askback_wire::recipient::RecipientResponse;
use axum::Json;
use axum::extract::State;

use super::AppState;
use crate::openapi::Route;
use crate::problem::Problem;

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::get(path::RECIPIENTS, "list_recipients", list)
            .summary("Lists the people, then the groups, that a question may be for.")
            .returns_list::<RecipientResponse>("All configured recipients.")
            .reads_store(),
    ]
}

async fn list(
    State(state): State<AppState>,
) -> Result<Json<ListResponse<RecipientResponse>>, Problem> {
    let recipients = state.channels.recipients();
    let people = recipients.people.iter();
    let people = people.map(|(alias, person)| (alias, person.name.clone(), None));
    let groups = recipients.groups.iter();
    let groups = groups.map(|(alias, members)| (alias, alias.clone(), Some(members.clone())));
    let mut items = Vec::new();
    for (alias, name, members) in people.chain(groups) {
        items.push(RecipientResponse {
            alias: alias.clone(),
            name,
            members,
            reachable: state.channels.is_reachable(alias).await?,
        });
    }
    Ok(Json(ListResponse { items, next: None }))
}
