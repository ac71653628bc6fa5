//! Changes one member of a JSON file and leaves every other character as it is, comments included.

use std::ops::Range;

use serde_json::{Value, json};

/// The text is not JSON, or has something else where an object belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NotAnObject;

/// The text with the member at `path` set to `value`; objects on the way are made where they are missing.
pub(crate) fn set(text: &str, path: &[&str], value: &Value) -> Result<String, NotAnObject> {
    let text = if text.trim().is_empty() { "{}\n" } else { text };
    let mut object = Object::at(text, Scan::new(text, 0).token()?)?;
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

/// The member at `path`, as it is written.
pub(crate) fn get<'a>(text: &'a str, path: &[&str]) -> Result<Option<&'a str>, NotAnObject> {
    Ok(find(text, path)?.map(|(_, member)| &text[member.value]))
}

/// The text without the member at `path`; none if it is not there.
pub(crate) fn remove(text: &str, path: &[&str]) -> Result<Option<String>, NotAnObject> {
    let Some((object, member)) = find(text, path)? else {
        return Ok(None);
    };
    let before = text[..member.whole.start].trim_end();
    let mut range = before.len()..member.whole.end;
    let mut scan = Scan::new(text, range.end);
    let next = scan.token()?;
    if text[next..].starts_with(',') {
        range.end = next + 1;
    } else if before.ends_with(',') && object.members.len() > 1 {
        // It was the last one: the comma before it goes along.
        range.start -= 1;
    }
    let mut changed = text.to_owned();
    changed.replace_range(range, "");
    Ok(Some(changed))
}

fn find(text: &str, path: &[&str]) -> Result<Option<(Object, Member)>, NotAnObject> {
    if text.trim().is_empty() {
        return Ok(None);
    }
    let mut object = Object::at(text, Scan::new(text, 0).token()?)?;
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

/// The value over several lines, as it stands at this depth.
fn pretty(value: &Value, depth: usize) -> String {
    let lines = format!("{value:#}");
    lines.replace('\n', &format!("\n{}", "  ".repeat(depth)))
}

/// Where an object and its members stand.
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
    fn at(text: &str, open: usize) -> Result<Object, NotAnObject> {
        let mut scan = Scan::new(text, open);
        scan.take('{')?;
        let mut members = Vec::new();
        loop {
            let start = scan.token()?;
            if text[start..].starts_with('}') {
                return Ok(Object { open, members });
            }
            let key = scan.string()?;
            scan.token()?;
            scan.take(':')?;
            scan.token()?;
            let value = scan.value()?;
            members.push(Member {
                key: serde_json::from_str(&text[key]).map_err(|_| NotAnObject)?,
                whole: start..value.end,
                value,
            });
            let next = scan.token()?;
            if text[next..].starts_with(',') {
                scan.take(',')?;
            } else if !text[next..].starts_with('}') {
                return Err(NotAnObject);
            }
        }
    }

    fn member(&self, key: &str) -> Option<&Member> {
        self.members.iter().find(|member| member.key == key)
    }

    /// The text with a new first member.
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

/// Goes through the text token by token.
struct Scan<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Scan<'a> {
    fn new(text: &'a str, at: usize) -> Scan<'a> {
        Scan { text, at }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Goes to the next token, over space and comments.
    fn token(&mut self) -> Result<usize, NotAnObject> {
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

    fn take(&mut self, char: char) -> Result<(), NotAnObject> {
        if !self.rest().starts_with(char) {
            return Err(NotAnObject);
        }
        self.at += char.len_utf8();
        Ok(())
    }

    /// A string with its quotation marks.
    fn string(&mut self) -> Result<Range<usize>, NotAnObject> {
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
    fn value(&mut self) -> Result<Range<usize>, NotAnObject> {
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
