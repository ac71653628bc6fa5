//! What may be the name of a node, and what an identity.

use super::{Identity, NodeName};
use crate::limits;

#[test]
fn identity_is_a_service_and_an_id() {
    let identity = Identity::new("telegram", "42").unwrap();
    assert_eq!(identity.as_str(), "telegram:42");
    assert_eq!(identity.service(), "telegram");
    assert_eq!(Identity::parse("telegram:42"), Some(identity));
    let with_colon = Identity::parse("slack:T1:U2").unwrap();
    assert_eq!(
        (with_colon.service(), with_colon.as_str()),
        ("slack", "slack:T1:U2")
    );
}

#[test]
fn unclear_identities_are_refused() {
    for (service, id) in [
        ("", "42"),
        ("telegram", ""),
        ("Tele gram", "42"),
        ("a", "4\n2"),
        ("a", " 4"),
    ] {
        assert_eq!(Identity::new(service, id), None, "{service:?} {id:?}");
    }
    assert_eq!(Identity::parse("telegram"), None);
    let long = "x".repeat(limits::IDENTITY_CHARS_MAX);
    assert_eq!(Identity::new("a", &long), None);
}

#[test]
fn node_names_are_cleaned_and_bounded() {
    let name = NodeName::clean(" db\n1\u{1b}[2J ").unwrap();
    assert!(!name.as_str().contains(['\n', '\u{1b}']), "{name}");
    assert_eq!(NodeName::clean(" \u{200b}"), None);
    let long = NodeName::clean(&"n".repeat(500)).unwrap();
    assert_eq!(long.as_str().chars().count(), limits::NODE_CHARS_MAX);
}
