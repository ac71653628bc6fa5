//! Reads a single digit without enter.

use std::fs::File;

use rustix::termios::{
    LocalModes, OptionalActions, SpecialCodeIndex, Termios, tcgetattr, tcsetattr,
};

use crate::tty::Tty;

/// Whether a digit answers without enter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ImmediateDigits {
    /// Enter is needed.
    #[default]
    Off,
    /// It does where there are at most nine choices.
    On,
}

/// Turns off the terminal's line buffering until it is dropped. Signals and echo stay on.
#[derive(Debug)]
pub(crate) struct UnbufferedInput {
    input: File,
    before: Termios,
}

impl UnbufferedInput {
    /// `None` if the terminal does not support it; then whole lines are read.
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
        // A terminal that was closed needs no restoring.
        tcsetattr(&self.input, OptionalActions::Now, &self.before).unwrap_or_default();
    }
}
