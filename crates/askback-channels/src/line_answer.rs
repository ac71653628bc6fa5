//! An answer on one line, as one would type it in line mode: the number of a choice, `1,3`, a text.
//!
//! Several questions are answered by their numbers: `1: 2; 2: staging`. `3: -` leaves one open. A choice may also be named by its
//! label, which is what menus print.

use askback_wire::question::{QuestionKind, QuestionResponse};

use crate::date_range::split_range;
use crate::incoming::FieldInput;

/// What a line says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum LineAnswer {
    /// An empty line: nothing.
    Nothing,
    /// `-`: the agent goes on without an answer.
    Decline,
    /// Answers, which are checked against the questions when they are handled.
    Fields(Vec<FieldInput>),
}

/// Reads a line.
pub(crate) fn read_line(questions: &[QuestionResponse], line: &str) -> LineAnswer {
    let line = line.trim();
    match (line, questions) {
        ("", _) | (_, []) => LineAnswer::Nothing,
        ("-", _) => LineAnswer::Decline,
        (_, [question]) => LineAnswer::Fields(vec![field(question, 0, line)]),
        (_, _) => LineAnswer::Fields(several(questions, line)),
    }
}

/// `1: 2; 2: staging`. A part without a number belongs to the text before it.
fn several(questions: &[QuestionResponse], line: &str) -> Vec<FieldInput> {
    let mut parts: Vec<(usize, String)> = Vec::new();
    for part in line.split(';') {
        let numbered = part.split_once(':').and_then(|(number, answer)| {
            let index = number.trim().parse::<usize>().ok()?.checked_sub(1)?;
            (index < questions.len()).then(|| (index, answer.trim().to_owned()))
        });
        match (numbered, parts.last_mut()) {
            (Some(numbered), _) => parts.push(numbered),
            (None, Some((_, answer))) => {
                answer.push(';');
                answer.push_str(part.trim_end());
            }
            // The first question, unless another one is named.
            (None, None) => parts.push((0, part.trim().to_owned())),
        }
    }
    let fields = parts.into_iter().filter_map(|(index, answer)| {
        let question = questions.get(index)?;
        if answer.trim() == "-" {
            return Some(FieldInput {
                question: index,
                is_left_open: true,
                ..FieldInput::default()
            });
        }
        Some(field(question, index, &answer))
    });
    fields.collect()
}

fn field(question: &QuestionResponse, index: usize, answer: &str) -> FieldInput {
    let mut field = FieldInput {
        question: index,
        ..FieldInput::default()
    };
    match &question.kind {
        QuestionKind::DateRange(_) => {
            let (start, end) = split_range(answer).unwrap_or((answer, ""));
            field.text = Some(start.to_owned());
            field.end = Some(end.to_owned()).filter(|end| !end.is_empty());
        }
        // Which choice it names is read when it is handled, as in every channel.
        QuestionKind::Choice { .. }
        | QuestionKind::Text { .. }
        | QuestionKind::Number { .. }
        | QuestionKind::Date(_)
        | QuestionKind::Unknown => field.text = Some(answer.to_owned()),
    }
    field
}

#[cfg(test)]
#[path = "line_answer_tests.rs"]
mod tests;
