//! Arguments of `askback hand-on`.

use clap::Args as ClapArgs;

use super::ConnectArgs;

/// Give a pending question to another recipient.
///
/// The new recipient gets the question in their channels, with your name and the reason. The messages to the
/// previous recipient say so, and can no longer answer it. Prints the question as one line of JSON. The exit code is 2 if the
/// question has been answered or has ended, or if the recipient is unknown; nothing is changed then.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  askback hand-on inq_01… --to ben
  askback hand-on inq_01… --to ben --reason 'Ben knows the database.'

An id can be shortened to the first ten characters after inq_ or more, if only one question matches.")]
pub(crate) struct HandOnArgs {
    /// Id of the question, from `askback list`.
    pub(crate) id: String,
    /// Alias of the new recipient or group, as the configuration names it.
    #[arg(long, value_name = "ALIAS")]
    pub(crate) to: String,
    /// Why; the new recipient reads it. At most 300 characters.
    #[arg(long, value_name = "TEXT")]
    pub(crate) reason: Option<String>,
    #[command(flatten)]
    pub(crate) connect: ConnectArgs,
}
