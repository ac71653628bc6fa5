//! Limits of the API. Those of the domain are in `askback_core::limits`.

/// `asker.client`.
pub const ASKER_CLIENT_CHARS_MAX: usize = 100;
/// `asker.project`.
pub const ASKER_PROJECT_CHARS_MAX: usize = 1_000;
/// The name of a session of an agent.
pub const ASKER_SESSION_CHARS_MAX: usize = 200;
/// Sessions that are taken over at once.
pub const ASKER_SESSIONS_MAX: usize = 200;

/// A request body. The draft of a long answer fits, a file does not.
pub const BODY_BYTES_MAX: usize = 2 << 20;
/// One frame of a feed, for clients.
pub const FRAME_BYTES_MAX: usize = 16 << 20;
/// The name of the person who acts.
pub const ACTOR_CHARS_MAX: usize = 100;
/// The title of a conversation.
pub const TITLE_CHARS_MAX: usize = 200;
/// An idempotency key or a `message_id`.
pub const KEY_CHARS_MAX: usize = 200;
/// A webhook URL.
pub const WEBHOOK_CHARS_MAX: usize = 2_000;
/// Items on a page by default.
pub const PAGE_ITEMS: usize = 50;
/// Items on a page at most.
pub const PAGE_ITEMS_MAX: usize = 200;
/// How long an answer can be undone, wherever nobody chose otherwise.
pub const UNDO_SECONDS: u32 = 5;
/// The longest `wait` of one long poll.
pub const WAIT_SECONDS_MAX: i64 = 60;
/// The longest time until a deadline: a year.
pub const EXPIRES_SECONDS_MAX: u32 = 366 * 24 * 60 * 60;
/// How long a link is valid by default: a day.
pub const LINK_SECONDS: i64 = 24 * 60 * 60;
/// How long a link can be valid: a week.
pub const LINK_SECONDS_MAX: i64 = 7 * LINK_SECONDS;

/// The limits that `askback doctor` prints.
pub const ALL: &[(&str, usize)] = &[
    (
        "name of an agent's client, characters",
        ASKER_CLIENT_CHARS_MAX,
    ),
    ("project of an agent, characters", ASKER_PROJECT_CHARS_MAX),
    ("session of an agent, characters", ASKER_SESSION_CHARS_MAX),
    (
        "earlier sessions that an agent continues",
        ASKER_SESSIONS_MAX,
    ),
    ("request body, bytes", BODY_BYTES_MAX),
    ("name of a person, characters", ACTOR_CHARS_MAX),
    ("title of a conversation, characters", TITLE_CHARS_MAX),
    ("idempotency key, characters", KEY_CHARS_MAX),
    ("webhook URL, characters", WEBHOOK_CHARS_MAX),
    ("items on a page", PAGE_ITEMS_MAX),
    (
        "time until a deadline, seconds",
        EXPIRES_SECONDS_MAX as usize,
    ),
];
