//! Arguments of `askback schema`, `askback check` and `askback render`.

use std::path::PathBuf;

use askback_core::dialect::{Dialect, Flavor};
use clap::Args as ClapArgs;
use clap::builder::TypedValueParser as _;

use super::one_of;

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  askback schema
  askback schema ask_user_question
  askback schema AskUserQuestion --for openai")]
pub(crate) struct SchemaArgs {
    /// Tool to print.
    #[arg(value_parser = one_of(&Dialect::ALL, Dialect::name))]
    pub(crate) dialect: Option<Dialect>,
    /// Use only the schema features that this provider accepts.
    #[arg(
        long = "for",
        value_name = "PROVIDER",
        default_value = "plain",
        value_parser = one_of(&Flavor::ALL, |(name, _)| name).map(|(_, flavor)| flavor)
    )]
    pub(crate) flavor: Flavor,
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
    #[arg(long, value_parser = one_of(&Dialect::ALL, Dialect::name))]
    pub(crate) dialect: Option<Dialect>,
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
    #[arg(long, value_parser = one_of(&Dialect::ALL, Dialect::name))]
    pub(crate) dialect: Option<Dialect>,
    /// File with the tool input; `-` reads standard input.
    #[arg(long, value_name = "FILE")]
    pub(crate) input: PathBuf,
    /// File with the outcome; `-` reads standard input.
    #[arg(long, value_name = "FILE")]
    pub(crate) outcome: PathBuf,
}
