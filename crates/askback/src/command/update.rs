//! `askback update`: how this copy was installed, and the command line that updates it.

use std::io::Write as _;

use anyhow::Context as _;

use crate::args::UpdateArgs;
use crate::failure::Failure;
use crate::installation::Installation;
use crate::output;

pub(crate) fn run(_: &UpdateArgs) -> Result<(), Failure> {
    let program = std::env::current_exe().context("cannot find the path of askback")?;
    let installation = Installation::of(&program);
    let mut out = output::stdout();
    writeln!(out, "askback {}", env!("ASKBACK_VERSION"))?;
    writeln!(out, "{} is {installation}.", program.display())?;
    writeln!(
        out,
        "To update it, run:\n\n  {}\n",
        installation.update_line()
    )?;
    writeln!(
        out,
        "A running server and your agents use the new version after a restart."
    )?;
    Ok(())
}
