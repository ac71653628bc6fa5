//! What a person is told about an answer that does not fit, and how a text is asked for.

use askback_core::answer::{AnswerError, AnswerProblem};
use askback_core::question::Kind;
use askback_engine::InquiryView;
use askback_locale::Locale;
use jiff::civil::Date;

use crate::button::Button;
use crate::feedback::{Feedback, FieldProblem, PressResult, TextPrompt};
use crate::handle_incoming::feedback;

/// The problems, each in a sentence. Nothing was stored, and the question stays open.
pub(crate) fn invalid(locale: Locale, view: &InquiryView, problems: &[AnswerError]) -> Feedback {
    let questions = view.inquiry.questions();
    let fields: Vec<FieldProblem> = problems
        .iter()
        .map(|problem| FieldProblem {
            question: problem
                .question
                .as_ref()
                .and_then(|id| view.inquiry.position(id))
                .unwrap_or_default(),
            text: locale.problem(problem, questions),
        })
        .collect();
    let text: Vec<&str> = fields.iter().map(|field| field.text.as_str()).collect();
    let text = text.join("\n");
    feedback(PressResult::Invalid { fields }, text)
}

/// A day that does not exist is named, and so are both readings of an ambiguous number. Other
/// problems are told as they are.
pub(crate) fn typed_problem(
    locale: Locale,
    view: &InquiryView,
    told: &Feedback,
    (text, today): (&str, Date),
) -> String {
    let parser = locale.typing(today);
    let is_date = |question: &askback_core::question::Question| {
        matches!(question.kind, Kind::Date(_) | Kind::DateRange(_))
    };
    let questions = view.inquiry.questions();
    if parser.nonexistent_date(text).is_some() && questions.iter().any(is_date) {
        let error = AnswerError {
            question: None,
            name: String::new(),
            problem: AnswerProblem::NotADate,
            message: None,
        };
        return locale.typed_problem(&error, questions, text, &parser);
    }
    let is_number =
        |question: &askback_core::question::Question| matches!(question.kind, Kind::Number(_));
    if let Some(words) = locale.ambiguous_number(text, &parser)
        && questions.iter().any(is_number)
    {
        return words;
    }
    told.text.clone()
}

/// Asks for the text of a question.
pub(crate) fn prompt_for(
    view: &InquiryView,
    button: &Button,
    question: usize,
    locale: Locale,
) -> Feedback {
    let asked = view.inquiry.questions().get(question);
    let text = asked
        .map(|asked| asked.text.to_string())
        .unwrap_or_default();
    let hint = locale.text("channel-reply", &[]);
    Feedback {
        result: PressResult::DraftSaved,
        text: String::new(),
        prompt: Some(TextPrompt {
            button: button.clone(),
            text: format!("{text}\n\n{hint}"),
            placeholder: asked
                .and_then(|asked| asked.placeholder.as_ref())
                .map(ToString::to_string),
        }),
    }
}
