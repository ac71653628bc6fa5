-- Ids of our own making are stored as 16 bytes and foreign ones as text, names that are known as a number and others
-- as text, hence the type ANY. The name 0 is "pending". Within the database rows refer to each other by number. Times
-- are microseconds since 1970.

-- A conversation that was closed keeps its row and refuses everything; it is in no list.
CREATE TABLE conversations (
    number      INTEGER PRIMARY KEY,
    id          ANY     NOT NULL UNIQUE,
    parent      INTEGER REFERENCES conversations (number) ON DELETE CASCADE,
    driver      ANY     NOT NULL,
    app         TEXT,
    state       ANY     NOT NULL,
    version     INTEGER NOT NULL,
    created_at  INTEGER NOT NULL,
    updated_at  INTEGER NOT NULL,
    closed_from INTEGER,
    title       TEXT,
    json        TEXT    NOT NULL
) STRICT;

-- A list of all is merged from those of each driver: few conversations of one are found among many of the other.
CREATE INDEX conversations_by_activity ON conversations (parent, driver, updated_at)
    WHERE closed_from IS NULL;
CREATE INDEX conversations_by_state ON conversations (parent, driver, state, updated_at)
    WHERE closed_from IS NULL;
CREATE INDEX conversations_closed ON conversations (updated_at) WHERE closed_from IS NOT NULL;
CREATE INDEX conversations_by_parent ON conversations (parent) WHERE parent IS NOT NULL;

-- One decision is one row. A record has a position for each of its events and one more for the state
-- after them; `last` is the highest of these. AUTOINCREMENT, because a position that was given out
-- once never names anything else.
CREATE TABLE records (
    last         INTEGER PRIMARY KEY AUTOINCREMENT,
    conversation INTEGER NOT NULL REFERENCES conversations (number) ON DELETE CASCADE,
    at           INTEGER NOT NULL,
    body         TEXT    NOT NULL
) STRICT;

-- Records of a conversation, in order: the index also has `last`.
CREATE INDEX records_in ON records (conversation);

-- A deadline is stored as a negative number and none as 0, which takes no room and sorts last, so
-- that one index gives the order of the inbox: by deadline, then by age. `held` is what a respondent has done with a
-- pending inquiry and can undo for a while.
CREATE TABLE inquiries (
    number       INTEGER PRIMARY KEY,
    id           ANY     NOT NULL UNIQUE,
    conversation INTEGER NOT NULL REFERENCES conversations (number) ON DELETE CASCADE,
    status       ANY     NOT NULL DEFAULT 0,
    dialect      ANY     NOT NULL,
    revision     INTEGER NOT NULL,
    version      INTEGER NOT NULL,
    source       TEXT,
    webhook      TEXT,
    credential   TEXT,
    asked_at     INTEGER NOT NULL,
    expires_at   INTEGER NOT NULL,
    resolved_at  INTEGER,
    resolution   TEXT,
    held         TEXT CHECK (held IS NULL OR status = 0),
    json         TEXT    NOT NULL,
    CHECK ((status = 0) = (resolved_at IS NULL)),
    CHECK ((status = 0) = (resolution IS NULL))
) STRICT;

-- Each index is a page more in every commit that changes a row. One index gives the inquiries of a conversation
-- with any status, and the pending ones among them.
CREATE INDEX inquiries_pending ON inquiries (expires_at) WHERE status = 0;
CREATE INDEX inquiries_in ON inquiries (conversation, status);
CREATE INDEX inquiries_resolved ON inquiries (status) WHERE status <> 0;

CREATE TRIGGER one_outcome BEFORE UPDATE ON inquiries WHEN OLD.status <> 0
BEGIN
    SELECT RAISE(ABORT, 'the inquiry has its outcome');
END;

-- The agent that asked an inquiry, if it said so, and how far the outcome has got to it. In a table of its own,
-- because an inquiry that has its outcome never changes. A project that is not known is the empty text. `taken_over`:
-- by another session; `detached`: the agent has said that it stopped waiting.
CREATE TABLE askers (
    inquiry           INTEGER PRIMARY KEY REFERENCES inquiries (number) ON DELETE CASCADE,
    client            TEXT    NOT NULL,
    project           TEXT    NOT NULL,
    session           TEXT    NOT NULL,
    call              TEXT    NOT NULL,
    delivery_attempts INTEGER NOT NULL DEFAULT 0,
    delivered_at      INTEGER,
    taken_over        INTEGER NOT NULL DEFAULT 0,
    detached          INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE INDEX askers_undelivered ON askers (client, project, session) WHERE delivered_at IS NULL;

-- Jobs wait in queues that are claimed one by one: a queue that is full delays no other. Timers have their inquiry
-- beside them and go when it gets its outcome. AUTOINCREMENT, because finishing a job twice must not finish another
-- one.
CREATE TABLE jobs (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    conversation INTEGER NOT NULL REFERENCES conversations (number) ON DELETE CASCADE,
    inquiry      INTEGER REFERENCES inquiries (number) ON DELETE CASCADE,
    queue        TEXT    NOT NULL,
    run_at       INTEGER NOT NULL,
    attempts     INTEGER NOT NULL DEFAULT 0,
    kind         ANY     NOT NULL,
    json         TEXT    NOT NULL
) STRICT;

CREATE INDEX jobs_due ON jobs (queue, run_at);
CREATE INDEX jobs_by_conversation ON jobs (conversation);
CREATE INDEX jobs_of_inquiry ON jobs (inquiry) WHERE inquiry IS NOT NULL;

CREATE TABLE drafts (
    inquiry INTEGER PRIMARY KEY REFERENCES inquiries (number) ON DELETE CASCADE,
    at      INTEGER NOT NULL,
    json    TEXT    NOT NULL
) STRICT;

-- Pending inquiries that are hidden from the inbox until a time. The inquiry itself and its deadline do not change.
CREATE TABLE snoozes (
    inquiry INTEGER PRIMARY KEY REFERENCES inquiries (number) ON DELETE CASCADE,
    until   INTEGER NOT NULL
) STRICT;

-- A key of a request is bound to what was requested and lives as long as its conversation.
CREATE TABLE request_keys (
    key          TEXT    NOT NULL PRIMARY KEY,
    request      BLOB    NOT NULL,
    conversation INTEGER NOT NULL REFERENCES conversations (number) ON DELETE CASCADE,
    inquiry      ANY
) STRICT, WITHOUT ROWID;

CREATE INDEX request_keys_by_conversation ON request_keys (conversation);

-- Of the inquiries that waited when their conversation was closed, how they ended stays, and nothing of what was asked.
CREATE TABLE tombstones (
    inquiry      ANY     NOT NULL PRIMARY KEY,
    conversation INTEGER NOT NULL REFERENCES conversations (number) ON DELETE CASCADE,
    status       ANY     NOT NULL,
    dialect      ANY     NOT NULL,
    revision     INTEGER NOT NULL,
    version      INTEGER NOT NULL,
    credential   TEXT,
    asked_at     INTEGER NOT NULL,
    resolved_at  INTEGER NOT NULL,
    resolution   TEXT    NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX tombstones_by_conversation ON tombstones (conversation);

-- Browsers that are signed in. The secret itself is in the browser's cookie; here is what it hashes to.
CREATE TABLE sessions (
    id           TEXT    PRIMARY KEY NOT NULL,
    secret_hash  BLOB    NOT NULL UNIQUE CHECK (length(secret_hash) = 32),
    token_id     BLOB    NOT NULL CHECK (length(token_id) = 16),
    user_agent   TEXT,
    credential   TEXT,
    person       TEXT,
    created_at   INTEGER NOT NULL,
    last_used_at INTEGER NOT NULL,
    expires_at   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- What programs and people send in place of the server's token. The secret was shown once; here is what it hashes to.
CREATE TABLE credentials (
    name         TEXT    PRIMARY KEY NOT NULL,
    secret_hash  BLOB    NOT NULL UNIQUE CHECK (length(secret_hash) = 32),
    scope        TEXT    NOT NULL,
    person       TEXT,
    created_at   INTEGER NOT NULL,
    last_used_at INTEGER,
    expires_at   INTEGER
) STRICT, WITHOUT ROWID;

-- Messages that show inquiries to people through channels, and what channels keep between restarts.
-- Deliveries do not refer to the table of inquiries: a message is edited after its inquiry was deleted, too.
CREATE TABLE deliveries (
    number      INTEGER PRIMARY KEY AUTOINCREMENT,
    inquiry     TEXT NOT NULL,
    channel     TEXT NOT NULL,
    recipient   TEXT NOT NULL,
    address     TEXT NOT NULL,
    progress    TEXT NOT NULL,
    attempts    INTEGER NOT NULL DEFAULT 0,
    version     INTEGER NOT NULL DEFAULT 1,
    due_at      INTEGER,
    changed_at  INTEGER NOT NULL,
    external_id TEXT,
    shown_hash  TEXT,
    UNIQUE (inquiry, channel, address)
) STRICT;

CREATE INDEX deliveries_due ON deliveries (channel, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX deliveries_by_message ON deliveries (channel, address, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX deliveries_ended ON deliveries (changed_at) WHERE progress IN ('retired', 'failed');

-- A value that belongs to an inquiry is removed when that ends.
CREATE TABLE channel_values (
    key     TEXT PRIMARY KEY,
    inquiry TEXT,
    value   TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX channel_values_of_inquiry ON channel_values (inquiry) WHERE inquiry IS NOT NULL;
