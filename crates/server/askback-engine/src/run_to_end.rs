//! Runs a future to its end, even if its caller is cancelled.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::runtime::Handle;

/// A future that goes on in a task of its own when it is dropped before its end. Until then it runs
/// in the task of its caller, which saves a task and two wakes for each command.
///
/// The caller must poll it or drop it: a commit that is neither holds the lock of its conversation.
pub(crate) struct RunToEnd<T: Send + 'static>(Option<BoxedFuture<T>>);

type BoxedFuture<T> = Pin<Box<dyn Future<Output = T> + Send>>;

impl<T: Send + 'static> RunToEnd<T> {
    pub(crate) fn new(future: impl Future<Output = T> + Send + 'static) -> RunToEnd<T> {
        RunToEnd(Some(Box::pin(future)))
    }
}

impl<T: Send + 'static> Future for RunToEnd<T> {
    type Output = T;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<T> {
        // Taken out while it is polled, so that a future that panics is not polled again.
        let Some(mut future) = self.0.take() else {
            return Poll::Pending;
        };
        let polled = future.as_mut().poll(cx);
        if polled.is_pending() {
            self.0 = Some(future);
        }
        polled
    }
}

impl<T: Send + 'static> Drop for RunToEnd<T> {
    fn drop(&mut self) {
        // Without a runtime nothing can run, and a restart finds what was committed.
        if let (Some(future), Ok(runtime)) = (self.0.take(), Handle::try_current()) {
            drop(runtime.spawn(future));
        }
    }
}

#[cfg(test)]
#[path = "run_to_end_tests.rs"]
mod tests;
