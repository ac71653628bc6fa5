//! Key bindings of yes/no questions: the letters answer, and their usual actions move to alt and
//! the letter.

use askback_locale::YesNo;

use super::{Action, Binding, Keymap, Mode};
use askback_terminal::key::{Key, Modifiers};

impl Keymap {
    /// Adds letters that answer yes and no in a list.
    #[must_use]
    pub fn with_yes_no(&self, letters: &[(char, YesNo)]) -> Keymap {
        let answers = |key: &Key| letters.iter().any(|(letter, _)| *key == Key::char(*letter));
        let mut bindings = vec![
            binding(Action::Yes, YesNo::Yes, letters),
            binding(Action::No, YesNo::No, letters),
        ];
        for binding in &self.bindings {
            let listed = binding.modes.contains(&Mode::List);
            if !listed || !binding.keys.iter().any(answers) {
                bindings.push(binding.clone());
                continue;
            }
            let mut others = binding.clone();
            others.modes.retain(|mode| *mode != Mode::List);
            if !others.modes.is_empty() {
                bindings.push(others);
            }
            bindings.push(Binding {
                action: binding.action,
                keys: self.moved(&binding.keys, answers),
                modes: vec![Mode::List],
            });
        }
        Keymap { bindings }
    }

    /// Adds alt to the keys that answer, unless alt and the letter are bound.
    fn moved(&self, keys: &[Key], answers: impl Fn(&Key) -> bool) -> Vec<Key> {
        let moved = keys.iter().filter_map(|key| {
            if !answers(key) {
                return Some(*key);
            }
            let key = Key::with(key.code, Modifiers::ALT);
            self.action(Mode::List, key).is_none().then_some(key)
        });
        moved.collect()
    }
}

fn binding(action: Action, meaning: YesNo, letters: &[(char, YesNo)]) -> Binding {
    let mine = letters.iter().filter(|(_, other)| *other == meaning);
    Binding {
        action,
        keys: mine.map(|(letter, _)| Key::char(*letter)).collect(),
        modes: vec![Mode::List],
    }
}
