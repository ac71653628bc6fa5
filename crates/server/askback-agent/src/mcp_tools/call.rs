//! One call of a tool: with the questions that its server asks meanwhile, or before it goes on.
//!
//! A server of a newer protocol returns its questions, and the call is repeated with the replies and
//! with what the server wants back. All of that is in the [`Continuation`], which is stored with the
//! question, so another process can go on with it.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use askback_core::conversation::event::CallResult;
use askback_core::elicitation::ElicitationRequest;
use askback_core::limits;
use askback_engine::ports::{ResumedTool, ToolReturn, ToolRun};
use rmcp::model::{
    CallToolRequest, CallToolRequestParams, CallToolResponse, CancelledNotificationParam,
    ClientRequest, CustomResult, InputRequest, InputRequiredResult, RequestId, ServerResult,
};
use rmcp::service::{Peer, PeerRequestOptions};
use rmcp::{RoleClient, ServiceError};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::connection::Connection;
use super::elicitation::{self, ActiveCall, user_notes};
use super::http_client::RESPONSE_BYTES_MAX;
use super::{CALL_TIMEOUT, to_call_result};

/// Most bytes of a continuation. The conversation stores it.
const CONTINUATION_BYTES_MAX: usize = 256 << 10;

/// The pause before a call is repeated that its server has only put off.
const PUT_OFF_DELAY: Duration = Duration::from_secs(1);

/// What a call goes on with that a server has answered with questions.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Continuation {
    /// How often the server has answered so.
    rounds: usize,
    /// What the server wants back.
    request_state: Option<String>,
    /// What is still to be asked, by the server's key. The first is being asked.
    open: VecDeque<(String, ElicitationRequest)>,
    /// The replies so far, by the server's key.
    replies: BTreeMap<String, Value>,
    /// What the user wrote beside the answers.
    notes: Vec<String>,
}

pub(super) async fn run_tool(server: &Connection, tool: String, call: ToolRun) -> ToolReturn {
    let mut continuation = Continuation::default();
    if let Some(resumed) = call.resumed.clone() {
        match continuation_after(server.name(), resumed) {
            Ok(next) => continuation = next,
            Err(returned) => return returned,
        }
        server.reconnected().await;
    }
    let arguments = match &call.input {
        Value::Object(arguments) => arguments.clone(),
        Value::Null => Map::new(),
        Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            return CallResult::error("The input must be a JSON object.".to_owned()).into();
        }
    };
    loop {
        let mut params = CallToolRequestParams::new(tool.clone()).with_arguments(arguments.clone());
        params.request_state = continuation.request_state.take();
        let replies = std::mem::take(&mut continuation.replies);
        params.input_responses = (!replies.is_empty()).then_some(replies);
        let active = server.calls().register(call.user.clone());
        let response = call_once(server, params, &active.call).await;
        continuation.notes.extend(active.call.take_notes());
        drop(active);
        match response {
            Ok(CallToolResponse::Complete(result)) => {
                let mut result = to_call_result(&result);
                for note in &continuation.notes {
                    result.content.push_str("\nThe user noted: ");
                    result.content.push_str(note);
                }
                return result.into();
            }
            Ok(CallToolResponse::InputRequired(required)) => {
                if let Err(reason) = continuation.require(server.name(), required) {
                    return CallResult::error(reason).into();
                }
            }
            Ok(_) => {
                let name = server.name();
                let reason = format!("The MCP server \"{name}\" sent an unknown kind of result.");
                return CallResult::error(reason).into();
            }
            Err(result) => return result.into(),
        }
        if continuation.open.is_empty() {
            tokio::time::sleep(PUT_OFF_DELAY).await;
        } else {
            return continuation.ask(server.name(), None);
        }
    }
}

/// Takes the outcome of the question that was asked. Returns what to ask next, if there is more.
fn continuation_after(server: &str, resumed: ResumedTool) -> Result<Continuation, ToolReturn> {
    let lost = || {
        let reason = format!(
            "The user replied to the MCP server \"{server}\", but the call could not go on with it."
        );
        ToolReturn::from(CallResult::error(reason))
    };
    let mut continuation: Continuation =
        serde_json::from_value(resumed.state).map_err(|_| lost())?;
    let (key, asked) = continuation.open.pop_front().ok_or_else(lost)?;
    if let Ok(inquiry) = asked.inquiry(server, None) {
        let notes = user_notes(&inquiry, &resumed.outcome);
        continuation.notes.extend(notes);
    }
    match asked.reply(&resumed.outcome) {
        Ok(reply) => {
            continuation.replies.insert(key, reply.to_json());
        }
        Err(problem) => {
            continuation.open.push_front((key, asked));
            return Err(continuation.ask(server, Some(&problem)));
        }
    }
    if continuation.open.is_empty() {
        Ok(continuation)
    } else {
        Err(continuation.ask(server, None))
    }
}

impl Continuation {
    /// Takes what a server wants to know. Fails with a text for the model.
    fn require(&mut self, server: &str, required: InputRequiredResult) -> Result<(), String> {
        self.rounds += 1;
        if self.rounds > limits::TOOL_QUESTIONS_MAX {
            let max = limits::TOOL_QUESTIONS_MAX;
            return Err(format!(
                "The MCP server \"{server}\" asked for more input {max} times, so the call was given up."
            ));
        }
        self.request_state = required.request_state;
        for (key, request) in required.input_requests.unwrap_or_default() {
            let elicitation = if let InputRequest::Elicitation(request) = &request {
                elicitation::from_params(&request.params)
            } else {
                Err("it wants something other than an answer of the user".to_owned())
            };
            self.open
                .push_back((key, elicitation.map_err(|reason| refused(server, &reason))?));
        }
        Ok(())
    }

    /// Asks the first open question.
    fn ask(&self, server: &str, problem: Option<&str>) -> ToolReturn {
        let asked = self
            .open
            .front()
            .ok_or_else(|| "it asks nothing".to_owned());
        let inquiry = asked.and_then(|(_, elicitation)| elicitation.inquiry(server, problem));
        let state = serde_json::to_value(self).unwrap_or_default();
        match inquiry {
            Ok(_) if state.to_string().len() > CONTINUATION_BYTES_MAX => {
                CallResult::error(refused(server, "it is too large")).into()
            }
            Ok(inquiry) => ToolReturn::Asks { inquiry, state },
            Err(reason) => CallResult::error(refused(server, &reason)).into(),
        }
    }
}

fn refused(server: &str, reason: &str) -> String {
    format!(
        "The MCP server \"{server}\" asked a question that cannot be shown to the user ({reason}), so \
         the call was given up."
    )
}

/// Sends the call. The time that the user takes to answer does not count.
async fn call_once(
    server: &Connection,
    params: CallToolRequestParams,
    active: &ActiveCall,
) -> Result<CallToolResponse, CallResult> {
    let name = server.name();
    let peer = server.peer().map_err(|reason| {
        CallResult::error(format!(
            "The MCP server \"{name}\" is not connected ({reason}), so nothing was done. Try again \
             later, or go on without it."
        ))
    })?;
    let mut open_questions = active.open_questions();
    let response = send(&peer, params);
    tokio::pin!(response);
    let response = loop {
        let waits_for_user = *open_questions.borrow_and_update() > 0;
        tokio::select! {
            biased;
            response = &mut response => break response,
            Ok(()) = open_questions.changed() => {}
            () = tokio::time::sleep(CALL_TIMEOUT), if !waits_for_user => {
                return Err(CallResult::error(format!(
                    "The MCP server \"{name}\" did not respond within {} minutes. The call may or may \
                     not have been carried out.",
                    CALL_TIMEOUT.as_secs() / 60
                )));
            }
        }
    };
    response.map_err(|error| {
        if let ServiceError::McpError(error) = &error {
            return CallResult::error(error.message.to_string());
        }
        if server.sent_too_much() {
            return CallResult::error(format!(
                "The MCP server \"{name}\" responded with more than {RESPONSE_BYTES_MAX} bytes, so the \
                 connection to it was closed. The call may or may not have been carried out. Ask for \
                 less at a time."
            ));
        }
        CallResult::error(format!(
            "The connection to the MCP server \"{name}\" failed ({error}). The call may or may not \
             have been carried out."
        ))
    })
}

/// Sends the call, and a cancellation if the future is dropped.
async fn send(
    peer: &Peer<RoleClient>,
    params: CallToolRequestParams,
) -> Result<CallToolResponse, ServiceError> {
    let request = ClientRequest::CallToolRequest(CallToolRequest::new(params));
    let handle = peer
        .send_request_with_option(request, PeerRequestOptions::no_options())
        .await?;
    let mut sent = SentRequest {
        peer: peer.clone(),
        id: Some(handle.id.clone()),
    };
    let response = handle.await_response().await;
    sent.id = None;
    let response = response?;
    if let ServerResult::CallToolResult(result) = response {
        Ok(CallToolResponse::Complete(result))
    } else if let ServerResult::InputRequiredResult(result) = response {
        Ok(CallToolResponse::InputRequired(result))
    } else if let ServerResult::CustomResult(CustomResult(result)) = response {
        with_elicitation_ids(result).map(CallToolResponse::InputRequired)
    } else {
        Err(ServiceError::UnexpectedResponse)
    }
}

/// Questions about a URL have no id in the newer protocol, but `rmcp` does not parse them without.
fn with_elicitation_ids(mut result: Value) -> Result<InputRequiredResult, ServiceError> {
    if let Some(Value::Object(requests)) = result.get_mut("inputRequests") {
        for request in requests.values_mut() {
            if let Some(Value::Object(params)) = request.get_mut("params") {
                params.entry("elicitationId").or_insert_with(|| "".into());
            }
        }
    }
    serde_json::from_value(result).map_err(|_| ServiceError::UnexpectedResponse)
}

/// A request that is cancelled if nobody waits for its response any more.
struct SentRequest {
    peer: Peer<RoleClient>,
    id: Option<RequestId>,
}

impl Drop for SentRequest {
    fn drop(&mut self) {
        let (Some(id), Ok(runtime)) = (self.id.take(), tokio::runtime::Handle::try_current())
        else {
            return;
        };
        let peer = self.peer.clone();
        runtime.spawn(async move {
            let params = CancelledNotificationParam::new(Some(id), None);
            if let Err(error) = peer.notify_cancelled(params).await {
                tracing::debug!(%error, "cannot cancel the call of an MCP tool");
            }
        });
    }
}
