//! For how long a reply of a terminal screen can be undone.

use std::path::Path;

use askback_core::limits::UNDO_SECONDS_MAX;
use askback_terminal::display_mode::DisplayMode;
use askback_wire::limits::UNDO_SECONDS;

use crate::args::UndoArgs;
use crate::failure::{Failure, refuse};
use crate::settings;
use crate::terminal_options::TerminalOptions;

/// For how many seconds a reply can be undone; none if it takes effect at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct UndoWindow(pub(crate) Option<u32>);

impl UndoWindow {
    pub(crate) const NONE: UndoWindow = UndoWindow(None);

    /// Frames offer undo by default, because there one key answers. Lines must be typed, so they offer it
    /// only if it is set. Without a terminal, nobody could undo.
    pub(crate) fn choose(
        args: UndoArgs,
        config: Option<&Path>,
        terminal: &TerminalOptions,
    ) -> Result<UndoWindow, Failure> {
        let configured = settings::undo_seconds(config)?;
        let set = args.undo.or(settings::undo_variable()?).or(configured);
        let seconds = set.unwrap_or(match terminal.display_mode() {
            DisplayMode::Frames => UNDO_SECONDS,
            DisplayMode::Lines | DisplayMode::NonInteractive => 0,
        });
        if i64::from(seconds) > UNDO_SECONDS_MAX {
            let refusal =
                format!("--undo takes 0 to {UNDO_SECONDS_MAX} seconds; 0 turns undo off.");
            return refuse(refusal);
        }
        Ok(UndoWindow((seconds > 0).then_some(seconds)))
    }
}
