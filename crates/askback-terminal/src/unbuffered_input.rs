//! A single digit without enter, where it cannot be the beginning of anything else.

use std::fs::File;

use rustix::termios::{
    LocalModes, OptionalActions, SpecialCodeIndex, Termios, tcgetattr, tcsetattr,
};

use crate::tty::Tty;

/// Whether a digit counts before enter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ImmediateDigits {
    /// It does not.
    #[default]
    Off,
    /// It does, where nine rows or less can be meant.
    On,
}

/// A terminal that gives each character when it is typed, until this goes. Signals, echo and
/// everything else stay as they were.
#[derive(Debug)]
pub(crate) struct UnbufferedInput {
    input: File,
    before: Termios,
}

impl UnbufferedInput {
    /// A terminal that cannot do that goes on with whole lines.
    pub(crate) fn begin(tty: &Tty) -> Option<UnbufferedInput> {
        let before = tcgetattr(&tty.input).ok()?;
        let mut eager = before.clone();
        eager.local_modes.remove(LocalModes::ICANON);
        eager.special_codes[SpecialCodeIndex::VMIN] = 1;
        eager.special_codes[SpecialCodeIndex::VTIME] = 0;
        let input = tty.input.try_clone().ok()?;
        tcsetattr(&input, OptionalActions::Now, &eager).ok()?;
        Some(UnbufferedInput { input, before })
    }
}

impl Drop for UnbufferedInput {
    fn drop(&mut self) {
        // A terminal that is gone needs nothing put back.
        tcsetattr(&self.input, OptionalActions::Now, &self.before).unwrap_or_default();
    }
}
