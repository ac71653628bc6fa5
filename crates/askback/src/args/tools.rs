//! Arguments of `askback schema`, `askback check` and `askback render`.

use std::path::PathBuf;

use askback_core::dialect::{Dialect, Flavor};
use clap::builder::PossibleValue;
use clap::{Args as ClapArgs, ValueEnum};

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  askback schema
  askback schema ask_user_question
  askback schema AskUserQuestion --for openai")]
pub(crate) struct SchemaArgs {
    /// Tool to print.
    pub(crate) dialect: Option<DialectArg>,
    /// Use only the schema features that this provider accepts.
    #[arg(long = "for", value_name = "PROVIDER", default_value = "plain")]
    pub(crate) flavor: FlavorArg,
    /// Print the text for the system prompt instead.
    #[arg(long, requires = "dialect", conflicts_with = "flavor")]
    pub(crate) guidance: bool,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  askback check call.json
  echo '{\"question\": \"Which one?\", \"options\": [\"A\", \"B\"]}' | askback check --dialect question")]
pub(crate) struct CheckArgs {
    /// Tool that the input is for; detected if omitted.
    #[arg(long)]
    pub(crate) dialect: Option<DialectArg>,
    /// Shorten headers and labels that are too long instead of refusing them.
    #[arg(long)]
    pub(crate) clip: bool,
    /// File with the tool input; `-` reads standard input.
    #[arg(value_name = "FILE", default_value = "-")]
    pub(crate) input: PathBuf,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Example:
  askback render --dialect ask_user --input call.json --outcome outcome.json

An outcome is one of
  {\"type\": \"answered\", \"answers\": {\"q1\": {\"values\": [\"…\"], \"own\": \"…\", \"note\": \"…\"}}}
     with values and own, or text, number, date, start and end, or \"skipped\": true
  {\"type\": \"declined\"}, and likewise cancelled, rejected, expired, withdrawn, undeliverable
  {\"type\": \"superseded\", \"message\": \"…\"}")]
pub(crate) struct RenderArgs {
    /// Tool that the input is for; detected if omitted.
    #[arg(long)]
    pub(crate) dialect: Option<DialectArg>,
    /// File with the tool input; `-` reads standard input.
    #[arg(long, value_name = "FILE")]
    pub(crate) input: PathBuf,
    /// File with the outcome; `-` reads standard input.
    #[arg(long, value_name = "FILE")]
    pub(crate) outcome: PathBuf,
}

/// A tool contract, or the neutral one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DialectArg(pub(crate) Dialect);

impl ValueEnum for DialectArg {
    fn value_variants<'a>() -> &'a [Self] {
        const ALL: [DialectArg; 5] = [
            DialectArg(Dialect::ALL[0]),
            DialectArg(Dialect::ALL[1]),
            DialectArg(Dialect::ALL[2]),
            DialectArg(Dialect::ALL[3]),
            DialectArg(Dialect::ALL[4]),
        ];
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.0.name()))
    }
}

/// A tool that a model can call.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ToolArg(pub(crate) Dialect);

impl ValueEnum for ToolArg {
    fn value_variants<'a>() -> &'a [Self] {
        const TOOLS: [ToolArg; 4] = [
            ToolArg(Dialect::TOOLS[0]),
            ToolArg(Dialect::TOOLS[1]),
            ToolArg(Dialect::TOOLS[2]),
            ToolArg(Dialect::TOOLS[3]),
        ];
        &TOOLS
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.0.name()))
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct FlavorArg(pub(crate) Flavor);

impl ValueEnum for FlavorArg {
    fn value_variants<'a>() -> &'a [Self] {
        const ALL: [FlavorArg; 4] = [
            FlavorArg(Flavor::ALL[0].1),
            FlavorArg(Flavor::ALL[1].1),
            FlavorArg(Flavor::ALL[2].1),
            FlavorArg(Flavor::ALL[3].1),
        ];
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let (name, _) = Flavor::ALL.iter().find(|(_, flavor)| *flavor == self.0)?;
        Some(PossibleValue::new(*name))
    }
}
