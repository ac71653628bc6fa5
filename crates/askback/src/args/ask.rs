//! Arguments of `askback ask`.

use std::path::PathBuf;

use askback_wire::duration::HumanDuration;
use clap::Args as ClapArgs;

use super::{ConnectArgs, DialectArg, TerminalArgs};

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  askback ask \"Which region?\" Europe Asia America
  askback ask --confirm \"Deploy now?\" && ./deploy
  NAME=$(askback ask --plain \"What is the project called?\")
  askback ask --several \"Which tests?\" unit browser load
  askback ask --json question.json
  echo '{\"question\": \"Deploy now?\", \"options\": [\"Yes\", \"No\"]}' | askback ask --tty
  askback ask --durable --source builder --key release-42 \"Release 42?\" Yes No   # run it again to resume

Exit codes: 0 answered, 1 error, 2 bad input, 3 still open, 4 stop the agent, 5 cancelled elsewhere,
6 expired, 7 let the agent decide, 8 not yes (--confirm), 130 left with ctrl+c.")]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub(crate) struct AskArgs {
    /// The question. Without options, it is answered with text. If there is no question and no --json, the
    /// input of an ask tool is read from standard input.
    #[arg(value_name = "QUESTION")]
    pub(crate) question: Option<String>,
    /// The options to choose from, at most 20.
    #[arg(
        value_name = "OPTION",
        conflicts_with_all = ["confirm", "text", "number", "date"]
    )]
    pub(crate) options: Vec<String>,
    #[command(flatten)]
    pub(crate) kind: QuestionKind,
    /// Allow an answer that is not among the options.
    #[arg(long, requires = "options")]
    pub(crate) other: bool,
    /// Ask the questions in this file, which has the input of an ask tool; `-` reads standard input.
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["question", "options", "confirm", "text", "number", "date", "several", "other"]
    )]
    pub(crate) json: Option<PathBuf>,
    /// Tool that the JSON input is for; detected if omitted.
    #[arg(long, conflicts_with = "question")]
    pub(crate) dialect: Option<DialectArg>,
    /// Name of the asker, shown with the question.
    #[arg(long, value_name = "NAME")]
    pub(crate) source: Option<String>,
    /// Recipient or group, as configured, who gets the question through channels [default: everybody].
    #[arg(long, value_name = "ALIAS", requires = "durable")]
    pub(crate) to: Option<String>,
    /// Print only the answer, with one line for each chosen option. Notes are not printed.
    #[arg(long, conflicts_with = "result")]
    pub(crate) plain: bool,
    /// Print the tool result as the model reads it, instead of JSON.
    #[arg(long)]
    pub(crate) result: bool,
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
    #[arg(long, value_name = "SECONDS", requires = "durable")]
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
    /// Ask for yes or no. The exit code is 0 only for yes.
    #[arg(long, requires = "question")]
    pub(crate) confirm: bool,
    /// Ask for text. This is the default without options.
    #[arg(long, requires = "question")]
    pub(crate) text: bool,
    /// Ask for a number.
    #[arg(long, requires = "question")]
    pub(crate) number: bool,
    /// Ask for a date.
    #[arg(long, requires = "question")]
    pub(crate) date: bool,
    /// Let more than one option be chosen.
    #[arg(long, requires = "options")]
    pub(crate) several: bool,
}
