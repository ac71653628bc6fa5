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

/// A settings file in one line is not repeated for what is added to it.
#[test]
fn line_that_changes_inside_is_broken_up() {
    let before = "{\"model\":\"opus\",\"permissions\":{\"allow\":[\"Bash\"]}}\n";
    let after =
        "{\"model\":\"opus\",\"permissions\":{\"allow\":[\"Bash\"], \"deny\": [\"Web\"]}}\n";
    let added = ["+     \"deny\": [", "+       \"Web\"", "+     ]", BROKEN_UP];
    assert_eq!(shown(before, after), added);
    let removed = added.map(|line| line.replace('+', "-"));
    assert_eq!(shown(after, before), removed);
    let lines = "{\n\t\"a\": 1\n}\n";
    let longer = "{\n\t\"a\": 1,\n\t\"b\": [2, 3]\n}\n";
    assert_eq!(shown(lines, longer), ["+ \t\"b\": [2, 3]"]);
    let commented = "{\"a\":1} // mine";
    assert_eq!(
        shown(commented, "{\"a\":2} // mine"),
        ["- {\"a\":1} // mine", "+ {\"a\":2} // mine"]
    );
}
