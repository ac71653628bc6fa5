//! Arguments of `askback hand-on`.

use clap::Args as ClapArgs;

use super::ConnectArgs;

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
