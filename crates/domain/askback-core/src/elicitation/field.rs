//! One property of a form: its question, and the value that an answer gives it.

use serde_json::{Value, json};

use crate::answer::AnswerValue;
use crate::elicitation_schema::{FieldKind, FormField, FormOption, TextFormat};
use crate::limits;
use crate::lookalike::look_alike;
use crate::question::{Choice, ChoiceKind, DateRules, Kind, NumberRules, TextRules};
use crate::text::{Lines, Text};

/// A property that a person can be asked for.
pub(super) struct FieldQuestion {
    pub(super) property: FormField,
    pub(super) kind: Kind,
    /// The values of the choices as the schema spells them, in the order of the choices.
    values: Vec<Value>,
    /// What the person must know about the rules that the question itself does not show.
    hint: Option<String>,
}

impl FieldQuestion {
    /// Fails if the property cannot be shown as it is meant.
    pub(super) fn new(mut property: FormField) -> Result<FieldQuestion, String> {
        property.default = property.default.filter(|default| !default.is_null());
        let (kind, values) = match &property.kind {
            FieldKind::Text {
                min_length,
                max_length,
                format,
            } => (text_kind(*min_length, *max_length, *format)?, Vec::new()),
            FieldKind::Number { min, max, integer } => {
                let rules = NumberRules {
                    min: *min,
                    max: *max,
                    step: None,
                    integer: *integer,
                    message: None,
                };
                (Kind::Number(rules), Vec::new())
            }
            FieldKind::Boolean => (
                Kind::Choice(ChoiceKind::yes_or_no()),
                vec![json!(true), json!(false)],
            ),
            FieldKind::OneOf(options) => (choice_kind(choices(options)?, false), values(options)),
            FieldKind::SeveralOf { options, .. } => {
                (choice_kind(choices(options)?, true), values(options))
            }
        };
        let mut question = FieldQuestion {
            property,
            kind,
            values,
            hint: None,
        };
        question.hint = question.describe_rules();
        Ok(question)
    }

    pub(super) fn label(&self) -> &str {
        self.property.title.as_deref().unwrap_or(&self.property.key)
    }

    pub(super) fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }

    pub(super) fn is_skippable(&self) -> bool {
        !self.property.required || self.property.default.is_some() || self.may_be_empty()
    }

    /// How many choices may be taken.
    fn count(&self) -> (usize, Option<usize>) {
        if let FieldKind::SeveralOf {
            min_items,
            max_items,
            ..
        } = &self.property.kind
        {
            (min_items.unwrap_or(0), *max_items)
        } else {
            (1, None)
        }
    }

    /// Whether taking no choice at all is an answer.
    fn may_be_empty(&self) -> bool {
        self.count().0 == 0
    }

    pub(super) fn placeholder(&self) -> Option<Text> {
        match (&self.kind, &self.property.default) {
            (Kind::Text(_), Some(Value::String(text))) => {
                let text = Text::clean(text, Lines::One)?;
                Some(text.clip(limits::HINT_CHARS_MAX))
            }
            _ => None,
        }
    }

    fn describe_rules(&self) -> Option<String> {
        let count = match self.count() {
            (min, Some(max)) if min > 0 => Some(format!("Choose {min} to {max}.")),
            (min, None) if min > 1 => Some(format!("Choose at least {min}.")),
            (_, Some(max)) => Some(format!("Choose at most {max}.")),
            (_, None) => None,
        };
        let default = self.property.default.as_ref();
        let default = default.map(|default| format!("If you skip this: {}", self.show(default)));
        let parts: Vec<String> = [count, default].into_iter().flatten().collect();
        (!parts.is_empty()).then(|| parts.join("\n"))
    }

    /// A value as the person knows it: by the label of its choice, or as it is written.
    fn show(&self, value: &Value) -> String {
        if let Value::Array(values) = value {
            let shown: Vec<String> = values.iter().map(|value| self.show(value)).collect();
            return shown.join(", ");
        }
        match (self.label_of(value), value.as_str()) {
            (Some(label), _) => label.to_string(),
            (None, Some(text)) => text.to_owned(),
            (None, None) => value.to_string(),
        }
    }

    fn label_of(&self, value: &Value) -> Option<&Text> {
        let at = self.values.iter().position(|known| known == value)?;
        match &self.kind {
            Kind::Choice(kind) => kind.choices.get(at).map(|choice| &choice.label),
            Kind::Text(_) | Kind::Number(_) | Kind::Date(_) | Kind::DateRange(_) => None,
        }
    }

    /// The value of an answer; none for an optional property that was left out. Fails with a sentence
    /// for the person if the schema does not allow the answer.
    pub(super) fn value(&self, given: &AnswerValue) -> Result<Option<Value>, String> {
        let value = match given {
            AnswerValue::Skipped => self.property.default.clone(),
            AnswerValue::Unanswered => None,
            AnswerValue::Text { text } => Some(json!(text.as_str())),
            AnswerValue::Number { number } => Some(json!(number)),
            AnswerValue::Date { date } => Some(json!(date.to_string())),
            AnswerValue::DateRange { start, end } => Some(json!(format!("{start}/{end}"))),
            AnswerValue::Chosen { values, .. } => self.chosen(values)?,
        };
        if value.is_none() && self.property.required {
            if self.may_be_empty() && *given == AnswerValue::Skipped {
                return Ok(Some(json!([])));
            }
            return Err(format!("{} needs an answer.", self.label()));
        }
        Ok(value)
    }

    fn chosen(&self, taken: &[Text]) -> Result<Option<Value>, String> {
        let Kind::Choice(kind) = &self.kind else {
            return Ok(None);
        };
        let choices = kind.choices.iter().zip(&self.values);
        let chosen = choices.filter(|(choice, _)| taken.contains(&choice.value));
        let mut chosen: Vec<Value> = chosen.map(|(_, value)| value.clone()).collect();
        if !kind.several {
            return Ok(chosen.pop());
        }
        let (min, max) = self.count();
        if chosen.len() < min || max.is_some_and(|max| chosen.len() > max) {
            let rule = self.hint().and_then(|hint| hint.lines().next());
            return Err(format!("{}: {}", self.label(), rule.unwrap_or_default()));
        }
        Ok(Some(Value::Array(chosen)))
    }
}

const EMAIL: &str = r"^[^@\s]+@[^@\s]+$";
const URI: &str = r"^[A-Za-z][A-Za-z0-9+.-]*:\S+$";
const DATE_TIME: &str = r"^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$";

fn text_kind(
    min_length: Option<usize>,
    max_length: Option<usize>,
    format: Option<TextFormat>,
) -> Result<Kind, String> {
    if min_length.is_some_and(|min| min > limits::OWN_TEXT_CHARS_MAX) {
        return Err("it asks for a longer text than can be given".to_owned());
    }
    let pattern = match format {
        Some(TextFormat::Date) => return Ok(Kind::Date(DateRules::default())),
        Some(TextFormat::Email) => Some((EMAIL, "name@example.com")),
        Some(TextFormat::Uri) => Some((URI, "https://example.com/")),
        Some(TextFormat::DateTime) => Some((DATE_TIME, "2026-03-27T09:30:00Z")),
        None => None,
    };
    Ok(Kind::Text(TextRules {
        min_length,
        max_length: max_length.filter(|max| *max <= limits::OWN_TEXT_CHARS_MAX),
        pattern: pattern.map(|(pattern, _)| pattern.to_owned()),
        message: pattern.map(|(_, example)| Text::ours(format!("Must look like {example}"))),
    }))
}

fn values(options: &[FormOption]) -> Vec<Value> {
    options.iter().map(|option| json!(option.value)).collect()
}

fn choices(options: &[FormOption]) -> Result<Vec<Choice>, String> {
    if options.is_empty() {
        return Err("it lists no choices".to_owned());
    }
    if options.len() > limits::FORM_CHOICES_MAX {
        let max = limits::FORM_CHOICES_MAX;
        return Err(format!("it lists more than {max} choices"));
    }
    let mut choices: Vec<Choice> = Vec::with_capacity(options.len());
    for option in options {
        let title = option.title.as_ref().unwrap_or(&option.value);
        let choice = plain_choice(&option.value, title);
        let mut choice = choice.ok_or("a choice cannot be read")?;
        let description = option.description.as_deref();
        choice.description = description.and_then(|text| Text::clean(text, Lines::Many));
        if choices.iter().any(|earlier| is_ambiguous(earlier, &choice)) {
            return Err("two choices look the same".to_owned());
        }
        choices.push(choice);
    }
    Ok(choices)
}

fn choice_kind(choices: Vec<Choice>, several: bool) -> Kind {
    Kind::Choice(ChoiceKind {
        several,
        own_text: false,
        confirm: false,
        choices,
    })
}

fn plain_choice(value: &str, label: &str) -> Option<Choice> {
    Some(Choice {
        value: Text::clean(value, Lines::One)?,
        label: Text::clean(label, Lines::One)?.clip(limits::TEXT_CHARS_MAX),
        description: None,
        preview: None,
        recommended: false,
        exclusive: false,
    })
}

/// Whether a person, or an answer by label or value, could take one choice for the other.
fn is_ambiguous(one: &Choice, other: &Choice) -> bool {
    let same = |one: &Text, other: &Text| one == other || look_alike(one, other);
    same(&one.label, &other.label)
        || same(&one.value, &other.value)
        || one.value == other.label
        || one.label == other.value
}
