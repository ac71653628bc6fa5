//! Pages of the messages of a conversation, bounded by their number and by their bytes.

use askback_core::conversation::event::Event;
use askback_core::id::InquiryId;
use askback_engine::{AbridgedState, ConversationView, LogEntry, PendingSummary, Record};
use askback_wire::block::BlockResponse;
use askback_wire::inquiry::InquiryStatus;
use askback_wire::projection::{self, MessagePage};
use jiff::Timestamp;

use crate::problem::Problem;
use crate::routes::AppState;

/// Records that are read at first for one message: a turn with tools writes several.
const RECORDS_PER_MESSAGE: usize = 8;
/// Bytes that are read at most for one page. A round beyond that is returned without its beginning.
const BYTES_MAX: usize = 16 << 20;

/// A page without messages.
pub(super) fn none() -> MessagePage {
    MessagePage {
        messages: Vec::new(),
        before: None,
    }
}

/// The newest messages below a sequence: about `limit` of them, fewer if they are large, and at least
/// one round.
pub(super) async fn page(
    shared: &AppState,
    view: &ConversationView,
    before: Option<u64>,
    limit: usize,
) -> Result<MessagePage, Problem> {
    let mut records: Vec<LogEntry> = Vec::new();
    let mut from = before;
    let mut bytes = 0;
    let mut page = loop {
        let window = limit * RECORDS_PER_MESSAGE;
        let engine = &shared.engine;
        let mut earlier = engine.events_before(&view.row.id, from, window).await?;
        bytes += earlier
            .entries
            .iter()
            .map(|record| record.bytes)
            .sum::<usize>();
        earlier.entries.append(&mut records);
        records = earlier.entries;
        if records.is_empty() && earlier.before.is_some() {
            from = earlier.before;
            continue;
        }
        if let Some(page) = projection::page(records.iter().filter_map(placed), limit) {
            break page;
        }
        if earlier.before.is_none() || bytes > BYTES_MAX {
            break MessagePage {
                messages: projection::messages(records.iter().filter_map(placed)),
                before: records.first().map(|record| record.sequence),
            };
        }
        from = earlier.before;
    };
    for message in &mut page.messages {
        for block in &mut message.blocks {
            bring_up_to_date(shared, &view.state, block).await?;
        }
    }
    Ok(page)
}

/// A question of an external agent may have got its outcome or another deadline behind the page.
async fn bring_up_to_date(
    shared: &AppState,
    change: &AbridgedState,
    block: &mut BlockResponse,
) -> Result<(), Problem> {
    let Some(extra) = &mut block.extra else {
        return Ok(());
    };
    if extra.inquiry_status != InquiryStatus::Pending {
        return Ok(());
    }
    if let Some(pending) = waiting(change, &extra.inquiry_id) {
        extra.expires_at = pending.expires_at;
        return Ok(());
    }
    let ended = shared.engine.inquiry(&extra.inquiry_id).await?;
    if let Some(ended) = ended
        && let Some(resolution) = &ended.resolution
    {
        block.resolve(&ended.inquiry, &resolution.resolution);
    }
    Ok(())
}

/// A question as it waits, if it does.
fn waiting(change: &AbridgedState, inquiry: &InquiryId) -> Option<PendingSummary> {
    let oldest = change.state.pending().iter().map(PendingSummary::from);
    let mut all = oldest.chain(change.others.iter().cloned());
    all.find(|pending| pending.id == *inquiry)
}

/// An event with its place; changes of state are no messages, nor is what cannot be read.
fn placed(recorded: &LogEntry) -> Option<(u64, Timestamp, &Event)> {
    match &recorded.record {
        Record::Event(event) => Some((recorded.sequence, recorded.at, event)),
        Record::State(_) | Record::Unreadable => None,
    }
}
