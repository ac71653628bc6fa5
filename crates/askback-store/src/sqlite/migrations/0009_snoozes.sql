-- Pending inquiries that are hidden from the inbox until a time. The inquiry itself and its deadline do not change.
CREATE TABLE snoozes (
    inquiry INTEGER PRIMARY KEY REFERENCES inquiries (number) ON DELETE CASCADE,
    until   INTEGER NOT NULL
) STRICT;
