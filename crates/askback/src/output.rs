//! Standard output and standard error: the only way in which commands and the log print.
//!
//! Much of what is printed came from agents, models, providers or file names. Control characters, direction
//! overrides and hidden characters are printed as `\u202e`, so that none of them acts on a terminal, and so that
//! JSON stays the same JSON. `clippy.toml` refuses the standard functions elsewhere.

use std::io::{self, IsTerminal, Stderr, Stdout, Write};

use askback_core::text::{Lines, escape};

/// Prints text, escaped.
pub(crate) struct Output<W>(W);

/// Standard output.
#[expect(clippy::disallowed_methods, reason = "what is printed here is escaped")]
pub(crate) fn stdout() -> Output<Stdout> {
    Output(io::stdout())
}

/// Standard error.
#[expect(clippy::disallowed_methods, reason = "what is printed here is escaped")]
pub(crate) fn stderr() -> Output<Stderr> {
    Output(io::stderr())
}

impl<W: Write + IsTerminal> Output<W> {
    /// Whether a person reads it.
    pub(crate) fn is_terminal(&self) -> bool {
        self.0.is_terminal()
    }

    /// Prints a line in the colours of a control sequence, such as `97;40`, if colours are wanted.
    pub(crate) fn write_coloured_line(&mut self, colours: &str, line: &str) -> io::Result<()> {
        if !self.is_terminal() || std::env::var_os("NO_COLOR").is_some() {
            return writeln!(self, "{line}");
        }
        write!(self.0, "\x1b[{colours}m")?;
        write!(self, "{line}")?;
        writeln!(self.0, "\x1b[0m")
    }
}

impl<W: Write> Write for Output<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(bytes);
        self.0.write_all(escape(&text, Lines::Many).as_bytes())?;
        Ok(bytes.len())
    }

    /// One write for all pieces: lines of several threads do not mix, and a character is judged by what stands before it.
    fn write_fmt(&mut self, text: std::fmt::Arguments<'_>) -> io::Result<()> {
        self.write_all(text.to_string().as_bytes())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
#[path = "output_tests.rs"]
mod tests;
