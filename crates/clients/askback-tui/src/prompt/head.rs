//! The top of the frame: header, asker, tabs, question and context.

use askback_core::draft::{DraftPage, row_count};
use askback_core::question::Kind;

use super::review::status_mark;
use super::{Border, Overlay, Prompt};
use crate::answer_summary::{context_lines, number_rule};
use crate::deadline::countdown;
use askback_terminal::row::{Row, Style};
use askback_terminal::width::{clip, text_width};
use askback_terminal::wrap::wrapped;

impl Prompt {
    /// The agent has stopped waiting for the answer, or waits again.
    pub(crate) fn set_detached(&mut self, is_detached: bool) {
        self.options.is_detached = is_detached;
    }
}

/// The header row, and the tabs if there are several questions.
pub(super) fn rows(prompt: &Prompt, columns: usize) -> Vec<Row> {
    let glyphs = &prompt.options.glyphs;
    let reviewing = prompt.draft.page == DraftPage::Review;
    let leaving = matches!(
        prompt.overlay,
        Some(Overlay::Leave(_) | Overlay::Confirm(_))
    );
    let chip = if reviewing && !leaving {
        Some(prompt.text("review", &[]))
    } else {
        prompt.question().header.as_ref().map(ToString::to_string)
    };
    let mut row = Row::new().with(glyphs.top, Style::Border);
    if let Some(chip) = &chip {
        let chip = clip(chip, columns / 2, glyphs.more);
        row.push(format!(" {chip} "), Style::Chip);
    }
    let gap = match (prompt.options.border, &chip) {
        (Border::Rail, Some(_)) => {
            row.push(glyphs.top_end, Style::Border);
            "  "
        }
        (Border::Rail, None) => " ",
        // The rule continues to the corner of the box.
        (Border::Boxed, _) => {
            row.push(glyphs.line.repeat(2), Style::Border);
            " "
        }
    };
    let (beside, style) = beside(prompt);
    if !beside.is_empty() {
        let room = columns.saturating_sub(row.width() + 2);
        row.push(gap, Style::Plain);
        row.push(clip(&beside, room, glyphs.more), style);
    } else if chip.is_none() {
        let rule = columns.saturating_sub(row.width());
        row.push(glyphs.line.repeat(rule), Style::Border);
    }
    let mut rows = vec![row];
    if prompt.inquiry.questions().len() > 1 && prompt.overlay.is_none() {
        rows.extend(tabs(prompt, columns));
    }
    rows
}

/// What follows the header: a notice, the title of the overlay, the deadline, or the status.
fn beside(prompt: &Prompt) -> (String, Style) {
    if let Some(words) = prompt.notice_words() {
        return (words, Style::Warning);
    }
    match prompt.overlay {
        Some(Overlay::Leave(_) | Overlay::Confirm(_)) => {
            return (prompt.text("leave-title", &[]), Style::Focused);
        }
        Some(Overlay::Help(_)) => return (prompt.text("help-title", &[]), Style::Focused),
        Some(Overlay::HandOn) => return (prompt.text("hand-on", &[]), Style::Focused),
        Some(Overlay::Preview(_)) => return (prompt.text("web-preview", &[]), Style::Focused),
        Some(Overlay::Reader(_) | Overlay::Link) | None => {}
    }
    if let Some(deadline) = prompt
        .options
        .deadline
        .filter(|deadline| deadline.is_near(prompt.now))
    {
        if deadline.is_over(prompt.now) {
            return (prompt.text("deadline-over", &[]), Style::Warning);
        }
        let left = countdown(deadline.left(prompt.now));
        let words = prompt.text("deadline-closing", &[("left", left.into())]);
        return (words, Style::Warning);
    }
    (status(prompt), Style::Muted)
}

/// The asker, or the position among several questions; how many rows match the filter; and for whom it is.
fn status(prompt: &Prompt) -> String {
    let count = prompt.inquiry.questions().len();
    let open = prompt.draft.unanswered(&prompt.inquiry).len();
    let mut parts = Vec::new();
    match prompt.draft.page {
        DraftPage::Review => parts.push(prompt.text("question-count", &[("count", count.into())])),
        DraftPage::Question(index) if count > 1 => {
            let args = [("index", (index + 1).into()), ("count", count.into())];
            parts.push(prompt.text("question-of", &args));
        }
        DraftPage::Question(_) => {
            let asker = prompt.options.asker.as_ref();
            parts.extend(asker.map(|asker| prompt.text("asks", &[("agent", asker.into())])));
        }
    }
    if count > 1 && open > 0 {
        parts.push(prompt.text("unanswered-count", &[("count", open.into())]));
    }
    if prompt.draft.page != DraftPage::Review && !prompt.filter.text.is_empty() {
        let all = row_count(prompt.question());
        let args = [
            ("shown", prompt.listed().len().into()),
            ("count", all.into()),
        ];
        parts.push(prompt.text("shown-of", &args));
    }
    if count > 1 {
        // Late: it is cut if there is little room.
        parts.extend(prompt.options.asker.clone());
    }
    if let Some(recipient) = &prompt.options.recipient {
        let args = [("recipient", recipient.as_str().into())];
        parts.push(prompt.text("for-recipient", &args));
    }
    parts.join(&format!(" {} ", prompt.options.glyphs.dot))
}

fn tabs(prompt: &Prompt, columns: usize) -> Vec<Row> {
    let glyphs = &prompt.options.glyphs;
    let here = match prompt.draft.page {
        DraftPage::Question(index) => index,
        DraftPage::Review => prompt.inquiry.questions().len(),
    };
    let mut tabs: Vec<Row> = Vec::new();
    for (at, (question, status)) in prompt.draft.statuses(&prompt.inquiry).enumerate() {
        let (mark, style) = status_mark(prompt, status);
        let (mark, style) = if at == here {
            (glyphs.focus, Style::Mark)
        } else {
            (mark, style)
        };
        let label = if at == here {
            Style::Focused
        } else {
            Style::Label
        };
        let name = clip(&prompt.name(question), columns / 3, glyphs.more);
        tabs.push(Row::new().with(format!("{mark} "), style).with(name, label));
    }
    let reviewing = here == tabs.len();
    let review = prompt.text("review", &[]);
    let lead = if reviewing {
        format!("{} ", glyphs.focus)
    } else {
        String::new()
    };
    let style = if reviewing {
        Style::Focused
    } else {
        Style::Label
    };
    tabs.push(Row::new().with(lead, Style::Mark).with(review, style));
    flow(prompt, &tabs, columns)
}

fn flow(prompt: &Prompt, tabs: &[Row], columns: usize) -> Vec<Row> {
    let glyphs = &prompt.options.glyphs;
    let start = || {
        Row::new()
            .with(glyphs.rail, Style::Border)
            .with("  ", Style::Plain)
    };
    let mut rows: Vec<Row> = vec![start()];
    let mut first = true;
    for tab in tabs {
        let wide = tab.width() + if first { 0 } else { 3 };
        if let Some(row) = rows.last_mut()
            && row.width() + wide <= columns
        {
            if !first {
                row.push(format!(" {} ", glyphs.bar), Style::Border);
            }
        } else {
            rows.push(start());
        }
        if let Some(row) = rows.last_mut() {
            for span in tab.spans() {
                row.push(span.text.as_str(), span.style);
            }
        }
        first = false;
    }
    rows
}

/// The question, its context, and its rule or the error.
pub(super) fn question(prompt: &Prompt, inner: usize) -> Vec<Row> {
    let question = prompt.question();
    let mut rows = wrapped_text(question.text.as_str(), inner, Style::Focused);
    for line in context_lines(prompt.options.locale, &prompt.inquiry, question) {
        rows.extend(wrapped_text(&line, inner, Style::Muted));
    }
    if prompt.options.is_detached {
        let line = prompt.text("agent-not-waiting", &[]);
        rows.extend(wrapped_text(&line, inner, Style::Muted));
    }
    if let Some(error) = &prompt.draft.problem {
        let words = prompt.problem_text(error);
        let mark = prompt.options.glyphs.failed;
        let lead = text_width(mark) + 1;
        for (at, line) in wrapped(&words, inner.saturating_sub(lead))
            .into_iter()
            .enumerate()
        {
            let start = if at == 0 {
                format!("{mark} ")
            } else {
                " ".repeat(lead)
            };
            rows.push(
                Row::new()
                    .with(start, Style::Error)
                    .with(line, Style::Error),
            );
        }
    } else {
        let rule = rule(prompt);
        if !rule.is_empty() {
            rows.extend(wrapped_text(&rule, inner, Style::Muted));
        }
    }
    rows
}

pub(super) fn review_intro(prompt: &Prompt, inner: usize) -> Vec<Row> {
    match &prompt.draft.problem {
        Some(error) => {
            let words = prompt.problem_text(error);
            wrapped_text(
                &format!("{} {words}", prompt.options.glyphs.failed),
                inner,
                Style::Error,
            )
        }
        None => wrapped_text(&prompt.text("review-lead", &[]), inner, Style::Muted),
    }
}

pub(super) fn filter(prompt: &Prompt, inner: usize) -> Vec<Row> {
    let text = clip(
        &prompt.filter.text,
        inner.saturating_sub(3),
        prompt.options.glyphs.more,
    );
    vec![Row::new().with("/ ", Style::Mark).with(text, Style::Plain)]
}

fn wrapped_text(text: &str, columns: usize, style: Style) -> Vec<Row> {
    let rows = wrapped(text, columns).into_iter();
    rows.map(|line| Row::new().with(line, style)).collect()
}

/// What kind of answer is valid.
fn rule(prompt: &Prompt) -> String {
    let question = prompt.question();
    let mut parts = Vec::new();
    match &question.kind {
        Kind::Choice(kind) if kind.several => {
            parts.push(prompt.text("select-several", &[]));
            let entry = prompt.entry();
            let count = entry.picked.len() + usize::from(entry.own_ticked);
            if count > 0 {
                parts.push(prompt.text("selected-count", &[("count", count.into())]));
            }
        }
        Kind::Number(rules) => {
            let rule = number_rule(prompt.options.locale, rules);
            parts.extend(rule.map(|(id, args)| prompt.text(id, &args)));
        }
        Kind::Choice(_) | Kind::Text(_) | Kind::Date(_) | Kind::DateRange(_) => {}
    }
    // Where every question is optional, repeating that for each says nothing.
    let questions = prompt.inquiry.questions();
    let tells_apart = questions.len() == 1 || questions.iter().any(|other| !other.skippable);
    if question.skippable && tells_apart {
        parts.push(prompt.text("optional", &[]));
    }
    parts.join(&format!(" {} ", prompt.options.glyphs.dot))
}
