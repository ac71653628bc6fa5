//! Adds and removes members of JSON objects and items of JSON lists, and keeps every other character, comments
//! included.

use std::ops::Range;

use serde_json::{Value, json};

/// Why a text is not edited.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum NotEditable {
    /// It is not JSON, or has something else where an object or a list is expected.
    UnexpectedValue,
    /// Programs differ in which of the two they read.
    DuplicateKey(String),
}

use NotEditable::UnexpectedValue;

impl std::fmt::Display for NotEditable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            UnexpectedValue => {
                f.write_str("it is not valid JSON, or has no object or list where one belongs")
            }
            NotEditable::DuplicateKey(key) => {
                write!(f, "the key {key:?} occurs twice in an object")
            }
        }
    }
}

/// One step on the way to a value.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Step<'a> {
    Key(&'a str),
    Index(usize),
}

/// Adds a last member at `path`, creating missing objects on the way. A member that is there stays as it is.
pub(crate) fn insert(text: &str, path: &[&str], value: &Value) -> Result<String, NotEditable> {
    let text = or_empty_object(text);
    let mut object = Container::first(text)?.object(text)?;
    let mut rest = path;
    while let [key, deeper @ ..] = rest {
        let Some(member) = object.member(key) else {
            let nested = |value, key: &&str| json!({ *key: value });
            let value = deeper.iter().rev().fold(value.clone(), nested);
            return Ok(object.append(text, Some(key), &value));
        };
        if deeper.is_empty() {
            break;
        }
        object = Container::at(text, member.value.start)?.object(text)?;
        rest = deeper;
    }
    Ok(text.to_owned())
}

/// Adds a last item to the list at `path`, creating it if it is missing.
pub(crate) fn push(text: &str, path: &[&str], item: &Value) -> Result<String, NotEditable> {
    let text = or_empty_object(text);
    let steps: Vec<Step<'_>> = path.iter().map(|key| Step::Key(key)).collect();
    match find(text, &steps)?.last() {
        Some((parent, index)) => {
            let list = Container::at(text, parent.elements[*index].value.start)?;
            Ok(list.list(text)?.append(text, None, item))
        }
        None => insert(text, path, &json!([item])),
    }
}

/// The source text of the member at `path`.
pub(crate) fn get<'a>(text: &'a str, path: &[&str]) -> Result<Option<&'a str>, NotEditable> {
    let steps: Vec<Step<'_>> = path.iter().map(|key| Step::Key(key)).collect();
    let found = find(text, &steps)?;
    let value = |(container, index): &(Container, usize)| container.elements[*index].value.clone();
    Ok(found.last().map(|last| &text[value(last)]))
}

/// The source texts of the items of the list at `path`; none if it is not there.
pub(crate) fn items<'a>(text: &'a str, path: &[&str]) -> Result<Vec<&'a str>, NotEditable> {
    let Some(list) = get(text, path)? else {
        return Ok(Vec::new());
    };
    let container = Container::at(list, 0)?.list(list)?;
    let items = container.elements.into_iter().map(|item| &list[item.value]);
    Ok(items.collect())
}

/// Removes the value at `path`, if it is there, with the objects and lists around it that have nothing else in them.
pub(crate) fn remove(text: &str, path: &[Step<'_>]) -> Result<String, NotEditable> {
    let mut found = find(text, path)?;
    while found.len() > 1
        && found
            .last()
            .is_some_and(|(container, _)| container.has_one_element_only(text))
    {
        found.pop();
    }
    match found.last() {
        Some((container, index)) => container.without(text, *index),
        None => Ok(text.to_owned()),
    }
}

/// The containers on the way to a value, each with the index of the element that leads on; empty if the value
/// is not there.
fn find(text: &str, path: &[Step<'_>]) -> Result<Vec<(Container, usize)>, NotEditable> {
    let mut found = Vec::new();
    if text.trim().is_empty() {
        return Ok(found);
    }
    let mut container = Container::first(text)?.object(text)?;
    for (number, step) in path.iter().enumerate() {
        let index = match step {
            Step::Key(key) => {
                container = container.object(text)?;
                let is_it = |element: &Element| element.key.as_deref() == Some(key);
                container.elements.iter().position(is_it)
            }
            Step::Index(index) => {
                container = container.list(text)?;
                Some(*index).filter(|index| *index < container.elements.len())
            }
        };
        let Some(index) = index else {
            return Ok(Vec::new());
        };
        let start = container.elements[index].value.start;
        found.push((container, index));
        if number + 1 == path.len() {
            break;
        }
        container = Container::at(text, start)?;
    }
    Ok(found)
}

fn or_empty_object(text: &str) -> &str {
    if text.trim().is_empty() { "{}\n" } else { text }
}

/// Positions of an object or a list, and of what is in it.
struct Container {
    open: usize,
    close: usize,
    elements: Vec<Element>,
}

struct Element {
    /// Only members of an object have one.
    key: Option<String>,
    whole: Range<usize>,
    value: Range<usize>,
}

impl Container {
    fn first(text: &str) -> Result<Container, NotEditable> {
        Container::at(text, Scanner::new(text, 0).token()?)
    }

    fn at(text: &str, open: usize) -> Result<Container, NotEditable> {
        let mut scanner = Scanner::new(text, open);
        let is_object = text[open..].starts_with('{');
        let (first, last) = if is_object { ('{', '}') } else { ('[', ']') };
        scanner.take(first)?;
        let mut elements: Vec<Element> = Vec::new();
        loop {
            let start = scanner.token()?;
            if text[start..].starts_with(last) {
                return Ok(Container {
                    open,
                    close: start,
                    elements,
                });
            }
            let key = if is_object {
                Some(scanner.key()?)
            } else {
                None
            };
            let value = scanner.value()?;
            let is_same = |element: &Element| element.key == key;
            if let Some(key) = &key
                && elements.iter().any(is_same)
            {
                return Err(NotEditable::DuplicateKey(key.clone()));
            }
            elements.push(Element {
                key,
                whole: start..value.end,
                value,
            });
            let next = scanner.token()?;
            if text[next..].starts_with(',') {
                scanner.take(',')?;
            } else if !text[next..].starts_with(last) {
                return Err(UnexpectedValue);
            }
        }
    }

    fn object(self, text: &str) -> Result<Container, NotEditable> {
        self.opened_by(text, '{')
    }

    fn list(self, text: &str) -> Result<Container, NotEditable> {
        self.opened_by(text, '[')
    }

    fn opened_by(self, text: &str, bracket: char) -> Result<Container, NotEditable> {
        if text[self.open..].starts_with(bracket) {
            Ok(self)
        } else {
            Err(UnexpectedValue)
        }
    }

    fn member(&self, key: &str) -> Option<&Element> {
        let mut members = self.elements.iter();
        members.find(|member| member.key.as_deref() == Some(key))
    }

    fn has_one_element_only(&self, text: &str) -> bool {
        let [element] = self.elements.as_slice() else {
            return false;
        };
        let before = text[self.open + 1..element.whole.start].trim();
        let after = text[element.whole.end..self.close].trim();
        before.is_empty() && matches!(after, "" | ",")
    }

    /// The position of the comma after an element.
    fn comma_after(&self, text: &str, index: usize) -> Result<Option<usize>, NotEditable> {
        let next = Scanner::new(text, self.elements[index].whole.end).token()?;
        Ok(text[next..].starts_with(',').then_some(next))
    }

    /// The text with a last element, in the style of the others: on the same line, or on a line of its own.
    fn append(&self, text: &str, key: Option<&str>, value: &Value) -> String {
        let name = key.map_or(String::new(), |key| format!("{}: ", json!(key)));
        let inner = &text[self.open + 1..self.close];
        let end = self.open + 1 + inner.trim_end().len();
        let last = self.elements.len().checked_sub(1);
        let has_comma = last.is_some_and(|last| {
            let comma = self.comma_after(text, last);
            comma.is_ok_and(|comma| comma.is_some())
        });
        let mut head = text[..end].to_owned();
        if let Some(last) = last
            && !has_comma
        {
            head.insert(self.elements[last].whole.end, ',');
        }
        if last.is_some() && !inner.contains('\n') {
            return format!("{head} {name}{value}{}", &text[end..]);
        }
        let layout = Layout::of(text);
        let outer = indent_of_line(text, self.open);
        let indent = match last {
            Some(last) => indent_of_line(text, self.elements[last].whole.start).to_owned(),
            None => format!("{outer}{}", layout.unit),
        };
        let newline = layout.newline;
        let comma = if has_comma { "," } else { "" };
        let closing = match &text[end..self.close] {
            lines if lines.contains('\n') => lines.to_owned(),
            _ => format!("{newline}{outer}"),
        };
        let value = layout.pretty(value, &indent);
        let rest = &text[self.close..];
        format!("{head}{newline}{indent}{name}{value}{comma}{closing}{rest}")
    }

    /// The text without this element, and without the comma that only it needed.
    fn without(&self, text: &str, index: usize) -> Result<String, NotEditable> {
        let mut changed = text.to_owned();
        if self.has_one_element_only(text) {
            changed.replace_range(self.open + 1..self.close, "");
            return Ok(changed);
        }
        let element = &self.elements[index];
        let own_comma = self.comma_after(text, index)?;
        let mut range = text[..element.whole.start].trim_end().len()..element.whole.end;
        if let Some(comma) = own_comma {
            range.end = comma + 1;
        }
        if element.whole.start == self.open + 1 {
            let spaces = text[range.end..].len() - text[range.end..].trim_start_matches(' ').len();
            range.end += spaces;
        }
        changed.replace_range(range, "");
        if own_comma.is_none()
            && let Some(previous) = index.checked_sub(1)
            && let Some(comma) = self.comma_after(text, previous)?
        {
            changed.replace_range(comma..=comma, "");
        }
        Ok(changed)
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

/// A tokenizer.
struct Scanner<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Scanner<'a> {
    fn new(text: &'a str, at: usize) -> Scanner<'a> {
        Scanner { text, at }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Skips whitespace and comments; returns the position of the next token.
    fn token(&mut self) -> Result<usize, NotEditable> {
        loop {
            let rest = self.rest();
            let space = rest.len()
                - rest
                    .trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n'])
                    .len();
            self.at += space;
            let rest = self.rest();
            if rest.starts_with("//") {
                self.at += rest.find('\n').ok_or(UnexpectedValue)?;
            } else if rest.starts_with("/*") {
                self.at += rest.find("*/").ok_or(UnexpectedValue)? + 2;
            } else if rest.is_empty() {
                return Err(UnexpectedValue);
            } else {
                return Ok(self.at);
            }
        }
    }

    fn take(&mut self, char: char) -> Result<(), NotEditable> {
        if !self.rest().starts_with(char) {
            return Err(UnexpectedValue);
        }
        self.at += char.len_utf8();
        Ok(())
    }

    /// The key of a member. The scanner is then at its value.
    fn key(&mut self) -> Result<String, NotEditable> {
        let key = self.string()?;
        self.token()?;
        self.take(':')?;
        self.token()?;
        serde_json::from_str(&self.text[key]).map_err(|_| UnexpectedValue)
    }

    /// A string, with its quotes.
    fn string(&mut self) -> Result<Range<usize>, NotEditable> {
        let start = self.at;
        self.take('"')?;
        let mut escaped = false;
        for (offset, char) in self.rest().char_indices() {
            match char {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '"' => {
                    self.at += offset + 1;
                    return Ok(start..self.at);
                }
                _ => {}
            }
        }
        Err(UnexpectedValue)
    }

    /// Any value.
    fn value(&mut self) -> Result<Range<usize>, NotEditable> {
        let start = self.at;
        let mut depth = 0_usize;
        loop {
            match self.rest().chars().next().ok_or(UnexpectedValue)? {
                '"' => {
                    self.string()?;
                }
                '{' | '[' => {
                    depth += 1;
                    self.at += 1;
                }
                '}' | ']' => {
                    depth = depth.checked_sub(1).ok_or(UnexpectedValue)?;
                    self.at += 1;
                }
                ',' | ':' if depth > 0 => self.at += 1,
                ',' | ':' => return Err(UnexpectedValue),
                _ => {
                    let rest = self.rest();
                    let end = rest.find([',', '}', ']', ' ', '\t', '\r', '\n', '/', ':', '"']);
                    self.at += end.filter(|end| *end > 0).ok_or(UnexpectedValue)?;
                }
            }
            if depth == 0 {
                return Ok(start..self.at);
            }
            self.token()?;
        }
    }
}

#[cfg(test)]
#[path = "json_text_tests.rs"]
mod tests;
