//! The table of typed answers, which every surface replays, in the core and in the forms of a request.

use askback_core::answer::{AnswerProblem, Answers};
use askback_testkit::typed_answers;
use askback_testkit::typed_answers::TODAY;
use serde_json::{Value, json};

fn code(problem: &AnswerProblem) -> String {
    let json = serde_json::to_value(problem).expect("it is JSON");
    json["code"].as_str().expect("it has a code").to_owned()
}

fn sent(answers: &Value, case: &askback_testkit::TypedAnswer) -> Result<Answers, String> {
    let parser = case.locale.typing(TODAY);
    let answers = Answers::parse_typed(&case.inquiry, json!({ "q1": answers }), &parser);
    let sent = Answers::from_json(&case.inquiry, &answers, None);
    sent.map_err(|errors| code(&errors[0].problem))
}

#[test]
fn typed_texts_answer_as_the_table_says() {
    for case in typed_answers() {
        let question = &case.inquiry.questions()[0];
        let read = case.locale.typing(TODAY).answer(question, &case.typed);
        let checked = match read {
            Ok(raw) => Answers::check(&case.inquiry, &[Some(raw)])
                .map_err(|errors| code(&errors[0].problem)),
            Err(problem) => Err(code(&problem)),
        };
        assert_eq!(checked, case.expected, "{}", case.name);
        assert_eq!(
            sent(&json!(case.typed), &case),
            case.expected,
            "short, {}",
            case.name
        );
        // A form has fields, which may be empty.
        if case.expected != Err("empty".to_owned()) {
            let typed = json!({ "typed": case.typed });
            assert_eq!(sent(&typed, &case), case.expected, "typed, {}", case.name);
        }
    }
}
