//! The last row: the keys that are useful now, as they are bound.

use askback_core::draft::DraftField;
use askback_core::question::Kind;

use super::hand_on::HandOnOrigin;
use super::{AskerKind, EscAtTop, Overlay, Prompt, bound_action, layout, preview_pane};
use crate::hint_line::{self, Hint};
use crate::keymap::{Action, Mode};
use askback_terminal::key::{Key, KeyCode};
use askback_terminal::row::{Row, Style};
use askback_terminal::width::text_width;

/// The hints. Before the deadline, what follows without an answer is said first, if at least one hint fits beside it.
pub(super) fn foot(prompt: &Prompt, columns: usize) -> Row {
    let glyphs = &prompt.options.glyphs;
    if prompt.is_deadline_near() && prompt.options.asker_kind == AskerKind::Agent {
        let warning = prompt.text("deadline-fallback", &[]);
        let between = format!(" {} ", glyphs.dot);
        let room = columns.saturating_sub(text_width(&warning) + text_width(&between));
        let line = hint_line::fitting(hints(prompt), room, glyphs);
        if !line.is_empty() && !line.ends_with(glyphs.more) {
            return Row::new()
                .with(warning, Style::Warning)
                .with(between, Style::Muted)
                .with(line, Style::Muted);
        }
    }
    let line = hint_line::fitting(hints(prompt), columns, glyphs);
    Row::new().with(line, Style::Muted)
}

struct HintCollector<'a> {
    prompt: &'a Prompt,
    mode: Mode,
    hints: Vec<Hint>,
}

impl HintCollector<'_> {
    fn key(&mut self, action: Action, id: &str, rank: u8) {
        let key = self.prompt.keymap().key(self.mode, action);
        let works = |key: &Key| bound_action::of_key(self.prompt, self.mode, *key) == Some(action);
        if let Some(key) = key.filter(works)
            && bound_action::applies(self.prompt, action)
        {
            let keys = key.name(&self.prompt.options.glyphs);
            self.named(&keys, id, rank);
        }
    }

    fn named(&mut self, keys: &str, id: &str, rank: u8) {
        let words = self.prompt.text(id, &[("keys", keys.into())]);
        self.hints.push(Hint { words, rank });
    }

    fn stepped(&mut self, both: [Action; 2], step: usize, rank: u8) {
        if let Some(keys) = self.both(both) {
            let args = [("keys", keys.into()), ("step", step.into())];
            let words = self.prompt.text("hint-step", &args);
            self.hints.push(Hint { words, rank });
        }
    }

    fn both(&self, both: [Action; 2]) -> Option<String> {
        let options = &self.prompt.options;
        self.prompt.keymap().pair(self.mode, both, &options.glyphs)
    }

    fn pair(&mut self, both: [Action; 2], id: &str, rank: u8) {
        if let Some(keys) = self.both(both) {
            self.named(&keys, id, rank);
        }
    }

    /// Like [`Self::pair`], but with a space between the keys.
    fn spaced_pair(&mut self, both: [Action; 2], id: &str, rank: u8) {
        let [back, on] = both.map(|action| self.prompt.key_name(action));
        if let (Some(back), Some(on)) = (back, on) {
            self.named(&format!("{back} {on}"), id, rank);
        }
    }

    /// The keys that move by day and week: the arrows as one name, if they are bound.
    fn days(&mut self, rank: u8) {
        let sideways = if self.mode == Mode::Calendar {
            [Action::DayBack, Action::DayOn]
        } else {
            [Action::Left, Action::Right]
        };
        let (sides, weeks) = (self.both(sideways), self.both([Action::Up, Action::Down]));
        let glyphs = &self.prompt.options.glyphs;
        if let (Some(sides), Some(weeks)) = (sides, weeks) {
            let arrows = sides == glyphs.left_right && weeks == glyphs.up_down;
            let keys = if arrows {
                glyphs.all_ways.to_owned()
            } else {
                format!("{sides} {weeks}")
            };
            self.named(&keys, "hint-day-week", rank);
        }
    }

    fn help(&mut self) {
        if let Some(key) = self.prompt.keymap().key(self.mode, Action::Help) {
            let words = key.name(&self.prompt.options.glyphs);
            self.hints.push(Hint { words, rank: 9 });
        }
    }
}

fn hints(prompt: &Prompt) -> Vec<Hint> {
    let mode = prompt.mode();
    let mut collector = HintCollector {
        prompt,
        mode,
        hints: Vec::new(),
    };
    match mode {
        Mode::List | Mode::Several | Mode::Review if prompt.letters.types_label() => {
            if prompt.letters.row(&prompt.draft).is_some() {
                collector.key(Action::Confirm, "hint-select", 7);
            }
            collector.key(Action::Back, "hint-clear", 8);
        }
        Mode::List | Mode::Several => list_hints(&mut collector),
        Mode::Text | Mode::Number | Mode::Date | Mode::Calendar => field_hints(&mut collector),
        Mode::Filter => {
            if let Some(Overlay::HandOn(list)) = &prompt.overlay {
                let back = match list.origin() {
                    HandOnOrigin::Question => "hint-back-to-question",
                    HandOnOrigin::List => "hint-back-to-list",
                };
                collector.pair([Action::Up, Action::Down], "hint-navigate", 6);
                collector.key(Action::Confirm, "hint-choose", 7);
                collector.key(Action::Back, back, 8);
                return collector.hints;
            }
            let words = prompt.text("hint-type-to-filter", &[]);
            collector.hints.push(Hint { words, rank: 5 });
            let enter = if prompt.draft.is_several() {
                "hint-toggle"
            } else {
                "hint-select"
            };
            collector.key(Action::Confirm, enter, 7);
            collector.key(Action::Back, "hint-clear", 8);
        }
        Mode::Review => {
            // On the last row enter sends.
            if prompt.draft.current.review_focus < prompt.draft.inquiry.questions().len() {
                collector.key(Action::Confirm, "hint-change", 7);
                collector.key(Action::Send, "hint-send", 6);
            } else {
                collector.key(Action::Confirm, "hint-send", 7);
            }
            collector.key(Action::Back, esc(prompt), 8);
        }
        Mode::Leave => {
            collector.key(Action::Confirm, "hint-choose", 7);
            collector.key(Action::Decline, "inbox-hint-decline", 6);
            collector.key(Action::Reject, "inbox-hint-reject", 6);
            collector.key(Action::Back, "hint-back-to-question", 8);
        }
        Mode::Reader if prompt.overlay == Some(Overlay::Link) => {
            collector.key(Action::Copy, "hint-copy", 6);
            collector.key(Action::Back, "hint-back", 8);
        }
        Mode::Reader => {
            collector.pair([Action::Up, Action::Down], "hint-scroll", 6);
            collector.key(Action::Back, "hint-back", 8);
        }
        Mode::Confirm => {
            collector.key(Action::Yes, "inbox-hint-yes", 8);
            collector.key(Action::Back, "inbox-hint-no", 7);
        }
        Mode::Folded | Mode::Undo | Mode::Compose | Mode::Menu | Mode::Inbox => {}
    }
    collector.hints
}

fn list_hints(collector: &mut HintCollector<'_>) {
    let prompt = collector.prompt;
    let batch = prompt.draft.has_several_questions();
    let several = collector.mode == Mode::Several;
    if several {
        collector.key(Action::Mark, "hint-toggle", 8);
        if !batch {
            collector.key(Action::All, "hint-all", 3);
        }
    } else {
        collector.key(Action::Yes, "inbox-hint-yes", 9);
        collector.key(Action::No, "inbox-hint-no", 9);
        collector.pair([Action::Up, Action::Down], "hint-navigate", 4);
    }
    if prompt.draft.is_on_own_row() {
        let words = prompt.text("hint-type-answer", &[]);
        collector.hints.push(Hint { words, rank: 6 });
    }
    let entry = prompt.draft.entry();
    // Enter selects the focused row first; where several can be chosen, only if nothing is selected.
    let selects = if several {
        entry.picked.is_empty() && !entry.own_ticked
    } else {
        !batch || !entry.is_ticked(prompt.draft.question(), entry.focus)
    };
    let enter = match (selects, batch) {
        (true, _) => "hint-select",
        (false, true) => "hint-next",
        (false, false) => "hint-send",
    };
    // Enter does not answer a yes/no question before the focus was moved.
    if !prompt.draft.is_yes_no_untouched() {
        collector.key(Action::Confirm, enter, 8);
    }
    // Before the first question there is none.
    if batch && prompt.draft.index() > 0 {
        collector.key(Action::Previous, "hint-back", 5);
    }
    preview_hints(collector);
    if layout::hides_description(prompt) {
        collector.key(Action::Read, "tiny-read", 8);
    }
    collector.key(Action::Skip, "hint-skip", 6);
    if !batch {
        if !several {
            collector.key(Action::Note, "hint-note", 2);
        }
        collector.key(Action::Share, "hint-share", 1);
        collector.key(Action::Back, esc(prompt), 7);
    }
    collector.help();
}

/// What Esc does when nothing is open.
fn esc(prompt: &Prompt) -> &'static str {
    match prompt.options.esc_at_top {
        EscAtTop::LeaveMenu => "hint-leave",
        EscAtTop::GoesBack => "hint-back",
    }
}

fn preview_hints(collector: &mut HintCollector<'_>) {
    let prompt = collector.prompt;
    if prompt.draft.preview().is_none() {
        return;
    }
    match (layout::pane_rows(prompt), preview_pane::pane(prompt)) {
        (0, _) | (_, None) => collector.key(Action::Preview, "hint-preview", 5),
        (height, Some(pane)) if pane.scrolls(height) => {
            collector.spaced_pair([Action::PreviewUp, Action::PreviewDown], "hint-scroll", 3);
        }
        (_, Some(_)) => {}
    }
}

fn field_hints(collector: &mut HintCollector<'_>) {
    let prompt = collector.prompt;
    let batch = prompt.draft.has_several_questions();
    let enter = if batch { "hint-next" } else { "hint-send" };
    let inside = prompt.draft.entry().field;
    if collector.mode == Mode::Number {
        collector.stepped([Action::Up, Action::Down], 1, 5);
        collector.stepped([Action::PageUp, Action::PageDown], 10, 3);
    }
    if matches!(collector.mode, Mode::Date | Mode::Calendar) {
        collector.days(5);
    }
    if collector.mode == Mode::Calendar {
        collector.spaced_pair([Action::MonthBack, Action::MonthOn], "hint-month", 4);
        collector.spaced_pair([Action::YearBack, Action::YearOn], "hint-year", 2);
        collector.key(Action::Today, "hint-today", 3);
    }
    let confirm = if inside == Some(DraftField::Note) {
        "hint-close"
    } else {
        enter
    };
    collector.key(Action::Confirm, confirm, 8);
    if inside.is_none() {
        collector.key(Action::Skip, "hint-skip", 6);
    }
    if collector.mode == Mode::Text {
        let id = if inside.is_some() {
            "hint-line"
        } else {
            "hint-new-line"
        };
        collector.key(Action::NewLine, id, 3);
        if inside.is_some() {
            collector.key(Action::Editor, "hint-editor", 2);
        }
    }
    let back = if inside.is_some() || prompt.draft.cursor.has_picked_day() {
        "hint-back"
    } else {
        esc(prompt)
    };
    collector.key(Action::Back, back, 7);
    if let Some(words) = counter(prompt) {
        collector.hints.push(Hint { words, rank: 6 });
    }
}

/// How much of the length limit is used. It is shown always if the agent set the limit, otherwise
/// near the limit.
fn counter(prompt: &Prompt) -> Option<String> {
    let field = prompt.draft.field()?;
    let question = prompt.draft.question();
    let max = askback_core::draft::field_max(question, field);
    let used = prompt.draft.text().chars().count();
    let set = match (&question.kind, field) {
        (Kind::Text(rules), DraftField::Answer) => rules.max_length.is_some(),
        (
            Kind::Number(_) | Kind::Date(_) | Kind::DateRange(_),
            DraftField::Answer | DraftField::End,
        ) => {
            return None;
        }
        _ => false,
    };
    (set || used * 5 >= max * 4).then(|| format!("{used}/{max}"))
}

/// The hints of the compact frame.
pub(super) fn tiny(prompt: &Prompt, below: usize) -> String {
    let glyphs = &prompt.options.glyphs;
    let mode = prompt.mode();
    let keymap = prompt.keymap();
    let named = |action| prompt.key_name(action);
    let enter = keymap.key(mode, Action::Confirm).map(|key| {
        if key == Key::plain(KeyCode::Enter) {
            glyphs.enter.to_owned()
        } else {
            key.name(glyphs)
        }
    });
    let mut parts = Vec::new();
    if mode == Mode::Confirm {
        let yes = named(Action::Yes);
        parts.extend(yes.map(|keys| prompt.text("inbox-hint-yes", &[("keys", keys.into())])));
    }
    let is_untouched = mode == Mode::List && prompt.draft.is_yes_no_untouched();
    if is_untouched {
        for (action, id) in [
            (Action::Yes, "inbox-hint-yes"),
            (Action::No, "inbox-hint-no"),
        ] {
            parts.extend(named(action).map(|keys| prompt.text(id, &[("keys", keys.into())])));
        }
    }
    let enter = enter.filter(|_| !is_untouched);
    parts.extend(enter.map(|keys| prompt.text("tiny-ok", &[("keys", keys.into())])));
    if below > 0 {
        parts.push(format!("{}{below}", glyphs.below));
    }
    if prompt.overlay.is_none()
        && !prompt.draft.is_review()
        && let Some(keys) = named(Action::Read)
    {
        parts.push(prompt.text("tiny-read", &[("keys", keys.into())]));
    }
    let esc = match (&prompt.overlay, prompt.options.esc_at_top) {
        (Some(_), _) | (None, EscAtTop::GoesBack) => "hint-back",
        (None, EscAtTop::LeaveMenu) => "tiny-cancel",
    };
    parts.extend(named(Action::Back).map(|keys| prompt.text(esc, &[("keys", keys.into())])));
    parts.extend(named(Action::Help));
    parts.join(" ")
}
