//! Terminal settings: flags override the environment, and the environment overrides `[terminal]` in the
//! configuration file.

use std::path::Path;

use askback_terminal::bidi::Bidi;
use askback_terminal::config::Mouse;
use askback_terminal::notification::Notifications;
use serde::Deserialize;

use crate::args::{BidiArg, Switch, TerminalArgs};

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct TerminalTable {
    mouse: Option<Switch>,
    bidi: Option<BidiArg>,
    quiet: Option<Switch>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct TerminalSettings {
    pub(crate) mouse: Mouse,
    pub(crate) bidi: Bidi,
    pub(crate) notifications: Notifications,
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
        mouse: match args.mouse.or(table.mouse) {
            Some(Switch::On) => Mouse::On,
            Some(Switch::Off) | None => Mouse::Off,
        },
        bidi: match args.bidi.or(table.bidi) {
            Some(BidiArg::Visual) => Bidi::Visual,
            Some(BidiArg::Logical) | None => Bidi::Logical,
        },
        notifications: match table.quiet {
            Some(Switch::On) => Notifications::Off,
            Some(Switch::Off) | None if args.quiet => Notifications::Off,
            Some(Switch::Off) | None => Notifications::On,
        },
    }
}

#[cfg(test)]
#[path = "terminal_tests.rs"]
mod tests;
