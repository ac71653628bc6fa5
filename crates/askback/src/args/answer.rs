//! Arguments of `askback answer`.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use super::given_answers::GivenAnswers;
use super::{ConnectArgs, TerminalArgs};

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  askback answer inq_01…           # shows the question
  askback answer inq_01… --choose PostgreSQL
  askback answer inq_01… --choose Search --choose Export --note 'CSV only'
  askback answer inq_01… --text 'Direct message'
  echo '{\"q1\": \"PostgreSQL\", \"q2\": [\"Search\"]}' | askback answer inq_01… --json -
  askback answer inq_01… --choose Yes --partial
  askback answer inq_01… --decline

An id can be shortened to the first ten characters after inq_ or more, if only one question matches.")]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub(crate) struct AnswerArgs {
    /// Id of the question, from `askback list`.
    pub(crate) id: String,
    #[command(flatten)]
    pub(crate) given: GivenAnswers,
    /// A note for the agent, in addition to the answer.
    #[arg(long, value_name = "TEXT")]
    pub(crate) note: Option<String>,
    /// File with answers by question id, as JSON; `-` reads standard input.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["choose", "text"])]
    pub(crate) json: Option<PathBuf>,
    /// Leave the other questions unanswered.
    #[arg(long)]
    pub(crate) partial: bool,
    /// Send the answers to several questions without showing them first and asking.
    #[arg(long, conflicts_with_all = ["decline", "cancel"])]
    pub(crate) yes: bool,
    /// Skip the question. Only a lone optional question can be skipped here; for one of several, use --json.
    #[arg(long, conflicts_with_all = ["choose", "text", "json", "partial", "decline", "cancel"])]
    pub(crate) skip: bool,
    /// Let the agent decide: it continues without an answer.
    #[arg(
        long,
        visible_alias = "let-agent-decide",
        conflicts_with_all = ["choose", "text", "json", "cancel", "partial"]
    )]
    pub(crate) decline: bool,
    /// Stop the agent: it gets no answer.
    #[arg(
        long,
        visible_alias = "stop-agent",
        conflicts_with_all = ["choose", "text", "json", "partial"]
    )]
    pub(crate) cancel: bool,
    /// If the question is shown here: seconds in which the answer can be undone, up to 60; 0 turns undo off
    /// [default: 5; `ASKBACK_UNDO`, or `undo` in the configuration].
    #[arg(
        long,
        value_name = "SECONDS",
        conflicts_with_all = ["choose", "text", "json", "skip", "decline", "cancel"]
    )]
    pub(crate) undo: Option<u32>,
    #[command(flatten)]
    pub(crate) terminal: TerminalArgs,
    #[command(flatten)]
    pub(crate) connect: ConnectArgs,
}

impl AnswerArgs {
    /// Whether nothing says what to send.
    pub(crate) fn is_without_answer(&self) -> bool {
        let is_empty = self.given.is_empty() && self.json.is_none();
        let has_options = self.note.is_some() || self.partial;
        is_empty && !has_options && !self.skip && !self.decline && !self.cancel
    }
}
