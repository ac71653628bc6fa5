//! The commands that take the whole conversation of a person and an agent to the terminal.

use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueEnum};
use serde::Deserialize;

use super::{ConnectArgs, SettingsArgs};

/// How something is shown at a terminal.
#[derive(Debug, Clone, Default, ClapArgs)]
pub(crate) struct TerminalArgs {
    /// Use the controlling terminal even if standard input or error are something else.
    #[arg(long)]
    pub(crate) tty: bool,
    /// Ask line by line, without moving the cursor.
    #[arg(long)]
    pub(crate) lines: bool,
    /// Draw with ASCII characters only.
    #[arg(long)]
    pub(crate) ascii: bool,
    /// The language, such as de or pt-BR; by default that of the environment.
    #[arg(long, value_name = "TAG")]
    pub(crate) locale: Option<String>,
    /// What is drawn around a question [default: rail].
    #[arg(
        long,
        env = "ASKBACK_THEME",
        value_name = "THEME",
        help_heading = "Terminal"
    )]
    pub(crate) theme: Option<ThemeArg>,
    /// Whether clicks focus and choose; text cannot be selected by the mouse then [default: off].
    #[arg(
        long,
        env = "ASKBACK_MOUSE",
        value_name = "SWITCH",
        help_heading = "Terminal"
    )]
    pub(crate) mouse: Option<Switch>,
    /// Who reorders right-to-left text: the terminal (logical) or askback (visual) [default: logical].
    #[arg(
        long,
        env = "ASKBACK_BIDI",
        value_name = "ORDER",
        help_heading = "Terminal"
    )]
    pub(crate) bidi: Option<BidiArg>,
    /// Whether what was chosen does without lighting up for a moment [default: off].
    #[arg(
        long,
        env = "ASKBACK_REDUCED_MOTION",
        value_name = "SWITCH",
        help_heading = "Terminal"
    )]
    pub(crate) reduced_motion: Option<Switch>,
    /// Whether a single digit counts without enter when asked line by line [default: off].
    #[arg(
        long,
        env = "ASKBACK_INSTANT",
        value_name = "SWITCH",
        help_heading = "Terminal"
    )]
    pub(crate) instant: Option<Switch>,
}

/// On or off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Switch {
    /// On.
    On,
    /// Off.
    Off,
}

/// What is drawn around a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ThemeArg {
    /// A rail at the left.
    Rail,
    /// A full box.
    Boxed,
}

/// In which order right-to-left text is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum BidiArg {
    /// As it is read: the terminal reorders it.
    Logical,
    /// As it is seen: for terminals that do not.
    Visual,
}

/// Talk with the built-in agent at this terminal.
///
/// What is said stays in the scrollback; questions appear where they are asked and can be answered
/// here, in the browser or anywhere else. Leaving keeps everything, a question that waits included.
/// Without a terminal, each line of standard input is a message, and replies are printed.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  askback chat
  askback chat --provider anthropic --model MODEL
  askback chat --app translator
  askback chat --resume            # choose an earlier conversation
  askback chat --resume cnv_01…
  echo 'Plan a small web service' | askback chat

Exit codes: 0 left, 1 error, 3 without a terminal and a question waits, 130 left with ctrl+c.")]
pub(crate) struct ChatArgs {
    /// The app to talk with; the general assistant if left out.
    #[arg(long, value_name = "ID", conflicts_with = "resume")]
    pub(crate) app: Option<String>,
    /// Go on with an earlier conversation: this one, or one of a list.
    #[arg(long, value_name = "ID", num_args = 0..=1, default_missing_value = "")]
    pub(crate) resume: Option<String>,
    #[command(flatten)]
    pub(crate) terminal: TerminalArgs,
    #[command(flatten)]
    pub(crate) connect: ConnectArgs,
}

/// See and answer every question that waits, of all agents.
///
/// The one that closes first stands at the top, then the oldest. New questions appear by themselves.
/// Without a terminal, prints what waits, as `askback list` does.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Example:
  askback inbox

Keys: j and k move, enter opens, 1-9 choose, s skips, r rejects, d declines, x marks, u takes the
last answer back, ? shows all, q leaves. `askback keys` lists them all and tells how to bind others.")]
pub(crate) struct InboxArgs {
    /// For how many seconds an answer can be taken back before its agent gets it; 0 for not at all
    /// [default: 5, or `undo` in the configuration].
    #[arg(long, value_name = "SECONDS")]
    pub(crate) undo: Option<u32>,
    #[command(flatten)]
    pub(crate) terminal: TerminalArgs,
    #[command(flatten)]
    pub(crate) connect: ConnectArgs,
}

/// See what askback does, without a key or any configuration.
///
/// A scripted agent walks through all kinds of questions in the real chat. End it at any point, even
/// with kill -9, and start it again: it goes on where it was.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  askback demo
  askback demo --again             # from the beginning")]
pub(crate) struct DemoArgs {
    /// Begin a new conversation even if one is under way.
    #[arg(long)]
    pub(crate) again: bool,
    #[command(flatten)]
    pub(crate) terminal: TerminalArgs,
    #[command(flatten)]
    pub(crate) settings: SettingsArgs,
}

/// List what every key does at the terminal, as it is bound here.
///
/// The first column is the name under which an action is bound to other keys in a configuration file.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  askback keys
  askback keys --config askback.toml

A configuration binds other keys by the names of the actions:
  [keys]                        # questions, wherever they are asked
  skip = \"x\"
  send-all = [\"ctrl+enter\", \"ctrl+x\"]
  copy-link = []                # no key
  [keys.chat]                   # the field and the menus of the chat
  read = \"ctrl+r\"
  [keys.inbox]                  # the list of the inbox
  mark = \"m\"

A key is a character, enter, esc, tab, space, backspace, delete, up, down, left, right, home, end,
pgup or pgdn, with ctrl+, alt+ or shift+ before it. Where text is typed, characters stay text.")]
pub(crate) struct KeysArgs {
    /// A configuration file (TOML).
    #[arg(long, env = "ASKBACK_CONFIG", value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
}
