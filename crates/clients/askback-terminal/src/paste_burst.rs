//! Detects pastes in terminals without bracketed paste: they arrive faster than typing.

use crate::key::{InputEvent, Key, KeyCode};

/// As many characters in one read were pasted.
const BURST_CHARS_MIN: usize = 3;

/// Whether keys of one read were pasted: several characters, not one repeated key, and no keys such
/// as arrows.
pub(crate) fn is_burst(events: &[InputEvent]) -> bool {
    let texts: Option<Vec<char>> = events.iter().map(text).collect();
    let Some(texts) = texts else {
        return false;
    };
    let mut printable = texts.iter().filter(|ch| **ch != '\n');
    let first = printable.next();
    let others: Vec<&char> = printable.collect();
    let held = others.iter().all(|ch| Some(*ch) == first);
    others.len() + 1 >= BURST_CHARS_MIN && (!held || texts.contains(&'\n'))
}

/// Joins characters into pastes. Other events stay separate.
pub(crate) fn as_paste(events: Vec<InputEvent>) -> Vec<InputEvent> {
    let mut out = Vec::new();
    let mut pasted = String::new();
    for event in events {
        match (text(&event), event) {
            (Some(ch), _) => pasted.push(ch),
            (None, InputEvent::Paste(more)) => pasted.push_str(&more),
            (None, other) => out.push(other),
        }
    }
    if pasted.ends_with('\n') {
        pasted.pop();
    }
    out.insert(0, InputEvent::Paste(pasted));
    out
}

fn text(event: &InputEvent) -> Option<char> {
    let InputEvent::Key(key) = event else {
        return None;
    };
    let line_end = *key == Key::plain(KeyCode::Enter) || *key == Key::ctrl('j');
    let tab = *key == Key::plain(KeyCode::Tab);
    line_end
        .then_some('\n')
        .or_else(|| tab.then_some('\t'))
        .or_else(|| key.typed())
}

#[cfg(test)]
#[path = "paste_burst_tests.rs"]
mod tests;
