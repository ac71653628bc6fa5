//! Reads a tool input along its shape, repairing what models are known to get wrong.
//!
//! A repair never guesses at meaning: it only undoes a wrong wrapping, spelling or type where one
//! reading is possible. Counts and lengths are never repaired, they are refused. Reading goes on
//! after a problem, so that one refusal names them all. The input of a program is not repaired.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::ops::RangeInclusive;

use serde_json::Value;

use super::InputAuthor;
use super::node::{Node, Object};
use super::problem::{ParseProblem, ParseProblemCode, Repair};
use super::repair::join_spread_text;
use super::shape::{EnumValue, Field, Shape, TextLength, fold};
use crate::number::{DecimalMark, Number};
use crate::question::strip_badge;
use crate::text::{Lines, Text};

/// Where in the input the reader is.
#[derive(Debug, Clone, Copy)]
pub(crate) enum PathSegment {
    Field(&'static str),
    Item(usize),
}

/// What happens to headers and labels that are too long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LongLabels {
    Refuse,
    Clip,
}

/// Collects problems and repairs on the way through an input.
#[derive(Debug)]
pub(crate) struct InputReader {
    author: InputAuthor,
    long_labels: LongLabels,
    pub(crate) problems: Vec<ParseProblem>,
    pub(crate) repairs: Vec<Repair>,
    path: Vec<PathSegment>,
}

impl InputReader {
    pub(crate) fn new(author: InputAuthor, long_labels: LongLabels) -> InputReader {
        InputReader {
            author,
            long_labels,
            problems: Vec::new(),
            repairs: Vec::new(),
            path: Vec::new(),
        }
    }

    /// Whether another spelling, type or wrapping than the contract says is understood.
    pub(crate) fn repairs_input(&self) -> bool {
        self.author == InputAuthor::Model
    }

    pub(crate) fn problem(&mut self, code: ParseProblemCode, hint: impl Into<String>) {
        self.problems.push(ParseProblem {
            path: self.path(),
            code,
            hint: hint.into(),
        });
    }

    pub(crate) fn repair(&mut self, done: impl Into<String>) {
        self.repairs.push(Repair {
            path: self.path(),
            done: done.into(),
        });
    }

    /// Runs `work` one step further down.
    pub(crate) fn at<T>(
        &mut self,
        step: PathSegment,
        work: impl FnOnce(&mut InputReader) -> T,
    ) -> T {
        self.path.push(step);
        let result = work(self);
        self.path.pop();
        result
    }

    /// Whether something is wrong with this field of the object that the reader is at, or within it.
    pub(crate) fn has_problem_in(&mut self, field: &'static str) -> bool {
        let path = self.at(PathSegment::Field(field), |reader| reader.path());
        self.problems.iter().any(|problem| {
            let within = problem.path.strip_prefix(&path);
            within.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        })
    }

    fn path(&self) -> String {
        let mut path = String::new();
        for step in &self.path {
            let written = match step {
                PathSegment::Field(name) if path.is_empty() => write!(path, "{name}"),
                PathSegment::Field(name) => write!(path, ".{name}"),
                PathSegment::Item(index) => write!(path, "[{index}]"),
            };
            debug_assert!(written.is_ok(), "writing to a string cannot fail");
        }
        path
    }

    /// Reads `value` as `shape`; `None` if it does not fit. Whatever is wrong in it is noted, and of
    /// a list or an object the rest is read all the same.
    pub(crate) fn read(&mut self, shape: &'static Shape, value: &Value) -> Option<Node> {
        match shape {
            Shape::Text { max, lines, length } => {
                let raw = self.scalar(shape, value)?;
                self.read_text(&raw, *lines, *max, *length).map(Node::Text)
            }
            Shape::RawString { max } => {
                let raw = self.scalar(shape, value)?;
                self.check_length(raw.chars().count(), *max)?;
                Some(Node::RawString(raw.into_owned()))
            }
            Shape::Bool => self.read_bool(value).map(Node::Bool),
            Shape::Enum(words) => self.read_enum(words, value).map(Node::Enum),
            Shape::Number => self.read_number(shape, value).map(Node::Number),
            Shape::Integer { max } => self.read_integer(shape, value, *max).map(Node::Number),
            Shape::NumberOrDate => match value.as_str() {
                Some(text)
                    if !self.repairs_input()
                        || Number::parse(text, DecimalMark::Point).is_none() =>
                {
                    Some(Node::RawString(text.to_owned()))
                }
                _ => self.read_number(shape, value).map(Node::Number),
            },
            Shape::List { item, min, max } => {
                self.read_list(item, *min..=*max, value).map(Node::List)
            }
            Shape::Object {
                fields,
                string_shorthand,
            } => self
                .read_object(fields, *string_shorthand, value)
                .map(Node::Object),
        }
    }

    fn wrong_type<T>(&mut self, shape: &Shape, value: &Value) -> Option<T> {
        let subject = if self.path.is_empty() {
            "The input "
        } else {
            ""
        };
        let (noun, found) = (shape.noun(), json_type_name(value));
        self.problem(
            ParseProblemCode::WrongType,
            format!("{subject}must be {noun}, not {found}."),
        );
        None
    }

    fn scalar<'v>(&mut self, shape: &Shape, value: &'v Value) -> Option<Cow<'v, str>> {
        if !self.repairs_input() && !value.is_string() {
            return self.wrong_type(shape, value);
        }
        match value {
            Value::String(text) => Some(Cow::Borrowed(text)),
            Value::Number(_) | Value::Bool(_) => {
                self.repair("read as text");
                Some(Cow::Owned(value.to_string()))
            }
            Value::Object(map) => match join_spread_text(map) {
                Some(text) => {
                    self.repair("joined a text that was spread into characters");
                    Some(Cow::Owned(text))
                }
                None => self.wrong_type(shape, value),
            },
            Value::Null | Value::Array(_) => self.wrong_type(shape, value),
        }
    }

    fn read_text(
        &mut self,
        raw: &str,
        lines: Lines,
        max: usize,
        length: TextLength,
    ) -> Option<Text> {
        let Some(text) = Text::clean(raw, lines) else {
            self.problem(
                ParseProblemCode::Blank,
                "is empty: write a text that can be read.",
            );
            return None;
        };
        if text.as_str() != raw {
            self.repair("cleaned");
        }
        let has_mark = length == TextLength::ClippedWithoutMark && self.repairs_input();
        let bare = strip_badge(text.as_str()).filter(|_| has_mark && text.chars() > max);
        if bare.is_some_and(|bare| bare.chars().count() <= max) {
            self.repair("did not count the mark of a recommended choice");
            return Some(text);
        }
        let is_clipped = length != TextLength::Refused && self.long_labels == LongLabels::Clip;
        if is_clipped && text.chars() > max {
            self.repair(format!("cut to {max} characters"));
            return Some(text.clip(max));
        }
        self.check_length(text.chars(), max)?;
        Some(text)
    }

    fn check_length(&mut self, chars: usize, max: usize) -> Option<()> {
        if chars > max {
            self.problem(
                ParseProblemCode::TooLong,
                format!("has {chars} characters: write at most {max}."),
            );
            return None;
        }
        Some(())
    }

    fn read_bool(&mut self, value: &Value) -> Option<bool> {
        if !self.repairs_input() && !value.is_boolean() {
            return self.wrong_type(&Shape::Bool, value);
        }
        let word = match value {
            Value::Bool(flag) => return Some(*flag),
            Value::String(word) => word.trim().to_lowercase(),
            Value::Number(number) => number.to_string(),
            Value::Null | Value::Array(_) | Value::Object(_) => String::new(),
        };
        let flag = match word.as_str() {
            "true" | "yes" | "1" => true,
            "false" | "no" | "0" => false,
            _ => return self.wrong_type(&Shape::Bool, value),
        };
        self.repair("read as true or false");
        Some(flag)
    }

    fn read_enum(&mut self, words: &'static [EnumValue], value: &Value) -> Option<&'static str> {
        let Value::String(raw) = value else {
            return self.wrong_type(&Shape::Enum(words), value);
        };
        if let Some(word) = words.iter().find(|word| word.name == raw) {
            return Some(word.name);
        }
        let folded = fold(raw);
        let known = words
            .iter()
            .filter(|_| self.repairs_input())
            .find(|word| fold(word.name) == folded || word.aliases.contains(&folded.as_str()));
        let Some(word) = known else {
            let names: Vec<&str> = words.iter().map(|word| word.name).collect();
            self.problem(
                ParseProblemCode::UnknownWord,
                format!("must be one of {}.", names.join(", ")),
            );
            return None;
        };
        self.repair(format!("read as {}", word.name));
        Some(word.name)
    }

    fn read_number(&mut self, shape: &Shape, value: &Value) -> Option<Number> {
        let number = match value {
            Value::Number(number) => Number::from_json(number),
            Value::String(text) if self.repairs_input() => {
                Number::parse(text, DecimalMark::Point).inspect(|_| self.repair("read as a number"))
            }
            Value::Null
            | Value::Bool(_)
            | Value::String(_)
            | Value::Array(_)
            | Value::Object(_) => None,
        };
        match number {
            Some(number) => Some(number),
            None if value.is_number() => {
                self.problem(
                    ParseProblemCode::BadBound,
                    "is too large to be kept exactly: use a smaller number.",
                );
                None
            }
            None => self.wrong_type(shape, value),
        }
    }

    fn read_integer(&mut self, shape: &Shape, value: &Value, max: usize) -> Option<Number> {
        let number = self.read_number(shape, value)?;
        let Number::Whole(whole) = number else {
            return self.wrong_type(shape, value);
        };
        if usize::try_from(whole).is_ok_and(|whole| whole <= max) {
            return Some(number);
        }
        self.problem(
            ParseProblemCode::OutOfRange,
            format!("must be from 0 to {max}."),
        );
        None
    }

    fn read_list(
        &mut self,
        item: &'static Shape,
        bounds: RangeInclusive<usize>,
        value: &Value,
    ) -> Option<Vec<(usize, Node)>> {
        let (min, max) = (*bounds.start(), *bounds.end());
        let value = self.parse_json_text(value, Value::is_array);
        let items: &[Value] = if let Value::Array(items) = value.as_ref() {
            items
        } else if self.repairs_input() && is_single_item(item, &value) {
            self.repair("put a single item into a list");
            std::slice::from_ref(value.as_ref())
        } else {
            return self.wrong_type(&Shape::List { item, min, max }, &value);
        };
        let present: Vec<(usize, &Value)> = items
            .iter()
            .enumerate()
            .filter(|(_, item)| !item.is_null() || !self.repairs_input())
            .collect();
        if present.len() < items.len() {
            self.repair("dropped empty items");
        }
        self.check_count(item, bounds, present.len())?;
        let nodes = present.into_iter().map(|(place, value)| {
            let node = self.at(PathSegment::Item(place), |r| r.read(item, value));
            (
                place,
                node.unwrap_or_else(|| Node::Object(Object::default())),
            )
        });
        Some(nodes.collect())
    }

    /// Notes a wrong count; `None` if there are so many items that none is worth reading.
    fn check_count(
        &mut self,
        item: &Shape,
        bounds: RangeInclusive<usize>,
        count: usize,
    ) -> Option<()> {
        let (min, max) = bounds.into_inner();
        let crowded = count > 2 * max;
        // Choices are counted against their maximum once an authored "Other" has been dropped.
        let choices = matches!(
            item,
            Shape::Object {
                string_shorthand: Some("label"),
                ..
            }
        );
        let code = if count < min {
            ParseProblemCode::TooFew
        } else if crowded || count > max && !choices {
            ParseProblemCode::TooMany
        } else {
            return Some(());
        };
        self.problem(code, format!("has {count}: send {min} to {max}."));
        (!crowded).then_some(())
    }

    fn read_object(
        &mut self,
        fields: &'static [Field],
        string_shorthand: Option<&'static str>,
        value: &Value,
    ) -> Option<Object> {
        let value = self.parse_json_text(value, Value::is_object);
        let value = self.unwrap_single(value);
        let mut object = Object(Vec::with_capacity(fields.len()));
        if let Some(shorthand) = string_shorthand
            && let Some(text) = self.shorthand_text(&value)
        {
            let text = Value::String(text);
            for field in fields {
                if field.name == shorthand {
                    self.read_field(&mut object, field, &text);
                } else if field.required {
                    self.missing(field);
                }
            }
            return Some(object);
        }
        let Value::Object(map) = value.as_ref() else {
            return self.wrong_type(
                &Shape::Object {
                    fields,
                    string_shorthand,
                },
                &value,
            );
        };
        for (field, value) in self.match_fields(fields, map) {
            match value {
                Some(value) => self.read_field(&mut object, field, value),
                None if field.required => self.missing(field),
                None => {}
            }
        }
        Some(object)
    }

    fn read_field(&mut self, object: &mut Object, field: &'static Field, value: &Value) {
        let node = self.at(PathSegment::Field(field.name), |r| {
            r.read(&field.shape, value)
        });
        object.0.extend(node.map(|node| (field.name, node)));
    }

    fn missing(&mut self, field: &Field) {
        self.at(PathSegment::Field(field.name), |r| {
            r.problem(
                ParseProblemCode::Missing,
                format!("is missing: add {}.", field.shape.noun()),
            );
        });
    }

    /// A text that stands for a whole object, if `value` is one.
    fn shorthand_text(&mut self, value: &Value) -> Option<String> {
        if !self.repairs_input() {
            return value.as_str().map(str::to_owned);
        }
        let text = match value {
            Value::String(text) => text.clone(),
            Value::Number(_) | Value::Bool(_) => value.to_string(),
            Value::Object(map) => join_spread_text(map)?,
            Value::Null | Value::Array(_) => return None,
        };
        self.repair("read a bare text as an object");
        Some(text)
    }
}

/// Whether a value is one item where a list of objects is wanted.
fn is_single_item(item: &Shape, value: &Value) -> bool {
    matches!(item, Shape::Object { .. })
        && value
            .as_object()
            .is_some_and(|map| join_spread_text(map).is_none())
}

/// Whether a label says no more than "something else", in the spellings models use.
pub(crate) fn is_other_label(label: &str) -> bool {
    const SPELLINGS: &[&str] = &[
        "other",
        "others",
        "something else",
        "other (please specify)",
        "other (specify)",
        "other option",
    ];
    let bare = label.trim().trim_end_matches(['.', '…', ':', ' ']);
    SPELLINGS
        .iter()
        .any(|spelling| bare.eq_ignore_ascii_case(spelling))
}

fn json_type_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
