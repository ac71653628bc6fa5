-- A key of a request is bound to what was requested and lives as long as its conversation. Keys of
-- before do not say what was requested, so nothing could be held against them.
DROP TABLE idempotency;

CREATE TABLE request_keys (
    key          TEXT    NOT NULL PRIMARY KEY,
    request      BLOB    NOT NULL,
    conversation INTEGER NOT NULL REFERENCES conversations (number) ON DELETE CASCADE,
    inquiry      ANY
) STRICT, WITHOUT ROWID;

CREATE INDEX request_keys_by_conversation ON request_keys (conversation);
