//! A link to this question for another device, as a QR code and as text.

use askback_wire::link::LinkResponse;
use askback_wire::qr;

use super::{Overlay, Persistence, Prompt, PromptRequest, Reaction, hints};
use askback_terminal::clock;
use askback_terminal::glyphs::Glyphs;
use askback_terminal::row::{Cursor, Frame, Row, ScreenBuffer, Style};
use askback_terminal::width::text_width;
use askback_terminal::wrap::wrapped;

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

impl Prompt {
    /// Sets the link after [`Reaction::Request(PromptRequest::CreateLink)`], or the reason why there is none.
    pub(super) fn set_link(&mut self, made: Result<LinkResponse, String>) {
        self.link = match made {
            Ok(link) => LinkState::Created(link),
            Err(words) => LinkState::Failed(words),
        };
    }

    /// Shows the link, and requests it if there is none yet.
    pub(super) fn create_link(&mut self) -> Reaction {
        if self.options.persistence == Persistence::None {
            self.notice = Some("notice-no-share");
            return Reaction::Redraw;
        }
        self.set_overlay(Overlay::Link);
        if matches!(self.link, LinkState::Created(_) | LinkState::Requested) {
            return Reaction::Redraw;
        }
        self.link = LinkState::Requested;
        Reaction::Request(PromptRequest::CreateLink)
    }

    pub(super) fn copy_shared(&mut self) -> Reaction {
        match (&self.link, self.overlay) {
            (LinkState::Created(link), Some(Overlay::Link)) => {
                self.notice = Some("notice-link-copied");
                Reaction::CopyToClipboard(link.url.clone())
            }
            _ => Reaction::Nothing,
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
            rows.extend(plain(&small, columns, Style::Muted));
        }
        rows.extend(question_rows(prompt, columns));
        rows
    };
    rows.truncate(room);
    rows.push(hints::foot(prompt, columns));
    let cursor = Cursor {
        row: rows.len() - 1,
        column: 0,
    };
    Frame {
        rows,
        cursor,
        buffer: ScreenBuffer::Alternate,
    }
}

/// The QR code; empty without a link or with ASCII glyphs.
fn code(prompt: &Prompt) -> Vec<String> {
    match &prompt.link {
        LinkState::Created(link) if prompt.options.glyphs != Glyphs::ASCII => {
            let code = qr::narrow_blocks(&link.url).unwrap_or_default();
            code.lines().map(str::to_owned).collect()
        }
        LinkState::NotRequested
        | LinkState::Requested
        | LinkState::Created(_)
        | LinkState::Failed(_) => Vec::new(),
    }
}

fn side_by_side(code: &[String], text: Vec<Row>) -> Vec<Row> {
    let mut text = text.into_iter();
    let rows = code.iter().map(|line| {
        let mut row = Row::new().with(line.as_str(), Style::QrCode);
        let beside = text.next().unwrap_or_default();
        if !beside.spans().is_empty() {
            row.push(" ".repeat(GAP), Style::Plain);
        }
        for span in beside.spans() {
            row.push(span.text.as_str(), span.style);
        }
        row
    });
    rows.collect()
}

fn about(prompt: &Prompt, columns: usize) -> Vec<Row> {
    let mut rows = plain(&prompt.text("share-title", &[]), columns, Style::Chip);
    rows.push(Row::new());
    match &prompt.link {
        LinkState::NotRequested | LinkState::Requested => {
            rows.extend(plain(
                &prompt.text("share-making", &[]),
                columns,
                Style::Muted,
            ));
        }
        LinkState::Failed(words) => {
            let words = format!("{} {words}", prompt.options.glyphs.failed);
            rows.extend(plain(&words, columns, Style::Error));
        }
        LinkState::Created(link) => {
            rows.extend(plain(&link.url, columns, Style::Focused));
            rows.push(Row::new());
            let time = clock::date_and_time(link.expires_at);
            let once = prompt.text("share-once", &[("time", time.into())]);
            rows.extend(plain(&once, columns, Style::Muted));
            if is_local(&link.url) {
                let local = prompt.text("share-local", &[]);
                rows.extend(plain(&local, columns, Style::Warning));
            }
        }
    }
    if let Some(notice) = prompt.notice {
        rows.extend(plain(&prompt.text(notice, &[]), columns, Style::Success));
    }
    rows
}

fn question_rows(prompt: &Prompt, columns: usize) -> Vec<Row> {
    let mut rows = vec![Row::new()];
    rows.extend(plain(
        prompt.question().text.as_str(),
        columns,
        Style::Plain,
    ));
    rows
}

fn plain(text: &str, columns: usize, style: Style) -> Vec<Row> {
    let lines = wrapped(text, columns).into_iter();
    lines.map(|line| Row::new().with(line, style)).collect()
}

/// Whether the address is a loopback address, which other devices cannot open.
fn is_local(url: &str) -> bool {
    let behind = url.split_once("://").map_or(url, |(_, behind)| behind);
    let host = behind.split(['/', '?']).next().unwrap_or_default();
    let host = match host.strip_prefix('[') {
        Some(six) => six.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
    let address = host.parse::<std::net::IpAddr>();
    host == "localhost" || address.is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
#[path = "share_tests.rs"]
mod tests;
