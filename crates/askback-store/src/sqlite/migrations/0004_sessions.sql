-- Browsers that are signed in. The secret itself is in the browser's cookie; here is what it hashes to.
CREATE TABLE sessions (
    id           TEXT    PRIMARY KEY NOT NULL,
    secret_hash  BLOB    NOT NULL UNIQUE CHECK (length(secret_hash) = 32),
    token_id     BLOB    NOT NULL CHECK (length(token_id) = 16),
    user_agent   TEXT,
    created_at   INTEGER NOT NULL,
    last_used_at INTEGER NOT NULL,
    expires_at   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
