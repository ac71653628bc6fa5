//! Ignores lines that were not meant for the current question: typed too soon, pasted, or from a
//! held key.

use std::time::Duration;

use askback_core::draft::{DraftField, DraftPage, Edit};
use askback_core::question::Kind;
use askback_core::text::{Lines, clean};

use super::{Expecting, LineOutput, LinePrompt, with_cue};
use askback_terminal::clock::MonotonicTime;

#[derive(Debug, Clone, Copy)]
pub(super) struct LineGuard {
    window: Duration,
    said_at: MonotonicTime,
    last_line: MonotonicTime,
}

impl LineGuard {
    pub(super) fn new(window: Duration, now: MonotonicTime) -> LineGuard {
        LineGuard {
            window,
            said_at: now,
            last_line: now,
        }
    }

    /// Must be called when something else was printed that the next line acts on.
    pub(super) fn close(&mut self, now: MonotonicTime) {
        self.said_at = now;
    }

    /// Whether a line is accepted. An empty one may come from a held enter, which repeats after a
    /// long first delay.
    pub(super) fn takes(&mut self, line: &str, now: MonotonicTime) -> bool {
        let last = std::mem::replace(&mut self.last_line, now);
        let (since, window) = if line.trim().is_empty() {
            (self.said_at.max(last), self.window * 2)
        } else {
            (self.said_at, self.window)
        };
        now.saturating_sub(since) >= window
    }
}

impl LinePrompt {
    pub(super) fn too_soon(&self) -> LineOutput {
        let words = self.text("line-too-soon", &[]);
        with_cue(&format!("{words}\n{}", self.cue_now()))
    }

    /// A text field keeps pasted lines until an empty line confirms them. Everything else ignores
    /// them.
    pub(super) fn pasted(&mut self, lines: &[String]) -> LineOutput {
        self.options.deadline = None;
        let field = match (self.expecting, self.draft.page) {
            (Expecting::Own, _) => Some(DraftField::Own),
            (Expecting::Answer, DraftPage::Question(index)) => {
                let kind = &self.inquiry.questions()[index].kind;
                matches!(kind, Kind::Text(_)).then_some(DraftField::Answer)
            }
            (Expecting::Answer, DraftPage::Review)
            | (Expecting::Note | Expecting::Leave | Expecting::Date | Expecting::Confirm(_), _) => {
                None
            }
        };
        let Some(field) = field else {
            let words = self.text("line-pasted", &[]);
            return with_cue(&format!("{words}\n{}", self.cue_now()));
        };
        let text = clean(lines.join("\n").trim(), Lines::Many);
        let edit = Edit::Write { field, text };
        self.apply(&edit);
        self.expecting = Expecting::Answer;
        let words = self.text("line-pasted-kept", &[]);
        with_cue(&format!("{words}\n{}", self.page()))
    }
}
