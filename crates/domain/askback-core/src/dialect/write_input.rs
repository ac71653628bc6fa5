//! Writes questions as the input of the tool that asks them.
//!
//! The input of a call is not stored beside the questions that were read from it. It is written again from them, so what
//! the parser repaired stays repaired.

use serde_json::{Map, Value, json};

use super::Dialect;
use crate::inquiry::Inquiry;
use crate::limits;
use crate::question::{
    Choice, DateRules, Kind, NumberRules, Question, RECOMMENDED_SUFFIX, TextRules,
};
use crate::text::Text;

impl Inquiry {
    /// The input of the tool call. Reading it again gives the same questions. `None` if they were removed.
    pub fn to_input(&self) -> Option<Value> {
        let mut questions = self.to_input_questions();
        let takes_list = self.dialect().takes_list();
        let is_one = !takes_list && self.dialect() != Dialect::Questions;
        let mut input = match questions.len() {
            0 => return None,
            1 if is_one => questions.swap_remove(0),
            _ => json!({"questions": questions}),
        };
        if let (true, Some(source)) = (takes_list, self.input_source()) {
            input["metadata"] = json!({"source": source});
        }
        Some(input)
    }

    /// The questions in the words of the tool contract.
    pub fn to_input_questions(&self) -> Vec<Value> {
        let questions = self.questions().iter();
        let written = questions.map(|question| match self.dialect() {
            Dialect::AskUserQuestion | Dialect::AskUserQuestionClaude => list_item(question),
            Dialect::Question => one_question(question),
            Dialect::AskUser => typed_question(self, question),
            Dialect::Questions => neutral_question(self, question),
        });
        written.collect()
    }
}

fn list_item(question: &Question) -> Value {
    let mut options = options(question);
    // The tool wants two. One is left of them only where the other was an "Other", which is in no question.
    if options.len() < limits::LIST_CHOICES_MIN {
        options.push(json!({"label": "Other", "description": "An answer in your own words"}));
    }
    let mut item = json!({"question": question.text, "options": options});
    put_text(&mut item, "header", question.header.as_ref());
    item["multiSelect"] = question.takes_several().into();
    item
}

fn one_question(question: &Question) -> Value {
    let mut item = json!({"question": question.text, "options": options(question)});
    put_text(&mut item, "header", question.header.as_ref());
    item["multiple"] = question.takes_several().into();
    item["custom"] = takes_own_text(question).into();
    item
}

fn typed_question(inquiry: &Inquiry, question: &Question) -> Value {
    let (input_type, validation) = match &question.kind {
        Kind::Choice(kind) if kind.several => ("multi_select", Map::new()),
        Kind::Choice(_) => ("single_select", Map::new()),
        Kind::Text(rules) => ("text", text_rules(rules)),
        Kind::Number(rules) => ("number", number_rules(rules)),
        Kind::Date(rules) => ("date", date_rules(rules)),
        Kind::DateRange(rules) => ("date_range", date_rules(rules)),
    };
    let mut item = json!({"question": question.text, "input_type": input_type});
    if matches!(question.kind, Kind::Choice(_)) {
        item["options"] = options(question).into();
        item["allow_other"] = takes_own_text(question).into();
    }
    item["allow_skip"] = question.skippable.into();
    put_text(&mut item, "placeholder", question.placeholder.as_ref());
    put(&mut item, "context", inquiry.context_of(question));
    if !validation.is_empty() {
        item["validation"] = validation.into();
    }
    item
}

fn neutral_question(inquiry: &Inquiry, question: &Question) -> Value {
    let (kind, rules) = match &question.kind {
        Kind::Choice(kind) if kind.confirm => ("confirm", Map::new()),
        Kind::Choice(_) => ("choice", Map::new()),
        Kind::Text(rules) => ("text", text_rules(rules)),
        Kind::Number(rules) => ("number", number_rules(rules)),
        Kind::Date(rules) => ("date", date_rules(rules)),
        Kind::DateRange(rules) => ("date_range", date_rules(rules)),
    };
    let mut item = json!({"id": question.id, "text": question.text, "kind": kind, "optional": question.skippable});
    put_text(&mut item, "header", question.header.as_ref());
    put(&mut item, "context", inquiry.context_of(question));
    put_text(&mut item, "placeholder", question.placeholder.as_ref());
    if let Kind::Choice(choice) = &question.kind {
        item["choices"] = choice.choices.iter().map(neutral_choice).collect();
        if !choice.confirm {
            item["several"] = choice.several.into();
            item["own"] = choice.own_text.into();
        }
    }
    for (name, rule) in rules {
        item[name] = rule;
    }
    item
}

/// The badge has a field of its own.
fn neutral_choice(choice: &Choice) -> Value {
    let mut written = option(choice);
    written["label"] = json!(choice.label);
    if choice.recommended {
        written["recommended"] = true.into();
    }
    written
}

fn options(question: &Question) -> Vec<Value> {
    question.choices().iter().map(option).collect()
}

fn option(choice: &Choice) -> Value {
    let label = if choice.recommended {
        format!("{} {RECOMMENDED_SUFFIX}", choice.label)
    } else {
        choice.label.to_string()
    };
    let mut option = json!({"label": label});
    if choice.value != choice.label {
        option["value"] = json!(choice.value);
    }
    put_text(&mut option, "description", choice.description.as_ref());
    put_text(&mut option, "preview", choice.preview.as_ref());
    option
}

fn takes_own_text(question: &Question) -> bool {
    question.choice_kind().is_some_and(|kind| kind.own_text)
}

fn text_rules(rules: &TextRules) -> Map<String, Value> {
    given([
        ("min_length", json!(rules.min_length)),
        ("max_length", json!(rules.max_length)),
        ("pattern", json!(rules.pattern)),
        ("message", json!(rules.message)),
    ])
}

fn number_rules(rules: &NumberRules) -> Map<String, Value> {
    given([
        ("min", json!(rules.min)),
        ("max", json!(rules.max)),
        ("step", json!(rules.step)),
        ("integer", rules.integer.then_some(true).into()),
        ("message", json!(rules.message)),
    ])
}

fn date_rules(rules: &DateRules) -> Map<String, Value> {
    given([
        ("min", json!(rules.min)),
        ("max", json!(rules.max)),
        ("message", json!(rules.message)),
    ])
}

/// The rules that there are.
fn given<const N: usize>(rules: [(&str, Value); N]) -> Map<String, Value> {
    let rules = rules.into_iter().filter(|(_, rule)| !rule.is_null());
    rules.map(|(name, rule)| (name.to_owned(), rule)).collect()
}

fn put_text(object: &mut Value, name: &str, text: Option<&Text>) {
    put(object, name, text.map(Text::as_str));
}

fn put(object: &mut Value, name: &str, text: Option<&str>) {
    if let Some(text) = text {
        object[name] = text.into();
    }
}
