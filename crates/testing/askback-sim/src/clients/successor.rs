//! A session of an agent that takes over what ended sessions have asked.

use std::sync::Arc;

use askback_core::text::Text;
use askback_store::{AskerSessionFilter, SessionTakeover};

use super::request;
use crate::world::World;

/// The agent of all simulated sessions.
pub(crate) const CLIENT: &str = "sim";
const PREFIX: &str = "s";

/// Takes over until its actions are used up.
pub(crate) async fn run(world: Arc<World>) {
    for _ in 0..world.profile.actions.div_ceil(2) {
        world
            .pause_up_to(world.profile.client_pause_ms_max * 4)
            .await;
        let filter = AskerSessionFilter {
            client: CLIENT.to_owned(),
            project: None,
            prefix: PREFIX.to_owned(),
            after: None,
            limit: 2,
        };
        let ended = request(&world, async |engine| {
            engine.store().asker_sessions(filter).await
        })
        .await;
        let Some(Ok(ended)) = ended else {
            continue;
        };
        take_over(&world, ended).await;
    }
}

async fn take_over(world: &World, from: Vec<String>) {
    let to = format!("{PREFIX}{}", world.next_id());
    let sessions = from.clone();
    world.checker().takeovers.insert(to.clone(), sessions);
    let takeover = SessionTakeover {
        client: CLIENT.to_owned(),
        project: None,
        from,
        to: Text::name_or_mark(&to),
        resumes: false,
    };
    let taken = request(world, async |engine| {
        engine.store().take_over(takeover).await
    })
    .await;
    let taken = taken.and_then(Result::ok);
    world.trace("takeovers", format!("{to} {taken:?}"));
    let Some(taken) = taken else {
        return;
    };
    // Another successor may have taken some of them in turn.
    let tables = world.database.tables();
    let rows = tables.inquiry_rows();
    let asked = rows.filter_map(|row| row.asker.as_ref());
    let sessions: Vec<String> = asked.map(|asker| asker.session.to_string()).collect();
    drop(tables);
    let checker = world.checker();
    let here = sessions.iter().filter(|it| **it == to).count();
    let is_successor = |name: &String| {
        let from = checker.takeovers.get(name);
        from.is_some_and(|from| from.contains(&to))
    };
    let passed_on = sessions.iter().any(is_successor);
    drop(checker);
    world.check(here <= taken || passed_on, || {
        format!("{to} has {here} inquiries, but took {taken}")
    });
}
