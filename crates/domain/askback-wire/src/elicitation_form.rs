//! Questions as an elicitation form, and the content of the form as answers.
//!
//! The first question is the field `question_0`; its own text is `question_0_custom`, and the days of a range
//! are `question_0_first` and `question_0_last`. A single question that can be skipped also has
//! `question_0_skip`. The first two names are those that agents use for their own questions in forms.
//!
//! Nothing is preselected, and an empty field is neither an answer nor skipped: a form that is sent untouched
//! must not look like an answer. Beside answers to other questions, an empty one counts as left open.

use askback_core::answer::{AnswerProblem, ShownChoices, TypedChoices};
use askback_core::number::Number;
use askback_core::question::{ChoiceKind, Kind};
use serde_json::{Map, Value, json};

use crate::elicitation_schema::{FieldKind, FormField, FormOption, FormSchema, TextFormat};
use crate::question::{ChoiceResponse, DateKind, QuestionKind, QuestionResponse};

/// Most characters of all texts of a form. Dialogs of clients do not scroll well; a longer question is
/// better read on its own page.
const FORM_CHARS_MAX: usize = 4_000;

/// Ends the key of the field for own text.
const OWN_TEXT: &str = "_custom";

/// Makes forms, with words that they add to the agent's, in the language of the person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormWords {
    /// The tag of the language in which they are, and in which what people type into the form is read.
    pub locale: String,
    /// The title of the field of a question without a header.
    pub answer: String,
    /// Stands above the fields of several questions.
    pub several_questions: String,
    /// The title of the field for own text.
    pub other: String,
    /// Follows the label of a recommended choice.
    pub recommended: String,
    /// The title of the first day of a range.
    pub first_day: String,
    /// The title of the last day of a range.
    pub last_day: String,
    /// The title of the field that skips a question.
    pub skip: String,
}

impl Default for FormWords {
    fn default() -> FormWords {
        FormWords {
            locale: "en".to_owned(),
            answer: "Answer".to_owned(),
            several_questions: "Questions for you".to_owned(),
            other: "Other".to_owned(),
            recommended: "(Recommended)".to_owned(),
            first_day: "First day".to_owned(),
            last_day: "Last day".to_owned(),
            skip: "Skip this question".to_owned(),
        }
    }
}

/// A form for the questions of one inquiry.
#[derive(Debug, Clone, PartialEq)]
pub struct ElicitationForm {
    /// What the client shows above the fields.
    pub message: String,
    /// The fields.
    pub schema: FormSchema,
}

impl ElicitationForm {
    /// For a client that cannot send a form whose last field is an empty text: only the choices stay.
    pub fn leave_out_own_text(&mut self) {
        let fields = &mut self.schema.fields;
        fields.retain(|field| !field.key.ends_with(OWN_TEXT));
    }
}

impl FormWords {
    /// The form for these questions. `None` if a form cannot show them: a choice has a preview, a question is
    /// of a kind of a newer version, or there is too much text.
    pub fn form(&self, questions: &[QuestionResponse]) -> Option<ElicitationForm> {
        if questions.is_empty() || !questions.iter().all(can_be_shown) {
            return None;
        }
        let fields = questions.iter().enumerate();
        let fields: Vec<FormField> = fields
            .flat_map(|(index, question)| {
                let has_skip = question.optional && questions.len() == 1;
                let skip = has_skip.then(|| {
                    let key = format!("{}_skip", key(index));
                    extra_field(key, &self.skip, FieldKind::Boolean)
                });
                let alone = Alone(questions.len() == 1);
                self.fields(index, question, alone).into_iter().chain(skip)
            })
            .collect();
        let form = ElicitationForm {
            message: self.message(questions),
            schema: FormSchema { fields },
        };
        (form.chars() <= FORM_CHARS_MAX).then_some(form)
    }

    fn fields(&self, index: usize, question: &QuestionResponse, alone: Alone) -> Vec<FormField> {
        let key = key(index);
        let field = |key: String, kind: FieldKind, required: bool| FormField {
            key,
            title: Some(self.title(question, alone)),
            description: description(question, alone),
            required,
            kind,
            default: None,
        };
        let required = !question.optional;
        match &question.kind {
            QuestionKind::Choice { several, own, .. } => {
                let options = self.options(question);
                // With own text, either of the two fields is an answer.
                let required = required && !own;
                let kind = if *several {
                    FieldKind::SeveralOf {
                        options,
                        min_items: required.then_some(1),
                        max_items: None,
                    }
                } else {
                    FieldKind::OneOf(options)
                };
                let mut fields = vec![field(key.clone(), kind, required)];
                if *own {
                    let key = format!("{key}{OWN_TEXT}");
                    fields.push(extra_field(key, &self.other, plain_text()));
                }
                fields
            }
            QuestionKind::Confirm { .. } => {
                let kind = FieldKind::OneOf(self.options(question));
                vec![field(key, kind, required)]
            }
            QuestionKind::Text {
                min_length,
                max_length,
                ..
            } => {
                let kind = FieldKind::Text {
                    min_length: *min_length,
                    max_length: *max_length,
                    format: None,
                };
                vec![field(key, kind, required)]
            }
            QuestionKind::Number {
                min, max, integer, ..
            } => {
                let kind = FieldKind::Number {
                    min: *min,
                    max: *max,
                    integer: *integer,
                };
                vec![field(key, kind, required)]
            }
            QuestionKind::Date(_) => vec![field(key, day(), required)],
            QuestionKind::DateRange(_) => {
                let mut first = field(format!("{key}_first"), day(), required);
                let title = self.title(question, alone);
                first.title = Some(format!("{title}: {}", self.first_day));
                let mut last = field(format!("{key}_last"), day(), required);
                last.title = Some(format!("{title}: {}", self.last_day));
                last.description = None;
                vec![first, last]
            }
            QuestionKind::Unknown => Vec::new(),
        }
    }

    fn options(&self, question: &QuestionResponse) -> Vec<FormOption> {
        let values = self.option_values(question).into_iter();
        let options = values
            .zip(question.choices())
            .map(|(value, choice)| FormOption {
                value,
                title: Some(self.choice_title(choice)),
                description: None,
            });
        options.collect()
    }

    /// What the form sends for each choice: its value, if that names the choice also when a person types it, since some
    /// clients send what people type. Otherwise the label, or the number and the label.
    fn option_values(&self, question: &QuestionResponse) -> Vec<String> {
        let kind = choice_kind(question);
        let shown = kind.as_ref().map(|kind| self.shown(kind));
        let is_clear = |row: usize, text: &str| {
            let read = shown.and_then(|shown| shown.read_part(text).ok());
            read.is_some_and(|read| read.rows == [row])
        };
        let choices = question.choices().iter().enumerate();
        let values = choices.map(|(row, choice)| {
            let numbered = format!("{}. {}", row + 1, choice.label);
            let mut texts = [&choice.value, &choice.label, &numbered].into_iter();
            let clear = texts.find(|text| is_clear(row, text));
            clear.unwrap_or(&choice.value).clone()
        });
        values.collect()
    }

    /// With the description: MCP has none for options, and some clients drop what they do not know.
    fn choice_title(&self, choice: &ChoiceResponse) -> String {
        let label = &choice.label;
        let title = if choice.recommended && !label.ends_with(')') {
            format!("{label} {}", self.recommended)
        } else {
            label.clone()
        };
        match &choice.description {
            Some(description) => format!("{title}: {}", one_line(description)),
            None => title,
        }
    }

    /// A short name of the field.
    fn title(&self, question: &QuestionResponse, alone: Alone) -> String {
        match &question.header {
            Some(header) => header.clone(),
            None if alone.0 => self.answer.clone(),
            None => one_line(&question.text),
        }
    }

    /// A single question. Several stand with their fields.
    fn message(&self, questions: &[QuestionResponse]) -> String {
        match questions {
            [only] => one_line(&only.text),
            _ => self.several_questions.clone(),
        }
    }

    /// The answers in the content of an accepted form, in the form in which they are sent to a server. The
    /// server reads what was typed, in the language of the person, and checks it. A field that was left empty gives no answer.
    pub fn answers(&self, questions: &[QuestionResponse], content: &Value) -> Value {
        let answers = questions
            .iter()
            .enumerate()
            .filter_map(|(index, question)| {
                let answer = self.answer(&key(index), question, content)?;
                Some((question.id.to_string(), answer))
            });
        Value::Object(answers.collect())
    }

    fn answer(&self, key: &str, question: &QuestionResponse, content: &Value) -> Option<Value> {
        let given = |suffix: &str| {
            let value = content.get(format!("{key}{suffix}"))?;
            let is_empty = match value {
                Value::Null => true,
                Value::String(text) => text.trim().is_empty(),
                Value::Array(items) => items.is_empty(),
                Value::Bool(_) | Value::Number(_) | Value::Object(_) => false,
            };
            (!is_empty).then(|| value.clone())
        };
        let answer = match &question.kind {
            QuestionKind::Choice { .. } | QuestionKind::Confirm { .. } => {
                self.choice_answer(question, given(""), given(OWN_TEXT))
            }
            QuestionKind::Text { .. } => object([("text", given(""))]),
            QuestionKind::Number { .. } => match given("") {
                Some(number @ Value::Number(_)) => object([("number", Some(number))]),
                typed => object([("typed", typed)]),
            },
            QuestionKind::Date(_) => object([("typed", given(""))]),
            QuestionKind::DateRange(_) => object([
                ("typed_start", given("_first")),
                ("typed_end", given("_last")),
            ]),
            QuestionKind::Unknown => Map::new(),
        };
        if !answer.is_empty() {
            return Some(Value::Object(answer));
        }
        let is_skipped = given("_skip") == Some(json!(true));
        (question.optional && is_skipped).then(|| json!({"skipped": true}))
    }

    /// What the fields of a question with choices say. Some clients send the title that they showed, and some let people
    /// type.
    fn choice_answer(
        &self,
        question: &QuestionResponse,
        chosen: Option<Value>,
        own: Option<Value>,
    ) -> Map<String, Value> {
        let options = self.option_values(question);
        let value = |row: usize| {
            question
                .choices()
                .get(row)
                .map(|choice| json!(choice.value))
        };
        let option = |text: &str| value(options.iter().position(|option| option == text)?);
        let items = match chosen {
            None => return object([("own", own)]),
            Some(Value::String(text)) if own.is_none() && option(&text).is_none() => {
                return object([("typed", Some(json!(text)))]);
            }
            Some(Value::Array(items)) => items,
            Some(one) => vec![one],
        };
        let kind = choice_kind(question);
        let mut values = Vec::new();
        for item in items {
            let exact = item.as_str().and_then(option);
            let shown = kind.as_ref().map(|kind| self.shown(kind));
            let typed = item.as_str().zip(shown);
            values.push(
                match (exact, typed.map(|(text, shown)| shown.read_part(text))) {
                    (Some(value), _) => value,
                    // The server says what to type instead.
                    (None, Some(Err(AnswerProblem::AmbiguousChoice { .. }))) => {
                        return object([("typed", Some(item))]);
                    }
                    (None, Some(Ok(TypedChoices { rows, own: None }))) => {
                        rows.first().and_then(|row| value(*row)).unwrap_or(item)
                    }
                    // The server refuses it with the choices.
                    (None, _) => item,
                },
            );
        }
        object([("values", Some(values.into())), ("own", own)])
    }

    fn shown<'a>(&'a self, kind: &'a ChoiceKind) -> ShownChoices<'a> {
        ShownChoices::of(kind).marked(&self.recommended)
    }
}

fn choice_kind(question: &QuestionResponse) -> Option<ChoiceKind> {
    if let Kind::Choice(kind) = question.to_question()?.kind {
        Some(kind)
    } else {
        None
    }
}

impl ElicitationForm {
    fn chars(&self) -> usize {
        let fields = self.schema.fields.iter().map(|field| {
            let options = match &field.kind {
                FieldKind::OneOf(options) | FieldKind::SeveralOf { options, .. } => {
                    options.as_slice()
                }
                FieldKind::Text { .. } | FieldKind::Number { .. } | FieldKind::Boolean => &[],
            };
            let options = options
                .iter()
                .map(|option| chars(option.title.as_ref()) + chars(option.description.as_ref()));
            chars(field.title.as_ref()) + chars(field.description.as_ref()) + options.sum::<usize>()
        });
        chars(Some(&self.message)) + fields.sum::<usize>()
    }
}

fn chars(text: Option<&String>) -> usize {
    text.map_or(0, |text| text.chars().count())
}

/// Whether a form can show the question so that the person knows what they choose.
fn can_be_shown(question: &QuestionResponse) -> bool {
    let mut choices = question.choices().iter();
    question.kind != QuestionKind::Unknown && choices.all(|choice| choice.preview.is_none())
}

/// Whether a question is the only one of its form.
#[derive(Clone, Copy)]
struct Alone(bool);

/// Everything about a question that its title and its type do not say.
fn description(question: &QuestionResponse, alone: Alone) -> Option<String> {
    let mut lines = Vec::new();
    // A single question is the message.
    if question.header.is_some() && !alone.0 {
        lines.push(question.text.clone());
    }
    lines.extend(question.context.clone());
    lines.extend(question.placeholder.clone());
    match &question.kind {
        QuestionKind::Text { message, .. } => lines.extend(message.clone()),
        QuestionKind::Number {
            message, step, min, ..
        } => lines.extend(message.clone().or_else(|| step_rule(*min, *step))),
        QuestionKind::Date(rules) | QuestionKind::DateRange(rules) => {
            lines.extend(rules.message.clone().or_else(|| date_rule(rules)));
        }
        QuestionKind::Choice { .. } | QuestionKind::Confirm { .. } | QuestionKind::Unknown => {}
    }
    (!lines.is_empty()).then(|| one_line(&lines.join(" · ")))
}

/// Dialogs show a line break as a wrong character.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn key(index: usize) -> String {
    format!("question_{index}")
}

/// A field beside the one of its question.
fn extra_field(key: String, title: &str, kind: FieldKind) -> FormField {
    FormField {
        key,
        title: Some(title.to_owned()),
        description: None,
        required: false,
        kind,
        default: None,
    }
}

fn plain_text() -> FieldKind {
    FieldKind::Text {
        min_length: None,
        max_length: None,
        format: None,
    }
}

fn day() -> FieldKind {
    FieldKind::Text {
        min_length: None,
        max_length: None,
        format: Some(TextFormat::Date),
    }
}

/// The first allowed numbers, which need no translation.
fn step_rule(min: Option<Number>, step: Option<Number>) -> Option<String> {
    let min = min.map_or(0.0, Number::as_f64);
    let step = step?.as_f64();
    let second = Number::from_f64(min + step)?;
    let third = Number::from_f64(min + 2.0 * step)?;
    Some(format!("{}, {second}, {third}, …", Number::from_f64(min)?))
}

/// The allowed days, in characters that need no translation.
fn date_rule(rules: &DateKind) -> Option<String> {
    match (rules.min, rules.max) {
        (None, None) => None,
        (Some(min), None) => Some(format!("≥ {min}")),
        (None, Some(max)) => Some(format!("≤ {max}")),
        (Some(min), Some(max)) => Some(format!("{min} … {max}")),
    }
}

fn object<const N: usize>(fields: [(&str, Option<Value>); N]) -> Map<String, Value> {
    let fields = fields.into_iter();
    fields
        .filter_map(|(key, value)| Some((key.to_owned(), value?)))
        .collect()
}

#[cfg(test)]
#[path = "elicitation_form_tests.rs"]
mod tests;
