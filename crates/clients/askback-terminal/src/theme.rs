//! Colours: what each style looks like on a dark or light background, with 16 colours, or with none.
//!
//! No state is carried by colour alone, so every theme shows the same frame.

use crate::row::Style;

/// How styles are coloured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Theme {
    /// Full colours for a dark background.
    Dark,
    /// Full colours for a light background.
    Light,
    /// Full colours for what can be read on any background, the terminal's own colours for all other text.
    AnyBackground,
    /// The terminal's own 16 colours.
    Ansi16,
    /// No colour; bold and faint stay.
    Plain,
}

/// Whether the background is dark or light, as the terminal reports it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Background {
    /// Luminance below one half.
    Dark,
    /// Luminance of one half or more.
    Light,
}

/// How many colours the terminal supports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColorDepth {
    /// No colours.
    None,
    /// The 16 colours of the terminal's palette.
    Ansi16,
    /// 24-bit colours.
    TrueColor,
}

impl ColorDepth {
    /// Reads the environment: `NO_COLOR`, then `FORCE_COLOR`, then the terminal's name.
    pub fn from_env(var: impl Fn(&str) -> Option<String>) -> ColorDepth {
        let set = |name: &str| var(name).filter(|value| !value.is_empty());
        if set("NO_COLOR").is_some() {
            return ColorDepth::None;
        }
        let forced = set("FORCE_COLOR").or_else(|| set("CLICOLOR_FORCE"));
        match forced.as_deref() {
            Some("0" | "false") => return ColorDepth::None,
            Some("3") => return ColorDepth::TrueColor,
            Some(_) | None => {}
        }
        let truecolor = matches!(var("COLORTERM").as_deref(), Some("truecolor" | "24bit"));
        let term = var("TERM").unwrap_or_default();
        if truecolor || term.ends_with("-direct") {
            ColorDepth::TrueColor
        } else if forced.is_none() && matches!(term.as_str(), "dumb" | "") {
            ColorDepth::None
        } else {
            ColorDepth::Ansi16
        }
    }
}

impl Background {
    /// From the response to a query for the background: `rgb:1e1e/2929/3b3b`.
    pub(crate) fn from_response(response: &str) -> Option<Background> {
        let colours = response
            .split_once("rgb:")
            .or_else(|| response.split_once("rgba:"))?
            .1;
        let mut parts = colours.split('/').map(|part| {
            let digits = part.get(..part.len().min(2))?;
            let value = u32::from_str_radix(digits, 16).ok()?;
            // One digit means the digit twice.
            Some(if digits.len() == 1 { value * 17 } else { value })
        });
        let (red, green, blue) = (parts.next()??, parts.next()??, parts.next()??);
        let light = red * 299 + green * 587 + blue * 114 >= 128_000;
        Some(if light {
            Background::Light
        } else {
            Background::Dark
        })
    }

    /// From `COLORFGBG`, whose last part is the number of the background colour.
    pub fn from_colorfgbg(value: &str) -> Option<Background> {
        let number: u8 = value.rsplit(';').next()?.parse().ok()?;
        Some(match number {
            7 | 9..=15 => Background::Light,
            _ => Background::Dark,
        })
    }
}

impl Theme {
    /// The theme for a depth and a background.
    pub fn choose(depth: ColorDepth, background: Option<Background>) -> Theme {
        match (depth, background) {
            (ColorDepth::None, _) => Theme::Plain,
            (ColorDepth::TrueColor, Some(Background::Dark)) => Theme::Dark,
            (ColorDepth::TrueColor, Some(Background::Light)) => Theme::Light,
            (ColorDepth::TrueColor, None) => Theme::AnyBackground,
            (ColorDepth::Ansi16, _) => Theme::Ansi16,
        }
    }

    /// The SGR parameters of a style; empty for plain text.
    pub(crate) fn sgr(self, style: Style) -> &'static str {
        match self {
            Theme::Dark => dark(style),
            Theme::Light => light(style),
            Theme::AnyBackground => any_background(style),
            Theme::Ansi16 => sixteen(style),
            Theme::Plain => plain(style),
        }
    }
}

const CODE: &str = "38;2;255;255;255;48;2;0;0;0";

fn dark(style: Style) -> &'static str {
    match style {
        Style::Plain => "",
        Style::Chip => "1;38;2;129;140;248;48;2;30;41;59",
        Style::Focused => "1;38;2;241;245;249",
        Style::Label => "38;2;226;232;240",
        Style::Muted => "38;2;148;163;184",
        Style::Border => "38;2;100;116;139",
        Style::Mark => "38;2;129;140;248",
        Style::Success => "38;2;52;211;153",
        Style::Error => "38;2;248;113;113",
        Style::Warning => "38;2;251;191;36",
        Style::QrCode => CODE,
    }
}

fn light(style: Style) -> &'static str {
    match style {
        Style::Plain => "",
        Style::Chip => "1;38;2;67;56;202;48;2;238;242;255",
        Style::Focused => "1;38;2;15;23;42",
        Style::Label => "38;2;30;41;59",
        Style::Muted => "38;2;91;107;128",
        Style::Border => "38;2;100;116;139",
        Style::Mark => "38;2;67;56;202",
        Style::Success => "38;2;4;120;87",
        Style::Error => "38;2;185;28;28",
        Style::Warning => "38;2;146;64;14",
        Style::QrCode => CODE,
    }
}

/// The header has a background of its own; marks and borders are shapes, for which less contrast is enough than for text.
fn any_background(style: Style) -> &'static str {
    if matches!(style, Style::Chip | Style::Border | Style::Mark) {
        dark(style)
    } else {
        sixteen(style)
    }
}

fn sixteen(style: Style) -> &'static str {
    match style {
        Style::Plain | Style::Label => "",
        Style::Muted => "2",
        Style::Chip => "1;94",
        Style::Focused => "1",
        Style::Border => "90",
        Style::Mark => "94",
        Style::Success => "32",
        Style::Error => "31",
        Style::Warning => "33",
        Style::QrCode => "97;40",
    }
}

fn plain(style: Style) -> &'static str {
    match style {
        Style::Chip | Style::Focused => "1",
        Style::Muted => "2",
        Style::Plain
        | Style::Label
        | Style::Border
        | Style::Mark
        | Style::Success
        | Style::Error
        | Style::Warning
        | Style::QrCode => "",
    }
}

#[cfg(test)]
#[path = "theme_tests.rs"]
mod tests;
