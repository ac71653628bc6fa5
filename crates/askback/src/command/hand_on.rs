//! `askback hand-on`: gives a question to another recipient.

use std::io::Write as _;

use anyhow::Context as _;
use askback_client::Client;
use askback_locale::Locale;
use askback_wire::inquiry::HandOnParams;

use super::inquiry_id::{complete_inquiry_id, inquiry_failure};
use crate::args::HandOnArgs;
use crate::connect::{Connection, FallbackModel};
use crate::failure::Failure;
use crate::output;
use crate::runtime;

pub(crate) fn run(args: &HandOnArgs) -> Result<(), Failure> {
    let handed_on = runtime::block_on(async {
        let connection = Connection::open(&args.connect, FallbackModel::None).await?;
        let params = HandOnParams {
            recipient: args.to.clone(),
            reason: args.reason.clone(),
            revision: None,
        };
        let client = &connection.client;
        let handed_on = match complete_inquiry_id(client, &args.id).await {
            Ok(id) => {
                let handed_on = client.hand_on(&id, &params).await;
                let handed_on = handed_on.map_err(|error| inquiry_failure(error, &id));
                if handed_on.is_ok() {
                    warn_if_unreachable(client, &args.to).await;
                }
                handed_on
            }
            Err(failure) => Err(failure),
        };
        connection.close().await?;
        Ok(handed_on)
    })?;
    let line = serde_json::to_string(&handed_on?).context("cannot write the inquiry")?;
    writeln!(output::stdout(), "{line}")?;
    Ok(())
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
