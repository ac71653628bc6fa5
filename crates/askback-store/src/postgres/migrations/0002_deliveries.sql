-- Messages that show inquiries to people through channels, and what channels keep between restarts.
-- Deliveries do not refer to the table of inquiries: a message is edited after its inquiry was deleted, too.
CREATE TABLE askback.deliveries (
    number      BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    inquiry     TEXT NOT NULL,
    channel     TEXT NOT NULL,
    recipient   TEXT NOT NULL,
    address     TEXT NOT NULL,
    progress    TEXT NOT NULL,
    attempts    BIGINT NOT NULL DEFAULT 0,
    version     BIGINT NOT NULL DEFAULT 1,
    due_at      BIGINT,
    changed_at  BIGINT NOT NULL,
    external_id TEXT,
    shown_hash  TEXT,
    UNIQUE (inquiry, channel, address)
);

CREATE INDEX deliveries_due ON askback.deliveries (channel, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX deliveries_by_message ON askback.deliveries (channel, address, external_id)
    WHERE external_id IS NOT NULL;
CREATE INDEX deliveries_ended ON askback.deliveries (changed_at)
    WHERE progress IN ('retired', 'failed');

CREATE TABLE askback.channel_values (
    key   TEXT COLLATE "C" PRIMARY KEY,
    value TEXT NOT NULL
);

-- One row: the node that acts for all channels.
CREATE TABLE askback.channel_lease (
    only_row    BOOLEAN PRIMARY KEY DEFAULT TRUE CHECK (only_row),
    holder      TEXT NOT NULL,
    lease_until TIMESTAMPTZ NOT NULL
);
