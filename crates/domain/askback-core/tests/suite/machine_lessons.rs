//! Bugs that other systems shipped and that this machine must not have: one test for each, named
//! for what must not happen again and tagged with its number in the list of lessons.

use askback_core::conversation::command::{Command, RawReply, Target};
use askback_core::conversation::event::{CallResult, Event, FailureKind};
use askback_core::conversation::history::{HistoryEntry, history};
use askback_core::conversation::job::Job;
use askback_core::conversation::policy::{AskRules, Policy};
use askback_core::conversation::state::State;
use askback_core::conversation::{Conversation, ConversationSettings, Driver, Parent};
use askback_core::dialect::Dialect;
use askback_core::id::ConversationId;
use askback_core::outcome::{Outcome, Surface};
use askback_testkit::variant_name;
use serde_json::json;

use super::machine::samples::{
    answer, ask, cancel, decline, expire, external_ask, fail, finish, red, reject, reply, reply_to,
    say, say_as, spawn, tool, withdraw,
};
use super::machine::{CheckedConversation, Kind, stored};

mod ending_tests;
mod going_on_tests;
mod single_answer_tests;

fn asked(dialect: Dialect) -> CheckedConversation {
    CheckedConversation::agent().round(&[ask(dialect)])
}

/// A conversation whose questions end unanswered after a minute.
fn hurried() -> CheckedConversation {
    let rules = |dialect| AskRules {
        expires_after_ms: Some(60_000),
        ..AskRules::of(dialect)
    };
    let policy = Policy {
        asks: Dialect::TOOLS
            .map(|dialect| (dialect, rules(dialect)))
            .into(),
        ..Policy::default()
    };
    CheckedConversation::new(Kind::Parent, policy)
}

fn job_names(jobs: &[Job]) -> Vec<&'static str> {
    jobs.iter().map(Job::name).collect()
}

fn event_names(events: &[Event]) -> Vec<String> {
    events.iter().map(variant_name).collect()
}

/// How the last inquiry ended.
fn last_outcome(checked: &CheckedConversation) -> Outcome {
    let resolved = checked.events.iter().rev().find_map(|event| {
        let Event::InquiryResolved { resolution, .. } = event else {
            return None;
        };
        Some(resolution.outcome.clone())
    });
    resolved.unwrap()
}

/// A process that died: all that is left are the stored events.
fn restarted(checked: &CheckedConversation) -> Conversation {
    let events = checked.events.iter();
    let events: Vec<Event> = events
        .map(|event| stored(&checked.conversation, event))
        .collect();
    Conversation::replay(&events).unwrap()
}
