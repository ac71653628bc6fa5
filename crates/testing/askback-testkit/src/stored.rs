//! Values as they come back from a store.

use askback_core::conversation::Conversation;
use askback_core::conversation::event::Event;
use askback_core::conversation::job::Job;
use askback_core::conversation::state::{HeldAnswer, PendingInquiry};
use askback_core::dialect::Dialect;
use askback_core::id::{ConversationId, InquiryId};
use askback_core::inquiry::Inquiry;
use askback_core::outcome::Outcome;
use askback_stored::{
    Form as _, InquiryResolution, StoredEvent, StoredInquiry, StoredJob, StoredOutcome,
    StoredSnapshot, Unreadable, from_json, to_json,
};

/// An inquiry.
pub fn inquiry(inquiry: &Inquiry) -> Result<Inquiry, Unreadable> {
    from_json::<StoredInquiry>(&to_json(&StoredInquiry::from(inquiry))?)?.try_into()
}

/// An outcome.
pub fn outcome(outcome: &Outcome) -> Result<Outcome, Unreadable> {
    from_json::<StoredOutcome>(&to_json(&StoredOutcome::store(outcome))?)?.restore()
}

/// A conversation, without the inputs of calls up to the current one, which are not stored.
pub fn conversation(conversation: &Conversation) -> Result<Conversation, Unreadable> {
    let json = to_json(&StoredSnapshot::from(conversation))?;
    let pending = |id: &InquiryId| {
        let mut pending = conversation.state.pending().iter();
        pending.find(|pending| pending.id == *id).cloned()
    };
    from_json::<StoredSnapshot<'_>>(&json)?.restore(conversation.settings.id.clone(), pending)
}

/// An event of a conversation, as it is read while its inquiry is as it was right after the event.
pub fn event(conversation: &ConversationId, event: &Event) -> Result<Option<Event>, Unreadable> {
    let json = to_json(&StoredEvent::from(event))?;
    let no_questions = Inquiry::restore(Dialect::AskUser, None, Vec::new());
    let no_questions = no_questions.map_err(|broken| Unreadable::Inconsistent(broken.0))?;
    let mut row = PendingInquiry {
        id: InquiryId::new("inq_1"),
        call: None,
        tool: None,
        revision: 1,
        inquiry: no_questions,
        asked_at: jiff::Timestamp::UNIX_EPOCH,
        expires_at: None,
        reminded: false,
        held: None,
    };
    let mut ended = None;
    if let Event::InquiryAsked { pending } = event {
        row = pending.clone();
    } else if let Event::AnswerHeld {
        until,
        resolution: Some(resolution),
        ..
    } = event
    {
        row.held = Some(Box::new(HeldAnswer {
            resolution: resolution.clone(),
            until: *until,
        }));
    } else if let Event::InquiryResolved {
        resolution, result, ..
    } = event
    {
        ended = Some(InquiryResolution {
            resolution: resolution.clone(),
            result: result.clone(),
        });
    }
    from_json::<StoredEvent<'_>>(&json)?.restore(conversation, Some(row), ended.as_ref())
}

/// A job. `None` for one that is not stored.
pub fn job(job: &Job) -> Result<Option<Job>, Unreadable> {
    let Some(stored) = StoredJob::new(job) else {
        return Ok(None);
    };
    let json = to_json(&stored)?;
    from_json::<StoredJob<'_>>(&json)?.restore().map(Some)
}

/// The JSON in which an inquiry is stored, for tests that compare one as a whole.
pub fn inquiry_json(inquiry: &Inquiry) -> serde_json::Value {
    serde_json::json!(StoredInquiry::from(inquiry))
}
