//! Test cases that every store must pass, and servers for tests of stores. A crate with a store calls
//! [`store_conformance!`](crate::store_conformance) in its tests.

#![expect(
    clippy::missing_panics_doc,
    reason = "a case panics if the store fails it"
)]

pub mod askers;
pub mod backlog;
pub mod commits;
pub mod conversations;
pub mod credentials;
pub mod deliveries;
pub mod drafts;
mod fault_proxy;
pub mod feed;
pub mod inquiries;
pub mod jobs;
pub mod long_conversations;
pub mod paging;
mod pgbouncer;
mod postgres_server;
mod released;
pub mod removal;
pub mod reopening;
pub mod sample;
pub mod sessions;
pub mod snoozes;

use std::sync::Arc;

use askback_store::store::{Store, StoreError, StoreFuture};

pub use fault_proxy::FaultProxy;
pub use pgbouncer::PgBouncer;
pub use postgres_server::PostgresServer;
pub use released::{VERSION_1, write_database};

/// An empty database for one test case.
pub trait TestDatabase: Send + Sync {
    /// Opens the database. Can be called again after the store was dropped.
    fn open(&self) -> StoreFuture<'_, Arc<dyn Store>>;
}

/// The result of a test case.
pub type CaseResult = Result<(), StoreError>;

/// Generates a test for every case. The expression creates an empty [`TestDatabase`].
#[macro_export]
macro_rules! store_conformance {
    ($database:expr) => {
        $crate::store_conformance! { $database;
            commits: a_commit_is_read_back_unchanged, a_conversation_is_created_once,
                an_old_version_is_a_conflict, one_of_many_concurrent_commits_wins,
                a_refused_commit_writes_nothing, a_repeated_key_writes_nothing,
                a_key_belongs_to_one_request, concurrent_requests_with_one_key_write_once,
                a_key_lives_as_long_as_its_conversation,
                a_child_needs_its_parent, a_commit_without_a_record_is_written,
                huge_and_unicode_texts_are_read_back;
            feed: the_feed_has_no_gaps_under_load, records_follow_a_sequence,
                records_are_read_backwards, a_position_may_lie_inside_a_record,
                sequence_numbers_are_never_reused;
            inquiries: an_inquiry_has_one_outcome, an_inquiry_has_a_version_of_its_own,
                concurrent_answers_give_one_outcome,
                only_pending_inquiries_are_loaded, a_deadline_moves_only_while_pending,
                an_inquiry_is_handed_on_only_while_pending, an_outcome_clears_the_held_answer,
                an_inquiry_belongs_to_its_conversation, foreign_ids_are_stored_unchanged,
                a_conversation_is_found_by_what_is_pending_in_it, concurrent_reads_get_their_own_rows;
            paging: pending_inquiries_are_sorted_by_deadline_then_age, pending_pages_are_stable_while_rows_change,
                resolved_inquiries_are_listed_newest_first, lists_filter_by_conversation,
                an_invalid_cursor_is_refused, pages_are_limited_by_bytes,
                pages_of_records_are_limited_by_bytes, readers_get_the_oldest_questions_only;
            conversations: latest_activity_comes_first, pages_are_stable_while_rows_change,
                lists_filter_by_state_and_parent, lists_filter_by_driver;
            jobs: jobs_are_claimed_in_order_of_due_time, queues_are_claimed_separately,
                a_claim_lasts_until_it_is_abandoned, a_commit_claims_its_jobs,
                timers_are_removed_with_their_inquiry, jobs_are_brought_forward, a_released_job_is_claimed_again, a_finished_job_is_removed, a_job_is_claimed_once,
                the_next_due_time_is_of_an_unclaimed_job, jobs_are_listed_and_replaced;
            long_conversations: records_are_found_at_every_position, inquiries_are_listed_in_pages,
                removed_outcomes_are_not_listed, job_ids_are_never_reused;
            askers: the_same_call_is_asked_once_until_delivered, other_agents_ask_separately,
                concurrent_identical_calls_ask_once, undelivered_outcomes_are_listed,
                agent_says_that_it_stopped_waiting,
                one_of_many_deliveries_starts, one_of_many_sessions_takes_over;
            backlog: what_waits_is_counted;
            deliveries: a_plan_adds_each_delivery_once, a_plan_sets_and_removes_values, a_change_makes_deliveries_due,
                a_change_during_a_delivery_is_not_lost, delays_keep_the_order, values_are_removed_with_their_inquiry,
                open_deliveries_are_counted,
                messages_are_found_and_ended_ones_pruned, values_are_kept_and_taken_once;
            drafts: a_draft_is_saved_and_replaced, one_of_many_replaces_a_draft, an_outcome_deletes_the_draft,
                a_draft_of_a_missing_inquiry_is_ignored;
            removal: removal_deletes_the_content_of_a_closed_conversation,
                closing_leaves_a_tombstone, a_closed_parent_refuses_children,
                a_closed_child_is_pruned_with_its_parent, active_conversations_have_not_ended,
                pruning_is_limited, removal_is_limited;
            credentials: credentials_survive_a_restart, a_credential_is_added_once,
                sessions_end_with_their_credential;
            sessions: sessions_survive_a_restart, a_session_is_added_once,
                an_ended_session_stays_ended, expired_sessions_are_removed;
            snoozes: a_snooze_is_saved_replaced_and_ended, only_pending_inquiries_are_snoozed;
            reopening: reopening_keeps_all;
        }
    };
    ($database:expr; $($group:ident: $($case:ident),+;)+) => {
        $(mod $group {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
            async fn $case() -> $crate::CaseResult {
                let database = $database;
                $crate::$group::$case(&database).await
            })+
        })+
    };
}
