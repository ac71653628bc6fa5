//! Words typed on a list or in the calendar. There, letters are keys; but somebody who types a label, an answer in
//! their own words, or a day such as `tomorrow`, means them as text.
//!
//! The first letter acts as a key. If another one follows soon, both are text: what the first one
//! did is reverted, and the word begins an own answer or moves the focus to the label that starts
//! with it. A key whose effect could not be reverted, such as answering or skipping the only
//! question, waits until no letter can follow.

use std::time::Duration;

use askback_locale::{YesNo, split_label};

use super::open_draft::OpenDraft;
use super::{Prompt, bound_action, choice_names};
use crate::keymap::{Action, Mode};
use crate::typeahead::TypeaheadGuard;
use askback_terminal::clock::MonotonicTime;
use askback_terminal::key::{Key, KeyCode};

/// The letters that were typed soon after each other.
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
    before: BeforeWord,
}

/// What a letter can change, as it was before the first one. Nothing covered the question then.
#[derive(Debug, Clone)]
pub(super) struct BeforeWord {
    pub(super) draft: OpenDraft,
    pub(super) guard: TypeaheadGuard,
}

/// What a key is, as part of a word.
pub(super) enum LetterStep {
    /// A key like any other.
    Key,
    /// It does nothing more.
    Nothing,
    /// It does nothing, because it came too soon.
    TooSoon,
    /// It waits for a letter that may follow. Shows what it will answer.
    Waits(Action),
    /// The key that waited is carried out.
    Carries(Action, Key),
    /// The letters are text. What those that acted as keys did is reverted.
    Text(String, Option<Box<BeforeWord>>),
    /// The typed start of a label has changed.
    Label,
    /// The label is chosen.
    ChoosesLabel,
}

impl LetterKeys {
    fn starts_label(&self) -> bool {
        let text = self.text.to_lowercase();
        self.labels.iter().any(|label| label.starts_with(&text))
    }

    /// How long the key that waits still waits for a letter that makes it the start of a word. Where no own answer can
    /// be typed, `y` and `n` are rarely one, so they wait for half the time.
    fn wait_left(&self, window: Duration, now: MonotonicTime) -> Option<Duration> {
        let (action, _) = self.waiting?;
        let answers = matches!(action, Action::Yes | Action::No);
        let wait = if answers && !self.own_text {
            window
        } else {
            word_window(window)
        };
        Some((self.last + wait).saturating_sub(now))
    }
}

impl TypedLetters {
    /// Handles a key that may be part of a typed word, or end one. `taken` says whether the guard accepted it.
    pub(super) fn press(&mut self, prompt: &Prompt, key: Key, taken: bool) -> LetterStep {
        if prompt.options.typeahead_window.is_zero() {
            return LetterStep::Key;
        }
        let Some(ch) = key.typed() else {
            return self.end_word(prompt, key, taken);
        };
        if !self.label.is_empty() {
            self.label.push(ch);
            return LetterStep::Label;
        }
        let follows = is_within_word(prompt, self.last_letter);
        if ch.is_alphabetic() {
            self.last_letter = Some(prompt.now);
        }
        if prompt.mode() == Mode::Confirm && follows {
            return LetterStep::TooSoon;
        }
        let keys = self.keys.take();
        match keys.filter(|keys| is_within_word(prompt, Some(keys.last))) {
            Some(keys) => self.next_letter(prompt, keys, ch, key),
            None if ch.is_alphabetic() => self.first_letter(prompt, ch, key, taken),
            None => LetterStep::Key,
        }
    }

    fn first_letter(&mut self, prompt: &Prompt, ch: char, key: Key, taken: bool) -> LetterStep {
        let mode = prompt.mode();
        if !matches!(
            mode,
            Mode::List | Mode::Several | Mode::Review | Mode::Calendar
        ) {
            return LetterStep::Key;
        }
        let action = bound_action::of_key(prompt, mode, key);
        let window = prompt.options.typeahead_window;
        let ignored = self.ignored_at;
        let continues = ignored.is_some_and(|at| prompt.now.saturating_sub(at) < window);
        if !taken || continues {
            self.ignored_at = Some(prompt.now);
            let moves = action.is_some_and(Action::is_harmless);
            return if moves {
                LetterStep::Key
            } else {
                LetterStep::TooSoon
            };
        }
        let works = action.is_some_and(|action| bound_action::applies(prompt, action));
        let own = takes_own_text(prompt);
        let text = ch.to_string();
        let is_label = !works && !choice_names::starting_rows(&prompt.draft, &text).is_empty();
        match action {
            None if own => return LetterStep::Key,
            Some(_) if own || !is_label => {}
            None | Some(_) => return LetterStep::Text(text, None),
        }
        let waiting = action.filter(|action| must_wait(prompt, *action));
        let labels = choice_names::listed_labels(&prompt.draft);
        self.keys = Some(LetterKeys {
            text,
            last: prompt.now,
            only_moved: action.is_some_and(is_move),
            waiting: waiting.map(|action| (action, key)),
            own_text: own,
            labels: labels.map(|(_, label)| label).collect(),
            before: BeforeWord {
                draft: prompt.draft.clone(),
                guard: prompt.guard,
            },
        });
        waiting.map_or(LetterStep::Key, LetterStep::Waits)
    }

    fn next_letter(
        &mut self,
        prompt: &Prompt,
        mut keys: LetterKeys,
        ch: char,
        key: Key,
    ) -> LetterStep {
        // Nothing that is typed for a day has another character so early.
        if prompt.mode() == Mode::Calendar && !ch.is_alphabetic() {
            return LetterStep::Key;
        }
        let action = bound_action::of_key(prompt, prompt.mode(), key);
        let held = keys.text.chars().all(|other| other == ch);
        keys.text.push(ch);
        keys.last = prompt.now;
        let is_key = if ch.is_alphabetic() {
            keys.only_moved &= action.is_some_and(is_move);
            (held || keys.only_moved) && !keys.starts_label()
        } else if ch.is_numeric() {
            keys.only_moved && !keys.own_text && !keys.starts_label()
        } else {
            keys.waiting.is_none()
        };
        if !is_key {
            return LetterStep::Text(keys.text, Some(Box::new(keys.before)));
        }
        // A key such as `/` is not part of a word.
        if !ch.is_alphabetic() && ch != ' ' && action.is_some() {
            return LetterStep::Key;
        }
        let waits = keys.waiting.is_some();
        self.keys = Some(keys);
        if waits {
            LetterStep::Nothing
        } else {
            LetterStep::Key
        }
    }

    /// A key that types nothing.
    fn end_word(&mut self, prompt: &Prompt, key: Key, taken: bool) -> LetterStep {
        let waiting = self.keys.take().and_then(|keys| keys.waiting);
        let action = bound_action::of_key(prompt, prompt.mode(), key);
        if self.label.is_empty() {
            return match waiting.filter(|_| action == Some(Action::Confirm)) {
                Some((waiting, key)) => LetterStep::Carries(waiting, key),
                None => LetterStep::Key,
            };
        }
        match action {
            Some(Action::Confirm) if taken => LetterStep::ChoosesLabel,
            Some(Action::Confirm | Action::Send) => LetterStep::Nothing,
            Some(Action::Back) => {
                self.label.clear();
                LetterStep::Nothing
            }
            None if key == Key::plain(KeyCode::Backspace) => {
                self.label.pop();
                LetterStep::Label
            }
            Some(_) | None => {
                self.label.clear();
                LetterStep::Key
            }
        }
    }

    /// The letters are the start of a label.
    pub(super) fn start_label(&mut self, text: String) {
        self.label = text;
    }

    pub(super) fn clear_label(&mut self) {
        self.label.clear();
    }

    pub(super) fn types_label(&self) -> bool {
        !self.label.is_empty()
    }

    /// The row whose label was typed.
    pub(super) fn row(&self, draft: &OpenDraft) -> Option<usize> {
        choice_names::typed_row(draft, &self.label)
    }

    /// A key that waited, once no letter followed it.
    pub(super) fn take_due(
        &mut self,
        window: Duration,
        now: MonotonicTime,
    ) -> Option<(Action, Key)> {
        let keys = self.keys.as_ref()?;
        let is_due = keys.wait_left(window, now)?.is_zero();
        let keys = is_due.then(|| self.keys.take()).flatten()?;
        keys.waiting
    }

    /// How long until [`Self::take_due`] returns a key.
    pub(super) fn next_due(&self, window: Duration, now: MonotonicTime) -> Option<Duration> {
        self.keys.as_ref()?.wait_left(window, now)
    }

    /// Whether a key waits for letters that may follow.
    pub(super) fn is_key_waiting(&self) -> bool {
        let keys = self.keys.as_ref();
        keys.is_some_and(|keys| keys.waiting.is_some())
    }

    /// What was typed, and which label it stands for.
    pub(super) fn words(&self, prompt: &Prompt) -> Option<String> {
        if self.label.is_empty() {
            return None;
        }
        let draft = &prompt.draft;
        let expected = draft.yes_no().and_then(|choices| {
            let label = |meaning| {
                let choice = draft.question().choices().get(choices.row(meaning)?)?;
                Some(split_label(choice).0.to_owned())
            };
            Some((label(YesNo::Yes)?, label(YesNo::No)?))
        });
        let starting = choice_names::starting_rows(draft, &self.label).len();
        let id = match (self.row(draft), starting) {
            (Some(_), _) => "typed-label",
            (None, 0) if expected.is_some() => "typed-label-yes-or-no",
            (None, 0) => "typed-label-unknown",
            (None, _) => "typed-label-ambiguous",
        };
        let keys = prompt.key_name(Action::Back).unwrap_or_default();
        let (yes, no) = expected.unwrap_or_default();
        let args = [
            ("text", self.label.as_str().into()),
            ("keys", keys.into()),
            ("yes", yes.into()),
            ("no", no.into()),
        ];
        Some(prompt.text(id, &args))
    }
}

/// How long after a letter another one belongs to the same word.
fn word_window(typeahead_window: Duration) -> Duration {
    typeahead_window * 2
}

fn is_within_word(prompt: &Prompt, last: Option<MonotonicTime>) -> bool {
    let window = word_window(prompt.options.typeahead_window);
    last.is_some_and(|last| prompt.now.saturating_sub(last) < window)
}

/// Whether a word is an answer: in the user's own words on the list, or a day in the calendar.
pub(super) fn takes_own_text(prompt: &Prompt) -> bool {
    let mode = prompt.mode();
    let is_list = matches!(mode, Mode::List | Mode::Several);
    mode == Mode::Calendar || (is_list && prompt.draft.allows_own_text())
}

/// Whether the effect of a letter could not be reverted.
fn must_wait(prompt: &Prompt, action: Action) -> bool {
    let is_only = !prompt.draft.has_several_questions();
    let leaves_prompt = matches!(action, Action::Copy | Action::Share | Action::HandOn);
    let skips = action == Action::Skip && is_only;
    let answers = prompt.draft.yes_no_row(action).is_some();
    ((skips || leaves_prompt) && bound_action::applies(prompt, action))
        || (answers && (is_only || takes_own_text(prompt)))
}

/// Whether letters with this action can follow each other without being a word.
fn is_move(action: Action) -> bool {
    matches!(
        action,
        Action::Up
            | Action::Down
            | Action::Next
            | Action::Previous
            | Action::DayBack
            | Action::DayOn
            | Action::MonthBack
            | Action::MonthOn
            | Action::YearBack
            | Action::YearOn
    )
}
