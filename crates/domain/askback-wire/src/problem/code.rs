//! The documented list of problems. Codes are never removed or renamed.

use askback_core::conversation::rejection::Rejection;

/// Declares the list: variant, code, status, title.
macro_rules! problem_codes {
    ($( $variant:ident, $word:literal, $status:literal, $title:literal; )+) => {
        /// The kind of a problem. Each is documented by its title.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum ProblemCode {
            $( #[doc = concat!($title, ".")] $variant, )+
        }

        impl ProblemCode {
            /// In the order of the documentation.
            pub const ALL: &'static [ProblemCode] = &[$(ProblemCode::$variant),+];

            /// The `code` of the problem.
            pub fn as_str(self) -> &'static str {
                match self { $( ProblemCode::$variant => $word, )+ }
            }

            /// The HTTP status.
            pub fn status(self) -> u16 {
                match self { $( ProblemCode::$variant => $status, )+ }
            }

            /// The `title`, which is the same for all problems of this kind.
            pub fn title(self) -> &'static str {
                match self { $( ProblemCode::$variant => $title, )+ }
            }
        }
    };
}

problem_codes! {
    NotPending, "not_pending", 409, "The question is no longer pending";
    Held, "held", 409, "The question already has an answer";
    NothingHeld, "nothing_held", 409, "There is no answer to undo";
    InvalidUndoWindow, "invalid_undo_window", 422, "The undo window is invalid";
    StaleInquiry, "stale_inquiry", 409, "Another question is pending now";
    DraftChanged, "draft_changed", 409, "Another draft was saved meanwhile";
    SeveralPending, "several_pending", 409, "Several questions are pending";
    InvalidAnswer, "invalid_answer", 422, "The answer is invalid";
    Incomplete, "incomplete", 422, "The answer is incomplete";
    AwaitingUserResponse, "awaiting_user_response", 409, "A question is pending";
    Busy, "busy", 409, "The agent is working";
    DuplicateMessage, "duplicate_message", 409, "The message was received before";
    InvalidMessage, "invalid_message", 422, "The message is invalid";
    NothingToStop, "nothing_to_stop", 409, "There is nothing to stop";
    ConversationClosed, "conversation_closed", 409, "The conversation was deleted";
    StaleReport, "stale_report", 409, "The work was cancelled";
    WrongDriver, "wrong_driver", 409, "The conversation does not support this request";
    TooManyPending, "too_many_pending", 429, "Too many questions are pending";
    AgentLimit, "agent_limit", 429, "The agent has reached a limit";
    Undeliverable, "undeliverable", 409, "The question cannot be delivered";
    SameRecipient, "same_recipient", 409, "The question has this recipient already";
    DeadlinePassed, "deadline_passed", 422, "The deadline is in the past";
    DeadlineTooFar, "deadline_too_far", 422, "The deadline is too far in the future";
    InvalidDeadline, "invalid_deadline", 422, "The deadline is ambiguous";
    NotExpired, "not_expired", 409, "The deadline has not passed";
    InvalidJson, "invalid_json", 400, "The body is not valid JSON of the documented form";
    InvalidQuery, "invalid_query", 400, "A parameter is invalid";
    InvalidKey, "invalid_key", 422, "The idempotency key is invalid";
    InvalidWebhook, "invalid_webhook", 422, "The webhook URL is not allowed";
    InvalidMetadata, "invalid_metadata", 422, "The metadata is not valid";
    UnknownRecipient, "unknown_recipient", 422, "The recipient is unknown";
    InvalidRecipient, "invalid_recipient", 422, "The person or group cannot be like this";
    InvalidSubscription, "invalid_subscription", 422, "The browser cannot be subscribed";
    InvalidCredential, "invalid_credential", 422, "The token cannot be made like this";
    InvalidLink, "invalid_link", 422, "The lifetime of the link is invalid";
    InvalidInput, "invalid_input", 422, "The tool input does not match its schema";
    UnknownDialect, "unknown_dialect", 422, "The dialect is unknown";
    UnknownApp, "unknown_app", 422, "The app is unknown";
    IdempotencyMismatch, "idempotency_mismatch", 422, "The idempotency key was used for another request";
    AnswerUndone, "answer_undone", 409, "The answer was undone";
    DeliverySuperseded, "delivery_superseded", 409, "Another delivery of the outcome was started";
    Unauthorized, "unauthorized", 401, "A valid token is required";
    ForbiddenScope, "forbidden_scope", 403, "The token does not permit this";
    ForbiddenHost, "forbidden_host", 403, "The host name is not allowed";
    ForbiddenOrigin, "forbidden_origin", 403, "The origin is not allowed";
    NotFound, "not_found", 404, "Not found";
    MethodNotAllowed, "method_not_allowed", 405, "The method is not allowed";
    RequestTimeout, "request_timeout", 408, "The body took too long";
    TooLarge, "too_large", 413, "The body is too large";
    UnsupportedMediaType, "unsupported_media_type", 415, "The body must be JSON";
    TooManyStreams, "too_many_streams", 429, "Too many feeds are open";
    Conflict, "conflict", 503, "The conversation changed concurrently";
    StoreUnavailable, "store_unavailable", 503, "The store is unavailable";
    CommitUnknown, "commit_unknown", 503, "It is unknown whether the request was stored";
    Closing, "closing", 503, "The server is shutting down";
    Internal, "internal", 500, "Internal server error";
}

impl ProblemCode {
    /// `None` for codes of newer versions.
    pub fn from_code(code: &str) -> Option<ProblemCode> {
        let mut all = ProblemCode::ALL.iter().copied();
        all.find(|known| known.as_str() == code)
    }

    /// The `type` of the problem.
    pub fn urn(self) -> String {
        format!("urn:askback:problem:{}", self.as_str())
    }
}

impl From<&Rejection> for ProblemCode {
    fn from(rejection: &Rejection) -> ProblemCode {
        // Every code of a rejection is in the list, which a test holds.
        ProblemCode::from_code(rejection.code()).unwrap_or(ProblemCode::Internal)
    }
}
