//! Arguments of the commands with a terminal screen: `chat`, `inbox`, `demo`, and `keys`.

use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueEnum};
use serde::Deserialize;

use super::settings::{hide_server_settings_of_demo, show_model_settings};
use super::{ConnectArgs, SettingsArgs};
use crate::backend::ShownQuestions;

// For how long an answer can be undone.
#[derive(Debug, Clone, Copy, Default, ClapArgs)]
pub(crate) struct UndoArgs {
    /// Seconds in which an answer can be undone before the agent gets it, up to 60; 0 turns undo off.
    /// Line mode offers undo only if this is set, here or in the configuration
    /// [default: 5; `ASKBACK_UNDO`, or `undo` in the configuration].
    #[arg(long, value_name = "SECONDS")]
    pub(crate) undo: Option<u32>,
}

// How the terminal is used.
#[derive(Debug, Clone, Default, ClapArgs)]
#[command(next_help_heading = "Terminal")]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub(crate) struct TerminalArgs {
    /// Use the controlling terminal, even if standard input or standard error is redirected.
    #[arg(long)]
    pub(crate) tty: bool,
    /// Ask line by line, without moving the cursor. Suits screen readers.
    #[arg(long)]
    pub(crate) lines: bool,
    /// Use only ASCII characters.
    #[arg(long, hide_short_help = true)]
    pub(crate) ascii: bool,
    /// Language, such as de or pt-BR; by default from the environment.
    #[arg(long, value_name = "TAG")]
    pub(crate) locale: Option<String>,
    /// Neither ring the bell nor send desktop notifications.
    #[arg(long)]
    pub(crate) quiet: bool,
    /// Let clicks focus and choose. The terminal's own text selection is off meanwhile
    /// [default: off].
    #[arg(
        long,
        env = "ASKBACK_MOUSE",
        hide_short_help = true,
        value_name = "SWITCH"
    )]
    pub(crate) mouse: Option<Switch>,
    /// Who reorders right-to-left text: the terminal (logical) or askback (visual) [default: logical].
    #[arg(
        long,
        env = "ASKBACK_BIDI",
        hide_short_help = true,
        value_name = "ORDER"
    )]
    pub(crate) bidi: Option<BidiArg>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Switch {
    On,
    Off,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum BidiArg {
    /// In reading order; the terminal reorders it.
    Logical,
    /// In display order, for terminals that do not reorder.
    Visual,
}

#[derive(Debug, ClapArgs)]
#[command(
    after_help = "\
Examples:
  askback chat
  askback chat --provider anthropic --model MODEL
  askback chat --app translator
  askback chat --resume            # choose an earlier conversation
  askback chat --resume cnv_01…
  echo 'Plan a small web service' | askback chat

Exit codes: 0 left, 1 error, 3 a question is pending and there is no terminal, 130 left with ctrl+c.",
    mut_args(show_model_settings)
)]
pub(crate) struct ChatArgs {
    /// App to chat with [default: the general assistant].
    #[arg(long, value_name = "ID", conflicts_with = "resume")]
    pub(crate) app: Option<String>,
    /// Resume the conversation with this id or, without an id, one chosen from a list.
    #[arg(long, value_name = "ID", num_args = 0..=1, default_missing_value = "")]
    pub(crate) resume: Option<String>,
    #[command(flatten)]
    pub(crate) undo: UndoArgs,
    #[command(flatten)]
    pub(crate) terminal: TerminalArgs,
    #[command(flatten)]
    pub(crate) connect: ConnectArgs,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Example:
  askback inbox

Keys: j and k move, enter opens, 1-9 choose, s skips, r stops the agent, d lets the agent decide,
x marks, u undoes the last answer, ? shows all keys, q leaves. `askback keys` lists all keys and
how to change them.")]
pub(crate) struct InboxArgs {
    /// Show only questions that name you or a group of yours, with your own token. They come first anyway.
    #[arg(long)]
    pub(crate) for_me: bool,
    #[command(flatten)]
    pub(crate) undo: UndoArgs,
    #[command(flatten)]
    pub(crate) terminal: TerminalArgs,
    #[command(flatten)]
    pub(crate) connect: ConnectArgs,
}

impl InboxArgs {
    pub(crate) fn shown(&self) -> ShownQuestions {
        if self.for_me {
            ShownQuestions::ForMe
        } else {
            ShownQuestions::All
        }
    }
}

#[derive(Debug, ClapArgs)]
#[command(
    after_help = "\
Examples:
  askback demo
  askback demo --again             # from the beginning

The demo has a data directory of its own: `demo` in the usual data directory. To reach its questions
from another terminal, name that directory:
  askback list --data ~/.local/share/askback/demo",
    mut_args(hide_server_settings_of_demo)
)]
pub(crate) struct DemoArgs {
    /// Start a new conversation, even if an earlier one is unfinished.
    #[arg(long)]
    pub(crate) again: bool,
    #[command(flatten)]
    pub(crate) undo: UndoArgs,
    #[command(flatten)]
    pub(crate) terminal: TerminalArgs,
    #[command(flatten)]
    pub(crate) settings: SettingsArgs,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  askback keys
  askback keys --config askback.toml

A configuration file binds other keys to the actions:
  [keys]                        # questions, on every screen
  skip = \"x\"
  send-all = [\"ctrl+enter\", \"ctrl+x\"]
  copy-link = []                # no key
  [keys.chat]                   # the input field and menus of the chat
  editor = \"ctrl+r\"
  [keys.inbox]                  # the list of the inbox
  mark = \"m\"

A key is a character, enter, esc, tab, space, backspace, delete, up, down, left, right, home, end,
pgup or pgdn, with ctrl+, alt+ or shift+ before it. In text fields, characters are always text.")]
pub(crate) struct KeysArgs {
    /// Configuration file (TOML).
    #[arg(long, env = "ASKBACK_CONFIG", value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
}
