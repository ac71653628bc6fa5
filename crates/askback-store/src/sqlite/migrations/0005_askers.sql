-- The agent that asked an inquiry, if it said so, and how far the outcome has got to it. In a table of its own,
-- because an inquiry that has its outcome never changes. A project that is not known is the empty text.
CREATE TABLE askers (
    inquiry           INTEGER PRIMARY KEY REFERENCES inquiries (number) ON DELETE CASCADE,
    client            TEXT    NOT NULL,
    project           TEXT    NOT NULL,
    session           TEXT    NOT NULL,
    call              TEXT    NOT NULL,
    delivery_attempts INTEGER NOT NULL DEFAULT 0,
    delivered_at      INTEGER
) STRICT;

CREATE INDEX askers_undelivered ON askers (client, project) WHERE delivered_at IS NULL;
