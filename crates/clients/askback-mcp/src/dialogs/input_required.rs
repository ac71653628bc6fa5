//! Dialogs in the 2026-07-28 era: a call returns that it needs input, the client shows the dialog, and calls
//! again with the reply and the sealed state that came with the request.
//!
//! The question is in the inbox before the call returns. The state only names it: the second call finds that
//! question, never asks another one, and returns the outcome that it has by then.

use std::time::Duration;

use askback_core::id::InquiryId;
use askback_wire::inquiry::InquiryResponse;
use rmcp::model::{
    ElicitResult, ErrorData, InputRequest, InputRequests, InputRequiredResult, InputResponses,
    RequestStateCodec, RequestStateError, SealOptions,
};
use serde::Deserialize as _;
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::call::executor::{CallOutput, Caller, Reply, ToolExecutor};
use crate::dialogs::elicitation::{AfterReply, DialogChannel, Dialogs, reply_key};

/// The name of the dialog in requests and replies.
const DIALOG: &str = "question";

/// How long a reply is taken. The question itself stays open.
const STATE_TTL: Duration = Duration::from_hours(7 * 24);

/// What a client sends when it calls again.
#[derive(Debug, Default)]
pub(crate) struct RepeatedCall {
    pub(crate) request_state: Option<String>,
    pub(crate) input_responses: Option<InputResponses>,
}

impl ToolExecutor {
    /// The result with which the client opens a dialog. `None` if it does not, or has done so already.
    pub(crate) async fn input_required(
        &self,
        inquiry: &InquiryResponse,
        caller: &Caller,
    ) -> Option<CallOutput> {
        let dialogs = caller.dialogs.as_ref()?;
        let was_opened = self.dialogs.question(&inquiry.id).opened.is_some();
        if was_opened || !self.may_open_dialog(inquiry, caller) {
            return None;
        }
        self.request_input(inquiry, (caller, dialogs), None).await
    }

    async fn request_input(
        &self,
        inquiry: &InquiryResponse,
        (caller, dialogs): (&Caller, &Dialogs),
        problem: Option<&str>,
    ) -> Option<CallOutput> {
        if !matches!(dialogs.channel, DialogChannel::Result) {
            return None;
        }
        let codec = self.state_codec()?;
        let request = self.dialog_request(inquiry, dialogs.modes, problem).await?;
        let state = json!({"question_id": inquiry.id, "reply_key": reply_key()});
        let binding = caller.state_binding();
        let options = SealOptions::new()
            .associated_data(binding.as_bytes())
            .ttl(STATE_TTL);
        let sealed = codec.seal_json_with(&state, &options).ok()?;
        let opened = Some(Instant::now());
        self.dialogs
            .update(&inquiry.id, |state| state.opened = opened);
        let requests =
            InputRequests::from([(DIALOG.to_owned(), InputRequest::Elicitation(request))]);
        let result = InputRequiredResult::new(Some(requests), Some(sealed));
        Some(CallOutput::new(Reply::InputRequired(result)))
    }

    /// Takes the reply of a dialog, and waits for the outcome as the first call would have done.
    pub(crate) async fn resume_call(
        &self,
        sealed: &str,
        responses: Option<InputResponses>,
        caller: &Caller,
    ) -> CallOutput {
        let (inquiry, key) = match self.open_state(sealed, caller).await {
            Ok(opened) => opened,
            Err(error) => return CallOutput::new(Reply::Refused(error)),
        };
        let reply = responses.and_then(|mut responses| responses.remove(DIALOG));
        let reply = reply.and_then(|reply| ElicitResult::deserialize(reply).ok());
        if let (Some(reply), true) = (&reply, inquiry.status.is_resolved()) {
            self.note_late_reply(&inquiry, reply);
        } else if let (Some(reply), Some(dialogs)) = (reply, &caller.dialogs) {
            let call = (caller, dialogs.modes);
            let after = self.apply_reply(&inquiry, call, reply, &key).await;
            if let AfterReply::Again(problem) = after
                && let Some(again) = self
                    .request_input(&inquiry, (caller, dialogs), Some(&problem))
                    .await
            {
                return again;
            }
        }
        self.hold(inquiry, caller).await
    }

    /// The question that a state names, and the key of the reply.
    async fn open_state(
        &self,
        sealed: &str,
        caller: &Caller,
    ) -> Result<(InquiryResponse, String), ErrorData> {
        let codec = self.state_codec().ok_or_else(invalid_state)?;
        let binding = caller.state_binding();
        let (id, key) = unseal(&codec, sealed, &binding)?;
        let inquiry = self.read(&caller.asker, &id).await;
        match inquiry {
            Ok(inquiry) if caller.asker.owns(&inquiry) => Ok((inquiry, key)),
            Ok(_) => Err(invalid_state()),
            Err(error) => {
                tracing::info!(%id, %error, "cannot read the question of a request state");
                Err(ErrorData::internal_error(
                    "The question of this requestState cannot be read. Call again with the same requestState.",
                    None,
                ))
            }
        }
    }

    fn state_codec(&self) -> Option<RequestStateCodec> {
        let directory = self.options.key_directory.as_deref()?;
        let key = self.dialogs.state_key(directory)?;
        RequestStateCodec::try_new(key.bytes()).ok()
    }
}

impl Caller {
    /// What a state is bound to, beside the question: the client, its project and the call. The session is
    /// checked with the question, because it may have ended and been followed by another one.
    fn state_binding(&self) -> String {
        let project = self.asker.project.as_deref().unwrap_or_default();
        format!("{}\0{project}\0{}", self.asker.client, self.call)
    }
}

/// The question that a state names, and the key of the reply.
fn unseal(
    codec: &RequestStateCodec,
    sealed: &str,
    binding: &str,
) -> Result<(InquiryId, String), ErrorData> {
    let state: Value = codec
        .open_json_with(sealed, binding.as_bytes())
        .map_err(|error| {
            if matches!(error, RequestStateError::Expired) {
                expired_state()
            } else {
                invalid_state()
            }
        })?;
    let text = |key: &str| state[key].as_str().map(str::to_owned);
    match (text("question_id"), text("reply_key")) {
        (Some(id), Some(key)) => Ok((InquiryId::new(id), key)),
        _ => Err(invalid_state()),
    }
}

fn invalid_state() -> ErrorData {
    let message = "The requestState is not valid for this call. It was changed, or belongs to another call or \
                   client. Nothing was answered. Make the call again without requestState and \
                   inputResponses: it finds the question that is open.";
    ErrorData::invalid_params(message, None)
}

fn expired_state() -> ErrorData {
    let message = "The requestState has expired. Nothing was answered, and the question is still open. Make the \
                   call again without requestState and inputResponses.";
    ErrorData::invalid_params(message, None)
}

#[cfg(test)]
#[path = "input_required_tests.rs"]
mod tests;
