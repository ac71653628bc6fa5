-- Ids of our own making are stored as 16 bytes and foreign ones as text, words that are known as a
-- number and others as text, hence the type ANY. The word 0 is "pending". Within the database rows refer to each other by number. Times are microseconds since 1970.

CREATE TABLE conversations (
    number     INTEGER PRIMARY KEY,
    id         ANY     NOT NULL UNIQUE,
    parent     INTEGER REFERENCES conversations (number) ON DELETE CASCADE,
    driver     ANY     NOT NULL,
    app        TEXT,
    state      ANY     NOT NULL,
    version    INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    title      TEXT,
    json       TEXT    NOT NULL
) STRICT;

CREATE INDEX conversations_by_activity ON conversations (parent, updated_at);
CREATE INDEX conversations_by_state ON conversations (parent, state, updated_at);

-- AUTOINCREMENT, because a sequence that was given out once never names another event.
CREATE TABLE events (
    sequence     INTEGER PRIMARY KEY AUTOINCREMENT,
    conversation INTEGER NOT NULL REFERENCES conversations (number) ON DELETE CASCADE,
    at           INTEGER NOT NULL,
    kind         ANY     NOT NULL,
    json         TEXT    NOT NULL
) STRICT;

CREATE INDEX events_by_conversation ON events (conversation, sequence);

-- A deadline is stored as a negative number and none as 0, which takes no room and sorts last, so
-- that one index gives the order of the inbox: by deadline, then by age.
CREATE TABLE inquiries (
    number       INTEGER PRIMARY KEY,
    id           ANY     NOT NULL UNIQUE,
    conversation INTEGER NOT NULL REFERENCES conversations (number) ON DELETE CASCADE,
    status       ANY     NOT NULL DEFAULT 0,
    dialect      ANY     NOT NULL,
    revision     INTEGER NOT NULL,
    source       TEXT,
    webhook      TEXT,
    asked_at     INTEGER NOT NULL,
    expires_at   INTEGER NOT NULL,
    resolved_at  INTEGER,
    resolution   TEXT,
    json         TEXT    NOT NULL,
    CHECK ((status = 0) = (resolved_at IS NULL)),
    CHECK ((status = 0) = (resolution IS NULL))
) STRICT;

CREATE INDEX inquiries_pending ON inquiries (expires_at) WHERE status = 0;
CREATE INDEX inquiries_pending_in ON inquiries (conversation) WHERE status = 0;
CREATE INDEX inquiries_in ON inquiries (conversation);
CREATE INDEX inquiries_resolved ON inquiries (status) WHERE status <> 0;

CREATE TRIGGER one_outcome BEFORE UPDATE ON inquiries WHEN OLD.status <> 0
BEGIN
    SELECT RAISE(ABORT, 'the inquiry has its outcome');
END;

-- AUTOINCREMENT, because finishing a job twice must not finish another one.
CREATE TABLE jobs (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    conversation INTEGER NOT NULL REFERENCES conversations (number) ON DELETE CASCADE,
    run_at       INTEGER NOT NULL,
    attempts     INTEGER NOT NULL DEFAULT 0,
    kind         ANY     NOT NULL,
    json         TEXT    NOT NULL
) STRICT;

CREATE INDEX jobs_due ON jobs (run_at);
CREATE INDEX jobs_by_conversation ON jobs (conversation);

CREATE TABLE drafts (
    inquiry INTEGER PRIMARY KEY REFERENCES inquiries (number) ON DELETE CASCADE,
    at      INTEGER NOT NULL,
    json    TEXT    NOT NULL
) STRICT;

-- Numbered in the order of writing, so that the oldest are found without an index on the time.
CREATE TABLE idempotency (
    number       INTEGER PRIMARY KEY,
    key          TEXT    NOT NULL UNIQUE,
    conversation INTEGER NOT NULL REFERENCES conversations (number) ON DELETE CASCADE,
    inquiry      ANY,
    at           INTEGER NOT NULL
) STRICT;

CREATE INDEX idempotency_by_conversation ON idempotency (conversation);

-- Written to find out whether writing is possible.
CREATE TABLE probe (
    number INTEGER PRIMARY KEY CHECK (number = 1),
    writes INTEGER NOT NULL
) STRICT;

INSERT INTO probe (number, writes) VALUES (1, 0);
