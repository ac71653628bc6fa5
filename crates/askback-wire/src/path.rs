//! The paths of the API, once for the server that routes them and the client that calls them.
//!
//! `{id}` stands for a conversation or an inquiry; [`with_id`] fills it in.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// `POST` starts a conversation, `GET` lists them.
pub const CONVERSATIONS: &str = "/conversations";
/// `GET` reads a conversation, `DELETE` removes it.
pub const CONVERSATION: &str = "/conversations/{id}";
/// `POST` says something.
pub const MESSAGES: &str = "/conversations/{id}/messages";
/// `POST` answers the waiting question.
pub const RESPOND: &str = "/conversations/{id}/respond";
/// `POST` lets the agent go on without an answer.
pub const DECLINE: &str = "/conversations/{id}/decline";
/// `POST` refuses the waiting question.
pub const REJECT: &str = "/conversations/{id}/reject";
/// `POST` stops the agent.
pub const CANCEL: &str = "/conversations/{id}/cancel";
/// `GET` streams what happens in a conversation.
pub const CONVERSATION_EVENTS: &str = "/conversations/{id}/events";
/// `GET` streams what happens anywhere.
pub const EVENTS: &str = "/events";
/// `POST` asks, `GET` lists.
pub const INQUIRIES: &str = "/inquiries";
/// `GET` reads an inquiry, and waits for its outcome if told to.
pub const INQUIRY: &str = "/inquiries/{id}";
/// `POST` answers it.
pub const INQUIRY_ANSWER: &str = "/inquiries/{id}/answer";
/// `POST` lets the asker go on without an answer.
pub const INQUIRY_DECLINE: &str = "/inquiries/{id}/decline";
/// `POST` stops the asker.
pub const INQUIRY_CANCEL: &str = "/inquiries/{id}/cancel";
/// `POST` takes the question back; for the asker, not the respondent.
pub const INQUIRY_WITHDRAW: &str = "/inquiries/{id}/withdraw";
/// `PUT` moves or removes the deadline.
pub const INQUIRY_DEADLINE: &str = "/inquiries/{id}/deadline";
/// `POST` keeps it open for a respondent who is there.
pub const INQUIRY_KEEP_OPEN: &str = "/inquiries/{id}/keep-open";
/// `POST` takes back an answer that is held.
pub const INQUIRY_UNDO: &str = "/inquiries/{id}/undo";
/// `PUT` keeps a half-typed answer, `GET` brings it back.
pub const INQUIRY_DRAFT: &str = "/inquiries/{id}/draft";
/// `POST` makes a link that answers this one question.
pub const INQUIRY_LINKS: &str = "/inquiries/{id}/links";
/// `GET` lists the browsers that are signed in, `DELETE` ends all of their sessions.
pub const SESSIONS: &str = "/sessions";
/// `DELETE` ends one session.
pub const SESSION: &str = "/sessions/{id}";
/// `POST` ends the session that it comes with.
pub const SIGN_OUT: &str = "/sign-out";
/// `POST` notes how far the outcome has got to the agent that asked.
pub const INQUIRY_DELIVERY: &str = "/inquiries/{id}/delivery";
/// `GET` lists the apps.
pub const APPS: &str = "/apps";
/// `GET` lists the dialects.
pub const DIALECTS: &str = "/dialects";
/// `GET` describes this API.
pub const OPENAPI: &str = "/openapi.json";
/// `GET` says that the process runs.
pub const HEALTHZ: &str = "/healthz";
/// `GET` says whether requests can be served.
pub const READYZ: &str = "/readyz";
/// `GET` gives figures for Prometheus.
pub const METRICS: &str = "/metrics";

/// Everything but the unreserved characters of RFC 3986.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// `text` as a path segment, query value or ASCII header value.
pub fn percent_encoded(text: &str) -> String {
    utf8_percent_encode(text, RESERVED).to_string()
}

/// `path` with its `{id}` filled in.
pub fn with_id(path: &str, id: &str) -> String {
    path.replace("{id}", &percent_encoded(id))
}
