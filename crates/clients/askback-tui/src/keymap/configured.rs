//! Key bindings from the configuration. Invalid bindings are refused; text fields keep their
//! printable keys.

use super::{Action, Binding, KeySection, Keymap, Mode};
use askback_terminal::glyphs::Glyphs;
use askback_terminal::key::{Key, KeyNameError};

/// Why the configured key bindings are invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KeymapError {
    /// There is no such action.
    #[error("[{}] has no action `{name}`; it has {}", .part.table(), .known.join(", "))]
    UnknownAction {
        /// The group that was searched.
        part: KeySection,
        /// The configured name.
        name: String,
        /// The valid names.
        known: Vec<&'static str>,
    },
    /// There is no such key.
    #[error("`{action}`: {error}")]
    UnknownKey {
        /// The action that it was configured for.
        action: &'static str,
        /// Why the key name is invalid.
        error: KeyNameError,
    },
    /// The action would have no key, but it is required.
    #[error("`{0}` needs a key: without one there is no way on")]
    Needed(&'static str),
    /// Digits choose rows and cannot be bound.
    #[error("`digit` cannot be changed: a digit chooses by its number")]
    Digits,
    /// A key is bound to two actions.
    #[error("`{key}` is bound to both `{first}` and `{second}` ({}); give one of them another key", .mode.title())]
    Clash {
        /// The key in conflict.
        key: String,
        /// The mode in which both apply.
        mode: Mode,
        /// One of the actions.
        first: &'static str,
        /// The other action.
        second: &'static str,
    },
}

/// Actions that must have a key.
const NEEDED: [Action; 4] = [Action::Confirm, Action::Back, Action::Detach, Action::Yes];

impl Keymap {
    /// Replaces the keys of an action. Call [`Keymap::check`] after the last one.
    pub fn bind(&mut self, part: KeySection, name: &str, keys: &[&str]) -> Result<(), KeymapError> {
        let bound = self.bindings.iter().filter(|binding| binding.is_of(part));
        let mut known: Vec<&'static str> = Vec::new();
        let mut found = None;
        for action in bound.map(|binding| binding.action) {
            if action != Action::Digit && !known.contains(&action.name()) {
                known.push(action.name());
            }
            if action.name() == name {
                found = Some(action);
            }
        }
        let Some(action) = found else {
            let name = name.to_owned();
            return Err(KeymapError::UnknownAction { part, name, known });
        };
        if action == Action::Digit {
            return Err(KeymapError::Digits);
        }
        if keys.is_empty() && NEEDED.contains(&action) {
            return Err(KeymapError::Needed(action.name()));
        }
        let parsed = keys.iter().map(|key| Key::named(key));
        let keys: Vec<Key> = parsed.collect::<Result<_, _>>().map_err(|error| {
            let action = action.name();
            KeymapError::UnknownKey { action, error }
        })?;
        self.replace(part, action, &keys);
        Ok(())
    }

    fn replace(&mut self, part: KeySection, action: Action, keys: &[Key]) {
        let mut done: Vec<Mode> = Vec::new();
        let mut bindings = Vec::with_capacity(self.bindings.len());
        for mut binding in self.bindings.drain(..) {
            if binding.action != action || !binding.is_of(part) {
                bindings.push(binding);
                continue;
            }
            binding.modes.retain(|mode| !done.contains(mode));
            done.extend(&binding.modes);
            let printable = binding.keys.iter().any(|key| key.typed().is_some());
            let (typing, choosing): (Vec<Mode>, Vec<Mode>) = binding
                .modes
                .iter()
                .partition(|mode| mode.is_typing() && !printable);
            if !choosing.is_empty() {
                bindings.push(Binding {
                    action,
                    keys: keys.to_vec(),
                    modes: choosing,
                });
            }
            if !typing.is_empty() {
                // In text fields, printable keys are text. If no other key is left, the default key
                // stays.
                let others = keys.iter().copied().filter(|key| key.typed().is_none());
                let others: Vec<Key> = others.collect();
                let keep = others.is_empty() && !keys.is_empty();
                bindings.push(Binding {
                    action,
                    keys: if keep { binding.keys } else { others },
                    modes: typing,
                });
            }
        }
        self.bindings = bindings;
    }

    /// Returns an error if a key has two actions in one mode.
    pub fn check(&self) -> Result<(), KeymapError> {
        for mode in Mode::ALL {
            let mut seen: Vec<(Key, Action)> = Vec::new();
            // The chat handles this key before a question does.
            let ahead = self.bindings(Mode::Compose);
            let ahead = ahead.filter(|binding| {
                binding.action == Action::NextWaiting && mode.section() == KeySection::Question
            });
            for binding in ahead.chain(self.bindings(mode)) {
                for key in &binding.keys {
                    match seen.iter().find(|(taken, _)| taken == key) {
                        Some((_, first)) if *first != binding.action => {
                            return Err(KeymapError::Clash {
                                key: key.name(&Glyphs::ASCII),
                                mode,
                                first: first.name(),
                                second: binding.action.name(),
                            });
                        }
                        Some(_) => {}
                        None => seen.push((*key, binding.action)),
                    }
                }
            }
        }
        Ok(())
    }
}

impl Binding {
    fn is_of(&self, part: KeySection) -> bool {
        self.modes.iter().all(|mode| mode.section() == part)
    }
}

#[cfg(test)]
#[path = "configured_tests.rs"]
mod tests;
