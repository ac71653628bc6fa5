//! Arguments of `askback link`, `askback phone`, `askback sessions` and `askback webhook-secret`.

use askback_wire::duration::HumanDuration;
use askback_wire::link::LinkAllow;
use clap::{Args as ClapArgs, ValueEnum};

use super::{ConnectArgs, ServerListArgs, SettingsArgs};

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  askback link inq_01…
  askback link inq_01… --expires-in 2h
  askback link inq_01… --allow stop
  askback link inq_01… --json | jq -r .url")]
pub(crate) struct LinkArgs {
    /// Id of the question, from `askback list`.
    pub(crate) id: String,
    /// How long the link works, 7d at most [default: 1d].
    #[arg(long, value_name = "TIME")]
    pub(crate) expires_in: Option<HumanDuration>,
    /// What the link permits; each value includes those before it.
    #[arg(long, value_name = "WHAT", default_value = "decline")]
    pub(crate) allow: LinkAllowArg,
    /// Print one JSON object, without the QR code.
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) connect: ConnectArgs,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  askback serve --phone    # in another terminal
  askback phone
  askback phone --for anna")]
pub(crate) struct PhoneArgs {
    /// Alias of the person whom the link signs in. Without it, it signs an administrator in.
    #[arg(long = "for", value_name = "ALIAS")]
    pub(crate) person: Option<String>,
    #[command(flatten)]
    pub(crate) connect: ConnectArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LinkAllowArg {
    /// Answer the question, or skip it if it is optional.
    Answer,
    /// Also let the agent decide: it continues without an answer.
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

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  askback webhook-secret
  askback webhook-secret rotate
  askback webhook-secret rotate --overlap 0s   # the old secret has leaked")]
pub(crate) struct WebhookSecretArgs {
    #[arg(value_name = "ACTION", default_value = "show")]
    pub(crate) action: WebhookSecretAction,
    /// With rotate: how long deliveries are also signed with the old secret, 30d at most
    /// [default: 2d].
    #[arg(long, value_name = "TIME")]
    pub(crate) overlap: Option<HumanDuration>,
    #[command(flatten)]
    pub(crate) settings: SettingsArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum WebhookSecretAction {
    /// Print the secret.
    Show,
    /// Replace the secret and print the new one.
    Rotate,
}

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
    /// With end: ids of the sessions to end.
    #[arg(value_name = "ID")]
    pub(crate) ids: Vec<String>,
    /// With end: end all sessions.
    #[arg(long, conflicts_with = "ids")]
    pub(crate) all: bool,
    #[command(flatten)]
    pub(crate) list: ServerListArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SessionsAction {
    /// List sessions, the most recently used first.
    List,
    /// Sign browsers out.
    End,
}
