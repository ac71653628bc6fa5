//! The earlier questions of an agent: those that are open, outcomes that were not delivered, and outcomes that
//! were sent but may not have been read.

use askback_client::ClientError;
use askback_core::id::InquiryId;
use askback_wire::inquiry::{InquiryResponse, InquiryStatus};
use askback_wire::list::ListInquiriesParams;
use serde_json::{Value, json};

use crate::call::executor::{CallOutput, Caller, ToolExecutor};
use crate::call::retry::retry_while_unreachable;
use crate::call::tool_result::{ToolResult, json_object, question_texts};
use crate::delivery::in_flight::InFlightGuard;
use crate::session::SessionScope;
use crate::session::asker::Asker;
use crate::texts::{NO_SESSION, RECENTLY_DELIVERED};
use crate::tools::QUESTION_ID;

/// Most questions that are read at once.
const PAGE_SIZE: usize = 200;

/// Most late answers in one result. The others come with the next call.
const LATE_ANSWERS_MAX: usize = 20;

/// Most outcomes that are listed as sent.
const RECENTLY_DELIVERED_MAX: usize = 10;

impl ToolExecutor {
    pub(crate) async fn list_questions(&self, caller: &Caller) -> Result<CallOutput, ClientError> {
        let open = self.open_questions(&caller.asker).await?;
        let listed: Vec<Value> = open.iter().map(list_item).collect();
        let mut fields = json_object([
            ("status", json!("listed")),
            ("open_questions", json!(listed)),
        ]);
        if caller.asker.scope == SessionScope::Agent {
            let mut recent = caller.recently_delivered.clone();
            recent.truncate(RECENTLY_DELIVERED_MAX);
            let delivered = self.read_delivered(&caller.asker, &recent).await;
            let delivered: Vec<Value> = delivered.iter().map(list_item).collect();
            if !delivered.is_empty() {
                fields.insert("recently_delivered".to_owned(), json!(delivered));
                fields.insert("hint".to_owned(), json!(RECENTLY_DELIVERED));
            }
        } else {
            // They may be another agent's: this one has to say which are its own.
            let answered = self.undelivered_outcomes(&caller.asker).await?;
            let answered: Vec<Value> = answered.iter().map(list_item).collect();
            fields.insert("answered_questions".to_owned(), json!(answered));
            fields.insert("hint".to_owned(), json!(NO_SESSION));
        }
        Ok(CallOutput::without_outcome(ToolResult::from_fields(fields)))
    }

    /// Those of these questions that are the agent's. Their outcomes were sent, and perhaps not read: some clients give up
    /// a call silently.
    pub(crate) async fn read_delivered(
        &self,
        asker: &Asker,
        ids: &[InquiryId],
    ) -> Vec<InquiryResponse> {
        let mut delivered = Vec::new();
        for id in ids {
            match self.read(asker, id).await {
                Ok(inquiry) if asker.owns(&inquiry) => delivered.push(inquiry),
                Ok(_) => {}
                Err(error) => tracing::debug!(%id, %error, "cannot read a delivered question"),
            }
        }
        delivered
    }

    /// The agent's open questions, oldest first.
    pub(crate) async fn open_questions(
        &self,
        asker: &Asker,
    ) -> Result<Vec<InquiryResponse>, ClientError> {
        let is_owned = |inquiry: &InquiryResponse| asker.owns(inquiry);
        let mut open = self
            .inquiries_of(asker, Some(InquiryStatus::Pending), is_owned)
            .await?;
        open.sort_by_key(|inquiry| inquiry.asked_at);
        Ok(open)
    }

    /// Outcomes that were not delivered, for this call to deliver and no other one: of several that try at
    /// once, one succeeds. An outcome that was claimed and not delivered is claimed again by a later call.
    pub(crate) async fn claim_late_answers(
        &self,
        asker: &Asker,
    ) -> Result<(Vec<InquiryResponse>, Vec<InFlightGuard>), ClientError> {
        let client = self.client_of(asker);
        let (mut late, mut guards) = (Vec::new(), Vec::new());
        for inquiry in self.undelivered_outcomes(asker).await? {
            let guard = self.in_flight.track(&inquiry.id);
            let attempts = inquiry.asker.as_ref().map(|asker| asker.delivery_attempts);
            let attempts = attempts.unwrap_or_default();
            let claim = || client.claim_delivery(&inquiry.id, attempts);
            match retry_while_unreachable(claim).await {
                Ok(true) => {
                    late.push(inquiry);
                    guards.push(guard.claimed());
                }
                Ok(false) => {}
                // What is claimed already is delivered now, the rest by the next call.
                Err(error) => {
                    tracing::debug!(%error, "cannot claim a late answer");
                    break;
                }
            }
        }
        Ok((late, guards))
    }

    /// Outcomes that were not delivered and that no other call is about to deliver, oldest first.
    async fn undelivered_outcomes(
        &self,
        asker: &Asker,
    ) -> Result<Vec<InquiryResponse>, ClientError> {
        let is_late = |inquiry: &InquiryResponse| {
            asker.owns(inquiry) && !self.in_flight.contains(&inquiry.id)
        };
        let mut late = self.inquiries_of(asker, None, is_late).await?;
        late.sort_by_key(|inquiry| inquiry.resolved_at);
        late.truncate(LATE_ANSWERS_MAX);
        Ok(late)
    }

    /// The questions of this session that `is_wanted` accepts. Without a status, those whose outcome was not
    /// delivered.
    async fn inquiries_of(
        &self,
        asker: &Asker,
        status: Option<InquiryStatus>,
        is_wanted: impl Fn(&InquiryResponse) -> bool,
    ) -> Result<Vec<InquiryResponse>, ClientError> {
        if asker.scope == SessionScope::Call {
            // The client alone does not say who asked.
            return Ok(Vec::new());
        }
        let mut params = ListInquiriesParams {
            status,
            asker_client: Some(asker.client.to_string()),
            asker_project: asker.project.clone().map(String::from),
            asker_session: Some(asker.session.clone()),
            limit: Some(PAGE_SIZE),
            ..ListInquiriesParams::default()
        };
        let client = self.client_of(asker);
        let mut wanted = Vec::new();
        loop {
            let page = retry_while_unreachable(|| client.inquiries(&params)).await?;
            wanted.extend(page.items.into_iter().filter(&is_wanted));
            params.cursor = page.next;
            if params.cursor.is_none() {
                return Ok(wanted);
            }
        }
    }
}

fn list_item(inquiry: &InquiryResponse) -> Value {
    json!({
        QUESTION_ID: inquiry.id,
        "status": inquiry.status,
        "asked_at": inquiry.asked_at,
        "questions": question_texts(inquiry),
    })
}
