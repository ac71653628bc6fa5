//! The marks of the frame, in two sets: line drawing, and plain ASCII for terminals that would
//! draw the others wrong.

/// A set of marks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Glyphs {
    pub(crate) top: &'static str,
    pub(crate) top_end: &'static str,
    pub(crate) top_right: &'static str,
    pub(crate) bottom_right: &'static str,
    pub(crate) line: &'static str,
    pub(crate) rail: &'static str,
    pub(crate) bottom: &'static str,
    pub(crate) bar: &'static str,
    pub(crate) radio: &'static str,
    pub(crate) radio_on: &'static str,
    pub(crate) check: &'static str,
    pub(crate) check_on: &'static str,
    pub(crate) done: &'static str,
    pub(crate) failed: &'static str,
    pub(crate) skipped: &'static str,
    pub(crate) open: &'static str,
    pub(crate) focus: &'static str,
    pub(crate) field: &'static str,
    pub(crate) dot: &'static str,
    pub(crate) more: &'static str,
    pub(crate) above: &'static str,
    pub(crate) below: &'static str,
    pub(crate) up_down: &'static str,
    pub(crate) left_right: &'static str,
    pub(crate) all_ways: &'static str,
    pub(crate) enter: &'static str,
    pub(crate) dash: &'static str,
}

impl Glyphs {
    /// Line drawing.
    pub const LINES: Glyphs = Glyphs {
        top: "╭─",
        top_end: "─╮",
        top_right: "╮",
        bottom_right: "╯",
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

    /// ASCII alone.
    pub const ASCII: Glyphs = Glyphs {
        top: "+-",
        top_end: "-+",
        top_right: "+",
        bottom_right: "+",
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

    /// Own words as this set can show them: the marks among them are spelt out in ASCII.
    pub(crate) fn own(&self, words: String) -> String {
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
