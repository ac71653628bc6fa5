//! The command line, declared.

use std::path::PathBuf;

use askback_core::dialect::{Dialect, Flavor};
use clap::builder::PossibleValue;
use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};

/// Lets an LLM agent stop, ask its user structured questions, and go on with the answer.
#[derive(Debug, Parser)]
#[command(
    name = "askback",
    version,
    propagate_version = true,
    arg_required_else_help = true
)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Schema(SchemaArgs),
    Check(CheckArgs),
    Render(RenderArgs),
}

/// Print the definition of a tool, or the names of all tools.
///
/// A definition is JSON with name, description and input schema. Without an argument the names are
/// printed, one a line.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  askback schema
  askback schema ask_user_question
  askback schema AskUserQuestion --for openai")]
pub(crate) struct SchemaArgs {
    /// The tool.
    pub(crate) dialect: Option<DialectArg>,
    /// Stay within what this provider's tool definitions take.
    #[arg(long = "for", value_name = "PROVIDER", default_value = "plain")]
    pub(crate) flavor: FlavorArg,
    /// Print the system-prompt text for the tool instead.
    #[arg(long, requires = "dialect", conflicts_with = "flavor")]
    pub(crate) guidance: bool,
}

/// Read a tool input and print the questions it asks, or say what is wrong with it.
///
/// Exit code 0 with the questions as JSON, or 2 with what the model would be told.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  askback check call.json
  echo '{\"question\": \"Which one?\", \"options\": [\"A\", \"B\"]}' | askback check --dialect question")]
pub(crate) struct CheckArgs {
    /// The tool whose input it is; recognised if left out.
    #[arg(long)]
    pub(crate) dialect: Option<DialectArg>,
    /// Cut over-long headers and labels instead of refusing them.
    #[arg(long)]
    pub(crate) clip: bool,
    /// The tool input; `-` is standard input.
    #[arg(value_name = "FILE", default_value = "-")]
    pub(crate) input: PathBuf,
}

/// Print what the model would be told about an outcome.
///
/// Prints JSON: the content of the tool result, whether it is an error, whether the agent resumes or
/// stops, and the user message that follows, if any. Exit code 2 if the input or the answers do not fit.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Example:
  askback render --dialect ask_user --input call.json --outcome outcome.json

An outcome is one of
  {\"type\": \"answered\", \"answers\": {\"q1\": {\"values\": [\"…\"], \"other\": \"…\", \"note\": \"…\"}}}
     with values and other, or text, number, date, start and end, or \"skipped\": true
  {\"type\": \"declined\"}, and likewise cancelled, rejected, expired, withdrawn, undeliverable
  {\"type\": \"superseded\", \"message\": \"…\"}")]
pub(crate) struct RenderArgs {
    /// The tool whose result it is; recognised if left out.
    #[arg(long)]
    pub(crate) dialect: Option<DialectArg>,
    /// The tool input; `-` is standard input.
    #[arg(long, value_name = "FILE")]
    pub(crate) input: PathBuf,
    /// The outcome; `-` is standard input.
    #[arg(long, value_name = "FILE")]
    pub(crate) outcome: PathBuf,
}

/// A dialect as an argument.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DialectArg(pub(crate) Dialect);

impl ValueEnum for DialectArg {
    fn value_variants<'a>() -> &'a [Self] {
        const ALL: [DialectArg; 4] = [
            DialectArg(Dialect::ALL[0]),
            DialectArg(Dialect::ALL[1]),
            DialectArg(Dialect::ALL[2]),
            DialectArg(Dialect::ALL[3]),
        ];
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.0.name()))
    }
}

/// A schema flavour as an argument.
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
