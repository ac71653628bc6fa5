//! The top of the frame: header, asker, tabs, question and context.

use askback_core::draft::{DraftPage, row_count};
use askback_core::question::Kind;

use super::review::status_mark;
use super::{Overlay, Prompt};
use crate::answer_summary::{context_lines, number_rule};
use crate::deadline::countdown;
use askback_terminal::row::{Row, Style};
use askback_terminal::styled_wrap::{wrap_row, wrapped_rows};
use askback_terminal::width::clip;

/// The header row, and the tabs if there are several questions.
pub(super) fn rows(prompt: &Prompt, columns: usize) -> Vec<Row> {
    let glyphs = &prompt.options.glyphs;
    let reviewing = prompt.draft.is_review();
    let leaving = matches!(prompt.overlay, Some(Overlay::Leave(_)));
    let chip = if reviewing && !leaving {
        Some(prompt.text("review", &[]))
    } else {
        let header = &prompt.draft.question().header;
        header.as_ref().map(ToString::to_string)
    };
    let mut row = Row::new().with(glyphs.top, Style::Border);
    if let Some(chip) = &chip {
        let chip = clip(chip, columns / 2, glyphs.more);
        row.push(format!(" {chip} "), Style::Chip);
    }
    let gap = if chip.is_some() {
        row.push(glyphs.top_end, Style::Border);
        "  "
    } else {
        " "
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
    if prompt.draft.has_several_questions() && prompt.overlay.is_none() {
        rows.extend(tabs(prompt, columns));
    }
    rows
}

/// What follows the header: a notice, the title of the overlay, the deadline, or the status.
fn beside(prompt: &Prompt) -> (String, Style) {
    if let Some(words) = prompt.notice_words() {
        return (words, Style::Warning);
    }
    if let Some(title) = prompt.overlay.as_ref().and_then(Overlay::title) {
        return (prompt.text(title, &[]), Style::Focused);
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
    let count = prompt.draft.inquiry.questions().len();
    let open = prompt.draft.current.unanswered(&prompt.draft.inquiry).len();
    let mut parts = Vec::new();
    match prompt.draft.current.page {
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
    if !prompt.draft.is_review() && !prompt.draft.filter.text().is_empty() {
        let all = row_count(prompt.draft.question());
        let args = [
            ("shown", prompt.draft.listed().len().into()),
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
    let here = match prompt.draft.current.page {
        DraftPage::Question(index) => index,
        DraftPage::Review => prompt.draft.inquiry.questions().len(),
    };
    let mut tabs: Vec<Row> = Vec::new();
    for (at, (question, status)) in prompt
        .draft
        .current
        .statuses(&prompt.draft.inquiry)
        .enumerate()
    {
        let (mark, style) = status_mark(prompt, status);
        let (focus, label) = prompt.options.glyphs.focus_mark(at == here);
        let (mark, style) = if at == here {
            (focus, Style::Mark)
        } else {
            (mark, style)
        };
        let name = clip(&prompt.name(question), columns / 3, glyphs.more);
        tabs.push(Row::new().with(format!("{mark} "), style).with(name, label));
    }
    let reviewing = here == tabs.len();
    let review = prompt.text("review", &[]);
    let (mark, style) = prompt.options.glyphs.focus_mark(reviewing);
    let lead = if reviewing {
        format!("{mark} ")
    } else {
        String::new()
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
            row.append(tab);
        }
        first = false;
    }
    rows
}

/// The question, its context, and its rule or the error.
pub(super) fn question(prompt: &Prompt, inner: usize) -> Vec<Row> {
    let question = prompt.draft.question();
    let mut rows = wrapped_rows(question.text.as_str(), inner, Style::Focused);
    for line in context_lines(prompt.options.locale, &prompt.draft.inquiry, question) {
        rows.extend(wrapped_rows(&line, inner, Style::Muted));
    }
    if prompt.options.is_detached {
        let line = prompt.text("agent-not-waiting", &[]);
        rows.extend(wrapped_rows(&line, inner, Style::Muted));
    }
    if let Some(error) = &prompt.draft.current.problem {
        let words = prompt.problem_text(error);
        let mark = format!("{} ", prompt.options.glyphs.failed);
        let row = Row::new()
            .with(mark, Style::Error)
            .with(words, Style::Error);
        rows.extend(wrap_row(&row, inner));
    } else {
        let rule = rule(prompt);
        if !rule.is_empty() {
            rows.extend(wrapped_rows(&rule, inner, Style::Muted));
        }
    }
    rows
}

pub(super) fn review_intro(prompt: &Prompt, inner: usize) -> Vec<Row> {
    match &prompt.draft.current.problem {
        Some(error) => {
            let words = prompt.problem_text(error);
            wrapped_rows(
                &format!("{} {words}", prompt.options.glyphs.failed),
                inner,
                Style::Error,
            )
        }
        None => wrapped_rows(&prompt.text("review-lead", &[]), inner, Style::Muted),
    }
}

pub(super) fn filter(prompt: &Prompt, inner: usize) -> Vec<Row> {
    let text = clip(
        prompt.draft.filter.text(),
        inner.saturating_sub(3),
        prompt.options.glyphs.more,
    );
    vec![Row::new().with("/ ", Style::Mark).with(text, Style::Plain)]
}

/// What kind of answer is valid.
fn rule(prompt: &Prompt) -> String {
    let question = prompt.draft.question();
    let mut parts = Vec::new();
    match &question.kind {
        Kind::Choice(kind) if kind.several => {
            parts.push(prompt.text("select-several", &[]));
            let entry = prompt.draft.entry();
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
    let questions = prompt.draft.inquiry.questions();
    let tells_apart = questions.len() == 1 || questions.iter().any(|other| !other.skippable);
    if question.skippable && tells_apart {
        parts.push(prompt.text("optional", &[]));
    }
    parts.join(&format!(" {} ", prompt.options.glyphs.dot))
}
