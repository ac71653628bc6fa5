//! Goal: a clock that is set, forward or back, loses no deadline, stretches no hold and runs nothing
//! twice; timers leave with their question.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use askback_core::conversation::command::{Command, Reply};
use askback_core::id::InquiryId;
use askback_core::outcome::Outcome;
use jiff::{SignedDuration, Timestamp};

use super::queue::Queue;
use crate::commit::Extras;
use crate::engine::{Engine, Parts};
use crate::submit::{SubmitError, Submitted};
use crate::world::{
    Scratch, SetClock, Silent, asked, parts, question, says, somebody, until, within,
};

const TWO_HOURS: SignedDuration = SignedDuration::from_hours(2);

async fn start(scratch: &Scratch) -> (Engine, Arc<SetClock>) {
    let clock = Arc::new(SetClock::default());
    let parts = Parts {
        clock: Arc::clone(&clock) as Arc<_>,
        ..parts(scratch.store(), Silent::default())
    };
    (Engine::start(parts).await.unwrap(), clock)
}

async fn ask(engine: &Engine, after: Option<SignedDuration>) -> InquiryId {
    let submitted = engine.ask(question(), after, somebody(), Extras::default());
    asked(&submitted.await.unwrap())
}

async fn submit(
    engine: &Engine,
    inquiry: &InquiryId,
    command: Command,
) -> Result<Submitted, SubmitError> {
    let row = engine.store().inquiry(inquiry).await.unwrap().unwrap();
    engine.submit(&row.conversation, command, somebody()).await
}

async fn hold(engine: &Engine, inquiry: &InquiryId, seconds: i64) {
    let hold = Command::Hold {
        target: inquiry.clone().into(),
        reply: Reply::Decline,
        until: engine.clock().now() + SignedDuration::from_secs(seconds),
    };
    submit(engine, inquiry, hold).await.unwrap();
}

async fn outcome(engine: &Engine, inquiry: &InquiryId) -> Outcome {
    let waited = engine.wait_for(inquiry, Duration::from_mins(1)).await;
    let ended = waited.unwrap().unwrap().ended;
    ended.expect("it has its outcome").resolution.outcome
}

/// How many timers there are, whoever holds them.
async fn timers(engine: &Engine, queue: &Queue) -> usize {
    let claim = engine
        .store()
        .claim_jobs(&queue.name(), Timestamp::MAX, 9_999);
    claim.await.unwrap().jobs.len()
}

/// F-S12
#[tokio::test(flavor = "multi_thread")]
async fn a_clock_set_forward_ends_what_is_overdue() {
    let scratch = Scratch::new();
    let (engine, clock) = start(&scratch).await;
    let inquiry = ask(&engine, Some(SignedDuration::from_hours(1))).await;
    clock.set(TWO_HOURS);
    assert_eq!(outcome(&engine, &inquiry).await, Outcome::Expired);
}

/// F-S12: a hold is measured by elapsed time.
#[tokio::test(flavor = "multi_thread")]
async fn a_hold_lasts_as_long_as_it_was_given_for() {
    for by in [TWO_HOURS, -TWO_HOURS] {
        let scratch = Scratch::new();
        let (engine, clock) = start(&scratch).await;
        let inquiry = ask(&engine, None).await;
        let before = tokio::time::Instant::now();
        hold(&engine, &inquiry, 2).await;
        clock.set(by);
        // Something wakes the timers, as it does in a busy server.
        ask(&engine, Some(SignedDuration::from_hours(9))).await;
        assert_eq!(outcome(&engine, &inquiry).await, Outcome::Declined);
        let lasted = before.elapsed();
        // The clock has milliseconds, and the time until it was asked counts.
        assert!(lasted >= Duration::from_millis(1_900), "{by}: {lasted:?}");
        assert!(lasted < Duration::from_secs(30), "{by}: {lasted:?}");
    }
}

/// F-S12: after a restart the wall clock is all there is. One that stands before the answer was
/// given holds it for its whole time once more, and not for hours.
#[tokio::test(flavor = "multi_thread")]
async fn a_restart_with_a_clock_set_back_releases_what_is_held() {
    let scratch = Scratch::new();
    let (engine, _) = start(&scratch).await;
    let inquiry = ask(&engine, None).await;
    hold(&engine, &inquiry, 2).await;
    engine.shut_down().await;
    drop(engine);
    let clock = Arc::new(SetClock::default());
    clock.set(-TWO_HOURS);
    let parts = Parts {
        clock,
        ..parts(scratch.store(), Silent::default())
    };
    let engine = Engine::start(parts).await.unwrap();
    let ended = outcome(&engine, &inquiry);
    assert_eq!(within("it is released", ended).await, Outcome::Declined);
}

/// F-S12: what is claimed is not claimed again because a clock has moved on.
#[tokio::test(flavor = "multi_thread")]
async fn a_clock_set_forward_runs_nothing_twice() {
    let scratch = Scratch::new();
    let clock = Arc::new(SetClock::default());
    let silent = Silent::default();
    let parts = Parts {
        clock: Arc::clone(&clock) as Arc<_>,
        ..parts(scratch.store(), silent.clone())
    };
    let engine = Engine::start(parts).await.unwrap();
    let begin = || engine.create(says("Think."), somebody(), Extras::default());
    begin().await.unwrap();
    until("it is asked", || silent.0.load(Ordering::SeqCst) == 1).await;
    clock.set(SignedDuration::from_hours(8 * 24));
    begin().await.unwrap();
    until("it is asked", || silent.0.load(Ordering::SeqCst) == 2).await;
    let claim = engine.store().claim_jobs("llm", Timestamp::MAX, 99);
    assert_eq!(claim.await.unwrap().jobs, [], "both are held");
    assert_eq!(silent.0.load(Ordering::SeqCst), 2);
}

/// F-S13
#[tokio::test(flavor = "multi_thread")]
async fn a_moved_deadline_leaves_one_set_of_timers() {
    let scratch = Scratch::new();
    let (engine, _) = start(&scratch).await;
    let inquiry = ask(&engine, Some(TWO_HOURS)).await;
    let move_to = |at| Command::MoveDeadline {
        target: inquiry.clone().into(),
        expires_at: at,
    };
    for minutes in 0..300 {
        let at = engine.clock().now() + TWO_HOURS + SignedDuration::from_mins(minutes);
        submit(&engine, &inquiry, move_to(Some(at))).await.unwrap();
    }
    assert_eq!(timers(&engine, &Queue::Timer).await, 2);
    let other = ask(&engine, Some(TWO_HOURS)).await;
    submit(&engine, &inquiry, move_to(None)).await.unwrap();
    assert_eq!(timers(&engine, &Queue::Timer).await, 2, "those of {other}");
}

/// F-S13: nothing of a question that has its outcome keeps its conversation from being deleted.
#[tokio::test(flavor = "multi_thread")]
async fn answered_questions_with_a_deadline_can_be_pruned() {
    let scratch = Scratch::new();
    let (engine, _) = start(&scratch).await;
    let inquiry = ask(&engine, Some(TWO_HOURS)).await;
    hold(&engine, &inquiry, 60).await;
    let target = || inquiry.clone().into();
    let undo = Command::TakeBack { target: target() };
    submit(&engine, &inquiry, undo).await.unwrap();
    assert_eq!(timers(&engine, &Queue::Hold).await, 0);
    let decline = Command::Decline { target: target() };
    submit(&engine, &inquiry, decline).await.unwrap();
    assert_eq!(timers(&engine, &Queue::Timer).await, 0);
    let later = engine.clock().now() + SignedDuration::from_secs(1);
    assert_eq!(engine.store().prune(later, 9).await.unwrap(), 1);
}
