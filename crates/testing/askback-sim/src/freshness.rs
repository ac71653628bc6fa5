//! Whether listeners and long polls get to know in time what was committed.
//!
//! A record that was not published is published with the next one, so a busy world hides that it was late.
//! That is why there are times in which no client begins anything.

use std::sync::Arc;
use std::time::Duration;

use crate::clients::feed_reader;
use crate::world::World;

/// How late a listener may be while nothing fails. Far more than the engine needs.
const LATE_MAX: Duration = Duration::from_secs(10);
const QUIET_MS_MAX: usize = 60_000;
const STEP: Duration = Duration::from_secs(2);

/// Lets no client begin anything, now and then.
pub(crate) async fn make_quiet(world: Arc<World>) {
    let Some(every_s) = world.profile.quiet_every_s else {
        return;
    };
    loop {
        world.pause_up_to(2_000 * every_s).await;
        if world.is_calm() {
            return;
        }
        let ms = world.rng().within(15_000, QUIET_MS_MAX);
        world.start_quiet(Duration::from_millis(ms as u64));
        world.trace("quiet times", ms);
    }
}

/// Checks again and again that nobody is late.
pub(crate) async fn watch(world: Arc<World>) {
    loop {
        tokio::time::sleep(STEP).await;
        let now = world.elapsed();
        let Some(since) = now.checked_sub(LATE_MAX) else {
            continue;
        };
        if world.disturbed_until() < since {
            world.count("freshness checks");
            check(&world, since);
        }
    }
}

/// Everything that was committed before `since` has reached those who have waited since then.
fn check(world: &World, since: Duration) {
    let tables = world.database.tables();
    let checker = world.checker();
    let mut found = Vec::new();
    for (reader, state) in &checker.readers {
        let (Some(last), Some(_)) = (state.last, state.reads_since.filter(|it| *it < since)) else {
            continue;
        };
        let missed =
            feed_reader::missed(&checker.log, &tables, state, last + 1..tables.newest() + 1);
        let mut late = missed.iter().filter(|it| {
            let record = checker.log.get(it);
            record.is_some_and(|record| record.committed_at < since)
        });
        if let Some(late) = late.next() {
            found.push(format!("reader {reader} is at {last}, {late} is late"));
        }
    }
    for poll in checker.polls.values().filter(|poll| poll.since < since) {
        let outcome = checker.outcomes.get(&poll.inquiry);
        if outcome.is_some_and(|outcome| outcome.committed_at < since) {
            found.push(format!("a long poll is not told of {}", poll.inquiry));
        }
    }
    drop((tables, checker));
    for what in found {
        world.fail(what);
    }
}
