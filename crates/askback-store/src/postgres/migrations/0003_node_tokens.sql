-- Identifies the token of a node without revealing it, so that nodes with different tokens are noticed. Nodes of
-- older versions have none.
ALTER TABLE askback.nodes ADD COLUMN token_id bytea;
