//! Arguments of `askback completions`, `askback man` and `askback update`.

use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueEnum};

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  askback completions bash > ~/.local/share/bash-completion/completions/askback
  askback completions zsh > ~/.zfunc/_askback      # with ~/.zfunc in fpath
  askback completions fish > ~/.config/fish/completions/askback.fish
  askback completions powershell >> $PROFILE
  askback completions nushell > ~/.config/nushell/autoload/askback.nu")]
pub(crate) struct CompletionsArgs {
    /// Shell to print the script for.
    pub(crate) shell: ShellArg,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ShellArg {
    Bash,
    Zsh,
    Fish,
    Powershell,
    Elvish,
    Nushell,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ManArgs {
    /// Directory for the pages. It is created if it does not exist.
    pub(crate) directory: PathBuf,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  askback update")]
pub(crate) struct UpdateArgs {}
