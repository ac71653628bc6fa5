//! `askback webhook-secret`: shows or rotates the signing secret.

use std::io::Write as _;

use anyhow::Context as _;
use askback_server::WebhookSecrets;
use askback_wire::duration::HumanDuration;
use jiff::SignedDuration;

use crate::args::{WebhookSecretAction, WebhookSecretArgs};
use crate::failure::{Failure, refuse};
use crate::output;
use crate::settings::Settings;

/// Longer than a delivery is retried.
const OVERLAP_DEFAULT: SignedDuration = SignedDuration::from_hours(48);
const OVERLAP_MAX: SignedDuration = SignedDuration::from_hours(30 * 24);

pub(crate) fn run(args: &WebhookSecretArgs) -> Result<(), Failure> {
    let settings = Settings::gather(&args.settings)?;
    let directory = &settings.data;
    let configured = settings.webhook_secret.as_deref();
    let secrets =
        WebhookSecrets::open(configured, directory).context("cannot read the webhook secret")?;
    let secret = match (args.action, args.overlap) {
        (WebhookSecretAction::Show, None) => secrets.current(),
        (WebhookSecretAction::Show, Some(_)) => {
            return refuse("--overlap is only for `askback webhook-secret rotate`.");
        }
        (WebhookSecretAction::Rotate, overlap) => {
            let overlap = overlap.map_or(OVERLAP_DEFAULT, HumanDuration::duration);
            if overlap > OVERLAP_MAX {
                return refuse("--overlap must be 30d or less.");
            }
            secrets.rotate(overlap)
        }
    };
    let secret = secret.map_err(anyhow::Error::from)?;
    writeln!(output::stdout(), "{secret}")?;
    Ok(())
}
