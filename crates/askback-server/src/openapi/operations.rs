//! The operations of the API, in the order of the documentation.

use askback_wire::app::{AppResponse, DialectResponse};
use askback_wire::asker::DeliveryParams;
use askback_wire::conversation::{
    ConversationDetailResponse, ConversationResponse, NewConversationParams, ReadConversationParams,
};
use askback_wire::draft::{DraftParams, DraftResponse};
use askback_wire::event::FeedParams;
use askback_wire::health::{HealthResponse, ReadyResponse};
use askback_wire::inquiry::{
    DeadlineParams, InquiryResponse, KeepOpenParams, NewInquiryParams, ReadInquiryParams,
    UndoParams,
};
use askback_wire::link::{LinkResponse, NewLinkParams};
use askback_wire::list::{ListConversationsParams, ListInquiriesParams};
use askback_wire::message::MessageParams;
use askback_wire::path;
use askback_wire::problem::ProblemCode;
use askback_wire::respond::{
    AnswerParams, CancelParams, DeclineParams, RejectParams, RespondParams, WithdrawParams,
};
use askback_wire::session::SessionResponse;
use serde_json::{Value, json};
use utoipa::openapi::schema::{ObjectBuilder, Type};

use super::operation::Operation;

const THE_CONVERSATION: &str = "The conversation as it then stands.";
const THE_INQUIRY: &str = "The inquiry as it then stands.";

/// Refusals of everything that is done to a waiting question.
const OF_A_TARGET: &[ProblemCode] = &[
    ProblemCode::NotPending,
    ProblemCode::StaleInquiry,
    ProblemCode::SeveralPending,
];

/// What is refused to a respondent who answers, declines or refuses.
const OF_A_REPLY: &[ProblemCode] = &[
    ProblemCode::Held,
    ProblemCode::InvalidHold,
    ProblemCode::AnswerUndone,
];

/// Refusals of every request that takes an idempotency key.
const OF_A_KEY: &[ProblemCode] = &[ProblemCode::InvalidKey, ProblemCode::IdempotencyMismatch];

/// Every operation.
pub(super) fn all() -> impl Iterator<Item = Operation> {
    conversations()
        .into_iter()
        .chain(responses())
        .chain(feeds())
        .chain(inquiries())
        .chain(outcomes())
        .chain(drafts())
        .chain(sessions())
        .chain(choices())
        .chain(server())
}

fn conversations() -> [Operation; 5] {
    [
        Operation::post(path::CONVERSATIONS, "start_conversation")
            .does("Starts a conversation with the built-in agent, or for an external one.")
            .optional_body::<NewConversationParams>()
            .makes::<ConversationResponse>("The conversation.")
            .gives::<ConversationResponse>(200, "The conversation that the same key began before.")
            .refuses(&[
                ProblemCode::NotFound,
                ProblemCode::WrongDriver,
                ProblemCode::InvalidMessage,
                ProblemCode::UnknownApp,
                ProblemCode::ConversationClosed,
            ])
            .refuses(OF_A_KEY)
            .writes(),
        Operation::get(path::CONVERSATIONS, "list_conversations")
            .does("Lists conversations, newest activity first.")
            .query::<ListConversationsParams>()
            .gives_list::<ConversationResponse>("A page of conversations.")
            .reads(),
        Operation::get(path::CONVERSATION, "read_conversation")
            .does("Reads a conversation with a page of its messages.")
            .query::<ReadConversationParams>()
            .gives::<ConversationDetailResponse>(200, "The conversation.")
            .reads(),
        Operation::delete(path::CONVERSATION, "delete_conversation")
            .does("Closes a conversation and removes all that belongs to it.")
            .explained(
                "Questions that wait in it are withdrawn, and their outcome can still be read.",
            )
            .gives_nothing("It is gone.")
            .writes(),
        Operation::post(path::MESSAGES, "send_message")
            .does("Says something.")
            .body::<MessageParams>()
            .gives::<ConversationResponse>(202, THE_CONVERSATION)
            .refuses(&[
                ProblemCode::AwaitingUserResponse,
                ProblemCode::Busy,
                ProblemCode::WrongDriver,
                ProblemCode::InvalidMessage,
                ProblemCode::ConversationClosed,
            ])
            .refuses(OF_A_KEY)
            .writes(),
    ]
}

fn responses() -> [Operation; 4] {
    let done = |operation: Operation| {
        operation
            .gives::<ConversationResponse>(200, THE_CONVERSATION)
            .refuses(OF_A_TARGET)
            .refuses(OF_A_KEY)
            .writes()
    };
    [
        done(Operation::post(path::RESPOND, "respond"))
            .does("Answers the question that waits.")
            .body_like::<RespondParams>(json!({"answers": {"q1": "SQLite"}}))
            .refuses(OF_A_REPLY)
            .refuses(&[ProblemCode::InvalidAnswer]),
        done(Operation::post(path::DECLINE, "decline"))
            .does("Lets the agent go on without an answer.")
            .optional_body::<DeclineParams>()
            .refuses(OF_A_REPLY),
        done(Operation::post(path::REJECT, "reject"))
            .does("Refuses the question; the agent stops.")
            .optional_body::<RejectParams>()
            .refuses(OF_A_REPLY),
        done(Operation::post(path::CANCEL, "cancel"))
            .does("Stops the agent, whatever it is doing.")
            .optional_body::<CancelParams>()
            .refuses(&[ProblemCode::NothingToStop, ProblemCode::ConversationClosed]),
    ]
}

fn feeds() -> [Operation; 2] {
    let feed = |operation: Operation| {
        operation
            .explained(
                "A stream without an end. The data of each event is JSON: `state_change` is a \
                 StateChangeEvent, `message` a MessageEvent, `inquiry_asked`, \
                 `inquiry_reminder`, `inquiry_held`, `inquiry_reopened` and `inquiry_resolved` \
                 an InquiryEvent, `token` a TokenEvent, `reset` a ResetEvent, `error` an ErrorEvent. Others may be \
                 added.",
            )
            .query::<FeedParams>()
            .header(
                "last-event-id",
                "Begin behind this sequence; goes before `after`.",
                ObjectBuilder::new().schema_type(Type::String),
            )
            .gives_text("text/event-stream", "The feed.")
            .refuses(&[ProblemCode::TooManyStreams])
            .reads()
    };
    [
        feed(Operation::get(
            path::CONVERSATION_EVENTS,
            "follow_conversation",
        ))
        .does("Streams what happens in a conversation."),
        feed(Operation::get(path::EVENTS, "follow"))
            .does("Streams what happens in all conversations."),
    ]
}

fn inquiries() -> [Operation; 3] {
    [
        Operation::post(path::INQUIRIES, "ask")
            .does("An external agent asks.")
            .body_like::<NewInquiryParams>(asking())
            .makes::<InquiryResponse>("The inquiry.")
            .gives::<InquiryResponse>(200, "The inquiry that the same key asked before.")
            .refuses(&[
                ProblemCode::NotFound,
                ProblemCode::WrongDriver,
                ProblemCode::Undeliverable,
                ProblemCode::ConversationClosed,
                ProblemCode::DeadlinePassed,
                ProblemCode::DeadlineTooFar,
                ProblemCode::InvalidWebhook,
                ProblemCode::InvalidInput,
                ProblemCode::UnknownDialect,
                ProblemCode::TooManyPending,
            ])
            .refuses(OF_A_KEY)
            .writes(),
        Operation::get(path::INQUIRIES, "list_inquiries")
            .does("Lists inquiries: pending ones by deadline, then age; others newest first.")
            .query::<ListInquiriesParams>()
            .gives_list::<InquiryResponse>("A page of inquiries.")
            .reads(),
        Operation::get(path::INQUIRY, "read_inquiry")
            .does("Reads an inquiry, and waits for its outcome if told to.")
            .query::<ReadInquiryParams>()
            .gives::<InquiryResponse>(200, "The inquiry.")
            .reads(),
    ]
}

/// An example of asking, with keys in the order of the alphabet: it is the same however maps are kept.
fn asking() -> Value {
    json!({
        "dialect": "ask_user_question",
        "expires_in": "2h",
        "input": {"questions": [{
            "header": "Database",
            "options": [{"label": "PostgreSQL"}, {"description": "One file", "label": "SQLite"}],
            "question": "Which database should the service use?",
        }]},
        "source": "deploy agent",
    })
}

fn outcomes() -> [Operation; 7] {
    let done = |operation: Operation| {
        operation
            .gives::<InquiryResponse>(200, THE_INQUIRY)
            .refuses(OF_A_TARGET)
            .writes()
    };
    let keyed = |operation| done(operation).refuses(OF_A_KEY);
    [
        keyed(Operation::post(path::INQUIRY_ANSWER, "answer_inquiry"))
            .does("Answers the inquiry.")
            .body_like::<AnswerParams>(json!({"answers": {"q1": "SQLite"}, "revision": 1}))
            .refuses(OF_A_REPLY)
            .refuses(&[ProblemCode::InvalidAnswer]),
        keyed(Operation::post(path::INQUIRY_DECLINE, "decline_inquiry"))
            .does("Lets the asker go on without an answer.")
            .optional_body::<DeclineParams>()
            .refuses(OF_A_REPLY),
        keyed(Operation::post(path::INQUIRY_CANCEL, "cancel_inquiry"))
            .does("Stops the asker.")
            .optional_body::<CancelParams>()
            .refuses(&[ProblemCode::NothingToStop]),
        keyed(Operation::post(path::INQUIRY_WITHDRAW, "withdraw_inquiry"))
            .does("The asker takes the inquiry back.")
            .optional_body::<WithdrawParams>()
            .refuses(&[ProblemCode::NothingToStop]),
        keyed(Operation::post(path::INQUIRY_UNDO, "undo_answer"))
            .does("Takes back an answer that is held; the inquiry waits as before.")
            .optional_body::<UndoParams>()
            .refuses(&[ProblemCode::NothingHeld]),
        done(Operation::put(path::INQUIRY_DEADLINE, "move_deadline").acts())
            .does("Moves the deadline of the inquiry, or removes it.")
            .body_like::<DeadlineParams>(json!({"expires_in": "10m"}))
            .refuses(&[ProblemCode::DeadlinePassed, ProblemCode::DeadlineTooFar]),
        done(Operation::post(
            path::INQUIRY_KEEP_OPEN,
            "keep_inquiry_open",
        ))
        .does("Keeps the inquiry open for a respondent who is there: its deadline goes, or moves.")
        .optional_body::<KeepOpenParams>()
        .refuses(&[ProblemCode::DeadlinePassed, ProblemCode::DeadlineTooFar]),
    ]
}

fn drafts() -> [Operation; 4] {
    [
        Operation::post(path::INQUIRY_DELIVERY, "note_delivery")
            .does("Notes how far the outcome has got to the agent that asked.")
            .explained(
                "For agents that named themselves in `asker`: `started` before the outcome is sent to \
                 the agent, `done` once it was sent, `failed` if the agent had given up the call. An \
                 outcome that is not `done` is delivered again.",
            )
            .body_like::<DeliveryParams>(json!({"state": "done"}))
            .gives_nothing("It is noted.")
            .writes(),
        Operation::post(path::INQUIRY_LINKS, "make_link")
            .does("Makes a link with which somebody without the token can answer this question.")
            .explained(
                "It shows and answers this one question, once, and opens nothing else. `allow` says \
                 what else its holder may do: `answer`, `decline` or `stop`. It begins with the server's public address, or with the one that was called.",
            )
            .optional_body::<NewLinkParams>()
            .gives::<LinkResponse>(201, "The link.")
            .refuses(&[ProblemCode::NotPending, ProblemCode::InvalidLink])
            .reads(),
        Operation::put(path::INQUIRY_DRAFT, "keep_draft")
            .does("Keeps a half-typed answer.")
            .body::<DraftParams>()
            .gives_nothing("It is kept.")
            .refuses(&[ProblemCode::NotPending, ProblemCode::StaleInquiry])
            .writes(),
        Operation::get(path::INQUIRY_DRAFT, "read_draft")
            .does("Brings a half-typed answer back.")
            .gives::<DraftResponse>(200, "The draft, if one was kept.")
            .reads(),
    ]
}

fn sessions() -> [Operation; 4] {
    [
        Operation::get(path::SESSIONS, "list_sessions")
            .does("Lists the browsers that are signed in, the last used first.")
            .gives_list::<SessionResponse>("All sessions that were given for the present token.")
            .reads(),
        Operation::delete(path::SESSIONS, "end_sessions")
            .does("Signs all browsers out.")
            .gives_nothing("All sessions have ended, and their feeds are closed.")
            .reads(),
        Operation::delete(path::SESSION, "end_session")
            .does("Signs one browser out.")
            .gives_nothing("The session has ended, and its feeds are closed.")
            .reads(),
        Operation::post(path::SIGN_OUT, "sign_out")
            .does("Ends the session that the request comes with, and clears its cookie.")
            .gives_nothing("The browser is signed out. With the token there is nothing to end.")
            .reads(),
    ]
}

fn choices() -> [Operation; 2] {
    [
        Operation::get(path::APPS, "list_apps")
            .does("Lists what conversations can be started for.")
            .gives_list::<AppResponse>("All apps."),
        Operation::get(path::DIALECTS, "list_dialects")
            .does("Lists the tool contracts, with description and JSON Schema.")
            .gives_list::<DialectResponse>("All dialects."),
    ]
}

fn server() -> [Operation; 4] {
    [
        Operation::get(path::OPENAPI, "describe")
            .does("Describes this API.")
            .open()
            .gives_object("This document."),
        Operation::get(path::HEALTHZ, "check_health")
            .does("Says that the process runs.")
            .open()
            .gives::<HealthResponse>(200, "It runs.")
            .gives::<HealthResponse>(503, "It runs, but can write nothing any more."),
        Operation::get(path::READYZ, "check_readiness")
            .does("Says whether requests can be served.")
            .open()
            .gives::<ReadyResponse>(200, "They can.")
            .gives::<ReadyResponse>(503, "They cannot, or not all of them."),
        Operation::get(path::METRICS, "read_metrics")
            .does("Gives figures for Prometheus.")
            .gives_text("application/openmetrics-text", "The figures."),
    ]
}
