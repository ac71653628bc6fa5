//! Choices: named by value or label, alone or several, with own text.

use super::*;

#[test]
fn choice_is_named_by_value_or_by_label() {
    let color = ask_color(false, false);
    for answer in [
        json!("g"),
        json!("Green"),
        json!(" Green "),
        json!("green"),
        json!("2"),
        json!(2),
        json!([2]),
        json!("2. Green"),
        json!(["g"]),
        json!(["Green"]),
        json!({ "values": ["g"] }),
        json!({ "values": ["Green"] }),
    ] {
        check(&color, answer, Ok(chosen(&["g"], None)));
    }
}

#[test]
fn choice_that_is_not_offered_is_refused() {
    let color = ask_color(false, false);
    check(&color, json!("Mauve"), Err(NO_SUCH_COLOR));
    check(&color, json!("4"), Err(NO_SUCH_COLOR));
    check(&color, json!(["Mauve"]), Err(NO_SUCH_COLOR));
    check(&color, json!({ "values": ["Mauve"] }), Err(NO_SUCH_COLOR));
    check(&color, json!({ "own": "Mauve" }), Err(NO_SUCH_COLOR));
    check(
        &color,
        json!({ "values": ["r"], "own": "Mauve" }),
        Err(NO_SUCH_COLOR),
    );
}

#[test]
fn one_choice_is_not_several() {
    let color = ask_color(false, true);
    let sentence = "The answer takes one choice only.";
    check(&color, json!(["Red", "Blue"]), Err(sentence));
    check(&color, json!({ "values": ["r", "b"] }), Err(sentence));
    check(
        &color,
        json!({ "values": ["r", "b"], "own": "both" }),
        Err(sentence),
    );
    check(&color, json!(["Red", "r"]), Ok(chosen(&["r"], None)));
}

#[test]
fn own_text_replaces_a_single_choice() {
    let color = ask_color(false, true);
    check(&color, json!("Mauve"), Ok(chosen(&[], Some("Mauve"))));
    check(
        &color,
        json!({ "own": "Mauve" }),
        Ok(chosen(&[], Some("Mauve"))),
    );
    check(
        &color,
        json!({ "values": ["r"], "own": "a dark one" }),
        Ok(chosen(&[], Some("a dark one"))),
    );
    check(
        &color,
        json!({ "values": ["r"], "own": "  " }),
        Ok(chosen(&["r"], None)),
    );
}

/// Whoever types the label of a choice means that choice, however they write it.
#[test]
fn own_text_that_is_a_label_is_that_choice() {
    for other in ["Red", " red\n", "RED", "R"] {
        check(
            &ask_color(false, true),
            json!({ "values": ["b"], "own": other }),
            Ok(chosen(&["r"], None)),
        );
        check(
            &ask_color(true, true),
            json!({ "values": ["b"], "own": other }),
            Ok(chosen(&["r", "b"], None)),
        );
    }
    check(
        &ask_color(false, true),
        json!({ "own": "reddish" }),
        Ok(chosen(&[], Some("reddish"))),
    );
}

#[test]
fn own_text_stands_beside_several_choices() {
    let color = ask_color(true, true);
    check(
        &color,
        json!({ "values": ["b", "Red"], "own": "Mauve" }),
        Ok(chosen(&["r", "b"], Some("Mauve"))),
    );
    check(
        &color,
        json!(["Blue", "Mauve", "Red", "Teal"]),
        Ok(chosen(&["r", "b"], Some("Mauve\nTeal"))),
    );
}

#[test]
fn chosen_values_stand_in_the_order_of_the_question_and_once() {
    let color = ask_color(true, false);
    check(
        &color,
        json!(["b", "g", "Blue", "r"]),
        Ok(chosen(&["r", "g", "b"], None)),
    );
}

#[test]
fn text_for_several_choices_is_a_label_or_a_list_or_own_text() {
    let color = ask_color(true, true);
    check(&color, json!("Green"), Ok(chosen(&["g"], None)));
    check(&color, json!("Red, Blue"), Ok(chosen(&["r", "b"], None)));
    check(&color, json!("b,Red"), Ok(chosen(&["r", "b"], None)));
    check(
        &color,
        json!(" Red ,  Blue , "),
        Ok(chosen(&["r", "b"], None)),
    );
    check(&color, json!("Red, Red"), Ok(chosen(&["r"], None)));
    check(
        &color,
        json!("Red, Mauve"),
        Ok(chosen(&["r"], Some("Mauve"))),
    );
    check(
        &color,
        json!("Red and Blue"),
        Ok(chosen(&[], Some("Red and Blue"))),
    );
    check(
        &color,
        json!("Reddish, Blue"),
        Ok(chosen(&[], Some("Reddish, Blue"))),
    );
    check(&color, json!(", "), Err(NO_SUCH_COLOR));
}

#[test]
fn list_of_labels_is_refused_where_one_of_them_is_wrong_and_own_text_is_off() {
    let color = ask_color(true, false);
    check(&color, json!("Red, Blue"), Ok(chosen(&["r", "b"], None)));
    check(&color, json!("Red, Mauve"), Err(NO_SUCH_COLOR));
}

#[test]
fn labels_may_hold_commas() {
    let fruit = ask(json!({
        "input_type": "multi_select",
        "allow_other": true,
        "options": ["Salt", "Salt, pepper", "Pepper", "Oil, vinegar, salt"],
    }));
    check(
        &fruit,
        json!("Salt, pepper"),
        Ok(chosen(&["Salt, pepper"], None)),
    );
    check(
        &fruit,
        json!("Salt, Pepper"),
        Ok(chosen(&["Salt", "Pepper"], None)),
    );
    check(
        &fruit,
        json!("Salt, pepper, Salt"),
        Ok(chosen(&["Salt", "Salt, pepper"], None)),
    );
    check(
        &fruit,
        json!("Oil, vinegar, salt, Pepper"),
        Ok(chosen(&["Pepper", "Oil, vinegar, salt"], None)),
    );
    check(
        &fruit,
        json!("Oil, vinegar"),
        Ok(chosen(&[], Some("Oil, vinegar"))),
    );
    check(
        &fruit,
        json!(["Salt, pepper", "Pepper"]),
        Ok(chosen(&["Salt, pepper", "Pepper"], None)),
    );
}

#[test]
fn list_that_could_be_split_in_many_ways_is_read_at_once() {
    // Labels "a", "a,a", "a,a,a" … could be tried in any order: there are 20! of them.
    let labels: Vec<String> = (1..=20).map(|count| vec!["a"; count].join(",")).collect();
    let many = ask(json!({
        "input_type": "multi_select",
        "allow_other": true,
        "options": labels,
    }));
    let list = format!("{},x", vec!["a"; 400].join(","));
    let longest = labels.last().expect("twenty").as_str();
    check(&many, json!(list), Ok(chosen(&[longest], Some("x"))));
}

#[test]
fn advised_choice_is_named_with_and_without_its_badge() {
    let two = ask_two();
    for name in [
        "PostgreSQL",
        "PostgreSQL (Recommended)",
        "PostgreSQL (recommended)",
    ] {
        check_all(
            &two,
            json!({ "q1": name, "q2": "Auth" }),
            Ok(&[chosen(&["PostgreSQL"], None), chosen(&["Auth"], None)]),
        );
    }
    check_all(
        &two,
        json!({ "q1": "SQLite (Recommended)", "q2": "Auth" }),
        Ok(&[
            chosen(&[], Some("SQLite (Recommended)")),
            chosen(&["Auth"], None),
        ]),
    );
}

/// A dialect that keeps the badge in its label is answered without it as well; the choice is taken,
/// not mistaken for own text, and its stored label comes back. A choice of the bare name goes first.
#[test]
fn label_that_keeps_its_badge_is_named_without_it() {
    let options = |labels: &[&str]| {
        let input = json!({ "questions": [{ "question": "Which?", "options": labels }] });
        parse(Dialect::AskUserQuestion, &input)
    };
    let advised = options(&["PostgreSQL (Recommended)", "SQLite"]);
    let stored = chosen(&["PostgreSQL (Recommended)"], None);
    check(&advised, json!("PostgreSQL"), Ok(stored.clone()));
    check(&advised, json!({ "values": ["PostgreSQL"] }), Ok(stored));
    let both = options(&["Plan (Recommended)", "Plan"]);
    check(&both, json!("Plan"), Ok(chosen(&["Plan"], None)));
}

#[test]
fn none_of_these_excludes_all_else() {
    let two = ask_two();
    let given = |answer: Value| json!({ "q1": "SQLite", "q2": answer });
    check_all(
        &two,
        given(json!("None of these")),
        Ok(&[chosen(&["SQLite"], None), chosen(&["None of these"], None)]),
    );
    let sentence = "Features cannot combine “None of these” with other choices.";
    check_all(&two, given(json!("Auth, None of these")), Err(&[sentence]));
    check_all(
        &two,
        given(json!({ "values": ["None of these"], "own": "Billing" })),
        Err(&[sentence]),
    );
}

#[test]
fn numbers_name_choices_that_are_written_as_numbers() {
    let count = ask(json!({ "input_type": "multi_select", "options": [1, 2, 3] }));
    check(&count, json!(2), Ok(chosen(&["2"], None)));
    check(&count, json!([3, "1"]), Ok(chosen(&["1", "3"], None)));
}

/// Two choices where one is taken are refused, also next to own words that name one of them.
#[test]
fn own_words_do_not_decide_between_two_choices() {
    let answers = json!({"q1": {"values": ["r", "g"], "own": "Green"}});
    let refused = Answers::from_json(&ask_color(false, true), &answers, None);
    let problems = refused.expect_err("it takes one");
    assert_eq!(problems[0].problem, AnswerProblem::OneChoiceOnly);
}
