//! Lists that the server keeps: tokens, people, sessions, channels and webhooks.

use std::io::Write as _;

use askback_client::{Client, ClientError};
use askback_core::text::{Lines, Text};
use serde::Serialize;

use crate::args::ServerListArgs;
use crate::connect::with_server;
use crate::failure::Failure;
use crate::output;

/// How a list shows a time.
pub(super) const TIME_FORMAT_UTC: &str = "%Y-%m-%d %H:%MZ";

/// Prints what the server lists, as JSON or as lines. `none` is said if there is nothing to list.
pub(super) fn print_list<T: Serialize>(
    args: &ServerListArgs,
    none: &str,
    read: impl AsyncFnOnce(&Client) -> Result<Vec<T>, ClientError>,
    line: impl Fn(&T) -> String,
) -> Result<(), Failure> {
    let items = with_server(&args.connect, async |server| read(&server.client).await)?;
    if items.is_empty() && !args.json && !none.is_empty() {
        writeln!(output::stderr(), "{none}")?;
    }
    for item in &items {
        if args.json {
            print_json(item)?;
        } else {
            writeln!(output::stdout(), "{}", line(item))?;
        }
    }
    Ok(())
}

/// Prints one JSON object in a line.
pub(super) fn print_json(value: &impl Serialize) -> Result<(), Failure> {
    let line = serde_json::to_string(value).map_err(anyhow::Error::from)?;
    Ok(writeln!(output::stdout(), "{line}")?)
}

/// A text of the server, in one line.
pub(super) fn clean(text: &str) -> String {
    let text = Text::clean(text, Lines::One);
    text.map(String::from).unwrap_or_default()
}
