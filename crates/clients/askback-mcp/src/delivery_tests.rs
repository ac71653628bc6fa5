//! Goal: a cancel undoes the delivery of what was not written, and of nothing else.

use super::*;

fn tracker() -> (Arc<DeliveryTracker>, InFlightQuestions, RequestId) {
    let client = Client::new("http://127.0.0.1:1", None).unwrap();
    let (tracker, _) = DeliveryTracker::start(client);
    let questions = InFlightQuestions::default();
    let request = RequestId::Number(1);
    tracker.register(&request, vec![questions.track(&question())]);
    (tracker, questions, request)
}

fn question() -> InquiryId {
    InquiryId::new("inq_1")
}

/// opencode and Kimi Code cancel each call as soon as they have read its result, which may be before this process
/// knows that it was written.
#[tokio::test]
async fn cancel_of_a_response_that_is_being_written_changes_nothing() {
    let (tracker, _, request) = tracker();
    tracker.begin_writing(&request);
    tracker.request_cancelled(&request);
    tracker.response_written(request.clone());
    assert_eq!(tracker.recently_written(|_| true), [question()]);
    tracker.request_cancelled(&request);
    assert_eq!(tracker.recently_written(|_| true), [question()]);
}

#[tokio::test]
async fn cancelled_response_that_was_not_begun_delivers_nothing() {
    let (tracker, questions, request) = tracker();
    tracker.request_cancelled(&request);
    tracker.response_written(request);
    assert_eq!(tracker.recently_written(|_| true), []);
    assert!(!questions.contains(&question()));
}

/// What was written since the last call of a client is returned once.
#[tokio::test]
async fn written_outcomes_are_unfollowed_until_the_next_call() {
    let (tracker, _, request) = tracker();
    assert_eq!(tracker.take_unfollowed(|_| true), []);
    tracker.response_written(request);
    assert_eq!(tracker.take_unfollowed(|_| false), []);
    assert_eq!(tracker.take_unfollowed(|_| true), [question()]);
    assert_eq!(tracker.take_unfollowed(|_| true), []);
}
