//! Executes tool calls: asks or finds a question, waits for its outcome, and returns its state.

use parking_lot::Mutex;
use std::time::Duration;

use askback_client::{Client, ClientError};
use askback_core::dialect::Dialect;
use askback_core::id::InquiryId;
use askback_wire::inquiry::{InquiryResponse, NewInquiryParams};
use askback_wire::respond::WithdrawParams;
use jiff::Timestamp;
use rmcp::RoleServer;
use rmcp::model::{JsonObject, ProgressToken};
use rmcp::service::Peer;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::call::ask_limit::AskLimit;
use crate::call::poll::{PendingCounts, poll_until_resolved};
use crate::call::retry::retry_while_unreachable;
use crate::call::tool_result::{PENDING_RESULTS_MAX, ToolResult};
use crate::delivery::in_flight::{InFlightGuard, InFlightQuestions};
use crate::delivery::unread_answers::{WaitingCalls, drop_repeated};
use crate::dialogs::elicitation::DialogMemory;
use crate::dialogs::push::Dialogs;
use crate::known_clients::KnownClient;
use crate::options::McpOptions;
use crate::session::asker::Asker;
use crate::session::attachment::Attachments;
use crate::session::takeover::Predecessors;
use crate::session::{SessionScope, Sessions};
use crate::texts::{
    ASK_USER_LIMIT, ASSUMPTION_MISSING, NO_OPEN_QUESTION, NO_SESSION, SERVER_STOPPING,
};
use crate::tools::{
    ASSUMPTION, BACKGROUND, LIST_QUESTIONS, QUESTION_ID, WAIT_FOR_ANSWER, WITHDRAW_QUESTION,
};

/// Executes the calls of one MCP server.
pub(crate) struct ToolExecutor {
    pub(crate) client: Client,
    pub(crate) dialogs: DialogMemory,
    pub(crate) options: McpOptions,
    pub(crate) sessions: Sessions,
    pub(crate) in_flight: InFlightQuestions,
    pub(crate) predecessors: Predecessors,
    pub(crate) waiting_calls: WaitingCalls,
    pub(crate) attachments: Attachments,
    ask_limit: AskLimit,
    pending_counts: PendingCounts,
}

/// Who makes a call, and how long the call may wait.
pub(crate) struct Caller {
    pub(crate) asker: Asker,
    /// The alias of the person or group whom it asks.
    pub(crate) recipient: Option<String>,
    pub(crate) client: &'static KnownClient,
    /// `None` waits without an end.
    pub(crate) wait_limit: Option<Duration>,
    pub(crate) progress: Option<(Peer<RoleServer>, ProgressToken)>,
    /// The question that the call waits for.
    pub(crate) waiting_for: Mutex<Option<InquiryResponse>>,
    /// The dialogs of the client, if it has some that may be used.
    pub(crate) dialogs: Option<Dialogs>,
    /// The questions whose outcomes were sent lately, newest first. Only for `list_questions`.
    pub(crate) recently_delivered: Vec<InquiryId>,
    /// The questions whose outcomes were sent since the last call, if the client may not have read them.
    pub(crate) unread: Vec<InquiryId>,
}

/// The result of a call, and the questions whose outcomes it contains.
pub(crate) struct CallOutput {
    pub(crate) result: ToolResult,
    pub(crate) delivers: Vec<InFlightGuard>,
}

fn pending(inquiry: &InquiryResponse, count: u32, caller: &Caller) -> ToolResult {
    ToolResult::pending(inquiry, count, caller.asker.scope)
}

impl CallOutput {
    pub(crate) fn without_outcome(result: ToolResult) -> CallOutput {
        CallOutput {
            result,
            delivers: Vec::new(),
        }
    }

    /// The outcome of a question. It is claimed before it is sent.
    fn delivering(result: ToolResult, question: InFlightGuard) -> CallOutput {
        CallOutput {
            result,
            delivers: vec![question],
        }
    }
}

pub(crate) enum Tool {
    Ask(Dialect),
    Wait,
    List,
    Withdraw,
}

impl Tool {
    /// `None` if the model does not see a tool with this name.
    pub(crate) fn from_name(name: &str, dialects: &[Dialect]) -> Option<Tool> {
        match name {
            WAIT_FOR_ANSWER => Some(Tool::Wait),
            LIST_QUESTIONS => Some(Tool::List),
            WITHDRAW_QUESTION => Some(Tool::Withdraw),
            name => crate::tools::ask_tool(dialects, name).map(Tool::Ask),
        }
    }
}

impl ToolExecutor {
    pub(crate) fn new(client: Client, options: McpOptions, sessions: Sessions) -> ToolExecutor {
        let in_flight = InFlightQuestions::default();
        ToolExecutor {
            attachments: Attachments::new(client.clone(), in_flight.clone()),
            client,
            dialogs: DialogMemory::default(),
            options,
            sessions,
            in_flight,
            predecessors: Predecessors::default(),
            waiting_calls: WaitingCalls::default(),
            ask_limit: AskLimit::default(),
            pending_counts: PendingCounts::default(),
        }
    }

    /// The client that acts for an agent, with no more rights than it has.
    pub(crate) fn client_of(&self, asker: &Asker) -> Client {
        self.client.clone().for_agent(&asker.client)
    }

    /// Executes a call. An error of the askback server becomes an error result.
    pub(crate) async fn execute(
        &self,
        tool: &Tool,
        arguments: JsonObject,
        caller: &Caller,
    ) -> CallOutput {
        let mut unread = self.read_delivered(&caller.asker, &caller.unread).await;
        drop_repeated(&mut unread, tool, &arguments);
        let output = match self.take_over(&caller.asker).await {
            Ok(()) => Box::pin(self.call_tool(tool, arguments, caller)).await,
            Err(error) => Err(error),
        };
        let mut output =
            output.unwrap_or_else(|error| CallOutput::without_outcome(error_result(&error)));
        if caller.asker.scope != SessionScope::Agent {
            return output;
        }
        match self.claim_late_answers(&caller.asker).await {
            Ok((mut late, guards)) => {
                late.extend(unread);
                output.result.add_late_answers(&late, Timestamp::now());
                output.delivers.extend(guards);
            }
            // The next call delivers them.
            Err(error) => tracing::debug!(%error, "cannot read late answers"),
        }
        output
    }

    async fn call_tool(
        &self,
        tool: &Tool,
        arguments: JsonObject,
        caller: &Caller,
    ) -> Result<CallOutput, ClientError> {
        match tool {
            Tool::Ask(dialect) => Box::pin(self.ask(*dialect, arguments, caller)).await,
            Tool::Wait => Box::pin(self.wait_for_answer(&arguments, caller)).await,
            Tool::List => self.list_questions(caller).await,
            Tool::Withdraw => self.withdraw_question(&arguments, caller).await,
        }
    }

    /// The result of a call whose client is gone.
    pub(crate) async fn give_up(&self, caller: &Caller) -> CallOutput {
        let waited_for = caller.waiting_for.lock().clone();
        if let Some(inquiry) = waited_for {
            self.attachments.detach(&inquiry.id).await;
        }
        ToolExecutor::interrupted(caller)
    }

    /// The result of a call that must not wait any longer, because the server stops.
    pub(crate) fn interrupted(caller: &Caller) -> CallOutput {
        let waiting_for = caller.waiting_for.lock().take();
        CallOutput::without_outcome(match waiting_for {
            Some(inquiry) => pending(&inquiry, 0, caller),
            None => ToolResult::error("unreachable", SERVER_STOPPING),
        })
    }

    async fn ask(
        &self,
        dialect: Dialect,
        mut arguments: JsonObject,
        caller: &Caller,
    ) -> Result<CallOutput, ClientError> {
        let background = arguments.remove(BACKGROUND);
        let background =
            background.is_some_and(|value| value == json!(true) || value == json!("true"));
        let given = arguments.remove(ASSUMPTION);
        let text = given.as_ref().and_then(Value::as_str).map(str::trim);
        let assumption = text.filter(|text| background && !text.is_empty());
        if background && assumption.is_none() {
            let error = ToolResult::error("invalid_input", ASSUMPTION_MISSING);
            return Ok(CallOutput::without_outcome(error));
        }
        let params = NewInquiryParams {
            dialect: Some(dialect.name().to_owned()),
            input: Value::Object(arguments),
            source: Some(caller.asker.source()),
            assumption: assumption.map(str::to_owned),
            asker: Some(caller.asker.to_params()),
            recipient: caller.recipient.clone(),
            ..NewInquiryParams::default()
        };
        if self.ask_limit.is_reached(dialect, &caller.asker) {
            let error = ToolResult::error("limit_reached", ASK_USER_LIMIT);
            return Ok(CallOutput::without_outcome(error));
        }
        let (asked, earlier) = self.ask_or_attach(params, caller).await?;
        self.ask_limit.count(dialect, &caller.asker, &asked.id);
        tracing::info!(id = %asked.id, client = caller.asker.client.as_str(), "asked");
        if background && !asked.status.is_resolved() {
            return Ok(CallOutput::without_outcome(
                ToolResult::asked_in_background(&asked, caller.asker.scope),
            ));
        }
        let mut output = Box::pin(self.wait_for_outcome(asked, caller)).await?;
        let now = Timestamp::now();
        output.result.add_late_answers(&earlier, now);
        Ok(output)
    }

    /// Asks, or returns the question of the same call. Where sessions are not known, an outcome may be another
    /// agent's: then the user is asked anew, and it is returned beside.
    async fn ask_or_attach(
        &self,
        mut params: NewInquiryParams,
        caller: &Caller,
    ) -> Result<(InquiryResponse, Vec<InquiryResponse>), ClientError> {
        let client = self.client_of(&caller.asker);
        let mut earlier = Vec::new();
        loop {
            params.key = Some(format!("mcp-{}", Uuid::now_v7().simple()));
            let mut asked = retry_while_unreachable(|| client.ask(&params)).await?;
            if caller.asker.scope == SessionScope::Agent || !asked.status.is_resolved() {
                return Ok((asked, earlier));
            }
            // A call does not get an outcome whose delivery was started.
            let claim = || client.claim_delivery(&asked.id, 0);
            if retry_while_unreachable(claim).await? {
                if let Some(asker) = &mut asked.asker {
                    asker.taken_over = true;
                }
                earlier.push(asked);
            }
        }
    }

    async fn wait_for_answer(
        &self,
        arguments: &JsonObject,
        caller: &Caller,
    ) -> Result<CallOutput, ClientError> {
        match self.find_question(arguments, caller).await? {
            Ok(inquiry) => Box::pin(self.wait_for_outcome(inquiry, caller)).await,
            Err(error) => Ok(CallOutput::without_outcome(error)),
        }
    }

    async fn withdraw_question(
        &self,
        arguments: &JsonObject,
        caller: &Caller,
    ) -> Result<CallOutput, ClientError> {
        let inquiry = match self.find_question(arguments, caller).await? {
            Ok(inquiry) => inquiry,
            Err(error) => return Ok(CallOutput::without_outcome(error)),
        };
        let guard = self.in_flight.track(&inquiry.id);
        let params = WithdrawParams {
            key: Some(format!("mcp-{}", Uuid::now_v7().simple())),
            ..WithdrawParams::default()
        };
        let client = self.client_of(&caller.asker);
        let withdrawn =
            retry_while_unreachable(|| client.withdraw_inquiry(&inquiry.id, &params)).await;
        let mut result = match withdrawn {
            Ok(inquiry) => self.outcome(&inquiry),
            // It was answered first. The agent gets that outcome.
            Err(error) if error.problem().is_some_and(|problem| problem.status == 409) => {
                let now = self.read(&caller.asker, &inquiry.id).await?;
                if !now.status.is_resolved() {
                    return Err(error);
                }
                self.outcome(&now)
            }
            Err(error) => return Err(error),
        };
        if result.fields.get("status") == Some(&json!("withdrawn")) {
            result.is_error = false;
        }
        Ok(CallOutput::delivering(result, guard))
    }

    /// The question that the arguments name. Without an id, the agent's only open question.
    async fn find_question(
        &self,
        arguments: &JsonObject,
        caller: &Caller,
    ) -> Result<Result<InquiryResponse, ToolResult>, ClientError> {
        let named = arguments.get(QUESTION_ID).and_then(Value::as_str);
        if let Some(id) = named.map(str::trim).filter(|id| !id.is_empty()) {
            return match self.read(&caller.asker, &InquiryId::new(id)).await {
                Ok(inquiry) if caller.asker.owns(&inquiry) => Ok(Ok(inquiry)),
                Ok(inquiry) if inquiry.asker.is_some() => Ok(Err(not_the_asker(id))),
                Err(error) if !is_not_found(&error) => Err(error),
                // Questions without an asker were not asked by an agent.
                Ok(_) | Err(_) => {
                    let message = format!(
                        "No question has the id {id}. Call {LIST_QUESTIONS} for your open questions."
                    );
                    Ok(Err(ToolResult::error("not_found", &message)))
                }
            };
        }
        if caller.asker.scope != SessionScope::Agent {
            return Ok(Err(ToolResult::error("ambiguous", NO_SESSION)));
        }
        let mut open = self.open_questions(&caller.asker).await?;
        Ok(match (open.pop(), open.is_empty()) {
            (Some(only), true) => Ok(only),
            (None, _) => Err(ToolResult::error("not_found", NO_OPEN_QUESTION)),
            (Some(_), false) => Err(ToolResult::error(
                "ambiguous",
                &format!(
                    "You have several open questions. Pass the {QUESTION_ID} of one. \
                     {LIST_QUESTIONS} lists them."
                ),
            )),
        })
    }

    pub(crate) async fn read(
        &self,
        asker: &Asker,
        id: &InquiryId,
    ) -> Result<InquiryResponse, ClientError> {
        let client = self.client_of(asker);
        retry_while_unreachable(|| client.inquiry(id)).await
    }

    /// Waits until the question has an outcome or the wait limit is reached.
    async fn wait_for_outcome(
        &self,
        inquiry: InquiryResponse,
        caller: &Caller,
    ) -> Result<CallOutput, ClientError> {
        if inquiry.status.is_resolved() {
            let guard = self.in_flight.track(&inquiry.id);
            let mut result = self.outcome(&inquiry);
            result.add_age(&inquiry, Timestamp::now());
            return Ok(CallOutput::delivering(result, guard));
        }
        let guard = self.in_flight.track(&inquiry.id);
        self.attachments.attach(&inquiry).await;
        *caller.waiting_for.lock() = Some(inquiry.clone());
        let client = self.client_of(&caller.asker);
        let polling = poll_until_resolved(&client, inquiry.clone(), caller);
        let inquiry = self.with_dialog(&inquiry, caller, polling).await?;
        if inquiry.status.is_resolved() {
            let result = self.outcome(&inquiry);
            return Ok(CallOutput::delivering(result, guard));
        }
        drop(guard);
        let pending_count = self.pending_counts.count(&inquiry.id);
        if pending_count >= PENDING_RESULTS_MAX {
            self.attachments.detach(&inquiry.id).await;
        }
        let result = pending(&inquiry, pending_count, caller);
        Ok(CallOutput::without_outcome(result))
    }

    /// The result of a question that has its outcome.
    pub(crate) fn outcome(&self, inquiry: &InquiryResponse) -> ToolResult {
        self.pending_counts.reset(&inquiry.id);
        let mut result = ToolResult::resolved(inquiry);
        if let Some(remark) = self.also_chosen(inquiry) {
            result.add_remark(&remark);
        }
        result
    }
}

/// An agent that knows the id of another agent's question must not take its answer.
fn not_the_asker(id: &str) -> ToolResult {
    let message = format!(
        "The question {id} is not yours: another agent asked it, or another running session of this \
         one. Only the agent that asked can wait for it or withdraw it. Call {LIST_QUESTIONS} for \
         your open questions."
    );
    ToolResult::error("not_the_asker", &message)
}

fn is_not_found(error: &ClientError) -> bool {
    error.problem().is_some_and(|problem| problem.status == 404)
}

/// The result of a call whose request to the askback server failed.
fn error_result(error: &ClientError) -> ToolResult {
    match error.problem() {
        Some(problem) if problem.code == "invalid_input" => {
            ToolResult::error("invalid_input", &problem.detail)
        }
        Some(problem) => ToolResult::error(
            &problem.code,
            &format!("{} {}", with_full_stop(&problem.title), problem.detail),
        ),
        None => ToolResult::error(
            "unreachable",
            &format!(
                "The askback server cannot be reached ({error}). The question may or may not have been \
                 asked. Make the same call again: it does not ask twice. If it fails again, tell the user \
                 to run `askback doctor`."
            ),
        ),
    }
}

fn with_full_stop(sentence: &str) -> String {
    if sentence.ends_with('.') {
        sentence.to_owned()
    } else {
        format!("{sentence}.")
    }
}
