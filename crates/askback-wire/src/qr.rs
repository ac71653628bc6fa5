//! An address as a QR code: for a page as SVG or row by row, for a terminal as blocks of text.

use std::fmt::Write as _;

use qrcode::{Color, EcLevel, QrCode};

/// Modules of empty space around a code, without which cameras do not find it.
const QUIET: usize = 4;

/// The same where rows are few: less than the standard asks for, but a dark screen goes on around it.
const QUIET_NARROW: usize = 2;

/// The modules of a code, `true` for dark, with the quiet zone; `None` if the text is too long.
fn modules(text: &str, quiet: usize) -> Option<Vec<Vec<bool>>> {
    let code = QrCode::with_error_correction_level(text, EcLevel::L).ok()?;
    let width = code.width();
    let side = width + 2 * quiet;
    let mut rows = vec![vec![false; side]; side];
    for (at, color) in code.to_colors().into_iter().enumerate() {
        rows[quiet + at / width][quiet + at % width] = color == Color::Dark;
    }
    Some(rows)
}

/// The code row by row, `1` for dark and `0` for light, for those who draw it themselves.
pub fn rows(text: &str) -> Option<Vec<String>> {
    let rows = modules(text, QUIET)?.into_iter();
    let digits = |row: Vec<bool>| {
        row.iter()
            .map(|dark| if *dark { '1' } else { '0' })
            .collect()
    };
    Some(rows.map(digits).collect())
}

/// The code as an image, black on white whatever the page looks like.
pub fn svg(text: &str) -> Option<String> {
    let rows = modules(text, QUIET)?;
    let side = rows.len();
    let mut path = String::new();
    for (y, row) in rows.iter().enumerate() {
        for (x, dark) in row.iter().enumerate() {
            if *dark {
                // Writing to a string cannot fail.
                write!(path, "M{x} {y}h1v1h-1z").unwrap_or_default();
            }
        }
    }
    Some(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {side} {side}\" \
         shape-rendering=\"crispEdges\"><path fill=\"#fff\" d=\"M0 0h{side}v{side}H0z\"/>\
         <path fill=\"#000\" d=\"{path}\"/></svg>"
    ))
}

/// The code as lines of text, two modules high each. Light modules are drawn, so that it reads
/// light on dark as terminals are; most cameras read the reverse as well.
pub fn blocks(text: &str) -> Option<String> {
    modules(text, QUIET).map(|rows| drawn(&rows))
}

/// The same with a narrower quiet zone, for a prompt.
pub fn narrow_blocks(text: &str) -> Option<String> {
    modules(text, QUIET_NARROW).map(|rows| drawn(&rows))
}

fn drawn(rows: &[Vec<bool>]) -> String {
    let mut lines = String::new();
    for pair in rows.chunks(2) {
        let below = pair.get(1);
        for (x, dark) in pair[0].iter().enumerate() {
            let dark_below = below.is_none_or(|row| row[x]);
            lines.push(match (dark, dark_below) {
                (false, false) => '█',
                (false, true) => '▀',
                (true, false) => '▄',
                (true, true) => ' ',
            });
        }
        lines.push('\n');
    }
    lines
}

#[cfg(test)]
#[path = "qr_tests.rs"]
mod tests;
