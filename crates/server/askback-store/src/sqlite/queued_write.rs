//! A write that waits for its transaction.

use rusqlite::Connection;
use tokio::sync::{OwnedSemaphorePermit, oneshot};

use crate::rows::JobId;
use crate::sql::claims::{Claim, Claims};
use crate::store::StoreError;

/// The result of a write. It takes effect when the transaction is on disk.
pub(super) struct Written<T> {
    /// Returned to the caller.
    pub(super) value: T,
    /// Jobs that were removed or can be claimed again.
    pub(super) freed: Vec<JobId>,
    /// New jobs that are claimed before anybody else can see them.
    pub(super) claimed: Vec<(JobId, Claim)>,
}

impl<T> From<T> for Written<T> {
    fn from(value: T) -> Self {
        Written {
            value,
            freed: Vec::new(),
            claimed: Vec::new(),
        }
    }
}

impl<T> Written<T> {
    pub(super) fn with_freed(value: T, freed: Vec<JobId>) -> Written<T> {
        Written {
            freed,
            ..Written::from(value)
        }
    }
}

/// A write of any result type.
pub(super) trait QueuedWrite: Send {
    /// Runs it inside the open transaction. May be called again after a rollback.
    fn apply(&mut self, transaction: &Connection, claims: &Claims) -> Result<(), StoreError>;

    /// Replaces the result: it is not on disk, or nobody knows whether it is.
    fn fail(&mut self, why: StoreError, claims: &Claims) {
        self.reset(claims);
        self.set_error(why);
    }

    /// Forgets the result, which was rolled back.
    fn reset(&mut self, claims: &Claims);

    fn set_error(&mut self, why: StoreError);

    /// Sends the result to the caller.
    fn send_result(self: Box<Self>, claims: &Claims);
}

pub(super) struct WriteRequest<T, W> {
    write: W,
    /// `None` until it was applied.
    outcome: Option<Result<Written<T>, StoreError>>,
    sender: oneshot::Sender<Result<T, StoreError>>,
    /// Released after the result was sent.
    _permit: OwnedSemaphorePermit,
}

impl<T, W> WriteRequest<T, W> {
    /// The result goes to `sender`.
    pub(super) fn new(
        write: W,
        sender: oneshot::Sender<Result<T, StoreError>>,
        permit: OwnedSemaphorePermit,
    ) -> WriteRequest<T, W> {
        WriteRequest {
            write,
            outcome: None,
            sender,
            _permit: permit,
        }
    }
}

impl<T, W> QueuedWrite for WriteRequest<T, W>
where
    T: Send,
    W: FnMut(&Connection) -> Result<Written<T>, StoreError> + Send,
{
    fn apply(&mut self, transaction: &Connection, claims: &Claims) -> Result<(), StoreError> {
        match self.outcome.insert((self.write)(transaction)) {
            Ok(written) => {
                if !written.claimed.is_empty() {
                    // Before the transaction is visible to others.
                    claims.lock().extend(written.claimed.iter().copied());
                }
                Ok(())
            }
            Err(error) => Err(error.clone()),
        }
    }

    fn reset(&mut self, claims: &Claims) {
        if let Some(Ok(written)) = self.outcome.take() {
            let claimed: Vec<JobId> = written.claimed.iter().map(|(id, _)| *id).collect();
            claims.release(&claimed);
        }
    }

    fn set_error(&mut self, why: StoreError) {
        self.outcome = Some(Err(why));
    }

    fn send_result(self: Box<Self>, claims: &Claims) {
        let outcome = self.outcome.unwrap_or_else(|| Err(closed()));
        let outcome = outcome.map(|written| {
            claims.release(&written.freed);
            written.value
        });
        // The caller may have gone away; it can read the result later.
        drop(self.sender.send(outcome));
    }
}

pub(super) fn closed() -> StoreError {
    StoreError::Unavailable("the store is closed".to_owned())
}
