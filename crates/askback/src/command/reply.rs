//! The one way in which an answer or a refusal gets from this terminal to the server.

use askback_client::{Client, ClientError};
use askback_core::draft::Draft;
use askback_core::id::InquiryId;
use askback_tui::reply::{Reply, Target};
use askback_wire::inquiry::{KeepOpenParams, UndoParams};
use askback_wire::link::{LinkResponse, NewLinkParams};
use askback_wire::respond::{AnswerParams, DeclineParams, RejectParams};

use super::post::{insist, key, words};

/// Who was first to end a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum First {
    /// We were.
    We,
    /// Somebody else; the inquiry itself tells who and how.
    Others,
}

/// For how many seconds a reply can be taken back, if at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Undo(pub(crate) Option<u32>);

impl Undo {
    /// It takes effect at once.
    pub(crate) const NEVER: Undo = Undo(None);
}

/// Sends a reply until the server has taken or refused it.
pub(crate) async fn send(
    client: &Client,
    target: &Target,
    reply: &Reply,
    undo: Undo,
) -> Result<First, ClientError> {
    let id = &target.id;
    let (revision, idempotency_key) = (Some(target.revision), Some(key()));
    let sent = match reply {
        Reply::Answer(answers) => {
            let params = AnswerParams {
                answers: answers.to_json(),
                revision,
                idempotency_key,
                undo_seconds: undo.0,
                ..AnswerParams::default()
            };
            insist(|| client.answer(id, &params)).await.map(drop)
        }
        Reply::Decline => {
            let params = DeclineParams {
                inquiry_id: None,
                revision,
                idempotency_key,
                undo_seconds: undo.0,
            };
            insist(|| client.decline_inquiry(id, &params))
                .await
                .map(drop)
        }
        Reply::Reject => {
            let params = RejectParams {
                inquiry_id: Some(id.clone()),
                revision,
                idempotency_key,
                undo_seconds: undo.0,
            };
            let conversation = &target.conversation;
            insist(|| client.reject(conversation, &params))
                .await
                .map(drop)
        }
    };
    match sent {
        Ok(()) => Ok(First::We),
        Err(ClientError::Problem(problem)) if problem.winner.is_some() => Ok(First::Others),
        Err(error) => Err(error),
    }
}

/// Tells the server that somebody is there, so that the question does not close by itself.
pub(crate) async fn keep_open(client: &Client, id: &InquiryId) {
    if let Err(error) = client.keep_open(id, &KeepOpenParams::default()).await {
        tracing::debug!(%error, "the deadline could not be stopped");
    }
}

/// Takes back a reply that is held.
pub(crate) async fn take_back(client: &Client, id: &InquiryId) -> Result<(), ClientError> {
    let params = UndoParams {
        idempotency_key: Some(key()),
        ..UndoParams::default()
    };
    insist(|| client.undo(id, &params)).await.map(drop)
}

/// A link with which another device answers a question once, or in words why there is none.
pub(crate) async fn share(client: &Client, id: &InquiryId) -> Result<LinkResponse, String> {
    let made = client.link(id, &NewLinkParams::default()).await;
    made.map_err(|error| words(&error))
}

/// What was typed before to answer a question.
pub(crate) async fn draft(client: &Client, id: &InquiryId) -> Option<Draft> {
    let found = client.draft(id).await;
    found.ok().and_then(|found| found.draft)
}
