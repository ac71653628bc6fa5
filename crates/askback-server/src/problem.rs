//! Refusals on their way out: the one place where failures of the engine and the store become what
//! a client reads. What operators need to know goes to the log, never to the client.

use askback_core::answer::AnswerError;
use askback_core::contract::ParseError;
use askback_core::conversation::rejection::Rejection;
use askback_core::id::InquiryId;
use askback_core::inquiry::Inquiry;
use askback_engine::{Engine, SubmitError};
use askback_locale::Locale;
use askback_store::StoreError;
use askback_wire::problem::{PROBLEM_MEDIA_TYPE, ProblemCode, ProblemResponse};
use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::routes::inquiry_response;

/// A refusal.
#[derive(Debug)]
pub(crate) struct Problem(Box<ProblemResponse>);

/// A refusal of this kind, with what to do about it.
pub(crate) fn problem(code: ProblemCode) -> Problem {
    Problem(Box::new(ProblemResponse::new(code, advice(code))))
}

impl Problem {
    /// The same with another sentence.
    pub(crate) fn detail(mut self, detail: impl Into<String>) -> Problem {
        self.0.detail = detail.into();
        self
    }
}

impl From<ProblemResponse> for Problem {
    fn from(response: ProblemResponse) -> Problem {
        Problem(Box::new(response))
    }
}

/// What to do about problems that need no more to be said.
fn advice(code: ProblemCode) -> &'static str {
    match code {
        ProblemCode::Unauthorized => {
            "Send the server's token as `Authorization: Bearer …`, or open the address that the \
             server printed."
        }
        ProblemCode::ForbiddenHost => {
            "Address the server as 127.0.0.1 or localhost, or start it with this host name."
        }
        ProblemCode::ForbiddenOrigin => "A page of another site cannot use this server.",
        ProblemCode::NotFound => "Check the address and the id.",
        ProblemCode::MethodNotAllowed => "Look the method up in /openapi.json.",
        ProblemCode::RequestTimeout => {
            "Send the whole body within a minute, without pauses of 15 seconds."
        }
        ProblemCode::TooLarge => "Send a smaller body.",
        ProblemCode::UnsupportedMediaType => "Send JSON, with `Content-Type: application/json`.",
        ProblemCode::InvalidQuery => "Look the parameters up in /openapi.json.",
        ProblemCode::UnknownDialect => {
            "Use ask_user_question, AskUserQuestion, question or ask_user, or leave it out."
        }
        ProblemCode::UnknownApp => "Look the apps up at /apps.",
        ProblemCode::IdempotencyMismatch => {
            "Another request was sent with this key, and this one changed nothing. Use a key of its \
             own for each request, and the same one only to repeat it."
        }
        ProblemCode::AnswerUndone => {
            "The answer that was sent with this key was undone. To answer again, use a new key."
        }
        ProblemCode::DeadlineTooFar => "Name a time within a year, or none.",
        ProblemCode::TooManyStreams => "Close a feed that is not read any more.",
        ProblemCode::StoreUnavailable => "Nothing was written. Try again in a moment.",
        ProblemCode::CommitUnknown => {
            "The disk failed while this was being written, so it may have been carried out or not. Send \
             the same request again with the same idempotency key: it is carried out at most once. \
             Without a key, look first."
        }
        ProblemCode::Closing => "Nothing was written. Try again once the server is back.",
        ProblemCode::Conflict => "Nothing was written. Try again.",
        ProblemCode::Internal => "The server's log says more.",
        // These come with a sentence of their own.
        ProblemCode::NotPending
        | ProblemCode::Held
        | ProblemCode::NothingHeld
        | ProblemCode::InvalidHold
        | ProblemCode::StaleInquiry
        | ProblemCode::SeveralPending
        | ProblemCode::InvalidAnswer
        | ProblemCode::AwaitingUserResponse
        | ProblemCode::Busy
        | ProblemCode::DuplicateMessage
        | ProblemCode::InvalidMessage
        | ProblemCode::NothingToStop
        | ProblemCode::StaleReport
        | ProblemCode::ConversationClosed
        | ProblemCode::WrongDriver
        | ProblemCode::TooManyPending
        | ProblemCode::Undeliverable
        | ProblemCode::DeadlinePassed
        | ProblemCode::NotExpired
        | ProblemCode::InvalidJson
        | ProblemCode::InvalidKey
        | ProblemCode::InvalidWebhook
        | ProblemCode::InvalidLink
        | ProblemCode::InvalidInput => "",
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.0.status);
        let status = status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let code = self.0.known_code();
        let mut response = (status, Json(self.0)).into_response();
        let headers = response.headers_mut();
        headers.insert(
            header::CONTENT_TYPE,
            HeaderValue::from_static(PROBLEM_MEDIA_TYPE),
        );
        if status == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        if matches!(
            code,
            Some(
                ProblemCode::StoreUnavailable
                    | ProblemCode::CommitUnknown
                    | ProblemCode::Conflict
                    | ProblemCode::Closing
            )
        ) {
            headers.insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
        }
        response
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Problem {
        let code = match error {
            // The caller's mistake, and nothing for the log.
            StoreError::BadCursor => return problem(ProblemCode::InvalidQuery),
            StoreError::KeyReused => return problem(ProblemCode::IdempotencyMismatch),
            StoreError::Conflict
            | StoreError::Repeated { .. }
            | StoreError::AlreadyAsked { .. } => ProblemCode::Conflict,
            StoreError::Unavailable(_) => ProblemCode::StoreUnavailable,
            StoreError::CommitUnknown(_) => ProblemCode::CommitUnknown,
            StoreError::Corrupt(_) => ProblemCode::Internal,
        };
        tracing::error!(%error, "the store failed");
        problem(code)
    }
}

impl From<SubmitError> for Problem {
    fn from(error: SubmitError) -> Problem {
        match error {
            SubmitError::NotFound => problem(ProblemCode::NotFound),
            SubmitError::Rejected(rejection) => Problem::from(ProblemResponse::from(rejection)),
            SubmitError::AlreadyAsked { .. }
            | SubmitError::Repeated { .. }
            | SubmitError::KeyReused => problem(ProblemCode::IdempotencyMismatch),
            SubmitError::Closing => problem(ProblemCode::Closing),
            SubmitError::Store(error) => Problem::from(error),
        }
    }
}

/// A tool input that does not fit, in the words its model can repair it from.
pub(crate) fn refused_input(error: &ParseError) -> Problem {
    Problem::from(ProblemResponse::from(error))
}

/// What does not fit, in the words of the respondent's language.
pub(crate) fn invalid_answer(
    errors: Vec<AnswerError>,
    locale: Locale,
    inquiry: &Inquiry,
) -> Problem {
    let words = errors.iter();
    let words: Vec<String> = words
        .map(|error| locale.problem(error, inquiry.questions()))
        .collect();
    let mut response = ProblemResponse::from(Rejection::InvalidAnswer(errors));
    if let Some(first) = words.first() {
        response.detail.clone_from(first);
    }
    for (error, words) in response.errors.iter_mut().zip(words) {
        error.message = words;
    }
    Problem::from(response)
}

/// A refusal that names who was first, where somebody was.
pub(crate) async fn conflict(
    engine: &Engine,
    error: SubmitError,
    inquiry: Option<&InquiryId>,
) -> Problem {
    let lost = matches!(
        &error,
        SubmitError::Rejected(
            Rejection::NotPending
                | Rejection::Expired { .. }
                | Rejection::StaleInquiry
                | Rejection::Held
                | Rejection::NothingHeld
        )
    );
    let SubmitError::Rejected(rejection) = &error else {
        return Problem::from(error);
    };
    let response = ProblemResponse::from(rejection);
    if lost
        && let Some(inquiry) = inquiry
        && let Ok(Some(view)) = engine.inquiry(inquiry).await
    {
        return Problem::from(response.with_winner(&inquiry_response(&view)));
    }
    Problem::from(response)
}

#[cfg(test)]
#[path = "problem_tests.rs"]
mod tests;
