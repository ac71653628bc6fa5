//! Edits one member of a JSON text and keeps every other character, comments included.

use std::ops::Range;

use serde_json::{Value, json};

/// Why a text is not edited.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum NotEditable {
    /// It is not JSON, or has something else where an object is expected.
    NotAnObject,
    /// Programs differ in which of the two they read.
    DuplicateKey(String),
}

use NotEditable::NotAnObject;

impl std::fmt::Display for NotEditable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NotAnObject => f.write_str("it is not valid JSON, or has no object where one belongs"),
            NotEditable::DuplicateKey(key) => {
                write!(f, "the key {key:?} occurs twice in an object")
            }
        }
    }
}

/// Sets the member at `path`, creating missing objects on the way.
pub(crate) fn set(text: &str, path: &[&str], value: &Value) -> Result<String, NotEditable> {
    let text = if text.trim().is_empty() { "{}\n" } else { text };
    let mut object = Object::at(text, Scanner::new(text, 0).token()?)?;
    let mut depth = 1;
    let mut rest = path;
    while let [key, deeper @ ..] = rest {
        let Some(member) = object.member(key) else {
            let value = deeper
                .iter()
                .rev()
                .fold(value.clone(), |value, key| json!({ *key: value }));
            return Ok(object.insert(text, key, &value, depth));
        };
        if deeper.is_empty() {
            let mut changed = text.to_owned();
            changed.replace_range(member.value.clone(), &pretty(value, depth));
            return Ok(changed);
        }
        object = Object::at(text, member.value.start)?;
        depth += 1;
        rest = deeper;
    }
    Ok(text.to_owned())
}

/// The source text of the member at `path`.
pub(crate) fn get<'a>(text: &'a str, path: &[&str]) -> Result<Option<&'a str>, NotEditable> {
    Ok(find(text, path)?.map(|(_, member)| &text[member.value]))
}

/// Removes the member at `path`; none if it is not there.
pub(crate) fn remove(text: &str, path: &[&str]) -> Result<Option<String>, NotEditable> {
    let Some((object, member)) = find(text, path)? else {
        return Ok(None);
    };
    let before = text[..member.whole.start].trim_end();
    let mut range = before.len()..member.whole.end;
    let mut scanner = Scanner::new(text, range.end);
    let next = scanner.token()?;
    if text[next..].starts_with(',') {
        range.end = next + 1;
    } else if before.ends_with(',') && object.members.len() > 1 {
        // The last member: remove the comma before it.
        range.start -= 1;
    }
    let mut changed = text.to_owned();
    changed.replace_range(range, "");
    Ok(Some(changed))
}

fn find(text: &str, path: &[&str]) -> Result<Option<(Object, Member)>, NotEditable> {
    if text.trim().is_empty() {
        return Ok(None);
    }
    let mut object = Object::at(text, Scanner::new(text, 0).token()?)?;
    let mut rest = path;
    while let [key, deeper @ ..] = rest {
        let Some(member) = object.member(key).cloned() else {
            return Ok(None);
        };
        if deeper.is_empty() {
            return Ok(Some((object, member)));
        }
        object = Object::at(text, member.value.start)?;
        rest = deeper;
    }
    Ok(None)
}

/// Several lines, indented for this depth.
fn pretty(value: &Value, depth: usize) -> String {
    let lines = format!("{value:#}");
    lines.replace('\n', &format!("\n{}", "  ".repeat(depth)))
}

/// Positions of an object and its members.
struct Object {
    open: usize,
    members: Vec<Member>,
}

#[derive(Clone)]
struct Member {
    key: String,
    whole: Range<usize>,
    value: Range<usize>,
}

impl Object {
    fn at(text: &str, open: usize) -> Result<Object, NotEditable> {
        let mut scanner = Scanner::new(text, open);
        scanner.take('{')?;
        let mut members = Vec::new();
        loop {
            let start = scanner.token()?;
            if text[start..].starts_with('}') {
                return Ok(Object { open, members });
            }
            let key = scanner.string()?;
            scanner.token()?;
            scanner.take(':')?;
            scanner.token()?;
            let value = scanner.value()?;
            let key: String = serde_json::from_str(&text[key]).map_err(|_| NotAnObject)?;
            if members.iter().any(|member: &Member| member.key == key) {
                return Err(NotEditable::DuplicateKey(key));
            }
            members.push(Member {
                key,
                whole: start..value.end,
                value,
            });
            let next = scanner.token()?;
            if text[next..].starts_with(',') {
                scanner.take(',')?;
            } else if !text[next..].starts_with('}') {
                return Err(NotAnObject);
            }
        }
    }

    fn member(&self, key: &str) -> Option<&Member> {
        self.members.iter().find(|member| member.key == key)
    }

    /// Inserts a first member.
    fn insert(&self, text: &str, key: &str, value: &Value, depth: usize) -> String {
        let indent = "  ".repeat(depth);
        let after = if self.members.is_empty() {
            format!("\n{}", "  ".repeat(depth - 1))
        } else {
            ",".to_owned()
        };
        let member = format!("\n{indent}{}: {}{after}", json!(key), pretty(value, depth));
        let (before, rest) = text.split_at(self.open + 1);
        let rest = if self.members.is_empty() {
            rest.trim_start()
        } else {
            rest
        };
        format!("{before}{member}{rest}")
    }
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
                self.at += rest.find('\n').ok_or(NotAnObject)?;
            } else if rest.starts_with("/*") {
                self.at += rest.find("*/").ok_or(NotAnObject)? + 2;
            } else if rest.is_empty() {
                return Err(NotAnObject);
            } else {
                return Ok(self.at);
            }
        }
    }

    fn take(&mut self, char: char) -> Result<(), NotEditable> {
        if !self.rest().starts_with(char) {
            return Err(NotAnObject);
        }
        self.at += char.len_utf8();
        Ok(())
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
        Err(NotAnObject)
    }

    /// Any value.
    fn value(&mut self) -> Result<Range<usize>, NotEditable> {
        let start = self.at;
        let mut depth = 0_usize;
        loop {
            match self.rest().chars().next().ok_or(NotAnObject)? {
                '"' => {
                    self.string()?;
                }
                '{' | '[' => {
                    depth += 1;
                    self.at += 1;
                }
                '}' | ']' => {
                    depth = depth.checked_sub(1).ok_or(NotAnObject)?;
                    self.at += 1;
                }
                ',' | ':' if depth > 0 => self.at += 1,
                ',' | ':' => return Err(NotAnObject),
                _ => {
                    let rest = self.rest();
                    let end = rest.find([',', '}', ']', ' ', '\t', '\r', '\n', '/', ':', '"']);
                    self.at += end.filter(|end| *end > 0).ok_or(NotAnObject)?;
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
