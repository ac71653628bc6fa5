//! Samples of what models and users send: one question about a colour, in every dialect.

use askback_core::conversation::command::{
    Command, NewDeadline, RawCall, RawReply, RespondentAction, Target,
};
use askback_core::conversation::event::{AgentFailure, CallResult, FailureKind};
use askback_core::conversation::state::{ReturnedTool, ToolQuestion};
use askback_core::dialect::{Dialect, ParseOptions};
use askback_core::id::{CallId, InquiryId, MessageId};
use askback_core::inquiry::Inquiry;
use askback_core::text::{Lines, Text};
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

/// A call of a tool that is not an ask tool.
pub(crate) fn tool(name: &str) -> RawCall {
    // A number that does not survive a careless reader of JSON.
    let input = json!({ "path": "notes.txt", "weight": 499_999.702_000_000_05 });
    raw_call(name, input)
}

/// A fitting call of an ask tool: one question with the choices `Red` and `Blue`.
pub(crate) fn ask(dialect: Dialect) -> RawCall {
    raw_call(dialect.name(), input(dialect))
}

/// A call of an ask tool that does not fit the contract.
pub(crate) fn bad_ask(dialect: Dialect) -> RawCall {
    raw_call(dialect.name(), json!({ "questions": 7 }))
}

/// A call that starts `count` sub-agents.
pub(crate) fn spawn(count: usize) -> RawCall {
    let agents: Vec<Value> = (0..count)
        .map(|nth| json!({ "task": format!("Part {nth}") }))
        .collect();
    raw_call("spawn_agents", json!({ "agents": agents }))
}

pub(crate) fn raw_call(name: &str, input: Value) -> RawCall {
    RawCall {
        // One id for all: providers use theirs again.
        provider_id: "call_0".to_owned(),
        name: name.to_owned(),
        input,
    }
}

pub(crate) fn inquiry(dialect: Dialect) -> Inquiry {
    let parsed = dialect.parse(&input(dialect), ParseOptions::default());
    parsed.unwrap().inquiry
}

pub(crate) fn input(dialect: Dialect) -> Value {
    let described = json!([
        { "label": "Red", "description": "Like a rose." },
        { "label": "Blue", "description": "Like the sky." },
    ]);
    match dialect {
        Dialect::AskUserQuestion => json!({
            "questions": [{ "question": "Which colour?", "options": described }],
        }),
        Dialect::AskUserQuestionClaude => json!({
            "questions": [{
                "question": "Which colour?",
                "header": "Colour",
                "options": described,
                "multiSelect": false,
            }],
        }),
        Dialect::Question => json!({ "question": "Which colour?", "options": described }),
        Dialect::AskUser => json!({
            "question": "Which colour?",
            "input_type": "single_select",
            "options": [
                { "label": "Red", "value": "red" },
                { "label": "Blue", "value": "blue" },
            ],
        }),
        Dialect::Questions => json!({
            "questions": [{ "text": "Which colour?", "choices": described }],
        }),
    }
}

/// A fitting answer to [`ask`].
pub(crate) fn red() -> Value {
    json!({ "Which colour?": "Red" })
}

pub(crate) fn hand_on(target: impl Into<Target>, to: &str) -> Command {
    Command::HandOn {
        target: target.into(),
        to: Text::clean(to, Lines::One).expect("it has text"),
        reason: None,
    }
}

pub(crate) fn say(text: &str) -> Command {
    Command::SendMessage {
        message: None,
        text: text.to_owned(),
    }
}

pub(crate) fn say_as(id: &str, text: &str) -> Command {
    Command::SendMessage {
        message: Some(MessageId::new(id)),
        text: text.to_owned(),
    }
}

/// The reply to the first attempt at a request.
pub(crate) fn reply(request: u64, text: &str, calls: &[RawCall]) -> Command {
    reply_to(request, 1, text, calls)
}

pub(crate) fn reply_to(request: u64, attempt: u32, text: &str, calls: &[RawCall]) -> Command {
    Command::LlmReplied {
        request,
        attempt,
        reply: RawReply {
            text: text.to_owned(),
            reasoning: None,
            calls: calls.to_vec(),
        },
    }
}

pub(crate) fn fail(request: u64, attempt: u32, kind: FailureKind) -> Command {
    Command::LlmFailed {
        request,
        attempt,
        failure: AgentFailure {
            kind,
            message: Text::clean("The provider is not well.", Lines::Many).unwrap(),
        },
        retry_after: None,
    }
}

pub(crate) fn finish(call: CallId, output: &str) -> Command {
    Command::ToolFinished {
        call,
        result: CallResult::ok(output),
    }
}

/// The two ways in which a tool asks.
pub(crate) fn tool_asks(call: &CallId, dialect: Dialect) -> [Command; 2] {
    let returned = ToolQuestion::Returned(Box::new(ReturnedTool {
        input: tool("first").input,
        state: json!({ "round": 1 }),
    }));
    [ToolQuestion::Running, returned].map(|how| Command::ToolAsked {
        call: call.clone(),
        inquiry: inquiry(dialect),
        how,
    })
}

pub(crate) fn answer(target: impl Into<Target>) -> Command {
    Command::Answer {
        target: target.into(),
        answers: red(),
        notes: None,
    }
}

pub(crate) fn decline(target: impl Into<Target>) -> Command {
    Command::Decline {
        target: target.into(),
    }
}

pub(crate) fn reject(target: impl Into<Target>) -> Command {
    Command::Reject {
        target: target.into(),
    }
}

pub(crate) fn cancel() -> Command {
    Command::Cancel { target: None }
}

pub(crate) fn withdraw() -> Command {
    Command::Withdraw { target: None }
}

pub(crate) fn remind(inquiry: InquiryId, expires_at: Timestamp) -> Command {
    Command::Remind {
        inquiry,
        expires_at,
    }
}

pub(crate) fn expire(inquiry: InquiryId) -> Command {
    Command::Expire { inquiry }
}

pub(crate) fn answer_with_undo(
    target: impl Into<Target>,
    reply: RespondentAction,
    window: SignedDuration,
) -> Command {
    Command::AnswerWithUndo {
        target: target.into(),
        reply,
        window,
    }
}

pub(crate) fn red_reply() -> RespondentAction {
    RespondentAction::Answer {
        answers: red(),
        notes: None,
    }
}

pub(crate) fn take_back(target: impl Into<Target>) -> Command {
    Command::UndoAnswer {
        target: target.into(),
    }
}

pub(crate) fn release(inquiry: InquiryId, until: Timestamp) -> Command {
    Command::CommitHeldAnswer { inquiry, until }
}

pub(crate) fn external_ask(dialect: Dialect, seconds: Option<i64>) -> Command {
    Command::Ask {
        inquiry: inquiry(dialect),
        deadline: seconds
            .map(SignedDuration::from_secs)
            .map(NewDeadline::After),
    }
}
