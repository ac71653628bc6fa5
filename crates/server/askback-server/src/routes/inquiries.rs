//! Inquiries: ask as an external agent, list and read them, answer or end them.

mod actions;
mod ask;
mod search;

use askback_channels::{NamedRecipient, Recipients};
use askback_core::conversation::rejection::Rejection;
use askback_core::id::InquiryId;
use askback_core::text::Text;
use askback_engine::{InquiryView, SubmitError};
use askback_store::{AskerFilter, InquiryFilter, Page, StoreError};
use askback_wire::duration::HumanDuration;
use askback_wire::inquiry::{InquiryResponse, InquiryStatus, ReadInquiryParams};
use askback_wire::list::{ListInquiriesParams, ListResponse};
use askback_wire::problem::ProblemCode;
use askback_wire::{limits, path};
use axum::Json;

use super::AppState;
use super::askers;
use super::channels::person;
use crate::authenticate::Caller;
use crate::extract::{Id, Query, page_limit};
use crate::openapi::Route;
use crate::problem::{Problem, conflict, problem};
use crate::scope::Scope;
use ask::checked_recipient;

use search::Search;

pub(super) use actions::{refuse_incomplete, refuse_undone};

pub(super) fn routes() -> Vec<Route> {
    let mut routes = vec![
        ask::route(),
        Route::get(path::INQUIRIES, "list_inquiries", list)
            .summary("Lists inquiries: pending ones by deadline, then age; others newest first.")
            .returns_list::<InquiryResponse>("A page of inquiries.")
            .reads_store(),
        Route::get(path::INQUIRY, "read_inquiry", read)
            .summary("Returns an inquiry. With `wait`, waits for its outcome first.")
            .returns::<InquiryResponse>(200, "The inquiry.")
            .reads_store(),
    ];
    routes.extend(actions::routes());
    routes
}

async fn list(
    state: AppState,
    caller: Caller,
    Query(params): Query<ListInquiriesParams>,
) -> Result<Json<ListResponse<InquiryResponse>>, Problem> {
    if let Some(InquiryStatus::Unknown(status)) = &params.status {
        let known = InquiryStatus::VALUES.join(", ");
        let detail = format!("`status` must be one of {known}, not {status:?}.");
        return Err(problem(ProblemCode::InvalidQuery).detail(detail));
    }
    if let Some(key) = &params.key {
        let alone = ListInquiriesParams {
            key: params.key.clone(),
            limit: params.limit,
            ..ListInquiriesParams::default()
        };
        if params != alone {
            let detail = "`key` names one question: send it without other filters.";
            return Err(problem(ProblemCode::InvalidQuery).detail(detail));
        }
        let owner = caller.scope.key_owner();
        let view = state.engine.inquiry_with_key(owner.as_deref(), key);
        let view = view.await?;
        let view = view.filter(|view| state.sees(&caller, view));
        return Ok(Json(ListResponse {
            items: state.inquiries(&caller, view.as_slice()).await?,
            next: None,
        }));
    }
    check_agent_filters(&params)?;
    let filter = InquiryFilter {
        status: params.status.map(|status| status.to_string()),
        conversation: params.conversation_id,
        asker: params.asker_client.map(|client| AskerFilter {
            client: askers::client_name(&caller.scope, client),
            project: params.asker_project.map(askers::stored_name),
            session: params.asker_session.map(askers::stored_name),
        }),
        cursor: params.cursor,
        limit: page_limit(params.limit)?,
    };
    if let Some(alias) = params.recipient.as_deref().filter(|alias| *alias != ME) {
        state.learn_recipient(alias).await?;
    }
    let recipient = params
        .recipient
        .map(|named| WantedRecipient::new(&state, &caller, named));
    let wanted = Wanted {
        search: Search::new(params.search.as_deref()),
        recipient: recipient.transpose()?,
    };
    let page = visible_page(&state, &caller, filter, &wanted).await?;
    Ok(Json(ListResponse {
        items: state.inquiries(&caller, &page.items).await?,
        next: page.next,
    }))
}

/// Refuses filters that would be ignored beside an agent, or without one.
fn check_agent_filters(params: &ListInquiriesParams) -> Result<(), Problem> {
    let (project, session) = (&params.asker_project, &params.asker_session);
    let is_pending = params.status.as_ref() == Some(&InquiryStatus::Pending);
    let detail = match &params.asker_client {
        None if project.is_some() || session.is_some() => {
            "`asker_project` and `asker_session` are of an agent: send `asker_client`, too."
        }
        Some(_) if params.conversation_id.is_some() => {
            "Send `asker_client` or `conversation_id`, not both."
        }
        Some(_) if params.status.is_some() && !is_pending => {
            "With `asker_client`, `status` is `pending`. Without `status`, the list has the outcomes that were not \
             delivered."
        }
        Some(_) | None => return Ok(()),
    };
    Err(problem(ProblemCode::InvalidQuery).detail(detail))
}

/// The recipient who is whoever asks for a list.
const ME: &str = "me";

/// How many pages are read for one that is shown to a caller who searches or does not see everything, all but the first as large as
/// they get. A page may therefore have fewer inquiries than were asked for, and a next one.
const PAGES_READ_MAX: usize = 20;

/// For whom the inquiries of a list are.
enum WantedRecipient {
    /// What names this person or a group of theirs.
    Person(String),
    /// What names this alias.
    Alias(String),
}

impl WantedRecipient {
    fn new(state: &AppState, caller: &Caller, named: String) -> Result<WantedRecipient, Problem> {
        if named == ME {
            let only = person(state, None).ok();
            let alias = caller.scope.person().map(str::to_owned).or(only);
            let detail = "`recipient=me` needs the token or the session of a person.";
            let nobody = || problem(ProblemCode::InvalidQuery).detail(detail);
            return alias.map(WantedRecipient::Person).ok_or_else(nobody);
        }
        checked_recipient(state, &named)?;
        Ok(WantedRecipient::Alias(named))
    }

    fn includes(&self, view: &InquiryView, recipients: &Recipients) -> bool {
        let recipient = view.inquiry.recipient().map(Text::as_str);
        let named = recipient.and_then(|named| NamedRecipient::parse(named).alias);
        named.is_some_and(|named| match self {
            WantedRecipient::Person(alias) => recipients.includes(named, alias),
            WantedRecipient::Alias(alias) => named == alias,
        })
    }
}

/// What a list is to have.
struct Wanted {
    search: Search,
    recipient: Option<WantedRecipient>,
}

impl Wanted {
    fn is_everything(&self) -> bool {
        self.search.is_empty() && self.recipient.is_none()
    }

    fn includes(&self, state: &AppState, view: &InquiryView) -> bool {
        let recipients = state.recipients();
        let recipient = self.recipient.as_ref();
        recipient.is_none_or(|wanted| wanted.includes(view, &recipients))
            && (self.search.is_empty() || self.search.finds(&state.recipient_names.inquiry(view)))
    }
}

/// A page of what the caller sees and wants. Its cursor is that of the last inquiry on it, because a cursor says when an
/// inquiry expires; only if very many others were read in between, it is one of theirs.
async fn visible_page(
    state: &AppState,
    caller: &Caller,
    mut filter: InquiryFilter,
    wanted: &Wanted,
) -> Result<Page<InquiryView>, StoreError> {
    if caller.scope == Scope::Admin && wanted.is_everything() {
        return state.engine.inquiries(filter).await;
    }
    let limit = filter.limit;
    let mut shown = Vec::new();
    for _ in 0..PAGES_READ_MAX {
        let page = state.engine.inquiries(filter.clone()).await?;
        let count = page.items.len();
        let numbered = (1..).zip(page.items);
        let mut visible =
            numbered.filter(|(_, view)| state.sees(caller, view) && wanted.includes(state, view));
        let found: Vec<(usize, InquiryView)> = visible.by_ref().take(limit - shown.len()).collect();
        let is_more_here = visible.next().is_some();
        let last = found.last().map(|(number, _)| *number);
        shown.extend(found.into_iter().map(|(_, view)| view));
        if shown.len() == limit
            && (is_more_here || page.next.is_some())
            && let Some(last) = last
        {
            if last < count {
                filter.limit = last;
                filter.cursor = state.engine.inquiries(filter.clone()).await?.next;
            } else {
                filter.cursor = page.next;
            }
            return Ok(Page {
                items: shown,
                next: filter.cursor,
            });
        }
        filter.cursor = page.next;
        if filter.cursor.is_none() {
            break;
        }
        filter.limit = limits::PAGE_ITEMS_MAX;
    }
    Ok(Page {
        items: shown,
        next: filter.cursor,
    })
}

async fn read(
    state: AppState,
    caller: Caller,
    Id(id): Id<InquiryId>,
    Query(params): Query<ReadInquiryParams>,
) -> Result<Json<InquiryResponse>, Problem> {
    let view = find(&state, &caller, &id).await?;
    let view = match params.wait {
        // It may be handed on while the caller waits.
        Some(wait) if view.resolution.is_none() => {
            visible(&state, &caller, &id, wait_for(&state, &id, wait).await?)?
        }
        Some(_) | None => view,
    };
    let input = params.with_input.then(|| view.inquiry.to_input());
    Ok(Json(InquiryResponse {
        input: input.flatten(),
        ..state.inquiry(&caller, &view).await?
    }))
}

/// The inquiry with its outcome, or as it is when the time is up.
async fn wait_for(
    state: &AppState,
    id: &InquiryId,
    wait: HumanDuration,
) -> Result<InquiryView, Problem> {
    let longest = std::time::Duration::from_secs(limits::WAIT_SECONDS_MAX.unsigned_abs());
    let waiting = state.engine.wait_for(id, wait.std_duration().min(longest));
    let view = tokio::select! {
        view = waiting => view?,
        // A server that shuts down returns the inquiry as it is. The client asks again elsewhere.
        () = state.control.stopping() => state.engine.inquiry(id).await?,
    };
    view.ok_or_else(|| no_inquiry(id))
}

/// An inquiry that the caller sees.
pub(super) async fn find(
    state: &AppState,
    caller: &Caller,
    id: &InquiryId,
) -> Result<InquiryView, Problem> {
    let view = state.engine.inquiry(id).await?;
    visible(state, caller, id, view.ok_or_else(|| no_inquiry(id))?)
}

/// Like [`find`]. Refuses an inquiry that has ended.
pub(super) async fn find_pending(
    state: &AppState,
    caller: &Caller,
    id: &InquiryId,
) -> Result<InquiryView, Problem> {
    let view = find(state, caller, id).await?;
    if view.resolution.is_some() {
        let ended = SubmitError::Rejected(Rejection::NotPending);
        return Err(conflict(state, caller, ended, Some(id)).await);
    }
    Ok(view)
}

/// Like [`find`], for a command on the inquiry.
async fn find_to_change(
    state: &AppState,
    caller: &Caller,
    id: &InquiryId,
) -> Result<InquiryView, Problem> {
    let view = state.engine.inquiry_to_change(id).await?;
    visible(state, caller, id, view.ok_or_else(|| no_inquiry(id))?)
}

/// What the caller does not see does not exist for them.
fn visible(
    state: &AppState,
    caller: &Caller,
    id: &InquiryId,
    view: InquiryView,
) -> Result<InquiryView, Problem> {
    if state.sees(caller, &view) {
        Ok(view)
    } else {
        Err(no_inquiry(id))
    }
}

fn no_inquiry(id: &InquiryId) -> Problem {
    problem(ProblemCode::NotFound).detail(format!("No question has the id {id}."))
}

/// An inquiry that existed a moment ago: if it is gone, its conversation was deleted.
async fn find_or_closed(state: &AppState, id: &InquiryId) -> Result<InquiryView, Problem> {
    let view = state.engine.inquiry(id).await?;
    view.ok_or_else(|| SubmitError::Rejected(Rejection::Closed).into())
}

#[cfg(test)]
#[path = "inquiries_tests.rs"]
mod tests;
