//! Arguments of `askback channel`.

use clap::{Args as ClapArgs, Subcommand};

use super::{ConnectArgs, ServerListArgs};

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  askback channel add telegram            # asks for the token of your bot
  askback channel link telegram           # prints a code to send to the bot
  askback channel test telegram
  askback channel add command -- notify-send -- '{title}' '{text}'
  askback channel list")]
pub(crate) struct ChannelArgs {
    #[command(subcommand)]
    pub(crate) action: ChannelAction,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ChannelAction {
    /// Add a channel: asks for what it needs and writes channels.toml in the data directory.
    Add(AddChannelArgs),
    /// Print a one-time code with which a person links their account.
    Link(LinkChannelArgs),
    /// Send a test question through one channel, and wait two minutes for its answer.
    Test(LinkChannelArgs),
    /// List the channels, whom they reach, and their last errors.
    List(ServerListArgs),
}

#[derive(Debug, ClapArgs)]
pub(crate) struct AddChannelArgs {
    /// Kind of the channel: telegram, slack, ntfy, email or command.
    pub(crate) kind: String,
    /// Name of the channel [default: its kind].
    #[arg(long, value_name = "NAME")]
    pub(crate) channel: Option<String>,
    /// Alias of the person who gets the questions [default: the only one, or your user name].
    #[arg(long, value_name = "ALIAS")]
    pub(crate) recipient: Option<String>,
    /// Name of that person, shown with their answers.
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// Another server of the provider, such as your own Bot API server.
    #[arg(long, value_name = "URL")]
    pub(crate) api_url: Option<String>,
    #[command(flatten)]
    pub(crate) connect: ConnectArgs,
    /// Program and arguments of a channel of the kind command.
    #[arg(last = true, value_name = "PROGRAM")]
    pub(crate) run: Vec<String>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct LinkChannelArgs {
    /// Name of the channel.
    pub(crate) channel: String,
    /// Alias of the person; only needed if there are several.
    #[arg(long, value_name = "ALIAS")]
    pub(crate) recipient: Option<String>,
    #[command(flatten)]
    pub(crate) connect: ConnectArgs,
}
