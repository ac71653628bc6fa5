//! `askback phone`: a code with which a phone signs in to the running server.

use std::io::Write as _;

use askback_client::Client;
use askback_terminal::clock::time_of_day;
use askback_tui::prompt::is_on_loopback;
use askback_wire::session::{NewSignInCodeParams, SignInCodeResponse};

use super::link::print_qr;
use crate::args::PhoneArgs;
use crate::connect::with_server;
use crate::failure::{Failure, client_error, refuse};
use crate::output;

const NO_SERVER: &str = "No server is running that a phone could open. Run: askback serve --phone";

const ONLY_HERE: &str =
    "The running server listens only on this computer. Stop it, and run: askback serve --phone";

pub(crate) fn run(args: &PhoneArgs) -> Result<(), Failure> {
    let made = with_server(&args.connect, async |server| {
        if server.is_embedded().await {
            return refuse(NO_SERVER);
        }
        Ok(create_code(&server.client, args.person.as_deref()).await?)
    })?;
    print(&made)
}

/// For one person, or for an administrator.
pub(super) async fn create_code(
    client: &Client,
    person: Option<&str>,
) -> anyhow::Result<SignInCodeResponse> {
    let params = NewSignInCodeParams {
        person: person.map(str::to_owned),
    };
    let created = client.create_sign_in_code(&params).await;
    created.map_err(|error| client_error(&error))
}

/// Prints the link and its QR code, unless nobody else can open it.
pub(super) fn print(code: &SignInCodeResponse) -> Result<(), Failure> {
    if is_on_loopback(&code.url) {
        return refuse(ONLY_HERE);
    }
    let mut out = output::stdout();
    writeln!(
        out,
        "On a phone in the same network, scan the code, or open"
    )?;
    writeln!(out, "{}", code.url)?;
    print_qr(&mut out, &code.url)?;
    let time = time_of_day(code.expires_at);
    writeln!(
        out,
        "It signs in one browser, until {time}. For another: askback phone"
    )?;
    if code.url.starts_with("http://") {
        writeln!(
            out,
            "This is HTTP: your network could read along (docs/web.md)."
        )?;
    }
    out.flush()?;
    Ok(())
}
