//! Activity is reported at once, and then at most once in the chosen time.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use super::ActivityListener;
use crate::clock::MonotonicTime;

#[test]
fn activity_is_reported_at_most_once_in_a_while() {
    let calls = Rc::new(Cell::new(0));
    let counted = Rc::clone(&calls);
    let every = Duration::from_secs(20);
    let notify = Box::new(move || counted.set(counted.get() + 1));
    let mut listener = ActivityListener::new(every, notify);
    let expected = [(0, 1), (1, 1), (19, 1), (20, 2), (21, 2), (39, 2), (90, 3)];
    for (second, calls_until_then) in expected {
        listener.note(MonotonicTime::ZERO + Duration::from_secs(second));
        assert_eq!(calls.get(), calls_until_then, "after {second} s");
    }
}
