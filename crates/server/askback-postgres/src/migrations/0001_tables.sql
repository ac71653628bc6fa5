-- Times are microseconds since 1970. Deadlines are negative numbers and none is 0, so that one index gives
-- the order of the inbox. Texts that are compared use the order of their bytes, whatever the locale.

-- The numbers that were given out last. Every transaction that writes records locks this row first and
-- keeps it until it has committed, so a record becomes visible after all records with lower numbers.
CREATE TABLE askback.counters (
    only_row     boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    sequence     bigint NOT NULL DEFAULT 0,
    job          bigint NOT NULL DEFAULT 0,
    conversation bigint NOT NULL DEFAULT 0,
    inquiry      bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 10);

INSERT INTO askback.counters DEFAULT VALUES;

-- The number of the last batch of commits that each process has written. It tells a process that lost its
-- connection whether the batch was written. (The id of a transaction does not: a server that crashes may
-- give it out again.)
CREATE TABLE askback.writers (
    id       bigint PRIMARY KEY,
    batch    bigint NOT NULL,
    used_at  timestamptz NOT NULL
) WITH (fillfactor = 50);

-- Processes that may claim jobs. A claim is worth as much as the lease of its node, by the clock of the
-- database. `token_id` identifies the token of a node without revealing it, so that nodes with different tokens are
-- noticed.
CREATE TABLE askback.nodes (
    id          bigint PRIMARY KEY,
    name        text NOT NULL,
    lease_until timestamptz NOT NULL,
    token_id    bytea
) WITH (fillfactor = 50);

CREATE TABLE askback.conversations (
    number      bigint PRIMARY KEY,
    id          text COLLATE "C" NOT NULL UNIQUE,
    parent      bigint REFERENCES askback.conversations (number) ON DELETE CASCADE,
    driver      text NOT NULL,
    app         text,
    state       text COLLATE "C" NOT NULL,
    version     bigint NOT NULL,
    created_at  bigint NOT NULL,
    updated_at  bigint NOT NULL,
    closed_from bigint,
    title       text,
    json        text NOT NULL
) WITH (fillfactor = 80);

CREATE INDEX conversations_by_activity ON askback.conversations (updated_at, number)
    WHERE closed_from IS NULL AND parent IS NULL;
CREATE INDEX conversations_by_state ON askback.conversations (state, updated_at, number)
    WHERE closed_from IS NULL AND parent IS NULL;
CREATE INDEX conversations_by_parent ON askback.conversations (parent, updated_at, number)
    WHERE parent IS NOT NULL;
CREATE INDEX conversations_closed ON askback.conversations (updated_at) WHERE closed_from IS NOT NULL;

-- One decision is one row. `last` is its highest position.
CREATE TABLE askback.records (
    last         bigint PRIMARY KEY,
    conversation bigint NOT NULL REFERENCES askback.conversations (number) ON DELETE CASCADE,
    at           bigint NOT NULL,
    body         text NOT NULL
);

CREATE INDEX records_in ON askback.records (conversation, last);

CREATE TABLE askback.inquiries (
    number       bigint PRIMARY KEY,
    id           text COLLATE "C" NOT NULL UNIQUE,
    conversation bigint NOT NULL REFERENCES askback.conversations (number) ON DELETE CASCADE,
    status       text COLLATE "C" NOT NULL DEFAULT 'pending',
    dialect      text NOT NULL,
    revision     bigint NOT NULL,
    version      bigint NOT NULL,
    source       text,
    webhook      text,
    credential   text,
    asked_at     bigint NOT NULL,
    expires_at   bigint NOT NULL,
    resolved_at  bigint,
    resolution   text,
    held         text CHECK (held IS NULL OR status = 'pending'),
    json         text NOT NULL,
    CHECK ((status = 'pending') = (resolved_at IS NULL)),
    CHECK ((status = 'pending') = (resolution IS NULL))
) WITH (fillfactor = 80);

CREATE INDEX inquiries_pending ON askback.inquiries (expires_at, number) WHERE status = 'pending';
CREATE INDEX inquiries_pending_in ON askback.inquiries (conversation, number) WHERE status = 'pending';
CREATE INDEX inquiries_in ON askback.inquiries (conversation, number);
CREATE INDEX inquiries_resolved ON askback.inquiries (status, number) WHERE status <> 'pending';

CREATE FUNCTION askback.refuse_second_outcome() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the inquiry has its outcome';
END
$$;

CREATE TRIGGER one_outcome BEFORE UPDATE ON askback.inquiries
    FOR EACH ROW WHEN (OLD.status <> 'pending')
    EXECUTE FUNCTION askback.refuse_second_outcome();

-- The agent is the hash of client and project, which are too long for an index. The last two are numbers, as in SQLite.
CREATE TABLE askback.askers (
    inquiry           bigint PRIMARY KEY REFERENCES askback.inquiries (number) ON DELETE CASCADE,
    agent             bytea NOT NULL,
    client            text NOT NULL,
    project           text NOT NULL,
    session           text COLLATE "C" NOT NULL,
    call              text COLLATE "C" NOT NULL,
    delivery_attempts bigint NOT NULL DEFAULT 0,
    delivered_at      bigint,
    taken_over        bigint NOT NULL DEFAULT 0,
    detached          bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 80);

CREATE INDEX askers_undelivered ON askback.askers (agent, session, inquiry) WHERE delivered_at IS NULL;

-- A claimed job has a node. When the node is removed, its jobs are free.
CREATE TABLE askback.jobs (
    id           bigint PRIMARY KEY,
    conversation bigint NOT NULL REFERENCES askback.conversations (number) ON DELETE CASCADE,
    inquiry      bigint REFERENCES askback.inquiries (number) ON DELETE CASCADE,
    node         bigint REFERENCES askback.nodes (id) ON DELETE SET NULL,
    queue        text COLLATE "C" NOT NULL,
    kind         text COLLATE "C" NOT NULL,
    run_at       bigint NOT NULL,
    attempts     bigint NOT NULL DEFAULT 0,
    json         text NOT NULL
) WITH (fillfactor = 80);

CREATE INDEX jobs_due ON askback.jobs (queue, run_at, id);
CREATE INDEX jobs_by_conversation ON askback.jobs (conversation);
CREATE INDEX jobs_of_inquiry ON askback.jobs (inquiry) WHERE inquiry IS NOT NULL;
CREATE INDEX jobs_of_node ON askback.jobs (node) WHERE node IS NOT NULL;

CREATE TABLE askback.drafts (
    inquiry bigint PRIMARY KEY REFERENCES askback.inquiries (number) ON DELETE CASCADE,
    at      bigint NOT NULL,
    json    text NOT NULL
) WITH (fillfactor = 50);

CREATE TABLE askback.snoozes (
    inquiry bigint PRIMARY KEY REFERENCES askback.inquiries (number) ON DELETE CASCADE,
    until   bigint NOT NULL
);

-- The hash of the key, because a key may be longer than an index allows.
CREATE TABLE askback.request_keys (
    key          bytea PRIMARY KEY,
    request      bytea NOT NULL,
    conversation bigint NOT NULL REFERENCES askback.conversations (number) ON DELETE CASCADE,
    inquiry      text COLLATE "C"
);

CREATE INDEX request_keys_by_conversation ON askback.request_keys (conversation);

CREATE TABLE askback.tombstones (
    inquiry      text COLLATE "C" PRIMARY KEY,
    conversation bigint NOT NULL REFERENCES askback.conversations (number) ON DELETE CASCADE,
    status       text NOT NULL,
    dialect      text NOT NULL,
    revision     bigint NOT NULL,
    version      bigint NOT NULL,
    credential   text,
    asked_at     bigint NOT NULL,
    resolved_at  bigint NOT NULL,
    resolution   text NOT NULL
);

CREATE INDEX tombstones_by_conversation ON askback.tombstones (conversation);

CREATE TABLE askback.sessions (
    id           text COLLATE "C" PRIMARY KEY,
    secret_hash  bytea NOT NULL UNIQUE CHECK (length(secret_hash) = 32),
    token_id     bytea NOT NULL CHECK (length(token_id) = 16),
    user_agent   text,
    credential   text,
    person       text,
    created_at   bigint NOT NULL,
    last_used_at bigint NOT NULL,
    expires_at   bigint NOT NULL
);

-- What programs and people send in place of the server's token. The secret was shown once; here is what it hashes to.
CREATE TABLE askback.credentials (
    name         text COLLATE "C" PRIMARY KEY,
    secret_hash  bytea NOT NULL UNIQUE CHECK (length(secret_hash) = 32),
    scope        text NOT NULL,
    person       text,
    created_at   bigint NOT NULL,
    last_used_at bigint,
    expires_at   bigint
);

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

-- A value that belongs to an inquiry is removed when that ends.
CREATE TABLE askback.channel_values (
    key     TEXT COLLATE "C" PRIMARY KEY,
    inquiry TEXT,
    value   TEXT NOT NULL
);

CREATE INDEX channel_values_of_inquiry ON askback.channel_values (inquiry) WHERE inquiry IS NOT NULL;

-- One row: the node that acts for all channels.
CREATE TABLE askback.channel_lease (
    only_row    BOOLEAN PRIMARY KEY DEFAULT TRUE CHECK (only_row),
    holder      TEXT NOT NULL,
    lease_until TIMESTAMPTZ NOT NULL
);
