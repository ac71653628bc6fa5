//! URLs as QR codes: SVG or rows of digits for pages, block characters for terminals.

use std::fmt::Write as _;

use qrcode::{Color, EcLevel, QrCode};

/// Modules of empty space around a code, without which cameras do not find it.
const QUIET_ZONE: usize = 4;

/// For terminals with few rows. Less than the standard requires, but the dark screen around it helps.
const NARROW_QUIET_ZONE: usize = 2;

/// The modules with the quiet zone, `true` for dark. `None` if the text is too long.
fn modules(text: &str, quiet_zone: usize) -> Option<Vec<Vec<bool>>> {
    let code = QrCode::with_error_correction_level(text, EcLevel::L).ok()?;
    let width = code.width();
    let side = width + 2 * quiet_zone;
    let mut rows = vec![vec![false; side]; side];
    for (at, color) in code.to_colors().into_iter().enumerate() {
        rows[quiet_zone + at / width][quiet_zone + at % width] = color == Color::Dark;
    }
    Some(rows)
}

/// Rows of `1` for dark and `0` for light modules.
pub fn rows(text: &str) -> Option<Vec<String>> {
    let rows = modules(text, QUIET_ZONE)?.into_iter();
    let digits = |row: Vec<bool>| {
        row.iter()
            .map(|dark| if *dark { '1' } else { '0' })
            .collect()
    };
    Some(rows.map(digits).collect())
}

/// An SVG image, always black on white.
pub fn svg(text: &str) -> Option<String> {
    let rows = modules(text, QUIET_ZONE)?;
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

/// Lines of text, each two modules high. Light modules are drawn, for terminals with a dark background;
/// most cameras read the inverse too.
pub fn blocks(text: &str) -> Option<String> {
    modules(text, QUIET_ZONE).map(|rows| draw_blocks(&rows))
}

/// Like [`blocks`], with a narrower quiet zone.
pub fn narrow_blocks(text: &str) -> Option<String> {
    modules(text, NARROW_QUIET_ZONE).map(|rows| draw_blocks(&rows))
}

fn draw_blocks(rows: &[Vec<bool>]) -> String {
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
