//! What a person is told about an answer that does not fit, and how a text is asked for.

use askback_core::answer::{AnswerError, AnswerProblem};
use askback_core::question::{Kind, Question};
use askback_engine::InquiryView;
use askback_locale::Locale;
use jiff::ToSpan as _;
use jiff::civil::Date;

use crate::answer::handle_incoming::feedback;
use crate::contract::button::{Button, DraftCode, RangeDay};
use crate::contract::feedback::{Feedback, PressResult, TextPrompt};

/// The problems, each in a sentence. Nothing was stored, and the question stays open.
pub(crate) fn invalid(locale: Locale, view: &InquiryView, problems: &[AnswerError]) -> Feedback {
    let questions = view.inquiry.questions();
    let lines = problems.iter();
    let lines: Vec<String> = lines.map(|it| locale.problem(it, questions)).collect();
    feedback(PressResult::Invalid, lines.join("\n"))
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
    let is_date = |question: &Question| matches!(question.kind, Kind::Date(_) | Kind::DateRange(_));
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
    let is_number = |question: &Question| matches!(question.kind, Kind::Number(_));
    if let Some(words) = locale.ambiguous_number(text, &parser)
        && questions.iter().any(is_number)
    {
        return words;
    }
    told.text.clone()
}

/// Which questions of a form are open, and how to send it nevertheless. A message without a code cannot show it, so that
/// the answer itself has to say it.
pub(crate) fn not_all_answered(
    locale: Locale,
    view: &InquiryView,
    unanswered: &[usize],
    shown: Option<DraftCode>,
) -> Feedback {
    let text = if shown.is_some() {
        send_again(locale, view.inquiry.questions(), unanswered)
    } else {
        let names = names(view.inquiry.questions(), unanswered);
        let number = unanswered.first().map_or(1, |index| index + 1);
        let example = format!("{number}: -");
        let args = [("names", names.into()), ("example", example.into())];
        locale.text("channel-leave-open", &args)
    };
    feedback(PressResult::Invalid, text)
}

/// Says which questions are open, below a form that sends them so.
pub(crate) fn send_again(locale: Locale, questions: &[Question], unanswered: &[usize]) -> String {
    let names = names(questions, unanswered);
    locale.text("channel-send-again", &[("names", names.into())])
}

fn names(questions: &[Question], indexes: &[usize]) -> String {
    let open = indexes.iter().filter_map(|index| questions.get(*index));
    let open: Vec<&str> = open.map(Question::name).collect();
    open.join(", ")
}

/// Asks for the text of a question, and says which day of a range it is.
pub(crate) fn prompt_for(
    view: &InquiryView,
    button: &Button,
    locale: Locale,
    today: Date,
) -> Feedback {
    let question = button.press.question().unwrap_or_default();
    let asked = view.inquiry.questions().get(question);
    let text = asked.map_or("", |asked| asked.text.as_str());
    let is_range = asked.is_some_and(|asked| matches!(asked.kind, Kind::DateRange(_)));
    let hint = match (is_range, button.press.asked_day()) {
        (true, RangeDay::Last { first }) => last_day(locale, first),
        (true, RangeDay::First) => {
            let later = today.checked_add(4.days()).unwrap_or(today);
            let example = format!("{today}..{later}");
            locale.text("channel-reply-range", &[("example", example.into())])
        }
        (false, _) => locale.text("channel-reply", &[]),
    };
    let placeholder = asked.and_then(|asked| asked.placeholder.as_ref());
    Feedback::asking(TextPrompt {
        button: button.clone(),
        text: format!("{text}\n\n{hint}"),
        placeholder: placeholder.map(ToString::to_string),
    })
}

/// Asks for the last day of a range, and says which first day it has.
pub(crate) fn last_day(locale: Locale, first: Date) -> String {
    let start = first.to_string();
    locale.text("channel-reply-last-day", &[("start", start.into())])
}
