//! The questions of MCP servers: reads what a server sends, and asks the user for the call that it
//! belongs to.
//!
//! A server of an older protocol sends its question as a request of its own, which does not say which
//! call it belongs to. It is asked only if exactly one call is under way on the connection.

use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use askback_core::elicitation::{ElicitationReply, ElicitationRequest};
use askback_core::limits;
use askback_core::outcome::Outcome;
use askback_engine::ports::AskUser;
use reqwest::Url;
use rmcp::model::{
    ClientConfig, CustomRequest, CustomResult, ElicitRequestParams, ElicitResult,
    ElicitationAction, ErrorData, Implementation,
};
use rmcp::service::RequestContext;
use rmcp::{ClientHandler, RoleClient};
use serde_json::{Value, json};
use tokio::sync::watch;

const METHOD: &str = "elicitation/create";

/// The calls under way on one connection.
#[derive(Default)]
pub(super) struct ActiveCalls {
    calls: Mutex<HashMap<u64, Arc<ActiveCall>>>,
    next: AtomicU64,
}

/// A call that is under way.
pub(super) struct ActiveCall {
    user: Arc<dyn AskUser>,
    /// How many questions wait for an answer.
    open_questions: watch::Sender<usize>,
    asked: AtomicUsize,
    notes: Mutex<Vec<String>>,
}

/// Keeps a call among the active ones until it is dropped.
pub(super) struct CallRegistration<'a> {
    calls: &'a ActiveCalls,
    id: u64,
    pub(super) call: Arc<ActiveCall>,
}

impl ActiveCalls {
    pub(super) fn register(&self, user: Arc<dyn AskUser>) -> CallRegistration<'_> {
        let call = Arc::new(ActiveCall {
            user,
            open_questions: watch::Sender::new(0),
            asked: AtomicUsize::new(0),
            notes: Mutex::default(),
        });
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        self.calls.lock().insert(id, Arc::clone(&call));
        CallRegistration {
            calls: self,
            id,
            call,
        }
    }

    /// The call that a question must belong to, if no other can.
    fn only(&self) -> Option<Arc<ActiveCall>> {
        let calls = self.calls.lock();
        let mut calls = calls.values();
        let first = calls.next()?;
        calls.next().is_none().then(|| Arc::clone(first))
    }
}

impl Drop for CallRegistration<'_> {
    fn drop(&mut self) {
        self.calls.calls.lock().remove(&self.id);
    }
}

impl ActiveCall {
    /// Changes when a question is asked or has its outcome.
    pub(super) fn open_questions(&self) -> watch::Receiver<usize> {
        self.open_questions.subscribe()
    }

    /// What the user wrote beside the answers. A reply to a server has no place for it.
    pub(super) fn take_notes(&self) -> Vec<String> {
        let mut notes = self.notes.lock();
        std::mem::take(&mut *notes)
    }

    /// Asks until the answer is one that the server takes.
    async fn ask(
        &self,
        server: &str,
        elicitation: &ElicitationRequest,
    ) -> Result<ElicitationReply, ErrorData> {
        let mut problem: Option<String> = None;
        loop {
            if self.asked.fetch_add(1, Ordering::Relaxed) >= limits::TOOL_QUESTIONS_MAX {
                let max = limits::TOOL_QUESTIONS_MAX;
                let reason = format!("A call may ask at most {max} questions.");
                return Err(ErrorData::invalid_request(reason, None));
            }
            let inquiry = elicitation
                .inquiry(server, problem.as_deref())
                .map_err(|reason| ErrorData::invalid_params(reason, None))?;
            let open = OpenQuestion::new(&self.open_questions);
            let outcome = self.user.ask(inquiry.clone()).await;
            drop(open);
            let mut notes = self.notes.lock();
            notes.extend(user_notes(&inquiry, &outcome));
            drop(notes);
            match elicitation.reply(&outcome) {
                Ok(reply) => return Ok(reply),
                Err(reason) => problem = Some(reason),
            }
        }
    }
}

struct OpenQuestion<'a>(&'a watch::Sender<usize>);

impl<'a> OpenQuestion<'a> {
    fn new(open: &'a watch::Sender<usize>) -> OpenQuestion<'a> {
        open.send_modify(|open| *open += 1);
        OpenQuestion(open)
    }
}

impl Drop for OpenQuestion<'_> {
    fn drop(&mut self) {
        self.0.send_modify(|open| *open -= 1);
    }
}

/// What the user wrote beside their answers, for the model.
pub(super) fn user_notes(
    inquiry: &askback_core::inquiry::Inquiry,
    outcome: &Outcome,
) -> Vec<String> {
    let Outcome::Answered { answers } = outcome else {
        return Vec::new();
    };
    let noted = answers
        .with_questions(inquiry)
        .filter_map(|(question, answer)| {
            let note = answer.note.as_ref()?;
            Some(format!("{}: {note}", question.text))
        });
    noted.collect()
}

/// Handles what a server sends by itself.
pub(super) struct ServerRequests {
    pub(super) server: String,
    pub(super) calls: Arc<ActiveCalls>,
}

impl ServerRequests {
    async fn elicit(
        &self,
        elicitation: &ElicitationRequest,
        context: &RequestContext<RoleClient>,
    ) -> Result<ElicitationReply, ErrorData> {
        let Some(call) = self.calls.only() else {
            let reason = "askback cannot tell which tool call this question belongs to: it asks the \
                          user only while exactly one call is under way.";
            return Err(ErrorData::invalid_request(reason, None));
        };
        tokio::select! {
            biased;
            // The server does not wait any more. Dropping the question withdraws it.
            () = context.ct.cancelled() => Ok(ElicitationReply::Cancel),
            reply = call.ask(&self.server, elicitation) => reply,
        }
    }
}

impl ClientHandler for ServerRequests {
    fn get_info(&self) -> ClientConfig {
        let capabilities = json!({"elicitation": {"form": {}, "url": {}}});
        let capabilities = serde_json::from_value(capabilities).unwrap_or_default();
        let this = Implementation::new("askback", env!("CARGO_PKG_VERSION"));
        ClientConfig::new(capabilities, this)
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        context: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let elicitation = from_params(&request).map_err(refusal)?;
        let reply = self.elicit(&elicitation, &context).await?;
        Ok(match reply {
            ElicitationReply::Accept(answers) => {
                let result = ElicitResult::new(ElicitationAction::Accept);
                match answers {
                    Some(answers) => result.with_content(answers),
                    None => result,
                }
            }
            ElicitationReply::Decline => ElicitResult::new(ElicitationAction::Decline),
            ElicitationReply::Cancel => ElicitResult::new(ElicitationAction::Cancel),
        })
    }

    /// Gets the elicitations that `rmcp` does not parse, such as one for a URL without an id.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: RequestContext<RoleClient>,
    ) -> Result<CustomResult, ErrorData> {
        if request.method != METHOD {
            return Err(ErrorData::new(
                rmcp::model::ErrorCode::METHOD_NOT_FOUND,
                request.method,
                None,
            ));
        }
        let params = request.params.unwrap_or_default();
        let elicitation = from_json(&params).map_err(refusal)?;
        let reply = self.elicit(&elicitation, &context).await?;
        Ok(CustomResult::new(reply.to_json()))
    }
}

fn refusal(reason: String) -> ErrorData {
    ErrorData::invalid_params(reason, None)
}

/// An elicitation as `rmcp` has parsed it. Unlike its JSON it knows the order of the properties.
pub(super) fn from_params(params: &ElicitRequestParams) -> Result<ElicitationRequest, String> {
    let json = serde_json::to_value(params).map_err(|error| error.to_string())?;
    let mut elicitation = from_json(&json)?;
    if let ElicitRequestParams::FormElicitationParams {
        requested_schema, ..
    } = params
        && let ElicitationRequest::Form { order, .. } = &mut elicitation
        && let Some(known) = &requested_schema.property_order
    {
        order.clone_from(known);
    }
    Ok(elicitation)
}

/// An elicitation from the params of its request. Fails if it cannot be shown to a person.
pub(super) fn from_json(params: &Value) -> Result<ElicitationRequest, String> {
    let text = |key: &str| params.get(key).and_then(Value::as_str).map(str::to_owned);
    let message = text("message").ok_or("`message` is missing")?;
    let elicitation = match params.get("mode").and_then(Value::as_str) {
        None | Some("form") => ElicitationRequest::Form {
            message,
            schema: params.get("requestedSchema").cloned().unwrap_or_default(),
            order: Vec::new(),
        },
        Some("url") => {
            let url = text("url").ok_or("`url` is missing")?;
            let url = Url::parse(&url).map_err(|_| "`url` is not an address")?;
            let has_user = !url.username().is_empty() || url.password().is_some();
            if !matches!(url.scheme(), "https" | "http") || has_user {
                return Err("`url` must be a web address without a user name".to_owned());
            }
            let host = url.host_str().ok_or("`url` has no host")?.to_owned();
            ElicitationRequest::Url {
                message,
                url: url.into(),
                host,
            }
        }
        Some(other) => return Err(format!("the mode `{other}` is not known")),
    };
    elicitation.inquiry("", None)?;
    Ok(elicitation)
}
