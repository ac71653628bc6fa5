//! Goal: what was started is completed, whoever waits for it.

use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::task::Poll;

use tokio::sync::oneshot;

use super::*;
use crate::fixtures::with_timeout;

#[tokio::test]
async fn a_dropped_future_goes_on() {
    let (go_on, wait) = oneshot::channel::<()>();
    let (done, is_done) = oneshot::channel();
    let mut running = RunToEnd::new(async move {
        wait.await.unwrap();
        done.send("done").unwrap();
    });
    let is_pending = poll_fn(|cx| Poll::Ready(Pin::new(&mut running).poll(cx).is_pending())).await;
    assert!(is_pending);
    drop(running);
    go_on.send(()).unwrap();
    let done = with_timeout("it goes on", is_done).await;
    assert_eq!(done.unwrap(), "done");
}

#[tokio::test]
async fn a_completed_future_returns_its_value_and_is_not_spawned() {
    let mut running = RunToEnd::new(async { 7 });
    assert_eq!((&mut running).await, 7);
    assert!(running.0.is_none());
}

#[tokio::test]
async fn a_future_that_panicked_is_not_polled_again() {
    let mut running = RunToEnd::new(async { panic!("in the future") });
    let mut cx = Context::from_waker(std::task::Waker::noop());
    let polled: Result<Poll<()>, _> =
        catch_unwind(AssertUnwindSafe(|| Pin::new(&mut running).poll(&mut cx)));
    assert!(polled.is_err());
    assert!(running.0.is_none());
}
