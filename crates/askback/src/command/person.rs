//! `askback person`: adds, lists, removes and forgets the people and groups that questions are for.

use std::io::Write as _;

use askback_client::{Client, ClientError};
use askback_wire::recipient::{ForgetParams, OnCallParams, RecipientParams, RecipientResponse};

use super::confirm::is_confirmed;
use super::server_list::{clean, print_list};
use crate::args::{PersonAction, PersonAddArgs, PersonArgs, PersonForgetArgs, ServerListArgs};
use crate::connect::with_server;
use crate::failure::Failure;
use crate::output;

pub(crate) fn run(args: &PersonArgs) -> Result<(), Failure> {
    match &args.action {
        None => list(&args.list),
        Some(PersonAction::List(args)) => list(args),
        Some(PersonAction::Add(args)) => add(args),
        Some(PersonAction::Remove(args)) => with_server(&args.connect, async |server| {
            for alias in &args.aliases {
                server.client.remove_recipient(alias).await?;
            }
            Ok::<_, ClientError>(())
        })
        .and_then(|()| {
            Ok(writeln!(
                output::stdout(),
                "Removed. Tokens, sessions and linked accounts of people have ended, and they have left their groups. \
                 Administrators see the questions that were for them."
            )?)
        }),
        Some(PersonAction::Forget(args)) => forget(args),
    }
}

fn add(args: &PersonAddArgs) -> Result<(), Failure> {
    let is_group = !args.members.is_empty();
    let on_call = (args.in_order || args.rotate.is_some()).then_some(OnCallParams {
        days: args.rotate,
        since: args.since,
    });
    let name = args.name.clone().unwrap_or_else(|| args.alias.clone());
    let params = RecipientParams {
        name: (!is_group).then_some(name),
        identities: args.accounts.clone(),
        members: is_group.then(|| args.members.clone()),
        on_call,
    };
    let added = with_server(&args.connect, async |server| {
        server.client.put_recipient(&args.alias, &params).await
    })?;
    writeln!(output::stdout(), "{}", line(&added))?;
    if !is_group {
        writeln!(
            output::stderr(),
            "To sign in: askback phone --for {0}, or askback token create {0} --scope respondent --for {0}",
            clean(&args.alias)
        )?;
    }
    Ok(())
}

const REFUSED: &str = "Nobody was forgotten. Confirm with --yes.";

fn forget(args: &PersonForgetArgs) -> Result<(), Failure> {
    let alias = clean(&args.alias);
    writeln!(
        output::stderr(),
        "{alias} is removed: tokens, sessions, linked accounts, links and notifications end.
Everything that the server shows has a pseudonym in place of the name, from now on and for good.
What {alias} wrote stays, and the stored record still has the name: both go when the conversations are deleted. Backups keep them."
    )?;
    let question = format!("Forget {alias}?");
    if !args.yes && !is_confirmed(&question, REFUSED, &mut output::stderr())? {
        return Ok(());
    }
    let params = ForgetParams {
        names: args.names.clone(),
    };
    let forgotten = with_server(&args.connect, async |server| {
        let client = &server.client;
        client.forget_recipient(&args.alias, &params).await
    })?;
    writeln!(output::stdout(), "{}", clean(&forgotten.pseudonym))?;
    Ok(())
}

fn list(args: &ServerListArgs) -> Result<(), Failure> {
    let people = async |client: &Client| Ok(client.recipients().await?.items);
    print_list(args, "", people, line)
}

/// A server at --url may be of another version, so that its texts are cleaned again.
fn line(recipient: &RecipientResponse) -> String {
    let alias = clean(&recipient.alias);
    let mut parts = vec![match &recipient.members {
        Some(members) => {
            let members: Vec<String> = members.iter().map(|it| clean(it)).collect();
            format!("{alias}  group of {}", members.join(", "))
        }
        None => format!("{alias}  {}", clean(&recipient.name)),
    }];
    if let Some(on_call) = &recipient.on_call {
        parts.push(format!("on call: {}", clean(&on_call.now)));
    }
    if !recipient.reachable {
        parts.push("gets no messages".to_owned());
    }
    if recipient.configured {
        parts.push("(configuration file)".to_owned());
    }
    parts.join("  ")
}
