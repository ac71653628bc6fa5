//! Every verb at once, among kills and pauses: nothing is lost, nothing happens twice, and nothing comes from nowhere.
//!
//! Clients send every kind of request to one node on SQLite, or to two nodes on PostgreSQL: they ask, with and without a key,
//! and repeat what others have asked; answer, in full, in part and with an undo window; undo, commit, decline, reject,
//! cancel, withdraw, hand on, snooze, move and remove deadlines, save and read drafts, write messages to the built-in agent,
//! stop it, delete conversations, wait, list, and press buttons of messages. They choose among a few questions, so that they
//! meet. Meanwhile nodes are killed, paused and stopped, and on PostgreSQL also cut off, and the database crashes. The name
//! of the actor is different in each request, so that an outcome names the request that it comes from.
//!
//! At the end everything comes to rest. Then [`check`] compares each response with each node, the list, several listeners of
//! the feed (one of them leaves and comes back all the time, and one begins at the end), the webhooks, the messages of a
//! channel and the audit. What must hold:
//!
//! - `AskedQuestionExists`: a question whose ask was acknowledged is on every node.
//! - `QuestionIsAskedOnce`: what was asked once, or repeated with the same key, is one question.
//! - `QuestionWasSent`: every question was sent by somebody who was not refused.
//! - `OneEnding`: all places show the same outcome, by the same person, at the same time.
//! - `EndingStays`: a question that was seen to have ended is never seen pending again.
//! - `AcknowledgedEndingHolds`: an acknowledged answer is the outcome. One with an undo window may have been undone, or
//!   discarded by somebody who stopped the agent.
//! - `EndingWasSent`: every outcome was sent by the one it names, to this question, in these words. Only `expired` comes
//!   from nobody, if there was a deadline.
//! - `OneWinner`: at most one of those who wanted to end a question was told that they did.
//! - `RefusalNamesWinner`: whoever came too late was told who was first, and what they said.
//! - `KeySaysTheSame`: requests with the same key get the same question and do not contradict each other, also if a response
//!   was lost.
//! - `NoInternalError`: no request fails with status 500.
//! - `DeadlineIsKept`: nothing expires before its deadline, and nothing is answered after it. The agent can be
//!   stopped, and a question withdrawn, until the expiry is written.
//! - `ResultHasAnswer`: the agent gets the answer that is the outcome.
//! - `AgentContinues`: the built-in agent asks each question of its script, and comes to rest.
//! - `MessageIsKeptOnce`: an acknowledged message is in its conversation once.
//! - `FeedIsInOrder`: sequence numbers rise, and no event comes twice.
//! - `FeedIsComplete`: every question is asked once in each feed, and resolved once if it has ended.
//! - `FeedsAgree`: all feeds have the same events at the same places.
//! - `LifeIsInOrder`: asked first, then held and reopened in turns, then resolved, then nothing. A deadline within the undo
//!   window shortens it, which is shown as held again.
//! - `UndoIsShownOnce`: an acknowledged undo is in the feed once, and so is each answer that could be undone.
//! - `WebhookIsDelivered`: an outcome arrives at its webhook.
//! - `WebhookIsTheOutcome`: all deliveries of an outcome are the same, and say what the outcome is.
//! - `CardShowsEnding`: a message of an ended question has no buttons, and shows its answer and no other, unless the
//!   server was killed while it sent the message and does not know of it.
//! - `AuditHasOneLine`: the audit has one line for each outcome.
//! - `AuditFollowsFeed`: a line is where the event is, and names somebody who did it.
//! - `NodesAgree`: both nodes show the same.
//! - `ListIsComplete`: the list has every question once.
//! - `DraftIsKept`: a draft that is read is the last one that was saved.
//! - `SnoozeEnds`: no ended question is hidden from the inbox.
//!
//! Of a deleted conversation only that is required which survives the deletion.
//!
//! The checks are tested in three ways: faults are planted in a made-up history (`check_tests`), in the histories of real
//! runs, and in the database of a real run between a kill and the next start. All must be found.
//!
//! `cargo xtask exactly-once` makes long runs. The seed decides what clients do and when faults come; it does not decide the
//! timing of processes.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "a check is about a few kinds of requests, and all others are the same to it"
)]

mod alterations;
mod check;
mod check_tests;
mod choose;
mod clients;
mod cluster;
mod history;
mod numbers;
mod observe;
mod run;
mod sample;
mod send;

use self::alterations::ALTERATIONS;
use self::check::{Invariant, check};
use self::cluster::Storage;
use self::history::{History, Request};
use self::run::{Plan, Run, assert_sound};

/// Clients that send requests at the same time.
const CLIENTS: usize = 8;
/// Questions of the built-in agent between two other replies.
const AGENT_QUESTIONS: u64 = 4;
const BOT_TOKEN: &str = "123456:a-secret-that-nobody-may-see";
const ZOE: &str = "Zoe";
const BEN: &str = "Ben";
/// Those who get messages, with their ids in Telegram.
const PEOPLE: [(&str, i64); 2] = [(ZOE, 42), (BEN, 7)];

/// The value of a variable, for long runs.
fn variable(name: &str, default: u64) -> u64 {
    let value = std::env::var(name).ok();
    value.map_or(default, |value| value.parse().expect("it is a number"))
}

fn plan(storage: Storage, faults: u64) -> Plan {
    let faults = variable("ASKBACK_FAULTS", faults);
    Plan {
        storage,
        seed: variable("ASKBACK_SEED", 1),
        faults: usize::try_from(faults).expect("it is small"),
    }
}

async fn run_among_faults(plan: Plan) {
    let mut run = Run::start(plan).await;
    run.inject_faults().await;
    let history = run.finish().await;
    assert_sound(plan, &history);
    find_alterations(&history);
}

/// The history has enough in it that what is planted in it is found.
fn find_alterations(history: &History) {
    let mut applied = 0;
    for alteration in ALTERATIONS {
        let mut altered = history.clone();
        if (alteration.apply)(&mut altered).is_none() {
            continue;
        }
        applied += 1;
        let found = check(&altered);
        assert!(
            found.iter().any(|it| it.invariant == alteration.breaks),
            "{} is not found: {found:?}",
            alteration.name
        );
    }
    eprintln!(
        "{applied} of {} planted faults applied, all were found",
        ALTERATIONS.len()
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn everything_happens_once_on_sqlite() {
    run_among_faults(plan(Storage::Sqlite, 6)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn everything_happens_once_on_two_postgres_nodes() {
    run_among_faults(plan(Storage::Postgres, 5)).await;
}

/// Changes of the database, and what they break: the outcome of one question is lost from the feed, another question is lost, the
/// words of answers are changed, and keys are forgotten.
const TAMPERING: [(&str, &[Invariant]); 4] = [
    (
        "DELETE FROM records WHERE last = (SELECT max(last) FROM records WHERE body LIKE '%inquiry_resolved%' AND conversation <>
         (SELECT conversation FROM inquiries WHERE number = (SELECT min(number) FROM inquiries WHERE source IS NOT NULL)))",
        &[
            Invariant::FeedIsComplete,
            Invariant::FeedsAgree,
            Invariant::AuditHasOneLine,
        ],
    ),
    (
        "DELETE FROM inquiries WHERE number = (SELECT min(number) FROM inquiries WHERE source IS NOT NULL)",
        &[Invariant::AskedQuestionExists],
    ),
    (
        "UPDATE inquiries SET resolution = replace(resolution, 'answer 1', 'changed')",
        &[Invariant::OneEnding, Invariant::EndingWasSent],
    ),
    (
        "DELETE FROM request_keys",
        &[Invariant::QuestionIsAskedOnce, Invariant::KeySaysTheSame],
    ),
];

/// A server that loses, changes and doubles what it has stored is found out.
async fn find_tampering(storage: Storage, drop_trigger: &str) {
    let plan = plan(storage, 0);
    let mut run = Run::start(plan).await;
    run.until_everything_was_done().await;
    let changes = TAMPERING.map(|(sql, _)| sql).join("; ");
    run.cluster.tamper(&format!("{drop_trigger}; {changes}"));
    let repeated = run.board.operations().into_iter().find(|operation| {
        let is_ask = matches!(&operation.request, Request::Ask(ask) if ask.conversation.is_none());
        is_ask && operation.is_accepted() && operation.request.key().is_some()
    });
    let repeated = repeated.expect("somebody has asked with a key");
    run.board.perform(0, "repetition", repeated.request).await;
    let found = check(&run.finish().await);
    for (sql, invariants) in TAMPERING {
        for invariant in invariants {
            assert!(
                found.iter().any(|it| it.invariant == *invariant),
                "{sql}: {invariant:?} is not among {found:#?}"
            );
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tampering_with_sqlite_is_found() {
    find_tampering(Storage::Sqlite, "DROP TRIGGER one_outcome").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tampering_with_postgres_is_found() {
    find_tampering(Storage::Postgres, "DROP TRIGGER one_outcome ON inquiries").await;
}
