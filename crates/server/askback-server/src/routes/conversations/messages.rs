//! Pages of the messages of a conversation, bounded by their number and by their bytes.

use askback_engine::{ConversationView, Record};
use askback_wire::block::BlockResponse;
use askback_wire::inquiry::InquiryStatus;
use askback_wire::projection::{self, LoggedEvent, MessagePage};

use crate::problem::Problem;
use crate::routes::AppState;

/// Records to read first for each message: a turn with tools writes several.
const RECORDS_PER_MESSAGE: usize = 4;
/// The most bytes to read for one page. A round beyond that is returned without its beginning.
const BYTES_MAX: usize = 16 << 20;

/// A page without messages.
pub(super) fn none() -> MessagePage {
    MessagePage {
        messages: Vec::new(),
        before: None,
    }
}

/// The newest messages below a sequence number: about `limit`, fewer if they are large, but at least
/// one round.
pub(super) async fn page(
    state: &AppState,
    view: &ConversationView,
    before: Option<u64>,
    limit: usize,
) -> Result<MessagePage, Problem> {
    let mut records: Vec<Record> = Vec::new();
    let mut from = before;
    let mut bytes = 0;
    let mut page = loop {
        let window = limit * RECORDS_PER_MESSAGE;
        let engine = &state.engine;
        let mut earlier = engine
            .records()
            .page_before(&view.row.id, from, window)
            .await?;
        bytes += earlier
            .records
            .iter()
            .map(|record| record.bytes)
            .sum::<usize>();
        earlier.records.append(&mut records);
        records = earlier.records;
        if let Some(page) = projection::page(logged_events(&records), limit) {
            break page;
        }
        if earlier.before.is_none() || bytes > BYTES_MAX {
            break MessagePage {
                messages: projection::messages(logged_events(&records)),
                before: records.first().map(|record| record.first),
            };
        }
        from = earlier.before;
    };
    for message in &mut page.messages {
        for block in &mut message.blocks {
            update_question(state, block).await?;
        }
    }
    Ok(page)
}

/// Updates a question of an external agent that got its outcome or another deadline after the events of the
/// page.
async fn update_question(state: &AppState, block: &mut BlockResponse) -> Result<(), Problem> {
    let Some(extra) = &mut block.extra else {
        return Ok(());
    };
    if extra.inquiry_status != InquiryStatus::Pending {
        return Ok(());
    }
    let Some(view) = state.engine.inquiry(&extra.inquiry_id).await? else {
        return Ok(());
    };
    extra.expires_at = view.row.expires_at;
    if let Some(ended) = &view.resolution {
        block.resolve(&view.inquiry, &ended.resolution);
    }
    Ok(())
}

fn logged_events(records: &[Record]) -> impl Iterator<Item = LoggedEvent<'_>> {
    records.iter().flat_map(|record| {
        let events = record.events.iter();
        events.map(|(sequence, event)| LoggedEvent::new(*sequence, record.at, event))
    })
}
