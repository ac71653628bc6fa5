//! Goal: a misspelt name is corrected, and another word is not.

use super::nearest_name;

#[test]
fn a_misspelt_name_has_a_nearest_one() {
    let known = ["recipient", "expires_in", "expires_at", "key", "input"];
    for (name, nearest) in [
        ("recipent", Some("recipient")),
        ("Recipient", Some("recipient")),
        ("expiresIn", Some("expires_in")),
        ("expires_on", Some("expires_in")),
        ("idempotency-key", Some("key")),
        ("key", Some("key")),
        ("inputs", Some("input")),
        ("priority", None),
        ("x", None),
    ] {
        assert_eq!(nearest_name(name, &known), nearest, "{name}");
    }
    assert_eq!(nearest_name("wait", &[]), None);
    assert_eq!(nearest_name(&"input".repeat(99), &["input"]), None);
}
