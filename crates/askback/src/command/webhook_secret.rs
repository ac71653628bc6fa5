//! `askback webhook-secret`: shows what receivers check signatures with, and replaces it.

use std::io::Write as _;

use anyhow::Context as _;
use askback_server::WebhookSecrets;
use askback_wire::duration::HumanDuration;
use jiff::SignedDuration;

use crate::args::{WebhookSecretAction, WebhookSecretArgs};
use crate::failure::Failure;
use crate::settings::Settings;

/// For how long the old secret is signed with unless it is said otherwise: longer than a delivery is
/// tried again.
const OVERLAP: SignedDuration = SignedDuration::from_hours(48);
/// The longest such time.
const OVERLAP_MAX: SignedDuration = SignedDuration::from_hours(30 * 24);

pub(crate) fn run(args: &WebhookSecretArgs) -> Result<(), Failure> {
    let settings = Settings::gather(&args.settings)?;
    let directory = &settings.data;
    let configured = settings.webhook_secret.as_deref();
    let secrets =
        WebhookSecrets::open(configured, directory).context("the webhook secret cannot be used")?;
    let secret = match (args.action, args.overlap) {
        (WebhookSecretAction::Show, None) => secrets.current(),
        (WebhookSecretAction::Show, Some(_)) => {
            return Err(Failure::Refused("--overlap goes with rotate".to_owned()));
        }
        (WebhookSecretAction::Rotate, overlap) => {
            let overlap = overlap.map_or(OVERLAP, HumanDuration::duration);
            if overlap > OVERLAP_MAX {
                return Err(Failure::Refused("--overlap is at most 30d".to_owned()));
            }
            secrets.rotate(overlap)
        }
    };
    let secret = secret.map_err(anyhow::Error::from)?;
    writeln!(std::io::stdout().lock(), "{secret}")?;
    Ok(())
}
