//! Decisions as readable lines, with short names for the ids in them.

use std::cell::RefCell;

use askback_testkit::variant_name;
use jiff::Timestamp;

use super::Decision;
use super::event::{AssistantReply, CallResult, ChildStarted, Event, TurnEnd};
use super::job::Job;
use super::state::PendingInquiry;
use crate::id::{CallId, ConversationId, InquiryId};
use crate::outcome::Resolution;

/// Short names for ids, in the order in which they turn up: `call1`, `inq1`, `cnv1`.
pub(super) struct Names(RefCell<Vec<String>>);

impl Names {
    pub(super) fn of(events: &[Event]) -> Names {
        let names = Names(RefCell::default());
        for event in events {
            event_line(&names, Timestamp::UNIX_EPOCH, event);
        }
        names
    }

    fn get(&self, id: &str) -> String {
        let Some((prefix, rest)) = id.split_once('_') else {
            return id.to_owned();
        };
        if !rest.starts_with('0') {
            return id.to_owned();
        }
        let mut known = self.0.borrow_mut();
        if !known.iter().any(|known| known == id) {
            known.push(id.to_owned());
        }
        let alike = known.iter().filter(|known| known.starts_with(prefix));
        let place = alike.into_iter().position(|known| known == id);
        format!("{prefix}{}", place.map_or(0, |place| place + 1))
    }
}

/// A decision line by line: events, jobs (`>`) and the state they lead to (`=`).
pub(super) fn render(names: &Names, now: Timestamp, decision: &Decision) -> Vec<String> {
    let events = decision.events.iter();
    let mut lines: Vec<String> = events.map(|event| event_line(names, now, event)).collect();
    let jobs = decision.jobs.iter();
    lines.extend(jobs.map(|job| format!("> {}", job_line(names, now, job))));
    lines.push(format!("= {}", decision.after.state.name()));
    lines
}

fn ended_words(names: &Names, inquiry: &InquiryId, resolution: &Resolution) -> String {
    let inquiry = names.get(inquiry.as_str());
    let (outcome, surface) = (resolution.outcome.name(), resolution.by.surface);
    format!("{inquiry} {outcome} by {surface:?}")
}

fn received(names: &Names, event: &Event) -> String {
    let Event::MessageReceived {
        message,
        sent_as,
        text,
        answers,
        ..
    } = event
    else {
        return String::new();
    };
    let sent_as = sent_as.as_ref().map(|id| format!(" sent as {id}"));
    let answers = answers.as_ref().map(|id| names.get(id.as_str()));
    format!(
        " {}{} {:?}{}",
        names.get(message.as_str()),
        sent_as.unwrap_or_default(),
        text.as_str(),
        answers.map_or_else(String::new, |id| format!(" answers {id}")),
    )
}

#[expect(clippy::too_many_lines, reason = "one arm for each event")]
fn event_line(names: &Names, now: Timestamp, event: &Event) -> String {
    let rest = match event {
        Event::Started { .. } | Event::RoundFinished | Event::Closed { .. } => String::new(),
        Event::MessageReceived { .. } => received(names, event),
        Event::LlmRequested {
            request,
            attempt,
            due,
        } => format!(" {request}/{attempt}{}", wait(now, *due)),
        Event::LlmAttemptFailed {
            request,
            attempt,
            failure,
        } => format!(" {request}/{attempt} {:?}", failure.kind),
        Event::AssistantReplied { reply } => reply_words(names, reply),
        Event::CallStarted { call } => format!(" {}", names.get(call.as_str())),
        Event::CallFinished { call, result } => {
            format!(" {} {}", names.get(call.as_str()), gist(result))
        }
        Event::InquiryAsked { pending } => pending_words(names, now, pending),
        Event::DeadlineMoved {
            inquiry,
            expires_at,
            by,
        } => {
            let until = expires_at.map_or_else(|| " never".to_owned(), |at| wait(now, at));
            let inquiry = names.get(inquiry.as_str());
            format!(" {inquiry}{until} by {:?}", by.surface)
        }
        Event::InquiryHandedOn {
            inquiry,
            from,
            to,
            reason,
            by,
            ..
        } => {
            let from = from.as_ref().map(|from| format!(" from {from}"));
            let from = from.unwrap_or_default();
            let reason = reason.as_ref().map(|reason| format!(": {reason}"));
            let inquiry = names.get(inquiry.as_str());
            let reason = reason.unwrap_or_default();
            format!(" {inquiry}{from} to {to} by {:?}{reason}", by.surface)
        }
        Event::InquiryReminded {
            inquiry,
            expires_at,
        } => format!(" {}{}", names.get(inquiry.as_str()), wait(now, *expires_at)),
        Event::AnswerHeld {
            inquiry,
            until,
            resolution,
        } => {
            let resolution = resolution.as_ref().expect("a decision has it");
            let ended = ended_words(names, inquiry, resolution);
            format!(" {ended}{}", wait(now, *until))
        }
        Event::AnswerTakenBack { inquiry, by } => {
            format!(" {} by {:?}", names.get(inquiry.as_str()), by.surface)
        }
        Event::InquiryResolved {
            inquiry,
            resolution,
            result,
        } => {
            let result = gist(result);
            format!(" {}: {result}", ended_words(names, inquiry, resolution))
        }
        Event::SubAgentsStarted { call, children } => children_words(names, call, children),
        Event::SubAgentFinished { child, result } => child_words(names, child, result),
        Event::TurnEnded { end } => match end {
            TurnEnd::Replied => " replied".to_owned(),
            TurnEnd::Stopped => " stopped".to_owned(),
            TurnEnd::Failed { failure } => format!(" failed {:?}", failure.kind),
        },
    };
    format!("{}{rest}", variant_name(event))
}

fn child_words(names: &Names, child: &ConversationId, result: &CallResult) -> String {
    format!(" {} {}", names.get(child.as_str()), gist(result))
}

fn reply_words(names: &Names, reply: &AssistantReply) -> String {
    let said = reply
        .text
        .iter()
        .map(|text| format!(" {:?}", text.as_str()));
    let calls = reply.calls.iter();
    let calls = calls.map(|call| format!(" {} {}", names.get(call.id.as_str()), call.name));
    said.chain(calls).collect()
}

fn pending_words(names: &Names, now: Timestamp, pending: &PendingInquiry) -> String {
    let call = pending.call.as_ref().map(|id| names.get(id.as_str()));
    let call = call.map_or_else(String::new, |id| format!(" for {id}"));
    let until = pending
        .expires_at
        .map_or_else(String::new, |at| wait(now, at));
    format!(" {}{call}{until}", names.get(pending.id.as_str()))
}

fn children_words(names: &Names, call: &CallId, children: &[ChildStarted]) -> String {
    let call = format!(" {}", names.get(call.as_str()));
    let name = |child: &ChildStarted| {
        let id = names.get(child.conversation.as_str());
        format!(" {id}={}", child.name)
    };
    let children = children.iter().map(name);
    std::iter::once(call).chain(children).collect()
}

fn job_line(names: &Names, now: Timestamp, job: &Job) -> String {
    let rest = match job {
        Job::RequestLlm {
            request,
            attempt,
            due,
        } => format!("{request}/{attempt}{}", wait(now, *due)),
        Job::AbortRequest { request } => request.to_string(),
        Job::RunTool { call, name, .. } => format!("{} {name}", names.get(call.as_str())),
        Job::AbortTool { call } => names.get(call.as_str()),
        Job::StartSubAgents { call, children } => {
            format!("{} {}", names.get(call.as_str()), children.len())
        }
        Job::StopSubAgents { children } => {
            let children = children.iter().map(|child| names.get(child.as_str()));
            children.collect::<Vec<_>>().join(" ")
        }
        Job::ReportToParent {
            parent,
            call,
            result,
        } => format!("{parent} {call} {}", gist(result)),
        Job::RemoveConversation => return job.name().to_owned(),
        Job::RemindInquiry { inquiry, at, .. }
        | Job::CommitHeldAnswer { inquiry, at, .. }
        | Job::ExpireInquiry { inquiry, at } => {
            format!("{}{}", names.get(inquiry.as_str()), wait(now, *at))
        }
    };
    format!("{} {rest}", job.name())
}

/// How long until `at`, if that is not now.
fn wait(now: Timestamp, at: Timestamp) -> String {
    let wait = at.duration_since(now);
    if wait.is_zero() {
        return String::new();
    }
    format!(" in {}ms", wait.as_millis())
}

/// A result in one line: whether it is an error and how it begins.
pub(super) fn gist(result: &CallResult) -> String {
    const CHARS_MAX: usize = 44;
    let mark = if result.is_error { "error" } else { "ok" };
    let content = result.content.replace('\n', "|");
    if content.chars().count() <= CHARS_MAX {
        return format!("{mark} {content}");
    }
    let begin: String = content.chars().take(CHARS_MAX).collect();
    format!("{mark} {}…", begin.trim_end())
}
