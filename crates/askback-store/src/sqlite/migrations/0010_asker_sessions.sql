-- Questions are looked up by the session that asked.
DROP INDEX askers_undelivered;
CREATE INDEX askers_undelivered ON askers (client, project, session) WHERE delivered_at IS NULL;
