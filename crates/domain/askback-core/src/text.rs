//! Text that is safe to show: cleaned once, where it enters, and a type of its own from there on.
//!
//! Agent text and user text are hostile input. [`Text`] holds no control characters, no escape
//! sequences, no bidirectional overrides and no invisible characters that could hide words from
//! the person who reads them. What is dangerous is replaced by a visible mark, so that nobody is
//! shown a text from which something vanished without a trace; what is merely invisible is dropped.

use std::borrow::Cow;
use std::fmt::{self, Write as _};
use std::sync::Arc;

use serde::{Deserialize, Serialize, Serializer};

/// Whether a text may span lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lines {
    /// Line breaks become spaces: labels, headers, values.
    One,
    /// Line breaks stay: questions, descriptions, previews, answers.
    Many,
}

/// A cleaned, trimmed, non-empty text. Cheap to clone.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(try_from = "String")]
pub struct Text(Arc<str>);

impl Text {
    /// Cleans and trims `raw`; `None` if nothing readable is left.
    pub fn clean(raw: &str, lines: Lines) -> Option<Text> {
        let cleaned = clean(raw, lines);
        let trimmed = cleaned.trim();
        if !trimmed.chars().any(is_visible) {
            return None;
        }
        Some(Text(trimmed.into()))
    }

    /// A name on one line, with [`escape`] instead of [`clean`]: names that differ stay different, so
    /// that a name can be compared as well as shown. `None` if nothing readable is left.
    pub fn name(raw: &str) -> Option<Text> {
        let escaped = escape(raw, Lines::One);
        let trimmed = escaped.trim();
        trimmed
            .chars()
            .any(is_visible)
            .then(|| Text(trimmed.into()))
    }

    /// Like [`Text::name`], with a mark where nothing readable is left.
    pub fn name_or_mark(raw: &str) -> Text {
        Text::name(raw).unwrap_or_else(|| Text("\u{FFFD}".into()))
    }

    /// A sentence of our own, which is clean as it stands.
    pub(crate) fn ours(sentence: impl Into<String>) -> Text {
        let sentence = sentence.into();
        debug_assert_eq!(
            Text::clean(&sentence, Lines::Many)
                .map(String::from)
                .as_ref(),
            Some(&sentence),
            "own sentences are written clean"
        );
        Text(sentence.into())
    }

    /// The text itself.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Length in characters, as every limit counts it.
    pub fn chars(&self) -> usize {
        self.0.chars().count()
    }

    /// Length in bytes, as memory counts it.
    pub fn bytes(&self) -> usize {
        self.0.len()
    }

    /// Cut to at most `max` characters, the last of them an ellipsis if anything was cut.
    #[must_use]
    pub fn clip(self, max: usize) -> Text {
        if self.chars() <= max {
            return self;
        }
        let kept: String = self.0.chars().take(max.saturating_sub(1)).collect();
        // The cut may fall into a sequence that is only clean as a whole.
        Text(format!("{}…", clean(&kept, Lines::Many).trim_end()).into())
    }
}

impl std::ops::Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<Text> for String {
    fn from(text: Text) -> String {
        text.as_str().to_owned()
    }
}

impl Serialize for Text {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

/// A stored text that is not clean: the store was written by something else.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("text holds characters that cleaning would have replaced")]
pub struct Unclean;

impl TryFrom<String> for Text {
    type Error = Unclean;

    /// The pair assertion to [`Text::clean`]: what comes back from a store must already be clean.
    fn try_from(raw: String) -> Result<Text, Unclean> {
        match Text::clean(&raw, Lines::Many) {
            Some(text) if text.as_str() == raw => Ok(text),
            _ => Err(Unclean),
        }
    }
}

/// What cleaning does with one character.
enum CharAction {
    Keep,
    Drop,
    Replace(char),
    Break,
    Tab,
    Flag,
    /// Kept unless one of its sort stands before it already: a run of them only hides text.
    Join,
    /// Kept behind a character that it can vary, and only once.
    Vary,
    Escape,
}

/// Cleans `raw` without trimming it.
pub fn clean(raw: &str, lines: Lines) -> String {
    let mut out = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(ch) = rest.chars().next() {
        // Most text is nothing but this, and a run of it is copied as a whole.
        let plain = rest.bytes().position(|byte| !matches!(byte, b' '..=b'~'));
        let (run, other) = rest.split_at(plain.unwrap_or(rest.len()));
        if !run.is_empty() {
            out.push_str(run);
            rest = other;
            continue;
        }
        let after = &rest[ch.len_utf8()..];
        rest = after;
        match fate(ch) {
            CharAction::Keep => out.push(ch),
            CharAction::Drop => {}
            CharAction::Replace(mark) => out.push(mark),
            CharAction::Break => {
                if ch == '\r' {
                    rest = after.strip_prefix('\n').unwrap_or(after);
                }
                out.push(match lines {
                    Lines::One => ' ',
                    Lines::Many => '\n',
                });
            }
            // Indentation carries meaning in previews and code.
            CharAction::Tab => out.push(match lines {
                Lines::One => ' ',
                Lines::Many => '\t',
            }),
            CharAction::Flag => {
                let (tags, behind) = after.split_at(region_tags_len(after));
                out.push(ch);
                out.push_str(tags);
                rest = behind;
            }
            CharAction::Join => {
                if !out.ends_with(is_joiner) {
                    out.push(ch);
                }
            }
            CharAction::Vary => {
                if out
                    .chars()
                    .next_back()
                    .is_some_and(|base| has_form(base, ch))
                {
                    out.push(ch);
                }
            }
            CharAction::Escape => {
                out.push('\u{241B}');
                rest = &after[escape_sequence_len(ch, after)..];
            }
        }
    }
    match lines {
        Lines::One if out.contains("  ") => collapse_spaces(&out),
        Lines::One | Lines::Many => out,
    }
}

/// Writes every character that [`clean`] would replace or drop as JSON escapes it: `\u202e`.
///
/// For devices, where nothing may be lost: JSON stays the same JSON, because such characters occur in
/// its strings alone, and a person sees that something is there.
pub fn escape(raw: &str, lines: Lines) -> Cow<'_, str> {
    let is_plain = |byte: u8| matches!(byte, b' '..=b'~') || byte == b'\n' && lines == Lines::Many;
    let Some(first) = raw.bytes().position(|byte| !is_plain(byte)) else {
        return Cow::Borrowed(raw);
    };
    let (plain, mut rest) = raw.split_at(first);
    let mut out = plain.to_owned();
    while let Some(ch) = rest.chars().next() {
        let after = &rest[ch.len_utf8()..];
        rest = after;
        let is_kept = match fate(ch) {
            CharAction::Keep => true,
            CharAction::Break => ch == '\n' && lines == Lines::Many,
            CharAction::Tab => lines == Lines::Many,
            CharAction::Join => !out.ends_with(is_joiner),
            CharAction::Vary => out
                .chars()
                .next_back()
                .is_some_and(|base| has_form(base, ch)),
            CharAction::Flag => {
                let (tags, behind) = after.split_at(region_tags_len(after));
                out.push(ch);
                out.push_str(tags);
                rest = behind;
                continue;
            }
            CharAction::Drop | CharAction::Replace(_) | CharAction::Escape => false,
        };
        if is_kept {
            out.push(ch);
        } else {
            for unit in ch.encode_utf16(&mut [0; 2]) {
                let written = write!(out, "\\u{unit:04x}");
                debug_assert!(written.is_ok(), "a string takes everything");
            }
        }
    }
    Cow::Owned(out)
}

/// Whether a character that a [`Text`] may hold shows nothing by itself.
pub(crate) fn is_invisible(ch: char) -> bool {
    is_joiner(ch) || !is_visible(ch) && !ch.is_whitespace()
}

/// Invisible, but meant to be: joins or parts letters and emoji, or says where a line begins.
fn is_joiner(ch: char) -> bool {
    matches!(ch, '\u{200C}'..='\u{200F}' | '\u{061C}' | '\u{034F}')
}

/// Chooses between the forms of the character before it.
fn is_selector(ch: char) -> bool {
    matches!(ch, '\u{FE00}'..='\u{FE0F}' | '\u{E0100}'..='\u{E01EF}' | '\u{180B}'..='\u{180D}' | '\u{180F}')
}

/// Whether a selector may choose a form of the character before it, as the lists of Unicode have it, roughly. Behind any
/// other character it shows nothing, and could carry hidden text.
fn has_form(base: char, selector: char) -> bool {
    let is_ideograph = matches!(
        base,
        '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}'
    );
    match selector {
        // As text, or as an emoji.
        '\u{FE0E}' | '\u{FE0F}' => is_visible(base) && !base.is_alphabetic(),
        '\u{FE00}'..='\u{FE0D}' => {
            is_ideograph
                || matches!(
                    base,
                    '0' | '\u{1000}'..='\u{109F}'
                        | '\u{2200}'..='\u{22FF}'
                        | '\u{2A00}'..='\u{2AFF}'
                        | '\u{3000}'..='\u{303F}'
                        | '\u{A840}'..='\u{A877}'
                        | '\u{FF00}'..='\u{FFEF}'
                )
        }
        '\u{180B}'..='\u{180D}' | '\u{180F}' => matches!(base, '\u{1800}'..='\u{18AF}'),
        _ => is_ideograph,
    }
}

/// Whether a character leaves a mark of its own; the empty Braille cell does not.
fn is_visible(ch: char) -> bool {
    !ch.is_whitespace() && !is_joiner(ch) && !is_selector(ch) && ch != '\u{2800}'
}

/// Bytes of the tag characters behind a black flag that spell the flag of a region.
///
/// Tag characters stand nowhere else; any other run of them is hidden text.
fn region_tags_len(after: &str) -> usize {
    const LETTERS_MAX: usize = 6;
    let is_letter = |ch: &char| matches!(ch, '\u{E0030}'..='\u{E0039}' | '\u{E0061}'..='\u{E007A}');
    let letters = after
        .chars()
        .take(LETTERS_MAX + 1)
        .take_while(is_letter)
        .count();
    let complete = after.chars().nth(letters) == Some('\u{E007F}');
    if complete && (3..=LETTERS_MAX).contains(&letters) {
        after.chars().take(letters + 1).map(char::len_utf8).sum()
    } else {
        0
    }
}

/// Characters that only hide: direction overrides, fillers and spaces without width, tags.
fn is_hidden(ch: char) -> bool {
    matches!(
        ch,
        '\u{202A}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}'
            | '\u{AD}'
            | '\u{115F}'
            | '\u{1160}'
            | '\u{17B4}'
            | '\u{17B5}'
            | '\u{180E}'
            | '\u{200B}'
            | '\u{3164}'
            | '\u{FEFF}'
            | '\u{FFA0}'
            | '\u{FFF0}'..='\u{FFFB}'
            | '\u{16FE4}'
            | '\u{1BCA0}'..='\u{1BCA3}'
            | '\u{1D159}'
            | '\u{1D173}'..='\u{1D17A}'
            | '\u{E0000}'..='\u{E00FF}'
            | '\u{E01F0}'..='\u{E0FFF}'
    )
}

fn fate(ch: char) -> CharAction {
    match ch {
        ' '..='~' => CharAction::Keep,
        '\n' | '\r' | '\u{0B}' | '\u{0C}' | '\u{85}' | '\u{2028}' | '\u{2029}' => CharAction::Break,
        '\t' => CharAction::Tab,
        '\u{1B}' | '\u{9B}' | '\u{9D}' | '\u{90}' | '\u{98}' | '\u{9E}' | '\u{9F}' => {
            CharAction::Escape
        }
        // The Unicode pictures of the control characters stand in the same order as they do.
        '\0'..='\u{1F}' => {
            CharAction::Replace(char::from_u32(0x2400 + ch as u32).unwrap_or('\u{FFFD}'))
        }
        '\u{7F}' => CharAction::Replace('\u{2421}'),
        '\u{80}'..='\u{9F}' | '\u{FFFE}' | '\u{FFFF}' => CharAction::Replace('\u{FFFD}'),
        ch if is_hidden(ch) => CharAction::Drop,
        '\u{1F3F4}' => CharAction::Flag,
        ch if is_joiner(ch) => CharAction::Join,
        ch if is_selector(ch) => CharAction::Vary,
        _ => CharAction::Keep,
    }
}

/// Bytes of `after` that belong to the escape sequence which `introducer` begins.
///
/// Only a complete sequence is taken away; an unfinished one must not swallow the text behind it.
fn escape_sequence_len(introducer: char, after: &str) -> usize {
    match introducer {
        '\u{9B}' => control_sequence_len(after).unwrap_or(0),
        '\u{1B}' => match after.bytes().next() {
            Some(b'[') => control_sequence_len(&after[1..]).map_or(0, |len| len + 1),
            Some(b']' | b'P' | b'X' | b'^' | b'_') => {
                control_string_len(&after[1..]).map_or(0, |len| len + 1)
            }
            _ => 0,
        },
        _ => control_string_len(after).unwrap_or(0),
    }
}

/// Length of `parameters intermediates final`, the body of a control sequence.
fn control_sequence_len(body: &str) -> Option<usize> {
    let end = body.bytes().position(|byte| !matches!(byte, 0x20..=0x3F))?;
    matches!(body.as_bytes()[end], 0x40..=0x7E).then_some(end + 1)
}

/// Length of a control string with its terminator (BEL, ST or its two-byte form).
///
/// Any other control character breaks the string off: it cannot reach across lines of text.
fn control_string_len(body: &str) -> Option<usize> {
    let (at, end) = body.char_indices().find(|(_, ch)| ch.is_control())?;
    match end {
        '\u{7}' | '\u{9C}' => Some(at + end.len_utf8()),
        '\u{1B}' if body[at + 1..].starts_with('\\') => Some(at + 2),
        _ => None,
    }
}

fn collapse_spaces(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for ch in text.chars() {
        if ch != ' ' || !out.ends_with(' ') {
            out.push(ch);
        }
    }
    out
}

#[cfg(test)]
#[path = "text_tests.rs"]
mod tests;
