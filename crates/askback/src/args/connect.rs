//! The flags that say which server a command uses.

use std::path::Path;

use clap::parser::ValueSource;
use clap::{ArgMatches, Args as ClapArgs, FromArgMatches};

use super::SettingsArgs;
use super::settings::hide_server_settings;
use crate::settings::variable;
use crate::shell_quoting::shell_quoted;

// Which server to use: the one at --url, the one that runs for the data directory, or one in this
// process.
#[derive(Debug, Clone)]
pub(crate) struct ConnectArgs {
    pub(crate) url: Option<String>,
    pub(crate) settings: SettingsArgs,
}

#[derive(ClapArgs)]
#[command(next_help_heading = "Server", mut_args(hide_server_settings))]
struct ConnectFlags {
    /// Address of a running server; give its token with --token-file.
    #[arg(long, env = "ASKBACK_URL", value_name = "URL")]
    url: Option<String>,
    #[command(flatten)]
    settings: SettingsArgs,
}

impl ClapArgs for ConnectArgs {
    fn augment_args(command: clap::Command) -> clap::Command {
        ConnectFlags::augment_args(command)
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        ConnectFlags::augment_args_for_update(command)
    }
}

impl FromArgMatches for ConnectArgs {
    /// A data directory on the command line comes before an address from the environment.
    fn from_arg_matches(matches: &ArgMatches) -> Result<ConnectArgs, clap::Error> {
        let ConnectFlags { url, settings } = ConnectFlags::from_arg_matches(matches)?;
        let has_data_flag = matches.value_source("data") == Some(ValueSource::CommandLine);
        let has_url_flag = matches.value_source("url") == Some(ValueSource::CommandLine);
        let url = url.filter(|_| has_url_flag || !has_data_flag);
        Ok(ConnectArgs { url, settings })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = ConnectArgs::from_arg_matches(matches)?;
        Ok(())
    }
}

impl ConnectArgs {
    /// The flags with which another command reaches the same server, with a space before each; empty
    /// if no flag was given.
    pub(crate) fn server_flags(&self) -> String {
        let data = self.settings.data.as_deref().and_then(Path::to_str);
        given_flags(&[
            ("--url", "ASKBACK_URL", self.url.as_deref()),
            ("--data", "ASKBACK_DATA", data),
        ])
    }

    /// The flags with which another command continues with the same model, as [`Self::server_flags`].
    pub(crate) fn model_flags(&self) -> String {
        let settings = &self.settings;
        let config = settings.config.as_deref().and_then(Path::to_str);
        given_flags(&[
            (
                "--provider",
                "ASKBACK_PROVIDER",
                settings.provider.as_deref(),
            ),
            ("--model", "ASKBACK_MODEL", settings.model.as_deref()),
            (
                "--base-url",
                "ASKBACK_BASE_URL",
                settings.base_url.as_deref(),
            ),
            ("--config", "ASKBACK_CONFIG", config),
        ])
    }
}

/// The flags that have a value, with a space before each. A value from the environment is left out: it
/// reaches another command by itself.
fn given_flags(flags: &[(&str, &str, Option<&str>)]) -> String {
    let is_given = |value: &str, name| variable(name).as_deref() != Some(value);
    let mut given = String::new();
    for (flag, name, value) in flags {
        if let Some(value) = value.filter(|value| is_given(value, name)) {
            given.push(' ');
            given.push_str(flag);
            given.push(' ');
            given.push_str(&shell_quoted(value));
        }
    }
    given
}
