//! Colours follow the terminal, the environment and the wish for none.

use super::{Background, ColorDepth, Theme};
use crate::row::Style;

fn depth(vars: &[(&str, &str)]) -> ColorDepth {
    ColorDepth::from_env(|name| {
        let found = vars.iter().find(|(var, _)| *var == name);
        found.map(|(_, value)| (*value).to_owned())
    })
}

/// `NO_COLOR` wins over everything, `FORCE_COLOR` over the terminal.
#[test]
fn environment_decides_the_depth() {
    let truecolor = ("COLORTERM", "truecolor");
    let xterm = ("TERM", "xterm-256color");
    assert_eq!(depth(&[truecolor, xterm]), ColorDepth::TrueColor);
    assert_eq!(depth(&[xterm]), ColorDepth::Ansi16);
    assert_eq!(depth(&[("TERM", "dumb")]), ColorDepth::None);
    assert_eq!(
        depth(&[("TERM", "dumb"), ("FORCE_COLOR", "1")]),
        ColorDepth::Ansi16
    );
    assert_eq!(depth(&[("FORCE_COLOR", "0"), truecolor]), ColorDepth::None);
    assert_eq!(
        depth(&[("FORCE_COLOR", "3"), ("NO_COLOR", "1")]),
        ColorDepth::None
    );
    assert_eq!(
        depth(&[("NO_COLOR", ""), truecolor, xterm]),
        ColorDepth::TrueColor
    );
}

#[test]
fn background_is_read_from_responses() {
    let from = Background::from_response;
    assert_eq!(from("11;rgb:1e1e/2929/3b3b"), Some(Background::Dark));
    assert_eq!(from("11;rgb:ffff/ffff/ffff"), Some(Background::Light));
    assert_eq!(from("11;rgb:f/f/f"), Some(Background::Light));
    assert_eq!(from("11;rgb:zz/1/2"), None);
    assert_eq!(from("11;?"), None);
    assert_eq!(Background::from_colorfgbg("15;0"), Some(Background::Dark));
    assert_eq!(
        Background::from_colorfgbg("0;default;15"),
        Some(Background::Light)
    );
    assert_eq!(Background::from_colorfgbg("x"), None);
}

/// Text on an unknown background never gets colours that may be unreadable on it; the header, the marks and the border have
/// their chosen ones.
#[test]
fn unknown_background_gets_colours_that_are_readable_on_any() {
    let unknown = Theme::choose(ColorDepth::TrueColor, None);
    for style in [Style::Chip, Style::Mark, Style::Border] {
        assert_eq!(unknown.sgr(style), Theme::Dark.sgr(style));
    }
    for style in [Style::Label, Style::Muted, Style::Success, Style::Error] {
        assert_eq!(unknown.sgr(style), Theme::Ansi16.sgr(style));
    }
    assert_eq!(Theme::choose(ColorDepth::Ansi16, None), Theme::Ansi16);
    assert_eq!(
        Theme::choose(ColorDepth::TrueColor, Some(Background::Light)),
        Theme::Light
    );
    assert_eq!(
        Theme::choose(ColorDepth::None, Some(Background::Dark)),
        Theme::Plain
    );
}

/// Descriptions are fainter than labels in every theme, and the focused label is bold.
#[test]
fn descriptions_are_fainter_than_labels() {
    let luminance = |sgr: &str| -> u32 {
        let parts = sgr.rsplit(';').take(3);
        parts.filter_map(|part| part.parse::<u32>().ok()).sum()
    };
    let (label, muted) = (Style::Label, Style::Muted);
    assert!(luminance(Theme::Dark.sgr(label)) > luminance(Theme::Dark.sgr(muted)) + 150);
    assert!(luminance(Theme::Light.sgr(label)) + 150 < luminance(Theme::Light.sgr(muted)));
    for theme in [Theme::Ansi16, Theme::Plain] {
        assert_eq!((theme.sgr(label), theme.sgr(muted)), ("", "2"));
    }
    for theme in [Theme::Dark, Theme::Light, Theme::Ansi16, Theme::Plain] {
        assert!(theme.sgr(Style::Focused).starts_with('1'));
    }
}
