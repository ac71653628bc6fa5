//! What a script sees of the answers.

use super::*;

/// As `AskUserQuestion` gives it to the model.
const PROSE: &str = "User answered the following questions:\n\n1. Database (Which one?)\n   \
    Selected: SQLite\n   Note: for now\n\n2. Features (Which features?)\n   Selected: A, B\n   \
    Custom input: my own\n\n3. Day (When?)\n   Skipped by the user\n\nProceeding with user \
    selections.";

#[test]
fn answers_in_prose_are_plain_text() {
    assert_eq!(plain_text(PROSE), "SQLite; A, B, my own; (no answer)");
}
