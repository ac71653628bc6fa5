//! What is known to be true, from what was committed, and what must hold because of it.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use askback_core::conversation::event::Event;
use askback_core::id::{CallId, ConversationId, InquiryId};
use askback_core::outcome::Resolution;
use askback_engine::InquiryView;
use askback_store::{Commit, CommitReceipt, InquiryChange, InquiryRow, Sequence};

use jiff::Timestamp;

use crate::actions::Action;
use crate::clients::feed_reader::ReaderState;
use crate::hand_ons::HandOnAttempt;
use crate::memory_store::Tables;
use crate::process::Process;

const PENDING: &str = "pending";

/// Everything that was ever committed, and everything that clients were told.
#[derive(Default)]
pub(crate) struct InvariantChecker {
    newest: Sequence,
    /// Every record ever committed, by its last position.
    pub(crate) log: BTreeMap<Sequence, CommittedRecord>,
    /// Every inquiry ever asked.
    pub(crate) asked: BTreeMap<InquiryId, AskedInquiry>,
    /// Every outcome ever committed.
    pub(crate) outcomes: BTreeMap<InquiryId, CommittedOutcome>,
    /// Events by their position, as a listener saw them first.
    events: BTreeMap<Sequence, Event>,
    /// The position of the one result of each call.
    call_results: BTreeMap<CallId, Sequence>,
    /// The position of the one outcome of each inquiry.
    outcome_positions: BTreeMap<InquiryId, Sequence>,
    /// The end of the undo window of the last answer that was held, by inquiry.
    undo_windows: BTreeMap<InquiryId, Timestamp>,
    /// The wall clock is never set, so that it can be compared.
    pub(crate) has_steady_clock: bool,
    /// The commits of keyed requests.
    pub(crate) keys: BTreeMap<String, KeyedCommit>,
    /// What respondents did, by the name that they did it under.
    pub(crate) actions: BTreeMap<String, Action>,
    /// Attempts to hand inquiries on, by the name that they were made under.
    pub(crate) hand_ons: BTreeMap<String, HandOnAttempt>,
    /// How often each tool call was run from its beginning.
    pub(crate) tool_runs: BTreeMap<CallId, u32>,
    /// Requests to models under way, and the processes that make them.
    pub(crate) requests: BTreeMap<String, Arc<Process>>,
    /// Outcomes that a webhook receiver has accepted, by inquiry.
    pub(crate) webhooks: BTreeMap<String, String>,
    /// The listeners of the feed and how far they have read.
    pub(crate) readers: BTreeMap<u64, ReaderState>,
    /// The long polls that wait, by the inquiry that they wait for.
    pub(crate) polls: BTreeMap<u64, WaitingPoll>,
    /// Every draft that was ever sent, by inquiry.
    pub(crate) drafts: BTreeMap<InquiryId, Vec<String>>,
    /// Sessions that took over from others, by name.
    pub(crate) takeovers: BTreeMap<String, Vec<String>>,
}

/// A long poll that has no reply yet.
#[derive(Debug, Clone)]
pub(crate) struct WaitingPoll {
    pub(crate) inquiry: InquiryId,
    pub(crate) since: Duration,
}

/// A record of the log.
#[derive(Debug, Clone)]
pub(crate) struct CommittedRecord {
    pub(crate) first: Sequence,
    pub(crate) conversation: ConversationId,
    /// Monotonic time since the start.
    pub(crate) committed_at: Duration,
}

/// An inquiry as it was asked.
#[derive(Debug, Clone)]
pub(crate) struct AskedInquiry {
    pub(crate) conversation: ConversationId,
    pub(crate) source: Option<String>,
    pub(crate) webhook: Option<String>,
}

/// The outcome of an inquiry.
#[derive(Debug, Clone)]
pub(crate) struct CommittedOutcome {
    pub(crate) status: String,
    json: String,
    at: Timestamp,
    /// Monotonic time since the start.
    pub(crate) committed_at: Duration,
}

/// The commit of a keyed request.
#[derive(Debug, Clone)]
pub(crate) struct KeyedCommit {
    pub(crate) inquiry: Option<InquiryId>,
}

type Checked = Result<(), String>;

fn ensure(holds: bool, what: impl FnOnce() -> String) -> Checked {
    if holds { Ok(()) } else { Err(what()) }
}

impl InvariantChecker {
    /// Adds a commit that has just taken effect.
    pub(crate) fn note_commit(
        &mut self,
        tables: &Tables,
        commit: &Commit,
        receipt: &CommitReceipt,
        elapsed: Duration,
    ) -> Checked {
        let id = &commit.conversation;
        if let Some(record) = &commit.record {
            let first = receipt.first_sequence;
            let expected = self.newest + 1;
            ensure(first == expected, || {
                format!("{id}: committed at {first}, not at {expected}")
            })?;
            self.newest += record.positions;
            let committed = CommittedRecord {
                first,
                conversation: id.clone(),
                committed_at: elapsed,
            };
            self.log.insert(self.newest, committed);
        }
        for change in &commit.inquiries {
            self.note_inquiry(tables, id, change, commit.at, elapsed)?;
        }
        let inquiry = commit.inquiries.first().map(InquiryChange::id);
        for key in &commit.keys {
            let commit = KeyedCommit {
                inquiry: inquiry.cloned(),
            };
            self.keys.insert(key.key.clone(), commit);
        }
        Ok(())
    }

    fn note_inquiry(
        &mut self,
        tables: &Tables,
        conversation: &ConversationId,
        change: &InquiryChange,
        at: Timestamp,
        committed_at: Duration,
    ) -> Checked {
        match change {
            InquiryChange::Ask { inquiry: new, .. } => {
                let asked = AskedInquiry {
                    conversation: conversation.clone(),
                    source: new.source.clone().map(String::from),
                    webhook: new.webhook.clone(),
                };
                let before = self.asked.insert(new.id.clone(), asked);
                ensure(before.is_none(), || format!("{} was asked twice", new.id))
            }
            InquiryChange::Resolve(resolved) => {
                let row = tables.inquiry(&resolved.id);
                let outcome = CommittedOutcome {
                    status: resolved.status.clone(),
                    json: row.and_then(|row| row.resolution).unwrap_or_default(),
                    at,
                    committed_at,
                };
                let before = self.outcomes.insert(resolved.id.clone(), outcome);
                ensure(before.is_none(), || {
                    format!("{} has got a second outcome", resolved.id)
                })
            }
            InquiryChange::HandOn { id, .. } => {
                let row = tables.inquiry(id);
                let waits = row.is_some_and(|row| row.status == PENDING && row.held.is_none());
                ensure(waits && !self.outcomes.contains_key(id), || {
                    format!("{id} was handed on, but does not wait for an answer")
                })
            }
            InquiryChange::SetHeld { id, .. } => {
                let row = tables.inquiry(id);
                let view = row.map(InquiryView::from_row).transpose();
                let view = view.map_err(|error| error.to_string())?;
                if let Some(held) = view.and_then(|view| view.held) {
                    self.undo_windows.insert(id.clone(), held.until);
                }
                Ok(())
            }
            InquiryChange::MoveDeadline { .. } => Ok(()),
        }
    }

    /// What must hold after every write.
    pub(crate) fn check_tables(&self, tables: &Tables) -> Checked {
        for row in tables.inquiry_rows() {
            self.check_inquiry(tables, row)?;
        }
        for (job, entry) in tables.jobs() {
            if let Some(inquiry) = &entry.timer_of {
                let row = tables.inquiry(inquiry);
                ensure(row.is_some_and(|row| row.status == PENDING), || {
                    format!(
                        "job {job} ({}) is a timer of {inquiry}, which is over",
                        entry.kind
                    )
                })?;
            }
        }
        for row in tables.conversation_rows() {
            let (id, state) = (&row.id, row.snapshot.state.as_str());
            let mut inquiries = tables.inquiry_rows();
            let waits = inquiries.any(|it| it.conversation == *id && it.status == PENDING);
            ensure(waits == (state == "awaiting_user_response"), || {
                format!("{id} is {state}, but pending inquiries: {waits}")
            })?;
            let job = match state {
                "llm_requesting" => "request_llm",
                "tool_executing" => "run_tool",
                _ => continue,
            };
            let mut jobs = tables.jobs();
            ensure(
                jobs.any(|(_, it)| it.conversation == *id && it.kind == job),
                || format!("{id} is {state}, but has no job {job}"),
            )?;
        }
        Ok(())
    }

    fn check_inquiry(&self, tables: &Tables, row: &InquiryRow) -> Checked {
        let id = &row.id;
        ensure(row.status == PENDING || !tables.has_notes(id), || {
            format!("{id} is {}, but has a draft or is hidden", row.status)
        })?;
        if let Some(outcome) = self.outcomes.get(id) {
            let is_same =
                row.status == outcome.status && row.resolution.as_ref() == Some(&outcome.json);
            return ensure(is_same, || {
                format!("the outcome of {id} has changed from {}", outcome.status)
            });
        }
        ensure(row.status == PENDING, || {
            format!("{id} is {} without a commit", row.status)
        })?;
        let has = |kind: &str| {
            let mut jobs = tables.jobs();
            jobs.any(|(_, job)| job.kind == kind && job.timer_of.as_ref() == Some(id))
        };
        ensure(row.expires_at.is_none() || has("expire_inquiry"), || {
            format!("{id} has a deadline without a timer")
        })?;
        ensure(row.held.is_some() == has("release_answer"), || {
            format!("{id}: a held answer and its timer do not agree")
        })
    }

    /// What must hold for an event that a listener got: it reads the same for everybody, a call has one
    /// result and an inquiry one outcome.
    pub(crate) fn note_event(&mut self, at: Sequence, event: &Event) -> Checked {
        let read = without_held_answer(event);
        if let Some(before) = self.events.get(&at) {
            return ensure(*before == read, || {
                format!("position {at} reads {read:?}, before it was {before:?}")
            });
        }
        self.events.insert(at, read);
        if let Event::CallFinished { call, .. } = event {
            let before = self.call_results.insert(call.clone(), at);
            ensure(before.is_none(), || {
                format!("{call} has results at {before:?} and {at}")
            })?;
        }
        if let Event::InquiryResolved {
            inquiry,
            resolution,
            ..
        } = event
        {
            let before = self.outcome_positions.insert(inquiry.clone(), at);
            ensure(before.is_none(), || {
                format!("{inquiry} has outcomes at {before:?} and {at}")
            })?;
            self.check_resolution(inquiry, resolution)?;
            self.check_undo_window(inquiry, resolution)?;
        }
        Ok(())
    }

    /// An answer that can be undone takes effect after its undo window.
    fn check_undo_window(&self, inquiry: &InquiryId, resolution: &Resolution) -> Checked {
        let name = resolution.by.name.as_ref();
        let action = name.and_then(|name| self.actions.get(name.as_str()));
        let window = self.undo_windows.get(inquiry);
        let (Some(action), Some(until)) = (action, window) else {
            return Ok(());
        };
        let at = self.outcomes.get(inquiry).map(|outcome| outcome.at);
        let is_early = self.has_steady_clock && action.is_held && at.is_some_and(|at| at < *until);
        ensure(!is_early, || {
            format!("{inquiry} has its outcome at {at:?}, but could be undone until {until}")
        })
    }
}

/// The log does not keep an answer that was undone or has taken effect.
fn without_held_answer(event: &Event) -> Event {
    let mut event = event.clone();
    if let Event::AnswerHeld { resolution, .. } = &mut event {
        *resolution = None;
    }
    event
}
