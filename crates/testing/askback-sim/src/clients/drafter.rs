//! A person who writes drafts of answers, and hides inquiries for a while.

use std::sync::Arc;

use askback_core::id::InquiryId;
use askback_store::DraftRow;
use jiff::SignedDuration;

use super::{pick_pending, request};
use crate::world::World;

/// Writes and hides until its actions are used up.
pub(crate) async fn run(world: Arc<World>) {
    for _ in 0..world.profile.actions {
        world.pause_up_to(world.profile.client_pause_ms_max).await;
        let Some((_, inquiry, _)) = pick_pending(&world) else {
            continue;
        };
        if world.rng().one_in(2) {
            write(&world, &inquiry).await;
        } else {
            hide(&world, &inquiry).await;
        }
    }
}

async fn write(world: &World, inquiry: &InquiryId) {
    let draft = DraftRow {
        inquiry: inquiry.clone(),
        json: format!("{{\"q1\":\"{}\"}}", world.next_id()),
        at: world.now(),
    };
    let sent = draft.json.clone();
    world
        .checker()
        .drafts
        .entry(inquiry.clone())
        .or_default()
        .push(sent.clone());
    let saved = request(world, async |engine| engine.store().put_draft(draft).await).await;
    let is_saved = matches!(saved, Some(Ok(())));
    world.trace("drafts", format!("{inquiry} {is_saved}"));
    let read = request(world, async |engine| engine.store().draft(inquiry).await).await;
    let Some(Ok(read)) = read else {
        return;
    };
    let checker = world.checker();
    let is_over = checker.outcomes.contains_key(inquiry);
    let is_known = read.as_ref().is_none_or(|read| {
        let sent = checker.drafts.get(inquiry);
        sent.is_some_and(|sent| sent.contains(&read.json))
    });
    drop(checker);
    world.check(is_known, || format!("{inquiry} has a draft of nobody"));
    world.check(!is_saved || is_over || read.is_some(), || {
        format!("the draft {sent} of {inquiry} is lost")
    });
}

async fn hide(world: &World, inquiry: &InquiryId) {
    let seconds = world.rng().within(1, 600) as i64;
    let is_hidden = !world.rng().one_in(3);
    let until = is_hidden.then(|| world.now() + SignedDuration::from_secs(seconds));
    let done = request(world, async |engine| {
        engine.store().put_snooze(inquiry, until).await
    })
    .await;
    world.trace(
        "snoozes",
        format!("{inquiry} {:?}", done.map(|it| it.is_ok())),
    );
    let read = request(world, async |engine| engine.store().inquiry(inquiry).await).await;
    let Some(Ok(Some(row))) = read else {
        return;
    };
    let is_hidden_after_end = row.resolution.is_some() && row.snoozed_until.is_some();
    world.check(!is_hidden_after_end, || format!("{inquiry} is hidden"));
}
