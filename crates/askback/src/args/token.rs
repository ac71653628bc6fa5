//! Arguments of `askback token`.

use askback_wire::credential::ScopeName;
use askback_wire::duration::HumanDuration;
use clap::{Args as ClapArgs, Subcommand, ValueEnum};

use super::{ConnectArgs, ServerListArgs};

#[derive(Debug, ClapArgs)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "\
Examples:
  askback token create deploy-job --scope agent --expires 90d
  askback token create annas-phone --scope respondent --for anna
  askback token create prometheus --scope metrics
  askback token
  askback token revoke deploy-job"
)]
pub(crate) struct TokenArgs {
    #[command(subcommand)]
    pub(crate) action: Option<TokenAction>,
    #[command(flatten)]
    pub(crate) list: ServerListArgs,
}

#[derive(Debug, Subcommand)]
pub(crate) enum TokenAction {
    /// Make a token, and print it this one time.
    Create(TokenCreateArgs),
    /// List tokens, without their secrets.
    List(ServerListArgs),
    /// Revoke tokens: their feeds and sessions end at once.
    Revoke(TokenRevokeArgs),
}

#[derive(Debug, ClapArgs)]
pub(crate) struct TokenCreateArgs {
    /// Name of the token. An agent asks under this name.
    pub(crate) name: String,
    /// What the token permits.
    #[arg(long, value_enum)]
    pub(crate) scope: ScopeArg,
    /// With the scope respondent: the alias of the person.
    #[arg(
        long = "for",
        value_name = "ALIAS",
        required_if_eq("scope", "respondent")
    )]
    pub(crate) person: Option<String>,
    /// How long the token works, such as 90d [default: until it is revoked].
    #[arg(long, value_name = "TIME")]
    pub(crate) expires: Option<HumanDuration>,
    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) connect: ConnectArgs,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct TokenRevokeArgs {
    /// Names of the tokens.
    #[arg(required = true, value_name = "NAME")]
    pub(crate) names: Vec<String>,
    #[command(flatten)]
    pub(crate) connect: ConnectArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ScopeArg {
    /// Everything.
    Admin,
    /// Ask, and follow, wait for and withdraw what was asked with it.
    Agent,
    /// See and answer what is for one person.
    Respondent,
    /// Read metrics.
    Metrics,
}

impl From<ScopeArg> for ScopeName {
    fn from(arg: ScopeArg) -> ScopeName {
        match arg {
            ScopeArg::Admin => ScopeName::Admin,
            ScopeArg::Agent => ScopeName::Agent,
            ScopeArg::Respondent => ScopeName::Respondent,
            ScopeArg::Metrics => ScopeName::Metrics,
        }
    }
}
