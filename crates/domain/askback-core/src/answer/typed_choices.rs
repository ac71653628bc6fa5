//! Which choices a typed text names, and what of it is own text. Every surface in which people type reads texts here, and
//! so does the short form of the HTTP API. `docs/answering.md` has the rules for people.
//!
//! One choice is named, by the first of these that fits:
//!
//! 1. its label, as it is written, with or without the mark of a recommended choice,
//! 2. the same in upper or lower case,
//! 3. its number: `2`, `2.`, or the line that is shown, `2. Staging`,
//! 4. its label with what is shown behind it: the mark, the description, a full stop,
//! 5. its value, unless that is a number.
//!
//! What is shown comes before the value, which a person does not see: a hidden `1` must not take the first choice away from
//! whoever types its number. A text that could mean two choices names none, and is refused. So is a number that another
//! choice has in its label, such as `2` for the second choice if the first is `2 hours`.

use super::problem::AnswerProblem;
use crate::limits;
use crate::number::ascii_digit;
use crate::question::{Choice, ChoiceKind, RECOMMENDED_SUFFIX, strip_badge};
use crate::text::{Lines, Text};

/// What is between the parts of a list. Spaces separate numbers only.
const SEPARATORS: [char; 7] = [',', ';', '\n', '，', '；', '、', '،'];

/// What may stand between a number and a label.
const NUMBER_ENDS: [char; 8] = ['.', ')', ':', '-', '–', '．', '）', ' '];

/// What stands between a number and a label that begins with a digit.
const NUMBER_GAPS: [&str; 4] = [". ", ") ", "．", "）"];

/// The choices of a question as a surface shows them.
#[derive(Debug, Clone, Copy)]
pub struct ShownChoices<'a> {
    kind: &'a ChoiceKind,
    recommended: &'a str,
    numbers: usize,
}

/// What a text says to a question with choices.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TypedChoices {
    /// The named rows, counted from 0, in the order of the question.
    pub rows: Vec<usize>,
    /// Text of the respondent's own: all of it, or what follows the named choices.
    pub own: Option<String>,
}

/// What one text, or one part of a list, names.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Named {
    Nothing,
    Row(usize),
    /// The rows that could be meant.
    Ambiguous(Vec<usize>),
}

impl Named {
    fn or_else(self, next: impl FnOnce() -> Named) -> Named {
        match self {
            Named::Nothing => next(),
            Named::Row(_) | Named::Ambiguous(_) => self,
        }
    }

    fn row(self) -> Option<usize> {
        match self {
            Named::Row(row) => Some(row),
            Named::Nothing | Named::Ambiguous(_) => None,
        }
    }
}

/// What a list of names says.
enum List {
    /// Every part names a choice.
    All(Vec<usize>),
    /// The first parts name choices, and the rest begins at this byte.
    Leading(Vec<usize>, usize),
    /// A part could name each of these rows.
    Ambiguous(Vec<usize>),
    /// Nobody can tell what is meant: numbers are followed by text, as in `2, 3 weeks`, or by numbers of no choice.
    Unclear,
    /// It begins with no choice.
    Nothing,
}

/// How exactly a name must be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Precision {
    AsWritten,
    AsShown,
}

impl<'a> ShownChoices<'a> {
    /// Numbered from 1, with the English mark.
    pub fn of(kind: &'a ChoiceKind) -> ShownChoices<'a> {
        ShownChoices {
            kind,
            recommended: RECOMMENDED_SUFFIX,
            numbers: kind.choices.len(),
        }
    }

    /// Sets what marks a recommended choice in the language of the surface. English is understood, too.
    #[must_use]
    pub fn marked(self, recommended: &'a str) -> ShownChoices<'a> {
        ShownChoices {
            recommended,
            ..self
        }
    }

    /// Own text is the row behind the choices, with a number, where the question takes it.
    #[must_use]
    pub fn with_own_row(self) -> ShownChoices<'a> {
        let numbers = self.kind.choices.len() + usize::from(self.kind.own_text);
        ShownChoices { numbers, ..self }
    }

    /// Reads a text, or says why it answers nothing.
    pub fn read(self, typed: &str) -> Result<TypedChoices, AnswerProblem> {
        let (names, typed) = (Names::of(self), check_text(typed)?);
        // A list of exact names is no misspelt name: `Salt, Pepper` beside the label `Salt, pepper`.
        let exact = match names.as_written(typed) {
            Named::Nothing if self.kind.several => names.split(typed, Precision::AsWritten),
            Named::Nothing | Named::Row(_) | Named::Ambiguous(_) => List::Nothing,
        };
        let list = match (exact, names.as_typed(typed)) {
            (List::All(rows), _) => List::All(rows),
            (_, Named::Row(row)) => List::All(vec![row]),
            (_, Named::Ambiguous(rows)) => List::Ambiguous(rows),
            (_, Named::Nothing) => names.list(typed),
        };
        match list {
            List::All(rows) if rows.len() > 1 && !self.kind.several => {
                Err(AnswerProblem::OneChoiceOnly)
            }
            List::All(rows) => Ok(TypedChoices { rows, own: None }),
            List::Leading(rows, at) if self.kind.several && self.kind.own_text => {
                let own = typed[at..].trim();
                if own.split(SEPARATORS).any(|part| self.is_wrong_number(part)) {
                    return Err(self.unknown());
                }
                let own = Some(own.to_owned());
                Ok(TypedChoices { rows, own })
            }
            List::Ambiguous(rows) => Err(self.ambiguous(&rows)),
            List::Unclear => Err(self.unknown()),
            List::Leading(..) | List::Nothing => self.own_text(typed),
        }
    }

    /// Reads one part of a list that has been taken apart already: a choice, or own text.
    pub fn read_part(self, part: &str) -> Result<TypedChoices, AnswerProblem> {
        let part = check_text(part)?;
        match Names::of(self).as_typed(part) {
            Named::Row(row) => Ok(TypedChoices {
                rows: vec![row],
                own: None,
            }),
            Named::Ambiguous(rows) => Err(self.ambiguous(&rows)),
            Named::Nothing => self.own_text(part),
        }
    }

    /// The only choice that a text names by its label or value, and not by its number: for fields that are labelled as own
    /// text.
    pub fn named_row(self, text: &str) -> Option<usize> {
        let names = Names::of(self);
        let folded = fold(text);
        let by_label = names.by_label(text.trim(), &folded);
        let shown = by_label.or_else(|| names.as_shown(&folded));
        shown.or_else(|| names.by_value(&folded)).row()
    }

    fn own_text(self, typed: &str) -> Result<TypedChoices, AnswerProblem> {
        if !self.kind.own_text || self.is_wrong_number(typed) {
            return Err(self.unknown());
        }
        Ok(TypedChoices {
            rows: Vec::new(),
            own: Some(typed.to_owned()),
        })
    }

    /// Numbers that no choice has. They are own text only where a choice is a number itself, such as a port.
    fn is_wrong_number(self, typed: &str) -> bool {
        let is_part = |letter: char| {
            let is_mark = matches!(letter, '.' | '-') || is_between_numbers(letter);
            is_mark || letter.is_ascii_digit() || ascii_digit(letter).is_some()
        };
        let mut labels = self.kind.choices.iter().map(|choice| choice.label.as_str());
        let is_number = !typed.trim().is_empty() && typed.chars().all(is_part);
        is_number && !labels.any(|label| label.contains(char::is_numeric))
    }

    /// The lines that can be typed instead. The row of own text is none: it is never in doubt alone.
    fn ambiguous(self, rows: &[usize]) -> AnswerProblem {
        let shown = (1..).zip(&self.kind.choices).enumerate();
        let meant = shown.filter(|(row, _)| rows.contains(row));
        AnswerProblem::AmbiguousChoice {
            lines: meant
                .map(|(_, (number, choice))| format!("{number}. {}", choice.label))
                .collect(),
        }
    }

    fn unknown(self) -> AnswerProblem {
        AnswerProblem::UnknownChoice {
            labels: self
                .kind
                .choices
                .iter()
                .map(|it| it.label.clone())
                .collect(),
        }
    }
}

/// The names of all choices, folded once.
struct Names<'a> {
    shown: ShownChoices<'a>,
    choices: Vec<ChoiceNames>,
    /// No name has more parts.
    parts_max: usize,
}

struct ChoiceNames {
    /// The label, also without its badge.
    labels: Vec<String>,
    /// Unless it is a number: a person who types one means what is shown.
    value: Option<String>,
    /// The words that may follow the label: mark, description, or both.
    endings: Vec<Vec<String>>,
}

impl<'a> Names<'a> {
    fn of(shown: ShownChoices<'a>) -> Names<'a> {
        let choices: Vec<&Choice> = shown.kind.choices.iter().collect();
        let parts = |text: &Text| text.as_str().matches(SEPARATORS).count();
        let parts = choices.iter().map(|choice| {
            let description = choice.description.as_ref().map_or(0, parts);
            parts(&choice.label).max(parts(&choice.value)) + description
        });
        Names {
            // A mark or a description may stand behind a comma.
            parts_max: parts.max().unwrap_or_default() + 3,
            choices: choices
                .iter()
                .map(|choice| ChoiceNames::of(choice, shown.recommended))
                .collect(),
            shown,
        }
    }

    fn named(&self, text: &str, precision: Precision) -> Named {
        match precision {
            Precision::AsWritten => self.as_written(text),
            Precision::AsShown => self.as_typed(text),
        }
    }

    /// One choice by the first rule that fits.
    fn as_typed(&self, text: &str) -> Named {
        let folded = fold(text);
        let by_label = self.by_label(text, &folded);
        self.unless_number(by_label, &folded)
            .or_else(|| self.by_number(&folded))
            .or_else(|| self.as_shown(&folded))
            .or_else(|| self.by_value(&folded))
    }

    /// By its label as it is written.
    fn as_written(&self, text: &str) -> Named {
        self.unless_number(self.labelled(text), &fold(text))
    }

    fn labelled(&self, text: &str) -> Named {
        let row = self.shown.kind.labelled(text);
        row.map_or(Named::Nothing, Named::Row)
    }

    /// By its label: as it is written, else in any case.
    fn by_label(&self, text: &str, folded: &str) -> Named {
        let is_same = |choice: &ChoiceNames| choice.labels.iter().any(|label| label == folded);
        self.labelled(text).or_else(|| self.only(is_same))
    }

    /// A label that is the number of another choice is ambiguous.
    fn unless_number(&self, labelled: Named, folded: &str) -> Named {
        match (labelled, self.bare_number(folded)) {
            (Named::Row(row), Some(numbered)) if row != numbered => {
                Named::Ambiguous(vec![row, numbered])
            }
            (labelled, _) => labelled,
        }
    }

    fn by_value(&self, folded: &str) -> Named {
        self.only(|choice| choice.value.as_deref() == Some(folded))
    }

    /// By its number, alone or before its label. The number of one choice before the label of another is ambiguous.
    fn by_number(&self, folded: &str) -> Named {
        let Some((row, behind)) = self.number(folded) else {
            return Named::Nothing;
        };
        if is_bare(behind) {
            return self.by_bare_number(row);
        }
        let label = behind.trim_start_matches(NUMBER_ENDS);
        let gap = &behind[..behind.len() - label.len()];
        // `2 3` may be two numbers, `2.3` one, and `2 - 3 days` a range.
        if label.starts_with(|it: char| it.is_ascii_digit()) && !NUMBER_GAPS.contains(&gap) {
            return Named::Nothing;
        }
        let choice = self.choices.get(row);
        if choice.is_some_and(|choice| choice.is_named_by(label)) {
            return Named::Row(row);
        }
        match self.only(|choice| choice.is_named_by(label)) {
            Named::Nothing => Named::Nothing,
            Named::Row(other) => Named::Ambiguous(vec![row, other]),
            Named::Ambiguous(mut rows) => {
                rows.push(row);
                Named::Ambiguous(rows)
            }
        }
    }

    /// The row with a number, unless the number could be part of another label: `2` if the first choice is `2 hours`. Where
    /// labels are such numbers themselves, any other number could be own text.
    fn by_bare_number(&self, row: usize) -> Named {
        let has_number = |choice: &ChoiceNames| choice.has_number(row + 1);
        if self.choices.get(row).is_some_and(has_number) {
            return Named::Row(row);
        }
        let labelled = (0..).zip(&self.choices);
        let labelled = labelled.filter_map(|(other, choice)| has_number(choice).then_some(other));
        let mut rows: Vec<usize> = labelled.collect();
        if rows.is_empty() && !self.has_labels_that_are_numbers() {
            return Named::Row(row);
        }
        rows.push(row);
        Named::Ambiguous(rows)
    }

    /// Whether the label of a choice is the number of another one.
    fn has_labels_that_are_numbers(&self) -> bool {
        let mut choices = self.choices.iter().enumerate();
        choices.any(|(row, choice)| {
            let number = choice
                .labels
                .iter()
                .find_map(|label| self.bare_number(label));
            number.is_some_and(|number| number != row)
        })
    }

    /// The row of a leading number, and what is behind it.
    fn number<'t>(&self, folded: &'t str) -> Option<(usize, &'t str)> {
        let behind = folded.trim_start_matches(|letter: char| letter.is_ascii_digit());
        let number = &folded[..folded.len() - behind.len()];
        let row = number.parse::<usize>().ok()?.checked_sub(1)?;
        let is_apart = !behind.starts_with(char::is_alphanumeric);
        (row < self.shown.numbers && is_apart).then_some((row, behind))
    }

    /// The row of a number that stands alone.
    fn bare_number(&self, folded: &str) -> Option<usize> {
        let (row, behind) = self.number(folded)?;
        is_bare(behind).then_some(row)
    }

    /// By its label and what is shown behind it.
    fn as_shown(&self, folded: &str) -> Named {
        self.only(|choice| choice.is_shown_as(folded))
    }

    fn only(&self, is_meant: impl Fn(&ChoiceNames) -> bool) -> Named {
        let rows = (0..).zip(&self.choices);
        let rows: Vec<usize> = rows
            .filter_map(|(row, choice)| is_meant(choice).then_some(row))
            .collect();
        match rows.as_slice() {
            [] => Named::Nothing,
            [row] => Named::Row(*row),
            _ => Named::Ambiguous(rows),
        }
    }

    fn list(&self, typed: &str) -> List {
        let names = self.split(typed, Precision::AsShown);
        if matches!(names, List::All(_)) {
            return names;
        }
        match (self.numbers(typed), names) {
            (numbers @ List::All(_), _) => numbers,
            (_, names @ List::Leading(..)) if self.shown.kind.several => names,
            // A list is no answer to it, so that this is text: `NO, thanks`.
            (List::Nothing, List::Ambiguous(_) | List::Unclear) if !self.shown.kind.several => {
                List::Nothing
            }
            (List::Nothing, names) => names,
            (numbers, _) => numbers,
        }
    }

    /// A list of numbers, which spaces may separate.
    fn numbers(&self, typed: &str) -> List {
        let words = typed.split(is_between_numbers);
        let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
        if !words.iter().all(|word| is_number(&fold(word))) {
            return List::Nothing;
        }
        let mut rows = Vec::new();
        for word in &words {
            match self.as_typed(word) {
                Named::Row(row) => rows.push(row),
                Named::Ambiguous(rows) => return List::Ambiguous(rows),
                Named::Nothing => {}
            }
        }
        if !rows.is_empty() && rows.len() < words.len() {
            return List::Unclear;
        }
        all_rows(rows)
    }

    /// Splits a list. A name may hold separators itself, so each part is tried together with those behind it; what takes
    /// the most parts as names wins, and of those the longest first name.
    fn split(&self, typed: &str, precision: Precision) -> List {
        if typed.len() > limits::OWN_TEXT_CHARS_MAX {
            return List::Nothing;
        }
        let mut ends: Vec<usize> = typed.match_indices(SEPARATORS).map(|(at, _)| at).collect();
        ends.push(typed.len());
        let behind = |at: usize| at + typed[at..].chars().next().map_or(0, char::len_utf8);
        let mut starts = vec![0];
        starts.extend(ends.iter().take(ends.len() - 1).map(|at| behind(*at)));
        let count = starts.len();
        let span = |from: usize, to: usize| typed[starts[from]..ends[to - 1]].trim();
        // For each part: how far names reach from there, the name there, and where the next one begins.
        let mut reach: Vec<usize> = (0..=count).collect();
        let mut found: Vec<Option<(usize, usize)>> = vec![None; count];
        for from in (0..count).rev() {
            if span(from, from + 1).is_empty() {
                reach[from] = reach[from + 1];
                continue;
            }
            for to in (from + 1..=count.min(from + self.parts_max)).rev() {
                if reach[to] > reach[from]
                    && let Named::Row(row) = self.named(span(from, to), precision)
                {
                    reach[from] = reach[to];
                    found[from] = Some((row, to));
                }
            }
        }
        let mut rows = Vec::new();
        let mut has_number = false;
        let mut at = 0;
        while at < reach[0] {
            let Some((row, next)) = found[at] else {
                at += 1;
                continue;
            };
            let name = span(at, next);
            has_number |=
                self.bare_number(&fold(name)).is_some() && self.as_written(name) == Named::Nothing;
            rows.push(row);
            at = next;
        }
        let list = all_rows(rows);
        if at == count {
            return list;
        }
        let mut ends = at + 1..=count.min(at + self.parts_max);
        let ambiguous = ends.find_map(|to| match self.named(span(at, to), precision) {
            Named::Ambiguous(rows) => Some(rows),
            Named::Nothing | Named::Row(_) => None,
        });
        match (list, ambiguous) {
            (_, Some(rows)) => List::Ambiguous(rows),
            (List::All(_), None) if has_number => List::Unclear,
            (List::All(rows), None) => List::Leading(rows, starts[at]),
            (_, None) => List::Nothing,
        }
    }
}

impl ChoiceNames {
    fn of(choice: &Choice, recommended: &str) -> ChoiceNames {
        let label = choice.label.as_str();
        let bare = strip_badge(label);
        let value = fold(choice.value.as_str());
        let is_recommended = choice.recommended || bare.is_some();
        let description = choice.description.as_ref().map(|it| words(it.as_str()));
        let marks = [RECOMMENDED_SUFFIX, recommended].map(|mark| words(&fold(mark)));
        let mut endings: Vec<Vec<String>> = Vec::new();
        endings.extend(description.clone());
        for mark in marks.into_iter().filter(|_| is_recommended) {
            let described = description.as_ref();
            endings.extend(described.map(|it| [mark.as_slice(), it].concat()));
            endings.push(mark);
        }
        ChoiceNames {
            labels: [Some(label), bare]
                .into_iter()
                .flatten()
                .map(fold)
                .collect(),
            value: Some(value).filter(|value| !is_number(value)),
            endings,
        }
    }

    /// By its label, alone or with what is shown behind it.
    fn is_named_by(&self, folded: &str) -> bool {
        self.labels.iter().any(|label| label == folded) || self.is_shown_as(folded)
    }

    /// Whether a word of the label is this number, or begins with it, as `2` and `2h` do, but not `S2`.
    fn has_number(&self, number: usize) -> bool {
        let number = number.to_string();
        let mut words = self.labels.iter().flat_map(|label| words(label));
        words.any(|word| {
            let behind = word.strip_prefix(number.as_str());
            behind.is_some_and(|behind| !behind.starts_with(|it: char| it.is_ascii_digit()))
        })
    }

    fn is_shown_as(&self, folded: &str) -> bool {
        self.labels.iter().any(|label| {
            let behind = folded.strip_prefix(label.as_str());
            behind.is_some_and(|behind| match behind.trim() {
                "" | "." | "。" => true,
                _ if behind.starts_with(char::is_alphanumeric) => false,
                ending => self.endings.contains(&words(ending)),
            })
        })
    }
}

/// In the order of the question, each once.
fn all_rows(mut rows: Vec<usize>) -> List {
    rows.sort_unstable();
    rows.dedup();
    if rows.is_empty() {
        List::Nothing
    } else {
        List::All(rows)
    }
}

/// Without the space around it. What cannot be seen is nothing.
fn check_text(typed: &str) -> Result<&str, AnswerProblem> {
    match Text::clean(typed, Lines::Many) {
        Some(_) => Ok(typed.trim()),
        None => Err(AnswerProblem::Empty),
    }
}

/// Whether a text is a whole number, perhaps with a sign before it or punctuation behind it.
fn is_number(folded: &str) -> bool {
    let digits = folded.strip_prefix('-').unwrap_or(folded);
    let behind = digits.trim_start_matches(|letter: char| letter.is_ascii_digit());
    behind.len() < digits.len() && is_bare(behind)
}

/// Whether nothing but punctuation is behind a number.
fn is_bare(behind: &str) -> bool {
    matches!(behind, "" | "." | ")" | "．" | "）")
}

fn is_between_numbers(letter: char) -> bool {
    letter.is_whitespace() || SEPARATORS.contains(&letter)
}

/// Lower case, with ASCII digits and single spaces.
fn fold(text: &str) -> String {
    let lower = text.to_lowercase();
    let digits: String = lower
        .chars()
        .map(|letter| ascii_digit(letter).unwrap_or(letter))
        .collect();
    digits.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The words of a text without the punctuation between them.
fn words(text: &str) -> Vec<String> {
    let folded = fold(text);
    let words = folded.split(|letter: char| !letter.is_alphanumeric());
    words
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
#[path = "typed_choices_tests.rs"]
mod tests;
