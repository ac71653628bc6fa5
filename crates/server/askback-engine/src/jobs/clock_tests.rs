//! Goal: setting the clock, forward or back, loses no deadline, prolongs no undo window and runs
//! nothing twice; timers are removed with their inquiry.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use askback_core::conversation::command::{Command, NewDeadline, RawReply, RespondentAction};
use askback_core::conversation::event::{AgentFailure, FailureKind};
use askback_core::conversation::rejection::Rejection;
use askback_core::id::InquiryId;
use askback_core::outcome::{Outcome, Surface};
use jiff::{SignedDuration, Timestamp};

use super::queue::Queue;
use crate::commit::CommitOptions;
use crate::engine::{Engine, EngineParts};
use crate::fixtures::{
    AdjustableClock, HangingModel, TEST_TIMEOUT, TempStore, asked_inquiry, first_message,
    http_actor, parts, question, wait_until, with_timeout,
};
use crate::ports::{Llm, LlmFailure, LlmRequest, PortFuture, TokenSink};
use crate::submit::{SubmitError, Submitted};

const TWO_HOURS: SignedDuration = SignedDuration::from_hours(2);

async fn start(temp_store: &TempStore) -> (Engine, Arc<AdjustableClock>) {
    let clock = Arc::new(AdjustableClock::default());
    let parts = EngineParts {
        clock: Arc::clone(&clock) as Arc<_>,
        ..parts(temp_store.store(), HangingModel::default())
    };
    (Engine::start(parts).await.unwrap(), clock)
}

async fn ask(engine: &Engine, after: Option<SignedDuration>) -> InquiryId {
    let submitted = engine.ask(
        question(),
        after.map(NewDeadline::After),
        http_actor(),
        CommitOptions::default(),
    );
    asked_inquiry(&submitted.await.unwrap())
}

async fn submit(
    engine: &Engine,
    inquiry: &InquiryId,
    command: Command,
) -> Result<Submitted, SubmitError> {
    let row = engine.store().inquiry(inquiry).await.unwrap().unwrap();
    engine
        .submit(&row.conversation, command, http_actor())
        .await
}

async fn answer_with_undo(engine: &Engine, inquiry: &InquiryId, seconds: i64) {
    let answer = Command::AnswerWithUndo {
        target: inquiry.clone().into(),
        reply: RespondentAction::Decline,
        window: SignedDuration::from_secs(seconds),
    };
    submit(engine, inquiry, answer).await.unwrap();
}

async fn outcome(engine: &Engine, inquiry: &InquiryId) -> Outcome {
    let waited = engine.wait_for(inquiry, TEST_TIMEOUT).await;
    let ended = waited.unwrap().unwrap().resolution;
    ended.expect("it has its outcome").resolution.outcome
}

/// How many timers are in a queue and not claimed.
async fn timers(engine: &Engine, queue: &Queue) -> usize {
    let claim = engine
        .store()
        .claim_jobs(&queue.name(), Timestamp::MAX, 9_999);
    claim.await.unwrap().jobs.len()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_clock_set_forward_ends_what_is_overdue() {
    let temp_store = TempStore::new();
    let (engine, clock) = start(&temp_store).await;
    let inquiry = ask(&engine, Some(SignedDuration::from_hours(1))).await;
    clock.set(TWO_HOURS);
    assert_eq!(outcome(&engine, &inquiry).await, Outcome::Expired);
}

/// An answer 90 minutes after the deadline is refused with the time at which the question
/// expired, and by then the question has its outcome.
#[tokio::test(flavor = "multi_thread")]
async fn an_answer_after_the_deadline_is_refused() {
    let temp_store = TempStore::new();
    let (engine, clock) = start(&temp_store).await;
    let inquiry = ask(&engine, Some(SignedDuration::from_mins(30))).await;
    let row = engine.store().inquiry(&inquiry).await.unwrap().unwrap();
    let target = || inquiry.clone().into();
    clock.set(TWO_HOURS);
    let decline = Command::Decline { target: target() };
    let refused = engine
        .submit(&row.conversation, decline, http_actor())
        .await;
    let Err(SubmitError::Rejected(rejection)) = refused else {
        panic!("{refused:?}");
    };
    // Its timer may have resolved it first.
    let expired = Rejection::Expired {
        inquiry: inquiry.clone(),
        at: row.expires_at.unwrap(),
    };
    let refusals = [expired, Rejection::NotPending];
    assert!(refusals.contains(&rejection), "{rejection:?}");
    let view = engine.inquiry(&inquiry).await.unwrap().unwrap();
    let ended = view.resolution.expect("it has its outcome");
    assert_eq!(ended.resolution.outcome, Outcome::Expired);
    assert_eq!(ended.resolution.by.surface, Surface::System);
    assert_eq!(timers(&engine, &Queue::Timer).await, 0);
}

/// A timer that fires before its deadline is scheduled again, not dropped.
#[tokio::test(flavor = "multi_thread")]
async fn a_timer_that_fires_early_fires_again() {
    let temp_store = TempStore::new();
    let (engine, clock) = start(&temp_store).await;
    let inquiry = ask(&engine, Some(SignedDuration::from_hours(1))).await;
    let queue = Queue::Timer.name();
    let claim = engine.store().claim_jobs(&queue, Timestamp::MAX, 9);
    let early = claim.await.unwrap().jobs;
    assert_eq!(early.len(), 2);
    for job in &early {
        let now = engine.clock().now();
        engine.store().release_job(job.id, now).await.unwrap();
    }
    engine.inner.job_waker.wake(Some(&Queue::Timer));
    with_timeout("the deadline is scheduled again", async {
        let due = Timestamp::now() + SignedDuration::from_mins(59);
        loop {
            let claim = engine.store().claim_jobs(&queue, Timestamp::UNIX_EPOCH, 9);
            if claim.await.unwrap().next_at.is_some_and(|at| at > due) {
                return;
            }
            tokio::task::yield_now().await;
        }
    })
    .await;
    let view = engine.inquiry(&inquiry).await.unwrap().unwrap();
    assert!(view.resolution.is_none(), "it waits");
    clock.set(SignedDuration::from_mins(61));
    assert_eq!(outcome(&engine, &inquiry).await, Outcome::Expired);
}

/// A deadline that the clock jumped over does not shorten the undo window, and an answer that
/// was undone is not sent: the question expires instead.
#[tokio::test(flavor = "multi_thread")]
async fn undo_works_after_the_clock_jumped_over_the_deadline() {
    let temp_store = TempStore::new();
    let (engine, clock) = start(&temp_store).await;
    let inquiry = ask(&engine, Some(SignedDuration::from_mins(30))).await;
    answer_with_undo(&engine, &inquiry, 60).await;
    clock.set(TWO_HOURS);
    let queue = Queue::Timer.name();
    with_timeout("the deadline has been looked at", async {
        loop {
            let claim = engine.store().claim_jobs(&queue, Timestamp::UNIX_EPOCH, 9);
            let soon = engine.clock().now() - SignedDuration::from_mins(1);
            if claim.await.unwrap().next_at.is_some_and(|at| at > soon) {
                return;
            }
            tokio::task::yield_now().await;
        }
    })
    .await;
    let target = inquiry.clone().into();
    let undone = submit(&engine, &inquiry, Command::UndoAnswer { target }).await;
    assert!(undone.is_ok(), "{undone:?}");
    assert_eq!(outcome(&engine, &inquiry).await, Outcome::Expired);
}

/// The undo window is measured by elapsed time: it ends after two seconds, and not after two hours.
#[tokio::test(flavor = "multi_thread")]
async fn an_undo_window_keeps_its_length() {
    for by in [TWO_HOURS, -TWO_HOURS] {
        let temp_store = TempStore::new();
        let (engine, clock) = start(&temp_store).await;
        let inquiry = ask(&engine, None).await;
        let before = tokio::time::Instant::now();
        answer_with_undo(&engine, &inquiry, 2).await;
        clock.set(by);
        // Something wakes the timers, as it does in a busy server.
        ask(&engine, Some(SignedDuration::from_hours(9))).await;
        assert_eq!(outcome(&engine, &inquiry).await, Outcome::Declined);
        let lasted = before.elapsed();
        // The clock has milliseconds, and the time until it was asked counts.
        assert!(lasted >= Duration::from_millis(1_900), "{by}: {lasted:?}");
    }
}

/// After a restart only the wall clock is left. If it shows a time before the answer, the whole
/// undo window starts again, and does not last for hours.
#[tokio::test(flavor = "multi_thread")]
async fn a_restart_with_a_clock_set_back_commits_the_held_answer() {
    let temp_store = TempStore::new();
    let (engine, _) = start(&temp_store).await;
    let inquiry = ask(&engine, None).await;
    answer_with_undo(&engine, &inquiry, 2).await;
    engine.shut_down().await;
    drop(engine);
    let clock = Arc::new(AdjustableClock::default());
    clock.set(-TWO_HOURS);
    let parts = EngineParts {
        clock,
        ..parts(temp_store.reopened().await, HangingModel::default())
    };
    let engine = Engine::start(parts).await.unwrap();
    let ended = outcome(&engine, &inquiry);
    assert_eq!(
        with_timeout("it is committed", ended).await,
        Outcome::Declined
    );
}

/// A claimed job is not claimed again because the clock has jumped.
#[tokio::test(flavor = "multi_thread")]
async fn a_clock_set_forward_runs_nothing_twice() {
    let temp_store = TempStore::new();
    let clock = Arc::new(AdjustableClock::default());
    let silent = HangingModel::default();
    let parts = EngineParts {
        clock: Arc::clone(&clock) as Arc<_>,
        ..parts(temp_store.store(), silent.clone())
    };
    let engine = Engine::start(parts).await.unwrap();
    let begin = || {
        engine.create(
            first_message("Think."),
            http_actor(),
            CommitOptions::default(),
        )
    };
    begin().await.unwrap();
    wait_until("it is asked", || silent.0.load(Ordering::SeqCst) == 1).await;
    clock.set(SignedDuration::from_hours(8 * 24));
    begin().await.unwrap();
    wait_until("it is asked", || silent.0.load(Ordering::SeqCst) == 2).await;
    let claim = engine.store().claim_jobs("llm", Timestamp::MAX, 99);
    assert_eq!(claim.await.unwrap().jobs, [], "both are held");
    assert_eq!(silent.0.load(Ordering::SeqCst), 2);
}

/// A provider that is overloaded at the first request.
struct OverloadedOnce(Arc<AtomicUsize>);

impl Llm for OverloadedOnce {
    fn request<'a>(
        &'a self,
        _: LlmRequest,
        _: &'a dyn TokenSink,
    ) -> PortFuture<'a, Result<RawReply, LlmFailure>> {
        let first = self.0.fetch_add(1, Ordering::SeqCst) == 0;
        let busy = Err(LlmFailure {
            failure: AgentFailure::new(FailureKind::Overloaded, "Busy."),
            retry_after: Some(SignedDuration::from_secs(3)),
        });
        let done = Ok(RawReply {
            text: "Done.".to_owned(),
            ..RawReply::default()
        });
        Box::pin(std::future::ready(if first { busy } else { done }))
    }
}

/// The delay before a retry does not become two hours long.
#[tokio::test(flavor = "multi_thread")]
async fn a_clock_set_back_prolongs_no_retry_delay() {
    let temp_store = TempStore::new();
    let clock = Arc::new(AdjustableClock::default());
    let requests = Arc::new(AtomicUsize::new(0));
    let parts = EngineParts {
        clock: Arc::clone(&clock) as Arc<_>,
        ..parts(temp_store.store(), OverloadedOnce(Arc::clone(&requests)))
    };
    let engine = Engine::start(parts).await.unwrap();
    let begun = engine.create(first_message("Go."), http_actor(), CommitOptions::default());
    let id = begun.await.unwrap().conversation.settings.id.clone();
    with_timeout("it waits for the second attempt", async {
        loop {
            let found = engine.current_conversation(&id).await.unwrap();
            if found.state.is_attempt(1, 2) {
                break;
            }
            tokio::task::yield_now().await;
        }
    })
    .await;
    clock.set(-TWO_HOURS);
    wait_until("it is tried again", || requests.load(Ordering::SeqCst) == 2).await;
}

/// A deadline that is moved to before the end of the undo window commits the answer in time.
#[tokio::test(flavor = "multi_thread")]
async fn a_moved_deadline_ends_the_undo_window() {
    let temp_store = TempStore::new();
    let (engine, _) = start(&temp_store).await;
    let inquiry = ask(&engine, Some(TWO_HOURS)).await;
    let target = || inquiry.clone().into();
    answer_with_undo(&engine, &inquiry, 60).await;
    let sooner = Command::MoveDeadline {
        target: target(),
        to: Some(NewDeadline::After(SignedDuration::from_secs(2))),
    };
    submit(&engine, &inquiry, sooner).await.unwrap();
    let row = engine.store().inquiry(&inquiry).await.unwrap().unwrap();
    let queue = Queue::HeldAnswers.name();
    let claim = engine.store().claim_jobs(&queue, Timestamp::UNIX_EPOCH, 9);
    // None if it has been committed already.
    let due = claim.await.unwrap().next_at;
    assert!(
        due.is_none_or(|at| at <= row.expires_at.unwrap()),
        "{due:?}"
    );
    assert_eq!(outcome(&engine, &inquiry).await, Outcome::Declined);
    let undo = Command::UndoAnswer { target: target() };
    let refused = submit(&engine, &inquiry, undo).await;
    assert!(
        matches!(refused, Err(SubmitError::Rejected(Rejection::NotPending))),
        "{refused:?}"
    );
    assert_eq!(timers(&engine, &Queue::HeldAnswers).await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_moved_deadline_leaves_one_set_of_timers() {
    let temp_store = TempStore::new();
    let (engine, _) = start(&temp_store).await;
    let inquiry = ask(&engine, Some(TWO_HOURS)).await;
    let move_to = |after: Option<SignedDuration>| Command::MoveDeadline {
        target: inquiry.clone().into(),
        to: after.map(NewDeadline::After),
    };
    for minutes in 0..300 {
        let after = TWO_HOURS + SignedDuration::from_mins(minutes);
        submit(&engine, &inquiry, move_to(Some(after)))
            .await
            .unwrap();
    }
    assert_eq!(timers(&engine, &Queue::Timer).await, 2);
    let other = ask(&engine, Some(TWO_HOURS)).await;
    submit(&engine, &inquiry, move_to(None)).await.unwrap();
    assert_eq!(timers(&engine, &Queue::Timer).await, 2, "those of {other}");
}

/// Leftover timers of a resolved inquiry do not keep its conversation from being pruned.
#[tokio::test(flavor = "multi_thread")]
async fn answered_questions_with_a_deadline_can_be_pruned() {
    let temp_store = TempStore::new();
    let (engine, _) = start(&temp_store).await;
    let inquiry = ask(&engine, Some(TWO_HOURS)).await;
    answer_with_undo(&engine, &inquiry, 60).await;
    let target = || inquiry.clone().into();
    let undo = Command::UndoAnswer { target: target() };
    submit(&engine, &inquiry, undo).await.unwrap();
    assert_eq!(timers(&engine, &Queue::HeldAnswers).await, 0);
    let decline = Command::Decline { target: target() };
    submit(&engine, &inquiry, decline).await.unwrap();
    assert_eq!(timers(&engine, &Queue::Timer).await, 0);
    let later = engine.clock().now() + SignedDuration::from_secs(1);
    let ended = engine.store().ended_conversations(later, 9).await.unwrap();
    assert_eq!(ended.len(), 1);
}
