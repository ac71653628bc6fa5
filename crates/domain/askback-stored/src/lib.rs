//! The JSON in which conversations, inquiries and jobs are stored.
//!
//! The forms are types of their own: renaming a field of the core cannot change a data directory.
//! A [`Form`] is made of a value of the core, and turned back. The files in `goldens` have one example of each form.
//!
//! What the row of an inquiry holds is stored nowhere else. Records and snapshots name the inquiry, and
//! get it back on reading.
//!
//! Reading checks that a value holds together, not that it keeps today's limits: a question that was
//! valid when it was asked can be read, shown and answered after a limit became stricter.
//!
//! ```
//! use askback_core::dialect::{Dialect, ParseOptions};
//! use askback_core::inquiry::Inquiry;
//! use askback_stored::{StoredInquiry, from_json, to_json};
//!
//! let call = r#"{"question": "Which port?", "type": "number", "min": 1024}"#;
//! let inquiry = Dialect::AskUser.parse_text(call, ParseOptions::default())?.inquiry;
//! let row = to_json(&StoredInquiry::from(&inquiry))?;
//! let read: StoredInquiry = from_json(&row)?;
//! assert_eq!(Inquiry::try_from(read)?, inquiry);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod event;
mod form;
mod inquiry;
mod job;
mod name;
mod outcome;
mod record;
mod reply;
mod settings;
mod snapshot;
mod version;

use serde::{Deserialize, Serialize};

pub use event::StoredEvent;
pub use form::Form;
pub use inquiry::StoredInquiry;
pub use job::{StoredJob, StoredWebhookJob, WebhookEvent};
pub use name::surface_name;
pub use outcome::{InquiryResolution, StoredHeld, StoredOutcome, StoredResolution};
pub use record::StoredRecord;
pub use snapshot::StoredSnapshot;
pub use version::VERSION;

/// Why a stored text cannot be read. Never contains the text, which may contain answers.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    /// It is no JSON, or not of the form.
    #[error("not of the stored form at line {line}, column {column}")]
    Malformed {
        /// Counted from 1.
        line: usize,
        /// Counted from 1.
        column: usize,
    },
    /// A later version wrote it.
    #[error("stored in the unknown version {0}")]
    UnknownVersion(u64),
    /// It has the form, but its parts contradict each other.
    #[error("its parts do not fit together: {0}")]
    Inconsistent(&'static str),
    /// It names an inquiry whose row is missing or incomplete.
    #[error("inquiry {0} has no row, or no outcome in it")]
    NoInquiry(askback_core::id::InquiryId),
}

/// The text of a form.
pub fn to_json(form: &impl Serialize) -> Result<String, Unreadable> {
    serde_json::to_string(form).map_err(|error| malformed(&error))
}

/// Reads the text of a form.
pub fn from_json<'a, T: Deserialize<'a>>(json: &'a str) -> Result<T, Unreadable> {
    serde_json::from_str(json).map_err(|error| {
        let unknown = version::unknown_version(json).map(Unreadable::UnknownVersion);
        unknown.unwrap_or_else(|| malformed(&error))
    })
}

fn malformed(error: &serde_json::Error) -> Unreadable {
    Unreadable::Malformed {
        line: error.line(),
        column: error.column(),
    }
}

/// Fields that have their default are left out.
fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
#[cfg(test)]
#[path = "goldens_tests.rs"]
mod tests;
