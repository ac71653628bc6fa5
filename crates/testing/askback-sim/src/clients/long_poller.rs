//! A client that waits for the outcome of an inquiry for hours, over any number of disconnections.

use std::sync::Arc;
use std::time::Duration;

use super::{pick_pending, request};
use crate::invariant_checker::WaitingPoll;
use crate::world::World;

const WAIT: Duration = Duration::from_hours(100);

/// Waits for outcomes until the simulation ends.
pub(crate) async fn run(world: Arc<World>) {
    loop {
        world.pause_up_to(world.profile.client_pause_ms_max).await;
        tokio::time::sleep(Duration::from_millis(500)).await;
        world.wait_while_quiet().await;
        let Some((_, inquiry, _)) = pick_pending(&world) else {
            continue;
        };
        let poll = world.next_id();
        let waiting = WaitingPoll {
            inquiry: inquiry.clone(),
            since: world.elapsed(),
        };
        world.checker().polls.insert(poll, waiting);
        let waited = request(&world, async |engine| engine.wait_for(&inquiry, WAIT).await).await;
        world.checker().polls.remove(&poll);
        let told = match waited {
            Some(Ok(Some(view))) => view.resolution,
            Some(Ok(None)) => {
                // Deleted after it had its outcome.
                let asked = world.checker().asked.get(&inquiry).cloned();
                let is_open =
                    asked.is_some_and(|it| world.database.tables().is_open(&it.conversation));
                world.check(!is_open, || format!("a long poll does not find {inquiry}"));
                continue;
            }
            Some(Err(_)) | None => continue,
        };
        let told = told.map(|ended| ended.resolution.outcome.name());
        let status = world
            .checker()
            .outcomes
            .get(&inquiry)
            .map(|it| it.status.clone());
        world.trace("long polls", format!("{inquiry} {told:?}"));
        world.check(told.is_some() && told == status.as_deref(), || {
            format!("a long poll says that {inquiry} is {told:?}, but it is {status:?}")
        });
    }
}
