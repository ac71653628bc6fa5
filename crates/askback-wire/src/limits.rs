//! Every bound of the wire in one place; those of the domain are the core's.

/// Characters of an asking agent's name.
pub const ASKER_CLIENT_CHARS_MAX: usize = 100;
/// Characters of what an asking agent works on.
pub const ASKER_PROJECT_CHARS_MAX: usize = 1_000;
/// Characters of an asking agent's session.
pub const ASKER_SESSION_CHARS_MAX: usize = 200;
/// Earlier sessions that an agent can continue at once.
pub const ASKER_SESSIONS_MAX: usize = 200;

/// Size of a request body, in bytes. The draft of a long answer fits, a file does not.
pub const BODY_BYTES_MAX: usize = 2 << 20;
/// Size of one frame of a feed that a client takes, in bytes.
pub const FRAME_BYTES_MAX: usize = 16 << 20;
/// Name of a person who acts.
pub const ACTOR_CHARS_MAX: usize = 100;
/// Title of a conversation.
pub const TITLE_CHARS_MAX: usize = 200;
/// Idempotency key, and the sender's id for a message.
pub const KEY_CHARS_MAX: usize = 200;
/// Address that is told about an outcome.
pub const WEBHOOK_CHARS_MAX: usize = 2_000;
/// Items on a page unless the caller says otherwise.
pub const PAGE_ITEMS: usize = 50;
/// Most items on a page.
pub const PAGE_ITEMS_MAX: usize = 200;
/// Longest wait of one long poll, in seconds.
pub const WAIT_SECONDS_MAX: i64 = 60;
/// Longest time until a question ends unanswered, in seconds: a year.
pub const EXPIRES_SECONDS_MAX: u32 = 366 * 24 * 60 * 60;
/// Time for which a link opens its question unless the caller says otherwise, in seconds: a day.
pub const LINK_SECONDS: i64 = 24 * 60 * 60;
/// Longest time for which a link opens its question, in seconds: a week.
pub const LINK_SECONDS_MAX: i64 = 7 * LINK_SECONDS;

/// Every limit with its name, for `doctor` and the documentation.
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
    ("webhook address, characters", WEBHOOK_CHARS_MAX),
    ("items on a page", PAGE_ITEMS_MAX),
    (
        "time until a question ends unanswered, seconds",
        EXPIRES_SECONDS_MAX as usize,
    ),
];
