//! Whom a name, an identity or an alias of the record was, at which time.

use askback_core::outcome::Surface;

use super::*;

fn at(text: &str) -> Timestamp {
    text.parse().expect("a time")
}

fn former() -> FormerPeople {
    let forgotten = |pseudonym: &str, until: &str| FormerPerson {
        pseudonym: pseudonym.to_owned(),
        until: at(until),
        digests: vec![
            digest("name", "Anna"),
            digest("identity", "token:anna"),
            digest("alias", "anna"),
        ],
    };
    FormerPeople::new(vec![
        forgotten("former-2", "2026-11-20T00:00:00Z"),
        forgotten("former-1", "2026-11-10T00:00:00Z"),
    ])
}

fn text(text: &str) -> Text {
    Text::clean(text, Lines::One).expect("a text")
}

/// The second Anna got the alias of the first, and the third has it now.
#[test]
fn whoever_had_the_name_then_is_meant() {
    let shown = |name: &str, time: &str| former().recipient(&text(name), at(time)).to_string();
    assert_eq!(shown("anna", "2026-11-09T00:00:00Z"), "former-1");
    assert_eq!(shown("anna@telegram", "2026-11-12T00:00:00Z"), "former-2");
    assert_eq!(shown("anna", "2026-11-21T00:00:00Z"), "anna");
    assert_eq!(shown("ben", "2026-11-09T00:00:00Z"), "ben");
    let recipients = Recipients {
        former: former(),
        ..Recipients::default()
    };
    assert_eq!(recipients.shown_alias("anna".to_owned()), "former-2");
}

#[test]
fn actor_is_known_by_identity_or_name() {
    let then = at("2026-11-09T00:00:00Z");
    let actor = |name: &str, identity: Option<&str>| Actor {
        identity: identity.and_then(Identity::parse),
        message: Some(text("42")),
        ..Actor::new(Some(text(name)), Surface::Web)
    };
    let hidden = Actor::new(Some(text("former-1")), Surface::Web);
    for known in [
        actor("Anna", None),
        actor("Anna", Some("telegram:42")),
        actor("Anna as she was called before", Some("token:anna")),
    ] {
        assert_eq!(former().actor(&known, then), hidden);
    }
    let other = actor("Ben", Some("token:ben"));
    assert_eq!(former().actor(&other, then), other);
}
