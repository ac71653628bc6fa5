//! The glyphs of the frame, in two sets: Unicode, and ASCII for terminals that cannot draw the
//! others.

use crate::row::Style;

/// A set of glyphs, each named after its use.
#[expect(missing_docs, reason = "the two sets below show what each mark is")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Glyphs {
    pub top: &'static str,
    pub top_end: &'static str,
    pub line: &'static str,
    pub rail: &'static str,
    pub bottom: &'static str,
    pub bar: &'static str,
    pub radio: &'static str,
    pub radio_on: &'static str,
    pub check: &'static str,
    pub check_on: &'static str,
    pub done: &'static str,
    pub failed: &'static str,
    pub skipped: &'static str,
    pub open: &'static str,
    pub focus: &'static str,
    pub field: &'static str,
    pub dot: &'static str,
    pub more: &'static str,
    pub above: &'static str,
    pub below: &'static str,
    pub up_down: &'static str,
    pub left_right: &'static str,
    pub all_ways: &'static str,
    pub enter: &'static str,
    pub dash: &'static str,
}

impl Glyphs {
    /// Unicode.
    pub const LINES: Glyphs = Glyphs {
        top: "╭─",
        top_end: "─╮",
        line: "─",
        rail: "│",
        bottom: "╰─",
        bar: "│",
        radio: "○",
        radio_on: "●",
        check: "☐",
        check_on: "☑",
        done: "✔",
        failed: "✘",
        skipped: "–",
        open: "○",
        focus: ">",
        field: "›",
        dot: "•",
        more: "…",
        above: "▲",
        below: "▼",
        up_down: "↑↓",
        left_right: "←→",
        all_ways: "←→↑↓",
        enter: "↵",
        dash: "—",
    };

    /// ASCII only.
    pub const ASCII: Glyphs = Glyphs {
        top: "+-",
        top_end: "-+",
        line: "-",
        rail: "|",
        bottom: "+-",
        bar: "|",
        radio: "( )",
        radio_on: "(*)",
        check: "[ ]",
        check_on: "[x]",
        done: "v",
        failed: "x",
        skipped: "-",
        open: "o",
        focus: ">",
        field: ">",
        dot: "-",
        more: "...",
        above: "^",
        below: "v",
        up_down: "up/down",
        left_right: "left/right",
        all_ways: "arrows",
        enter: "enter",
        dash: "-",
    };

    /// Whether this is the ASCII set.
    pub fn is_ascii(&self) -> bool {
        self.rail == "|"
    }

    /// The mark before a row, and the style of its label.
    pub fn focus_mark(&self, is_focused: bool) -> (&'static str, Style) {
        if is_focused {
            (self.focus, Style::Focused)
        } else {
            (" ", Style::Label)
        }
    }

    /// Replaces punctuation of our own messages that an ASCII terminal cannot show.
    pub fn to_supported(&self, words: String) -> String {
        if !self.is_ascii() {
            return words;
        }
        words
            .replace('…', "...")
            .replace('•', "-")
            .replace(['–', '—'], "-")
            .replace('±', "+-")
    }
}
