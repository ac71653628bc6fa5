//! How inquiries are asked from outside and get their one outcome: by an answer, a decline, a
//! refusal or a deadline.

use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use crate::conversation::command::{Command, NewDeadline, Target};
use crate::conversation::event::{CallResult, Event};
use crate::conversation::fixtures::{
    Fixture, answer, ask, check, decline, expire, external_ask, raw_call, red, reject, revision,
    rules, tool,
};
use crate::conversation::job::Job;
use crate::conversation::policy::Policy;
use crate::dialect::Dialect;
use crate::id::InquiryId;
use crate::limits;
use crate::outcome::Surface;

#[path = "resolve_tests/answers_tests.rs"]
mod answers_tests;
#[path = "resolve_tests/deadlines_tests.rs"]
mod deadlines_tests;
#[path = "resolve_tests/external_tests.rs"]
mod external_tests;

const LISTS_AND_FORMS: [Dialect; 3] = [
    Dialect::AskUserQuestion,
    Dialect::AskUserQuestionClaude,
    Dialect::AskUser,
];

fn asked(dialect: Dialect) -> Fixture {
    Fixture::agent().round(&[ask(dialect)])
}

fn minute() -> SignedDuration {
    SignedDuration::from_mins(1)
}

/// A question that ends unanswered after a minute.
fn asked_for_a_minute(dialect: Dialect) -> Fixture {
    let policy = rules(dialect, |rules| rules.expires_after_ms = Some(60_000));
    Fixture::with(policy).round(&[ask(dialect)])
}

fn move_deadline(inquiry: InquiryId, expires_at: Option<Timestamp>) -> Command {
    Command::MoveDeadline {
        target: inquiry.into(),
        to: expires_at.map(NewDeadline::At),
    }
}

fn retarget(command: Command, inquiry: InquiryId) -> Command {
    if let Command::Answer { answers, notes, .. } = command {
        let target = inquiry.into();
        return Command::Answer {
            target,
            answers,
            notes,
        };
    }
    decline(inquiry)
}
