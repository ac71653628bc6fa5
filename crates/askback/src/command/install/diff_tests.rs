//! A change is shown by its lines alone.

use super::*;

#[test]
fn shown_change_is_what_is_added() {
    let before = "{\n  \"a\": {\n    \"b\": 1\n  }\n}\n";
    let after = "{\n  \"a\": {\n    \"b\": 1\n  },\n  \"c\": {\n    \"d\": 2\n  }\n}\n";
    let added = ["+   \"c\": {", "+     \"d\": 2", "+   }"];
    assert_eq!(diff(before, after), added);
    assert_eq!(
        diff(after, before),
        added.map(|line| line.replace('+', "-"))
    );
}

/// What is added and removed at several places does not repeat what is between them.
#[test]
fn lines_between_two_changes_are_not_shown() {
    let before = "a\nhook\nb\nc\nend\n";
    let after = "a\nb\nallow\nc\nentry\nend\n";
    assert_eq!(diff(before, after), ["- hook", "+ allow", "+ entry"]);
}
