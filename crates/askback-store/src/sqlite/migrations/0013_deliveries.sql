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

CREATE TABLE channel_values (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
