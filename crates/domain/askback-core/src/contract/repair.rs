//! Undoes wrong names and wrappings that models are known to send.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::problem::ParseProblemCode;
use super::read::{InputReader, PathSegment};
use super::shape::{Field, fold};
use crate::limits;
use crate::nearest_name::nearest_name;
use crate::text::{Lines, Text};

/// Names of ignored fields that a repair tells.
const IGNORED_NAMES_MAX: usize = 5;

/// Names of the same field in tool contracts and in questions of programs.
const SYNONYMS: [[&str; 2]; 4] = [
    ["options", "choices"],
    ["question", "text"],
    ["input_type", "kind"],
    ["allow_skip", "optional"],
];

impl InputReader {
    /// Finds the value of each field: under its own name, another spelling of it, or an alias.
    pub(super) fn match_fields<'v>(
        &mut self,
        fields: &'static [Field],
        map: &'v Map<String, Value>,
    ) -> Vec<(&'static Field, Option<&'v Value>)> {
        if !self.repairs_input() {
            self.refuse_unknown(fields, map);
            if map.values().any(Value::is_null) {
                self.repair("took null as left out");
            }
            let given = |field: &Field| map.get(field.name).filter(|value| !value.is_null());
            return fields.iter().map(|field| (field, given(field))).collect();
        }
        let mut unknown: Vec<(String, &String, &Value)> = map
            .iter()
            .filter(|(key, _)| !fields.iter().any(|field| field.name == key.as_str()))
            .map(|(key, value)| (fold(key), key, value))
            .collect();
        let mut found = Vec::with_capacity(fields.len());
        for field in fields {
            let exact = map.get(field.name).filter(|value| !value.is_null());
            let renamed = exact.or_else(|| self.match_alias(field, &mut unknown));
            let value = renamed.or_else(|| self.match_substitute(field, fields, map));
            let value = value.filter(|value| field.required || !is_blank(value));
            if value.is_none() && map.contains_key(field.name) {
                self.at(PathSegment::Field(field.name), |r| {
                    r.repair("took an empty field as left out");
                });
            }
            found.push((field, value));
        }
        if !unknown.is_empty() {
            let names: Vec<&str> = unknown.iter().map(|(_, key, _)| key.as_str()).collect();
            self.repair(ignored_fields(&names));
        }
        found
    }

    fn refuse_unknown(&mut self, fields: &'static [Field], map: &Map<String, Value>) {
        let known: Vec<&str> = fields.iter().map(|field| field.name).collect();
        let unknown = map.keys().filter(|name| !known.contains(&name.as_str()));
        for name in unknown.take(limits::PROBLEMS_MAX) {
            let name: String = name.chars().take(limits::QUESTION_ID_CHARS_MAX).collect();
            let meant = synonym(&name, &known).or_else(|| nearest_name(&name, &known));
            let hint = match meant {
                Some(nearest) => format!("Unknown field `{name}`: did you mean `{nearest}`?"),
                None => format!("Unknown field `{name}`. Known: {}.", known.join(", ")),
            };
            self.problem(ParseProblemCode::UnknownField, hint);
        }
    }

    fn match_alias<'v>(
        &mut self,
        field: &'static Field,
        unknown: &mut Vec<(String, &'v String, &'v Value)>,
    ) -> Option<&'v Value> {
        if unknown.is_empty() {
            return None;
        }
        let own = fold(field.name);
        let names = [own.as_str()]
            .into_iter()
            .chain(field.aliases.iter().copied());
        for name in names {
            let at = unknown
                .iter()
                .position(|(key, _, value)| key == name && !value.is_null());
            if let Some(at) = at {
                let (key, _, value) = unknown.remove(at);
                self.at(PathSegment::Field(field.name), |r| {
                    r.repair(format!("taken from `{key}`"));
                });
                return Some(value);
            }
        }
        None
    }

    /// Fills a required field from another that stands in for it: a label from its value.
    fn match_substitute<'v>(
        &mut self,
        field: &'static Field,
        fields: &'static [Field],
        map: &'v Map<String, Value>,
    ) -> Option<&'v Value> {
        let substitutes = field
            .aliases
            .iter()
            .filter(|alias| fields.iter().any(|other| other.name == **alias));
        let (name, value) = substitutes
            .filter_map(|name| Some((name, map.get(*name)?)))
            .find(|(_, v)| !v.is_null())?;
        self.at(PathSegment::Field(field.name), |r| {
            r.repair(format!("taken from `{name}`"));
        });
        Some(value)
    }

    /// Replaces a JSON text by what is written in it, where that is what the shape wants.
    pub(super) fn parse_json_text<'v>(
        &mut self,
        value: &'v Value,
        wanted: fn(&Value) -> bool,
    ) -> Cow<'v, Value> {
        let Some(text) = value.as_str().filter(|_| self.repairs_input()) else {
            return Cow::Borrowed(value);
        };
        match parse_nested_json(text).filter(wanted) {
            Some(inner) => {
                self.repair("read JSON that was sent as a text");
                Cow::Owned(inner)
            }
            None => Cow::Borrowed(value),
        }
    }

    /// Takes the only object out of a list, where an object is wanted.
    pub(super) fn unwrap_single<'v>(&mut self, value: Cow<'v, Value>) -> Cow<'v, Value> {
        let only = value.as_array();
        let only = only.filter(|items| items.len() == 1 && self.repairs_input());
        match only
            .and_then(|items| items.first())
            .filter(|item| item.is_object())
        {
            Some(item) => {
                self.repair("took the only item out of a list");
                Cow::Owned(item.clone())
            }
            None => value,
        }
    }
}

/// The known field that another contract calls `name`.
fn synonym<'n>(name: &str, known: &[&'n str]) -> Option<&'n str> {
    let is_named = |word: &&str| fold(word) == fold(name);
    let pair = SYNONYMS.iter().find(|pair| pair.iter().any(is_named))?;
    known.iter().find(|known| pair.contains(known)).copied()
}

/// The JSON inside a text, looking through texts within texts a bounded number of times.
pub(crate) fn parse_nested_json(text: &str) -> Option<Value> {
    let mut value = serde_json::from_str(text.trim()).ok()?;
    for _ in 1..limits::REPAIR_DEPTH_MAX {
        let Value::String(inner) = &value else { break };
        value = serde_json::from_str(inner.trim()).ok()?;
    }
    Some(value)
}

/// A text that was spread into an object of its characters: `{"0": "F", "1": "o", …}`.
pub(super) fn join_spread_text(map: &Map<String, Value>) -> Option<String> {
    let mut text = String::with_capacity(map.len());
    for index in 0..map.len() {
        let part = map.get(&index.to_string())?.as_str()?;
        if part.chars().count() != 1 {
            return None;
        }
        text.push_str(part);
    }
    (!text.is_empty()).then_some(text)
}

/// Names what was ignored. The names are the model's own text, and there may be many.
fn ignored_fields(names: &[&str]) -> String {
    let shown = names.iter().take(IGNORED_NAMES_MAX).map(|name| {
        let name =
            Text::clean(name, Lines::One).map(|name| name.clip(limits::QUESTION_ID_CHARS_MAX));
        format!(
            "`{}`",
            name.map(|name| name.to_string()).unwrap_or_default()
        )
    });
    let shown = shown.collect::<Vec<_>>().join(", ");
    let more = match names.len().saturating_sub(IGNORED_NAMES_MAX) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let fields = if names.len() == 1 { "field" } else { "fields" };
    format!("ignored the unknown {fields} {shown}{more}")
}

/// Whether a text has nothing in it to read.
fn is_blank(value: &Value) -> bool {
    value.as_str().is_some_and(|text| text.trim().is_empty())
}
