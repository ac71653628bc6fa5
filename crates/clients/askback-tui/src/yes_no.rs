//! Yes/no questions: which choice means yes or no, and the letters that choose it.

use askback_core::question::{Kind, Question};
use askback_locale::{Locale, YesNo};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct YesNoChoices {
    /// `None` if several rows mean yes.
    yes: Option<usize>,
    no: Option<usize>,
    /// In lower case.
    pub(crate) letters: Vec<(char, YesNo)>,
}

impl YesNoChoices {
    /// `None` unless exactly one choice is allowed and the labels or values contain a yes and a no.
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

    pub(crate) fn row(&self, meaning: YesNo) -> Option<usize> {
        match meaning {
            YesNo::Yes => self.yes,
            YesNo::No => self.no,
        }
    }

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
