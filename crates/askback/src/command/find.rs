//! Finds a question by its id or by the beginning of it.

use askback_client::{Client, ClientError};
use askback_core::id::InquiryId;
use askback_wire::list::ListInquiriesParams;

use crate::failure::Failure;

/// Characters of an id behind its prefix.
const ID_CHARS: usize = 26;
/// So many of them name the millisecond in which a question was asked. With fewer, the beginning of
/// an id that was copied a while ago could fit another question by now.
const ID_CHARS_MIN: usize = 10;

/// The id that was meant. The beginning of one counts if no other question, open or ended, has it.
pub(crate) async fn find(client: &Client, given: &str) -> Result<InquiryId, Failure> {
    let rest = given.strip_prefix(InquiryId::PREFIX);
    let Some(rest) = rest.filter(|rest| rest.len() < ID_CHARS) else {
        return Ok(InquiryId::new(given));
    };
    if rest.len() < ID_CHARS_MIN {
        return Err(Failure::Refused(format!(
            "{given} is too short: give the whole id, or at least its first {ID_CHARS_MIN} \
             characters behind {}.",
            InquiryId::PREFIX
        )));
    }
    let fitting = fitting(client, given).await.map_err(failure)?;
    match fitting.as_slice() {
        [only] => Ok(only.clone()),
        [] => Err(Failure::Refused(format!("No question has the id {given}."))),
        several => {
            let ids: Vec<&str> = several.iter().map(InquiryId::as_str).collect();
            let ids = ids.join(", ");
            Err(Failure::Refused(format!(
                "Several questions have an id that begins with {given}: {ids}. Give one in full."
            )))
        }
    }
}

async fn fitting(client: &Client, given: &str) -> Result<Vec<InquiryId>, ClientError> {
    let mut params = ListInquiriesParams {
        limit: Some(200),
        ..ListInquiriesParams::default()
    };
    let mut found = Vec::new();
    loop {
        let page = client.inquiries(&params).await?;
        let ids = page.items.into_iter().map(|inquiry| inquiry.id);
        found.extend(ids.filter(|id| id.as_str().starts_with(given)));
        if page.next.is_none() {
            return Ok(found);
        }
        params.cursor = page.next;
    }
}

/// A refusal of the server is for the person, anything else for the operator.
pub(crate) fn failure(error: ClientError) -> Failure {
    match error {
        ClientError::Problem(problem) => Failure::Refused(problem.to_string()),
        other @ (ClientError::Transport(_) | ClientError::Decode(_)) => {
            Failure::Broken(other.into())
        }
    }
}
