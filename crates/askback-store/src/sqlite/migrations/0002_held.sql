-- What a respondent has done with an inquiry that waits, and can take back for a while.
ALTER TABLE inquiries ADD COLUMN held TEXT CHECK (held IS NULL OR status = 0);
