//! What other processes do to a store that several share.

use askback_core::id::InquiryId;
use tokio::sync::mpsc;

use crate::rows::Sequence;

/// A hint that something has changed. Hints may come late, twice or without a change, and a store
/// repeats what matters: no receiver depends on a single one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RemoteChange {
    /// Records up to this position were committed, perhaps by this process.
    Records(Sequence),
    /// Jobs may be free or due that this process does not know of.
    Jobs,
    /// Other processes may claim the jobs that this one has claimed: it must stop working on them.
    ClaimsLost,
    /// Somebody hid an inquiry from the inbox, or shows it again. Not repeated.
    Snoozed {
        /// The inquiry, which was pending.
        inquiry: InquiryId,
    },
}

/// The hints of a store. It ends with the store.
pub type RemoteChanges = mpsc::UnboundedReceiver<RemoteChange>;
