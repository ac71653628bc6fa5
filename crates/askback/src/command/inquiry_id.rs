//! Completes a shortened inquiry id.

use askback_client::{Client, ClientError};
use askback_core::id::InquiryId;
use askback_wire::list::ListInquiriesParams;
use askback_wire::problem::ProblemCode;

use crate::failure::{Failure, refuse};

/// Characters of an id after its prefix.
const ID_CHARS: usize = 26;
/// The first ten characters encode the millisecond of creation. A shorter beginning, copied some time
/// ago, could match a newer question by now.
const ID_CHARS_MIN: usize = 10;

/// The full id. A beginning is accepted if only one question, pending or resolved, has it.
pub(crate) async fn complete_inquiry_id(
    client: &Client,
    given: &str,
) -> Result<InquiryId, Failure> {
    let rest = given.strip_prefix(InquiryId::PREFIX);
    let Some(rest) = rest.filter(|rest| rest.len() < ID_CHARS) else {
        return Ok(InquiryId::new(given));
    };
    if rest.len() < ID_CHARS_MIN {
        return refuse(format!(
            "{given} is too short: give the whole id, or at least its first {ID_CHARS_MIN} \
             characters after {}.",
            InquiryId::PREFIX
        ));
    }
    let matching = matching_ids(client, given).await?;
    match matching.as_slice() {
        [only] => Ok(only.clone()),
        [] => refuse(format!(
            "No question has the id {given}. `askback list` shows the pending ones; --data or --url \
             selects another server."
        )),
        several => {
            let ids: Vec<&str> = several.iter().map(InquiryId::as_str).collect();
            let ids = ids.join(", ");
            refuse(format!(
                "Several questions have an id that begins with {given}: {ids}. Give the full id."
            ))
        }
    }
}

async fn matching_ids(client: &Client, given: &str) -> Result<Vec<InquiryId>, ClientError> {
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

/// What to print when a call about this inquiry failed.
pub(crate) fn inquiry_failure(error: ClientError, id: &InquiryId) -> Failure {
    match &error {
        ClientError::Problem(problem) if problem.known_code() == Some(ProblemCode::NotFound) => {
            Failure::Refused(format!(
                "No question has the id {id}. `askback list` shows the pending ones; --data or --url \
                 selects another server."
            ))
        }
        ClientError::Problem(_) | ClientError::Transport(_) | ClientError::Decode(_) => {
            error.into()
        }
    }
}
