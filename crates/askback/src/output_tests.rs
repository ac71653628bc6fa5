//! Goal: nothing that is printed acts on the terminal.

use super::*;

#[test]
fn printed_text_acts_on_no_terminal() {
    let mut printed = Output(Vec::new());
    let hostile = "a\u{1b}]0;b\u{7}\u{9b}2J\u{202e}c";
    writeln!(printed, "{hostile}: größe").expect("it is kept");
    let shown = String::from_utf8(printed.0).expect("text");
    assert_eq!(shown, "a\\u001b]0;b\\u0007\\u009b2J\\u202ec: größe\n");
}
