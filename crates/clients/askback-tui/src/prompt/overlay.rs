//! What is shown instead of the question, or over it.

use crate::leave_menu::LeaveChoice;

/// What is shown instead of the question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Overlay {
    /// All keys, from this row on.
    Help(usize),
    /// The whole question, from this row on.
    Reader(usize),
    /// The preview of the focused choice, from this row on.
    Preview(usize),
    /// The leave menu, with the focused row.
    Leave(usize),
    /// Asks for confirmation of this choice of the leave menu.
    Confirm(LeaveChoice),
    Link,
    /// The people to whom the question can be handed on.
    HandOn,
}
