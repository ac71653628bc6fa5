//! Queries the terminal for its background and the width of the glyphs.

use std::time::Duration;

use crate::clock::MonotonicTime;
use crate::config::{ProbeScope, TerminalConfig};
use crate::key::InputEvent;
use crate::theme::{Background, ColorDepth};

/// The responses so far.
#[derive(Debug, Default)]
pub(crate) struct Probe {
    asked: MonotonicTime,
    column: Option<usize>,
    /// The glyphs take two columns.
    pub(crate) wide: bool,
    timeout: Option<MonotonicTime>,
}

impl Probe {
    /// The queries to write; empty if there are none.
    pub(crate) fn ask(&mut self, setup: &TerminalConfig, now: MonotonicTime) -> String {
        self.asked = now;
        let background = match (setup.depth, setup.background) {
            (ColorDepth::TrueColor, None) => "\x1b]11;?\x1b\\",
            (ColorDepth::TrueColor | ColorDepth::Ansi16 | ColorDepth::None, _) => "",
        };
        let ask = match setup.probe_scope {
            ProbeScope::Background if !background.is_empty() => format!("{background}\x1b[c"),
            ProbeScope::All => {
                format!("{background}\x1b[6n\x1b7\u{25CB}\x1b[6n\x1b8\x1b[K\x1b[c")
            }
            ProbeScope::Background | ProbeScope::None => return String::new(),
        };
        self.timeout = Some(now + setup.first_frame_wait);
        ask
    }

    /// How long the first frame still waits; `None` if it does not.
    pub(crate) fn timeout(&self, now: MonotonicTime) -> Option<Duration> {
        let left = self.timeout?.saturating_sub(now);
        (!left.is_zero()).then_some(left)
    }

    /// Records a response. Returns false if the event is not a response or is too late.
    pub(crate) fn take(
        &mut self,
        event: &InputEvent,
        setup: &mut TerminalConfig,
        now: MonotonicTime,
    ) -> bool {
        if now.saturating_sub(self.asked) > setup.response_timeout {
            return false;
        }
        match event {
            InputEvent::QueryResponse(response) => {
                setup.background = Background::from_response(response).or(setup.background);
            }
            InputEvent::CursorAt(_, column) => match self.column {
                None => self.column = Some(*column),
                Some(before) => self.wide = *column == before + 2,
            },
            InputEvent::Attributes => self.timeout = None,
            InputEvent::Key(_)
            | InputEvent::Click(_)
            | InputEvent::Paste(_)
            | InputEvent::FocusIn
            | InputEvent::FocusOut
            | InputEvent::Resize(_) => return false,
        }
        true
    }
}

#[cfg(test)]
#[path = "probe_tests.rs"]
mod tests;
