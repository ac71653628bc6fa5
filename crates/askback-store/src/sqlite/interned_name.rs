//! Words of which there are few: names of states, events, jobs, dialects and outcomes. They are in
//! every row and in indexes, so the known ones are stored as a number, which takes a byte or none.

use rusqlite::ToSql;
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSqlOutput, ValueRef};

/// The known words; the place of each is what is stored, so words are only ever added at the end,
/// and together with a migration, so that a version without them refuses the database. Statements
/// and tables name some by number: `pending` 0, `idle` 1, `error` 2.
const WORDS: &[&str] = &[
    "pending",
    "idle",
    "error",
    "awaiting_user_response",
    "llm_requesting",
    "tool_executing",
    "awaiting_sub_agents",
    "external",
    "built_in",
    "answered",
    "declined",
    "cancelled",
    "rejected",
    "superseded",
    "expired",
    "withdrawn",
    "undeliverable",
    "ask_user_question",
    "AskUserQuestion",
    "question",
    "ask_user",
    "state_change",
    "started",
    "message_received",
    "llm_requested",
    "llm_attempt_failed",
    "assistant_replied",
    "call_started",
    "call_finished",
    "inquiry_asked",
    "deadline_moved",
    "inquiry_resolved",
    "sub_agents_started",
    "sub_agent_finished",
    "round_finished",
    "turn_ended",
    "request_llm",
    "run_tool",
    "start_sub_agents",
    "stop_sub_agents",
    "report_to_parent",
    "expire_inquiry",
    "webhook",
    "answer_held",
    "answer_taken_back",
    "release_answer",
    "inquiry_reminded",
    "remind_inquiry",
];

/// A word, as the database keeps it: a known one as its number, others as text.
pub(super) struct InternedName<T>(pub(super) T);

impl<T: AsRef<str>> ToSql for InternedName<T> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        let word = self.0.as_ref();
        let place = WORDS.iter().position(|known| *known == word);
        Ok(match place.and_then(|place| i64::try_from(place).ok()) {
            Some(number) => ToSqlOutput::from(number),
            None => ToSqlOutput::from(word),
        })
    }
}

impl FromSql for InternedName<String> {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let word = match value {
            ValueRef::Integer(number) => usize::try_from(number)
                .ok()
                .and_then(|place| WORDS.get(place))
                .ok_or(FromSqlError::OutOfRange(number))?,
            ValueRef::Text(_) => value.as_str()?,
            ValueRef::Null | ValueRef::Real(_) | ValueRef::Blob(_) => {
                return Err(FromSqlError::InvalidType);
            }
        };
        Ok(InternedName(word.to_owned()))
    }
}

#[cfg(test)]
#[path = "interned_name_tests.rs"]
mod tests;
