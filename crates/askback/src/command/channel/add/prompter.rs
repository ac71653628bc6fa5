//! Asks for one line after the other. In a terminal each line has a prompt; from a pipe the lines are read in the
//! same order. Secrets are read here and not from arguments, which other users of the machine can see.

use std::io::{BufRead as _, IsTerminal as _, Write as _};

use crate::failure::{Failure, refuse};
use crate::output;

pub(super) struct Prompter {
    is_terminal: bool,
}

impl Prompter {
    pub(super) fn new() -> Prompter {
        Prompter {
            is_terminal: std::io::stdin().is_terminal(),
        }
    }

    /// Explains something to a person.
    pub(super) fn explain(&self, text: &str) -> Result<(), Failure> {
        if self.is_terminal {
            writeln!(output::stderr(), "{text}")?;
        }
        Ok(())
    }

    /// The next line. `problem` returns what is wrong with it.
    pub(super) fn ask(
        &mut self,
        what: &str,
        problem: impl Fn(&str) -> Option<&'static str>,
    ) -> Result<String, Failure> {
        if self.is_terminal {
            let mut out = output::stderr();
            write!(out, "{what}: ")?;
            out.flush()?;
        }
        let mut line = String::new();
        std::io::stdin().lock().read_line(&mut line)?;
        let line = line.trim();
        match problem(line) {
            Some(problem) => refuse(format!("{what}: {problem}")),
            None => Ok(line.to_owned()),
        }
    }
}
