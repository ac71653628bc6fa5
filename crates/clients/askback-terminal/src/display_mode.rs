//! How questions are shown: as frames, as lines, or not at all.

use crate::row::Size;

/// How questions are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DisplayMode {
    /// Frames that are redrawn.
    Frames,
    /// Line by line, for screen readers and terminals without cursor movement.
    Lines,
    /// There is no terminal, so nobody can be asked.
    NonInteractive,
}

/// What the choice of a [`DisplayMode`] depends on, besides the environment.
#[derive(Debug, Clone, Copy)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a fact of its own about the process"
)]
pub struct DisplayModeInputs {
    /// `--tty`: use the controlling terminal even if standard input and error are redirected.
    pub controlling: bool,
    /// `--lines`.
    pub lines: bool,
    /// Standard input is a terminal.
    pub stdin: bool,
    /// Standard error is a terminal.
    pub stderr: bool,
    /// The size of the terminal.
    pub size: Size,
}

/// Below this size, lines are used instead of frames.
pub const FRAME_MIN: Size = Size {
    columns: 20,
    rows: 6,
};

impl DisplayMode {
    /// Chooses by the first rule that applies: no terminal, then lines, then frames.
    pub fn choose(facts: &DisplayModeInputs, var: impl Fn(&str) -> Option<String>) -> DisplayMode {
        let set = |name: &str| var(name).filter(|value| !value.is_empty());
        let accessible = set("ACCESSIBLE").is_some_and(|value| value != "0" && value != "false");
        let terminal = facts.controlling || (facts.stdin && facts.stderr && set("CI").is_none());
        let small = facts.size.is_below(FRAME_MIN);
        let dumb = matches!(var("TERM").as_deref(), None | Some("dumb" | ""));
        if !terminal {
            DisplayMode::NonInteractive
        } else if facts.lines || accessible || dumb || small {
            DisplayMode::Lines
        } else {
            DisplayMode::Frames
        }
    }
}

/// Whether the locale of the environment is UTF-8.
pub fn is_utf8(var: impl Fn(&str) -> Option<String>) -> bool {
    let name = character_locale(var);
    name.contains("utf-8") || name.contains("utf8")
}

/// Whether terminals of this locale may draw symbols such as `○` two columns wide: Chinese, Japanese, Korean.
pub fn has_wide_glyphs(var: impl Fn(&str) -> Option<String>) -> bool {
    let name = character_locale(var);
    ["zh", "ja", "ko"].iter().any(|it| name.starts_with(it))
}

/// The locale of characters, in lower case: `ja_jp.utf-8`.
fn character_locale(var: impl Fn(&str) -> Option<String>) -> String {
    let names = ["LC_ALL", "LC_CTYPE", "LANG"];
    let set = names
        .iter()
        .find_map(|name| var(name).filter(|value| !value.is_empty()));
    set.unwrap_or_default().to_ascii_lowercase()
}

#[cfg(test)]
#[path = "display_mode_tests.rs"]
mod tests;
