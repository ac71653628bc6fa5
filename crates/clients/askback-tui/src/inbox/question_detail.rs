//! The focused question of the inbox, below its row or beside the list.

use askback_core::question::{ChoiceKind, Kind, Question};
use askback_locale::split_label;

use super::view::{self, one_line};
use super::{Inbox, Item, item_rows};
use crate::answer_summary::context_lines;
use askback_terminal::row::{Row, Span, Style};
use askback_terminal::styled_wrap::{LinePrefix, wrap_spans, wrapped_rows};

/// How much room a question takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Density {
    /// One row for each choice, and a blank row at the end.
    Full,
    /// Choices without descriptions share rows.
    Dense,
}

/// Whether the row of the question in the list shows its whole text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RowAbove {
    ShowsText,
    ClipsText,
}

/// Columns before a question that is below its row.
const INDENT: usize = 4;
/// Columns between choices that share a row.
const GAP: usize = 3;

/// The row of the focused question and the question below it: dense if not all others fit.
pub(super) fn below(inbox: &Inbox, item: &Item, room: usize) -> Vec<Row> {
    let label = item_rows::label(inbox, item, view::columns(inbox));
    let mut detail = QuestionDetail {
        inbox,
        item,
        width: view::columns(inbox).saturating_sub(INDENT),
        density: Density::Full,
        above: if label.shows_text {
            RowAbove::ShowsText
        } else {
            RowAbove::ClipsText
        },
    };
    let mut below = detail.rows();
    if below.len() + inbox.list.shown().count() > room {
        detail.density = Density::Dense;
        below = detail.rows();
    }
    let mut rows = vec![label.row];
    rows.extend(below.iter().map(|row| {
        let mut shifted = Row::new().with(" ".repeat(INDENT), Style::Plain);
        shifted.append(row);
        shifted
    }));
    rows
}

/// The question beside the list.
pub(super) fn beside(inbox: &Inbox, item: &Item, width: usize) -> Vec<Row> {
    let detail = QuestionDetail {
        inbox,
        item,
        width,
        density: Density::Full,
        above: RowAbove::ClipsText,
    };
    detail.rows()
}

/// The whole question with its numbered choices.
struct QuestionDetail<'a> {
    inbox: &'a Inbox,
    item: &'a Item,
    width: usize,
    density: Density,
    above: RowAbove,
}

impl QuestionDetail<'_> {
    fn rows(&self) -> Vec<Row> {
        let (inbox, item) = (self.inbox, self.item);
        let Ok(inquiry) = item.inquiry.to_inquiry() else {
            return vec![Row::new().with(inbox.text("web-bad-question", &[]), Style::Error)];
        };
        let [first, others @ ..] = inquiry.questions() else {
            return Vec::new();
        };
        let plain = |text: &str, style| wrapped_rows(text, self.width, style);
        let mut rows = match self.above {
            RowAbove::ShowsText => Vec::new(),
            RowAbove::ClipsText => plain(first.text.as_str(), Style::Plain),
        };
        if item.ended.is_empty() {
            for line in context_lines(inbox.config.locale, &inquiry, first) {
                rows.extend(plain(&line, Style::Muted));
            }
            if item.inquiry.is_detached() {
                rows.extend(plain(&inbox.text("agent-not-waiting", &[]), Style::Muted));
            }
            rows.extend(self.choices(first));
            if !others.is_empty() {
                let more = inbox.text("inbox-more", &[("count", others.len().into())]);
                rows.extend(plain(&more, Style::Muted));
            }
        } else {
            for line in &item.ended {
                rows.extend(plain(line, Style::Warning));
            }
            for row in &item.unsent {
                rows.extend(plain(&row.text(), Style::Warning));
            }
        }
        if self.density == Density::Full {
            rows.push(Row::new());
        }
        rows
    }

    fn choices(&self, question: &Question) -> Vec<Row> {
        let Kind::Choice(kind) = &question.kind else {
            return Vec::new();
        };
        let labels = self.choice_labels(kind);
        if self.density == Density::Dense && labels.iter().all(|(_, about)| about.is_none()) {
            let rows = labels.iter().enumerate().map(|(at, (label, _))| {
                let (mut row, style) = self.choice_lead(kind, at);
                row.push(label.as_str(), style);
                row
            });
            if let Some(rows) = share_rows(rows, self.width) {
                return rows;
            }
        }
        let mut rows = Vec::new();
        for (at, (label, about)) in labels.into_iter().enumerate() {
            let (lead, style) = self.choice_lead(kind, at);
            let mut spans = vec![Span { text: label, style }];
            if let Some(about) = about {
                spans.push(Span {
                    text: format!("  {}", one_line(&about)),
                    style: Style::Muted,
                });
            }
            rows.extend(wrap_spans(&spans, self.width, &LinePrefix::hanging(lead)));
        }
        rows
    }

    /// The labels with their descriptions; the last is that of the own answer, if there can be one.
    fn choice_labels(&self, kind: &ChoiceKind) -> Vec<(String, Option<String>)> {
        let labels = kind.choices.iter().map(|choice| {
            let about = choice.description.as_ref().map(ToString::to_string);
            match split_label(choice) {
                (label, true) => (
                    format!("{label} {}", self.inbox.text("recommended", &[])),
                    about,
                ),
                (label, false) => (label.to_owned(), about),
            }
        });
        let own = kind.own_text.then(|| (self.inbox.text("other", &[]), None));
        labels.chain(own).collect()
    }

    /// The number and the mark of a choice, and the style of its label.
    fn choice_lead(&self, kind: &ChoiceKind, at: usize) -> (Row, Style) {
        let glyphs = &self.inbox.config.glyphs;
        let waiting = self.inbox.waiting.as_ref();
        let waiting = waiting.filter(|open| open.id == *self.item.id());
        let is_waiting = waiting.is_some_and(|open| open.prompt.draft().entries[0].focus == at);
        let (mark, style) = match (is_waiting, kind.several) {
            (true, _) => (glyphs.radio_on, Style::Focused),
            (false, true) => (glyphs.check, Style::Label),
            (false, false) => (glyphs.radio, Style::Label),
        };
        let lead = Row::new()
            .with(format!("{} ", at + 1), Style::Muted)
            .with(format!("{mark} "), Style::Mark);
        (lead, style)
    }
}

/// As few rows as possible, each with as many of the choices as fit. `None` if one does not fit.
fn share_rows(choices: impl Iterator<Item = Row>, width: usize) -> Option<Vec<Row>> {
    let mut rows: Vec<Row> = Vec::new();
    for choice in choices {
        if choice.width() > width {
            return None;
        }
        match rows.last_mut() {
            Some(last) if last.width() + GAP + choice.width() <= width => {
                last.push(" ".repeat(GAP), Style::Plain);
                last.append(&choice);
            }
            Some(_) | None => rows.push(choice),
        }
    }
    Some(rows)
}
