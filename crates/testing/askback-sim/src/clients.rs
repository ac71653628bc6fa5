//! Clients of the engines: each acts on its own, loses connections and checks what it is told.

pub(crate) mod asker;
pub(crate) mod chat_user;
pub(crate) mod drafter;
pub(crate) mod feed_reader;
mod hand_on;
pub(crate) mod long_poller;
pub(crate) mod respondent;
pub(crate) mod successor;

use std::time::Duration;

use askback_core::id::{ConversationId, InquiryId};
use askback_core::outcome::{Actor, Surface};
use askback_core::text::{Lines, Text};
use askback_engine::{CommitOptions, Engine, RequestKeys, SentKey, SubmitError, Submitted};
use askback_store::StoreError;

use crate::actions::Verdict;
use crate::world::World;

/// Longer than any simulation.
const FOREVER: Duration = Duration::from_hours(10_000);

/// Sends a request to one of the engines. `None` if the process dies or the client gives up: nobody knows
/// then what became of it.
pub(crate) async fn request<T>(world: &World, send: impl AsyncFnOnce(&Engine) -> T) -> Option<T> {
    world.wait_while_quiet().await;
    let node = world.node().await;
    let gives_up = world.draw_fault(world.profile.impatience);
    let patience = if gives_up {
        Duration::from_millis(world.rng().below(3_000) as u64)
    } else {
        FOREVER
    };
    tokio::select! {
        biased;
        () = node.process.died() => None,
        reply = send(&node.engine) => Some(reply),
        () = tokio::time::sleep(patience) => {
            world.trace("abandoned requests", node.process.number);
            None
        }
    }
}

/// Somebody with a name of their own.
pub(crate) fn actor(name: &str) -> Actor {
    Actor::new(Text::clean(name, Lines::One), Surface::Http)
}

/// The options of a request with an idempotency key, which is bound to `body`.
pub(crate) fn keyed(key: Option<&str>, body: u8) -> CommitOptions {
    let request = key.map(|key| SentKey {
        key: key.to_owned(),
        request: [body; 32],
    });
    CommitOptions {
        keys: RequestKeys {
            request,
            ..RequestKeys::default()
        },
        ..CommitOptions::default()
    }
}

/// What a reply says about its request.
pub(crate) fn verdict<T>(reply: Option<&Result<T, SubmitError>>) -> Verdict {
    match reply {
        None
        | Some(Err(SubmitError::Closing | SubmitError::Store(StoreError::CommitUnknown(_)))) => {
            Verdict::Unknown
        }
        Some(Ok(_) | Err(SubmitError::Repeated { .. } | SubmitError::AlreadyAsked { .. })) => {
            Verdict::Accepted
        }
        Some(Err(
            SubmitError::NotFound
            | SubmitError::Rejected(_)
            | SubmitError::KeyReused
            | SubmitError::Store(_),
        )) => Verdict::Refused,
    }
}

/// A short form of a reply for the trace.
pub(crate) fn brief<T>(reply: Option<&Result<T, SubmitError>>) -> String {
    match reply {
        None => "lost".to_owned(),
        Some(Ok(_)) => "ok".to_owned(),
        Some(Err(SubmitError::Rejected(rejection))) => rejection.code().to_owned(),
        Some(Err(error)) => error.to_string(),
    }
}

/// What was acknowledged is committed.
pub(crate) fn check_committed(world: &World, submitted: &Submitted) {
    let first = submitted.record.first;
    let id = &submitted.conversation.settings.id;
    let checker = world.checker();
    let record = checker
        .log
        .range(first..)
        .next()
        .map(|(_, record)| record.clone());
    drop(checker);
    let is_committed =
        record.is_some_and(|record| record.first == first && record.conversation == *id);
    world.check(is_committed, || {
        format!("{id}: acknowledged at {first}, but not committed")
    });
}

/// A pending inquiry, if there is one.
pub(crate) fn pick_pending(world: &World) -> Option<(ConversationId, InquiryId, u32)> {
    let tables = world.database.tables();
    let rows = tables.inquiry_rows().filter(|row| row.status == "pending");
    let rows: Vec<_> = rows
        .map(|row| (row.conversation.clone(), row.id.clone(), row.revision))
        .collect();
    drop(tables);
    let at = world.rng().below(rows.len());
    rows.into_iter().nth(at)
}

/// A conversation that is not deleted, if there is one.
pub(crate) fn pick_conversation(world: &World, driver: Option<&str>) -> Option<ConversationId> {
    let tables = world.database.tables();
    let rows = tables.conversation_rows();
    let rows = rows.filter(|row| driver.is_none_or(|driver| row.driver == driver));
    let ids: Vec<_> = rows.map(|row| row.id.clone()).collect();
    drop(tables);
    let at = world.rng().below(ids.len());
    ids.into_iter().nth(at)
}
