//! `askback schema`: tool names and definitions.

use std::io::Write as _;

use askback_core::dialect::{AgentHost, Dialect};

use crate::args::SchemaArgs;
use crate::failure::Failure;
use crate::output;

pub(crate) fn run(args: &SchemaArgs) -> Result<(), Failure> {
    let mut out = output::stdout();
    match args.dialect {
        Some(dialect) if args.guidance => {
            writeln!(out, "{}", dialect.guidance(AgentHost::Askback))?;
        }
        Some(dialect) => writeln!(out, "{}", dialect.contract().tool_json(args.flavor))?,
        None => {
            for dialect in Dialect::TOOLS {
                writeln!(out, "{}", dialect.name())?;
            }
        }
    }
    Ok(())
}
