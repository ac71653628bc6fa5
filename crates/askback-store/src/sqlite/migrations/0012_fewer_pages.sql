-- Each index is a page more in every commit that changes a row. One index gives the inquiries of a conversation
-- with any status, and the pending ones among them.
DROP INDEX inquiries_in;
DROP INDEX inquiries_pending_in;
CREATE INDEX inquiries_in ON inquiries (conversation, status);
