//! The earlier questions of an agent: those that are open, and outcomes that were not delivered.

use std::collections::BTreeSet;

use askback_client::ClientError;
use askback_wire::inquiry::{InquiryResponse, InquiryStatus};
use askback_wire::list::ListInquiriesParams;

use crate::asker::Asker;
use crate::executor::ToolExecutor;
use crate::retry::retry_while_unreachable;
use crate::session::SessionScope;

/// Most questions that are read at once.
const PAGE_SIZE: usize = 200;

/// Most late answers in one result. The others come with the next call.
const LATE_ANSWERS_MAX: usize = 20;

impl ToolExecutor {
    /// The agent's open questions, oldest first.
    pub(crate) async fn open_questions(
        &self,
        asker: &Asker,
    ) -> Result<Vec<InquiryResponse>, ClientError> {
        let is_owned = |inquiry: &InquiryResponse| self.is_owned_by(asker, inquiry);
        let mut open = self
            .inquiries_of(asker, Some(InquiryStatus::Pending), is_owned)
            .await?;
        open.sort_by_key(|inquiry| inquiry.asked_at);
        Ok(open)
    }

    /// Outcomes that were not delivered and that no other call is about to deliver, oldest first.
    pub(crate) async fn undelivered_outcomes(
        &self,
        asker: &Asker,
    ) -> Result<Vec<InquiryResponse>, ClientError> {
        let is_late = |inquiry: &InquiryResponse| {
            self.is_owned_by(asker, inquiry) && !self.in_flight.contains(&inquiry.id)
        };
        let mut late = self.inquiries_of(asker, None, is_late).await?;
        late.sort_by_key(|inquiry| inquiry.resolved_at);
        late.truncate(LATE_ANSWERS_MAX);
        Ok(late)
    }

    /// Ended sessions whose questions this one takes over.
    pub(crate) async fn earlier_sessions(&self, asker: &Asker) -> Result<Vec<String>, ClientError> {
        if asker.scope != SessionScope::Agent {
            return Ok(Vec::new());
        }
        let mut sessions = BTreeSet::new();
        for status in [Some(InquiryStatus::Pending), None] {
            // Only the names of the sessions are kept.
            self.inquiries_of(asker, status, |inquiry| {
                sessions.extend(inquiry.asker.as_ref().map(|owner| owner.session.clone()));
                false
            })
            .await?;
        }
        sessions.retain(|session| self.sessions.has_ended(session));
        Ok(sessions.into_iter().take(PAGE_SIZE).collect())
    }

    /// See [`Asker::owns_question_of`].
    pub(crate) fn is_owned_by(&self, asker: &Asker, inquiry: &InquiryResponse) -> bool {
        let owner = inquiry.asker.as_ref();
        owner.is_some_and(|owner| asker.owns_question_of(owner, &self.sessions))
    }

    /// The questions of this client in this project, from all sessions, that `is_wanted` accepts. Without
    /// a status, those whose outcome was not delivered. All pages are read: other sessions of the same
    /// client may have any number of questions, and must not hide those of this one.
    async fn inquiries_of(
        &self,
        asker: &Asker,
        status: Option<InquiryStatus>,
        mut is_wanted: impl FnMut(&InquiryResponse) -> bool,
    ) -> Result<Vec<InquiryResponse>, ClientError> {
        if asker.scope == SessionScope::Call {
            // The client alone does not say who asked.
            return Ok(Vec::new());
        }
        let mut params = ListInquiriesParams {
            status,
            asker_client: Some(asker.client.clone()),
            asker_project: asker.project.clone(),
            limit: Some(PAGE_SIZE),
            ..ListInquiriesParams::default()
        };
        let mut wanted = Vec::new();
        loop {
            let page = retry_while_unreachable(|| self.client.inquiries(&params)).await?;
            wanted.extend(page.items.into_iter().filter(&mut is_wanted));
            params.cursor = page.next;
            if params.cursor.is_none() {
                return Ok(wanted);
            }
        }
    }
}
