//! Texts: readable ones of an exact length, and hostile ones.

use crate::rng::Rng;

/// Pieces of readable text: Latin words, other scripts, wide and combined characters, emoji made of
/// one character and of several. None begins or ends with a space.
const READABLE: &[&str] = &[
    "store",
    "data",
    "in",
    "a",
    "file",
    "Which",
    "PostgreSQL",
    "ok",
    "x",
    "Größe",
    "naïve",
    "Ωmega",
    "数据库",
    "选择",
    "どれ",
    "한국어",
    "مرحبا",
    "שלום",
    "हिन्दी",
    "ไทย",
    "e\u{301}",
    "n\u{303}o",
    "👍",
    "🇩🇪",
    "👩\u{200D}👩\u{200D}👧",
    "👋🏽",
    "a,b",
    "(1)",
    "\"q\"",
    "back\\slash",
    "{}",
    "<b>",
    "&amp;",
    "1/2",
    "50%",
    "—",
    "ﬁ",
];

/// Latin words only, for the many texts in which the script does not matter.
const PLAIN: &[&str] = &[
    "store", "data", "in", "a", "file", "which", "one", "keep", "for", "later", "use", "cache",
    "it",
];

/// What a terminal, a browser or a reader's eye could be fooled with, and what lies next to it.
const HOSTILE: &[&str] = &[
    "\u{1B}[31m",
    "\u{1B}[2J",
    "\u{1B}[",
    "\u{1B}]0;title\u{7}",
    "\u{1B}]8;;x\u{1B}\\",
    "\u{1B}]",
    "\u{1B}P",
    "\u{1B}",
    "\u{9B}2J",
    "\u{9B}",
    "\u{9D}0;t\u{9C}",
    "\u{9D}",
    "\u{90}q\u{9C}",
    "\u{98}",
    "\u{9E}",
    "\u{9F}",
    "\0",
    "\u{1}",
    "\u{7}",
    "\u{8}",
    "\t",
    "\n",
    "\r",
    "\r\n",
    "\u{B}",
    "\u{C}",
    "\u{1F}",
    "\u{7F}",
    "\u{80}",
    "\u{85}",
    "\u{9C}",
    "\u{A0}",
    "\u{AD}",
    "\u{34F}",
    "\u{61C}",
    "\u{115F}",
    "\u{1160}",
    "\u{180E}",
    "\u{200B}",
    "\u{200D}",
    "\u{200E}",
    "\u{200F}",
    "\u{2028}",
    "\u{2029}",
    "\u{202A}",
    "\u{202B}",
    "\u{202C}",
    "\u{202D}",
    "\u{202E}",
    "\u{2060}",
    "\u{2063}",
    "\u{2066}",
    "\u{2067}",
    "\u{2068}",
    "\u{2069}",
    "\u{206A}",
    "\u{2800}",
    "\u{3164}",
    "\u{FE0F}",
    "\u{FEFF}",
    "\u{FFA0}",
    "\u{FFF9}",
    "\u{FFFB}",
    "\u{FFFD}",
    "\u{FFFE}",
    "\u{FFFF}",
    "\u{1F3F4}",
    "🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}",
    "\u{E0001}",
    "\u{E0041}",
    "\u{E007F}",
    "\u{10FFFF}",
    " ",
    "  ",
    "\\u001b[0m",
    "\"",
    "\\",
    "{",
    "[",
];

/// A readable text of exactly `chars` characters, clean by every rule: no space at its ends, no two
/// spaces in a row.
pub fn readable(rng: &mut Rng, chars: usize) -> String {
    let pieces = if rng.one_in(3) { READABLE } else { PLAIN };
    let mut text = String::new();
    let mut length = 0;
    while length < chars {
        if length > 0 {
            text.push(' ');
            length += 1;
        }
        let piece = rng.pick(pieces);
        text.push_str(piece);
        length += piece.chars().count();
    }
    cut(text, chars)
}

/// Cuts `text` to `chars` characters in such a way that it ends in a visible one.
fn cut(text: String, chars: usize) -> String {
    let Some((end, _)) = text.char_indices().nth(chars) else {
        return text;
    };
    let mut text = text;
    text.truncate(end);
    if text.ends_with([' ', '\u{200D}']) {
        text.pop();
        text.push('x');
    }
    text
}

/// A readable text of a length that suits a field with this limit: mostly short, often right at the
/// limit, never above it. The longer the limit, the rarer texts of its length: they are slow and all
/// alike.
pub fn fitting(rng: &mut Rng, max: usize) -> String {
    let at_limit = match max {
        0..=60 => rng.percent(20),
        61..=500 => rng.percent(3),
        _ => rng.one_in(2_000),
    };
    let length = if at_limit {
        max - rng.below(2).min(max - 1)
    } else {
        rng.within(1, max.min(25))
    };
    readable(rng, length)
}

/// A text that nobody should be shown as it is.
pub fn hostile(rng: &mut Rng) -> String {
    let pieces = if rng.one_in(5_000) {
        rng.within(1_000, 20_000)
    } else {
        rng.within(1, 12)
    };
    let mut text = String::new();
    for _ in 0..pieces {
        match rng.below(8) {
            0 => text.push_str(rng.pick(READABLE)),
            1 => text.push(any_char(rng)),
            2 => text.push_str(&rng.pick(HOSTILE).repeat(rng.within(2, 9))),
            _ => text.push_str(rng.pick(HOSTILE)),
        }
    }
    text
}

/// Any character there is, those of the low planes more often.
fn any_char(rng: &mut Rng) -> char {
    let end = rng.pick(&[0x100, 0x3000, 0x1_0000, 0x11_0000]);
    let number = u32::try_from(rng.below(end)).unwrap_or(0);
    char::from_u32(number).unwrap_or('\u{FFFD}')
}

#[cfg(test)]
#[path = "text_tests.rs"]
mod tests;
