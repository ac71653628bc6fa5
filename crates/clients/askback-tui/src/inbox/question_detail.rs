//! The focused question of the inbox, below its row or beside the list.

use askback_core::question::{ChoiceKind, Kind, Question};
use askback_locale::split_label;

use super::view::one_line;
use super::{Inbox, Item};
use crate::answer_summary::context_lines;
use askback_terminal::row::{Row, Span, Style};
use askback_terminal::styled_wrap::{LinePrefix, wrap_spans};

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

impl Inbox {
    /// The row of the focused question and the question below it: dense if not all others fit.
    pub(super) fn focused_block(&self, item: &Item, room: usize) -> Vec<Row> {
        let label = self.label(item, self.columns(), true);
        let above = if label.shows_text {
            RowAbove::ShowsText
        } else {
            RowAbove::ClipsText
        };
        let width = self.columns().saturating_sub(INDENT);
        let mut detail = self.detail(item, width, (Density::Full, above));
        if detail.len() + self.shown().count() > room {
            detail = self.detail(item, width, (Density::Dense, above));
        }
        let mut rows = vec![label.row];
        rows.extend(detail.into_iter().map(|row| {
            let mut shifted = Row::new().with(" ".repeat(INDENT), Style::Plain);
            for span in row.spans() {
                shifted.push(span.text.clone(), span.style);
            }
            shifted
        }));
        rows
    }

    /// The question beside the list.
    pub(super) fn detail_beside(&self, item: &Item) -> Vec<Row> {
        let width = self.columns() - self.left() - 3;
        self.detail(item, width, (Density::Full, RowAbove::ClipsText))
    }

    /// The whole question with its numbered choices.
    fn detail(&self, item: &Item, width: usize, (density, above): (Density, RowAbove)) -> Vec<Row> {
        let Ok(inquiry) = item.inquiry.to_inquiry() else {
            return vec![Row::new().with(self.text("web-bad-question", &[]), Style::Error)];
        };
        let [first, others @ ..] = inquiry.questions() else {
            return Vec::new();
        };
        let plain = |text: &str, style| {
            let text = text.to_owned();
            wrap_spans(&[Span { text, style }], width, &LinePrefix::default())
        };
        let mut rows = match above {
            RowAbove::ShowsText => Vec::new(),
            RowAbove::ClipsText => plain(first.text.as_str(), Style::Plain),
        };
        if item.ended.is_empty() {
            for line in context_lines(self.config.locale, &inquiry, first) {
                rows.extend(plain(&line, Style::Muted));
            }
            if item.inquiry.is_detached() {
                rows.extend(plain(&self.text("agent-not-waiting", &[]), Style::Muted));
            }
            rows.extend(self.choices(first, width, density));
            if !others.is_empty() {
                let more = self.text("inbox-more", &[("count", others.len().into())]);
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
        if density == Density::Full {
            rows.push(Row::new());
        }
        rows
    }

    fn choices(&self, question: &Question, width: usize, density: Density) -> Vec<Row> {
        let Kind::Choice(kind) = &question.kind else {
            return Vec::new();
        };
        let labels = self.choice_labels(kind);
        if density == Density::Dense && labels.iter().all(|(_, about)| about.is_none()) {
            let rows = labels.into_iter().enumerate().map(|(at, (label, _))| {
                let (mut row, style) = self.choice_lead(kind, at);
                row.push(label, style);
                row
            });
            if let Some(rows) = share_rows(rows, width) {
                return rows;
            }
        }
        let mut rows = Vec::new();
        for (at, (label, about)) in self.choice_labels(kind).into_iter().enumerate() {
            let (lead, style) = self.choice_lead(kind, at);
            let mut spans = vec![Span { text: label, style }];
            if let Some(about) = about {
                spans.push(Span {
                    text: format!("  {}", one_line(&about)),
                    style: Style::Muted,
                });
            }
            rows.extend(wrap_spans(&spans, width, &LinePrefix::hanging(lead)));
        }
        rows
    }

    /// The labels with their descriptions; the last is that of the own answer, if there can be one.
    fn choice_labels(&self, kind: &ChoiceKind) -> Vec<(String, Option<String>)> {
        let labels = kind.choices.iter().map(|choice| {
            let about = choice.description.as_ref().map(ToString::to_string);
            match split_label(choice) {
                (label, true) => (format!("{label} {}", self.text("recommended", &[])), about),
                (label, false) => (label.to_owned(), about),
            }
        });
        let own = kind.own_text.then(|| (self.text("other", &[]), None));
        labels.chain(own).collect()
    }

    /// The number and the mark of a choice, and the style of its label.
    fn choice_lead(&self, kind: &ChoiceKind, at: usize) -> (Row, Style) {
        let glyphs = &self.config.glyphs;
        let (mark, style) = match (self.waiting_row() == Some(at), kind.several) {
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
