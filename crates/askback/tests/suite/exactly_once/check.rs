//! Compares everything in a [`History`]: a pure function from what was recorded to what is wrong with it.

mod agents;
mod audit;
mod copies;
mod facts;
mod feeds;
mod messages;
mod outcomes;
mod questions;
mod responses;

use std::fmt;

use self::facts::Facts;
use super::history::History;

/// What must hold. The list with its reasons is in the documentation of the module above.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Invariant {
    AskedQuestionExists,
    QuestionIsAskedOnce,
    QuestionWasSent,
    OneEnding,
    EndingStays,
    AcknowledgedEndingHolds,
    EndingWasSent,
    OneWinner,
    RefusalNamesWinner,
    KeySaysTheSame,
    NoInternalError,
    DeadlineIsKept,
    ResultHasAnswer,
    AgentContinues,
    MessageIsKeptOnce,
    FeedIsInOrder,
    FeedIsComplete,
    FeedsAgree,
    LifeIsInOrder,
    UndoIsShownOnce,
    WebhookIsDelivered,
    WebhookIsTheOutcome,
    CardShowsEnding,
    AuditHasOneLine,
    AuditFollowsFeed,
    NodesAgree,
    ListIsComplete,
    DraftIsKept,
    SnoozeEnds,
}

impl Invariant {
    pub(crate) const ALL: [Invariant; 29] = [
        Invariant::AskedQuestionExists,
        Invariant::QuestionIsAskedOnce,
        Invariant::QuestionWasSent,
        Invariant::OneEnding,
        Invariant::EndingStays,
        Invariant::AcknowledgedEndingHolds,
        Invariant::EndingWasSent,
        Invariant::OneWinner,
        Invariant::RefusalNamesWinner,
        Invariant::KeySaysTheSame,
        Invariant::NoInternalError,
        Invariant::DeadlineIsKept,
        Invariant::ResultHasAnswer,
        Invariant::AgentContinues,
        Invariant::MessageIsKeptOnce,
        Invariant::FeedIsInOrder,
        Invariant::FeedIsComplete,
        Invariant::FeedsAgree,
        Invariant::LifeIsInOrder,
        Invariant::UndoIsShownOnce,
        Invariant::WebhookIsDelivered,
        Invariant::WebhookIsTheOutcome,
        Invariant::CardShowsEnding,
        Invariant::AuditHasOneLine,
        Invariant::AuditFollowsFeed,
        Invariant::NodesAgree,
        Invariant::ListIsComplete,
        Invariant::DraftIsKept,
        Invariant::SnoozeEnds,
    ];
}

/// An invariant that does not hold, and for what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Violation {
    pub(crate) invariant: Invariant,
    pub(crate) text: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {}", self.invariant, self.text)
    }
}

/// What is found, in the order in which it is looked for.
#[derive(Default)]
struct Violations(Vec<Violation>);

impl Violations {
    fn add(&mut self, invariant: Invariant, text: impl Into<String>) {
        let text = text.into();
        self.0.push(Violation { invariant, text });
    }

    /// Adds a violation unless the condition holds.
    fn expect(&mut self, holds: bool, invariant: Invariant, text: impl FnOnce() -> String) {
        if !holds {
            self.add(invariant, text());
        }
    }
}

/// Everything that is wrong.
pub(crate) fn check(history: &History) -> Vec<Violation> {
    let facts = Facts::of(history);
    let mut found = Violations::default();
    questions::check(&facts, &mut found);
    outcomes::check(&facts, &mut found);
    responses::check(&facts, &mut found);
    agents::check(&facts, &mut found);
    feeds::check(&facts, &mut found);
    messages::check(&facts, &mut found);
    audit::check(&facts, &mut found);
    copies::check(&facts, &mut found);
    found.0
}

/// Whether webhooks have arrived and messages of channels have lost their buttons, of everything that has ended.
pub(crate) fn is_delivered(history: &History) -> bool {
    messages::is_delivered(&Facts::of(history))
}
