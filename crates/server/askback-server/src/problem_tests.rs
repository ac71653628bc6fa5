//! The problems that clients get when the store fails.

use super::*;

fn told(error: StoreError) -> (StatusCode, String, Option<HeaderValue>) {
    let problem = Problem::from(error);
    let (code, detail) = (problem.0.code.clone(), problem.0.detail.clone());
    assert!(!detail.is_empty(), "{code} says what to do");
    let response = problem.into_response();
    let retry = response.headers().get(header::RETRY_AFTER).cloned();
    (response.status(), format!("{code}: {detail}"), retry)
}

/// "nothing was written" is only said if that is certain.
#[test]
fn a_commit_of_unknown_result_is_not_reported_as_unwritten() {
    let (status, sentence, retry) = told(StoreError::CommitUnknown("fsync".to_owned()));
    assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE);
    assert!(sentence.starts_with("commit_unknown: "), "{sentence}");
    assert!(sentence.contains("same idempotency key"), "{sentence}");
    assert!(!sentence.contains("had no effect"), "{sentence}");
    assert!(retry.is_some());
    let (_, sentence, _) = told(StoreError::Unavailable("full".to_owned()));
    // It is said about reads, too, which never change anything.
    assert!(
        sentence.contains("The request had no effect."),
        "{sentence}"
    );
    assert!(!sentence.contains("changed"), "{sentence}");
}
