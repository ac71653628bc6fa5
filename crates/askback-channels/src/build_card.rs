//! The card of a stored inquiry for one recipient.

use askback_core::draft::Draft;
use askback_engine::{Engine, InquiryView};
use askback_store::StoreError;
use jiff::Timestamp;

use crate::card::{Card, CardState, Reader};
use crate::config::{ChannelsConfig, ConfiguredChannel};
use crate::recipients::Recipient;

/// The draft of a pending inquiry, on whichever surface it was made.
pub(crate) async fn stored_draft(engine: &Engine, view: &InquiryView) -> Result<Draft, StoreError> {
    let stored = engine.store().draft(&view.row.id).await?;
    let draft = stored.and_then(|row| serde_json::from_str(&row.json).ok());
    Ok(match draft {
        Some(draft) => Draft::restore(&view.inquiry, draft),
        None => Draft::new(&view.inquiry),
    })
}

/// Who reads, at which time.
pub(crate) fn reader(recipient: &Recipient, now: Timestamp) -> Reader {
    Reader {
        locale: recipient.locale,
        time_zone: recipient.time_zone.clone(),
        today: now.to_zoned(recipient.time_zone.clone()).date(),
    }
}

/// The inquiry as the recipient sees it through the channel.
pub(crate) async fn build_card(
    engine: &Engine,
    view: &InquiryView,
    (config, channel): (&ChannelsConfig, &ConfiguredChannel),
    recipient: &Recipient,
) -> Result<Card, StoreError> {
    let state = match (&view.resolution, &view.held) {
        (Some(ended), _) => CardState::Ended {
            by: ended.resolution.by.clone(),
            outcome: ended.resolution.outcome.clone(),
            at: ended.resolution.at,
        },
        (None, Some(held)) => CardState::Held {
            by: held.resolution.by.clone(),
            outcome: held.resolution.outcome.clone(),
            until: held.until,
        },
        (None, None) => CardState::Open {
            draft: stored_draft(engine, view).await?,
        },
    };
    let asker = view.row.asker.as_ref();
    let project = asker.and_then(|asker| asker.project.clone());
    let client = asker.map(|asker| asker.client.clone());
    let row = &view.row;
    Ok(Card {
        inquiry: row.id.clone(),
        revision: row.revision,
        asker: row.source.clone().or(client),
        project: project.map(|project| directory_name(&project).to_owned()),
        questions: view.inquiry.clone(),
        expires_at: row.expires_at,
        link: (config.link)(&row.id, row.revision, row.asked_at),
        press_links: None,
        content: channel.content,
        reader: reader(recipient, engine.clock().now()),
        state,
    })
}

/// The last part of a path: the rest says where things are on this machine.
fn directory_name(project: &str) -> &str {
    let trimmed = project.trim_end_matches(['/', '\\']);
    let name = trimmed.rsplit(['/', '\\']).next().unwrap_or(trimmed);
    if name.is_empty() { project } else { name }
}
