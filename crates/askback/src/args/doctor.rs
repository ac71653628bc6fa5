//! Arguments of `askback doctor`.

use clap::Args as ClapArgs;

use super::ConnectArgs;
use super::settings::show_model_settings;

#[derive(Debug, ClapArgs)]
#[command(
    after_help = "\
Examples:
  askback doctor
  askback doctor --provider openai --base-url http://127.0.0.1:8080/v1 --model MODEL
  askback doctor --offline
  askback doctor --limits",
    mut_args(show_model_settings)
)]
pub(crate) struct DoctorArgs {
    /// Skip the request to the provider.
    #[arg(long)]
    pub(crate) offline: bool,
    /// If an agent starts a program that has gone, put this one into its settings instead.
    #[arg(long)]
    pub(crate) repair: bool,
    /// Also print the limits of questions, answers and requests.
    #[arg(long)]
    pub(crate) limits: bool,
    #[command(flatten)]
    pub(crate) connect: ConnectArgs,
}
