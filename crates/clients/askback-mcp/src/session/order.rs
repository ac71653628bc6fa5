//! In which order the sessions of this process started and ended.

use std::collections::HashMap;

/// Starts and ends that are remembered.
const ENTRIES_MAX: usize = 10_000;

#[derive(Debug, Default)]
pub(crate) struct SessionOrder {
    /// The number of the last event.
    last: u64,
    starts: HashMap<String, u64>,
    ends: HashMap<String, u64>,
    /// Ends up to this one are not remembered any more.
    forgotten: u64,
}

impl SessionOrder {
    /// A session that is started again under the same id was restored: it is as old as before.
    pub(crate) fn note_start(&mut self, id: &str) {
        self.last += 1;
        let last = self.last;
        forget_old(&mut self.starts);
        self.starts.entry(id.to_owned()).or_insert(last);
    }

    pub(crate) fn note_end(&mut self, id: &str) {
        self.last += 1;
        self.starts.remove(id);
        self.forgotten = forget_old(&mut self.ends).max(self.forgotten);
        self.ends.insert(id.to_owned(), self.last);
    }

    /// Whether a session started after another one, which has ended. A session whose end was not seen ended
    /// before this process started.
    pub(crate) fn started_after_end(&self, id: &str, ended: &str) -> bool {
        let end = self.ends.get(ended).copied().unwrap_or(self.forgotten);
        self.starts.get(id).is_some_and(|start| *start > end)
    }
}

/// Removes the older half of the events if there are too many. Returns the last one that was removed.
fn forget_old(events: &mut HashMap<String, u64>) -> u64 {
    if events.len() < ENTRIES_MAX {
        return 0;
    }
    let mut numbers: Vec<u64> = events.values().copied().collect();
    numbers.sort_unstable();
    let newest_removed = numbers[numbers.len() / 2];
    events.retain(|_, number| *number > newest_removed);
    newest_removed
}

#[cfg(test)]
#[path = "order_tests.rs"]
mod tests;
