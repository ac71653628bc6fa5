//! Arguments of `askback serve`.

use clap::{Args as ClapArgs, ValueEnum};

use super::SettingsArgs;

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  askback serve
  askback serve --phone
  askback serve --listen 127.0.0.1:8099 --data ./data   # port 0 takes a free one
  ANTHROPIC_API_KEY=… askback serve --provider anthropic --model MODEL")]
pub(crate) struct ServeArgs {
    /// Also listen on the address of this computer in its network, and print a QR code that signs a phone in.
    ///
    /// Others in the network reach the server, too, but cannot use it without the code or the token. Over HTTP, they could read
    /// along: use it in networks that you trust, or see docs/web.md for HTTPS.
    #[arg(long)]
    pub(crate) phone: bool,
    /// Log format [default: pretty].
    #[arg(long, value_name = "FORMAT")]
    pub(crate) log: Option<LogFormat>,
    /// Serve the fixtures of the MCP conformance suite in place of askback's tools.
    #[cfg(feature = "conformance")]
    #[arg(long, hide = true, requires = "data")]
    pub(crate) conformance: bool,
    #[command(flatten)]
    pub(crate) settings: SettingsArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogFormat {
    /// One JSON object per line.
    Json,
    /// For people.
    Pretty,
}
