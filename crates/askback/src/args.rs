//! Command-line arguments. Doc comments here are the text of `--help`.

mod access;
mod answer;
mod ask;
mod audit;
mod channel;
mod commands;
mod connect;
mod distribution;
mod doctor;
pub(crate) mod given_answers;
mod hand_on;
mod hook;
mod install;
mod list;
mod maintenance;
mod mcp;
mod overview;
mod person;
mod screens;
mod serve;
mod settings;
mod token;
mod tools;
mod watch;
mod webhooks;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args as ClapArgs, CommandFactory as _, FromArgMatches as _, Parser};

pub(crate) use access::{
    LinkArgs, PhoneArgs, SessionsAction, SessionsArgs, WebhookSecretAction, WebhookSecretArgs,
};
pub(crate) use answer::AnswerArgs;
pub(crate) use ask::{AskArgs, AskOutput};
pub(crate) use audit::{AuditAction, AuditArgs, AuditExportArgs};
pub(crate) use channel::{AddChannelArgs, ChannelAction, ChannelArgs, LinkChannelArgs};
pub(crate) use commands::Command;
pub(crate) use connect::ConnectArgs;
pub(crate) use distribution::{CompletionsArgs, ManArgs, ShellArg, UpdateArgs};
pub(crate) use doctor::DoctorArgs;
pub(crate) use hand_on::HandOnArgs;
pub(crate) use hook::{HookArgs, HookClient};
pub(crate) use install::InstallArgs;
pub(crate) use list::ListArgs;
pub(crate) use maintenance::{BackupArgs, MigrateArgs};
pub(crate) use mcp::McpArgs;
pub(crate) use person::{PersonAction, PersonAddArgs, PersonArgs, PersonForgetArgs};
pub(crate) use screens::{
    BidiArg, ChatArgs, DemoArgs, InboxArgs, KeysArgs, Switch, TerminalArgs, UndoArgs,
};
pub(crate) use serve::{LogFormat, ServeArgs};
pub(crate) use settings::{SettingsArgs, UnaddressedArg};
pub(crate) use token::{TokenAction, TokenArgs, TokenCreateArgs, TokenRevokeArgs};
pub(crate) use tools::{CheckArgs, RenderArgs, SchemaArgs};
pub(crate) use watch::WatchArgs;
pub(crate) use webhooks::{WebhooksAction, WebhooksArgs, WebhooksRetryArgs};

/// Lets AI agents ask you questions, and keeps the questions until you answer.
#[derive(Debug, Parser)]
#[command(
    name = "askback",
    version = env!("ASKBACK_VERSION"),
    propagate_version = true,
    arg_required_else_help = true
)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

impl Args {
    /// Parses the arguments of this process.
    pub(crate) fn read() -> Result<Args, clap::Error> {
        let command = Args::command();
        let overview = overview::text(&command);
        let matches = command.override_help(overview).try_get_matches()?;
        Args::from_arg_matches(&matches)
    }
}

// A list of the server: tokens, people, sessions, channels or webhooks. A doc comment would be the help of each command.
#[derive(Debug, ClapArgs)]
pub(crate) struct ServerListArgs {
    /// Print one JSON object per line.
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) connect: ConnectArgs,
}

/// Parses the name of one of these values.
fn one_of<T: Copy + Send + Sync + 'static>(
    all: &'static [T],
    name: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    let names = PossibleValuesParser::new(all.iter().map(|value| name(*value)));
    names.try_map(move |given| {
        let mut values = all.iter().copied();
        values.find(|value| name(*value) == given).ok_or("unknown")
    })
}

#[cfg(test)]
#[path = "args/reference_tests.rs"]
mod reference_tests;
