//! Several questions: skips, gaps, names, notes, and all misfits at once.

use super::*;

#[test]
fn question_that_may_be_skipped_is_skipped_explicitly() {
    let skippable = ask(json!({ "input_type": "text", "allow_skip": true }));
    check(
        &skippable,
        json!({ "skipped": true }),
        Ok(AnswerValue::Skipped),
    );
    check(
        &skippable,
        json!({ "skipped": true, "text": "but yes" }),
        Err("The answer is both answered and skipped; do one of the two."),
    );
    check_all(&skippable, json!({}), Err(&[NOTHING]));
}

#[test]
fn question_that_must_be_answered_cannot_be_skipped() {
    let sentence = "The answer cannot be skipped; answer it, or let the agent decide.";
    check(
        &ask_text(json!({})),
        json!({ "skipped": true }),
        Err(sentence),
    );
    let only = parse(
        Dialect::AskUserQuestion,
        &json!({ "questions": [{ "question": "Which?", "options": ["A", "B"] }] }),
    );
    check(&only, json!({ "skipped": true }), Err(sentence));
    let question = parse(
        Dialect::Question,
        &json!({ "question": "Which?", "options": ["A", "B"] }),
    );
    check(&question, json!({ "skipped": true }), Err(sentence));
}

#[test]
fn one_of_several_questions_can_be_skipped_but_not_all() {
    let two = ask_two();
    check_all(
        &two,
        json!({ "q1": { "skipped": true }, "q2": "Auth" }),
        Ok(&[AnswerValue::Skipped, chosen(&["Auth"], None)]),
    );
    check_all(
        &two,
        json!({ "q1": { "skipped": true }, "q2": { "skipped": true } }),
        Err(&[NOTHING]),
    );
}

#[test]
fn questions_left_out_are_named_as_unanswered() {
    let two = ask_two();
    check_all(
        &two,
        json!({ "q2": ["Search"] }),
        Ok(&[AnswerValue::Unanswered, chosen(&["Search"], None)]),
    );
    check_all(
        &two,
        json!({ "q1": "SQLite" }),
        Ok(&[chosen(&["SQLite"], None), AnswerValue::Unanswered]),
    );
}

/// A form that is sent back with nothing for a question that may be skipped says so.
#[test]
fn null_skips_what_may_be_skipped() {
    check_all(
        &ask_two(),
        json!({ "q1": "SQLite", "q2": null }),
        Ok(&[chosen(&["SQLite"], None), AnswerValue::Skipped]),
    );
    let required = ask(json!({ "input_type": "text" }));
    let nothing = Answers::from_json(&required, &json!({ "q1": null }), None).unwrap_err();
    assert_eq!(nothing[0].problem, AnswerProblem::NothingAnswered);
}

#[test]
fn questions_are_named_by_id_or_by_text() {
    let two = ask_two();
    check_all(
        &two,
        json!({ "Which features?": "Auth", " Which database? ": "SQLite" }),
        Ok(&[chosen(&["SQLite"], None), chosen(&["Auth"], None)]),
    );
    check_all(
        &two,
        json!({ "q1": "SQLite", "Which database?": "PostgreSQL" }),
        Err(&["Database is answered twice; answer it once."]),
    );
    check_all(
        &two,
        json!({ "q1": "SQLite", "q3": "Auth" }),
        Err(&["There is no such question: use q1, q2."]),
    );
}

#[test]
fn id_of_a_question_wins_over_the_same_words_as_text() {
    let crossed = parse(
        Dialect::AskUserQuestion,
        &json!({ "questions": [
            { "question": "q2", "options": ["A", "B"] },
            { "question": "q1", "options": ["C", "D"] },
        ]}),
    );
    check_all(
        &crossed,
        json!({ "q1": "A", "q2": "D" }),
        Ok(&[chosen(&["A"], None), chosen(&["D"], None)]),
    );
}

#[test]
fn answers_are_an_object() {
    let sentence = "The answers must be a JSON object with one entry for each question id.";
    for answers in [json!(null), json!("SQLite"), json!(["SQLite"]), json!(1)] {
        check_all(&ask_two(), answers, Err(&[sentence]));
    }
}

#[test]
fn every_misfit_is_reported_at_once() {
    let two = ask_two();
    check_all(
        &two,
        json!({ "q1": ["PostgreSQL", "SQLite"], "q2": { "values": ["Auth", "None of these"] } }),
        Err(&[
            "Database takes one choice only.",
            "Features cannot combine “None of these” with other choices.",
        ]),
    );
    check_all(
        &two,
        json!({ "q1": true, "q2": ["Auth", "None of these"], "q9": 1 }),
        Err(&[
            "Database must be chosen: use `values`, and `own` for own text.",
            "There is no such question: use q1, q2.",
            "Features cannot combine “None of these” with other choices.",
        ]),
    );
    check_all(
        &two,
        json!({ "q1": true }),
        Err(&["Database must be chosen: use `values`, and `own` for own text."]),
    );
}

fn notes(
    inquiry: &Inquiry,
    answers: &Value,
    notes: &Value,
) -> Result<Vec<Option<String>>, Vec<String>> {
    match Answers::from_json(inquiry, answers, Some(notes)) {
        Ok(answers) => Ok(answers
            .iter()
            .map(|answer| answer.note.as_ref().map(Text::to_string))
            .collect()),
        Err(errors) => Err(errors.iter().map(ToString::to_string).collect()),
    }
}

#[test]
fn notes_stand_beside_answers_and_never_in_them() {
    let two = ask_two();
    let answers = json!({ "q1": { "values": ["SQLite"], "note": "for now" } });
    assert_eq!(
        notes(&two, &answers, &json!({ "Which features?": "later\u{7}" })),
        Ok(vec![Some("for now".to_owned()), Some("later␇".to_owned())])
    );
    assert_eq!(
        verdict(&two, &answers, Some(&json!({ "q2": "later" }))),
        Ok(vec![chosen(&["SQLite"], None), AnswerValue::Unanswered])
    );
    assert_eq!(
        notes(&two, &answers, &json!({ "q1": " " })),
        Ok(vec![None, None])
    );
    assert_eq!(
        notes(&two, &answers, &Value::Null),
        Ok(vec![Some("for now".to_owned()), None])
    );
}

#[test]
fn notes_are_bounded_and_belong_to_a_question() {
    let two = ask_two();
    let answers = json!({ "q1": "SQLite" });
    let longest = "ü".repeat(4_000);
    assert_eq!(
        notes(&two, &answers, &json!({ "q1": longest })),
        Ok(vec![Some(longest.clone()), None])
    );
    let refused = |given: Value, sentence: &str| {
        assert_eq!(
            notes(&two, &answers, &given),
            Err(vec![sentence.to_owned()]),
            "{given}"
        );
    };
    refused(
        json!({ "q1": format!("{longest}ü") }),
        "The note on Database must have 4000 characters or fewer.",
    );
    refused(
        json!({ "q7": "whose?" }),
        "There is no such question: use q1, q2.",
    );
    refused(json!({ "q1": 7 }), "Database must be text: use `text`.");
}

#[test]
fn no_misfit_repeats_the_answer() {
    const SECRET: &str = "hunter2";
    let answers = [
        json!(SECRET),
        json!([SECRET, SECRET]),
        json!({ "values": [SECRET] }),
        json!({ "values": ["r", SECRET], "own": SECRET }),
        json!({ "text": SECRET, "skipped": true }),
        json!({ "number": SECRET }),
        json!({ "date": SECRET }),
        json!({ "start": SECRET, "end": SECRET }),
        json!({ SECRET: SECRET }),
        json!({ "note": SECRET.repeat(1_000) }),
    ];
    let inquiries = [
        ask_color(false, false),
        ask_color(true, false),
        ask_text(json!({ "pattern": "^never$" })),
        ask_text(json!({ "max_length": 3 })),
        ask_number(json!({})),
        ask_date(json!({})),
        ask_range(json!({})),
        ask_two(),
    ];
    let mut refused = 0;
    for inquiry in &inquiries {
        for answer in &answers {
            for answers in [json!({ "q1": answer }), json!({ SECRET: answer })] {
                let Err(errors) = Answers::from_json(inquiry, &answers, None) else {
                    continue;
                };
                refused += 1;
                for error in errors {
                    let json = serde_json::to_string(&error).expect("an error serialises");
                    let told = format!("{error} {error:?} {json}");
                    assert!(!told.contains(SECRET), "{told}");
                }
            }
        }
    }
    assert!(refused > 100, "only {refused} of the answers were refused");
}

#[test]
fn misfit_travels_as_a_code_with_its_bound() {
    let replicas = ask_number(json!({ "max": 9 }));
    let errors = Answers::from_json(&replicas, &json!({ "q1": 10 }), None).expect_err("too many");
    assert_eq!(
        serde_json::to_value(&errors).expect("errors serialise"),
        json!([{ "question": "q1", "name": "The answer", "code": "too_large", "max": 9 }])
    );
}

#[test]
fn pattern_is_bounded_in_memory() {
    assert!(compile_pattern("^[a-z]+$").is_some());
    assert!(compile_pattern(r"\w{100}{100}").is_none());
    assert!(compile_pattern("(?=look)ahead").is_none());
    assert!(compile_pattern(r"(a)\1").is_none());
    assert!(compile_pattern("(").is_none());
}
