//! What a respondent can do to a draft. Surfaces map keys and clicks to these.

use serde::{Deserialize, Serialize};

/// One thing a respondent does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "edit", rename_all = "snake_case")]
pub enum Edit {
    /// Move the focus.
    Move { to: FocusMove },
    /// Tick or untick a row without going on; the focused one if none is named.
    Mark {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        row: Option<usize>,
    },
    /// Take a row at once: choose and go on, or tick where several may be taken.
    Pick { row: usize },
    /// Tick all choices that can go together.
    MarkAll,
    /// Turn all those ticks over.
    Invert,
    /// Open a text field.
    Open { field: DraftField },
    /// Leave the open text field; what was typed stays.
    Close,
    /// Put this text into a field.
    Write {
        field: DraftField,
        /// Its whole text.
        text: String,
    },
    /// Change a number or a day by steps.
    Nudge { by: Nudge },
    /// Skip the question and go to the next page.
    Skip,
    /// Take what is focused or typed and go on.
    Confirm,
    /// Look at another question.
    GoTo {
        /// Which one; the number of questions is the review.
        page: usize,
    },
    /// Look at the next question, then the review, then the first again.
    NextPage,
    /// The other way round.
    PreviousPage,
    /// Send everything; with questions left open the review comes first.
    Send,
}

/// Where the focus moves. It stops at the ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FocusMove {
    /// To a row.
    Row(usize),
    /// By rows, down if positive.
    By(isize),
    /// To the first row.
    First,
    /// To the last row.
    Last,
}

/// A text field of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DraftField {
    /// The answer itself: a text, a number, a day, the first day of a range.
    Answer,
    /// The last day of a range.
    End,
    /// Own text beside or instead of choices.
    Own,
    /// The note.
    Note,
}

/// A change by steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Nudge {
    /// Steps of a number; days of a date.
    Steps(i32),
    /// Months of a date; tens of steps of a number.
    Months(i32),
    /// Years of a date.
    Years(i32),
    /// Today.
    Today,
}
