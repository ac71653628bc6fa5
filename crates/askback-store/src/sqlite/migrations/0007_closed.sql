-- A conversation that was closed keeps its row and refuses everything; it is in no list. Of the
-- inquiries that waited then, how they ended stays, and nothing of what was asked.
ALTER TABLE conversations ADD COLUMN closed_from INTEGER;

DROP INDEX conversations_by_activity;
DROP INDEX conversations_by_state;
CREATE INDEX conversations_by_activity ON conversations (parent, updated_at)
    WHERE closed_from IS NULL;
CREATE INDEX conversations_by_state ON conversations (parent, state, updated_at)
    WHERE closed_from IS NULL;
CREATE INDEX conversations_closed ON conversations (updated_at) WHERE closed_from IS NOT NULL;
CREATE INDEX conversations_by_parent ON conversations (parent) WHERE parent IS NOT NULL;

CREATE TABLE tombstones (
    inquiry      ANY     NOT NULL PRIMARY KEY,
    conversation INTEGER NOT NULL REFERENCES conversations (number) ON DELETE CASCADE,
    status       ANY     NOT NULL,
    dialect      ANY     NOT NULL,
    revision     INTEGER NOT NULL,
    asked_at     INTEGER NOT NULL,
    resolved_at  INTEGER NOT NULL,
    resolution   TEXT    NOT NULL,
    json         TEXT    NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX tombstones_by_conversation ON tombstones (conversation);
