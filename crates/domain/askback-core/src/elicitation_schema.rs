//! The schema of an elicitation form, as MCP and ACP define it: a flat object of primitive fields.
//!
//! `askback-wire` makes one from questions. Read with [`FormSchema::from_json`], it is what a server of
//! somebody else asks for; [`crate::elicitation`] makes questions from it.

use serde::Deserialize as _;
use serde_json::{Map, Value, json};

use crate::number::Number;

/// A form: its fields in the order in which to show them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FormSchema {
    /// The fields. Keys are unique.
    pub fields: Vec<FormField>,
}

/// One field of a form.
#[derive(Debug, Clone, PartialEq)]
pub struct FormField {
    /// The name of the property in the schema and in the content.
    pub key: String,
    /// A short label.
    pub title: Option<String>,
    /// What to enter.
    pub description: Option<String>,
    /// Whether the form cannot be sent without it.
    pub required: bool,
    /// What it takes.
    pub kind: FieldKind,
    /// The value of an untouched field.
    pub default: Option<Value>,
}

/// What a field takes.
#[derive(Debug, Clone, PartialEq)]
pub enum FieldKind {
    /// A string.
    Text {
        /// The least number of characters.
        min_length: Option<usize>,
        /// The largest number of characters.
        max_length: Option<usize>,
        /// What the text must be.
        format: Option<TextFormat>,
    },
    /// A number.
    Number {
        /// The smallest allowed number.
        min: Option<Number>,
        /// The largest allowed number.
        max: Option<Number>,
        /// Whether it must be an integer.
        integer: bool,
    },
    /// Yes or no.
    Boolean,
    /// One of the options, as a string.
    OneOf(Vec<FormOption>),
    /// Several of the options, as an array of strings.
    SeveralOf {
        /// The options to choose from.
        options: Vec<FormOption>,
        /// The least number of options.
        min_items: Option<usize>,
        /// The largest number of options.
        max_items: Option<usize>,
    },
}

/// What a text must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextFormat {
    /// An email address.
    Email,
    /// A URI.
    Uri,
    /// A day as `YYYY-MM-DD`.
    Date,
    /// A date with a time of day.
    DateTime,
}

/// One option of a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormOption {
    /// What the content has if it is chosen.
    pub value: String,
    /// What is shown. The value if missing.
    pub title: Option<String>,
    /// What it means. ACP has it; MCP does not, and some of its clients drop it.
    pub description: Option<String>,
}

/// Why a schema could not be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FormSchemaError {
    /// The schema has no `properties`.
    #[error("the schema is not an object with properties")]
    NotAnObject,
    /// A property is not a string, a number, a boolean or a choice.
    #[error("the property {0:?} is not of a type that a form can have")]
    UnknownType(String),
}

impl TextFormat {
    const ALL: [(TextFormat, &str); 4] = [
        (TextFormat::Email, "email"),
        (TextFormat::Uri, "uri"),
        (TextFormat::Date, "date"),
        (TextFormat::DateTime, "date-time"),
    ];

    fn name(self) -> &'static str {
        let mut all = TextFormat::ALL.iter();
        all.find(|(format, _)| *format == self)
            .map_or("", |(_, name)| name)
    }

    fn from_name(name: &str) -> Option<TextFormat> {
        let mut all = TextFormat::ALL.iter();
        all.find(|(_, known)| *known == name)
            .map(|(format, _)| *format)
    }
}

impl FormSchema {
    /// The schema as JSON.
    pub fn to_json(&self) -> Value {
        let properties: Map<String, Value> = self
            .fields
            .iter()
            .map(|field| (field.key.clone(), field.to_json()))
            .collect();
        let required = self.fields.iter().filter(|field| field.required);
        let required: Vec<&str> = required.map(|field| field.key.as_str()).collect();
        let mut schema = json!({"type": "object", "properties": properties});
        if !required.is_empty() {
            schema["required"] = json!(required);
        }
        schema
    }

    /// Reads a schema. The fields are in the order of their keys: JSON objects have no other.
    pub fn from_json(schema: &Value) -> Result<FormSchema, FormSchemaError> {
        let properties = schema.get("properties").and_then(Value::as_object);
        let properties = properties.ok_or(FormSchemaError::NotAnObject)?;
        let required = schema.get("required").and_then(Value::as_array);
        let is_required = |key: &str| {
            required.is_some_and(|required| required.iter().any(|name| name.as_str() == Some(key)))
        };
        let fields = properties.iter().map(|(key, property)| {
            let kind = FieldKind::from_json(property);
            Ok(FormField {
                key: key.clone(),
                title: text(property, "title"),
                description: text(property, "description"),
                required: is_required(key),
                kind: kind.ok_or_else(|| FormSchemaError::UnknownType(key.clone()))?,
                default: property.get("default").cloned(),
            })
        });
        let fields = fields.collect::<Result<_, _>>()?;
        Ok(FormSchema { fields })
    }

    /// Puts the fields into the order in which their server named them.
    pub fn sort_by_key_order(&mut self, keys: &[String]) {
        let position = |field: &FormField| {
            let position = keys.iter().position(|key| *key == field.key);
            position.unwrap_or(keys.len())
        };
        self.fields.sort_by_key(position);
    }
}

impl FormField {
    fn to_json(&self) -> Value {
        let mut property = self.kind.to_json();
        let texts = [("title", &self.title), ("description", &self.description)];
        for (key, text) in texts {
            if let Some(text) = text {
                property[key] = json!(text);
            }
        }
        if let Some(default) = &self.default {
            property["default"] = default.clone();
        }
        property
    }
}

impl FieldKind {
    fn to_json(&self) -> Value {
        match self {
            FieldKind::Text {
                min_length,
                max_length,
                format,
            } => {
                let mut property = json!({"type": "string"});
                set(&mut property, "minLength", *min_length);
                set(&mut property, "maxLength", *max_length);
                set(&mut property, "format", format.map(TextFormat::name));
                property
            }
            FieldKind::Number { min, max, integer } => {
                let kind = if *integer { "integer" } else { "number" };
                let mut property = json!({"type": kind});
                set(&mut property, "minimum", *min);
                set(&mut property, "maximum", *max);
                property
            }
            FieldKind::Boolean => json!({"type": "boolean"}),
            FieldKind::OneOf(options) => {
                let options: Vec<Value> = options.iter().map(FormOption::to_json).collect();
                json!({"type": "string", "oneOf": options})
            }
            FieldKind::SeveralOf {
                options,
                min_items,
                max_items,
            } => {
                let options: Vec<Value> = options.iter().map(FormOption::to_json).collect();
                let mut property = json!({"type": "array", "items": {"anyOf": options}});
                set(&mut property, "minItems", *min_items);
                set(&mut property, "maxItems", *max_items);
                property
            }
        }
    }

    fn from_json(property: &Value) -> Option<FieldKind> {
        let kind = property.get("type").and_then(Value::as_str);
        match kind {
            Some("boolean") => Some(FieldKind::Boolean),
            Some("number" | "integer") => Some(FieldKind::Number {
                min: number(property, "minimum"),
                max: number(property, "maximum"),
                integer: kind == Some("integer"),
            }),
            Some("array") => Some(FieldKind::SeveralOf {
                options: options(property.get("items")?)?,
                min_items: count(property, "minItems"),
                max_items: count(property, "maxItems"),
            }),
            // The type may be missing beside a list of options.
            Some("string") | None => match options(property) {
                Some(options) => Some(FieldKind::OneOf(options)),
                None => kind.map(|_| FieldKind::Text {
                    min_length: count(property, "minLength"),
                    max_length: count(property, "maxLength"),
                    format: text(property, "format")
                        .and_then(|format| TextFormat::from_name(&format)),
                }),
            },
            Some(_) => None,
        }
    }
}

impl FormOption {
    fn to_json(&self) -> Value {
        let title = self.title.as_ref().unwrap_or(&self.value);
        let mut option = json!({"const": self.value, "title": title});
        set(&mut option, "description", self.description.as_deref());
        option
    }
}

/// The options of a property: titled (`oneOf`, `anyOf`), or plain (`enum`, with the older `enumNames`).
fn options(property: &Value) -> Option<Vec<FormOption>> {
    let titled = ["oneOf", "anyOf"].iter().find_map(|key| property.get(*key));
    if let Some(titled) = titled.and_then(Value::as_array) {
        let options = titled.iter().map(|option| {
            Some(FormOption {
                value: text(option, "const")?,
                title: text(option, "title"),
                description: text(option, "description"),
            })
        });
        return options.collect();
    }
    let names = property.get("enumNames").and_then(Value::as_array);
    let values = property.get("enum")?.as_array()?.iter().enumerate();
    let options = values.map(|(index, value)| {
        let name = names.and_then(|names| names.get(index));
        Some(FormOption {
            value: value.as_str()?.to_owned(),
            title: name.and_then(Value::as_str).map(str::to_owned),
            description: None,
        })
    });
    options.collect()
}

fn set<T: serde::Serialize>(object: &mut Value, key: &str, value: Option<T>) {
    if let Some(value) = value {
        object[key] = json!(value);
    }
}

fn text(object: &Value, key: &str) -> Option<String> {
    object.get(key)?.as_str().map(str::to_owned)
}

fn count(object: &Value, key: &str) -> Option<usize> {
    usize::try_from(object.get(key)?.as_u64()?).ok()
}

fn number(object: &Value, key: &str) -> Option<Number> {
    Number::deserialize(object.get(key)?).ok()
}

#[cfg(test)]
#[path = "elicitation_schema_tests.rs"]
mod tests;
