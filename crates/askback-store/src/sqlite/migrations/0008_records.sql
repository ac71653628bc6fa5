-- One decision is one row. A record has a position for each of its events and one more for the state
-- after them; `last` is the highest of these. AUTOINCREMENT, because a position that was given out
-- once never names anything else.
CREATE TABLE records (
    last         INTEGER PRIMARY KEY AUTOINCREMENT,
    conversation INTEGER NOT NULL REFERENCES conversations (number) ON DELETE CASCADE,
    at           INTEGER NOT NULL,
    body         TEXT    NOT NULL
) STRICT;

-- The rows of one earlier commit end with its state change (21). The state is no longer stored: it
-- follows from the conversation. Where a removed conversation has lost events in between, a
-- placeholder keeps the positions of the others.
INSERT INTO records (last, conversation, at, body)
SELECT max(sequence), conversation, max(at),
       '{"v":1,"events":[' || coalesce(group_concat(event, ',' ORDER BY sequence)
                              FILTER (WHERE event IS NOT NULL), '') || ']}'
FROM (
    SELECT sequence, conversation, at, commits,
           CASE
               WHEN removed > 0 AND kind = 21
                   THEN rtrim(replace(hex(zeroblob(removed)), '00', '{"type":"removed"},'), ',')
               WHEN removed > 0
                   THEN replace(hex(zeroblob(removed)), '00', '{"type":"removed"},') || json
               WHEN kind = 21 THEN NULL
               ELSE json
           END AS event
    FROM (
        SELECT sequence, conversation, at, kind, json, commits,
               sequence - 1 - lag(sequence, 1, sequence - 1)
                   OVER (PARTITION BY conversation, commits ORDER BY sequence) AS removed
        FROM (
            SELECT sequence, conversation, at, kind, json,
                   count(*) FILTER (WHERE kind = 21)
                       OVER (PARTITION BY conversation ORDER BY sequence DESC) AS commits
            FROM events
        )
    )
)
GROUP BY conversation, commits
ORDER BY max(sequence);

-- Positions of deleted events are not given out again.
DELETE FROM sqlite_sequence WHERE name = 'records';
INSERT INTO sqlite_sequence (name, seq) SELECT 'records', seq FROM sqlite_sequence WHERE name = 'events';

DROP TABLE events;

-- Records of a conversation, in order: the index also has `last`.
CREATE INDEX records_in ON records (conversation);

-- Nothing ever wrote to it.
DROP TABLE probe;
