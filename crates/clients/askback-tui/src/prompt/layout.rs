//! The layout of a frame, a pure function of the prompt and its size. The most spacious layout that
//! fits is used; if none fits, the whole blocks around the focused one are shown.

use askback_core::question::Kind;

use super::bordered_rows::{BorderedRows, ClickableFrame, shortened};
use super::preview_pane::Place;
use super::reader::LongText;
use super::review::AnswerRows;
use super::scroll::window;
use super::{
    Overlay, Prompt, Room, compact, field, folded, head, hints, list, preview_pane, review, share,
};
use crate::keymap::Action;
use askback_terminal::row::{Cursor, Row, Style};
use askback_terminal::width::clip;

/// Rows that belong together, with the cursor if it is in them.
#[derive(Debug, Clone, Default)]
pub(super) struct Block {
    pub(super) rows: Vec<Row>,
    pub(super) cursor: Option<Cursor>,
}

/// How much of each choice is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Density {
    /// Labels, descriptions, and a blank row between choices.
    Spacious,
    /// Labels and descriptions.
    Full,
    /// Labels, and the description of the focused choice.
    Focused,
    /// Labels, and at most this many rows of the description of the focused choice.
    Labels(usize),
}

/// The border and two spaces.
pub(super) const RAIL_COLUMNS: usize = 3;

/// Everything to show, before it is fitted into the available rows.
struct Plan {
    head: Vec<Row>,
    question: Vec<Row>,
    blocks: Vec<Block>,
    focus: usize,
    note: Block,
    /// Rows of the preview below the list.
    preview: usize,
    /// Blank rows after the head and after the question.
    gaps: (usize, usize),
}

/// How many rows each part gets.
struct Shares {
    gaps: (usize, usize),
    question: usize,
    body: usize,
    /// Rows of the pane beside the body.
    pane: usize,
}

impl Plan {
    fn body_height(&self) -> usize {
        self.blocks.iter().map(|block| block.rows.len()).sum()
    }

    fn fixed(&self) -> usize {
        self.head.len() + self.note.rows.len() + self.preview + 1
    }

    fn height(&self) -> usize {
        self.fixed() + self.gaps.0 + self.gaps.1 + self.question.len() + self.body_height()
    }

    fn shares(&self, room: usize) -> Shares {
        let whole = self.question.len() + self.body_height();
        let free = room.saturating_sub(self.fixed());
        for gaps in [self.gaps, (0, self.gaps.1), (0, 0)] {
            if whole + gaps.0 + gaps.1 <= free {
                return Shares {
                    gaps,
                    question: self.question.len(),
                    body: self.body_height(),
                    pane: free - whole - gaps.0 - gaps.1 + self.body_height(),
                };
            }
        }
        // The body gets at least half if it needs it, the question the rest.
        let least = self.body_height().min((free / 2).max(3));
        let question = self.question.len().min(free.saturating_sub(least).max(1));
        Shares {
            gaps: (0, 0),
            question,
            body: free.saturating_sub(question),
            pane: free.saturating_sub(question),
        }
    }
}

/// Whether the terminal is too small for a border.
pub(super) fn is_compact(prompt: &Prompt) -> bool {
    prompt.options.size.columns < 40 || prompt.options.size.rows < 10
}

/// The columns inside the border. The last column stays free: a cursor after it would wrap on some
/// terminals.
pub(super) fn inner_columns(prompt: &Prompt) -> usize {
    let rail = if is_compact(prompt) {
        1
    } else {
        RAIL_COLUMNS + 1
    };
    prompt.options.size.columns.saturating_sub(rail)
}

pub(super) fn is_list(prompt: &Prompt) -> bool {
    !prompt.draft.is_review() && matches!(prompt.draft.question().kind, Kind::Choice(_))
}

/// Smaller windows show no rows of the scrollback above a question.
const CONTEXT_ROWS_MIN: usize = 12;

/// The rows that a question may use.
pub(super) fn room(prompt: &Prompt) -> usize {
    let rows = prompt.options.size.rows;
    match prompt.options.room {
        // A larger window never shows less of the question than a smaller one.
        Room::BesideContext => rows.saturating_sub(3).max(rows.min(CONTEXT_ROWS_MIN - 1)),
        Room::All => rows,
    }
}

pub(super) fn clickable_frame(prompt: &Prompt) -> ClickableFrame {
    if prompt.is_folded {
        return ClickableFrame::without_targets(folded::frame(prompt));
    }
    match &prompt.overlay {
        Some(Overlay::Reader(reader)) if reader.text == LongText::Question => {
            return ClickableFrame::without_targets(reader.screen(prompt));
        }
        Some(Overlay::Link) => return ClickableFrame::without_targets(share::screen(prompt)),
        Some(Overlay::Reader(_) | Overlay::Leave(_) | Overlay::HandOn(_)) | None => {}
    }
    if is_compact(prompt) {
        return compact::clickable_frame(prompt);
    }
    let mut drawn = assemble(prompt, &plan(prompt));
    if prompt.draft.current.problem.is_some() && prompt.overlay.is_none() {
        // The text of the problem says the same without colours.
        for row in &mut drawn.frame.rows {
            row.replace_style(Style::Border, Style::Error);
        }
    }
    if prompt.is_deadline_near() {
        let last = drawn.frame.rows.len().saturating_sub(1);
        for row in drawn.frame.rows.iter_mut().take(last).skip(1) {
            row.set_style(Style::Muted);
        }
    }
    drawn
}

/// The most spacious plan that fits; the densest if none does.
fn plan(prompt: &Prompt) -> Plan {
    let room = room(prompt);
    let mut plan = plan_with(prompt);
    if prompt.overlay.is_some() || !is_list(prompt) {
        return plan;
    }
    let items = list::items(prompt, preview_pane::list_columns(prompt));
    // Descriptions stay if some rows are left for the preview. All choices are more important than
    // the preview.
    if let Some(wanted) = preview_pane::rows_below(prompt) {
        plan.preview = wanted.min(preview_pane::BELOW_ROWS_MIN);
        if fit_list(prompt, &items, &mut plan) {
            // The preview keeps its height when the focus moves to a longer description.
            let height = plan.height() + list::spare_rows(&items);
            plan.preview = wanted.min(plan.preview + room.saturating_sub(height));
            return plan;
        }
        plan.preview = 0;
    }
    plan_list(prompt, &items, Density::Spacious, &mut plan);
    if plan.height() <= prompt.options.size.rows / 2 {
        return plan;
    }
    if fit_list(prompt, &items, &mut plan) {
        return plan;
    }
    plan_list(prompt, &items, Density::Focused, &mut plan);
    if plan.shares(room).body < 6 {
        plan_list(prompt, &items, Density::Labels(0), &mut plan);
    }
    plan
}

/// Whether the description of the focused choice is not completely visible.
pub(super) fn hides_description(prompt: &Prompt) -> bool {
    let choice = prompt.draft.focused_choice();
    if is_compact(prompt) || choice.is_none_or(|choice| choice.description.is_none()) {
        return false;
    }
    let plan = plan(prompt);
    let items = list::items(prompt, preview_pane::list_columns(prompt));
    let shown = plan
        .blocks
        .get(plan.focus)
        .map_or(0, |block| block.rows.len());
    let whole = items.get(plan.focus).map_or(0, list::Item::height);
    shown < whole || whole > plan.shares(room(prompt)).body
}

/// Uses the first density at which the whole list fits.
fn fit_list(prompt: &Prompt, items: &[list::Item], plan: &mut Plan) -> bool {
    let room = room(prompt);
    plan_list(prompt, items, Density::Full, plan);
    if plan.height() <= room {
        return true;
    }
    // The density must not change when the focus moves.
    plan_list(prompt, items, Density::Focused, plan);
    if plan.height() + list::spare_rows(items) <= room {
        return true;
    }
    // Descriptions are more important than blank rows.
    plan_list(prompt, items, Density::Labels(0), plan);
    let labels = plan.height() - plan.gaps.0 - plan.gaps.1;
    plan_list(
        prompt,
        items,
        Density::Labels(room.saturating_sub(labels)),
        plan,
    );
    labels <= room
}

/// Everything but the choices of a list, which [`plan_list`] adds.
fn plan_with(prompt: &Prompt) -> Plan {
    let inner = inner_columns(prompt);
    let mut plan = Plan {
        head: head::rows(prompt, inner + RAIL_COLUMNS),
        question: Vec::new(),
        blocks: Vec::new(),
        focus: 0,
        note: Block::default(),
        preview: 0,
        gaps: (0, 0),
    };
    match &prompt.overlay {
        Some(Overlay::Leave(menu)) => {
            plan.gaps = (1, 0);
            plan.blocks = menu.blocks(prompt, inner);
            plan.focus = menu.focus;
            plan.note.rows.push(Row::new());
        }
        Some(Overlay::HandOn(list)) => {
            plan.gaps = (1, 1);
            let question = clip(&prompt.question_line(), inner, prompt.options.glyphs.more);
            plan.question
                .push(Row::new().with(question, Style::Focused));
            plan.blocks = list.blocks(prompt, inner);
            plan.focus = list.focus();
            plan.note.rows.push(Row::new());
        }
        Some(Overlay::Reader(reader)) => plan.blocks = reader.blocks(prompt, inner),
        Some(Overlay::Link) => {}
        None if prompt.draft.is_review() => {
            plan.gaps = (1, 0);
            plan.question = head::review_intro(prompt, inner);
            plan.blocks = review::blocks(prompt, inner, AnswerRows::All);
            plan.focus = prompt.draft.current.review_focus;
            if plan.height() > room(prompt) {
                plan.blocks = review::blocks(prompt, inner, AnswerRows::One);
            }
        }
        None => plan_question(prompt, inner, &mut plan),
    }
    plan
}

fn plan_question(prompt: &Prompt, inner: usize, plan: &mut Plan) {
    plan.question = head::question(prompt, inner);
    plan.note = field::note(prompt, inner);
    if matches!(prompt.draft.question().kind, Kind::Choice(_)) {
        plan.focus = list::focus(prompt);
        if prompt.draft.filter.is_shown() {
            plan.question.extend(head::filter(prompt, inner));
        }
    } else {
        let days = prompt.draft.is_date();
        plan.gaps = (0, usize::from(!days));
        plan.blocks = field::blocks(prompt, inner);
        // A calendar that does not fit is left out; the full date is still shown beside the field.
        if days && plan.height() > room(prompt) {
            plan.blocks.truncate(1);
        }
    }
    if !plan.note.rows.is_empty() {
        plan.note.rows.insert(0, Row::new());
        if let Some(cursor) = &mut plan.note.cursor {
            cursor.row += 1;
        }
    }
}

fn plan_list(prompt: &Prompt, items: &[list::Item], density: Density, plan: &mut Plan) {
    plan.blocks = list::blocks(prompt, items, density);
    plan.gaps = if prompt.draft.filter.is_shown() {
        (0, 0)
    } else {
        (usize::from(!matches!(density, Density::Labels(_))), 1)
    };
}

fn assemble(prompt: &Prompt, plan: &Plan) -> ClickableFrame {
    let glyphs = &prompt.options.glyphs;
    let shares = plan.shares(room(prompt));
    let mut out = BorderedRows::new(&plan.head, Some(glyphs.rail));
    for _ in 0..shares.gaps.0 {
        out.push(&Row::new());
    }
    question_part(prompt, plan, &shares, &mut out);
    for _ in 0..shares.gaps.1 {
        out.push(&Row::new());
    }
    body_part(prompt, plan, &shares, &mut out);
    if let Some(pane) = preview_pane::pane(prompt).filter(|_| plan.preview > 0) {
        for row in pane.below(prompt, plan.preview) {
            out.push(&row);
        }
    }
    out.block(&plan.note, usize::MAX, None);
    let mut foot = Row::new()
        .with(glyphs.bottom, Style::Border)
        .with(" ", Style::Plain);
    foot.append(&hints::foot(prompt, inner_columns(prompt)));
    out.push_unbordered(foot, None);
    if prompt.draft.filter.is_typed()
        && let Some(row) = out.rows.iter().position(|row| row.text().contains("/ "))
    {
        let column = out.rows[row].width();
        out.cursor = Some(Cursor { row, column });
    }
    out.into_frame()
}

/// The question; if it does not fit, a part of it between two "more" rows.
fn question_part(prompt: &Prompt, plan: &Plan, shares: &Shares, out: &mut BorderedRows) {
    if shares.question >= plan.question.len() {
        for row in &plan.question {
            out.push(row);
        }
        return;
    }
    let visible = shares.question.saturating_sub(2).max(1);
    let last = plan.question.len().saturating_sub(visible);
    let top = prompt.draft.question_top.min(last);
    if shares.question > 2 {
        out.push(&more(prompt, prompt.options.glyphs.above, top));
    }
    for row in plan.question.iter().skip(top).take(visible) {
        out.push(row);
    }
    if shares.question > 1 {
        let mut row = more(prompt, prompt.options.glyphs.below, last - top);
        let keys = prompt.key_name(Action::PageDown);
        if let Some(keys) = keys.filter(|_| top < last) {
            let scroll = prompt.text("hint-scroll", &[("keys", keys.into())]);
            let dot = prompt.options.glyphs.dot;
            row.push(format!(" {dot} {scroll}"), Style::Muted);
        }
        out.push(&row);
    }
}

fn body_part(prompt: &Prompt, plan: &Plan, shares: &Shares, out: &mut BorderedRows) {
    let heights: Vec<usize> = plan.blocks.iter().map(|block| block.rows.len()).collect();
    let window = window(&heights, plan.focus, shares.body);
    let begin = out.rows.len();
    let mut left = shares.body;
    if window.above > 0 {
        out.push(&more(prompt, prompt.options.glyphs.above, window.above));
        left = left.saturating_sub(1);
    }
    left = left.saturating_sub(usize::from(window.below > 0));
    for at in window.shown {
        let block = &plan.blocks[at];
        let is_text = block.cursor.is_some_and(|cursor| cursor.row >= left);
        if is_list(prompt) && !is_text && block.rows.len() > left {
            let more = prompt.options.glyphs.more;
            out.block(&shortened(block, left, more), left, Some(at));
        } else {
            out.block(block, left, Some(at));
        }
        left = left.saturating_sub(block.rows.len());
    }
    if window.below > 0 {
        out.push(&more(prompt, prompt.options.glyphs.below, window.below));
    }
    if let Some((pane, column)) = preview_pane::pane(prompt).and_then(|pane| match pane.place {
        Place::Beside(column) => Some((pane, column)),
        Place::Below => None,
    }) {
        let listed = out.rows.len() - begin;
        let height = listed.max(pane.tallest.min(shares.pane));
        for _ in listed..height {
            out.push(&Row::new());
        }
        let rows = pane.beside(prompt, height);
        for (row, beside) in out.rows[begin..].iter_mut().zip(rows) {
            row.place(RAIL_COLUMNS + column, &beside);
        }
    }
}

/// The rows of the visible preview; 0 if it is not visible.
pub(super) fn pane_rows(prompt: &Prompt) -> usize {
    let Some(pane) = preview_pane::pane(prompt) else {
        return 0;
    };
    let plan = plan(prompt);
    if pane.place == Place::Below {
        return plan.preview.saturating_sub(1);
    }
    let shares = plan.shares(room(prompt));
    let listed = plan.body_height().min(shares.body);
    listed.max(pane.tallest.min(shares.pane))
}

/// `▲ 2 more`, or a blank row.
fn more(prompt: &Prompt, arrow: &str, count: usize) -> Row {
    if count == 0 {
        return Row::new();
    }
    let mut row = Row::new().with("  ", Style::Muted);
    row.append(&prompt.more_row(arrow, count));
    row
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Scroll {
    /// The last scroll position of the question; 0 if all of it is visible.
    pub(super) last_top: usize,
    /// Visible rows of the question.
    pub(super) question: usize,
    /// Approximate number of visible choices.
    pub(super) choices: usize,
}

pub(super) fn scroll(prompt: &Prompt) -> Scroll {
    if is_compact(prompt) {
        return Scroll {
            last_top: 0,
            question: 1,
            choices: room(prompt).saturating_sub(3).max(1),
        };
    }
    let plan = plan(prompt);
    let shares = plan.shares(room(prompt));
    let all = plan.question.len();
    let question = if shares.question < all {
        shares.question.saturating_sub(2).max(1)
    } else {
        all
    };
    let heights: Vec<usize> = plan.blocks.iter().map(|block| block.rows.len()).collect();
    let window = window(&heights, plan.focus, shares.body);
    Scroll {
        last_top: all - question,
        question,
        choices: window.shown.len().max(1),
    }
}
