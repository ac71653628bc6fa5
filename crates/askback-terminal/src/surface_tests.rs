//! Nobody is asked where nobody can answer, and lines serve where frames cannot.

use super::{Surface, SurfaceInputs, is_utf8};
use crate::row::Size;

const TERMINAL: SurfaceInputs = SurfaceInputs {
    controlling: false,
    lines: false,
    stdin: true,
    stderr: true,
    size: Size {
        columns: 80,
        rows: 24,
    },
};

fn choose(facts: &SurfaceInputs, vars: &[(&str, &str)]) -> Surface {
    Surface::choose(facts, |name| {
        let mut all = vars.iter().chain(&[("TERM", "xterm")]);
        all.find(|(var, _)| *var == name)
            .map(|(_, value)| (*value).to_owned())
    })
}

#[test]
fn first_rule_that_applies_decides() {
    assert_eq!(choose(&TERMINAL, &[]), Surface::Frames);
    assert_eq!(choose(&TERMINAL, &[("ACCESSIBLE", "1")]), Surface::Lines);
    assert_eq!(choose(&TERMINAL, &[("ACCESSIBLE", "0")]), Surface::Frames);
    assert_eq!(choose(&TERMINAL, &[("TERM", "dumb")]), Surface::Lines);
    assert_eq!(choose(&TERMINAL, &[("CI", "1")]), Surface::NonInteractive);
    let piped = SurfaceInputs {
        stdin: false,
        ..TERMINAL
    };
    assert_eq!(choose(&piped, &[]), Surface::NonInteractive);
    let piped = SurfaceInputs {
        stderr: false,
        ..TERMINAL
    };
    assert_eq!(choose(&piped, &[]), Surface::NonInteractive);
    let told = SurfaceInputs {
        stdin: false,
        controlling: true,
        ..TERMINAL
    };
    assert_eq!(choose(&told, &[("CI", "1")]), Surface::Frames);
}

/// T04: below 20 by 6 the question is asked line by line.
#[test]
fn tiny_terminal_is_asked_by_lines() {
    let tiny = SurfaceInputs {
        size: Size {
            columns: 19,
            rows: 24,
        },
        ..TERMINAL
    };
    assert_eq!(choose(&tiny, &[]), Surface::Lines);
    let tiny = SurfaceInputs {
        size: Size {
            columns: 80,
            rows: 5,
        },
        ..TERMINAL
    };
    assert_eq!(choose(&tiny, &[]), Surface::Lines);
}

/// T29: a locale that is not UTF-8 gets ASCII.
#[test]
fn locale_says_whether_more_than_ascii_can_be_shown() {
    let utf8 = |value: &str| is_utf8(|name| (name == "LANG").then(|| value.to_owned()));
    assert!(utf8("de_DE.UTF-8"));
    assert!(utf8("C.utf8"));
    assert!(!utf8("C"));
    assert!(!utf8(""));
}
