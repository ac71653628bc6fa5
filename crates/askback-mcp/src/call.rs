//! One tool call: asks or finds a question, waits for its outcome, says how it stands.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use askback_client::{Client, ClientError};
use askback_core::dialect::Dialect;
use askback_core::id::InquiryId;
use askback_wire::duration::HumanDuration;
use askback_wire::inquiry::{InquiryResponse, NewInquiryParams};
use askback_wire::respond::WithdrawParams;
use rmcp::RoleServer;
use rmcp::model::{JsonObject, ProgressNotificationParam, ProgressToken};
use rmcp::service::Peer;
use serde_json::{Value, json};
use tokio::time::Instant;
use uuid::Uuid;

use crate::agent::Agent;
use crate::delivery::{Attended, Attending};
use crate::hold::Hold;
use crate::instructions::ASSUMPTION_MISSING;
use crate::options::Options;
use crate::presence::Presence;
use crate::result::{Reply, object, questions};
use crate::tools::{
    ASSUMPTION, BACKGROUND, LIST_QUESTIONS, QUESTION_ID, WAIT_FOR_ANSWER, WITHDRAW_QUESTION,
};

/// Longest time between two progress notifications, and of one long poll.
const STEP: Duration = Duration::from_secs(10);

/// How often a request is sent to a server that cannot be reached.
const ATTEMPTS: u32 = 20;

/// What all calls of a server share.
pub(crate) struct Session {
    pub(crate) client: Client,
    pub(crate) options: Options,
    pub(crate) presence: Presence,
    pub(crate) attended: Attended,
    /// How often in a row a question was said to be pending.
    waits: Mutex<HashMap<InquiryId, u32>>,
}

/// Who calls, and how long they can be kept waiting.
pub(crate) struct Caller {
    pub(crate) agent: Agent,
    pub(crate) hold: Hold,
    pub(crate) progress: Option<(Peer<RoleServer>, ProgressToken)>,
}

/// What a call returns, with the questions whose outcomes it holds.
pub(crate) struct CallOutcome {
    pub(crate) reply: Reply,
    pub(crate) delivers: Vec<Attending>,
}

impl CallOutcome {
    fn only(reply: Reply) -> CallOutcome {
        CallOutcome {
            reply,
            delivers: Vec::new(),
        }
    }
}

/// The tool that was called.
pub(crate) enum Tool {
    Ask(Dialect),
    Wait,
    List,
    Withdraw,
}

impl Tool {
    /// The tool of this name, if the model sees it.
    pub(crate) fn named(name: &str, dialects: &[Dialect]) -> Option<Tool> {
        match name {
            WAIT_FOR_ANSWER => Some(Tool::Wait),
            LIST_QUESTIONS => Some(Tool::List),
            WITHDRAW_QUESTION => Some(Tool::Withdraw),
            name => crate::tools::ask_tool(dialects, name).map(Tool::Ask),
        }
    }
}

impl Session {
    pub(crate) fn new(client: Client, options: Options, presence: Presence) -> Session {
        Session {
            client,
            options,
            presence,
            attended: Attended::default(),
            waits: Mutex::default(),
        }
    }

    /// Carries a call out. What the server refuses is a result, too.
    pub(crate) async fn call(
        &self,
        tool: &Tool,
        arguments: JsonObject,
        caller: &Caller,
    ) -> CallOutcome {
        let outcome = match tool {
            Tool::Ask(dialect) => self.ask(*dialect, arguments, caller).await,
            Tool::Wait => self.wait_for(&arguments, caller).await,
            Tool::List => self.list(caller).await,
            Tool::Withdraw => self.withdraw(&arguments, caller).await,
        };
        let mut outcome = outcome.unwrap_or_else(|error| CallOutcome::only(failed(&error)));
        match self.late_answers(&caller.agent).await {
            Ok(late) => {
                outcome.reply.add_late(&late);
                let attending = late.iter().map(|inquiry| self.attended.attend(&inquiry.id));
                outcome.delivers.extend(attending);
            }
            // They come with the next call.
            Err(error) => tracing::debug!(%error, "late answers cannot be read"),
        }
        outcome
    }

    async fn ask(
        &self,
        dialect: Dialect,
        mut arguments: JsonObject,
        caller: &Caller,
    ) -> Result<CallOutcome, ClientError> {
        let background = arguments.remove(BACKGROUND);
        let background = background.is_some_and(|it| it == json!(true) || it == json!("true"));
        let assumption = arguments.remove(ASSUMPTION);
        let assumption = assumption.as_ref().and_then(Value::as_str).map(str::trim);
        let assumption = assumption.filter(|it| background && !it.is_empty());
        if background && assumption.is_none() {
            let refused = Reply::refused("invalid_input", ASSUMPTION_MISSING);
            return Ok(CallOutcome::only(refused));
        }
        let earlier = self.earlier_sessions(&caller.agent).await?;
        let params = NewInquiryParams {
            dialect: Some(dialect.name().to_owned()),
            input: Value::Object(arguments),
            source: Some(caller.agent.source()),
            idempotency_key: Some(format!("mcp-{}", Uuid::now_v7().simple())),
            assumption: assumption.map(str::to_owned),
            asker: Some(caller.agent.asker(earlier)),
            ..NewInquiryParams::default()
        };
        let asked = self.retrying(|| self.client.ask(&params)).await?;
        tracing::info!(id = %asked.id, client = caller.agent.client, "asked");
        if background && !asked.status.is_resolved() {
            return Ok(CallOutcome::only(Reply::asked(&asked)));
        }
        self.outcome(asked, caller).await
    }

    async fn wait_for(
        &self,
        arguments: &JsonObject,
        caller: &Caller,
    ) -> Result<CallOutcome, ClientError> {
        match self.find(arguments, caller).await? {
            Ok(inquiry) => self.outcome(inquiry, caller).await,
            Err(refused) => Ok(CallOutcome::only(refused)),
        }
    }

    async fn list(&self, caller: &Caller) -> Result<CallOutcome, ClientError> {
        let open = self.open_questions(&caller.agent).await?;
        let listed: Vec<Value> = open.iter().map(listed).collect();
        Ok(CallOutcome::only(Reply::plain(object([
            ("status", json!("listed")),
            ("open_questions", json!(listed)),
        ]))))
    }

    async fn withdraw(
        &self,
        arguments: &JsonObject,
        caller: &Caller,
    ) -> Result<CallOutcome, ClientError> {
        let inquiry = match self.find(arguments, caller).await? {
            Ok(inquiry) => inquiry,
            Err(refused) => return Ok(CallOutcome::only(refused)),
        };
        let attending = self.attended.attend(&inquiry.id);
        let params = WithdrawParams {
            idempotency_key: Some(format!("mcp-{}", Uuid::now_v7().simple())),
            ..WithdrawParams::default()
        };
        let withdrawn = self
            .retrying(|| self.client.withdraw_inquiry(&inquiry.id, &params))
            .await;
        let mut reply = match withdrawn {
            Ok(inquiry) => Reply::resolved(&inquiry),
            // Somebody was faster: the outcome is what the agent gets.
            Err(error) if error.problem().is_some_and(|problem| problem.status == 409) => {
                let now = self.read(&inquiry.id).await?;
                if !now.status.is_resolved() {
                    return Err(error);
                }
                Reply::resolved(&now)
            }
            Err(error) => return Err(error),
        };
        if reply.fields.get("status") == Some(&json!("withdrawn")) {
            reply.is_error = false;
        }
        Ok(CallOutcome {
            reply,
            delivers: vec![attending],
        })
    }

    /// The question that the arguments name; without a name, the only one that is open.
    async fn find(
        &self,
        arguments: &JsonObject,
        caller: &Caller,
    ) -> Result<Result<InquiryResponse, Reply>, ClientError> {
        let named = arguments.get(QUESTION_ID).and_then(Value::as_str);
        if let Some(id) = named.map(str::trim).filter(|id| !id.is_empty()) {
            let found = self.read(&InquiryId::new(id)).await;
            return match found {
                // Ids cannot be guessed: who has one was told it. Questions of people are not agents'.
                Ok(inquiry) if inquiry.asker.is_some() => Ok(Ok(inquiry)),
                Err(error) if !is_not_found(&error) => Err(error),
                Ok(_) | Err(_) => {
                    let message = format!(
                        "No question has the id {id}. Call {LIST_QUESTIONS} for those that are open."
                    );
                    Ok(Err(Reply::refused("not_found", &message)))
                }
            };
        }
        let mut open = self.open_questions(&caller.agent).await?;
        Ok(match (open.pop(), open.is_empty()) {
            (Some(only), true) => Ok(only),
            (None, _) => Err(Reply::refused(
                "not_found",
                "None of your questions is open. Answers that came are delivered with this result.",
            )),
            (Some(_), false) => Err(Reply::refused(
                "ambiguous",
                &format!("Several questions are open: name one in {QUESTION_ID}."),
            )),
        })
    }

    async fn read(&self, id: &InquiryId) -> Result<InquiryResponse, ClientError> {
        self.retrying(|| self.client.inquiry(id)).await
    }

    /// Waits for the outcome for as long as the caller can be kept, and says how it stands.
    async fn outcome(
        &self,
        inquiry: InquiryResponse,
        caller: &Caller,
    ) -> Result<CallOutcome, ClientError> {
        let attending = self.attended.attend(&inquiry.id);
        let inquiry = self.wait(inquiry, caller).await?;
        if inquiry.status.is_resolved() {
            self.count_wait(&inquiry.id, None);
            return Ok(CallOutcome {
                reply: Reply::resolved(&inquiry),
                delivers: vec![attending],
            });
        }
        let waits = self.count_wait(&inquiry.id, Some(1));
        let page = format!("{}/", self.client.base_url());
        Ok(CallOutcome::only(Reply::pending(&inquiry, waits, &page)))
    }

    async fn wait(
        &self,
        mut inquiry: InquiryResponse,
        caller: &Caller,
    ) -> Result<InquiryResponse, ClientError> {
        let begun = Instant::now();
        let mut failures = 0;
        while !inquiry.status.is_resolved() {
            let waited = begun.elapsed();
            let left = caller
                .hold
                .window
                .map_or(STEP, |window| window.saturating_sub(waited));
            if left.is_zero() {
                break;
            }
            caller.report(waited, &self.client.base_url()).await;
            let step = u64::try_from(left.min(STEP).as_millis()).unwrap_or(u64::MAX);
            let polled = self
                .client
                .poll_inquiry(&inquiry.id, HumanDuration::from_millis(step))
                .await;
            match polled {
                Ok(polled) => {
                    inquiry = polled;
                    failures = 0;
                }
                Err(error) if is_unreachable(&error) => {
                    tracing::info!(%error, "the server is gone; waiting for the next one");
                    failures += 1;
                    tokio::time::sleep(pause(failures).min(left)).await;
                }
                Err(error) => return Err(error),
            }
        }
        Ok(inquiry)
    }

    /// Counts results in a row that said "pending"; none begins anew.
    fn count_wait(&self, id: &InquiryId, more: Option<u32>) -> u32 {
        let mut waits = self.waits.lock().unwrap_or_else(PoisonError::into_inner);
        match more {
            None => waits.remove(id).unwrap_or_default(),
            Some(more) => {
                let count = waits.entry(id.clone()).or_default();
                *count += more;
                *count
            }
        }
    }

    /// Sends a request again while the server cannot be reached; the client finds the one that took
    /// over. Only for requests that may be repeated.
    pub(crate) async fn retrying<T, F>(&self, request: impl Fn() -> F) -> Result<T, ClientError>
    where
        F: Future<Output = Result<T, ClientError>>,
    {
        let mut attempt = 1;
        loop {
            match request().await {
                Err(error) if is_unreachable(&error) && attempt < ATTEMPTS => {
                    tracing::debug!(%error, attempt, "the server cannot be reached");
                    tokio::time::sleep(pause(attempt)).await;
                    attempt += 1;
                }
                result => return result,
            }
        }
    }
}

impl Caller {
    /// Shows the client that the call is alive, if it asked for it.
    async fn report(&self, waited: Duration, page: &str) {
        let Some((peer, token)) = self.progress.as_ref().filter(|_| self.hold.progress) else {
            return;
        };
        let message = format!(
            "Waiting for the user to answer: `askback inbox`, or {page}/ ({} s)",
            waited.as_secs()
        );
        let progress = ProgressNotificationParam::new(token.clone(), waited.as_secs_f64());
        let sent = peer.notify_progress(progress.with_message(message)).await;
        if let Err(error) = sent {
            tracing::debug!(%error, "progress cannot be sent");
        }
    }
}

/// A question as a list shows it.
fn listed(inquiry: &InquiryResponse) -> Value {
    json!({
        QUESTION_ID: inquiry.id,
        "status": inquiry.status,
        "asked_at": inquiry.asked_at,
        "questions": questions(inquiry),
    })
}

/// How long to wait before the next attempt.
fn pause(attempt: u32) -> Duration {
    Duration::from_millis(100 * u64::from(attempt.min(10)))
}

/// Whether another server may do better, or the same one later.
fn is_unreachable(error: &ClientError) -> bool {
    match error {
        // A server that took over may have another token.
        ClientError::Problem(problem) => matches!(problem.status, 401 | 502 | 503 | 504),
        ClientError::Transport(_) | ClientError::Decode(_) => error.is_passing(),
    }
}

fn is_not_found(error: &ClientError) -> bool {
    error.problem().is_some_and(|problem| problem.status == 404)
}

/// What the model is told about a request that failed.
fn failed(error: &ClientError) -> Reply {
    match error.problem() {
        Some(problem) if problem.code == "invalid_input" => {
            Reply::refused("invalid_input", &problem.detail)
        }
        Some(problem) => Reply::refused(
            &problem.code,
            &format!("{} {}", with_stop(&problem.title), problem.detail),
        ),
        None => Reply::refused(
            "unreachable",
            &format!(
                "The askback server cannot be reached ({error}). If you asked something, it is not known \
                 whether the user sees it; the same call again is safe and never asks twice. Tell the \
                 user to run `askback doctor` if it happens again."
            ),
        ),
    }
}

fn with_stop(sentence: &str) -> String {
    if sentence.ends_with('.') {
        sentence.to_owned()
    } else {
        format!("{sentence}.")
    }
}
