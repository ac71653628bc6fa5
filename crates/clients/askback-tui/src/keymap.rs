//! The key bindings, in one table. Hints and help are generated from it.

mod action;
mod configured;
mod mode;
mod table;
mod yes_no;

use askback_locale::Locale;

use askback_terminal::glyphs::Glyphs;
use askback_terminal::key::Key;

pub use action::Action;
pub use configured::KeymapError;
pub use mode::{KeySection, Mode};

/// Binds keys to an action in some modes.
#[derive(Debug, Clone)]
pub struct Binding {
    /// The action of the keys.
    pub action: Action,
    /// The keys, the preferred one first.
    pub keys: Vec<Key>,
    /// The modes in which the binding works.
    pub modes: Vec<Mode>,
}

/// A row of the help.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HelpRow {
    /// The names of the keys, separated by spaces.
    pub keys: String,
    /// The description of the action.
    pub words: String,
}

impl Binding {
    /// The description of the action, without the key name that the hint contains.
    pub fn words(&self, mode: Mode, locale: Locale) -> String {
        let words = locale.text(self.action.message(mode), &[("keys", "".into())]);
        words.trim().to_owned()
    }
}

/// All bindings.
#[derive(Debug, Clone)]
pub struct Keymap {
    bindings: Vec<Binding>,
}

impl Keymap {
    /// The action of a key in a mode.
    pub fn action(&self, mode: Mode, key: Key) -> Option<Action> {
        let bound =
            |binding: &&Binding| binding.modes.contains(&mode) && binding.keys.contains(&key);
        self.bindings
            .iter()
            .find(bound)
            .map(|binding| binding.action)
    }

    /// The bindings of a mode, in the order of the table.
    pub fn bindings(&self, mode: Mode) -> impl Iterator<Item = &Binding> {
        self.bindings
            .iter()
            .filter(move |binding| binding.modes.contains(&mode))
    }

    /// The first key bound to an action in a mode.
    pub fn key(&self, mode: Mode, action: Action) -> Option<Key> {
        let mut found = self
            .bindings(mode)
            .filter(|binding| binding.action == action);
        found.find_map(|binding| binding.keys.first().copied())
    }

    /// The name of the first key of an action.
    pub(crate) fn name(&self, mode: Mode, action: Action, glyphs: &Glyphs) -> Option<String> {
        let key = self.key(mode, action)?;
        Some(if action == Action::Digit {
            "1-9".to_owned()
        } else {
            key.name(glyphs)
        })
    }

    /// The names of the first keys of two related actions: `↑↓`, `j/k`.
    pub(crate) fn pair(&self, mode: Mode, both: [Action; 2], glyphs: &Glyphs) -> Option<String> {
        let first = self.name(mode, both[0], glyphs)?;
        let second = self.name(mode, both[1], glyphs)?;
        let arrows = !first.is_ascii() && !second.is_ascii();
        let between = if arrows { "" } else { "/" };
        Some(format!("{first}{between}{second}"))
    }

    /// The same bindings without the keys that fail a test.
    pub(crate) fn filtered(&self, works: impl Fn(Action, Key) -> bool) -> Keymap {
        let mut bindings = self.bindings.clone();
        for binding in &mut bindings {
            let action = binding.action;
            binding.keys.retain(|key| works(action, *key));
        }
        Keymap { bindings }
    }

    /// The rows of the help. Keys with the same description share a row.
    pub fn rows(&self, mode: Mode, locale: Locale, glyphs: &Glyphs) -> Vec<HelpRow> {
        let mut rows: Vec<HelpRow> = Vec::new();
        for binding in self.bindings(mode) {
            if binding.keys.is_empty() {
                continue;
            }
            let keys = Keymap::names(binding, glyphs);
            let words = glyphs.to_supported(binding.words(mode, locale));
            match rows.last_mut() {
                Some(row) if row.words == words => {
                    row.keys.push(' ');
                    row.keys.push_str(&keys);
                }
                Some(_) | None => rows.push(HelpRow { keys, words }),
            }
        }
        rows
    }

    /// The names of a binding's keys.
    pub fn names(binding: &Binding, glyphs: &Glyphs) -> String {
        if binding.action == Action::Digit {
            return "1-9".to_owned();
        }
        let names: Vec<String> = binding.keys.iter().map(|key| key.name(glyphs)).collect();
        names.join(" ")
    }
}

#[cfg(test)]
#[path = "keymap_tests.rs"]
mod tests;
