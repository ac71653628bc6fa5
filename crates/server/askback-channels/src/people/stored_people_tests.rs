//! What the store may add to the recipients of the configuration.

use super::*;

fn person(alias: &str, identities: &[&str]) -> StoredRecipient {
    StoredRecipient {
        alias: alias.to_owned(),
        kind: RecipientKind::Person {
            name: alias.to_uppercase(),
            identities: identities.iter().map(|&it| it.to_owned()).collect(),
        },
    }
}

fn group(alias: &str, members: &[&str]) -> StoredRecipient {
    StoredRecipient {
        alias: alias.to_owned(),
        kind: RecipientKind::Group {
            members: members.iter().map(|&it| it.to_owned()).collect(),
            on_call: OnCall::Everybody,
        },
    }
}

fn declared(people: &[(&str, &str)]) -> Recipients {
    let person = |(alias, name): &(&str, &str)| {
        let person = Recipient {
            name: (*name).to_owned(),
            ..ChannelsConfig::default().new_person
        };
        ((*alias).to_owned(), person)
    };
    Recipients {
        people: people.iter().map(person).collect(),
        ..Recipients::default()
    }
}

#[test]
fn the_store_adds_people_and_replaces_none_of_the_configuration() {
    let config = ChannelsConfig::default();
    let declared = declared(&[("anna", "Anna")]);
    let stored = [
        person("anna", &[]),
        person("ben", &["proxy:b@example.org"]),
        group("ops", &["ben"]),
    ];
    let all = merged(&declared, &config, stored);
    assert_eq!(all.aliases(), ["anna", "ben", "ops"]);
    assert_eq!(all.people["anna"].name, "Anna");
    let account = Identity::parse("proxy:b@example.org").expect("an account");
    assert_eq!(all.owner(&account).map(|(alias, _)| alias), Some("ben"));
}

/// The owner of a server has no name until there are others.
#[test]
fn the_owner_has_a_name_among_others() {
    let config = ChannelsConfig::default();
    let alone = declared(&[("owner", "")]);
    assert_eq!(
        merged(&alone, &config, [].into_iter()).people["owner"].name,
        ""
    );
    let all = merged(&alone, &config, [person("ben", &[])]);
    assert_eq!(all.people["owner"].name, "owner");
}

#[test]
fn what_cannot_be_used_is_refused() {
    let config = ChannelsConfig::default();
    let stored = [person("ben", &["proxy:b"]), group("ops", &["ben"])];
    let known = merged(&declared(&[("anna", "Anna")]), &config, stored);
    let refused = |mut new: StoredRecipient| match check(&known, &mut new) {
        Err(RecipientError::Invalid(why)) => why,
        other => panic!("{new:?}: {other:?}"),
    };
    let mut nameless = person("kim", &[]);
    nameless.kind = RecipientKind::Person {
        name: " ".to_owned(),
        identities: Vec::new(),
    };
    let mut long_shift = group("night", &["ben"]);
    long_shift.kind = RecipientKind::Group {
        members: vec!["ben".to_owned()],
        on_call: OnCall::Rotation {
            days: 0,
            since: jiff::civil::date(2026, 1, 1),
        },
    };
    for (new, why) in [
        (person("Kim", &[]), "small letters"),
        (nameless, "readable"),
        (person("kim", &["b"]), "SERVICE:ID"),
        (person("kim", &["proxy:b"]), "Another person"),
        (person("ops", &[]), "is a group"),
        (group("ben", &["anna"]), "is a person"),
        (group("night", &[]), "needs a member"),
        (group("night", &["zoe"]), "zoe"),
        (group("night", &["ben", "ben"]), "twice"),
        (long_shift, "1 to 366 days"),
    ] {
        let said = refused(new);
        assert!(said.contains(why), "{said}");
    }
    for mut new in [person("ben", &["proxy:b"]), group("ops", &["anna", "ben"])] {
        assert!(check(&known, &mut new).is_ok(), "{new:?}");
    }
}
