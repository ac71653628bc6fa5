//! The questions of one tool call.

use std::collections::BTreeSet;
use std::sync::Arc;

use jiff::Timestamp;
use serde_json::{Map, Value};

use crate::dialect::Dialect;
use crate::limits::METADATA_BYTES_MAX;
use crate::outcome::Actor;
use crate::question::{Kind, Question, QuestionId};
use crate::text::{Lines, Text, clean};

/// The questions of one tool call. Valid by construction: a dialect's parser makes one, and
/// [`Inquiry::restore`] puts one together again. Cheap to clone: states, events and caches share the
/// questions.
#[derive(Debug, Clone, PartialEq)]
pub struct Inquiry {
    dialect: Dialect,
    input_source: Option<Text>,
    recipient: Option<Text>,
    is_private: bool,
    handed_on: Option<Arc<HandedOn>>,
    questions: Arc<[Question]>,
    assumption: Option<Text>,
    labels: Option<Arc<Labels>>,
}

/// Under which name the asker asks, what it finds an inquiry by, and what it wants back with it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Labels {
    source: Option<Text>,
    key: Option<String>,
    metadata: Option<Metadata>,
    traceparent: Option<String>,
}

/// What the asker wants back with the inquiry: a JSON object that nobody else reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Metadata(String);

impl Metadata {
    /// `None` if it is too large, or has characters that act on a terminal or hide. They are refused, because the asker
    /// wants back just what it sent.
    pub fn new(object: &Map<String, Value>) -> Option<Metadata> {
        let text = serde_json::to_string(object).ok()?;
        let is_fine = text.len() <= METADATA_BYTES_MAX && has_clean_members(object);
        is_fine.then_some(Metadata(text))
    }

    /// The object.
    pub fn to_object(&self) -> Map<String, Value> {
        // It was written by `new`.
        serde_json::from_str(&self.0).unwrap_or_default()
    }
}

fn has_clean_members(object: &Map<String, Value>) -> bool {
    let mut members = object.iter();
    members.all(|(name, value)| clean(name, Lines::One) == *name && is_clean(value))
}

fn is_clean(value: &Value) -> bool {
    match value {
        Value::String(text) => clean(text, Lines::Many) == *text,
        Value::Array(values) => values.iter().all(is_clean),
        Value::Object(object) => has_clean_members(object),
        Value::Null | Value::Bool(_) | Value::Number(_) => true,
    }
}

/// How an inquiry came to its present recipient, if the asker did not name them.
#[derive(Debug, Clone, PartialEq)]
pub struct HandedOn {
    /// Who handed it on.
    pub by: Actor,
    /// Why, in their words.
    pub reason: Option<Text>,
    /// The alias of the recipient before; none if it was for everybody.
    pub from: Option<Text>,
    /// The alias of the recipient whom the asker named, if any.
    pub asked_for: Option<Text>,
    /// How often it was handed on by now, this time included.
    pub count: u32,
    /// When.
    pub at: Timestamp,
}

/// Questions that no parser can have made, and why not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BrokenInquiry(pub &'static str);

impl Inquiry {
    pub(crate) fn new(dialect: Dialect, source: Option<Text>, questions: Vec<Question>) -> Inquiry {
        debug_assert!(
            !questions.is_empty(),
            "a parser refuses an inquiry without questions"
        );
        Inquiry::of(dialect, source, questions)
    }

    fn of(dialect: Dialect, source: Option<Text>, questions: Vec<Question>) -> Inquiry {
        Inquiry {
            dialect,
            input_source: source,
            recipient: None,
            is_private: false,
            handed_on: None,
            questions: questions.into(),
            assumption: None,
            labels: None,
        }
    }

    /// Puts an inquiry together again that was stored or sent. Limits are not checked: they may be
    /// stricter now than when it was asked. Without questions it is what is left of one after they
    /// were removed.
    pub fn restore(
        dialect: Dialect,
        source: Option<Text>,
        questions: Vec<Question>,
    ) -> Result<Inquiry, BrokenInquiry> {
        let ids: BTreeSet<&QuestionId> = questions.iter().map(|question| &question.id).collect();
        if ids.len() != questions.len() {
            return Err(BrokenInquiry("two questions have the same id"));
        }
        for question in &questions {
            let choices = question.choices();
            if matches!(question.kind, Kind::Choice(_)) && choices.is_empty() {
                return Err(BrokenInquiry("a choice question has no choices"));
            }
            let values: BTreeSet<&Text> = choices.iter().map(|choice| &choice.value).collect();
            if values.len() != choices.len() {
                return Err(BrokenInquiry("two choices have the same value"));
            }
        }
        Ok(Inquiry::of(dialect, source, questions))
    }

    /// The inquiry without its questions: what is left of it when they are removed.
    #[must_use]
    pub fn without_questions(&self) -> Inquiry {
        Inquiry {
            questions: Arc::default(),
            assumption: None,
            labels: None,
            ..self.clone()
        }
    }

    /// The memory that its texts take, in bytes. Limits and caches count in it.
    pub fn bytes(&self) -> usize {
        let assumption = self
            .assumption
            .as_ref()
            .map_or(0, |text| text.as_str().len());
        let metadata = self.metadata().map_or(0, |metadata| metadata.0.len());
        self.questions.iter().map(Question::bytes).sum::<usize>() + assumption + metadata
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

    /// Who or what asks, as people see it: what the asker gave beside the input, or what is in it.
    pub fn source(&self) -> Option<&Text> {
        // In Claude Code's own tool it names what led to the question, such as "remember", and not who asks.
        let names_the_asker = self.dialect != Dialect::AskUserQuestionClaude;
        let in_input = self.input_source.as_ref().filter(|_| names_the_asker);
        self.given_source().or(in_input)
    }

    /// What the input of the tool says about who asks.
    pub fn input_source(&self) -> Option<&Text> {
        self.input_source.as_ref()
    }

    /// What the asker gave beside the input.
    pub fn given_source(&self) -> Option<&Text> {
        self.labels.as_ref()?.source.as_ref()
    }

    /// The same, asked under this name.
    #[must_use]
    pub fn asked_as(self, source: Option<Text>) -> Inquiry {
        self.with_labels(|labels| labels.source = source)
    }

    fn with_labels(mut self, change: impl FnOnce(&mut Labels)) -> Inquiry {
        let mut labels = self.labels.as_deref().cloned().unwrap_or_default();
        change(&mut labels);
        self.labels = (labels != Labels::default()).then(|| Arc::new(labels));
        self
    }

    /// The alias of the recipient: the one that the asker named, or the one to whom it was handed on. None to
    /// reach everybody.
    pub fn recipient(&self) -> Option<&Text> {
        self.recipient.as_ref()
    }

    /// The same for the recipient with this alias.
    #[must_use]
    pub fn addressed_to(mut self, recipient: Option<Text>) -> Inquiry {
        self.recipient = recipient;
        self
    }

    /// Whether nobody but its recipient and administrators sees it: no group, and nobody else if the recipient does not answer.
    pub fn is_private(&self) -> bool {
        self.is_private
    }

    /// The same for nobody else.
    #[must_use]
    pub fn kept_private(mut self) -> Inquiry {
        self.is_private = true;
        self
    }

    /// The idempotency key of the request that asked it.
    pub fn key(&self) -> Option<&str> {
        self.labels.as_ref()?.key.as_deref()
    }

    /// What the asker wants back with it.
    pub fn metadata(&self) -> Option<&Metadata> {
        self.labels.as_ref()?.metadata.as_ref()
    }

    /// Where the request that asked it stood in a distributed trace, as the header `traceparent` says it.
    pub fn traceparent(&self) -> Option<&str> {
        self.labels.as_ref()?.traceparent.as_deref()
    }

    /// The same with what its asker wants to find it by, and to have back with it.
    #[must_use]
    pub fn labelled(
        self,
        key: Option<&str>,
        metadata: Option<Metadata>,
        traceparent: Option<String>,
    ) -> Inquiry {
        self.with_labels(|labels| {
            labels.key = key.map(str::to_owned);
            labels.metadata = metadata;
            labels.traceparent = traceparent;
        })
    }

    /// How it came to its present recipient; none if the asker named them, or nobody.
    pub fn handed_on(&self) -> Option<&HandedOn> {
        self.handed_on.as_deref()
    }

    /// How often it was handed on.
    pub fn hand_ons(&self) -> u32 {
        self.handed_on.as_ref().map_or(0, |last| last.count)
    }

    /// The same, handed on to the recipient with this alias.
    #[must_use]
    pub fn hand_on_to(
        self,
        recipient: Text,
        by: Actor,
        reason: Option<Text>,
        at: Timestamp,
    ) -> Inquiry {
        let handed_on = HandedOn {
            by,
            reason,
            from: self.recipient.clone(),
            asked_for: self.as_asked().recipient,
            count: self.hand_ons().saturating_add(1),
            at,
        };
        self.addressed_to(Some(recipient))
            .restore_handed_on(Some(handed_on))
    }

    /// The same as it was asked, before it was handed on.
    #[must_use]
    pub fn as_asked(&self) -> Inquiry {
        let mut asked = self.clone();
        if let Some(handed_on) = asked.handed_on.take() {
            asked.recipient.clone_from(&handed_on.asked_for);
        }
        asked
    }

    /// The same with what was stored about its way to its recipient.
    #[must_use]
    pub fn restore_handed_on(mut self, handed_on: Option<HandedOn>) -> Inquiry {
        self.handed_on = handed_on.map(Arc::new);
        self
    }

    /// The questions, at least one unless they were removed with their conversation.
    pub fn questions(&self) -> &[Question] {
        &self.questions
    }

    /// What the asker assumes until it has the answer. It also ends the context of each question, for
    /// surfaces that do not mark it.
    pub fn assumption(&self) -> Option<&Text> {
        self.assumption.as_ref()
    }

    /// Why a question of this inquiry is asked, without the assumption at its end.
    pub fn context_of<'a>(&self, question: &'a Question) -> Option<&'a str> {
        let context = question.context.as_ref()?.as_str();
        let assumption = self.assumption.as_ref().map_or("", Text::as_str);
        let own = context.strip_suffix(assumption).unwrap_or(context);
        Some(own.trim_end()).filter(|own| !own.is_empty())
    }

    /// An inquiry that was stored or sent, with its assumption, which is in the contexts already.
    #[must_use]
    pub fn restore_assumption(self, assumption: Option<Text>) -> Inquiry {
        Inquiry { assumption, ..self }
    }

    /// The same with what the asker assumes until it has the answer.
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
        self.restore_assumption(Some(assumption.clone()))
    }

    /// Whether a message to the agent answers it, and its answer becomes the next message to the agent.
    pub fn takes_message(&self) -> bool {
        self.dialect == Dialect::Question
    }

    /// Whether skipping every question is an answer. Otherwise an inquiry without a single answer is declined.
    pub fn can_skip(&self) -> bool {
        self.dialect.has_skip_result() && self.questions.iter().all(|question| question.skippable)
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
