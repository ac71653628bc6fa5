//! What `--text` and `--choose` say is what the same text says on every surface.

use askback_core::answer::Answers;
use askback_testkit::TypedAnswer;
use askback_testkit::typed_answers;
use askback_testkit::typed_answers::TODAY;
use askback_wire::question::QuestionResponse;

use super::from_flags;
use crate::args::given_answers::{GivenAnswer, GivenAnswers};

/// What the server makes of a flag.
fn sent(case: &TypedAnswer, given: GivenAnswer) -> Option<Answers> {
    let inquiry = &case.inquiry;
    let questions: Vec<QuestionResponse> = inquiry.questions().iter().map(Into::into).collect();
    let given = GivenAnswers(vec![given]);
    let flags = from_flags(&given, &questions, case.locale).expect("one flag for one question");
    let answers = Answers::parse_typed(inquiry, flags, &case.locale.typing(TODAY));
    Answers::from_json(inquiry, &answers, None).ok()
}

#[test]
fn text_flag_answers_as_on_every_surface() {
    for case in typed_answers() {
        let text = GivenAnswer::Text(case.typed.clone());
        assert_eq!(
            sent(&case, text),
            case.expected.clone().ok(),
            "{}",
            case.name
        );
    }
}

/// One flag is one choice, and never own text.
#[test]
fn choose_flag_names_one_choice_as_on_every_surface() {
    for case in typed_answers() {
        let [question] = case.inquiry.questions() else {
            panic!("the table has one question each");
        };
        if question.choices().is_empty() {
            continue;
        }
        let expected = case.expected.clone().ok().filter(|answers| {
            let parts: Vec<_> = answers
                .iter()
                .flat_map(|it| it.given.display_parts(question))
                .collect();
            let labels = question
                .choices()
                .iter()
                .map(|choice| choice.label.to_string());
            parts.len() == 1 && labels.into_iter().any(|label| label == parts[0])
        });
        let choose = GivenAnswer::Choice(case.typed.clone());
        assert_eq!(sent(&case, choose), expected, "{}", case.name);
    }
}
