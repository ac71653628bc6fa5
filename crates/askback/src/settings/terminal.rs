//! Terminal settings: flags override the environment, and the environment overrides `[terminal]` in the
//! configuration file.

use std::path::Path;

use askback_terminal::bidi::Bidi;
use askback_terminal::config::{Motion, Mouse};
use askback_terminal::notification::Notifications;
use askback_terminal::unbuffered_input::ImmediateDigits;
use askback_tui::prompt::Border;
use serde::Deserialize;

use crate::args::{BidiArg, Switch, TerminalArgs, ThemeArg};

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct TerminalTable {
    theme: Option<ThemeArg>,
    mouse: Option<Switch>,
    bidi: Option<BidiArg>,
    reduced_motion: Option<Switch>,
    instant: Option<Switch>,
    quiet: Option<Switch>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct TerminalSettings {
    pub(crate) border: Border,
    pub(crate) mouse: Mouse,
    pub(crate) bidi: Bidi,
    pub(crate) motion: Motion,
    pub(crate) notifications: Notifications,
    /// Line mode only.
    pub(crate) immediate_digits: ImmediateDigits,
}

impl TerminalSettings {
    pub(crate) fn gather(
        args: &TerminalArgs,
        config: Option<&Path>,
    ) -> anyhow::Result<TerminalSettings> {
        Ok(merged(args, &super::read_file(config)?.terminal))
    }
}

fn merged(args: &TerminalArgs, table: &TerminalTable) -> TerminalSettings {
    TerminalSettings {
        border: match args.theme.or(table.theme) {
            Some(ThemeArg::Boxed) => Border::Boxed,
            Some(ThemeArg::Rail) | None => Border::Rail,
        },
        mouse: match args.mouse.or(table.mouse) {
            Some(Switch::On) => Mouse::On,
            Some(Switch::Off) | None => Mouse::Off,
        },
        bidi: match args.bidi.or(table.bidi) {
            Some(BidiArg::Visual) => Bidi::Visual,
            Some(BidiArg::Logical) | None => Bidi::Logical,
        },
        motion: match args.reduced_motion.or(table.reduced_motion) {
            Some(Switch::On) => Motion::Reduced,
            Some(Switch::Off) | None => Motion::Full,
        },
        notifications: match table.quiet {
            Some(Switch::On) => Notifications::Off,
            Some(Switch::Off) | None if args.quiet => Notifications::Off,
            Some(Switch::Off) | None => Notifications::On,
        },
        immediate_digits: match args.instant.or(table.instant) {
            Some(Switch::On) => ImmediateDigits::On,
            Some(Switch::Off) | None => ImmediateDigits::Off,
        },
    }
}

#[cfg(test)]
#[path = "terminal_tests.rs"]
mod tests;
