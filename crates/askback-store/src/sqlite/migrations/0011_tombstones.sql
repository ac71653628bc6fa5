-- A tombstone has no questions, and its dialect has a column.
ALTER TABLE tombstones DROP COLUMN json;
