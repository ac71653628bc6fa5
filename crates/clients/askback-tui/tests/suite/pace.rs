//! How long a frame takes. What is measured is the processor time of this thread for everything
//! between the event and the bytes, so that other work on the machine does not count; the way from
//! there to a terminal is measured with the real binary.

use std::time::Duration;

use askback_terminal::key::InputEvent;
use askback_terminal::row::Size;
use askback_terminal::theme::Theme;
use askback_terminal::viewport::{Reflow, Viewport};
use askback_tui::prompt::{Prompt, Reaction};
use rustix::time::{ClockId, clock_gettime};
use serde_json::{Value, json};

use super::fixtures::{SIZES, inquiry, key, options};

/// Most texts are ASCII, and are faster for it; all others count as well.
const WORDS: [&str; 2] = [
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau",
    "größe übermütig faß ärmel öfter naïve café 数据库 选项 データ 設定 πρώτα δεύτερα قاعدة بيانات שאלה",
];

/// Twenty choices as long as a contract lets them be: 100 characters, and 200 to describe them.
fn heavy(words: &str) -> Value {
    let text = |number: usize, length: usize| -> String {
        let long = format!("{number} {}", [words; 6].join(" "));
        long.chars().take(length).collect()
    };
    let choices: Vec<Value> = (0..20)
        .map(|number| json!({"label": text(number, 100), "description": text(number, 200)}))
        .collect();
    json!({"question": text(99, 500), "options": choices, "input_type": "multi_select", "allow_other": true})
}

fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    let nanos = u32::try_from(time.tv_nsec).expect("less than a second");
    Duration::new(u64::try_from(time.tv_sec).expect("time goes on"), nanos)
}

fn timed<T>(work: impl FnOnce() -> T) -> (Duration, T) {
    let begun = processor_time();
    let done = work();
    (processor_time().saturating_sub(begun), done)
}

/// Opens a prompt and presses keys; gives the time to the first frame, and the p99 of the others.
fn session(size: Size, words: &str) -> (Duration, Duration) {
    let keys =
        "down down space down pgdn up end home ? esc down space p esc / a l backspace esc n x esc";
    let keys: Vec<&str> = keys.split(' ').collect();
    let mut options = options("en");
    options.size = size;
    let (first, (mut prompt, mut viewport)) = timed(|| {
        let prompt = Prompt::new(inquiry(&heavy(words)), options);
        let mut viewport = Viewport::new(Theme::Plain, Reflow::Truncates);
        assert!(!viewport.paint(&prompt.view()).is_empty());
        (prompt, viewport)
    });
    prompt.painted(Duration::ZERO);
    let mut took = Vec::new();
    for name in keys.iter().cycle().take(300) {
        let event = InputEvent::Key(key(name));
        let (time, reaction) = timed(|| {
            let reaction = prompt.handle(&event, Duration::from_secs(10));
            viewport.paint(&prompt.view());
            reaction
        });
        assert!(!matches!(reaction, Reaction::End(_)), "{name} ended it");
        took.push(time);
    }
    took.sort_unstable();
    (first, took[took.len() * 99 / 100])
}

/// Neighbours on the machine slow even the processor itself down: the times count only where somebody asks for it with
/// `ASKBACK_TEST_FULL=1`, and of several attempts the best one, for each figure by itself.
#[test]
fn key_is_painted_within_a_frame_of_the_screen() {
    let clock_counts = std::env::var_os("ASKBACK_TEST_FULL").is_some();
    let attempts = if clock_counts { 8 } else { 1 };
    for (size, words) in SIZES
        .into_iter()
        .flat_map(|size| WORDS.map(|words| (size, words)))
    {
        let (mut first, mut p99) = (Duration::MAX, Duration::MAX);
        let in_time = (0..attempts).any(|_| {
            let seen = session(size, words);
            first = first.min(seen.0);
            p99 = p99.min(seen.1);
            first <= Duration::from_millis(50) && p99 <= Duration::from_millis(16)
        });
        assert!(in_time || !clock_counts, "{size:?}: {first:?}, {p99:?}");
    }
}
