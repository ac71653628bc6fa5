//! Arguments of `askback list`.

use askback_wire::duration::HumanDuration;
use clap::Args as ClapArgs;

use super::ConnectArgs;

const STATUSES: [&str; 10] = [
    "pending",
    "answered",
    "declined",
    "cancelled",
    "rejected",
    "superseded",
    "expired",
    "withdrawn",
    "undeliverable",
    "all",
];

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  askback list
  askback list --json | jq -r .id
  askback list --status answered --since 7d     # who decided what, and where")]
pub(crate) struct ListArgs {
    /// Questions with this status, or all.
    #[arg(long, default_value = "pending", value_parser = STATUSES)]
    pub(crate) status: String,
    /// Only questions that ended, or were asked if they are pending, within this time, such as 7d.
    #[arg(long, value_name = "TIME")]
    pub(crate) since: Option<HumanDuration>,
    /// Only questions with these words: in the question, the answer, or the names of agent, project and people.
    #[arg(long, value_name = "WORDS")]
    pub(crate) search: Option<String>,
    /// Print one JSON object per line.
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) connect: ConnectArgs,
}
