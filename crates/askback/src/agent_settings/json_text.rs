//! Adds and removes members of JSON objects and items of JSON lists, and keeps every other character, comments
//! included.

use jsonc_parser::ast::Value as Node;
use jsonc_parser::common::{Range, Ranged as _};
use jsonc_parser::tokens::{Token, TokenAndRange};
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use serde_json::{Value, json};

/// Why a text is not edited.
const UNEXPECTED: &str = "it is not valid JSON, or has no object or list where one belongs";

/// One step on the way to a value.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Step<'a> {
    Key(&'a str),
    Index(usize),
}

/// Adds a last member at `path`, creating missing objects on the way. A member that is there stays as it is.
pub(crate) fn insert(text: &str, path: &[&str], value: &Value) -> Result<String, String> {
    edit(text, |document| {
        document.insert(&document.root, path, value)
    })
}

/// Adds a last item to the list at `path`, creating it if it is missing.
pub(crate) fn push(text: &str, path: &[&str], item: &Value) -> Result<String, String> {
    edit(text, |document| match document.find(&keys(path))?.last() {
        Some((parent, index)) => {
            let list = Container::list(parent.elements[*index].value)?;
            Ok(Some(document.append(&list, None, item)))
        }
        None => document.insert(&document.root, path, &json!([item])),
    })
}

/// Removes the value at `path`, if it is there, with the objects and lists around it that have nothing else in them.
pub(crate) fn remove(text: &str, path: &[Step<'_>]) -> Result<String, String> {
    edit(text, |document| {
        let mut found = document.find(path)?;
        while found.len() > 1
            && found
                .last()
                .is_some_and(|(container, _)| document.has_one_element_only(container))
        {
            found.pop();
        }
        let last = found.last();
        Ok(last.map(|(container, index)| document.without(container, *index)))
    })
}

/// The source text of the member at `path`.
pub(crate) fn get<'a>(text: &'a str, path: &[&str]) -> Result<Option<&'a str>, String> {
    let document = Document::parse(without_mark(text))?;
    let found = document.find(&keys(path))?;
    let value = |(container, index): &(Container<'_>, usize)| {
        let value = container.elements[*index].value;
        value.text(document.text)
    };
    Ok(found.last().map(value))
}

/// The source texts of the items of the list at `path`; none if it is not there.
pub(crate) fn items<'a>(text: &'a str, path: &[&str]) -> Result<Vec<&'a str>, String> {
    let document = Document::parse(without_mark(text))?;
    let found = document.find(&keys(path))?;
    let Some((parent, index)) = found.last() else {
        return Ok(Vec::new());
    };
    let list = Container::list(parent.elements[*index].value)?;
    let items = list.elements.iter().map(|it| it.value.text(document.text));
    Ok(items.collect())
}

/// The text after a change; the text itself if there is none.
fn edit(
    text: &str,
    change: impl FnOnce(&Document<'_>) -> Result<Option<String>, String>,
) -> Result<String, String> {
    let body = without_mark(text);
    let mark = &text[..text.len() - body.len()];
    let changed = change(&Document::parse(body)?)?;
    Ok(changed.map_or_else(|| text.to_owned(), |changed| mark.to_owned() + &changed))
}

/// Some editors of Windows begin a file with a byte order mark.
fn without_mark(text: &str) -> &str {
    text.trim_start_matches('\u{feff}')
}

fn keys<'a>(path: &[&'a str]) -> Vec<Step<'a>> {
    path.iter().map(|key| Step::Key(key)).collect()
}

/// A text with its values and tokens.
struct Document<'a> {
    text: &'a str,
    root: Node<'a>,
    tokens: Vec<TokenAndRange<'a>>,
}

/// Positions of an object or a list, and of what is in it.
struct Container<'a> {
    open: usize,
    close: usize,
    elements: Vec<Element<'a>>,
}

struct Element<'a> {
    /// Only members of an object have one.
    key: Option<&'a str>,
    whole: Range,
    value: &'a Node<'a>,
}

impl<'a> Container<'a> {
    fn object(node: &'a Node<'a>) -> Result<Container<'a>, String> {
        let object = node.as_object().ok_or(UNEXPECTED)?;
        let mut elements: Vec<Element<'_>> = Vec::new();
        for member in &object.properties {
            let key = member.name.as_str();
            if elements.iter().any(|element| element.key == Some(key)) {
                // Programs differ in which of the two they read.
                return Err(format!("the key {key:?} occurs twice in an object"));
            }
            elements.push(Element {
                key: Some(key),
                whole: member.range,
                value: &member.value,
            });
        }
        Ok(Container::new(object.range, elements))
    }

    fn list(node: &'a Node<'a>) -> Result<Container<'a>, String> {
        let list = node.as_array().ok_or(UNEXPECTED)?;
        let elements = list.elements.iter().map(|value| Element {
            key: None,
            whole: value.range(),
            value,
        });
        Ok(Container::new(list.range, elements.collect()))
    }

    fn new(range: Range, elements: Vec<Element<'a>>) -> Container<'a> {
        Container {
            open: range.start,
            close: range.end - 1,
            elements,
        }
    }

    fn position(&self, key: &str) -> Option<usize> {
        let mut elements = self.elements.iter();
        elements.position(|element| element.key == Some(key))
    }
}

impl<'a> Document<'a> {
    /// JSON with comments and trailing commas. A text without anything counts as an empty object.
    fn parse(text: &'a str) -> Result<Document<'a>, String> {
        let text = if text.trim().is_empty() { "{}\n" } else { text };
        let collected = CollectOptions {
            tokens: true,
            ..CollectOptions::default()
        };
        let options = ParseOptions {
            allow_loose_object_property_names: false,
            allow_missing_commas: false,
            ..ParseOptions::default()
        };
        let parsed = parse_to_ast(text, &collected, &options).map_err(|_| UNEXPECTED)?;
        Ok(Document {
            text,
            root: parsed.value.ok_or(UNEXPECTED)?,
            tokens: parsed.tokens.unwrap_or_default(),
        })
    }

    /// The containers on the way to a value, each with the index of the element that leads on; empty if the value
    /// is not there.
    fn find(&self, path: &[Step<'_>]) -> Result<Vec<(Container<'_>, usize)>, String> {
        let mut found = Vec::new();
        let mut node = &self.root;
        for step in path {
            let (container, index) = match step {
                Step::Key(key) => {
                    let object = Container::object(node)?;
                    let index = object.position(key);
                    (object, index)
                }
                Step::Index(index) => (Container::list(node)?, Some(*index)),
            };
            let Some((index, element)) =
                index.and_then(|index| Some((index, container.elements.get(index)?)))
            else {
                return Ok(Vec::new());
            };
            node = element.value;
            found.push((container, index));
        }
        Ok(found)
    }

    /// None if it is there.
    fn insert(
        &self,
        node: &Node<'_>,
        path: &[&str],
        value: &Value,
    ) -> Result<Option<String>, String> {
        let [key, deeper @ ..] = path else {
            return Ok(None);
        };
        let object = Container::object(node)?;
        match object.position(key) {
            Some(_) if deeper.is_empty() => Ok(None),
            Some(index) => self.insert(object.elements[index].value, deeper, value),
            None => {
                let nested = |value, key: &&str| json!({ *key: value });
                let value = deeper.iter().rev().fold(value.clone(), nested);
                Ok(Some(self.append(&object, Some(key), &value)))
            }
        }
    }

    fn has_one_element_only(&self, container: &Container<'_>) -> bool {
        let [element] = container.elements.as_slice() else {
            return false;
        };
        let before = self.text[container.open + 1..element.whole.start].trim();
        let after = self.text[element.whole.end..container.close].trim();
        before.is_empty() && matches!(after, "" | ",")
    }

    /// The position of the comma after an element.
    fn comma_after(&self, element: &Element<'_>) -> Option<usize> {
        let mut tokens = self.tokens.iter();
        let next = tokens.find(|it| it.range.start >= element.whole.end)?;
        (next.token == Token::Comma).then_some(next.range.start)
    }

    /// The text with a last element, in the style of the others: on the same line, or on a line of its own.
    fn append(&self, container: &Container<'_>, key: Option<&str>, value: &Value) -> String {
        let text = self.text;
        let name = key.map_or(String::new(), |key| format!("{}: ", json!(key)));
        let inner = &text[container.open + 1..container.close];
        let end = container.open + 1 + inner.trim_end().len();
        let last = container.elements.last();
        let has_comma = last.is_some_and(|last| self.comma_after(last).is_some());
        let mut head = text[..end].to_owned();
        if let Some(last) = last
            && !has_comma
        {
            head.insert(last.whole.end, ',');
        }
        if last.is_some() && !inner.contains('\n') {
            return format!("{head} {name}{value}{}", &text[end..]);
        }
        let layout = Layout::of(text);
        let outer = indent_of_line(text, container.open);
        let indent = match last {
            Some(last) => indent_of_line(text, last.whole.start).to_owned(),
            None => format!("{outer}{}", layout.unit),
        };
        let newline = layout.newline;
        let comma = if has_comma { "," } else { "" };
        let closing = match &text[end..container.close] {
            lines if lines.contains('\n') => lines.to_owned(),
            _ => format!("{newline}{outer}"),
        };
        let value = layout.pretty(value, &indent);
        let rest = &text[container.close..];
        format!("{head}{newline}{indent}{name}{value}{comma}{closing}{rest}")
    }

    /// The text without this element, and without the comma that only it needed.
    fn without(&self, container: &Container<'_>, index: usize) -> String {
        let text = self.text;
        let mut changed = text.to_owned();
        if self.has_one_element_only(container) {
            changed.replace_range(container.open + 1..container.close, "");
            return changed;
        }
        let element = &container.elements[index];
        let own_comma = self.comma_after(element);
        let mut range = text[..element.whole.start].trim_end().len()..element.whole.end;
        if let Some(comma) = own_comma {
            range.end = comma + 1;
        }
        if element.whole.start == container.open + 1 {
            let spaces = text[range.end..].len() - text[range.end..].trim_start_matches(' ').len();
            range.end += spaces;
        }
        changed.replace_range(range, "");
        if own_comma.is_none()
            && let Some(previous) = index.checked_sub(1)
            && let Some(comma) = self.comma_after(&container.elements[previous])
        {
            changed.replace_range(comma..=comma, "");
        }
        changed
    }
}

/// How a text is indented.
struct Layout<'a> {
    newline: &'static str,
    unit: &'a str,
}

impl<'a> Layout<'a> {
    fn of(text: &'a str) -> Layout<'a> {
        let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
        let indented = text.lines().find_map(|line| {
            let indent = &line[..line.len() - line.trim_start().len()];
            let is_code = !line.trim_start().starts_with(['*', '/']);
            (is_code && !indent.is_empty() && indent.len() < line.len()).then_some(indent)
        });
        Layout {
            newline,
            unit: indented.unwrap_or("  "),
        }
    }

    /// Several lines. All but the first begin with this indent.
    fn pretty(&self, value: &Value, indent: &str) -> String {
        let lines = format!("{value:#}");
        let lines: Vec<String> = lines
            .lines()
            .map(|line| {
                let code = line.trim_start();
                let depth = (line.len() - code.len()) / 2;
                format!("{}{code}", self.unit.repeat(depth))
            })
            .collect();
        lines.join(&format!("{}{indent}", self.newline))
    }
}

/// The white space at the start of the line with this position.
fn indent_of_line(text: &str, at: usize) -> &str {
    let start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let line = &text[start..];
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

#[cfg(test)]
#[path = "json_text_tests.rs"]
mod tests;
