//! One tool call's worth of asking.

use serde::{Deserialize, Serialize};

use crate::dialect::Dialect;
use crate::question::{Question, QuestionId};
use crate::text::Text;

/// The questions of one tool call. Valid by construction: only a dialect's parser makes one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Inquiry {
    dialect: Dialect,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    source: Option<Text>,
    questions: Vec<Question>,
}

impl Inquiry {
    pub(crate) fn new(dialect: Dialect, source: Option<Text>, questions: Vec<Question>) -> Inquiry {
        debug_assert!(
            !questions.is_empty(),
            "a parser refuses an inquiry without questions"
        );
        Inquiry {
            dialect,
            source,
            questions,
        }
    }

    /// The contract it was asked in, and in which its result is written.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// What in the agent asks, if it said so.
    pub fn source(&self) -> Option<&Text> {
        self.source.as_ref()
    }

    /// The questions, at least one.
    pub fn questions(&self) -> &[Question] {
        &self.questions
    }

    /// The question that `key` names: by id, or by its text if no other has the same.
    pub fn question_named(&self, key: &str) -> Option<&Question> {
        let by_id = self
            .questions
            .iter()
            .find(|question| question.id.as_str() == key);
        by_id.or_else(|| {
            self.questions
                .iter()
                .find(|question| question.text.as_str() == key.trim())
        })
    }

    /// Where the question with this id stands.
    pub fn position(&self, id: &QuestionId) -> Option<usize> {
        self.questions
            .iter()
            .position(|question| question.id == *id)
    }
}
