-- Whether another session took the inquiry over, and whether the agent has said that it stopped waiting. Numbers,
-- as in SQLite.
ALTER TABLE askback.askers ADD COLUMN taken_over bigint NOT NULL DEFAULT 0;
ALTER TABLE askback.askers ADD COLUMN detached bigint NOT NULL DEFAULT 0;
