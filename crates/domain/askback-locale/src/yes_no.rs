//! Which words and letters mean yes and no.

use crate::language::LANGUAGES;
use crate::locale::Locale;

/// Yes or no.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum YesNo {
    /// Yes.
    Yes,
    /// No.
    No,
}

impl YesNo {
    /// What a text says by its first word, in any of the languages: an agent may write in another
    /// language than the program. `Yes, deploy` is a yes, `Nothing` is neither.
    pub fn of(text: &str) -> Option<YesNo> {
        let text = text.trim().to_lowercase();
        let first = text.split(|ch: char| !ch.is_alphanumeric()).next()?;
        LANGUAGES.iter().find_map(|language| {
            let conventions = &language.conventions;
            let is_yes = conventions.yes.contains(&first).then_some(YesNo::Yes);
            is_yes.or(conventions.no.contains(&first).then_some(YesNo::No))
        })
    }
}

impl Locale {
    /// The letters that answer a question of yes or no, lower case: `y` and `n`, and the first
    /// letters of the words of this language where one key types them and they mean nothing else.
    pub fn yes_no_letters(self) -> Vec<(char, YesNo)> {
        let mut letters = vec![('y', YesNo::Yes), ('n', YesNo::No)];
        let conventions = &self.language().conventions;
        for (words, meaning) in [(conventions.yes, YesNo::Yes), (conventions.no, YesNo::No)] {
            let first = words.first().and_then(|word| word.chars().next());
            if let Some(letter) = first.filter(|letter| is_typed_by_one_key(*letter))
                && !letters.iter().any(|(taken, _)| *taken == letter)
            {
                letters.push((letter, meaning));
            }
        }
        letters
    }
}

/// Scripts beyond these are typed through an input method.
fn is_typed_by_one_key(letter: char) -> bool {
    letter.is_alphabetic() && letter < '\u{1100}'
}

#[cfg(test)]
#[path = "yes_no_tests.rs"]
mod tests;
