//! Nobody is asked where nobody can answer, and lines serve where frames cannot.

use super::{DisplayMode, DisplayModeInputs, has_wide_glyphs, is_utf8};
use crate::row::Size;

const TERMINAL: DisplayModeInputs = DisplayModeInputs {
    controlling: false,
    lines: false,
    stdin: true,
    stderr: true,
    size: Size {
        columns: 80,
        rows: 24,
    },
};

fn choose(facts: &DisplayModeInputs, vars: &[(&str, &str)]) -> DisplayMode {
    DisplayMode::choose(facts, |name| {
        let mut all = vars.iter().chain(&[("TERM", "xterm")]);
        all.find(|(var, _)| *var == name)
            .map(|(_, value)| (*value).to_owned())
    })
}

#[test]
fn first_rule_that_applies_decides() {
    assert_eq!(choose(&TERMINAL, &[]), DisplayMode::Frames);
    assert_eq!(
        choose(&TERMINAL, &[("ACCESSIBLE", "1")]),
        DisplayMode::Lines
    );
    assert_eq!(
        choose(&TERMINAL, &[("ACCESSIBLE", "0")]),
        DisplayMode::Frames
    );
    assert_eq!(choose(&TERMINAL, &[("TERM", "dumb")]), DisplayMode::Lines);
    assert_eq!(
        choose(&TERMINAL, &[("CI", "1")]),
        DisplayMode::NonInteractive
    );
    let piped = DisplayModeInputs {
        stdin: false,
        ..TERMINAL
    };
    assert_eq!(choose(&piped, &[]), DisplayMode::NonInteractive);
    let piped = DisplayModeInputs {
        stderr: false,
        ..TERMINAL
    };
    assert_eq!(choose(&piped, &[]), DisplayMode::NonInteractive);
    let told = DisplayModeInputs {
        stdin: false,
        controlling: true,
        ..TERMINAL
    };
    assert_eq!(choose(&told, &[("CI", "1")]), DisplayMode::Frames);
}

/// Below 20 by 6 the question is asked line by line.
#[test]
fn tiny_terminal_is_asked_by_lines() {
    let tiny = DisplayModeInputs {
        size: Size {
            columns: 19,
            rows: 24,
        },
        ..TERMINAL
    };
    assert_eq!(choose(&tiny, &[]), DisplayMode::Lines);
    let tiny = DisplayModeInputs {
        size: Size {
            columns: 80,
            rows: 5,
        },
        ..TERMINAL
    };
    assert_eq!(choose(&tiny, &[]), DisplayMode::Lines);
}

/// A locale that is not UTF-8 gets ASCII.
#[test]
fn locale_says_whether_more_than_ascii_can_be_shown() {
    let utf8 = |value: &str| is_utf8(|name| (name == "LANG").then(|| value.to_owned()));
    assert!(utf8("de_DE.UTF-8"));
    assert!(utf8("C.utf8"));
    assert!(!utf8("C"));
    assert!(!utf8(""));
}

/// Only in East Asian locales does the first frame wait for the width of its symbols.
#[test]
fn locale_says_where_symbols_may_be_wide() {
    let wide = |value: &str| has_wide_glyphs(|name| (name == "LC_ALL").then(|| value.to_owned()));
    assert!(wide("ja_JP.UTF-8") && wide("zh_CN.UTF-8") && wide("ko_KR.utf8"));
    assert!(!wide("de_DE.UTF-8") && !wide("C.UTF-8") && !wide(""));
}
