//! `askback webhooks`: lists webhooks that were not delivered yet, and tries them again.

use std::io::Write as _;

use askback_client::{Client, ClientError};
use askback_core::text::{Lines, Text};
use askback_wire::webhook::{ListWebhooksParams, WebhookResponse};

use crate::args::{WebhooksAction, WebhooksArgs, WebhooksListArgs, WebhooksRetryArgs};
use crate::connect::{Connection, FallbackModel};
use crate::failure::Failure;
use crate::output;
use crate::runtime;

const TIME_FORMAT_UTC: &str = "%Y-%m-%d %H:%M:%SZ";

pub(crate) fn run(args: &WebhooksArgs) -> Result<(), Failure> {
    match &args.action {
        None => list(&args.list),
        Some(WebhooksAction::List(args)) => list(args),
        Some(WebhooksAction::Retry(args)) => retry(args),
    }
}

fn list(args: &WebhooksListArgs) -> Result<(), Failure> {
    let listed = runtime::block_on(async {
        let connection = Connection::open(&args.connect, FallbackModel::None).await?;
        let listed = all(&connection.client).await;
        connection.close().await?;
        Ok(listed)
    })??;
    if listed.is_empty() && !args.json {
        writeln!(output::stderr(), "No webhook waits.")?;
    }
    let mut out = output::stdout();
    for webhook in &listed {
        if args.json {
            let line = serde_json::to_string(webhook).map_err(anyhow::Error::from)?;
            writeln!(out, "{line}")?;
        } else {
            writeln!(out, "{}", line(webhook))?;
        }
    }
    Ok(())
}

async fn all(client: &Client) -> Result<Vec<WebhookResponse>, ClientError> {
    let mut params = ListWebhooksParams {
        limit: Some(200),
        ..ListWebhooksParams::default()
    };
    let mut found = Vec::new();
    loop {
        let page = client.webhooks(&params).await?;
        found.extend(page.items);
        if page.next.is_none() {
            return Ok(found);
        }
        params.cursor = page.next;
    }
}

fn retry(args: &WebhooksRetryArgs) -> Result<(), Failure> {
    let retried = runtime::block_on(async {
        let connection = Connection::open(&args.connect, FallbackModel::None).await?;
        let retried = retry_with(&connection.client, args).await;
        connection.close().await?;
        Ok(retried)
    })?;
    Ok(retried?)
}

async fn retry_with(client: &Client, args: &WebhooksRetryArgs) -> Result<(), ClientError> {
    let mut ids = args.ids.clone();
    if args.all {
        ids.extend(all(client).await?.into_iter().map(|webhook| webhook.id));
    }
    let mut retried = Ok(());
    for id in &ids {
        retried = retried.and(client.retry_webhook(id).await);
    }
    retried
}

/// A server at --url may be of another version, so that its texts are cleaned again.
fn line(webhook: &WebhookResponse) -> String {
    let clean = |text: &str| {
        let clean = Text::clean(text, Lines::One);
        clean.map(String::from).unwrap_or_default()
    };
    let next = webhook.next_attempt_at.map_or_else(
        || "given up".to_owned(),
        |at| format!("next {}", at.strftime(TIME_FORMAT_UTC)),
    );
    let error = webhook.last_error.as_deref();
    let error = error.map(|error| format!("  {}", clean(error)));
    format!(
        "{}  {}  {}  {}  attempts {}  {next}{}",
        clean(&webhook.id),
        clean(webhook.inquiry_id.as_str()),
        clean(&webhook.kind),
        clean(&webhook.host),
        webhook.attempts,
        error.unwrap_or_default(),
    )
}
