-- Jobs wait in queues that are claimed one by one: a queue that is full delays no other. Timers have
-- their inquiry beside them and go when it gets its outcome. Jobs that exist are sorted by their kind
-- (36 request_llm, 37 run_tool, 38 start_sub_agents, 39 stop_sub_agents, 40 report_to_parent,
-- 42 webhook, 45 release_answer); their timers stay without an inquiry and end when they fire.
ALTER TABLE jobs ADD COLUMN queue TEXT NOT NULL DEFAULT 'timer';
ALTER TABLE jobs ADD COLUMN inquiry INTEGER REFERENCES inquiries (number) ON DELETE CASCADE;

UPDATE jobs SET queue = CASE kind
    WHEN 36 THEN 'llm'
    WHEN 37 THEN 'tool'
    WHEN 38 THEN 'agents'
    WHEN 39 THEN 'agents'
    WHEN 40 THEN 'agents'
    WHEN 42 THEN 'webhook'
    WHEN 45 THEN 'hold'
    ELSE 'timer'
END;

DROP INDEX jobs_due;
CREATE INDEX jobs_due ON jobs (queue, run_at);
CREATE INDEX jobs_of_inquiry ON jobs (inquiry) WHERE inquiry IS NOT NULL;
