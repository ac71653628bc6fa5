//! The calls about one question that every terminal screen makes.

use std::time::Duration;

use askback_client::{Client, ClientError};
use askback_core::id::InquiryId;
use askback_tui::prompt::{PromptEvent, PromptRequest};
use askback_tui::reply::InquiryReply;
use askback_wire::inquiry::{
    CommitAnswerParams, HandOnParams, InquiryResponse, KeepOpenParams, UndoParams,
};
use askback_wire::link::NewLinkParams;
use askback_wire::respond::{AnswerParams, DeclineParams, RejectParams};
use jiff::Timestamp;

use super::{UndoWindow, new_key, retry_while_unreachable};

/// How long a person waits for a reply to be sent while the server is unreachable.
pub(crate) const SEND_MAX: Duration = Duration::from_secs(30);

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum SendResult {
    /// The inquiry after the reply.
    Accepted(Box<InquiryResponse>),
    /// Somebody else was first; the inquiry says who and how.
    AlreadyResolved,
}

/// Sends a reply to a question as it was shown, however long the server is unreachable.
pub(crate) async fn send(
    client: &Client,
    asked: &InquiryResponse,
    reply: &InquiryReply,
    undo: UndoWindow,
) -> Result<SendResult, ClientError> {
    let id = &asked.id;
    let (revision, key) = (Some(asked.revision), Some(new_key()));
    let sent = match reply {
        InquiryReply::Answer(answers) => {
            let params = AnswerParams {
                answers: answers.to_json(),
                // The prompt has asked whether to leave questions open.
                partial: true,
                revision,
                key,
                undo_seconds: undo.0,
                ..AnswerParams::default()
            };
            retry_while_unreachable(|| client.answer(id, &params)).await
        }
        InquiryReply::Decline => {
            let params = DeclineParams {
                revision,
                key,
                undo_seconds: undo.0,
            };
            retry_while_unreachable(|| client.decline_inquiry(id, &params)).await
        }
        InquiryReply::Reject => {
            let params = RejectParams {
                revision,
                key,
                undo_seconds: undo.0,
            };
            retry_while_unreachable(|| client.reject_inquiry(id, &params)).await
        }
    };
    match sent {
        Ok(inquiry) => Ok(SendResult::Accepted(Box::new(inquiry))),
        Err(ClientError::Problem(problem)) if problem.winner.is_some() => {
            Ok(SendResult::AlreadyResolved)
        }
        Err(error) => Err(error),
    }
}

/// Stops the deadline, because somebody is at the prompt. A failure only leaves the deadline running.
pub(crate) async fn keep_open(client: &Client, id: &InquiryId) -> Option<InquiryResponse> {
    let kept = client.keep_open(id, &KeepOpenParams::default()).await;
    kept.inspect_err(|error| tracing::debug!(%error, "the deadline could not be stopped"))
        .ok()
}

/// Undoes a reply within its undo window.
pub(crate) async fn undo(client: &Client, id: &InquiryId) -> Result<InquiryResponse, ClientError> {
    let params = UndoParams {
        key: Some(new_key()),
        ..UndoParams::default()
    };
    retry_while_unreachable(|| client.undo(id, &params)).await
}

/// Lets a reply take effect before its undo window ends. A failure only leaves the window open.
pub(crate) async fn commit(client: &Client, id: &InquiryId, until: Option<Timestamp>) {
    let params = CommitAnswerParams { until };
    if let Err(error) = client.commit_answer(id, &params).await {
        tracing::debug!(%error, "the answer was not committed");
    }
}

/// Does what a prompt asks for.
pub(crate) async fn handle(client: &Client, id: &InquiryId, request: PromptRequest) -> PromptEvent {
    match request {
        PromptRequest::CreateLink => {
            let made = client.link(id, &NewLinkParams::default()).await;
            PromptEvent::Link(made.map_err(|error| error.to_string()))
        }
        PromptRequest::ListRecipients => {
            let listed = client.recipients().await.map(|listed| listed.items);
            PromptEvent::Recipients(listed.map_err(|error| error.to_string()))
        }
        PromptRequest::HandOn { recipient, reason } => {
            let params = HandOnParams {
                recipient,
                reason,
                revision: None,
            };
            let handed_on = client.hand_on(id, &params).await;
            let shown =
                handed_on.map(|after| after.shown_recipient().unwrap_or_default().to_owned());
            PromptEvent::HandedOn(shown.map_err(|error| error.to_string()))
        }
    }
}
