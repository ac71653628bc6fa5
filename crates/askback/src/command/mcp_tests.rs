//! Goal: a call in the window of Claude Code ends before Claude Code moves it to the background.

use super::*;

#[test]
fn only_the_window_of_claude_code_has_a_hold_of_its_own() {
    let moved_to_background_after = Duration::from_mins(2);
    assert!(window_hold(Some("cli")).is_some_and(|hold| hold < moved_to_background_after));
    assert_eq!(window_hold(Some("sdk-cli")), None);
    assert_eq!(window_hold(None), None);
}
