//! Arguments of `askback webhooks`.

use clap::{Args as ClapArgs, Subcommand};

use super::{ConnectArgs, ServerListArgs};

#[derive(Debug, ClapArgs)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "\
Examples:
  askback webhooks
  askback webhooks retry 17
  askback webhooks retry --all"
)]
pub(crate) struct WebhooksArgs {
    #[command(subcommand)]
    pub(crate) action: Option<WebhooksAction>,
    #[command(flatten)]
    pub(crate) list: ServerListArgs,
}

#[derive(Debug, Subcommand)]
pub(crate) enum WebhooksAction {
    /// List webhooks that were not delivered yet, the oldest first.
    List(ServerListArgs),
    /// Try webhooks again now.
    Retry(WebhooksRetryArgs),
}

#[derive(Debug, ClapArgs)]
pub(crate) struct WebhooksRetryArgs {
    /// Numbers of the webhooks, from the list.
    #[arg(required_unless_present = "all", value_name = "ID")]
    pub(crate) ids: Vec<String>,
    /// Try all of them.
    #[arg(long, conflicts_with = "ids")]
    pub(crate) all: bool,
    #[command(flatten)]
    pub(crate) connect: ConnectArgs,
}
