//! `askback hand-on`: gives a question to another recipient.

use std::io::Write as _;

use askback_client::Client;
use askback_locale::Locale;
use askback_wire::inquiry::HandOnParams;

use super::inquiry_id::{complete_inquiry_id, inquiry_failure};
use super::server_list::print_json;
use crate::args::HandOnArgs;
use crate::connect::with_server;
use crate::failure::Failure;
use crate::output;

pub(crate) fn run(args: &HandOnArgs) -> Result<(), Failure> {
    let params = HandOnParams {
        recipient: args.to.clone(),
        reason: args.reason.clone(),
        revision: None,
    };
    let handed_on = with_server(&args.connect, async |server| {
        let client = &server.client;
        let id = complete_inquiry_id(client, &args.id).await?;
        let handed_on = client.hand_on(&id, &params).await;
        let handed_on = handed_on.map_err(|error| inquiry_failure(error, &id))?;
        warn_if_unreachable(client, &args.to).await;
        Ok::<_, Failure>(handed_on)
    })?;
    print_json(&handed_on)
}

/// Says if nobody is notified. The question is handed on all the same: its recipient may look for it.
async fn warn_if_unreachable(client: &Client, alias: &str) {
    let Ok(recipients) = client.recipients().await else {
        return;
    };
    let mut recipients = recipients.items.into_iter();
    let unreachable = recipients.find(|it| it.alias == alias && !it.reachable);
    if let Some(recipient) = unreachable {
        let person = [("person", recipient.name.into())];
        let text = Locale::choose(&["en"]).text("hand-on-unreachable", &person);
        // Nothing to do if nobody reads it.
        drop(writeln!(output::stderr(), "{text}."));
    }
}
