//! An answer on one line, as one would type it in line mode: the number of a choice, `1,3`, a text.
//!
//! Several questions are answered by their numbers: `1: 2; 2: staging`. `3: -` leaves one open. A choice may also be named by its
//! label, which is what menus print.

use askback_wire::question::QuestionResponse;

use crate::contract::incoming::FieldInput;

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
        (_, [_]) => LineAnswer::Fields(vec![field(0, line.to_owned())]),
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
    let fields = parts.into_iter().map(|(index, answer)| {
        if answer.trim() == "-" {
            return FieldInput {
                question: index,
                is_left_open: true,
                ..FieldInput::default()
            };
        }
        field(index, answer)
    });
    fields.collect()
}

/// What the text means is read when it is handled, as in every channel.
fn field(index: usize, text: String) -> FieldInput {
    FieldInput {
        question: index,
        text: Some(text),
        ..FieldInput::default()
    }
}

#[cfg(test)]
#[path = "line_answer_tests.rs"]
mod tests;
