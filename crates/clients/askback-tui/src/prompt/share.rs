//! A link to this question for another device, as a QR code and as text.

use std::net::IpAddr;

use askback_wire::link::LinkResponse;
use askback_wire::qr;

use super::{Prompt, hints};
use askback_terminal::clock;
use askback_terminal::glyphs::Glyphs;
use askback_terminal::row::{Frame, Row, Style};
use askback_terminal::styled_wrap::wrapped_rows;
use askback_terminal::width::text_width;

#[derive(Debug, Clone, PartialEq)]
pub(super) enum LinkState {
    NotRequested,
    Requested,
    Created(LinkResponse),
    /// The reason, for the user.
    Failed(String),
}

const GAP: usize = 2;
/// With fewer columns, the text is above the code.
const TEXT_COLUMNS_MIN: usize = 24;

impl LinkState {
    /// Whether it must be requested, because there is none yet.
    pub(super) fn start_request(&mut self) -> bool {
        if matches!(self, LinkState::Created(_) | LinkState::Requested) {
            return false;
        }
        *self = LinkState::Requested;
        true
    }

    pub(super) fn set(&mut self, made: Result<LinkResponse, String>) {
        *self = match made {
            Ok(link) => LinkState::Created(link),
            Err(words) => LinkState::Failed(words),
        };
    }

    pub(super) fn url(&self) -> Option<&str> {
        match self {
            LinkState::Created(link) => Some(&link.url),
            LinkState::NotRequested | LinkState::Requested | LinkState::Failed(_) => None,
        }
    }
}

/// The code beside its text or below it; the text alone if the code does not fit.
pub(super) fn screen(prompt: &Prompt) -> Frame {
    let columns = prompt.options.size.columns.saturating_sub(1).max(1);
    let room = prompt.options.size.rows.saturating_sub(1).max(1);
    let code = code(prompt);
    let high = code.len();
    let wide = code.first().map_or(0, |line| text_width(line));
    let beside = columns.saturating_sub(wide + GAP);
    let mut rows = if !code.is_empty() && high <= room && beside >= TEXT_COLUMNS_MIN {
        let mut text = about(prompt, beside);
        text.extend(question_rows(prompt, beside));
        side_by_side(&code, text)
    } else {
        let mut rows = about(prompt, columns);
        if code.is_empty() || (wide <= columns && rows.len() + high <= room) {
            let code = code.iter();
            rows.extend(code.map(|line| Row::new().with(line.as_str(), Style::QrCode)));
        } else {
            let small = prompt.text("share-small", &[]);
            rows.extend(wrapped_rows(&small, columns, Style::Muted));
        }
        rows.extend(question_rows(prompt, columns));
        rows
    };
    rows.truncate(room);
    rows.push(hints::foot(prompt, columns));
    Frame::screen(rows)
}

/// The QR code; empty without a link or with ASCII glyphs.
fn code(prompt: &Prompt) -> Vec<String> {
    let url = prompt.link.url();
    let url = url.filter(|_| prompt.options.glyphs != Glyphs::ASCII);
    let code = url.and_then(qr::narrow_blocks);
    code.unwrap_or_default()
        .lines()
        .map(str::to_owned)
        .collect()
}

fn side_by_side(code: &[String], text: Vec<Row>) -> Vec<Row> {
    let mut text = text.into_iter();
    let rows = code.iter().map(|line| {
        let mut row = Row::new().with(line.as_str(), Style::QrCode);
        let beside = text.next().unwrap_or_default();
        if !beside.spans().is_empty() {
            row.push(" ".repeat(GAP), Style::Plain);
        }
        row.append(&beside);
        row
    });
    rows.collect()
}

fn about(prompt: &Prompt, columns: usize) -> Vec<Row> {
    let mut rows = wrapped_rows(&prompt.text("share-title", &[]), columns, Style::Chip);
    rows.push(Row::new());
    match &prompt.link {
        LinkState::NotRequested | LinkState::Requested => {
            let making = prompt.text("share-making", &[]);
            rows.extend(wrapped_rows(&making, columns, Style::Muted));
        }
        LinkState::Failed(words) => {
            let words = format!("{} {words}", prompt.options.glyphs.failed);
            rows.extend(wrapped_rows(&words, columns, Style::Error));
        }
        LinkState::Created(link) => {
            rows.extend(wrapped_rows(&link.url, columns, Style::Focused));
            rows.push(Row::new());
            let time = clock::date_and_time(link.expires_at);
            let once = prompt.text("share-once", &[("time", time.into())]);
            rows.extend(wrapped_rows(&once, columns, Style::Muted));
            if is_on_loopback(&link.url) {
                let local = prompt.text("share-local", &[]);
                rows.extend(wrapped_rows(&local, columns, Style::Warning));
            }
        }
    }
    if let Some(notice) = prompt.notice {
        rows.extend(wrapped_rows(
            &prompt.text(notice, &[]),
            columns,
            Style::Success,
        ));
    }
    rows
}

fn question_rows(prompt: &Prompt, columns: usize) -> Vec<Row> {
    let mut rows = vec![Row::new()];
    let text = prompt.draft.question().text.as_str();
    rows.extend(wrapped_rows(text, columns, Style::Plain));
    rows
}

/// Whether only this machine can open an address.
pub fn is_on_loopback(url: &str) -> bool {
    let host = url.split('/').nth(2).unwrap_or_default();
    if host.contains('@') {
        return false;
    }
    let host = host.split(['?', '#']).next().unwrap_or_default();
    let host = host.rsplit_once(':').map_or(host, |(host, _)| host);
    let host = host.trim_matches(['[', ']']);
    host == "localhost" || host.parse().is_ok_and(|ip: IpAddr| ip.is_loopback())
}

#[cfg(test)]
#[path = "share_tests.rs"]
mod tests;
