//! The paths of the API, for the server and the client. [`with_id`] fills in `{id}`.
#![expect(
    missing_docs,
    reason = "the server documents each route where it declares it, and in /openapi.json"
)]

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode, utf8_percent_encode};

pub const CONVERSATIONS: &str = "/conversations";
pub const CONVERSATION: &str = "/conversations/{id}";
pub const MESSAGES: &str = "/conversations/{id}/messages";
pub const RESPOND: &str = "/conversations/{id}/respond";
pub const DECLINE: &str = "/conversations/{id}/decline";
pub const REJECT: &str = "/conversations/{id}/reject";
pub const CANCEL: &str = "/conversations/{id}/cancel";
pub const CONVERSATION_EVENTS: &str = "/conversations/{id}/events";
pub const EVENTS: &str = "/events";
pub const INQUIRIES: &str = "/inquiries";
pub const INQUIRY: &str = "/inquiries/{id}";
pub const INQUIRY_ANSWER: &str = "/inquiries/{id}/answer";
pub const INQUIRY_DECLINE: &str = "/inquiries/{id}/decline";
pub const INQUIRY_REJECT: &str = "/inquiries/{id}/reject";
pub const INQUIRY_CANCEL: &str = "/inquiries/{id}/cancel";
pub const INQUIRY_WITHDRAW: &str = "/inquiries/{id}/withdraw";
pub const INQUIRY_DEADLINE: &str = "/inquiries/{id}/deadline";
pub const INQUIRY_HAND_ON: &str = "/inquiries/{id}/hand-on";
pub const INQUIRY_KEEP_OPEN: &str = "/inquiries/{id}/keep-open";
pub const INQUIRY_UNDO: &str = "/inquiries/{id}/undo";
/// See [`crate::inquiry::CommitAnswerParams`].
pub const INQUIRY_COMMIT_ANSWER: &str = "/inquiries/{id}/commit-answer";
pub const INQUIRY_MESSAGES: &str = "/inquiries/{id}/messages";
pub const INQUIRY_DRAFT: &str = "/inquiries/{id}/draft";
pub const INQUIRY_SNOOZE: &str = "/inquiries/{id}/snooze";
pub const TYPED_DATE: &str = "/typed-date";
pub const INQUIRY_LINKS: &str = "/inquiries/{id}/links";
pub const INQUIRY_TOKENS: &str = "/inquiries/{id}/tokens";
pub const TOKENS: &str = "/tokens";
pub const TOKEN: &str = "/tokens/{id}";
pub const WEBHOOKS: &str = "/webhooks";
pub const WEBHOOK_RETRY: &str = "/webhooks/{id}/retry";
pub const ME: &str = "/me";
pub const SESSIONS: &str = "/sessions";
pub const SESSION: &str = "/sessions/{id}";
pub const SIGN_IN: &str = "/sign-in";
pub const SIGN_IN_CODES: &str = "/sign-in-codes";
pub const SIGN_OUT: &str = "/sign-out";
pub const INQUIRY_DELIVERY: &str = "/inquiries/{id}/delivery";
pub const ASKER_SESSIONS: &str = "/asker-sessions";
pub const ASKER_TAKEOVER: &str = "/asker-sessions/take-over";
pub const AUDIT: &str = "/audit";
pub const AG_UI: &str = "/ag-ui";
pub const CHANNELS: &str = "/channels";
pub const CHANNEL_LINKS: &str = "/channels/{id}/links";
pub const RECIPIENTS: &str = "/recipients";
pub const RECIPIENT: &str = "/recipients/{id}";
pub const FORGET_RECIPIENT: &str = "/recipients/{id}/forget";
pub const PUSH: &str = "/push";
pub const PUSH_SUBSCRIPTIONS: &str = "/push/subscriptions";
pub const PUSH_UNSUBSCRIBE: &str = "/push/unsubscribe";
pub const PRESENCE: &str = "/presence";
pub const APPS: &str = "/apps";
pub const DIALECTS: &str = "/dialects";
pub const OPENAPI: &str = "/openapi.json";
pub const HEALTHZ: &str = "/healthz";
pub const READYZ: &str = "/readyz";
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

/// The text that was [percent-encoded](percent_encoded).
pub fn percent_decoded(bytes: &[u8]) -> String {
    percent_decode(bytes).decode_utf8_lossy().into_owned()
}

/// `path` with its `{id}` filled in.
pub fn with_id(path: &str, id: &str) -> String {
    path.replace("{id}", &percent_encoded(id))
}
