//! The JSON Schema of the answers to an inquiry.

use askback_core::inquiry::Inquiry;
use askback_core::question::{ChoiceKind, Kind, Question};
use serde_json::{Map, Value, json};

/// An object with one property for each question. A single question must be answered, unless it may
/// be skipped; of several, any may be left out.
pub(super) fn answer_schema(inquiry: &Inquiry) -> Value {
    let questions = inquiry.questions();
    let properties = questions.iter().map(|question| {
        let name = question.id.as_str().to_owned();
        (name, question_schema(question))
    });
    let properties: Map<String, Value> = properties.collect();
    let required: Vec<&str> = match questions {
        [only] if !only.skippable => vec![only.id.as_str()],
        _ => Vec::new(),
    };
    json!({"type": "object", "properties": properties, "required": required,
        "additionalProperties": false})
}

fn question_schema(question: &Question) -> Value {
    let mut schema = match &question.kind {
        Kind::Choice(kind) if kind.several => {
            json!({"type": "array", "items": choice_schema(kind), "uniqueItems": true})
        }
        Kind::Choice(kind) if kind.confirm => json!({"type": "boolean"}),
        Kind::Choice(kind) => choice_schema(kind),
        Kind::Text(rules) => with(
            json!({"type": "string"}),
            [
                ("minLength", json!(rules.min_length)),
                ("maxLength", json!(rules.max_length)),
                ("pattern", json!(rules.pattern)),
            ],
        ),
        Kind::Number(rules) => with(
            json!({"type": if rules.integer { "integer" } else { "number" }}),
            [("minimum", json!(rules.min)), ("maximum", json!(rules.max))],
        ),
        Kind::Date(_) => date(),
        Kind::DateRange(_) => json!({"type": "object",
            "properties": {"start": date(), "end": date()}, "required": ["start", "end"]}),
    };
    schema["description"] = json!(question.text);
    if let Some(header) = &question.header {
        schema["title"] = json!(header);
    }
    schema
}

fn date() -> Value {
    json!({"type": "string", "format": "date"})
}

fn choice_schema(kind: &ChoiceKind) -> Value {
    let choices = kind.choices.iter().map(|choice| {
        let choice_schema = json!({"const": choice.value, "title": choice.label});
        with(choice_schema, [("description", json!(choice.description))])
    });
    let choices: Vec<Value> = choices.collect();
    if kind.own_text {
        json!({"anyOf": [{"type": "string", "oneOf": choices}, {"type": "string"}]})
    } else {
        json!({"type": "string", "oneOf": choices})
    }
}

/// The schema with the given keywords, without those that are null.
fn with<const N: usize>(mut schema: Value, keywords: [(&str, Value); N]) -> Value {
    for (name, value) in keywords {
        if !value.is_null() {
            schema[name] = value;
        }
    }
    schema
}
