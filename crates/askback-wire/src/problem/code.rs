//! The list of problems. It is closed, documented and only ever grows.

use askback_core::conversation::rejection::Rejection;

/// Declares the list: variant, word, status, title.
macro_rules! problem_codes {
    ($( $(#[$doc:meta])* $variant:ident, $word:literal, $status:literal, $title:literal; )+) => {
        /// What kind of problem it is.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum ProblemCode {
            $( $(#[$doc])* $variant, )+
        }

        impl ProblemCode {
            /// Every kind, in the order of the documentation.
            pub const ALL: &'static [ProblemCode] = &[$(ProblemCode::$variant),+];

            /// The word on the wire.
            pub fn as_str(self) -> &'static str {
                match self { $( ProblemCode::$variant => $word, )+ }
            }

            /// The HTTP status it comes with.
            pub fn status(self) -> u16 {
                match self { $( ProblemCode::$variant => $status, )+ }
            }

            /// The kind of problem, in words that never change.
            pub fn title(self) -> &'static str {
                match self { $( ProblemCode::$variant => $title, )+ }
            }
        }
    };
}

problem_codes! {
    /// No inquiry waits, or this one has its outcome already.
    NotPending, "not_pending", 409, "The question is not waiting any more";
    /// The question has an answer, which can still be taken back.
    Held, "held", 409, "The question has an answer";
    /// Nothing is held that could be taken back.
    NothingHeld, "nothing_held", 409, "There is nothing to take back";
    /// An answer cannot be held for so long, or so short.
    InvalidHold, "invalid_hold", 422, "The time for taking back does not fit";
    /// Another inquiry waits than the one the sender saw.
    StaleInquiry, "stale_inquiry", 409, "Another question is waiting";
    /// Several inquiries wait and the request names none.
    SeveralPending, "several_pending", 409, "Several questions are waiting";
    /// The answers do not fit the questions.
    InvalidAnswer, "invalid_answer", 422, "The answer does not fit";
    /// A question must be answered before the next message.
    AwaitingUserResponse, "awaiting_user_response", 409, "A question is waiting";
    /// The agent is at work.
    Busy, "busy", 409, "The agent is working";
    /// The same message again.
    DuplicateMessage, "duplicate_message", 409, "The message was received before";
    /// A message without readable text, or one that is too long.
    InvalidMessage, "invalid_message", 422, "The message cannot be taken";
    /// Nothing is going on that could be stopped.
    NothingToStop, "nothing_to_stop", 409, "Nothing is going on";
    /// The conversation was deleted.
    ConversationClosed, "conversation_closed", 409, "The conversation was deleted";
    /// A report on work that nobody waits for.
    StaleReport, "stale_report", 409, "Nobody waits for this work";
    /// The request does not fit who drives the conversation.
    WrongDriver, "wrong_driver", 409, "The conversation does not take this";
    /// The asker has too many questions open.
    TooManyPending, "too_many_pending", 429, "Too many questions are waiting";
    /// Asking is not possible here.
    Undeliverable, "undeliverable", 409, "Nobody can be asked here";
    /// A deadline that lies in the past.
    DeadlinePassed, "deadline_passed", 422, "The deadline lies in the past";
    /// A deadline that lies too far ahead.
    DeadlineTooFar, "deadline_too_far", 422, "The deadline lies too far ahead";
    /// The deadline has not passed yet.
    NotExpired, "not_expired", 409, "The deadline has not passed";
    /// The body is not JSON, or JSON of another form than the documented one.
    InvalidJson, "invalid_json", 400, "The body is not the JSON that is documented";
    /// A parameter of the address is wrong.
    InvalidQuery, "invalid_query", 400, "A parameter of the address is wrong";
    /// The idempotency key is empty or too long.
    InvalidKey, "invalid_key", 422, "The idempotency key cannot be used";
    /// The webhook is not an address that can be told.
    InvalidWebhook, "invalid_webhook", 422, "The webhook cannot be used";
    /// A link cannot last for so long, or for no time at all.
    InvalidLink, "invalid_link", 422, "The link cannot be made";
    /// The tool input is not what its dialect says; written for the model that sent it.
    InvalidInput, "invalid_input", 422, "The tool input does not fit its contract";
    /// No such dialect, or none that the input looks like.
    UnknownDialect, "unknown_dialect", 422, "The dialect is not known";
    /// No such app.
    UnknownApp, "unknown_app", 422, "The app is not known";
    /// The idempotency key was used for another request.
    IdempotencyMismatch, "idempotency_mismatch", 422, "The idempotency key was used for another request";
    /// The answer that was sent with the same key was undone.
    AnswerUndone, "answer_undone", 409, "The answer was undone";
    /// The caller did not show a valid token.
    Unauthorized, "unauthorized", 401, "A token is needed";
    /// The `Host` of the request is not one of this server's.
    ForbiddenHost, "forbidden_host", 403, "The host name is not served here";
    /// The `Origin` of the request is another site.
    ForbiddenOrigin, "forbidden_origin", 403, "Requests from this site are not taken";
    /// There is no such thing.
    NotFound, "not_found", 404, "There is no such thing";
    /// The path takes other methods.
    MethodNotAllowed, "method_not_allowed", 405, "The path does not take this method";
    /// The body came too slowly.
    RequestTimeout, "request_timeout", 408, "The body came too slowly";
    /// The body is too large.
    TooLarge, "too_large", 413, "The body is too large";
    /// The body is not declared as JSON.
    UnsupportedMediaType, "unsupported_media_type", 415, "The body must be JSON";
    /// Too many feeds are open.
    TooManyStreams, "too_many_streams", 429, "Too many feeds are open";
    /// The conversation kept changing while the request was decided.
    Conflict, "conflict", 503, "The conversation is changing too fast";
    /// The store cannot be read or written now.
    StoreUnavailable, "store_unavailable", 503, "The store is not available";
    /// The disk failed while the request was being written: it was carried out, or it was not.
    CommitUnknown, "commit_unknown", 503, "It is not known whether this was written";
    /// The server is shutting down.
    Closing, "closing", 503, "The server is shutting down";
    /// A fault of the server.
    Internal, "internal", 500, "The server made a mistake";
}

impl ProblemCode {
    /// The code with this word.
    pub fn from_word(word: &str) -> Option<ProblemCode> {
        let mut all = ProblemCode::ALL.iter().copied();
        all.find(|code| code.as_str() == word)
    }

    /// The `type` of a problem of this kind.
    pub fn urn(self) -> String {
        format!("urn:askback:problem:{}", self.as_str())
    }
}

impl From<&Rejection> for ProblemCode {
    fn from(rejection: &Rejection) -> ProblemCode {
        match rejection {
            Rejection::NotPending | Rejection::Expired { .. } => ProblemCode::NotPending,
            Rejection::Held => ProblemCode::Held,
            Rejection::NothingHeld => ProblemCode::NothingHeld,
            Rejection::InvalidHold => ProblemCode::InvalidHold,
            Rejection::StaleInquiry => ProblemCode::StaleInquiry,
            Rejection::SeveralPending => ProblemCode::SeveralPending,
            Rejection::InvalidAnswer(_) => ProblemCode::InvalidAnswer,
            Rejection::AwaitingUserResponse => ProblemCode::AwaitingUserResponse,
            Rejection::Busy => ProblemCode::Busy,
            Rejection::DuplicateMessage => ProblemCode::DuplicateMessage,
            Rejection::InvalidMessage => ProblemCode::InvalidMessage,
            Rejection::NothingToStop => ProblemCode::NothingToStop,
            Rejection::Closed => ProblemCode::ConversationClosed,
            Rejection::StaleReport => ProblemCode::StaleReport,
            Rejection::WrongDriver { .. } => ProblemCode::WrongDriver,
            Rejection::TooManyPending => ProblemCode::TooManyPending,
            Rejection::Undeliverable(_) => ProblemCode::Undeliverable,
            Rejection::DeadlinePassed => ProblemCode::DeadlinePassed,
            Rejection::NotExpired { .. } => ProblemCode::NotExpired,
        }
    }
}
