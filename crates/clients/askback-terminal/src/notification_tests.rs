//! Who is notified of what, and that each terminal gets one sequence that it understands.

use super::*;

fn sequence(vars: &[(&str, &str)]) -> String {
    let var = |name: &str| {
        let found = vars.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| (*value).to_owned())
    };
    NotificationStyle::from_env(var).sequence("? Name; builder")
}

#[test]
fn terminal_gets_the_sequence_that_it_knows() {
    for (vars, expected) in [
        (&[][..], "\x07\x1b]9;? Name; builder\x1b\\"),
        (
            &[("TERM", "xterm-256color"), ("VTE_VERSION", "7600")],
            "\x07\x1b]777;notify;askback;? Name, builder\x1b\\",
        ),
        (
            &[("TERM", "foot")],
            "\x07\x1b]777;notify;askback;? Name, builder\x1b\\",
        ),
        (
            &[("TERM", "xterm-kitty")],
            "\x07\x1b]99;;? Name; builder\x1b\\",
        ),
        (
            &[
                ("TERM", "tmux-256color"),
                ("TMUX", "/tmp/tmux-1000/default,1,0"),
            ],
            "\x07\x1bPtmux;\x1b\x1b]9;? Name; builder\x1b\x1b\\\x1b\\",
        ),
        (
            &[("TERM", "screen"), ("STY", "1.pts-0")],
            "\x07\x1bP\x1b]9;? Name; builder\x07\x1b\\",
        ),
    ] {
        assert_eq!(sequence(vars), expected, "{vars:?}");
    }
}

fn question(id: &str, reach: Reach) -> Notification {
    Notification {
        id: id.to_owned(),
        text: format!("? {id}"),
        reach,
    }
}

const fn at(seconds: u64) -> MonotonicTime {
    Duration::from_secs(seconds)
}

/// Not every terminal reports which window has the focus, and tmux does so only if it is told to.
#[test]
fn idle_terminal_is_notified_once_for_each_question() {
    for focus in [Focus::Unknown, Focus::Here, Focus::Away] {
        let mut notifier = Notifier::opened_at(at(0));
        let due = |notifier: &mut Notifier, id, second| {
            notifier.is_due(&question(id, Reach::Idle), focus, at(second))
        };
        assert!(due(&mut notifier, "a", 60), "{focus:?}");
        assert!(!due(&mut notifier, "a", 61), "{focus:?}");
        assert!(due(&mut notifier, "b", 62), "{focus:?}");
    }
}

/// When the newest question ends, a screen may show the one before it again.
#[test]
fn question_that_is_the_newest_again_does_not_ring_again() {
    let mut notifier = Notifier::opened_at(at(0));
    let mut due =
        |id, focus, second| notifier.is_due(&question(id, Reach::Idle), focus, at(second));
    // Seen by whoever typed then.
    assert!(!due("a", Focus::Unknown, 5));
    assert!(due("b", Focus::Unknown, 60));
    assert!(due("c", Focus::Unknown, 61));
    assert!(!due("b", Focus::Away, 62));
    assert!(!due("a", Focus::Unknown, 63));
    assert!(due("a", Focus::Away, 64));
}

#[test]
fn whoever_types_here_is_not_notified() {
    let mut notifier = Notifier::opened_at(at(0));
    let mut due =
        |id, focus, second| notifier.is_due(&question(id, Reach::Idle), focus, at(second));
    // The inbox was opened just now.
    assert!(!due("a", Focus::Unknown, 5));
    // It stays seen, however long nobody types.
    assert!(!due("a", Focus::Unknown, 100));
    // Unless the terminal reports another window.
    assert!(due("a", Focus::Away, 101));
    notifier.saw_input(at(200));
    let mut due = |id, second| notifier.is_due(&question(id, Reach::Idle), Focus::Here, at(second));
    assert!(!due("b", 205));
    assert!(!due("b", 300));
    assert!(due("c", 301));
}

#[test]
fn prompt_that_was_opened_here_rings_only_for_another_window() {
    let mut notifier = Notifier::opened_at(at(0));
    let mut due =
        |focus, second| notifier.is_due(&question("a", Reach::OtherWindow), focus, at(second));
    assert!(!due(Focus::Unknown, 60));
    assert!(due(Focus::Away, 61));
    assert!(!due(Focus::Away, 62));
}
