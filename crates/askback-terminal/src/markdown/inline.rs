//! Emphasis, code and links within a line.

use crate::row::{Span, Style};

/// The pieces of a line, each with its style.
pub(super) fn spans(text: &str, style: Style) -> Vec<Span> {
    let mut line = Line {
        style,
        spans: Vec::new(),
        plain: String::new(),
    };
    line.read(text);
    line.end_plain();
    line.spans
}

struct Line {
    style: Style,
    spans: Vec<Span>,
    plain: String,
}

/// Something at the beginning of a text: how long it is, what to show, and in which style.
struct Found<'a> {
    length: usize,
    shown: &'a str,
    style: Style,
    /// Where a link leads.
    to: Option<&'a str>,
}

impl Line {
    fn read(&mut self, text: &str) {
        let mut rest = text;
        let mut before: Option<char> = None;
        while let Some(ch) = rest.chars().next() {
            if let Some(found) = found(rest, before) {
                self.end_plain();
                self.push(found.shown, found.style);
                if let Some(to) = found.to {
                    self.push(&format!(" ({to})"), Style::Muted);
                }
                before = rest[..found.length].chars().next_back();
                rest = &rest[found.length..];
                continue;
            }
            let escaped = ch == '\\' && rest[1..].starts_with(|ch: char| ch.is_ascii_punctuation());
            let taken = if escaped {
                &rest[1..2]
            } else {
                &rest[..ch.len_utf8()]
            };
            self.plain.push_str(taken);
            before = Some(ch);
            rest = &rest[usize::from(escaped) + taken.len()..];
        }
    }

    fn end_plain(&mut self) {
        let plain = std::mem::take(&mut self.plain);
        self.push(&plain, self.style);
    }

    fn push(&mut self, text: &str, style: Style) {
        if !text.is_empty() {
            self.spans.push(Span {
                text: text.to_owned(),
                style,
            });
        }
    }
}

fn found(rest: &str, before: Option<char>) -> Option<Found<'_>> {
    if let Some(code) = code(rest) {
        return Some(code);
    }
    for mark in ["**", "__", "*", "_"] {
        let word = mark.starts_with('_') && before.is_some_and(char::is_alphanumeric);
        if !word && let Some(found) = emphasis(rest, mark) {
            return Some(found);
        }
    }
    link(rest)
}

/// `code`, with as many marks as it likes.
fn code(rest: &str) -> Option<Found<'_>> {
    let marks = rest.bytes().take_while(|byte| *byte == b'`').count();
    let mark = rest.get(..marks).filter(|mark| !mark.is_empty())?;
    let end = rest[marks..].find(mark)?;
    let shown = &rest[marks..marks + end];
    (!shown.is_empty()).then_some(Found {
        length: marks + end + marks,
        shown,
        style: Style::Mark,
        to: None,
    })
}

fn emphasis<'a>(rest: &'a str, mark: &str) -> Option<Found<'a>> {
    let inner = rest.strip_prefix(mark)?;
    let first = inner.chars().next()?;
    if first.is_whitespace() || inner.starts_with(&mark[..1]) {
        return None;
    }
    let end = inner.find(mark)?;
    let shown = &inner[..end];
    let after = inner[end + mark.len()..].chars().next();
    let in_word = mark.starts_with('_') && after.is_some_and(char::is_alphanumeric);
    let whole = !shown.ends_with(char::is_whitespace) && !in_word;
    whole.then_some(Found {
        length: 2 * mark.len() + end,
        shown,
        style: Style::Focused,
        to: None,
    })
}

/// `[text](address)`: both are shown, nothing is a link of the terminal.
fn link(rest: &str) -> Option<Found<'_>> {
    let image = usize::from(rest.starts_with("!["));
    let inner = rest[image..].strip_prefix('[')?;
    let close = inner.find("](")?;
    let (shown, after) = (&inner[..close], &inner[close + 2..]);
    let end = after.find(')')?;
    let to = &after[..end];
    if shown.is_empty() || shown.contains('[') || to.is_empty() || to.contains(' ') {
        return None;
    }
    Some(Found {
        length: image + 1 + close + 2 + end + 1,
        shown,
        style: Style::Focused,
        to: (to != shown).then_some(to),
    })
}
