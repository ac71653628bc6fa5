//! The questions of one tool call.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::dialect::Dialect;
use crate::question::{Kind, Question, QuestionId};
use crate::text::{Lines, Text};

/// The questions of one tool call. Valid by construction: only a dialect's parser makes one. Cheap to
/// clone: states, events and caches share the questions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Inquiry {
    dialect: Dialect,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    source: Option<Text>,
    questions: Arc<[Question]>,
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
            questions: questions.into(),
        }
    }

    /// The inquiry without its questions: for records that name it beside the row that holds them,
    /// and for what is left of it when they are removed.
    #[must_use]
    pub fn without_questions(&self) -> Inquiry {
        Inquiry {
            questions: Arc::default(),
            ..self.clone()
        }
    }

    /// The memory that its texts take, in bytes. Limits and caches count in it.
    pub fn bytes(&self) -> usize {
        self.questions.iter().map(Question::bytes).sum()
    }

    /// Whether checking an answer runs a pattern of the agent's, which takes a moment.
    pub fn has_pattern(&self) -> bool {
        let mut questions = self.questions.iter();
        questions
            .any(|question| matches!(&question.kind, Kind::Text(rules) if rules.pattern.is_some()))
    }

    /// The contract it was asked in, and in which its result is written.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// What in the agent asks, if it said so.
    pub fn source(&self) -> Option<&Text> {
        self.source.as_ref()
    }

    /// The questions, at least one unless they were removed with their conversation.
    pub fn questions(&self) -> &[Question] {
        &self.questions
    }

    /// The same with what the asker assumes until it has the answer, shown as why it is asked.
    #[must_use]
    pub fn assuming(mut self, assumption: &Text) -> Inquiry {
        let mut questions = self.questions.to_vec();
        for question in &mut questions {
            let context = match &question.context {
                Some(context) => format!("{context}\n{assumption}"),
                None => assumption.to_string(),
            };
            question.context = Text::clean(&context, Lines::Many);
        }
        self.questions = questions.into();
        self
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
