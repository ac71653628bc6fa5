//! What every store must do, as test cases. A store passes them all, unchanged; a crate that brings
//! one calls [`store_conformance!`](crate::store_conformance) in its tests.

#![expect(
    clippy::missing_panics_doc,
    reason = "a case panics where the store fails it"
)]

pub mod askers;
pub mod commits;
pub mod conversations;
pub mod drafts;
pub mod feed;
pub mod inquiries;
pub mod jobs;
pub mod paging;
pub mod removal;
pub mod reopening;
mod sample;
mod scratch;
pub mod sessions;

use std::sync::Arc;

use crate::store::{Store, StoreError, StoreFuture};

pub use scratch::ScratchDir;

/// One empty database, for one case.
pub trait Backend: Send + Sync {
    /// Opens it. After the store was dropped it may be opened again, with what was written.
    fn open(&self) -> StoreFuture<'_, Arc<dyn Store>>;
}

/// How a case ends that does not panic.
pub type Verdict = Result<(), StoreError>;

/// Writes a test for every case. The expression makes a new, empty [`Backend`].
#[macro_export]
macro_rules! store_conformance {
    ($backend:expr) => {
        $crate::store_conformance! { $backend;
            commits: a_commit_is_read_back_whole, a_conversation_begins_once,
                an_old_version_is_a_conflict, one_of_many_deciders_wins,
                a_refused_commit_writes_nothing, a_repeated_key_writes_nothing,
                a_key_takes_no_other_request, a_key_that_is_raced_for_is_taken_once,
                a_key_lives_as_long_as_its_conversation,
                a_child_needs_its_parent, a_commit_without_events_is_written,
                huge_texts_and_all_of_unicode_come_back;
            feed: the_feed_is_gapless_under_many_committers, events_follow_a_sequence,
                events_before_a_sequence_are_the_last_ones, the_newest_sequence_never_falls;
            inquiries: an_inquiry_has_one_outcome, fifty_answers_give_one_outcome,
                only_the_pending_are_loaded, a_deadline_moves_only_while_pending,
                what_is_held_goes_with_the_outcome,
                an_inquiry_belongs_to_its_conversation, foreign_ids_are_kept_as_they_are;
            paging: pending_come_by_deadline_then_age, pending_pages_hold_while_rows_change,
                resolved_come_newest_first, inquiries_of_one_conversation,
                a_strange_cursor_is_refused, pages_are_cut_by_bytes,
                events_before_are_cut_by_bytes, a_reader_loads_the_oldest_questions;
            conversations: newest_activity_comes_first, pages_hold_while_rows_change,
                states_and_parents_are_told_apart;
            jobs: jobs_come_in_the_order_they_fall_due, queues_are_claimed_one_by_one,
                a_claimed_job_is_held_until_it_is_let_go, a_commit_claims_its_jobs,
                timers_go_with_their_inquiry, jobs_are_brought_forward, a_released_job_comes_again, a_finished_job_is_gone, a_job_is_claimed_by_one,
                the_next_job_is_one_that_can_be_claimed;
            askers: the_same_call_is_asked_once_until_delivered, other_agents_are_told_apart,
                one_of_many_identical_calls_asks, undelivered_outcomes_are_listed;
            drafts: a_draft_is_kept_and_replaced, an_outcome_takes_the_draft_along,
                a_draft_of_nothing_is_dropped;
            removal: removal_takes_what_a_closed_conversation_held,
                closing_leaves_a_tombstone, a_closed_parent_takes_no_children, pruning_spares_what_waits_or_works,
                pruning_is_bounded;
            sessions: sessions_outlive_a_restart, a_session_is_added_once,
                an_ended_session_stays_ended, expired_sessions_are_removed;
            reopening: reopening_keeps_all, a_check_passes;
        }
    };
    ($backend:expr; $($group:ident: $($case:ident),+;)+) => {
        $(mod $group {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
            async fn $case() -> $crate::conformance::Verdict {
                let backend = $backend;
                $crate::conformance::$group::$case(&backend).await
            })+
        })+
    };
}
