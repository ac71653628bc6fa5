//! Placeholders that do not exist are found; other braces are text.

use super::{fill, unknown_placeholder};

#[test]
fn a_name_that_does_not_exist_is_found() {
    let known = ["title", "text", "secret:app"];
    assert_eq!(
        unknown_placeholder("{title}: {text} {secret:app}", &known),
        None
    );
    assert_eq!(unknown_placeholder("{title}: {txet}", &known), Some("txet"));
    assert_eq!(
        unknown_placeholder("{secret:api}", &known),
        Some("secret:api")
    );
}

#[test]
fn other_braces_are_text() {
    for text in [
        "{}",
        "{ title }",
        "{\"a\": 1}",
        "awk '{print $1}'",
        "{open",
        "}{",
    ] {
        assert_eq!(unknown_placeholder(text, &[]), None, "{text}");
        assert_eq!(fill(text, &[("title", "?")]), text);
    }
}
