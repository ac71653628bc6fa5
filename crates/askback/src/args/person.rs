//! Arguments of `askback person`.

use clap::{Args as ClapArgs, Subcommand};
use jiff::civil::Date;

use super::{ConnectArgs, ServerListArgs};

#[derive(Debug, ClapArgs)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "\
Examples:
  askback person add anna --name Anna
  askback person add anna --name Anna --account proxy:anna@example.org
  askback person add ops --members anna,ben              # a group: all get its questions
  askback person add on-call --members anna,ben --rotate 7 --since 2026-11-16
  askback person
  askback person remove anna
  askback person forget anna"
)]
pub(crate) struct PersonArgs {
    #[command(subcommand)]
    pub(crate) action: Option<PersonAction>,
    #[command(flatten)]
    pub(crate) list: ServerListArgs,
}

#[derive(Debug, Subcommand)]
pub(crate) enum PersonAction {
    /// Add a person or a group, or change it. It counts at once, on every node.
    Add(PersonAddArgs),
    /// List people and groups.
    List(ServerListArgs),
    /// Remove people or groups. The tokens and sessions of a person end; administrators see what is left for them.
    Remove(PersonRemoveArgs),
    /// Remove a person, and show a pseudonym in place of their name in all that they did. The stored record still has it.
    Forget(PersonForgetArgs),
}

#[derive(Debug, ClapArgs)]
pub(crate) struct PersonAddArgs {
    /// What questions name: small letters, digits and hyphens.
    pub(crate) alias: String,
    /// Name that others see [default: the alias].
    #[arg(long, conflicts_with = "members")]
    pub(crate) name: Option<String>,
    /// Account of the person, such as proxy:anna@example.org. May be given several times.
    #[arg(
        long = "account",
        value_name = "SERVICE:ID",
        conflicts_with = "members"
    )]
    pub(crate) accounts: Vec<String>,
    /// Make a group of these people.
    #[arg(long, value_name = "ALIASES", value_delimiter = ',')]
    pub(crate) members: Vec<String>,
    /// Ask the first member, and the others by and by if the question has a deadline.
    #[arg(long, requires = "members")]
    pub(crate) in_order: bool,
    /// Like --in-order, but another member is the first after this many days.
    #[arg(
        long,
        value_name = "DAYS",
        requires = "members",
        conflicts_with = "in_order"
    )]
    pub(crate) rotate: Option<u32>,
    /// Day on which the first member began, in UTC [default: today].
    #[arg(long, value_name = "DATE", requires = "rotate")]
    pub(crate) since: Option<Date>,
    #[command(flatten)]
    pub(crate) connect: ConnectArgs,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct PersonRemoveArgs {
    /// Aliases of people or groups.
    #[arg(required = true, value_name = "ALIAS")]
    pub(crate) aliases: Vec<String>,
    #[command(flatten)]
    pub(crate) connect: ConnectArgs,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct PersonForgetArgs {
    /// Alias of the person.
    pub(crate) alias: String,
    /// Another name that they have acted under, or the name of somebody who was removed before. May be given several times.
    #[arg(long = "name", value_name = "NAME")]
    pub(crate) names: Vec<String>,
    /// Do not ask.
    #[arg(long)]
    pub(crate) yes: bool,
    #[command(flatten)]
    pub(crate) connect: ConnectArgs,
}
