//! The types of the browser side, from the description of the HTTP API: `web/lib/wire.d.ts`.
//!
//! Every schema becomes one type, without the ending `Response`. Where something is one of several
//! forms, each form says of the fields of the others that it has none, so that a reader may look at
//! a field before it knows the form.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use anyhow::Context;
use serde_json::{Map, Value};

const HEAD: &str = "\
// What the server sends and takes: generated from schemas/openapi.json by `cargo xtask codegen`.
";

/// The file for a description of the API.
pub(crate) fn declarations(openapi: &str) -> anyhow::Result<String> {
    let openapi: Value = serde_json::from_str(openapi).context("the description is no JSON")?;
    let schemas = openapi.pointer("/components/schemas");
    let schemas = schemas
        .and_then(Value::as_object)
        .context("the description has no schemas")?;
    let types = Types { schemas };
    let mut text = HEAD.to_owned();
    for (name, schema) in schemas {
        let comment = comment(schema, "");
        let shape = types.shape(schema, "");
        // Writing to a string cannot fail.
        write!(
            text,
            "\n{comment}export type {} = {shape};\n",
            type_name(name)
        )
        .unwrap_or_default();
    }
    Ok(text)
}

/// What a schema is called in the browser.
fn type_name(schema: &str) -> &str {
    schema.strip_suffix("Response").unwrap_or(schema)
}

/// The schema that a reference names.
fn referred(schema: &Value) -> Option<&str> {
    schema.get("$ref")?.as_str()?.rsplit('/').next()
}

/// What a schema says of itself, as a comment of its own lines.
fn comment(schema: &Value, indent: &str) -> String {
    let about = schema.get("description").and_then(Value::as_str);
    // A field that may be null says what it is in the form that it has otherwise.
    let inner = || {
        let forms = schema.get("oneOf")?.as_array()?;
        forms
            .iter()
            .find_map(|form| form.get("description"))?
            .as_str()
    };
    let Some(about) = about.or_else(inner) else {
        return String::new();
    };
    let about = about.replace("*/", "*\u{200b}/");
    let lines: Vec<&str> = about.lines().map(str::trim_end).collect();
    match lines.as_slice() {
        [line] => format!("{indent}/** {line} */\n"),
        lines => {
            let lines = lines.iter().map(|line| format!("{indent} * {line}\n"));
            format!("{indent}/**\n{}{indent} */\n", lines.collect::<String>())
        }
    }
}

struct Types<'a> {
    schemas: &'a Map<String, Value>,
}

impl Types<'_> {
    /// A schema as a type; `indent` is where its line begins.
    fn shape(&self, schema: &Value, indent: &str) -> String {
        if let Some(name) = referred(schema) {
            return type_name(name).to_owned();
        }
        if let Some(value) = schema.get("const") {
            return value.to_string();
        }
        // Where newer versions may have other values, the known ones are examples. The pages have the version of the server.
        let values = schema.get("enum").or_else(|| schema.get("examples"));
        if let Some(values) = values.and_then(Value::as_array) {
            return joined(values.iter().map(Value::to_string), " | ");
        }
        if let Some(forms) = schema.get("oneOf").and_then(Value::as_array) {
            return self.one_of(forms, indent);
        }
        match schema.get("type") {
            Some(Value::Array(kinds)) => {
                let kinds = kinds.iter().filter_map(Value::as_str);
                joined(kinds.map(|kind| self.plain(kind, schema, indent)), " | ")
            }
            Some(Value::String(kind)) => self.plain(kind, schema, indent),
            _ => "unknown".to_owned(),
        }
    }

    fn plain(&self, kind: &str, schema: &Value, indent: &str) -> String {
        match kind {
            "integer" | "number" => "number".to_owned(),
            "array" => {
                let items = schema.get("items").map(|items| self.shape(items, indent));
                format!("Array<{}>", items.as_deref().unwrap_or("unknown"))
            }
            "object" => self.object(schema, indent),
            other => other.to_owned(),
        }
    }

    fn object(&self, schema: &Value, indent: &str) -> String {
        let Some(fields) = schema.get("properties").and_then(Value::as_object) else {
            let additional = schema.get("additionalProperties");
            let shape = additional.map(|values| self.shape(values, indent));
            let values = shape.as_deref().unwrap_or("unknown");
            return format!("Record<string, {values}>");
        };
        let inner = format!("{indent}  ");
        let required = required(schema);
        let lines = fields.iter().map(|(name, field)| {
            let mark = if required.contains(name.as_str()) {
                ""
            } else {
                "?"
            };
            let comment = comment(field, &inner);
            let shape = self.shape(field, &inner);
            format!("{comment}{inner}{name}{mark}: {shape};\n")
        });
        format!("{{\n{}{indent}}}", lines.collect::<String>())
    }

    /// One of several forms. Forms with fields name those of the others as ones they do not have.
    fn one_of(&self, forms: &[Value], indent: &str) -> String {
        let fields: Vec<BTreeSet<String>> = forms.iter().map(|form| self.fields(form)).collect();
        let all: BTreeSet<&String> = fields.iter().flatten().collect();
        let is_told_apart = fields.iter().all(|own| !own.is_empty());
        let shapes = forms.iter().zip(&fields).map(|(form, own)| {
            let shape = self.shape(form, indent);
            let lacking: Vec<String> = all
                .iter()
                .filter(|name| !own.contains(**name))
                .map(|name| format!("{name}?: undefined"))
                .collect();
            if is_told_apart && !lacking.is_empty() {
                format!("({shape} & {{ {} }})", lacking.join("; "))
            } else {
                shape
            }
        });
        joined(shapes, " | ")
    }

    /// The names of all fields that a schema may have.
    fn fields(&self, schema: &Value) -> BTreeSet<String> {
        if let Some(schema) = referred(schema).and_then(|name| self.schemas.get(name)) {
            return self.fields(schema);
        }
        let forms = schema.get("oneOf").and_then(Value::as_array);
        let inner = forms
            .into_iter()
            .flatten()
            .flat_map(|form| self.fields(form));
        let own = schema.get("properties").and_then(Value::as_object);
        let own = own.into_iter().flat_map(|fields| fields.keys().cloned());
        own.chain(inner).collect()
    }
}

fn required(schema: &Value) -> BTreeSet<&str> {
    let names = schema.get("required").and_then(Value::as_array);
    let names = names.into_iter().flatten();
    names.filter_map(Value::as_str).collect()
}

fn joined(parts: impl Iterator<Item = String>, between: &str) -> String {
    parts.collect::<Vec<_>>().join(between)
}

#[cfg(test)]
#[path = "wire_types_tests.rs"]
mod tests;
