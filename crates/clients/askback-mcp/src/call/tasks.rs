//! The tasks extension: a question as a task that the client polls.
//!
//! The id of the task is the id of the question, so that a task is as durable as the question, and every
//! process and server of the data directory knows it. Only the agent that asked can use it.

use askback_client::ClientError;
use askback_core::id::InquiryId;
use askback_wire::inquiry::{InquiryResponse, InquiryStatus};
use askback_wire::respond::WithdrawParams;
use rmcp::model::{
    CreateTaskResult, DetailedTask, ElicitResult, ErrorData, InputRequest, InputRequests,
    InputResponses, Task, TaskPayload, TaskStatus,
};
use serde::Deserialize as _;
use serde_json::Value;
use tokio::time::Instant;
use uuid::Uuid;

use crate::call::executor::{Caller, ToolExecutor};
use crate::call::retry::retry_while_unreachable;
use crate::delivery::in_flight::InFlightGuard;
use crate::dialogs::elicitation::reply_key;
use crate::texts::waiting_for_user;

/// How often a client should ask whether there is an answer.
const POLL_INTERVAL_MS: u64 = 2_000;

impl ToolExecutor {
    /// The task of a question that has no outcome.
    pub(crate) fn new_task(inquiry: &InquiryResponse) -> CreateTaskResult {
        CreateTaskResult::new(Self::task(inquiry))
    }

    fn task(inquiry: &InquiryResponse) -> Task {
        let updated = inquiry.resolved_at.unwrap_or(inquiry.asked_at);
        let asked = inquiry.asked_at.to_string();
        let task = Task::new(
            inquiry.id.as_str(),
            TaskStatus::Working,
            asked,
            updated.to_string(),
        );
        let task = task.with_poll_interval_ms(POLL_INTERVAL_MS);
        if inquiry.status.is_resolved() {
            task
        } else {
            task.with_status_message(waiting_for_user(inquiry))
        }
    }

    /// The state of a task. With the guard, its outcome is in it.
    pub(crate) async fn get_task(
        &self,
        id: &str,
        caller: &Caller,
    ) -> Result<(DetailedTask, Option<InFlightGuard>), ErrorData> {
        let mut inquiry = self.find_task(id, caller).await?;
        let task = Self::task(&inquiry);
        if inquiry.status == InquiryStatus::Withdrawn {
            return Ok((DetailedTask::new(task, TaskPayload::Cancelled), None));
        }
        if inquiry.status.is_resolved() {
            let guard = self.in_flight.track(&inquiry.id);
            // A task may be read any number of times, always with the same result.
            if let Some(asker) = &mut inquiry.asker {
                asker.delivered_at = None;
                asker.delivery_attempts = 0;
            }
            let result = self.outcome(&inquiry).into_response();
            let Ok(Value::Object(result)) = serde_json::to_value(result) else {
                return Err(ErrorData::internal_error("The result has no JSON.", None));
            };
            let payload = TaskPayload::Completed { result };
            return Ok((DetailedTask::new(task, payload), Some(guard)));
        }
        let payload = match self.task_input(&inquiry, caller).await {
            Some(input_requests) => TaskPayload::InputRequired { input_requests },
            None => TaskPayload::Working,
        };
        Ok((DetailedTask::new(task, payload), None))
    }

    /// The dialog that the client should open, if it has dialogs.
    async fn task_input(
        &self,
        inquiry: &InquiryResponse,
        caller: &Caller,
    ) -> Option<InputRequests> {
        let dialogs = caller.dialogs.as_ref()?;
        if !self.may_open_dialog(inquiry, caller) {
            return None;
        }
        let state = self.dialogs.question(&inquiry.id);
        let request = self
            .dialog_request(inquiry, dialogs.modes, state.problem.as_deref())
            .await?;
        let opened = Instant::now();
        self.dialogs.update(&inquiry.id, |state| {
            state.opened.get_or_insert(opened);
        });
        let request = InputRequest::Elicitation(request);
        Some(InputRequests::from([(dialog_name(state.rounds), request)]))
    }

    /// Takes the reply of the dialog of a task. A reply to an earlier dialog has no effect.
    pub(crate) async fn update_task(
        &self,
        id: &str,
        mut responses: InputResponses,
        caller: &Caller,
    ) -> Result<(), ErrorData> {
        let inquiry = self.find_task(id, caller).await?;
        let name = dialog_name(self.dialogs.question(&inquiry.id).rounds);
        let reply = responses.remove(&name);
        let reply = reply.map(ElicitResult::deserialize).transpose();
        let reply = reply.map_err(|error| {
            ErrorData::invalid_params(
                format!("{name} is no result of an elicitation: {error}"),
                None,
            )
        })?;
        if let (Some(reply), true) = (&reply, inquiry.status.is_resolved()) {
            self.note_late_reply(&inquiry, reply);
        } else if let (Some(reply), Some(dialogs)) = (reply, &caller.dialogs) {
            let call = (caller, dialogs.modes);
            // If the dialog is needed once more, the next `tasks/get` has it.
            drop(self.apply_reply(&inquiry, call, reply, &reply_key()).await);
        }
        Ok(())
    }

    /// Withdraws the question of a task. If it has an outcome already, that stands.
    pub(crate) async fn cancel_task(&self, id: &str, caller: &Caller) -> Result<(), ErrorData> {
        let inquiry = self.find_task(id, caller).await?;
        let params = WithdrawParams {
            key: Some(format!("mcp-{}", Uuid::now_v7().simple())),
            ..WithdrawParams::default()
        };
        let client = self.client_of(&caller.asker);
        let withdrawn =
            retry_while_unreachable(|| client.withdraw_inquiry(&inquiry.id, &params)).await;
        match withdrawn {
            Err(error) if !has_status(&error, 409) => Err(unreachable_server(&error)),
            Ok(_) | Err(_) => Ok(()),
        }
    }

    async fn find_task(&self, id: &str, caller: &Caller) -> Result<InquiryResponse, ErrorData> {
        let inquiry = InquiryId::new(id);
        let taken_over = self.take_over(&caller.asker).await;
        taken_over.map_err(|error| unreachable_server(&error))?;
        match self.read(&caller.asker, &inquiry).await {
            Ok(inquiry) if caller.asker.owns(&inquiry) => Ok(inquiry),
            Err(error) if !has_status(&error, 404) => Err(unreachable_server(&error)),
            // Whether another agent has such a task is not said.
            Ok(_) | Err(_) => Err(ErrorData::invalid_params(
                format!("There is no task {id:?}."),
                None,
            )),
        }
    }
}

/// Names the dialogs of a task one by one: a name is not used twice.
fn dialog_name(rounds: u32) -> String {
    format!("question_{}", rounds + 1)
}

fn has_status(error: &ClientError, status: u16) -> bool {
    error
        .problem()
        .is_some_and(|problem| problem.status == status)
}

fn unreachable_server(error: &ClientError) -> ErrorData {
    let message = format!("The askback server cannot be reached: {error}");
    ErrorData::internal_error(message, None)
}
