//! Asks whether to do something that cannot be taken back.

use std::io::{BufRead as _, IsTerminal as _, Write};

use crate::failure::{Failure, refuse};

/// Whether the person at the terminal says yes to a question. Without one, it is refused with a text.
pub(super) fn is_confirmed(
    question: &str,
    refusal: &str,
    out: &mut impl Write,
) -> Result<bool, Failure> {
    let stdin = std::io::stdin();
    if !stdin.is_terminal() {
        return refuse(refusal);
    }
    write!(out, "{question} [y/N] ")?;
    out.flush()?;
    let mut line = String::new();
    stdin.lock().read_line(&mut line)?;
    Ok(matches!(line.trim().to_lowercase().as_str(), "y" | "yes"))
}
