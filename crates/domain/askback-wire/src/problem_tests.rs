//! Every problem is on the documented list, with its status and title, and none contains an answer.

use std::collections::BTreeSet;

use askback_core::answer::{AnswerError, AnswerProblem};
use askback_core::conversation::rejection::Rejection;
use askback_core::dialect::{Dialect, ParseOptions};
use askback_core::id::InquiryId;
use askback_core::question::QuestionId;
use jiff::Timestamp;
use serde_json::json;

use super::{ProblemCode, ProblemResponse, WinnerResponse};
use crate::inquiry::InquiryStatus;
use crate::outcome::OutcomeResponse;

/// The documentation, of which one table is the list.
const DOCUMENTATION: &str = include_str!("../../../../docs/http-api.md");

#[test]
fn documentation_lists_exactly_the_codes_there_are() {
    let rows: Vec<&str> = DOCUMENTATION
        .lines()
        .skip_while(|line| !line.starts_with("| code | status |"))
        .skip(2)
        .take_while(|line| line.starts_with('|'))
        .collect();
    let listed: Vec<String> = rows
        .iter()
        .map(|row| row.split(" | ").take(3).collect::<Vec<_>>().join(" | "))
        .collect();
    let known: Vec<String> = ProblemCode::ALL
        .iter()
        .map(|code| {
            format!(
                "| `{}` | {} | {}",
                code.as_str(),
                code.status(),
                code.title()
            )
        })
        .collect();
    assert_eq!(listed, known);
}

#[test]
fn codes_are_unique_and_read_back() {
    let words: BTreeSet<&str> = ProblemCode::ALL.iter().map(|code| code.as_str()).collect();
    assert_eq!(words.len(), ProblemCode::ALL.len());
    for code in ProblemCode::ALL {
        assert_eq!(ProblemCode::from_code(code.as_str()), Some(*code));
        assert!((400..600).contains(&code.status()));
    }
    assert_eq!(ProblemCode::from_code("out_of_coffee"), None);
}

#[test]
fn rejections_of_the_core_keep_their_code() {
    let rejections = [
        Rejection::NotPending,
        Rejection::StaleInquiry,
        Rejection::SeveralPending,
        Rejection::InvalidAnswer(Vec::new()),
        Rejection::AwaitingUserResponse,
        Rejection::Busy,
        Rejection::DuplicateMessage,
        Rejection::InvalidMessage,
        Rejection::NothingToStop,
        Rejection::StaleReport,
        Rejection::WrongDriver { driver: "somebody" },
        Rejection::TooManyPending,
        Rejection::TooMuchPending,
        Rejection::Undeliverable("No.".to_owned()),
        Rejection::SameRecipient,
        Rejection::DeadlinePassed,
        Rejection::NotExpired { expires_at: None },
        Rejection::Expired {
            inquiry: InquiryId::new("inq_1"),
            at: Timestamp::UNIX_EPOCH,
        },
    ];
    for rejection in rejections {
        let problem = ProblemResponse::from(&rejection);
        assert_eq!(problem.code, rejection.code());
        assert_eq!(problem.known_code(), Some(ProblemCode::from(&rejection)));
    }
}

#[test]
fn wrong_state_is_a_conflict() {
    assert_eq!(ProblemResponse::from(Rejection::NotPending).status, 409);
}

#[test]
fn answer_that_does_not_fit_names_the_question_and_the_reason() {
    let error = AnswerError {
        question: Some(QuestionId::at(0)),
        name: "Amount".to_owned(),
        problem: AnswerProblem::TooLong { max: 5 },
        message: None,
    };
    let problem = ProblemResponse::from(Rejection::InvalidAnswer(vec![error]));
    assert_eq!(
        serde_json::to_value(problem).unwrap(),
        json!({
            "type": "urn:askback:problem:invalid_answer",
            "title": "The answer is invalid",
            "status": 422,
            "code": "invalid_answer",
            "detail": "Amount must have 5 characters or fewer.",
            "errors": [{
                "question": "q1",
                "code": "too_long",
                "message": "Amount must have 5 characters or fewer.",
            }],
        })
    );
}

#[test]
fn refused_input_says_what_to_send_instead() {
    let error = Dialect::Question
        .parse(&json!({"options": []}), ParseOptions::default())
        .unwrap_err();
    let problem = ProblemResponse::from(&error);
    assert_eq!(problem.known_code(), Some(ProblemCode::InvalidInput));
    assert_eq!(problem.detail, error.to_string());
    assert_eq!(problem.problems.len(), error.problems().len());
    assert!(
        problem
            .problems
            .iter()
            .all(|problem| !problem.code.is_empty())
    );
}

#[test]
fn problem_of_a_newer_version_is_read_and_printed() {
    let json = json!({"status": 418, "code": "teapot", "detail": "Short and stout.", "more": 1});
    let problem: ProblemResponse = serde_json::from_value(json).unwrap();
    assert_eq!(problem.known_code(), None);
    assert_eq!(problem.to_string(), "Short and stout.");
}

#[test]
fn debug_output_of_a_problem_has_no_answer() {
    let mut problem = ProblemResponse::from(Rejection::NotPending);
    problem.winner = Some(WinnerResponse {
        inquiry_id: InquiryId::new("inq_1"),
        status: InquiryStatus::Superseded,
        outcome: Some(OutcomeResponse::Superseded {
            message: "hunter2".to_owned(),
        }),
        answered_by: None,
        surface: None,
        at: None,
    });
    assert!(!format!("{problem:?} {problem}").contains("hunter2"));
    assert!(serde_json::to_string(&problem).unwrap().contains("hunter2"));
}
