//! Turns errors of the engine and the store into problem responses. Details for operators go to the
//! log, never to the client.

use askback_core::answer::AnswerError;
use askback_core::contract::ParseError;
use askback_core::conversation::rejection::Rejection;
use askback_core::id::InquiryId;
use askback_core::question::Question;
use askback_engine::SubmitError;
use askback_store::StoreError;
use askback_wire::problem::{
    AnswerErrorResponse, PROBLEM_MEDIA_TYPE, ProblemCode, ProblemResponse,
};
use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::authenticate::Caller;
use crate::observe::request_id;
use crate::random_secret::SecretError;
use crate::routes::AppState;

/// An error response.
#[derive(Debug)]
pub(crate) struct Problem(Box<ProblemResponse>);

/// A problem with the default detail of its code.
pub(crate) fn problem(code: ProblemCode) -> Problem {
    Problem(Box::new(ProblemResponse::new(code, default_detail(code))))
}

impl Problem {
    pub(crate) fn code(&self) -> Option<ProblemCode> {
        self.0.known_code()
    }

    /// Whether it may work in a moment.
    pub(crate) fn is_temporary(&self) -> bool {
        matches!(
            self.code(),
            Some(
                ProblemCode::StoreUnavailable
                    | ProblemCode::CommitUnknown
                    | ProblemCode::Conflict
                    | ProblemCode::Closing
            )
        )
    }

    /// Replaces the detail, which may repeat what was sent.
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

/// The detail of problems that need no details of the request.
#[expect(clippy::too_many_lines, reason = "one arm for each code")]
fn default_detail(code: ProblemCode) -> &'static str {
    match code {
        ProblemCode::Unauthorized => {
            "Send a valid token as `Authorization: Bearer …`, or open the URL that the server \
             printed."
        }
        ProblemCode::ForbiddenScope => {
            "This token may do other things. `askback token list` shows which; an administrator can make another one."
        }
        ProblemCode::ForbiddenHost => {
            "Use 127.0.0.1 or localhost as the host, or start the server with this host name."
        }
        ProblemCode::ForbiddenOrigin => {
            "Pages of other origins cannot call this server. Allow the origin when starting the server."
        }
        ProblemCode::NotFound => "Nothing has this id.",
        ProblemCode::MethodNotAllowed => "See /openapi.json for the methods of this path.",
        ProblemCode::RequestTimeout => {
            "Send the whole body within a minute, without pauses of more than 15 seconds."
        }
        ProblemCode::TooLarge => "Send at most 2 MiB.",
        ProblemCode::UnsupportedMediaType => "Send JSON, with `Content-Type: application/json`.",
        ProblemCode::InvalidQuery => "See /openapi.json for the parameters of this path.",
        ProblemCode::UnknownDialect => {
            "Use ask_user_question, AskUserQuestion, question or ask_user, or omit `dialect`."
        }
        ProblemCode::UnknownApp => "GET /apps lists the apps.",
        ProblemCode::IdempotencyMismatch => {
            "Nothing was changed. Use a new key for each request, and the same key only to repeat a \
             request."
        }
        ProblemCode::AnswerUndone => {
            "The answer sent with this key was undone. To answer again, use a new key."
        }
        ProblemCode::DeliverySuperseded => "Leave it to the other delivery, or read it again.",
        ProblemCode::InvalidMetadata => {
            "`metadata` must be an object of at most 4096 bytes of JSON, without control or hidden \
             characters."
        }
        ProblemCode::InvalidDeadline => "Send `expires_at` or `expires_in`, not both.",
        ProblemCode::TooManyStreams => "Close feeds that are no longer read.",
        ProblemCode::StoreUnavailable => "The request had no effect. Try again in a moment.",
        ProblemCode::CommitUnknown => {
            "The disk failed while the request was being stored. Send the same request again with the \
             same idempotency key: it takes effect at most once. Without a key, check first whether it \
             took effect."
        }
        ProblemCode::Closing => "The request had no effect. Try again when the server is back.",
        ProblemCode::Conflict => "Nothing was changed. Try again.",
        ProblemCode::DraftChanged => {
            "Read the stored draft, then save again with its version in `replaces`."
        }
        ProblemCode::Internal => "See the log of the server.",
        // These always have a detail of their own.
        ProblemCode::NotPending
        | ProblemCode::Held
        | ProblemCode::NothingHeld
        | ProblemCode::InvalidUndoWindow
        | ProblemCode::StaleInquiry
        | ProblemCode::SeveralPending
        | ProblemCode::InvalidAnswer
        | ProblemCode::Incomplete
        | ProblemCode::AwaitingUserResponse
        | ProblemCode::Busy
        | ProblemCode::DuplicateMessage
        | ProblemCode::InvalidMessage
        | ProblemCode::NothingToStop
        | ProblemCode::StaleReport
        | ProblemCode::ConversationClosed
        | ProblemCode::WrongDriver
        | ProblemCode::TooManyPending
        | ProblemCode::AgentLimit
        | ProblemCode::Undeliverable
        | ProblemCode::SameRecipient
        | ProblemCode::DeadlinePassed
        | ProblemCode::DeadlineTooFar
        | ProblemCode::NotExpired
        | ProblemCode::InvalidJson
        | ProblemCode::InvalidKey
        | ProblemCode::UnknownRecipient
        | ProblemCode::InvalidRecipient
        | ProblemCode::InvalidWebhook
        | ProblemCode::InvalidCredential
        | ProblemCode::InvalidLink
        | ProblemCode::InvalidSubscription
        | ProblemCode::InvalidInput => "",
    }
}

impl IntoResponse for Problem {
    fn into_response(mut self) -> Response {
        self.0.escape_texts();
        self.0.request_id = request_id();
        let status = StatusCode::from_u16(self.0.status);
        let status = status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let (code, is_temporary) = (self.code(), self.is_temporary());
        let retry_after = self.0.retry_after_seconds;
        let mut response = (status, Json(self.0)).into_response();
        if let Some(code) = code {
            response.extensions_mut().insert(code);
        }
        let headers = response.headers_mut();
        headers.insert(
            header::CONTENT_TYPE,
            HeaderValue::from_static(PROBLEM_MEDIA_TYPE),
        );
        if status == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        if is_temporary {
            headers.insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
        }
        if let Some(seconds) = retry_after {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Problem {
        let code = match error {
            // Mistakes of the caller are not logged.
            StoreError::BadCursor => {
                let detail = "`cursor` must be the `next` of an earlier page.";
                return problem(ProblemCode::InvalidQuery).detail(detail);
            }
            StoreError::KeyReused => return problem(ProblemCode::IdempotencyMismatch),
            StoreError::Conflict
            | StoreError::Repeated { .. }
            | StoreError::AlreadyAsked { .. } => ProblemCode::Conflict,
            StoreError::Unavailable(_) | StoreError::Replaced(_) | StoreError::Damaged(_) => {
                ProblemCode::StoreUnavailable
            }
            StoreError::CommitUnknown(_) => ProblemCode::CommitUnknown,
            StoreError::Corrupt(_) => ProblemCode::Internal,
        };
        tracing::error!(%error, "the store failed");
        problem(code)
    }
}

impl From<getrandom::Error> for Problem {
    fn from(error: getrandom::Error) -> Problem {
        tracing::error!(%error, "cannot get random numbers from the system");
        problem(ProblemCode::Internal)
    }
}

impl From<SecretError> for Problem {
    fn from(error: SecretError) -> Problem {
        match error {
            SecretError::NoRandomness(error) => error.into(),
            SecretError::Store(error) => error.into(),
            SecretError::AccessEnded => problem(ProblemCode::Unauthorized),
        }
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

/// An invalid tool input. The detail is written for the model that sent it.
pub(crate) fn invalid_input(error: &ParseError) -> Problem {
    Problem::from(ProblemResponse::from(error))
}

/// Invalid answers, with messages in the language of the respondent.
pub(crate) fn invalid_answer(errors: Vec<AnswerError>, words: Vec<String>) -> Problem {
    let mut response = ProblemResponse::from(Rejection::InvalidAnswer(errors));
    if let Some(first) = words.first() {
        response.detail.clone_from(first);
    }
    for (error, words) in response.errors.iter_mut().zip(words) {
        error.message = words;
    }
    Problem::from(response)
}

/// How much of a question without a header stands for it in a message.
const NAME_CHARS_MAX: usize = 60;

/// An answer that leaves these questions open.
pub(crate) fn incomplete(open: &[&Question]) -> Problem {
    let name = |question: &Question| match &question.header {
        Some(header) => header.to_string(),
        None => question.text.clone().clip(NAME_CHARS_MAX).to_string(),
    };
    let names: Vec<String> = open
        .iter()
        .map(|question| format!("{} ({})", question.id, name(question)))
        .collect();
    let mut detail = format!(
        "Not answered: {}. Answer all questions, or send `\"partial\": true` to leave these open.",
        names.join(", ")
    );
    let mut optional = open.iter().filter(|question| question.skippable);
    if let Some(question) = optional.next() {
        let skip = format!(
            " To skip an optional one, send `\"{}\": null`.",
            question.id
        );
        detail.push_str(&skip);
    }
    let mut response = ProblemResponse::new(ProblemCode::Incomplete, detail);
    response.errors = open
        .iter()
        .map(|question| AnswerErrorResponse {
            question: Some(question.id.clone()),
            code: "unanswered".to_owned(),
            message: format!("Not answered: {}", name(question)),
        })
        .collect();
    Problem::from(response)
}

/// The problem of a rejected command. If the inquiry has ended, it says how and by whom, as long as the caller sees it.
pub(crate) async fn conflict(
    state: &AppState,
    caller: &Caller,
    error: SubmitError,
    inquiry: Option<&InquiryId>,
) -> Problem {
    let has_winner = matches!(
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
    let Some(inquiry) = inquiry.filter(|_| has_winner) else {
        return Problem::from(response);
    };
    match state.engine.inquiry(inquiry).await {
        Ok(Some(view)) if state.sees(caller, &view) => {
            Problem::from(response.with_winner(&state.recipient_names.inquiry(&view)))
        }
        Ok(Some(_) | None) => Problem::from(response),
        // The request had no effect. Whoever repeats it is told who was first.
        Err(error) => Problem::from(error),
    }
}

#[cfg(test)]
#[path = "problem_tests.rs"]
mod tests;
