//! Users of the built-in agent, who send messages and stop it, and those who delete conversations.

use std::sync::Arc;

use askback_core::conversation::Driver;
use askback_core::conversation::command::Command;
use askback_core::id::{ConversationId, MessageId};
use askback_engine::{ConversationStart, SubmitError};
use askback_testkit::variant_name;

use super::{actor, brief, check_committed, keyed, pick_conversation, request};
use crate::world::World;

/// Talks to the built-in agent.
pub(crate) async fn run(world: Arc<World>) {
    for _ in 0..world.profile.actions {
        world.pause_up_to(world.profile.client_pause_ms_max).await;
        let old = pick_conversation(&world, Some("built_in"));
        let drawn = world.rng().below(6);
        match (drawn, old) {
            (0..3, Some(id)) => {
                let command = Command::SendMessage {
                    message: Some(MessageId::new(format!("msg{}", world.next_id()))),
                    text: "Go on.".to_owned(),
                };
                send(&world, &id, command).await;
            }
            (3, Some(id)) => send(&world, &id, Command::Cancel { target: None }).await,
            _ => create(&world).await,
        }
    }
}

async fn create(world: &World) {
    let number = world.next_id();
    let new = ConversationStart {
        id: None,
        driver: Driver::BuiltIn,
        app: None,
        parent: None,
        title: None,
        message: Some("Begin.".to_owned()),
        message_id: None,
    };
    let key = format!("c{number}");
    let mut created: Option<ConversationId> = None;
    for _ in 0..3 {
        let (new, by) = (new.clone(), actor(&format!("s{number}")));
        let options = keyed(Some(&key), 0);
        let reply = request(world, async |engine| engine.create(new, by, options).await).await;
        world.trace("new chats", format!("{key} {}", brief(reply.as_ref())));
        // Retention removes the keys of a conversation with it.
        created = created.filter(|id| world.database.tables().state_name(id).is_some());
        let id = match reply {
            Some(Ok(submitted)) => {
                check_committed(world, &submitted);
                world.check(created.is_none(), || format!("{key} was created twice"));
                submitted.conversation.settings.id.clone()
            }
            Some(Err(SubmitError::Repeated { conversation, .. })) => conversation,
            _ => continue,
        };
        world.check(created.is_none() || created.as_ref() == Some(&id), || {
            format!("{key} is {created:?} and {id}")
        });
        // Now and then, the reply is lost on its way.
        if !world.draw_fault(300) {
            return;
        }
        created = Some(id);
    }
}

async fn send(world: &World, id: &ConversationId, command: Command) {
    let name = variant_name(&command);
    let by = actor(&format!("s{}", world.next_id()));
    let reply = request(world, async |engine| engine.submit(id, command, by).await).await;
    world.trace(
        "chat commands",
        format!("{id} {name} {}", brief(reply.as_ref())),
    );
    if let Some(Ok(submitted)) = &reply {
        check_committed(world, submitted);
    }
}

/// Deletes conversations of any kind.
pub(crate) async fn run_deleter(world: Arc<World>) {
    for _ in 0..world.profile.actions.div_ceil(2) {
        world
            .pause_up_to(world.profile.client_pause_ms_max * 4)
            .await;
        let Some(id) = pick_conversation(&world, None) else {
            continue;
        };
        let by = actor(&format!("x{}", world.next_id()));
        let reply = request(&world, async |engine| engine.delete(&id, by).await).await;
        world.trace("deletions", format!("{id} {}", brief(reply.as_ref())));
        if let Some(Ok(true)) = reply {
            let is_open = world.database.tables().is_open(&id);
            world.check(!is_open, || format!("{id} was deleted, but is open"));
        }
    }
}
