//! What an agent asked before: what is open, and what it has not been told.

use askback_client::ClientError;
use askback_wire::inquiry::{InquiryResponse, InquiryStatus};
use askback_wire::list::ListInquiriesParams;

use crate::agent::Agent;
use crate::call::Session;

/// Questions that are read at once.
const PAGE: usize = 200;

/// Late answers that one result carries; the others come with the next call.
const LATE_MAX: usize = 20;

impl Session {
    /// The questions of the agent that are open, oldest first.
    pub(crate) async fn open_questions(
        &self,
        agent: &Agent,
    ) -> Result<Vec<InquiryResponse>, ClientError> {
        let mut open = self.asked(agent, Some(InquiryStatus::Pending)).await?;
        open.retain(|inquiry| self.is_of(agent, inquiry));
        open.sort_by_key(|inquiry| inquiry.asked_at);
        Ok(open)
    }

    /// Outcomes that the agent has not been told and that no other call is about to tell, oldest first.
    pub(crate) async fn late_answers(
        &self,
        agent: &Agent,
    ) -> Result<Vec<InquiryResponse>, ClientError> {
        let mut late = self.asked(agent, None).await?;
        late.retain(|inquiry| self.is_of(agent, inquiry) && !self.attended.contains(&inquiry.id));
        late.sort_by_key(|inquiry| inquiry.resolved_at);
        late.truncate(LATE_MAX);
        Ok(late)
    }

    /// Sessions that are over and whose questions this one continues.
    pub(crate) async fn earlier_sessions(&self, agent: &Agent) -> Result<Vec<String>, ClientError> {
        let mut asked = self.asked(agent, Some(InquiryStatus::Pending)).await?;
        asked.extend(self.asked(agent, None).await?);
        let mut sessions: Vec<String> = asked
            .into_iter()
            .filter_map(|inquiry| Some(inquiry.asker?.session))
            .collect();
        sessions.sort();
        sessions.dedup();
        sessions.retain(|session| self.presence.is_over(session));
        sessions.truncate(PAGE);
        Ok(sessions)
    }

    fn is_of(&self, agent: &Agent, inquiry: &InquiryResponse) -> bool {
        let asker = inquiry.asker.as_ref();
        asker.is_some_and(|asker| agent.continues(asker, &self.presence))
    }

    async fn asked(
        &self,
        agent: &Agent,
        status: Option<InquiryStatus>,
    ) -> Result<Vec<InquiryResponse>, ClientError> {
        let params = ListInquiriesParams {
            status,
            asker_client: Some(agent.client.clone()),
            asker_project: agent.project.clone(),
            limit: Some(PAGE),
            ..ListInquiriesParams::default()
        };
        let page = self.retrying(|| self.client.inquiries(&params)).await?;
        Ok(page.items)
    }
}
