//! Answers as short texts.

use askback_core::answer::AnswerValue;
use askback_core::question::{Choice, Question, RECOMMENDED_SUFFIX};

use crate::locale::Locale;

/// The label without a badge that the agent wrote into it, and whether the choice is advised.
pub fn split_label(choice: &Choice) -> (&str, bool) {
    let label = choice.label.as_str();
    let cut = label.len().checked_sub(RECOMMENDED_SUFFIX.len());
    match cut.and_then(|at| label.split_at_checked(at)) {
        Some((bare, suffix)) if suffix.eq_ignore_ascii_case(RECOMMENDED_SUFFIX) => {
            (bare.trim_end(), true)
        }
        Some(_) | None => (label, choice.recommended),
    }
}

impl Locale {
    /// An answer as a short text: labels, own text, a number, a date. Empty if there is no answer.
    pub fn answer_text(self, question: &Question, given: &AnswerValue) -> String {
        match given {
            AnswerValue::Chosen { own, .. } => {
                let labels = given
                    .chosen(question)
                    .map(|choice| split_label(choice).0.to_owned());
                let own = own.iter().map(|own| self.own_answer(own.as_str()));
                labels.chain(own).collect::<Vec<_>>().join(", ")
            }
            AnswerValue::Number { number } => self.number(*number),
            AnswerValue::DateRange { start, end } => {
                let args = [
                    ("start", start.to_string().into()),
                    ("end", end.to_string().into()),
                ];
                self.text("answer-range", &args)
            }
            AnswerValue::Text { .. }
            | AnswerValue::Date { .. }
            | AnswerValue::Skipped
            | AnswerValue::Unanswered => given.display_parts(question).join(", "),
        }
    }

    /// The respondent's own text, marked as such.
    pub fn own_answer(self, own: &str) -> String {
        self.text("answer-own", &[("answer", own.into())])
    }
}
