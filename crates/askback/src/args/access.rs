//! Arguments of the commands that let others in, and keep them out: links, sessions, the secret of
//! webhooks.

use askback_wire::duration::HumanDuration;
use askback_wire::link::LinkAllow;
use clap::{Args as ClapArgs, ValueEnum};

use super::{ConnectArgs, SettingsArgs};

/// Make a link with which somebody else can answer one question.
///
/// Prints the link, and the same as a code that a phone can scan. It shows and answers this one
/// question, once, and opens nothing else. The server must be reachable from there: see
/// --public-url and --listen of `askback serve`.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  askback link inq_01…
  askback link inq_01… --expires-in 2h
  askback link inq_01… --allow stop
  askback link inq_01… --json | jq -r .url")]
pub(crate) struct LinkArgs {
    /// The id of the question.
    pub(crate) id: String,
    /// For how long the link opens the question; a week at most [default: 1d].
    #[arg(long, value_name = "TIME")]
    pub(crate) expires_in: Option<HumanDuration>,
    /// What its holder may do; each one includes those before it.
    #[arg(long, value_name = "WHAT", default_value = "decline")]
    pub(crate) allow: LinkAllowArg,
    /// The link as one JSON object, without the code.
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) connect: ConnectArgs,
}

/// What the holder of a link may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LinkAllowArg {
    /// Answer the question, or skip it where that is possible.
    Answer,
    /// Also decline to answer: the agent goes on without an answer.
    Decline,
    /// Also stop the agent.
    Stop,
}

impl From<LinkAllowArg> for LinkAllow {
    fn from(arg: LinkAllowArg) -> LinkAllow {
        match arg {
            LinkAllowArg::Answer => LinkAllow::Answer,
            LinkAllowArg::Decline => LinkAllow::Decline,
            LinkAllowArg::Stop => LinkAllow::Stop,
        }
    }
}

/// Show the secret that webhooks are signed with, or replace it.
///
/// It is kept in the data directory; `ASKBACK_WEBHOOK_SECRET` or `webhook_secret` in a configuration file
/// go before it. A running server signs with a new secret from its next delivery on, and with the old
/// one as well for as long as they overlap.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  askback webhook-secret
  askback webhook-secret rotate
  askback webhook-secret rotate --overlap 0s   # the old secret is known to others")]
pub(crate) struct WebhookSecretArgs {
    #[arg(value_name = "ACTION", default_value = "show")]
    pub(crate) action: WebhookSecretAction,
    /// With rotate: for how long deliveries are signed with the old secret as well; 30d at most
    /// [default: 2d].
    #[arg(long, value_name = "TIME")]
    pub(crate) overlap: Option<HumanDuration>,
    #[command(flatten)]
    pub(crate) settings: SettingsArgs,
}

/// What to do with the secret of webhooks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum WebhookSecretAction {
    /// Print the secret.
    Show,
    /// Replace the secret, and print the new one.
    Rotate,
}

/// List the browsers that are signed in, or sign them out.
///
/// A browser is signed in by opening the address that the server printed. Ending its session closes
/// its feeds at once; it is signed in again only with the token.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  askback sessions
  askback sessions end ses_5f0c…
  askback sessions end --all
  askback sessions --json | jq -r .user_agent")]
pub(crate) struct SessionsArgs {
    #[arg(value_name = "ACTION", default_value = "list")]
    pub(crate) action: SessionsAction,
    /// With end: the sessions to end.
    #[arg(value_name = "ID")]
    pub(crate) ids: Vec<String>,
    /// With end: all sessions.
    #[arg(long, conflicts_with = "ids")]
    pub(crate) all: bool,
    /// One JSON object a line.
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) connect: ConnectArgs,
}

/// What to do with the sessions of browsers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SessionsAction {
    /// List them, the last used first.
    List,
    /// Sign browsers out.
    End,
}
