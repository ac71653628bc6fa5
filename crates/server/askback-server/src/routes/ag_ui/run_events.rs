//! Turns the events of a conversation into the events of an AG-UI run.

use askback_core::conversation::event::{AssistantReply, Event, TurnEnd};
use askback_core::conversation::state::{PendingInquiry, State};
use askback_core::id::InquiryId;
use askback_core::text::{Lines, Text, escape};
use askback_engine::{InquiryView, Record};
use askback_wire::ag_ui::RunAgentInput;
use askback_wire::inquiry::InquiryResponse;
use serde_json::{Value, json};

use super::answer_schema::answer_schema;
use crate::recipient_names::RecipientNames;

/// The version of the protocol.
const PROTOCOL_VERSION: &str = "1.0";

/// The events of one run.
pub(super) struct RunEvents {
    thread: String,
    run: String,
    /// The questions that this run answers. Until they have their outcome, they do not end the run.
    resumed: Vec<InquiryId>,
    /// The events up to this sequence number belong to earlier runs.
    after: u64,
    stopped: bool,
    finished: bool,
}

impl RunEvents {
    pub(super) fn new(input: &RunAgentInput, after: Option<u64>) -> RunEvents {
        let resumed = input.resume.iter();
        RunEvents {
            thread: input.thread_id.clone(),
            run: input.run_id.clone(),
            resumed: resumed
                .map(|entry| InquiryId::new(&entry.interrupt_id))
                .collect(),
            after: after.unwrap_or(0),
            stopped: false,
            finished: false,
        }
    }

    pub(super) fn is_finished(&self) -> bool {
        self.finished
    }

    pub(super) fn started(&self) -> Value {
        json!({"type": "RUN_STARTED", "threadId": self.thread, "runId": self.run,
            "protocolVersion": PROTOCOL_VERSION})
    }

    /// The end of a run that cannot go on.
    pub(super) fn failed(&mut self, message: &str) -> Vec<Value> {
        self.finished = true;
        vec![json!({"type": "RUN_ERROR", "message": message})]
    }

    /// What the events of a record add to the run.
    pub(super) fn of_record(&mut self, record: &Record, names: &RecipientNames) -> Vec<Value> {
        let mut events = Vec::new();
        for (sequence, event) in &record.events {
            // A record may begin before the run does.
            if *sequence > self.after {
                let inquiry = event
                    .inquiry_change()
                    .and_then(|(id, _)| record.inquiry(id));
                events.extend(self.of_event(*sequence, event, inquiry.map(|it| names.inquiry(it))));
            }
        }
        events
    }

    fn of_event(
        &mut self,
        sequence: u64,
        event: &Event,
        inquiry: Option<InquiryResponse>,
    ) -> Vec<Value> {
        match event {
            Event::MessageReceived { .. } => {
                self.stopped = false;
                Vec::new()
            }
            Event::AssistantReplied { reply } => replied(sequence, reply),
            Event::CallFinished { call, result } => vec![json!({
                "type": "TOOL_CALL_RESULT", "messageId": format!("{call}-result"),
                "toolCallId": call, "content": result.content, "role": "tool",
            })],
            Event::InquiryResolved { .. } => {
                let resolved = inquiry.map(|inquiry| {
                    let value = json!({
                        "interruptId": inquiry.id, "status": inquiry.status,
                        "outcome": inquiry.outcome,
                    });
                    json!({"type": "CUSTOM", "name": "askback.inquiry_resolved", "value": value})
                });
                Vec::from_iter(resolved)
            }
            // It is open again, and this run has no answer for it.
            Event::AnswerTakenBack { inquiry, .. } => {
                self.resumed.retain(|resumed| resumed != inquiry);
                Vec::new()
            }
            Event::TurnEnded { end } => {
                self.stopped = *end == TurnEnd::Stopped;
                Vec::new()
            }
            Event::Started { .. }
            | Event::LlmRequested { .. }
            | Event::LlmAttemptFailed { .. }
            | Event::CallStarted { .. }
            | Event::InquiryAsked { .. }
            | Event::DeadlineMoved { .. }
            | Event::InquiryHandedOn { .. }
            | Event::InquiryReminded { .. }
            | Event::AnswerHeld { .. }
            | Event::SubAgentsStarted { .. }
            | Event::SubAgentFinished { .. }
            | Event::RoundFinished
            | Event::Closed { .. } => Vec::new(),
        }
    }

    /// The end of the run, if the agent does nothing more in this state. `interrupts` are its pending questions.
    pub(super) fn at_rest(&mut self, state: &State, interrupts: &[Value]) -> Vec<Value> {
        let outcome = match state {
            State::LlmRequesting { .. }
            | State::ToolExecuting { .. }
            | State::AwaitingSubAgents { .. } => return Vec::new(),
            State::AwaitingUserResponse(_) => {
                let answered = |pending: &PendingInquiry| self.resumed.contains(&pending.id);
                if state.pending().iter().any(answered) {
                    return Vec::new();
                }
                json!({"type": "interrupt", "interrupts": interrupts})
            }
            State::Error { failure } => return self.failed(failure.message.as_str()),
            State::Idle if !self.stopped => json!({"type": "success"}),
            State::Idle | State::Closed => json!({"type": "cancelled"}),
        };
        self.finished = true;
        vec![
            json!({"type": "RUN_FINISHED", "threadId": self.thread, "runId": self.run,
            "outcome": outcome}),
        ]
    }
}

/// A reply: its text, then its calls.
fn replied(sequence: u64, reply: &AssistantReply) -> Vec<Value> {
    let message = format!("evt_{sequence}");
    let mut events = Vec::new();
    if let Some(text) = &reply.text {
        events.extend([
            json!({"type": "TEXT_MESSAGE_START", "messageId": message, "role": "assistant"}),
            json!({"type": "TEXT_MESSAGE_CONTENT", "messageId": message, "delta": text}),
            json!({"type": "TEXT_MESSAGE_END", "messageId": message}),
        ]);
    }
    for call in &reply.calls {
        events.extend([
            json!({"type": "TOOL_CALL_START", "toolCallId": call.id, "toolCallName": Text::name_or_mark(&call.name),
                "parentMessageId": message}),
            json!({"type": "TOOL_CALL_ARGS", "toolCallId": call.id,
                "delta": escape(&call.input.to_string(), Lines::One)}),
            json!({"type": "TOOL_CALL_END", "toolCallId": call.id}),
        ]);
    }
    events
}

/// A pending question.
pub(super) fn interrupt(view: &InquiryView, names: &RecipientNames) -> Value {
    let inquiry = names.inquiry(view);
    let texts = inquiry.questions.iter().map(|it| it.text.as_str());
    let mut interrupt = json!({
        "id": inquiry.id,
        "reason": "input_required",
        "message": texts.collect::<Vec<_>>().join("\n"),
        "responseSchema": answer_schema(&view.inquiry),
    });
    if let Some(call) = &inquiry.tool_use_id {
        interrupt["toolCallId"] = json!(call);
    }
    if let Some(at) = &inquiry.expires_at {
        interrupt["expiresAt"] = json!(at);
    }
    interrupt["metadata"] = json!({"askback": inquiry});
    interrupt
}
