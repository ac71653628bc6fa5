-- Whether another session took the inquiry over, and whether the agent has said that it stopped waiting.
ALTER TABLE askers ADD COLUMN taken_over INTEGER NOT NULL DEFAULT 0;
ALTER TABLE askers ADD COLUMN detached INTEGER NOT NULL DEFAULT 0;
