//! A listener of the feed that disconnects and resumes, also inside of a record.

use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use askback_core::id::ConversationId;
use askback_engine::{Engine, ListenError, Record};
use askback_store::Sequence;

use super::pick_conversation;
use crate::world::World;

/// A reader and how far it has read.
#[derive(Debug, Clone)]
pub(crate) struct ReaderState {
    /// One conversation, or all.
    pub(crate) conversation: Option<ConversationId>,
    /// The position after which it continues; none before it has begun.
    pub(crate) last: Option<Sequence>,
    /// Since when it reads without a pause; none while it does not read.
    pub(crate) reads_since: Option<Duration>,
}

/// Reads until the simulation ends.
pub(crate) async fn run(world: Arc<World>) {
    let reader = world.next_id();
    let conversation = world.rng().one_in(3);
    let conversation = conversation
        .then(|| pick_conversation(&world, None))
        .flatten();
    let from_start = world.rng().one_in(2);
    let state = ReaderState {
        conversation,
        last: from_start.then_some(0),
        reads_since: None,
    };
    world.checker().readers.insert(reader, state);
    loop {
        let node = world.node().await;
        tokio::select! {
            biased;
            () = node.process.died() => {}
            () = read(&world, &node.engine, reader) => {}
        }
        note_reading(&world, reader, false);
        world.trace("feed disconnections", reader);
        if world.rng().one_in(3) {
            step_back(&world, reader);
        }
        world.pause_up_to(2_000).await;
    }
}

/// Resumes inside of the record that was read last, or before it.
fn step_back(world: &World, reader: u64) {
    let back = world.rng().below(6) as u64;
    if let Some(state) = world.checker().readers.get_mut(&reader) {
        state.last = state.last.map(|last| last.saturating_sub(back));
    }
}

async fn read(world: &World, engine: &Engine, reader: u64) {
    let state = world.checker().readers.get(&reader).cloned();
    let Some(state) = state else {
        return;
    };
    let listening = engine.listen(state.conversation.clone(), state.last).await;
    let Ok(mut listener) = listening else {
        tokio::time::sleep(Duration::from_millis(100)).await;
        return;
    };
    note_position(world, reader, listener.last());
    note_reading(world, reader, true);
    loop {
        let record = match listener.next().await {
            Ok(record) => record,
            Err(ListenError::TooSlow) => {
                world.trace("feed lags", reader);
                return;
            }
            Err(ListenError::Closed | ListenError::Store(_)) => return,
        };
        check(world, &state, listener_position(world, reader), &record);
        note_position(world, reader, record.last);
        if world.draw_fault(40) {
            return;
        }
        if world.draw_fault(40) {
            // A slow reader.
            note_reading(world, reader, false);
            world.pause_up_to(10_000).await;
            note_reading(world, reader, true);
        }
    }
}

fn listener_position(world: &World, reader: u64) -> Sequence {
    let checker = world.checker();
    let state = checker.readers.get(&reader);
    state.and_then(|state| state.last).unwrap_or(0)
}

fn note_reading(world: &World, reader: u64, reads: bool) {
    let since = reads.then(|| world.elapsed());
    if let Some(state) = world.checker().readers.get_mut(&reader) {
        state.reads_since = since;
    }
}

fn note_position(world: &World, reader: u64, last: Sequence) {
    if let Some(state) = world.checker().readers.get_mut(&reader) {
        state.last = Some(last);
    }
}

/// The record is committed, and nothing that still exists lies between it and the last one.
fn check(world: &World, state: &ReaderState, after: Sequence, record: &Record) {
    let (first, last) = (record.first, record.last);
    let line = format!("{after} -> {first}..{last} {}", record.conversation);
    world.trace("feed records", line);
    world.check(last > after, || {
        format!("the feed sends {last} after {after}")
    });
    let tables = world.database.tables();
    let mut checker = world.checker();
    let committed = checker.log.get(&last).cloned();
    let is_open = tables.is_open(&record.conversation);
    let skipped = missed(&checker.log, &tables, state, after + 1..last);
    let mut noted = Ok(());
    if is_open && !record.is_damaged {
        for (at, event) in &record.events {
            noted = noted.and_then(|()| checker.note_event(*at, event));
        }
    }
    drop((tables, checker));
    world.check(skipped.is_empty(), || {
        format!("the feed goes from {after} to {last} without {skipped:?}")
    });
    let Some(committed) = committed else {
        world.fail(format!("{first}..{last} is published, but not committed"));
        return;
    };
    if is_open {
        let is_same = committed.first == first && committed.conversation == record.conversation;
        world.check(is_same && !record.is_damaged, || {
            format!("{first}..{last} is published as {record:?}, committed as {committed:?}")
        });
    }
    if let Err(what) = noted {
        world.fail(what);
    }
}

/// The records at these positions that a reader should have got and that still exist.
pub(crate) fn missed(
    log: &std::collections::BTreeMap<Sequence, crate::invariant_checker::CommittedRecord>,
    tables: &crate::memory_store::Tables,
    state: &ReaderState,
    between: Range<Sequence>,
) -> Vec<Sequence> {
    if between.is_empty() {
        return Vec::new();
    }
    let wanted = log.range(between).filter(|(last, record)| {
        let is_wanted = |id: &ConversationId| *id == record.conversation;
        state.conversation.as_ref().is_none_or(is_wanted) && tables.has_record(**last)
    });
    wanted.map(|(last, _)| *last).collect()
}
