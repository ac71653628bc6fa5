//! The people and groups that a question may be for.

use askback_wire::list::ListResponse;
use askback_wire::path;
use askback_wire::recipient::RecipientResponse;
use axum::Json;
use axum::extract::State;

use super::AppState;
use crate::openapi::Route;

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::get(path::RECIPIENTS, "list_recipients", list)
            .summary("Lists the people, then the groups, that a question may be for.")
            .returns_list::<RecipientResponse>("All configured recipients."),
    ]
}

async fn list(State(state): State<AppState>) -> Json<ListResponse<RecipientResponse>> {
    let recipients = state.channels.recipients();
    let people = recipients.people.iter();
    let people = people.map(|(alias, person)| RecipientResponse {
        alias: alias.clone(),
        name: person.name.clone(),
        members: None,
    });
    let groups = recipients.groups.iter();
    let groups = groups.map(|(alias, members)| RecipientResponse {
        alias: alias.clone(),
        name: alias.clone(),
        members: Some(members.clone()),
    });
    Json(ListResponse {
        items: people.chain(groups).collect(),
        next: None,
    })
}
