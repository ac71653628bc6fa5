//! `askback webhooks`: lists webhooks that were not delivered yet, and tries them again.

use askback_client::{Client, ClientError};
use askback_wire::webhook::{ListWebhooksParams, WebhookResponse};

use super::server_list::{clean, print_list};
use crate::args::{ServerListArgs, WebhooksAction, WebhooksArgs, WebhooksRetryArgs};
use crate::connect::with_server;
use crate::failure::Failure;

const TIME_FORMAT_UTC: &str = "%Y-%m-%d %H:%M:%SZ";

pub(crate) fn run(args: &WebhooksArgs) -> Result<(), Failure> {
    match &args.action {
        None => list(&args.list),
        Some(WebhooksAction::List(args)) => list(args),
        Some(WebhooksAction::Retry(args)) => retry(args),
    }
}

fn list(args: &ServerListArgs) -> Result<(), Failure> {
    print_list(args, "No webhook waits.", all, line)
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
    with_server(&args.connect, async |server| {
        retry_with(&server.client, args).await
    })
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
