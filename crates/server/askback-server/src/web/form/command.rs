//! What the pressed button of a form does.

use askback_core::answer::{AnswerError, Answers};
use askback_core::conversation::command::{Command, RespondentAction, Target};
use askback_core::draft::Draft;
use askback_engine::{CommitOptions, SubmitError};
use askback_wire::limits;
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::Response;
use jiff::SignedDuration;

use super::link_access::Found;
use super::{FormContext, draft_fields, redirect};
use crate::authenticate::Access;
use crate::problem::Problem;
use crate::routes::AppState;
use crate::web::headers::with_origin;
use crate::web::{failure, html, language};

/// The command of the pressed button, or why the answers are invalid.
pub(super) async fn command(form: &FormContext<'_>) -> Result<Command, Vec<AnswerError>> {
    let id = form.view.row.id.clone();
    let target = match form.access {
        // Refused by the core if the question is handed on before the answer is committed.
        Access::Link(grant) if grant.person.is_some() => Target::Delivered {
            id,
            revision: form.fields.revision().unwrap_or(grant.revision),
            hand_ons: form.view.inquiry.hand_ons(),
        },
        Access::Link(_) | Access::Token | Access::None => Target::Inquiry {
            id,
            revision: form.fields.revision(),
        },
    };
    Ok(match form.fields.action() {
        "decline" => Command::Decline { target },
        "reject" => Command::Reject { target },
        // These two were confirmed; an answer was not.
        action => Command::AnswerWithUndo {
            target,
            reply: RespondentAction::Answer {
                answers: answers(form, action).await?.to_json(),
                notes: None,
            },
            window: SignedDuration::from_secs(limits::UNDO_SECONDS.into()),
        },
    })
}

async fn answers(form: &FormContext<'_>, action: &str) -> Result<Answers, Vec<AnswerError>> {
    let inquiry = form.view.inquiry.clone();
    let draft = if action == "skip" {
        let mut draft = Draft::new(&inquiry);
        let entries = draft.entries.iter_mut();
        entries.for_each(|entry| entry.skipped = true);
        draft
    } else {
        draft_fields::draft_from_fields(&inquiry, &form.fields)?
    };
    let typing = form.locale.typing(form.today);
    // Patterns of questions are matched here, which may take long.
    let check = tokio::task::spawn_blocking(move || draft.answers(&inquiry, &typing));
    check.await.unwrap_or_else(|_| Err(Vec::new()))
}

/// Undoes an answer that came through this form and has not taken effect. The form is shown again.
pub(super) async fn undo(
    state: &AppState,
    found: &Found,
    uri: &Uri,
    headers: &HeaderMap,
) -> Response {
    let too_late = || {
        let page = html::message_page(
            language::of(headers),
            StatusCode::CONFLICT,
            &["web-undo-late"],
        );
        with_origin(page)
    };
    if !found.holds_own_answer {
        return too_late();
    }
    let target = Target::Inquiry {
        id: found.view.row.id.clone(),
        revision: None,
    };
    let (conversation, command) = (&found.view.row.conversation, Command::UndoAnswer { target });
    let options = CommitOptions {
        seen: Some(found.seen.clone()),
        ..CommitOptions::default()
    };
    let submitted = state
        .engine
        .submit_with(conversation, command, found.actor(), options);
    match submitted.await {
        Ok(_) => redirect(uri, None),
        Err(SubmitError::Rejected(_)) => too_late(),
        Err(error) => failure(uri, headers, Problem::from(error)),
    }
}
