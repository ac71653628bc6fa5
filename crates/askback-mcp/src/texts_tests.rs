//! Goal: rewording a text for the model cannot drop a rule that it must state.

use super::*;

#[track_caller]
fn assert_contains(text: &str, required: &[&str]) {
    let lower = text.to_lowercase();
    for words in required {
        assert!(
            lower.contains(&words.to_lowercase()),
            "{words:?} in: {text}"
        );
    }
}

#[test]
fn instructions_name_the_tools_and_the_rules_of_waiting() {
    for dialects in [&[Dialect::AskUserQuestion][..], &Dialect::ALL] {
        let text = instructions(dialects);
        for dialect in dialects {
            assert_contains(&text, &[dialect.name(), dialect.guidance()]);
        }
        assert_contains(
            &text,
            &[
                "minutes or days",
                "\"pending\" is not an answer",
                "stays open",
                "wait_for_answer with its question_id",
                "never ask a pending question again",
                "never choose for the user",
                "end your turn",
                "next call of any askback tool",
                "list_questions when you continue after a pause",
                "withdraw_question",
            ],
        );
    }
}

#[test]
fn tool_descriptions_say_what_to_pass_and_what_comes_back() {
    assert_contains(
        WAIT_FOR_ANSWER,
        &[
            "question_id",
            "\"pending\"",
            "without question_id",
            "only open question",
        ],
    );
    assert_contains(
        RECENTLY_DELIVERED,
        &[
            "were sent",
            "timed out",
            "wait_for_answer",
            "do not ask it again",
        ],
    );
    assert_contains(
        LIST_QUESTIONS,
        &["open questions", "answers that arrived", "after a pause"],
    );
    assert_contains(
        WITHDRAW_QUESTION,
        &[
            "no longer matters",
            "already answered",
            "the answer is returned instead",
        ],
    );
    assert_contains(
        BACKGROUND,
        &[
            "without waiting",
            "question_id at once",
            "later call of any askback tool",
            "change course",
            "requires assumption",
        ],
    );
    assert_contains(
        ASSUMPTION,
        &[
            "required with background",
            "one sentence",
            "to the user",
            "in their language",
            "example",
        ],
    );
}

#[test]
fn a_missing_assumption_says_that_nothing_was_asked_and_how_to_repair_the_call() {
    assert_contains(
        ASSUMPTION_MISSING,
        &[
            "was not asked",
            "requires assumption",
            "call again with assumption",
            "or without background",
        ],
    );
}

#[test]
fn hints_say_what_to_do_next_and_forbid_asking_twice_and_guessing() {
    for hint in [KEEP_WAITING, END_TURN] {
        assert_contains(
            hint,
            &[
                "has not answered yet",
                "stays open",
                "do not ask it again",
                "do not choose for the user",
            ],
        );
    }
    assert_contains(
        KEEP_WAITING,
        &["call wait_for_answer with this question_id"],
    );
    assert_contains(
        END_TURN,
        &[
            "stop waiting",
            "does not depend on the answer",
            "tell the user",
            "end your turn",
            "next call of any askback tool",
        ],
    );
    assert!(!END_TURN.contains("wait_for_answer"));
    assert_contains(
        CONTINUE_ON_ASSUMPTION,
        &[
            "user sees your assumption",
            "continue with it now",
            "next call of any askback tool",
            "change course",
            "wait_for_answer with this question_id",
        ],
    );
}

#[test]
fn outcomes_without_an_answer_say_that_nothing_was_chosen() {
    assert_contains(
        STOPPED,
        &[
            "nothing was chosen",
            "stop here",
            "do not ask again",
            "depends on the answer",
        ],
    );
    assert_contains(
        NOTHING_CHOSEN,
        &["none of the questions", "nothing was chosen"],
    );
    assert_contains(
        NO_OPEN_QUESTION,
        &["no open question", "part of this result"],
    );
    assert_contains(ALREADY_DELIVERED, &["delivered to you before"]);
}
