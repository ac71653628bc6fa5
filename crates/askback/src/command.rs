//! One file per command.

mod answer;
mod ask;
mod audit;
mod backup;
mod channel;
mod chat;
mod check;
mod completions;
mod confirm;
mod demo;
mod doctor;
mod hand_on;
mod hook;
mod inbox;
mod inquiry_id;
mod inquiry_line;
mod install;
mod keys;
mod link;
mod list;
mod man;
mod mcp;
mod migrate;
mod person;
mod phone;
mod render;
mod schema;
mod serve;
mod server_list;
mod sessions;
mod stored_prompt;
mod token;
mod update;
mod watch;
mod webhook_secret;
mod webhooks;

use askback_core::dialect::{Dialect, ParseOptions, Parsed, recognise};

use crate::args::Command;
use crate::failure::Failure;

pub(crate) fn run(command: Command) -> Result<(), Failure> {
    match command {
        Command::Schema(args) => schema::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Render(args) => render::run(&args),
        Command::Demo(args) => demo::run(&args),
        Command::Chat(args) => chat::run(&args),
        Command::Inbox(args) => inbox::run(&args),
        Command::Ask(args) => ask::run(&args),
        Command::Keys(args) => keys::run(&args),
        Command::Serve(args) => serve::run(&args),
        Command::List(args) => list::run(&args),
        Command::Answer(args) => answer::run(&args),
        Command::HandOn(args) => hand_on::run(&args),
        Command::Link(args) => link::run(&args),
        Command::Phone(args) => phone::run(&args),
        Command::Watch(args) => watch::run(&args),
        Command::Channel(args) => channel::run(&args),
        Command::Sessions(args) => sessions::run(&args),
        Command::Token(args) => token::run(&args),
        Command::Person(args) => person::run(&args),
        Command::Webhooks(args) => webhooks::run(&args),
        Command::Audit(args) => audit::run(&args),
        Command::Backup(args) => backup::run(&args),
        Command::Migrate(args) => migrate::run(&args),
        Command::WebhookSecret(args) => webhook_secret::run(&args),
        Command::Doctor(args) => doctor::run(&args),
        Command::Mcp(args) => mcp::run(&args),
        Command::Install(args) => install::run(&args),
        Command::Hook(args) => hook::run(&args),
        Command::Completions(args) => completions::run(&args),
        Command::Update(args) => update::run(&args),
        Command::Man(args) => man::run(&args),
    }
}

/// Parses a tool input in the given dialect, or in the one it looks like.
fn parse_input(
    text: &str,
    dialect: Option<Dialect>,
    options: ParseOptions,
) -> Result<Parsed, Failure> {
    let dialect = match dialect {
        Some(named) => named,
        None => {
            serde_json::from_str(text).map_or(Dialect::AskUserQuestion, |value| recognise(&value))
        }
    };
    dialect
        .parse_text(text, options)
        .map_err(|error| Failure::Refused(error.to_string()))
}
