//! What an MCP server asks the user (an elicitation), as an inquiry, and the outcome as its reply.
//!
//! A form is a flat JSON Schema object; each property becomes a question. The reply has exactly what
//! the server's schema describes: values of its own types, spelled as in its schema. Nothing is filled
//! in that the person was not shown.

mod field;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::answer::Answers;
use crate::dialect::Dialect;
use crate::elicitation_schema::FormSchema;
use crate::inquiry::Inquiry;
use crate::limits;
use crate::outcome::Outcome;
use crate::question::{Choice, ChoiceKind, Kind, Question, QuestionId};
use crate::text::{Lines, Text};
use field::FieldQuestion;

/// An elicitation as a server sends it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "mode", rename_all = "snake_case")]
pub enum ElicitationRequest {
    /// The user fills in a form.
    Form {
        /// Why the server asks.
        message: String,
        /// The schema of the content.
        schema: Value,
        /// The names of the properties, in the order in which they are asked.
        order: Vec<String>,
    },
    /// The user does something on a web page.
    Url {
        /// Why the server asks.
        message: String,
        /// The address of the page.
        url: String,
        /// The host in the address, as a browser understands it.
        host: String,
    },
}

/// The reply to an elicitation.
#[derive(Debug, Clone, PartialEq)]
pub enum ElicitationReply {
    /// The user agreed; a form has content.
    Accept(Option<Value>),
    /// The user said no.
    Decline,
    /// The user made no choice.
    Cancel,
}

impl ElicitationReply {
    /// The result of `elicitation/create`.
    pub fn to_json(&self) -> Value {
        match self {
            ElicitationReply::Accept(Some(content)) => {
                serde_json::json!({ "action": "accept", "content": content })
            }
            ElicitationReply::Accept(None) => serde_json::json!({ "action": "accept" }),
            ElicitationReply::Decline => serde_json::json!({ "action": "decline" }),
            ElicitationReply::Cancel => serde_json::json!({ "action": "cancel" }),
        }
    }
}

impl ElicitationRequest {
    /// The questions that `server` asks, or why they cannot be shown. `problem` says what was wrong
    /// with the answer before, if it is asked again.
    pub fn inquiry(&self, server: &str, problem: Option<&str>) -> Result<Inquiry, String> {
        let mut questions = match self {
            ElicitationRequest::Form { message, .. } => self.form_questions(message)?,
            ElicitationRequest::Url { message, url, host } => {
                let context = format!("{host} is where this address leads:\n{url}");
                let done = Choice::ours("done", "I have done it");
                vec![confirmation(&required_text(message)?, Some(&context), done)]
            }
        };
        if let Some(problem) = problem {
            for question in &mut questions {
                question.context =
                    joined([Some(problem), question.context.as_ref().map(Text::as_str)]);
            }
        }
        let source = Text::clean(&format!("MCP server {server}"), Lines::One);
        let source = source.map(|source| source.clip(limits::SOURCE_CHARS_MAX));
        Ok(Inquiry::new(Dialect::Questions, source, questions))
    }

    /// The reply that an outcome of the inquiry gives, or what is wrong with the answers.
    pub fn reply(&self, outcome: &Outcome) -> Result<ElicitationReply, String> {
        match outcome {
            Outcome::Answered { answers } => match self {
                ElicitationRequest::Form { .. } => self.content(answers).map(Some),
                ElicitationRequest::Url { .. } => Ok(None),
            }
            .map(ElicitationReply::Accept),
            Outcome::Declined => Ok(ElicitationReply::Decline),
            Outcome::Cancelled
            | Outcome::Rejected
            | Outcome::Superseded { .. }
            | Outcome::Expired
            | Outcome::Withdrawn
            | Outcome::Undeliverable { .. } => Ok(ElicitationReply::Cancel),
        }
    }

    fn fields(&self) -> Result<Vec<FieldQuestion>, String> {
        let ElicitationRequest::Form { schema, order, .. } = self else {
            return Ok(Vec::new());
        };
        if schema.get("properties").is_none() {
            return Ok(Vec::new());
        }
        let mut schema = FormSchema::from_json(schema).map_err(|error| error.to_string())?;
        if schema.fields.len() > limits::FORM_QUESTIONS_MAX {
            let max = limits::FORM_QUESTIONS_MAX;
            return Err(format!("a form may have at most {max} properties"));
        }
        schema.sort_by_key_order(order);
        let fields = schema.fields.into_iter().map(|field| {
            let key = field.key.clone();
            FieldQuestion::new(field).map_err(|problem| format!("property `{key}`: {problem}"))
        });
        fields.collect()
    }

    fn form_questions(&self, message: &str) -> Result<Vec<Question>, String> {
        let fields = self.fields()?;
        let message = required_text(message)?;
        if fields.is_empty() {
            return Ok(vec![confirmation(&message, None, Choice::ours("ok", "OK"))]);
        }
        let alone = fields.len() == 1;
        let mut questions: Vec<Question> = Vec::with_capacity(fields.len());
        for field in fields {
            let label = field.label();
            let (text, context) = if alone {
                (
                    message.clone(),
                    joined([field.property.description.as_deref(), field.hint()]),
                )
            } else {
                let text = field.property.description.as_deref().unwrap_or(label);
                let context = joined([Some(message.as_str()), field.hint()]);
                (required_text(text)?, context)
            };
            let known = questions.iter().any(|earlier| earlier.text == text);
            let text = if known {
                required_text(&format!("{text} ({})", field.property.key))?
            } else {
                text
            };
            let header = Text::clean(label, Lines::One).filter(|header| *header != text);
            questions.push(Question {
                id: QuestionId::at(questions.len()),
                header: header.map(|header| header.clip(limits::QUESTION_LABEL_CHARS_MAX)),
                text,
                context,
                placeholder: field.placeholder(),
                skippable: field.is_skippable(),
                kind: field.kind,
            });
        }
        Ok(questions)
    }

    fn content(&self, answers: &Answers) -> Result<Value, String> {
        let mut content = Map::new();
        for (field, answer) in self.fields()?.into_iter().zip(answers.iter()) {
            if let Some(value) = field.value(&answer.given)? {
                content.insert(field.property.key, value);
            }
        }
        Ok(Value::Object(content))
    }
}

/// A question that can only be agreed to. Saying no is declining it.
fn confirmation(text: &Text, context: Option<&str>, choice: Choice) -> Question {
    Question {
        id: QuestionId::at(0),
        header: None,
        text: text.clone(),
        context: context.and_then(|context| Text::clean(context, Lines::Many)),
        placeholder: None,
        skippable: false,
        kind: Kind::Choice(ChoiceKind {
            several: false,
            own_text: false,
            confirm: false,
            choices: vec![choice],
        }),
    }
}

fn required_text(raw: &str) -> Result<Text, String> {
    let text = Text::clean(raw, Lines::Many).ok_or("it asks nothing that can be read")?;
    if text.chars() > limits::TEXT_CHARS_MAX {
        let max = limits::TEXT_CHARS_MAX;
        return Err(format!("a text has more than {max} characters"));
    }
    Ok(text)
}

fn joined<'a>(parts: impl IntoIterator<Item = Option<&'a str>>) -> Option<Text> {
    let parts: Vec<&str> = parts.into_iter().flatten().collect();
    Text::clean(&parts.join("\n"), Lines::Many).map(|text| text.clip(limits::TEXT_CHARS_MAX))
}

#[cfg(test)]
#[path = "elicitation_tests.rs"]
mod tests;
