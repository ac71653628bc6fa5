//! What matching a pattern costs is known before anybody answers.

use serde_json::{Value, json};

use super::pattern_positions;
use crate::dialect::{Dialect, ParseOptions};
use crate::limits;

#[test]
fn positions_count_repetitions() {
    for (pattern, positions) in [
        ("abc", 3),
        ("^[a-z]+$", 3),
        (r"\w{3,20}", 20),
        ("(?:ab|c)*", 3),
        ("(a{10}){10}", 100),
        ("(?:x?x?x?x?){2000}y", 8001),
        ("a{0}", 1),
        ("", 1),
        (
            "((((a{1000}){1000}){1000}){1000}){1000}",
            1_000_000_000_000_000,
        ),
    ] {
        assert_eq!(pattern_positions(pattern), Some(positions), "{pattern}");
    }
    assert_eq!(pattern_positions("("), None);
}

fn refusal(validation: &Value) -> Option<String> {
    let input = json!({"question": "Which?", "input_type": "text", "validation": validation});
    let parsed = Dialect::AskUser.parse(&input, ParseOptions::default());
    parsed.err().map(|error| error.to_string())
}

/// A pattern that would take long on a long text is refused, in words that say what to send.
#[test]
fn costly_pattern_is_refused_for_repair() {
    let costly = "(?:x?x?x?x?){2000}y";
    let refused = refusal(&json!({ "pattern": costly })).unwrap();
    let fits = limits::PATTERN_STEPS_MAX / 8001;
    assert!(refused.contains("validation.pattern"), "{refused}");
    assert!(
        refused.contains(&format!("max_length to at most {fits}")),
        "{refused}"
    );
    assert_eq!(
        refusal(&json!({"pattern": costly, "max_length": fits})),
        None
    );
    assert!(refusal(&json!({"pattern": costly, "max_length": fits + 1})).is_some());
    // What agents usually send stays as it was, without a length.
    for usual in [
        r"^[\w.+-]+@[\w-]+\.[\w.]{2,}$",
        "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
        r"^\+?[0-9 ()-]{7,20}$",
        r"^v?\d+\.\d+\.\d+(-[\w.]+)?$",
        r"^\w{3,20}$",
    ] {
        assert_eq!(refusal(&json!({ "pattern": usual })), None, "{usual}");
    }
}

/// The cost of the worst pattern that is taken is bounded, whatever is answered.
#[test]
fn steps_of_taken_patterns_are_bounded() {
    for length in [1, 40, 200, 5000, limits::OWN_TEXT_CHARS_MAX] {
        let times = limits::PATTERN_STEPS_MAX / length;
        let fits = json!({"pattern": format!("x{{{}}}", times.min(1000)), "max_length": length});
        assert_eq!(refusal(&fits), None, "{length}");
        if times < 1000 {
            let more = json!({"pattern": format!("x{{{}}}", times + 1), "max_length": length});
            assert!(refusal(&more).is_some(), "{length}");
        }
    }
}
