//! A draft answers only what the respondent did, and nothing they typed is lost on the way.

use jiff::civil::date;
use serde_json::{Value, json};

use super::{Draft, DraftField, DraftPage, Edit, EditResult, FocusMove, Nudge};
use crate::answer::{AnswerProblem, AnswerValue};
use crate::dialect::{Dialect, ParseOptions};
use crate::input_parser::InputParser;
use crate::inquiry::Inquiry;
use crate::number::{DecimalMark, Number};
use crate::text::{Lines, Text};

fn inquiry(dialect: Dialect, input: &Value) -> Inquiry {
    dialect
        .parse(input, ParseOptions::default())
        .unwrap()
        .inquiry
}

fn single() -> Inquiry {
    let input = json!({"questions": [{"question": "Which?", "options": ["A", "B"]}]});
    inquiry(Dialect::AskUserQuestion, &input)
}

fn several() -> Inquiry {
    let options = ["A", "B", "None of these"];
    let input =
        json!({"questions": [{"question": "Which?", "options": options, "multiSelect": true}]});
    inquiry(Dialect::AskUserQuestion, &input)
}

fn three() -> Inquiry {
    let question = |text: &str| json!({"question": text, "options": ["A", "B"]});
    let input = json!({"questions": [question("One?"), question("Two?"), question("Three?")]});
    inquiry(Dialect::AskUserQuestion, &input)
}

fn typed(input_type: &str, validation: &Value) -> Inquiry {
    let input = json!({"question": "What?", "input_type": input_type, "validation": validation});
    inquiry(Dialect::AskUser, &input)
}

fn parser() -> InputParser {
    InputParser::english(date(2027, 3, 26))
}

/// Runs edits from a fresh draft.
fn run(inquiry: &Inquiry, edits: &[Edit]) -> EditResult {
    let start = EditResult {
        draft: Draft::new(inquiry),
        sent: None,
    };
    edits.iter().fold(start, |step, edit| {
        assert_eq!(
            step.sent, None,
            "an edit follows answers that were sent already"
        );
        step.draft.reduce(inquiry, edit, &parser())
    })
}

/// What was sent, by question.
fn given(step: &EditResult) -> Vec<AnswerValue> {
    let answers = step.sent.as_ref().expect("the edits send the answers");
    answers.iter().map(|answer| answer.given.clone()).collect()
}

fn chosen(values: &[&str], own: Option<&str>) -> AnswerValue {
    let text = |text: &str| Text::clean(text, Lines::Many).unwrap();
    AnswerValue::Chosen {
        values: values.iter().map(|value| text(value)).collect(),
        own: own.map(text),
    }
}

fn write(field: DraftField, text: &str) -> Edit {
    Edit::Write {
        field,
        text: text.to_owned(),
    }
}

const DOWN: Edit = Edit::Move {
    to: FocusMove::By(1),
};
const MARK: Edit = Edit::Mark { row: None };

/// The first row has the focus and no row a tick, so that nothing is answered by looking.
#[test]
fn nothing_is_ticked_before_an_edit_says_so() {
    for inquiry in [single(), several(), three()] {
        let draft = Draft::new(&inquiry);
        let open: Vec<usize> = (0..inquiry.questions().len()).collect();
        assert_eq!(draft.unanswered(&inquiry), open);
        let looked = run(
            &inquiry,
            &[
                DOWN,
                DOWN,
                Edit::Move {
                    to: FocusMove::First,
                },
            ],
        )
        .draft;
        assert_eq!(
            looked.unanswered(&inquiry),
            open,
            "moving the focus answers nothing"
        );
    }
}

/// Marking a single choice sends nothing; confirming sends exactly the focused one.
#[test]
fn single_choice_is_sent_by_confirming_only() {
    let marked = run(&single(), &[DOWN, MARK]);
    assert_eq!(marked.sent, None);
    assert!(marked.draft.entries[0].is_ticked(&single().questions()[0], 1));
    assert_eq!(
        given(&run(&single(), &[DOWN, Edit::Confirm])),
        [chosen(&["B"], None)]
    );
    assert_eq!(
        given(&run(&single(), &[Edit::Pick { row: 0 }])),
        [chosen(&["A"], None)]
    );
}

/// Confirming with nothing ticked ticks the focused row and stays; twice sends exactly that one.
#[test]
fn several_choices_need_a_tick_before_they_are_sent() {
    let once = run(&several(), &[DOWN, Edit::Confirm]);
    assert_eq!(once.sent, None);
    assert_eq!(
        given(&run(&several(), &[DOWN, Edit::Confirm, Edit::Confirm])),
        [chosen(&["B"], None)]
    );
    let both = [MARK, DOWN, MARK, Edit::Confirm];
    assert_eq!(given(&run(&several(), &both)), [chosen(&["A", "B"], None)]);
    let turned_back = [MARK, MARK, DOWN, MARK, Edit::Confirm];
    assert_eq!(
        given(&run(&several(), &turned_back)),
        [chosen(&["B"], None)]
    );
}

/// All and invert leave the exclusive choice and own text alone.
#[test]
fn all_and_invert_spare_none_and_own_text() {
    let all = run(&several(), &[Edit::MarkAll]).draft;
    assert_eq!(all.entries[0].picked.len(), 2);
    assert!(!all.entries[0].own_ticked);
    assert_eq!(
        run(&several(), &[Edit::MarkAll, Edit::Invert])
            .draft
            .entries[0]
            .picked
            .len(),
        0
    );
}

/// "None of these" clears the others, and any other clears it.
#[test]
fn exclusive_choice_and_the_others_clear_each_other() {
    let none = [MARK, Edit::Mark { row: Some(2) }, Edit::Confirm];
    assert_eq!(
        given(&run(&several(), &none)),
        [chosen(&["None of these"], None)]
    );
    let other = [
        Edit::Mark { row: Some(2) },
        Edit::Mark { row: Some(0) },
        Edit::Confirm,
    ];
    assert_eq!(given(&run(&several(), &other)), [chosen(&["A"], None)]);
    let own = [
        Edit::Mark { row: Some(2) },
        write(DraftField::Own, "mine"),
        Edit::Confirm,
    ];
    assert_eq!(given(&run(&several(), &own)), [chosen(&[], Some("mine"))]);
}

/// Own text replaces a single choice, stands beside several, and digits in it are text.
#[test]
fn own_text_is_sent_as_it_was_typed() {
    let own = [
        MARK,
        Edit::Open {
            field: DraftField::Own,
        },
        write(DraftField::Own, "15:00"),
        Edit::Confirm,
    ];
    assert_eq!(given(&run(&single(), &own)), [chosen(&[], Some("15:00"))]);
    assert_eq!(
        given(&run(&several(), &own)),
        [chosen(&["A"], Some("15:00"))]
    );
}

/// Text typed before another choice was taken is kept in the draft, but not sent.
#[test]
fn own_text_of_an_earlier_mind_is_not_sent() {
    let edits = [
        write(DraftField::Own, "mine"),
        Edit::Close,
        Edit::Mark { row: Some(0) },
    ];
    let changed = run(&single(), &edits).draft;
    assert_eq!(changed.entries[0].own, "mine", "nothing typed is lost");
    let sent = changed.reduce(&single(), &Edit::Send, &parser());
    assert_eq!(given(&sent), [chosen(&["A"], None)]);
}

/// Sending sends what is ticked, wherever the focus is, and refuses where nothing is.
#[test]
fn sending_never_takes_what_is_merely_in_focus() {
    assert_eq!(
        given(&run(&single(), &[MARK, DOWN, Edit::Send])),
        [chosen(&["A"], None)]
    );
    let refused = run(&single(), &[DOWN, Edit::Send]);
    assert_eq!(refused.sent, None);
    assert_eq!(
        refused.draft.problem.map(|error| error.problem),
        Some(AnswerProblem::Empty)
    );
}

/// Ticking the row of own text twice leaves it unticked, with its text kept.
#[test]
fn own_text_is_toggled_once_for_each_mark() {
    let row = Edit::Mark { row: Some(3) };
    let on = run(&several(), &[write(DraftField::Own, "mine"), Edit::Close]).draft;
    assert!(on.entries[0].own_ticked);
    let off = on.reduce(&several(), &row, &parser()).draft;
    assert!(!off.entries[0].own_ticked);
    assert_eq!(off.entries[0].own, "mine");
}

/// Confirming an empty field says so and sends nothing.
#[test]
fn empty_answers_are_refused_where_they_are_typed() {
    let own = run(
        &single(),
        &[
            Edit::Open {
                field: DraftField::Own,
            },
            Edit::Confirm,
        ],
    );
    assert_eq!(
        own.draft.problem.map(|error| error.problem),
        Some(AnswerProblem::Empty)
    );
    let text = typed("text", &json!({}));
    let step = run(&text, &[write(DraftField::Answer, "   "), Edit::Confirm]);
    assert_eq!(step.sent, None);
    assert_eq!(
        step.draft.problem.map(|error| error.problem),
        Some(AnswerProblem::Empty)
    );
    assert_eq!(
        step.draft.entries[0].typed, "   ",
        "the field keeps what was typed"
    );
}

/// A refused number keeps its text, and the next edit takes the message away.
#[test]
fn refused_input_is_kept_and_the_message_goes_with_the_next_edit() {
    let number = typed("number", &json!({"min": 1, "max": 9, "integer": true}));
    let refused = run(&number, &[write(DraftField::Answer, "12"), Edit::Confirm]).draft;
    let problem = refused.problem.as_ref().map(|error| error.problem.clone());
    assert_eq!(
        problem,
        Some(serde_json::from_value(json!({"code": "too_large", "max": 9})).unwrap())
    );
    assert_eq!(refused.entries[0].typed, "12");
    let step = refused.reduce(&number, &write(DraftField::Answer, "7"), &parser());
    assert_eq!(step.draft.problem, None);
    let sent = step.draft.reduce(&number, &Edit::Confirm, &parser());
    assert_eq!(
        given(&sent),
        [AnswerValue::Number {
            number: Number::Whole(7)
        }]
    );
}

/// Numbers follow the reader's decimal mark.
#[test]
fn numbers_are_read_with_the_readers_decimal_mark() {
    let number = typed("number", &json!({}));
    let german = InputParser {
        decimal: DecimalMark::Comma,
        ..parser()
    };
    let draft = run(&number, &[write(DraftField::Answer, "3,5")]).draft;
    let sent = draft.reduce(&number, &Edit::Confirm, &german);
    assert_eq!(
        given(&sent),
        [AnswerValue::Number {
            number: Number::Real(3.5)
        }]
    );
    // It could be 1500, so it is not sent as 1.5.
    let draft_of_two = run(&number, &[write(DraftField::Answer, "1.500")]).draft;
    let refused = draft_of_two.reduce(&number, &Edit::Confirm, &german);
    assert_eq!(refused.sent, None);
    let refused = draft.reduce(&number, &Edit::Confirm, &parser());
    assert_eq!(
        refused.draft.problem.map(|error| error.problem),
        Some(AnswerProblem::NotANumber)
    );
}

/// Stepping a number stays within its bounds and on its grid.
#[test]
fn nudging_a_number_stays_within_its_bounds() {
    let number = typed("number", &json!({"min": 1, "max": 9}));
    let nudge = |by| Edit::Nudge { by };
    let typed_after = |edits: &[Edit]| run(&number, edits).draft.entries[0].typed.clone();
    assert_eq!(
        typed_after(&[nudge(Nudge::Steps(1))]),
        "1",
        "an empty field begins at the bottom"
    );
    assert_eq!(
        typed_after(&[write(DraftField::Answer, "3"), nudge(Nudge::Steps(1))]),
        "4"
    );
    assert_eq!(
        typed_after(&[write(DraftField::Answer, "3"), nudge(Nudge::Months(1))]),
        "9"
    );
    assert_eq!(
        typed_after(&[write(DraftField::Answer, "3"), nudge(Nudge::Months(-1))]),
        "1"
    );
    assert_eq!(
        typed_after(&[write(DraftField::Answer, "x"), nudge(Nudge::Steps(1))]),
        "x"
    );
}

/// A typed day is sent as ISO, and stepping moves it by days, months and years.
#[test]
fn days_are_typed_stepped_and_sent_as_iso() {
    let day = typed("date", &json!({}));
    let sent = |edits: &[Edit]| given(&run(&day, edits));
    let iso = |date: &str| {
        let date = date.parse().unwrap();
        vec![AnswerValue::Date { date }]
    };
    assert_eq!(
        sent(&[write(DraftField::Answer, "27 mar 2027"), Edit::Confirm]),
        iso("2027-03-27")
    );
    let nudge = |by| Edit::Nudge { by };
    assert_eq!(
        sent(&[nudge(Nudge::Today), nudge(Nudge::Steps(7)), Edit::Confirm]),
        iso("2027-04-02")
    );
    let month_end = [
        write(DraftField::Answer, "2027-01-31"),
        nudge(Nudge::Months(1)),
        Edit::Confirm,
    ];
    assert_eq!(
        sent(&month_end),
        iso("2027-02-28"),
        "the end of a month stays within the month"
    );
}

/// A range goes from its first to its last day, and only sending refuses a reversed one.
#[test]
fn reversed_range_is_refused_on_sending_only() {
    let range = typed("date_range", &json!({}));
    let edits = [
        write(DraftField::Answer, "2027-03-12"),
        Edit::Confirm,
        write(DraftField::End, "2027-03-08"),
    ];
    let typed = run(&range, &edits).draft;
    assert_eq!(typed.problem, None);
    let refused = typed.reduce(&range, &Edit::Confirm, &parser());
    assert_eq!(refused.sent, None);
    assert_eq!(
        refused.draft.problem.map(|error| error.problem),
        Some(AnswerProblem::EndBeforeStart)
    );
}

/// Both days in the first field are put where they belong, so that they are seen before they are sent.
#[test]
fn range_typed_into_the_first_field_is_split_and_confirmed_once_more() {
    let range = typed("date_range", &json!({}));
    let edits = [
        write(DraftField::Answer, "1 apr 2027 to 3 apr 2027"),
        Edit::Confirm,
    ];
    let split = run(&range, &edits);
    assert_eq!(split.sent, None);
    let entry = &split.draft.entries[0];
    assert_eq!(
        (entry.typed.as_str(), entry.typed_end.as_str()),
        ("2027-04-01", "2027-04-03")
    );
    assert!(
        split
            .draft
            .reduce(&range, &Edit::Confirm, &parser())
            .sent
            .is_some()
    );
}

/// Several questions end in a review whose focus is on what is still open.
#[test]
fn review_comes_last_and_points_at_what_is_open() {
    let answered = run(&three(), &[Edit::Confirm, Edit::NextPage, Edit::Confirm]).draft;
    assert_eq!(answered.page, DraftPage::Review);
    assert_eq!(
        (answered.review_focus, answered.unanswered(&three())),
        (1, vec![1])
    );
    let reopened = answered.reduce(&three(), &Edit::Confirm, &parser()).draft;
    assert_eq!(reopened.page, DraftPage::Question(1));
    let back = reopened.reduce(&three(), &Edit::Confirm, &parser()).draft;
    assert_eq!(
        back.page,
        DraftPage::Review,
        "a question opened from the review leads back there"
    );
    assert_eq!(
        back.review_focus, 3,
        "with nothing open the focus is on sending"
    );
    let sent = back.reduce(&three(), &Edit::Confirm, &parser());
    assert_eq!(given(&sent), vec![chosen(&["A"], None); 3]);
}

/// A partial send names what is unanswered; it never becomes an empty answer.
#[test]
fn partial_answers_name_what_is_open() {
    let edits = [
        Edit::Pick { row: 1 },
        Edit::Skip,
        Edit::GoTo { page: 3 },
        Edit::Send,
    ];
    assert_eq!(
        given(&run(&three(), &edits)),
        [
            chosen(&["B"], None),
            AnswerValue::Skipped,
            AnswerValue::Unanswered
        ]
    );
}

/// Sending early shows the review first while something is open.
#[test]
fn sending_early_goes_through_the_review() {
    let early = run(&three(), &[Edit::Pick { row: 0 }, Edit::Send]);
    assert_eq!((early.sent, early.draft.page), (None, DraftPage::Review));
    let nothing = run(&three(), &[Edit::Send, Edit::Send]);
    assert_eq!(nothing.sent, None, "nothing at all is not an answer");
    let problem = nothing.draft.problem.map(|error| error.problem);
    assert_eq!(problem, Some(AnswerProblem::NothingAnswered));
}

/// What cannot be skipped says so; an answer takes a skip back.
#[test]
fn skipping_follows_the_question() {
    let refused = run(&single(), &[Edit::Skip]);
    assert_eq!(
        refused.draft.problem.map(|error| error.problem),
        Some(AnswerProblem::CannotSkip)
    );
    let back = run(&three(), &[Edit::Skip, Edit::PreviousPage, MARK]).draft;
    assert!(!back.entries[0].skipped);
    let input = json!({"question": "Which?", "input_type": "text", "allow_skip": true});
    let optional = inquiry(Dialect::AskUser, &input);
    assert_eq!(
        given(&run(&optional, &[Edit::Skip])),
        [AnswerValue::Skipped]
    );
}

/// A note is a datum of its own: it is never mixed into the answer, and alone it is none.
#[test]
fn note_travels_beside_the_answer() {
    let edits = [
        Edit::Open {
            field: DraftField::Note,
        },
        write(DraftField::Note, "keep JWT for CI"),
        Edit::Confirm,
        Edit::Confirm,
    ];
    let step = run(&single(), &edits);
    assert_eq!(given(&step), [chosen(&["A"], None)]);
    let notes: Vec<_> = step
        .sent
        .iter()
        .flat_map(crate::answer::Answers::iter)
        .map(|a| a.note.clone())
        .collect();
    assert_eq!(
        notes,
        [crate::text::Text::clean(
            "keep JWT for CI",
            crate::text::Lines::Many
        )]
    );
    let alone = run(&single(), &edits[..2]).draft;
    assert_eq!(alone.unanswered(&single()), [0]);
}

/// A stored draft comes back whole; one that belongs to another question is made to fit.
#[test]
fn stored_draft_comes_back_and_a_strange_one_is_made_to_fit() {
    let draft = run(
        &several(),
        &[MARK, write(DraftField::Own, "half an ans"), DOWN],
    )
    .draft;
    let stored = serde_json::to_string(&draft).unwrap();
    let restored = Draft::restore(&several(), serde_json::from_str(&stored).unwrap());
    assert_eq!(restored, draft);
    let elsewhere = Draft::restore(&three(), serde_json::from_str(&stored).unwrap());
    assert_eq!(elsewhere.entries.len(), 3);
    assert_eq!(
        elsewhere.entries[0].picked.len(),
        0,
        "own text stands instead of a single choice"
    );
    let hostile = json!({"page": {"question": 99}, "entries": [{"focus": 99, "picked": ["zzz"],
        "skipped": true, "own": "x".repeat(200_000), "field": "answer"}], "review_focus": 99});
    let fitted = Draft::restore(&single(), serde_json::from_value(hostile).unwrap());
    assert_eq!(fitted.page, DraftPage::Question(0));
    assert_eq!(
        (fitted.entries[0].focus, fitted.entries[0].skipped),
        (2, false)
    );
    assert_eq!(
        fitted.entries[0].own.chars().count(),
        crate::limits::DRAFT_FIELD_CHARS_MAX
    );
    assert_eq!(
        (fitted.entries[0].picked.len(), fitted.entries[0].field),
        (0, None)
    );
}

#[path = "draft_tests/own_text_and_skip_tests.rs"]
mod own_text_and_skip;
