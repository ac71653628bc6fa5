//! Arguments of `askback ask`.

use std::path::PathBuf;

use askback_core::dialect::Dialect;
use askback_wire::duration::HumanDuration;
use clap::{Args as ClapArgs, ValueEnum};

use super::{ConnectArgs, TerminalArgs, one_of};

#[derive(Debug, ClapArgs)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a flag of the command line"
)]
#[command(after_help = "\
Examples:
  askback ask \"Which region?\" Europe Asia America
  askback ask --confirm \"Deploy now?\" && ./deploy
  NAME=$(askback ask \"What is the project called?\")
  git branch --format='%(refname:short)' | askback ask \"Which branch?\"
  askback ask --several --default unit \"Which tests?\" unit browser load
  askback ask --json question.json
  echo '{\"question\": \"Deploy now?\", \"options\": [\"Yes\", \"No\"]}' | askback ask --tty
  askback ask --durable --source builder --key release-42 \"Release 42?\" Yes No   # run it again to resume

Exit codes: 0 answered, 1 error, 2 bad input, 3 left without an answer, 4 cancelled (of an agent: stop),
5 cancelled elsewhere, 6 expired, 7 let the agent decide, 8 not yes (--confirm), 130 left with ctrl+c.

docs/scripts.md has recipes, and a comparison with gum and dialog.")]
pub(crate) struct AskArgs {
    /// The question. Without options, it is answered with text.
    ///
    /// If there is no question and no --json, the input of an ask tool is read from standard input.
    #[arg(value_name = "QUESTION")]
    pub(crate) question: Option<String>,
    /// The options to choose from [default: the lines of standard input, if it is not a terminal].
    ///
    /// There can be any number of them; of more than 20, what you type shows those that match. A question that is
    /// stored (--durable) has at most 20.
    #[arg(
        value_name = "OPTION",
        conflicts_with_all = ["confirm", "text", "number", "date"]
    )]
    pub(crate) options: Vec<String>,
    #[command(flatten)]
    pub(crate) kind: QuestionKind,
    /// Allow an answer that is not among the options.
    #[arg(long, requires = "question")]
    pub(crate) other: bool,
    /// The answer that enter gives unless it is changed: an option, or a text; with --several, it can be repeated.
    #[arg(
        long,
        value_name = "ANSWER",
        requires = "question",
        conflicts_with = "durable"
    )]
    pub(crate) default: Vec<String>,
    /// Ask the questions in this file, which has the input of an ask tool; `-` reads standard input.
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["question", "options", "confirm", "text", "number", "date", "several", "other"]
    )]
    pub(crate) json: Option<PathBuf>,
    /// Tool that the JSON input is for; detected if omitted.
    #[arg(
        long,
        conflicts_with = "question",
        value_parser = one_of(&Dialect::ALL, Dialect::name),
        hide_short_help = true
    )]
    pub(crate) dialect: Option<Dialect>,
    /// Name of the asker, shown with the question.
    #[arg(long, value_name = "NAME")]
    pub(crate) source: Option<String>,
    /// Person or group whom the question is for [default: everybody].
    #[arg(
        long,
        value_name = "ALIAS",
        requires = "durable",
        hide_short_help = true
    )]
    pub(crate) to: Option<String>,
    /// Show the question to that person and to administrators only.
    #[arg(long, requires = "to", hide_short_help = true)]
    pub(crate) private: bool,
    /// What is printed on standard output.
    #[arg(long, value_name = "FORMAT", default_value = "plain")]
    pub(crate) output: AskOutput,
    /// Expire after this time, such as 5m; by default never.
    #[arg(long, value_name = "TIME")]
    pub(crate) expires_in: Option<HumanDuration>,
    /// Store the question and its draft, so that they survive this process and can be answered from
    /// elsewhere.
    #[arg(long)]
    pub(crate) durable: bool,
    /// Name of this question. Run again with the same key to resume the question and its draft, or to
    /// print its outcome. Without a key, every run asks a new question.
    #[arg(long, value_name = "KEY", requires = "durable")]
    pub(crate) key: Option<String>,
    /// Without a terminal, wait until the question is answered elsewhere.
    #[arg(long, requires = "durable")]
    pub(crate) wait: bool,
    /// With --durable: seconds in which an answer can be undone, up to 60; 0 turns undo off. The outcome is
    /// printed when it is final. Line mode offers undo only if this is set, here or in the configuration
    /// [default: 5; `ASKBACK_UNDO`, or `undo` in the configuration].
    #[arg(
        long,
        value_name = "SECONDS",
        requires = "durable",
        hide_short_help = true
    )]
    pub(crate) undo: Option<u32>,
    #[command(flatten)]
    pub(crate) terminal: TerminalArgs,
    #[command(flatten)]
    pub(crate) connect: ConnectArgs,
}

// How a question given as an argument is answered.
#[derive(Debug, Clone, Copy, Default, ClapArgs)]
#[group(multiple = false)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub(crate) struct QuestionKind {
    /// Ask for yes or no. The exit code is 0 only for yes; nothing is printed.
    #[arg(long, requires = "question")]
    pub(crate) confirm: bool,
    /// Ask for text, and leave standard input alone. This is the default without options.
    #[arg(long, requires = "question")]
    pub(crate) text: bool,
    /// Ask for a number.
    #[arg(long, requires = "question")]
    pub(crate) number: bool,
    /// Ask for a date.
    #[arg(long, requires = "question")]
    pub(crate) date: bool,
    /// Let more than one option be chosen.
    #[arg(long, requires = "question")]
    pub(crate) several: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum AskOutput {
    /// The answer as text, one line for each chosen option. Nothing for --confirm, and nothing without an answer.
    Plain,
    /// The outcome, as one line of JSON.
    Json,
    /// The tool result, as a model reads it.
    Result,
}
