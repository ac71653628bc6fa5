//! `askback token`: makes, lists and revokes tokens that permit a part of what the server's token does.

use std::io::Write as _;

use askback_core::text::{Lines, Text};
use askback_wire::credential::{CredentialResponse, NewCredentialParams};

use crate::args::{TokenAction, TokenArgs, TokenCreateArgs, TokenListArgs, TokenRevokeArgs};
use crate::connect::{Connection, FallbackModel};
use crate::failure::Failure;
use crate::output;
use crate::runtime;

const TIME_FORMAT_UTC: &str = "%Y-%m-%d %H:%MZ";

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
    let created = runtime::block_on(async {
        let connection = Connection::open(&args.connect, FallbackModel::None).await?;
        let created = connection.client.create_token(&params).await;
        connection.close().await?;
        Ok(created)
    })??;
    let mut out = output::stdout();
    if args.json {
        let line = serde_json::to_string(&created).map_err(anyhow::Error::from)?;
        writeln!(out, "{line}")?;
        return Ok(());
    }
    writeln!(out, "{}", created.token)?;
    writeln!(
        output::stderr(),
        "Keep it: it is not shown again. To end it: askback token revoke {}",
        clean(&args.name),
    )?;
    Ok(())
}

fn list(args: &TokenListArgs) -> Result<(), Failure> {
    let listed = runtime::block_on(async {
        let connection = Connection::open(&args.connect, FallbackModel::None).await?;
        let listed = connection.client.tokens().await;
        connection.close().await?;
        Ok(listed)
    })??;
    if listed.items.is_empty() && !args.json {
        writeln!(
            output::stderr(),
            "There is no token but the server's own, which may do everything."
        )?;
    }
    let mut out = output::stdout();
    for credential in &listed.items {
        if args.json {
            let line = serde_json::to_string(credential).map_err(anyhow::Error::from)?;
            writeln!(out, "{line}")?;
        } else {
            writeln!(out, "{}", line(credential))?;
        }
    }
    Ok(())
}

fn revoke(args: &TokenRevokeArgs) -> Result<(), Failure> {
    let revoked = runtime::block_on(async {
        let connection = Connection::open(&args.connect, FallbackModel::None).await?;
        let mut revoked = Ok(());
        for name in &args.names {
            revoked = revoked.and(connection.client.revoke_token(name).await);
        }
        connection.close().await?;
        Ok(revoked)
    })?;
    Ok(revoked?)
}

/// A server at --url may be of another version, so that its texts are cleaned again.
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

fn clean(text: &str) -> String {
    Text::clean(text, Lines::One)
        .map(String::from)
        .unwrap_or_default()
}
