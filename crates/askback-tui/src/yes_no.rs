//! Questions of yes or no: which of their choices means which, and the letters that choose it.

use askback_core::question::{Kind, Question};
use askback_locale::{Locale, YesNo};

/// The choices of a question that mean yes and no.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct YesNoChoices {
    /// The row, unless several of them mean yes.
    yes: Option<usize>,
    no: Option<usize>,
    /// The letters that choose, lower case.
    pub(crate) letters: Vec<(char, YesNo)>,
}

impl YesNoChoices {
    /// `None` if the question is not one of yes or no: one choice can be taken, and among the choices
    /// are a yes and a no, by what is shown or by what the agent gets.
    pub(crate) fn of(question: &Question, locale: Locale) -> Option<YesNoChoices> {
        match &question.kind {
            Kind::Choice(kind) if !kind.several => {}
            Kind::Choice(_)
            | Kind::Text(_)
            | Kind::Number(_)
            | Kind::Date(_)
            | Kind::DateRange(_) => return None,
        }
        let meaning: Vec<Option<YesNo>> = question
            .choices()
            .iter()
            .map(|choice| {
                let label = YesNo::of(choice.label.as_str());
                label.or_else(|| by_value(choice.value.as_str()))
            })
            .collect();
        let rows = |wanted: YesNo| {
            let rows = meaning.iter().enumerate();
            let rows = rows.filter(move |(_, meaning)| **meaning == Some(wanted));
            rows.map(|(row, _)| row).collect::<Vec<usize>>()
        };
        let (yes, no) = (rows(YesNo::Yes), rows(YesNo::No));
        if yes.is_empty() || no.is_empty() {
            return None;
        }
        Some(YesNoChoices {
            yes: only(&yes),
            no: only(&no),
            letters: locale.yes_no_letters(),
        })
    }

    /// The row that means this, if only one does.
    pub(crate) fn row(&self, meaning: YesNo) -> Option<usize> {
        match meaning {
            YesNo::Yes => self.yes,
            YesNo::No => self.no,
        }
    }

    /// What a typed word means: one of the letters, or a word for yes or no.
    pub(crate) fn meaning(&self, word: &str) -> Option<YesNo> {
        let word = word.to_lowercase();
        let letter = self.letters.iter().find(|(letter, _)| {
            let mut chars = word.chars();
            chars.next() == Some(*letter) && chars.next().is_none()
        });
        let whole = word.chars().all(char::is_alphabetic);
        letter.map(|(_, meaning)| *meaning).or_else(|| {
            let spelt = whole.then(|| YesNo::of(&word));
            spelt.flatten()
        })
    }
}

fn only(rows: &[usize]) -> Option<usize> {
    match rows {
        [row] => Some(*row),
        _ => None,
    }
}

fn by_value(value: &str) -> Option<YesNo> {
    match value {
        "yes" => Some(YesNo::Yes),
        "no" => Some(YesNo::No),
        _ => None,
    }
}
