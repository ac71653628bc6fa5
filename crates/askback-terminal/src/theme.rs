//! Colours: what each ink looks like on a dark or light background, with 16 colours, or with none.
//!
//! No state is carried by colour alone, so every theme shows the same frame.

use crate::row::Ink;

/// How inks are coloured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Theme {
    /// Full colours for a dark background.
    Dark,
    /// Full colours for a light background.
    Light,
    /// The terminal's own 16 colours.
    Sixteen,
    /// No colour; bold stays.
    Plain,
}

/// Whether the background is dark or light, as the terminal reports it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Background {
    /// Darker than middle grey.
    Dark,
    /// Lighter.
    Light,
}

/// How many colours may be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// None.
    None,
    /// Sixteen.
    Sixteen,
    /// All.
    Full,
}

impl Depth {
    /// What the environment says: `NO_COLOR` goes before `FORCE_COLOR`, both before the terminal's name.
    pub fn from_env(var: impl Fn(&str) -> Option<String>) -> Depth {
        let set = |name: &str| var(name).filter(|value| !value.is_empty());
        if set("NO_COLOR").is_some() {
            return Depth::None;
        }
        let forced = set("FORCE_COLOR").or_else(|| set("CLICOLOR_FORCE"));
        match forced.as_deref() {
            Some("0" | "false") => return Depth::None,
            Some("3") => return Depth::Full,
            Some(_) | None => {}
        }
        let truecolor = matches!(var("COLORTERM").as_deref(), Some("truecolor" | "24bit"));
        let term = var("TERM").unwrap_or_default();
        if truecolor || term.ends_with("-direct") {
            Depth::Full
        } else if forced.is_none() && matches!(term.as_str(), "dumb" | "") {
            Depth::None
        } else {
            Depth::Sixteen
        }
    }
}

impl Background {
    /// From the reply to a query for the background: `rgb:1e1e/2929/3b3b`.
    pub(crate) fn from_reply(reply: &str) -> Option<Background> {
        let colours = reply
            .split_once("rgb:")
            .or_else(|| reply.split_once("rgba:"))?
            .1;
        let mut parts = colours.split('/').map(|part| {
            let digits = part.get(..part.len().min(2))?;
            let value = u32::from_str_radix(digits, 16).ok()?;
            // A single digit stands for itself twice.
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
    /// The theme for a depth and a background; an unknown background gets the terminal's own colours.
    pub fn choose(depth: Depth, background: Option<Background>) -> Theme {
        match (depth, background) {
            (Depth::None, _) => Theme::Plain,
            (Depth::Full, Some(Background::Dark)) => Theme::Dark,
            (Depth::Full, Some(Background::Light)) => Theme::Light,
            (Depth::Full, None) | (Depth::Sixteen, _) => Theme::Sixteen,
        }
    }

    /// The parameters that select an ink; empty for ordinary text.
    pub(crate) fn sgr(self, ink: Ink) -> &'static str {
        match self {
            Theme::Dark => dark(ink),
            Theme::Light => light(ink),
            Theme::Sixteen => sixteen(ink),
            Theme::Plain => plain(ink),
        }
    }
}

/// White on black.
const CODE: &str = "38;2;255;255;255;48;2;0;0;0";

fn dark(ink: Ink) -> &'static str {
    match ink {
        Ink::Plain => "",
        Ink::Chip => "1;38;2;129;140;248;48;2;30;41;59",
        Ink::Focused => "1;38;2;241;245;249",
        Ink::Label | Ink::Muted => "38;2;148;163;184",
        Ink::Rail => "38;2;100;116;139",
        Ink::Mark => "38;2;129;140;248",
        Ink::Good => "38;2;52;211;153",
        Ink::Error => "38;2;248;113;113",
        Ink::Warning => "38;2;251;191;36",
        Ink::Chosen => "1;7;38;2;52;211;153",
        Ink::Code => CODE,
    }
}

fn light(ink: Ink) -> &'static str {
    match ink {
        Ink::Plain => "",
        Ink::Chip => "1;38;2;67;56;202;48;2;238;242;255",
        Ink::Focused => "1;38;2;15;23;42",
        Ink::Label => "38;2;51;65;85",
        Ink::Muted => "38;2;71;85;105",
        Ink::Rail => "38;2;100;116;139",
        Ink::Mark => "38;2;67;56;202",
        Ink::Good => "38;2;4;120;87",
        Ink::Error => "38;2;185;28;28",
        Ink::Warning => "38;2;146;64;14",
        Ink::Chosen => "1;7;38;2;4;120;87",
        Ink::Code => CODE,
    }
}

fn sixteen(ink: Ink) -> &'static str {
    match ink {
        Ink::Plain | Ink::Label | Ink::Muted => "",
        Ink::Chip => "1;94",
        Ink::Focused => "1",
        Ink::Rail => "90",
        Ink::Mark => "94",
        Ink::Good => "32",
        Ink::Error => "31",
        Ink::Warning => "33",
        Ink::Chosen => "1;7;32",
        Ink::Code => "97;40",
    }
}

fn plain(ink: Ink) -> &'static str {
    match ink {
        Ink::Chip | Ink::Focused | Ink::Chosen => "1",
        Ink::Plain
        | Ink::Label
        | Ink::Muted
        | Ink::Rail
        | Ink::Mark
        | Ink::Good
        | Ink::Error
        | Ink::Warning
        | Ink::Code => "",
    }
}

#[cfg(test)]
#[path = "theme_tests.rs"]
mod tests;
