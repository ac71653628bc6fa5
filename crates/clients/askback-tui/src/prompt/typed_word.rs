//! Words typed on a list. There, letters are keys; but somebody who types a label, or an answer in
//! their own words, means them as text.
//!
//! The first letter acts as a key. If another one follows soon, both are text: what the first one
//! did is reverted, and the word begins an own answer or moves the focus to the label that starts
//! with it. A key whose effect could not be reverted, such as answering or skipping the only
//! question, waits until no letter can follow.

use std::time::Duration;

use askback_core::answer::ShownChoices;
use askback_core::draft::{Draft, DraftField, Edit, FocusMove};
use askback_core::question::Kind;
use askback_locale::{YesNo, split_label};

use super::shortcuts::FocusOrigin;
use super::{Filter, Overlay, Prompt, Reaction};
use crate::keymap::{Action, Mode};
use crate::typeahead::TypeaheadGuard;
use askback_terminal::clock::MonotonicTime;
use askback_terminal::key::{Key, KeyCode};

#[derive(Debug, Clone, Default)]
pub(super) struct TypedLetters {
    keys: Option<LetterKeys>,
    /// The typed start of a label. While it is not empty, characters are added to it, and enter
    /// answers only if one label starts with it.
    label: String,
    last_letter: Option<MonotonicTime>,
    /// When the guard last ignored a letter: the rest of that word is ignored, too.
    ignored_at: Option<MonotonicTime>,
}

/// Letters that acted as keys, each soon after the last one.
#[derive(Debug, Clone)]
struct LetterKeys {
    text: String,
    last: MonotonicTime,
    /// They only moved the focus or changed the question, as in `jjjk`.
    only_moved: bool,
    waiting: Option<(Action, Key)>,
    own_text: bool,
    /// In lower case.
    labels: Vec<String>,
    before: Snapshot,
}

impl LetterKeys {
    fn starts_label(&self) -> bool {
        let text = self.text.to_lowercase();
        self.labels.iter().any(|label| label.starts_with(&text))
    }
}

/// What a letter can change, as it was before the first one.
#[derive(Debug, Clone)]
struct Snapshot {
    draft: Draft,
    history: Vec<Draft>,
    overlay: Option<Overlay>,
    filter: Filter,
    folded: bool,
    question_top: usize,
    preview_top: (usize, usize),
    focus_origin: FocusOrigin,
    caret: usize,
    guard: TypeaheadGuard,
}

impl Prompt {
    /// Handles a key that is part of a typed word, or that ends one. `None` if it is a key like any
    /// other.
    pub(super) fn typed_word(&mut self, key: Key, taken: bool) -> Option<Reaction> {
        if self.options.typeahead_window.is_zero() {
            return None;
        }
        let Some(ch) = key.typed() else {
            return self.end_word(key, taken);
        };
        if !self.typed.label.is_empty() {
            self.typed.label.push(ch);
            return Some(self.focus_typed_label());
        }
        let follows = self.is_within_word(self.typed.last_letter);
        if ch.is_alphabetic() {
            self.typed.last_letter = Some(self.now);
        }
        if self.mode() == Mode::Confirm && follows {
            self.notice = Some("notice-too-soon");
            return Some(Reaction::Redraw);
        }
        let keys = self.typed.keys.take();
        match keys.filter(|keys| self.is_within_word(Some(keys.last))) {
            Some(keys) => self.next_letter(keys, ch, key),
            None if ch.is_alphabetic() => self.first_letter(key, ch, taken),
            None => None,
        }
    }

    /// How long after a letter another one belongs to the same word.
    fn word_window(&self) -> Duration {
        self.options.typeahead_window * 2
    }

    fn is_within_word(&self, last: Option<MonotonicTime>) -> bool {
        last.is_some_and(|last| self.now.saturating_sub(last) < self.word_window())
    }

    fn first_letter(&mut self, key: Key, ch: char, taken: bool) -> Option<Reaction> {
        let mode = self.mode();
        if !matches!(mode, Mode::List | Mode::Several | Mode::Review) {
            return None;
        }
        let action = self.action(mode, key);
        let moves = action.is_some_and(Action::is_harmless);
        let window = self.options.typeahead_window;
        let ignored = self.typed.ignored_at;
        let continues = ignored.is_some_and(|at| self.now.saturating_sub(at) < window);
        if !taken || continues {
            self.typed.ignored_at = Some(self.now);
            self.notice = Some("notice-too-soon").filter(|_| !moves);
            return (!moves).then_some(Reaction::Redraw);
        }
        let works = action.is_some_and(|action| self.applies(action));
        let own = self.takes_own_text();
        let is_label = !works && !self.label_rows(ch.encode_utf8(&mut [0; 4])).is_empty();
        match action {
            None if own => return None,
            Some(_) if own || !is_label => {}
            None | Some(_) => return Some(self.start_word(&ch.to_string())),
        }
        let waiting = action.filter(|action| self.must_wait(*action));
        let before = self.snapshot();
        self.focus_waiting_answer(waiting);
        self.typed.keys = Some(LetterKeys {
            text: ch.to_string(),
            last: self.now,
            only_moved: action.is_some_and(is_move),
            waiting: waiting.map(|action| (action, key)),
            own_text: own,
            labels: self.listed_labels().map(|(_, label)| label).collect(),
            before,
        });
        waiting.map(|_| Reaction::Redraw)
    }

    fn next_letter(&mut self, mut keys: LetterKeys, ch: char, key: Key) -> Option<Reaction> {
        let action = self.action(self.mode(), key);
        let held = keys.text.chars().all(|other| other == ch);
        keys.text.push(ch);
        keys.last = self.now;
        let is_key = if ch.is_alphabetic() {
            keys.only_moved &= action.is_some_and(is_move);
            (held || keys.only_moved) && !keys.starts_label()
        } else if ch.is_numeric() {
            keys.only_moved && !keys.own_text && !keys.starts_label()
        } else {
            keys.waiting.is_none()
        };
        if !is_key {
            self.restore(keys.before);
            return Some(self.start_word(&keys.text));
        }
        // A key such as `/` is not part of a word.
        if !ch.is_alphabetic() && ch != ' ' && action.is_some() {
            return None;
        }
        let waits = keys.waiting.is_some();
        self.typed.keys = Some(keys);
        waits.then_some(Reaction::Redraw)
    }

    /// A key that types nothing.
    fn end_word(&mut self, key: Key, taken: bool) -> Option<Reaction> {
        let waiting = self.typed.keys.take().and_then(|keys| keys.waiting);
        let action = self.action(self.mode(), key);
        if self.typed.label.is_empty() {
            let (waiting, key) = waiting.filter(|_| action == Some(Action::Confirm))?;
            return Some(self.act(waiting, self.mode(), key));
        }
        match action {
            Some(Action::Confirm) if taken => Some(self.confirm_typed_label()),
            Some(Action::Confirm | Action::Send) => Some(Reaction::Redraw),
            Some(Action::Back) => {
                self.typed.label.clear();
                Some(Reaction::Redraw)
            }
            None if key == Key::plain(KeyCode::Backspace) => {
                self.typed.label.pop();
                Some(self.focus_typed_label())
            }
            Some(_) | None => {
                self.typed.label.clear();
                None
            }
        }
    }

    /// Forgets what was typed, because of a paste or a click.
    pub(super) fn forget_word(&mut self) {
        self.typed = TypedLetters::default();
    }

    /// Carries out a key that waited, once no letter followed it.
    pub(super) fn run_waiting_key(&mut self) -> Option<Reaction> {
        let keys = self.typed.keys.as_ref()?;
        let (action, key) = keys.waiting?;
        if self.now.saturating_sub(keys.last) < self.waiting_window(action) {
            return None;
        }
        self.typed.keys = None;
        Some(self.act(action, self.mode(), key))
    }

    /// Whether a key waits for letters that may follow.
    pub(crate) fn is_key_waiting(&self) -> bool {
        let keys = self.typed.keys.as_ref();
        keys.is_some_and(|keys| keys.waiting.is_some())
    }

    pub(super) fn next_waiting_key(&self, now: MonotonicTime) -> Option<Duration> {
        let keys = self.typed.keys.as_ref()?;
        let (action, _) = keys.waiting?;
        Some((keys.last + self.waiting_window(action)).saturating_sub(now))
    }

    /// How long a key waits for a letter that makes it the start of a word. Where no own answer can
    /// be typed, `y` and `n` are rarely one, so they wait for half the time.
    fn waiting_window(&self, action: Action) -> Duration {
        let answers = matches!(action, Action::Yes | Action::No);
        if answers && !self.takes_own_text() {
            self.options.typeahead_window
        } else {
            self.word_window()
        }
    }

    /// Shows which choice is about to be sent.
    fn focus_waiting_answer(&mut self, waiting: Option<Action>) {
        let row = waiting.and_then(|action| self.yes_no_row(action));
        if let Some(row) = row {
            self.apply(&Edit::Move {
                to: FocusMove::Row(row),
            });
        }
    }

    /// Whether the effect of a letter could not be reverted.
    fn must_wait(&self, action: Action) -> bool {
        let is_only = self.inquiry.questions().len() == 1;
        let leaves_prompt = matches!(action, Action::Copy | Action::Share | Action::HandOn);
        let skips = action == Action::Skip && is_only;
        let answers = self.yes_no_row(action).is_some();
        ((skips || leaves_prompt) && self.applies(action))
            || (answers && (is_only || self.takes_own_text()))
    }

    fn start_word(&mut self, text: &str) -> Reaction {
        if self.takes_own_text() {
            self.remember();
            self.apply(&Edit::Open {
                field: DraftField::Own,
            });
            self.in_a_run = true;
            return self.type_text(text);
        }
        text.clone_into(&mut self.typed.label);
        self.focus_typed_label()
    }

    fn focus_typed_label(&mut self) -> Reaction {
        if let Some(row) = self.typed_row() {
            return self.apply(&Edit::Move {
                to: FocusMove::Row(row),
            });
        }
        Reaction::Redraw
    }

    /// Answers with the typed label; where several can be chosen, selects it.
    fn confirm_typed_label(&mut self) -> Reaction {
        let Some(row) = self.typed_row() else {
            return Reaction::Redraw;
        };
        self.typed.label.clear();
        if self.mode() == Mode::List {
            return self.edit(&Edit::Confirm);
        }
        if self.entry().is_ticked(self.question(), row) {
            return Reaction::Redraw;
        }
        self.edit(&Edit::Mark { row: Some(row) })
    }

    /// The row whose label was typed: in full, or so far that no other starts like it. On a yes/no
    /// question, also the row that a word for yes or no means.
    fn typed_row(&self) -> Option<usize> {
        match self.label_rows(&self.typed.label).as_slice() {
            [row] => Some(*row),
            _ => self.named_row(&self.typed.label),
        }
    }

    /// The choice that a text names by its label.
    pub(super) fn labelled_row(&self, text: &str) -> Option<usize> {
        let Kind::Choice(kind) = &self.question().kind else {
            return None;
        };
        let shown = ShownChoices::of(kind).marked(&self.typing.recommended);
        shown.named_row(text)
    }

    /// The visible row that a whole word names: by its label, or as yes or no.
    fn named_row(&self, word: &str) -> Option<usize> {
        let row = self.labelled_row(word).or_else(|| {
            let yes_no = self.yes_no_choices()?;
            yes_no.row(yes_no.meaning(word.trim())?)
        })?;
        self.listed().contains(&row).then_some(row)
    }

    /// Enter in the field of an own answer that is only the name of a choice: chooses it.
    pub(super) fn choose_named(&mut self) -> Option<Reaction> {
        let field = self.field().filter(|field| *field == DraftField::Own)?;
        let row = self.named_row(self.field_text())?;
        self.remember();
        self.apply(&Edit::Write {
            field,
            text: String::new(),
        });
        self.apply(&Edit::Close);
        if self.mode() == Mode::List {
            return Some(self.apply(&Edit::Pick { row }));
        }
        if !self.entry().is_ticked(self.question(), row) {
            self.apply(&Edit::Mark { row: Some(row) });
        }
        Some(self.apply(&Edit::Confirm))
    }

    /// The rows whose labels start with a text.
    fn label_rows(&self, text: &str) -> Vec<usize> {
        let typed = text.trim().to_lowercase();
        if typed.is_empty() {
            return Vec::new();
        }
        let labels = self
            .listed_labels()
            .filter(|(_, label)| label.starts_with(&typed));
        labels.map(|(row, _)| row).collect()
    }

    /// The visible labels, in lower case; none on the review page.
    fn listed_labels(&self) -> impl Iterator<Item = (usize, String)> {
        let is_list = matches!(self.mode(), Mode::List | Mode::Several);
        let rows = if is_list { self.listed() } else { Vec::new() };
        let choices = self.question().choices();
        rows.into_iter().filter_map(|row| {
            let choice = choices.get(row)?;
            Some((row, choice.label.as_str().to_lowercase()))
        })
    }

    /// What was typed, and which label it stands for.
    pub(super) fn typed_label_words(&self) -> Option<String> {
        let text = self.typed.label.as_str();
        if text.is_empty() {
            return None;
        }
        let expected = self.yes_no_choices().and_then(|choices| {
            let label = |meaning| {
                let choice = self.question().choices().get(choices.row(meaning)?)?;
                Some(split_label(choice).0.to_owned())
            };
            Some((label(YesNo::Yes)?, label(YesNo::No)?))
        });
        let id = match (self.typed_row(), self.label_rows(text).len()) {
            (Some(_), _) => "typed-label",
            (None, 0) if expected.is_some() => "typed-label-yes-or-no",
            (None, 0) => "typed-label-unknown",
            (None, _) => "typed-label-ambiguous",
        };
        let keymap = self.keymap();
        let keys = keymap.name(self.mode(), Action::Back, &self.options.glyphs);
        let keys = keys.unwrap_or_default();
        let (yes, no) = expected.unwrap_or_default();
        let args = [
            ("text", text.into()),
            ("keys", keys.into()),
            ("yes", yes.into()),
            ("no", no.into()),
        ];
        Some(self.text(id, &args))
    }

    pub(super) fn types_label(&self) -> bool {
        !self.typed.label.is_empty()
    }

    /// Whether enter takes the typed label.
    pub(super) fn is_label_typed(&self) -> bool {
        self.typed_row().is_some()
    }

    fn takes_own_text(&self) -> bool {
        let is_list = matches!(self.mode(), Mode::List | Mode::Several);
        is_list && matches!(&self.question().kind, Kind::Choice(kind) if kind.own_text)
    }

    fn snapshot(&self) -> Snapshot {
        Snapshot {
            draft: self.draft.clone(),
            history: self.history.clone(),
            overlay: self.overlay,
            filter: self.filter.clone(),
            folded: self.folded,
            question_top: self.question_top,
            preview_top: self.preview_top,
            focus_origin: self.focus_origin,
            caret: self.caret,
            guard: self.guard,
        }
    }

    fn restore(&mut self, before: Snapshot) {
        let last = self.guard.last();
        self.draft = before.draft;
        self.history = before.history;
        self.overlay = before.overlay;
        self.filter = before.filter;
        self.folded = before.folded;
        self.question_top = before.question_top;
        self.preview_top = before.preview_top;
        self.focus_origin = before.focus_origin;
        self.caret = before.caret;
        self.guard = before.guard;
        self.guard.saw(last);
        self.notice = None;
    }
}

/// Whether letters with this action can follow each other without being a word.
fn is_move(action: Action) -> bool {
    matches!(
        action,
        Action::Up | Action::Down | Action::Next | Action::Previous
    )
}
