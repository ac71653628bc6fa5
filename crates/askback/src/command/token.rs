//! `askback token`: makes, lists and revokes tokens that permit a part of what the server's token does.

use std::io::Write as _;

use askback_client::Client;
use askback_wire::credential::{CredentialResponse, NewCredentialParams};

use super::server_list::{TIME_FORMAT_UTC, clean, print_json, print_list};
use crate::args::{ServerListArgs, TokenAction, TokenArgs, TokenCreateArgs, TokenRevokeArgs};
use crate::connect::with_server;
use crate::failure::Failure;
use crate::output;

pub(crate) fn run(args: &TokenArgs) -> Result<(), Failure> {
    match &args.action {
        None => list(&args.list),
        Some(TokenAction::List(args)) => list(args),
        Some(TokenAction::Create(args)) => create(args),
        Some(TokenAction::Revoke(args)) => revoke(args),
    }
}

/// The token alone goes to standard output, so that a script can take it.
fn create(args: &TokenCreateArgs) -> Result<(), Failure> {
    let params = NewCredentialParams {
        name: args.name.clone(),
        scope: args.scope.into(),
        person: args.person.clone(),
        expires_in: args.expires,
    };
    let created = with_server(&args.connect, async |server| {
        server.client.create_token(&params).await
    })?;
    if args.json {
        return print_json(&created);
    }
    writeln!(output::stdout(), "{}", created.token)?;
    writeln!(
        output::stderr(),
        "Keep it: it is not shown again. To end it: askback token revoke {}",
        clean(&args.name),
    )?;
    Ok(())
}

fn list(args: &ServerListArgs) -> Result<(), Failure> {
    let none = "There is no token but the server's own, which may do everything.";
    let tokens = async |client: &Client| Ok(client.tokens().await?.items);
    print_list(args, none, tokens, line)
}

fn revoke(args: &TokenRevokeArgs) -> Result<(), Failure> {
    with_server(&args.connect, async |server| {
        let mut revoked = Ok(());
        for name in &args.names {
            revoked = revoked.and(server.client.revoke_token(name).await);
        }
        revoked
    })
}

fn line(credential: &CredentialResponse) -> String {
    let person = credential.person.as_deref();
    let person = person.map(|alias| format!(" for {}", clean(alias)));
    let used = credential.last_used_at.map_or_else(
        || "never used".to_owned(),
        |at| format!("last used {}", at.strftime(TIME_FORMAT_UTC)),
    );
    let ends = credential.expires_at;
    let ends = ends.map(|at| format!("  ends {}", at.strftime(TIME_FORMAT_UTC)));
    format!(
        "{}  {}{}  made {}  {used}{}",
        clean(&credential.name),
        clean(credential.scope.as_str()),
        person.unwrap_or_default(),
        credential.created_at.strftime(TIME_FORMAT_UTC),
        ends.unwrap_or_default(),
    )
}
