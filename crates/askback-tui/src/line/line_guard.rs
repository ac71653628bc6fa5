//! Lines that cannot be meant for what was just said: typed too soon, pasted, or from a held key.

use std::time::Duration;

use askback_core::draft::{DraftField, DraftPage, Edit};
use askback_core::question::Kind;
use askback_core::text::{Lines, clean};

use super::{Expecting, LineOutput, LinePrompt, said};
use askback_terminal::clock::MonotonicTime;

/// When something was said that the next line acts on.
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

    /// Something else was said that the next line acts on.
    pub(super) fn close(&mut self, now: MonotonicTime) {
        self.said_at = now;
    }

    /// Whether a line is taken. An empty one may come from enter held down, which repeats late at
    /// first and then fast.
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
    /// A line came before what it would act on can have been read.
    pub(super) fn too_soon(&self) -> LineOutput {
        let words = self.text("line-too-soon", &[]);
        said(&format!("{words}\n{}", self.cue_now()))
    }

    /// Several lines came at once. A text keeps them, and an empty line confirms them; nothing else
    /// takes any of them.
    pub(super) fn pasted(&mut self, lines: &[String]) -> LineOutput {
        self.deadline = None;
        let field = match (self.expecting, self.draft.page) {
            (Expecting::Own, _) => Some(DraftField::Own),
            (Expecting::Answer, DraftPage::Question(index)) => {
                let kind = &self.inquiry.questions()[index].kind;
                matches!(kind, Kind::Text(_)).then_some(DraftField::Answer)
            }
            (Expecting::Answer, DraftPage::Review)
            | (Expecting::Note | Expecting::Leave | Expecting::Confirm(_), _) => None,
        };
        let Some(field) = field else {
            let words = self.text("line-pasted", &[]);
            return said(&format!("{words}\n{}", self.cue_now()));
        };
        let text = clean(lines.join("\n").trim(), Lines::Many);
        let edit = Edit::Write { field, text };
        self.draft = self.draft.reduce(&self.inquiry, &edit, &self.typing).draft;
        self.expecting = Expecting::Answer;
        let words = self.text("line-pasted-kept", &[]);
        said(&format!("{words}\n{}", self.page()))
    }
}
