//! `askback render`: the tool result for an input and an outcome.

use std::io::Write as _;
use std::path::Path;

use anyhow::Context as _;
use askback_core::dialect::{Dialect, ParseOptions};
use askback_core::outcome::Outcome;

use super::parse_input;
use crate::args::RenderArgs;
use crate::failure::{Failure, refuse};
use crate::input::{read_json, read_text};
use crate::output;

pub(crate) fn run(args: &RenderArgs) -> Result<(), Failure> {
    let stdin = Path::new("-");
    if args.input == stdin && args.outcome == stdin {
        return refuse("Only one of --input and --outcome can be standard input.");
    }
    let parsed = parse_input(
        &read_text(&args.input)?,
        args.dialect,
        ParseOptions::default(),
    )?;
    let outcome = Outcome::from_json(&parsed.inquiry, &read_json(&args.outcome)?)
        .map_err(|error| Failure::Refused(error.to_string()))?;
    let result = Dialect::render(&parsed.inquiry, &outcome);
    let json = serde_json::to_string_pretty(&result).context("cannot write the result as JSON")?;
    writeln!(output::stdout(), "{json}")?;
    Ok(())
}
