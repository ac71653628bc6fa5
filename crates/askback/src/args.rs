//! The command line, declared.

use std::net::SocketAddr;
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
    Serve(ServeArgs),
}

/// Run the server: conversations, questions and their answers over HTTP.
///
/// Prints its address as the first line. Without a provider, a scripted agent that needs no key
/// plays a demonstration.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  askback serve
  askback serve --listen 127.0.0.1:0 --data ./data
  ANTHROPIC_API_KEY=… askback serve --provider anthropic --model MODEL")]
pub(crate) struct ServeArgs {
    /// Where to listen.
    #[arg(long, env = "ASKBACK_LISTEN", value_name = "ADDRESS")]
    pub(crate) listen: Option<SocketAddr>,
    /// Where to keep data.
    #[arg(long, env = "ASKBACK_DATA", value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
    /// The store, if it is not in the data directory: sqlite:PATH.
    #[arg(long, env = "ASKBACK_STORE", value_name = "STORE")]
    pub(crate) store: Option<String>,
    /// The secret that opens the server; made once and kept if left out.
    #[arg(
        long,
        env = "ASKBACK_TOKEN",
        value_name = "TOKEN",
        hide_env_values = true
    )]
    pub(crate) token: Option<String>,
    /// A directory with further apps.
    #[arg(long, env = "ASKBACK_APPS", value_name = "DIR")]
    pub(crate) apps: Option<PathBuf>,
    /// Another host name under which the server may be addressed; may be given several times.
    #[arg(long, value_name = "NAME")]
    pub(crate) host: Vec<String>,
    /// Who thinks: anthropic, openai or scripted:FILE.
    #[arg(long, env = "ASKBACK_PROVIDER", value_name = "PROVIDER")]
    pub(crate) provider: Option<String>,
    /// The model.
    #[arg(long, env = "ASKBACK_MODEL", value_name = "MODEL")]
    pub(crate) model: Option<String>,
    /// Where the provider is, if not at its usual address.
    #[arg(long, env = "ASKBACK_BASE_URL", value_name = "URL")]
    pub(crate) base_url: Option<String>,
    /// A configuration file (TOML).
    #[arg(long, env = "ASKBACK_CONFIG", value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// How to write logs.
    #[arg(long, value_name = "FORMAT")]
    pub(crate) log: Option<LogFormat>,
}

/// How logs are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogFormat {
    /// One JSON object a line.
    Json,
    /// For people.
    Pretty,
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
