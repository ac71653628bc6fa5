//! Every command in every form that makes a difference: aimed at what is there, at what is gone,
//! with and without an id.

use askback_core::conversation::command::{Command, NewDeadline, RespondentAction, Target};
use askback_core::conversation::event::{CallResult, FailureKind};
use askback_core::conversation::state::State;
use askback_core::dialect::Dialect;
use askback_core::id::{CallId, ConversationId, InquiryId};
use jiff::{SignedDuration, Timestamp};
use serde_json::json;

use super::state_examples::DEADLINE_SECONDS;
use crate::suite::machine::{CheckedConversation, samples};

/// One form of a command.
pub(super) struct Case {
    pub(super) name: &'static str,
    /// What is special about this form.
    pub(super) form: &'static str,
    /// Seconds that pass before it.
    pub(super) after: i64,
    /// The command, if it makes sense there.
    pub(super) command: fn(&CheckedConversation) -> Option<Command>,
}

const fn case(
    name: &'static str,
    form: &'static str,
    command: fn(&CheckedConversation) -> Option<Command>,
) -> Case {
    Case {
        name,
        form,
        after: 0,
        command,
    }
}

/// Every case, in the order of the page.
pub(super) const CASES: &[Case] = &[
    case("send_message", "a new one", |_| Some(samples::say("Hello"))),
    case("send_message", "sent before", |_| {
        Some(samples::say_as("msg_first", "Begin."))
    }),
    case("send_message", "without text", |_| Some(samples::say(" "))),
    case("llm_replied", "text only", |t| replied(t, "Done.", &[])),
    case("llm_replied", "a tool call", |t| {
        replied(t, "", &[samples::tool("read_file")])
    }),
    case("llm_replied", "a question", |t| {
        replied(t, "", &[samples::ask(Dialect::AskUserQuestion)])
    }),
    case("llm_replied", "an invalid question", |t| {
        replied(t, "", &[samples::bad_ask(Dialect::AskUserQuestion)])
    }),
    case("llm_replied", "`question` together with a tool call", |t| {
        let calls = [samples::ask(Dialect::Question), samples::tool("read_file")];
        replied(t, "", &calls)
    }),
    case("llm_replied", "`spawn_agents`", |t| {
        replied(t, "", &[samples::spawn(2)])
    }),
    case("llm_replied", "empty", |t| replied(t, "", &[])),
    case("llm_replied", "an earlier request", |_| {
        Some(samples::reply(0, "Done.", &[]))
    }),
    case("llm_replied", "an earlier attempt", |t| {
        let (request, attempt) = request(t)?;
        Some(samples::reply_to(request, attempt - 1, "Done.", &[]))
    }),
    case("llm_failed", "temporary", |t| {
        failed(t, FailureKind::Overloaded)
    }),
    case("llm_failed", "permanent", |t| {
        failed(t, FailureKind::Refused)
    }),
    case("llm_failed", "an earlier attempt", |t| {
        Some(samples::fail(
            t.conversation.requests,
            0,
            FailureKind::Refused,
        ))
    }),
    case("tool_started", "the current call", |t| {
        Some(started(current_call(t)?))
    }),
    case("tool_started", "another call", |t| {
        Some(started(past_call(t)))
    }),
    case("tool_finished", "the current call", |t| {
        Some(samples::finish(current_call(t)?, "done"))
    }),
    case("tool_finished", "another call", |t| {
        Some(samples::finish(past_call(t), "done"))
    }),
    case("tool_asked", "the current call goes on running", |t| {
        tool_asked(&current_call(t)?, 0)
    }),
    case("tool_asked", "the current call has returned", |t| {
        tool_asked(&current_call(t)?, 1)
    }),
    case("tool_asked", "another call", |t| {
        tool_asked(&past_call(t), 0)
    }),
    case("tool_interrupted", "the current call", |t| {
        Some(interrupted(current_call(t)?))
    }),
    case("tool_interrupted", "another call", |t| {
        Some(interrupted(past_call(t)))
    }),
    case("sub_agent_finished", "one that is running", |t| {
        Some(reported(working_child(t)?))
    }),
    case("sub_agent_finished", "another one", |t| {
        let past = t.children().into_iter().next();
        Some(reported(
            past.unwrap_or_else(|| ConversationId::new("cnv_unknown")),
        ))
    }),
    case("ask", "no deadline", |_| {
        Some(samples::external_ask(Dialect::AskUser, None))
    }),
    case("ask", "a deadline in the past", |_| {
        Some(samples::external_ask(Dialect::AskUser, Some(-1)))
    }),
    case("answer", "its id", |t| Some(samples::answer(waiting(t)?))),
    case("answer", "its id and revision", |t| {
        Some(samples::answer(revised(waiting(t)?, 1)))
    }),
    case("answer", "another revision", |t| {
        Some(samples::answer(revised(waiting(t)?, 2)))
    }),
    case("answer", "no id", |_| {
        Some(samples::answer(Target::Pending))
    }),
    case("answer", "a resolved id", |t| {
        Some(samples::answer(past_inquiry(t)))
    }),
    case("answer", "its id, invalid", |t| Some(misfit(waiting(t)?))),
    Case {
        after: DEADLINE_SECONDS,
        ..case("answer", "its id, deadline passed", |t| {
            Some(samples::answer(waiting(t)?))
        })
    },
    case("answer_with_undo", "its id", |t| {
        Some(held(waiting(t)?.into(), samples::red_reply(), 5))
    }),
    case("answer_with_undo", "its id, declining", |t| {
        Some(held(waiting(t)?.into(), RespondentAction::Decline, 5))
    }),
    case("answer_with_undo", "its id, rejecting", |t| {
        Some(held(waiting(t)?.into(), RespondentAction::Reject, 5))
    }),
    Case {
        after: DEADLINE_SECONDS,
        ..case("answer_with_undo", "its id, deadline passed", |t| {
            Some(held(waiting(t)?.into(), samples::red_reply(), 5))
        })
    },
    case("answer_with_undo", "its id, for too long", |t| {
        Some(held(waiting(t)?.into(), samples::red_reply(), 61))
    }),
    case("answer_with_undo", "its id, until now", |t| {
        Some(held(waiting(t)?.into(), samples::red_reply(), 0))
    }),
    case("answer_with_undo", "another revision", |t| {
        let target = revised(waiting(t)?, 2);
        Some(held(target, samples::red_reply(), 5))
    }),
    case("answer_with_undo", "no id", |_| {
        Some(held(Target::Pending, samples::red_reply(), 5))
    }),
    case("answer_with_undo", "a resolved id", |t| {
        let target = past_inquiry(t).into();
        Some(held(target, samples::red_reply(), 5))
    }),
    case("undo_answer", "its id", |t| {
        Some(samples::take_back(waiting(t)?))
    }),
    case("undo_answer", "another revision", |t| {
        Some(samples::take_back(revised(waiting(t)?, 2)))
    }),
    case("undo_answer", "no id", |_| {
        Some(samples::take_back(Target::Pending))
    }),
    case("undo_answer", "a resolved id", |t| {
        Some(samples::take_back(past_inquiry(t)))
    }),
    case("commit_held_answer", "its id", |t| {
        Some(samples::release(waiting(t)?, held_until(t)))
    }),
    case(
        "commit_held_answer",
        "its id, held until another time",
        |t| {
            let other = held_until(t) + SignedDuration::from_secs(1);
            Some(samples::release(waiting(t)?, other))
        },
    ),
    case("commit_held_answer", "a resolved id", |t| {
        Some(samples::release(past_inquiry(t), t.now))
    }),
    case("decline", "its id", |t| Some(samples::decline(waiting(t)?))),
    case("decline", "another revision", |t| {
        Some(samples::decline(revised(waiting(t)?, 2)))
    }),
    case("decline", "no id", |_| {
        Some(samples::decline(Target::Pending))
    }),
    case("decline", "a resolved id", |t| {
        Some(samples::decline(past_inquiry(t)))
    }),
    case("reject", "its id", |t| Some(samples::reject(waiting(t)?))),
    case("reject", "another revision", |t| {
        Some(samples::reject(revised(waiting(t)?, 2)))
    }),
    case("reject", "no id", |_| {
        Some(samples::reject(Target::Pending))
    }),
    case("reject", "a resolved id", |t| {
        Some(samples::reject(past_inquiry(t)))
    }),
    case("cancel", "everything", |_| Some(samples::cancel())),
    case("cancel", "its id", |t| Some(cancelled(waiting(t)?.into()))),
    case("cancel", "another revision", |t| {
        Some(cancelled(revised(waiting(t)?, 2)))
    }),
    case("cancel", "the pending question", |_| {
        Some(cancelled(Target::Pending))
    }),
    case("cancel", "a resolved id", |t| {
        Some(cancelled(past_inquiry(t).into()))
    }),
    case("withdraw", "everything", |_| Some(samples::withdraw())),
    case("withdraw", "its id", |t| {
        Some(withdrawn(waiting(t)?.into()))
    }),
    case("withdraw", "another revision", |t| {
        Some(withdrawn(revised(waiting(t)?, 2)))
    }),
    case("withdraw", "the pending question", |_| {
        Some(withdrawn(Target::Pending))
    }),
    case("withdraw", "a resolved id", |t| {
        Some(withdrawn(past_inquiry(t).into()))
    }),
    case("remind", "its id", |t| {
        Some(samples::remind(waiting(t)?, deadline(t)?))
    }),
    case("remind", "its id, another deadline", |t| {
        Some(samples::remind(waiting(t)?, t.now))
    }),
    Case {
        after: DEADLINE_SECONDS,
        ..case("remind", "its id, deadline passed", |t| {
            Some(samples::remind(waiting(t)?, deadline(t)?))
        })
    },
    case("remind", "a resolved id", |t| {
        Some(samples::remind(past_inquiry(t), t.now))
    }),
    Case {
        after: DEADLINE_SECONDS,
        ..case("expire", "its id, deadline passed", |t| {
            Some(samples::expire(waiting(t)?))
        })
    },
    case("expire", "its id, too early", |t| {
        Some(samples::expire(waiting(t)?))
    }),
    case("expire", "a resolved id", |t| {
        Some(samples::expire(past_inquiry(t)))
    }),
    case("hand_on", "its id", |t| {
        Some(samples::hand_on(waiting(t)?, "ben"))
    }),
    Case {
        after: DEADLINE_SECONDS,
        ..case("hand_on", "its id, deadline passed", |t| {
            Some(samples::hand_on(waiting(t)?, "ben"))
        })
    },
    case("hand_on", "another revision", |t| {
        Some(samples::hand_on(revised(waiting(t)?, 2), "ben"))
    }),
    case("hand_on", "a resolved id", |t| {
        Some(samples::hand_on(past_inquiry(t), "ben"))
    }),
    case("move_deadline", "its id, later", |t| {
        Some(moved(waiting(t)?.into(), Some(3_600)))
    }),
    case("move_deadline", "its id, never", |t| {
        Some(moved(waiting(t)?.into(), None))
    }),
    Case {
        after: DEADLINE_SECONDS,
        ..case("move_deadline", "its id, deadline passed", |t| {
            Some(moved(waiting(t)?.into(), Some(3_600)))
        })
    },
    case("move_deadline", "its id, into the past", |t| {
        Some(moved(waiting(t)?.into(), Some(-1)))
    }),
    case("move_deadline", "another revision", |t| {
        Some(moved(revised(waiting(t)?, 2), None))
    }),
    case("move_deadline", "no id", |_| {
        Some(moved(Target::Pending, Some(3_600)))
    }),
    case("move_deadline", "a resolved id", |t| {
        Some(moved(past_inquiry(t).into(), None))
    }),
    case("keep_open", "its id", |t| {
        Some(kept(waiting(t)?.into(), None))
    }),
    case("keep_open", "its id, for an hour", |t| {
        Some(kept(waiting(t)?.into(), Some(3_600)))
    }),
    Case {
        after: DEADLINE_SECONDS,
        ..case("keep_open", "its id, deadline passed", |t| {
            Some(kept(waiting(t)?.into(), None))
        })
    },
    case("keep_open", "its id, until now", |t| {
        Some(kept(waiting(t)?.into(), Some(0)))
    }),
    case("keep_open", "another revision", |t| {
        Some(kept(revised(waiting(t)?, 2), None))
    }),
    case("keep_open", "no id", |_| Some(kept(Target::Pending, None))),
    case("keep_open", "a resolved id", |t| {
        Some(kept(past_inquiry(t).into(), None))
    }),
];

fn replied(
    checked: &CheckedConversation,
    text: &str,
    calls: &[askback_core::conversation::command::RawCall],
) -> Option<Command> {
    let (request, attempt) = request(checked)?;
    Some(samples::reply_to(request, attempt, text, calls))
}

fn failed(checked: &CheckedConversation, kind: FailureKind) -> Option<Command> {
    let (request, attempt) = request(checked)?;
    Some(samples::fail(request, attempt, kind))
}

fn request(checked: &CheckedConversation) -> Option<(u64, u32)> {
    let State::LlmRequesting {
        request, attempt, ..
    } = checked.conversation.state
    else {
        return None;
    };
    Some((request, attempt))
}

fn current_call(checked: &CheckedConversation) -> Option<CallId> {
    let round = checked.conversation.state.round()?;
    round.current().map(|call| call.id.clone())
}

fn past_call(checked: &CheckedConversation) -> CallId {
    let past = checked.made_calls().into_iter().next();
    past.unwrap_or_else(|| CallId::new("call_unknown"))
}

fn working_child(checked: &CheckedConversation) -> Option<ConversationId> {
    let State::AwaitingSubAgents { children, .. } = &checked.conversation.state else {
        return None;
    };
    let working = children.iter().find(|child| child.result.is_none());
    working.map(|child| child.started.conversation.clone())
}

fn waiting(checked: &CheckedConversation) -> Option<InquiryId> {
    let pending = checked.conversation.state.pending().first();
    pending.map(|pending| pending.id.clone())
}

fn deadline(checked: &CheckedConversation) -> Option<Timestamp> {
    checked.conversation.state.pending().first()?.expires_at
}

fn past_inquiry(checked: &CheckedConversation) -> InquiryId {
    let past = checked.inquiries().into_iter().next();
    past.unwrap_or_else(|| InquiryId::new("inq_unknown"))
}

fn revised(id: InquiryId, revision: u32) -> Target {
    Target::Inquiry {
        id,
        revision: Some(revision),
    }
}

fn misfit(inquiry: InquiryId) -> Command {
    Command::Answer {
        target: inquiry.into(),
        answers: json!({}),
        notes: None,
    }
}

fn started(call: CallId) -> Command {
    Command::ToolStarted { call }
}

fn tool_asked(call: &CallId, way: usize) -> Option<Command> {
    let ways = samples::tool_asks(call, Dialect::AskUser);
    ways.into_iter().nth(way)
}

fn interrupted(call: CallId) -> Command {
    Command::ToolInterrupted { call }
}

fn reported(child: ConversationId) -> Command {
    let result = CallResult::ok("done");
    Command::SubAgentFinished { child, result }
}

fn cancelled(target: Target) -> Command {
    Command::Cancel {
        target: Some(target),
    }
}

fn withdrawn(target: Target) -> Command {
    Command::Withdraw {
        target: Some(target),
    }
}

fn moved(target: Target, seconds: Option<i64>) -> Command {
    Command::MoveDeadline {
        target,
        to: seconds.map(|after| NewDeadline::After(SignedDuration::from_secs(after))),
    }
}

fn held(target: Target, reply: RespondentAction, seconds: i64) -> Command {
    samples::answer_with_undo(target, reply, SignedDuration::from_secs(seconds))
}

/// Until when the oldest question is held, or just some time.
fn held_until(checked: &CheckedConversation) -> Timestamp {
    let pending = checked.conversation.state.pending().first();
    let held = pending.and_then(|pending| pending.held.as_ref());
    held.map_or(checked.now, |held| held.until)
}

fn kept(target: Target, seconds: Option<i64>) -> Command {
    Command::KeepOpen {
        target,
        at_least: seconds.map(SignedDuration::from_secs),
    }
}
