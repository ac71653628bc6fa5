//! A question as a person sees it, whichever tool contract it arrived in.
#![expect(
    missing_docs,
    reason = "fields are documented where their names do not say enough"
)]

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use crate::limits::QUESTION_ID_CHARS_MAX;
use crate::number::Number;
use crate::text::Text;

/// Names a question within its inquiry: as its asker calls it, or `q1`, `q2`, … by position. Letters,
/// digits, `_`, `-` and `.` only, so that it can stand in a form field, a path or a log as it is.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String")]
pub struct QuestionId(String);

impl TryFrom<String> for QuestionId {
    type Error = InvalidQuestionId;

    fn try_from(id: String) -> Result<QuestionId, InvalidQuestionId> {
        let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte);
        let fits = (1..=QUESTION_ID_CHARS_MAX).contains(&id.len()) && id.bytes().all(allowed);
        fits.then_some(QuestionId(id)).ok_or(InvalidQuestionId)
    }
}

/// A text that is no id of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must have 1 to {QUESTION_ID_CHARS_MAX} letters, digits, `_`, `-` or `.`")]
pub struct InvalidQuestionId;

impl QuestionId {
    /// The id of the question at `index`, counted from 0.
    pub fn at(index: usize) -> Self {
        Self(format!("q{}", index + 1))
    }

    /// The id as it is written everywhere.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Display for QuestionId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// One question of an inquiry.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    pub id: QuestionId,
    /// A short label, shown as a chip or a tab.
    pub header: Option<Text>,
    pub text: Text,
    /// Why it is asked.
    pub context: Option<Text>,
    /// What an empty field shows.
    pub placeholder: Option<Text>,
    /// Whether the respondent may pass over it explicitly.
    pub skippable: bool,
    /// What an answer looks like.
    pub kind: Kind,
}

/// What an answer to a question looks like.
#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    /// One or several of the given choices.
    Choice(ChoiceKind),
    /// Free text.
    Text(TextRules),
    /// A number.
    Number(NumberRules),
    /// A day.
    Date(DateRules),
    /// A first and a last day.
    DateRange(DateRules),
}

/// A question with choices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChoiceKind {
    /// Whether more than one choice may be taken.
    pub several: bool,
    /// Whether the respondent may write an answer of their own.
    pub own_text: bool,
    /// Whether it is a yes or no: of two choices the first is `true`, and the second `false`.
    pub confirm: bool,
    /// The choices, in the order in which the agent gave them.
    pub choices: Vec<Choice>,
}

/// One choice of a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// What an answer stores; unique within its question.
    pub value: Text,
    /// What is shown; unique within its question.
    pub label: Text,
    /// What the choice means.
    pub description: Option<Text>,
    /// What the choice would look like: a diff, a command, a sketch.
    pub preview: Option<Text>,
    /// The agent's advice: a badge, never a tick.
    pub recommended: bool,
    /// Taking it excludes all others ("None of these").
    pub exclusive: bool,
}

/// What a text answer must fulfil.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TextRules {
    pub min_length: Option<usize>,
    pub max_length: Option<usize>,
    /// A regular expression that must match somewhere in the answer. Known to compile.
    pub pattern: Option<String>,
    /// What to say instead when a rule is broken.
    pub message: Option<Text>,
}

/// What a number must fulfil.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct NumberRules {
    pub min: Option<Number>,
    pub max: Option<Number>,
    /// Distance between allowed numbers, counted from `min` or from 0.
    pub step: Option<Number>,
    /// Only whole numbers.
    pub integer: bool,
    /// What to say instead when a rule is broken.
    pub message: Option<Text>,
}

/// What a date, or both ends of a range, must fulfil.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DateRules {
    pub min: Option<Date>,
    pub max: Option<Date>,
    /// What to say instead when a rule is broken.
    pub message: Option<Text>,
}

impl Question {
    /// What a message calls this question: its header, or a neutral word.
    pub fn name(&self) -> &str {
        self.header.as_ref().map_or("The answer", Text::as_str)
    }

    /// Its text on one line and without the final punctuation, as a name if there is no header.
    pub fn text_as_name(&self) -> String {
        let words: Vec<&str> = self.text.as_str().split_whitespace().collect();
        let text = words.join(" ");
        let end = ['?', '.', ':', '？', '。', '؟', ' '];
        text.trim_end_matches(end).to_owned()
    }

    /// The memory that it takes, in bytes: itself and its texts.
    pub(crate) fn bytes(&self) -> usize {
        let texts = [&self.header, &self.context, &self.placeholder];
        let rules = match &self.kind {
            Kind::Choice(kind) => kind.choices.iter().map(Choice::bytes).sum(),
            Kind::Text(rules) => rules.pattern.as_ref().map_or(0, String::len),
            Kind::Number(_) | Kind::Date(_) | Kind::DateRange(_) => 0,
        };
        let texts: usize = texts.into_iter().flatten().map(Text::bytes).sum();
        size_of::<Question>() + self.text.bytes() + texts + rules
    }

    /// Its choices and what may be done with them, if it has any.
    pub fn choice_kind(&self) -> Option<&ChoiceKind> {
        if let Kind::Choice(choice) = &self.kind {
            Some(choice)
        } else {
            None
        }
    }

    /// Whether several choices may be taken.
    pub fn takes_several(&self) -> bool {
        self.choice_kind().is_some_and(|kind| kind.several)
    }

    /// Whether one choice is taken, and no more.
    pub fn takes_one_choice(&self) -> bool {
        self.choice_kind().is_some_and(|kind| !kind.several)
    }

    /// Its choices, if it has any.
    pub fn choices(&self) -> &[Choice] {
        self.choice_kind().map_or(&[], |kind| &kind.choices)
    }
}

impl Choice {
    /// A choice that askback offers.
    pub(crate) fn ours(value: &str, label: &str) -> Choice {
        Choice {
            value: Text::ours(value),
            label: Text::ours(label),
            description: None,
            preview: None,
            recommended: false,
            exclusive: false,
        }
    }

    fn bytes(&self) -> usize {
        let texts = [&self.description, &self.preview].into_iter().flatten();
        let texts: usize = texts.map(Text::bytes).sum();
        size_of::<Choice>() + self.value.bytes() + self.label.bytes() + texts
    }
}

impl ChoiceKind {
    /// Yes or no.
    pub(crate) fn yes_or_no() -> ChoiceKind {
        ChoiceKind {
            several: false,
            own_text: false,
            confirm: true,
            choices: vec![Choice::ours("true", "Yes"), Choice::ours("false", "No")],
        }
    }

    /// The choice that `word` names in a request: by its value, else by its label.
    pub fn named(&self, word: &str) -> Option<&Choice> {
        let mut choices = self.choices.iter();
        let by_value = choices.find(|choice| choice.value.as_str() == word.trim());
        by_value.or_else(|| self.choices.get(self.labelled(word)?))
    }

    /// The row of the choice that has this label, else of the one whose label is this with or without the badge that
    /// the agent wrote behind it. Nobody who means the advised choice has to type its badge.
    pub(crate) fn labelled(&self, word: &str) -> Option<usize> {
        let word = word.trim();
        let row = |is_meant: &dyn Fn(&Choice) -> bool| self.choices.iter().position(is_meant);
        let by_badge = || {
            let bare = strip_badge(word)?;
            row(&|choice| choice.recommended && choice.label.as_str() == bare)
        };
        row(&|choice| choice.label.as_str() == word)
            .or_else(by_badge)
            .or_else(|| row(&|choice| strip_badge(choice.label.as_str()) == Some(word)))
    }
}

/// What an agent appends to the label of the choice it advises.
pub const RECOMMENDED_SUFFIX: &str = "(Recommended)";

/// The label before the badge, if it carries one.
pub(crate) fn strip_badge(label: &str) -> Option<&str> {
    let at = label.len().checked_sub(RECOMMENDED_SUFFIX.len())?;
    let (bare, suffix) = label.split_at_checked(at)?;
    suffix
        .eq_ignore_ascii_case(RECOMMENDED_SUFFIX)
        .then(|| bare.trim_end())
}
