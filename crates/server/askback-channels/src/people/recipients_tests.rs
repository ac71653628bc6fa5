use std::collections::BTreeMap;

use askback_core::identity::Identity;
use askback_core::outcome::{Actor, Surface};
use askback_core::text::{Lines, Text};
use askback_locale::Locale;
use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::{Group, OnCall, QuietHours, Recipient, Recipients};
use crate::people::account::LinkedAccount;
use crate::people::alias_proof::AliasProof;

fn person(name: &str, identity: &str) -> Recipient {
    Recipient {
        name: name.to_owned(),
        locale: Locale::choose(&["en"]),
        time_zone: TimeZone::fixed(jiff::tz::offset(2)),
        quiet_hours: QuietHours::parse("22:00-07:00"),
        presence: false,
        channels: Some(vec!["telegram".to_owned()]),
        escalate_to: None,
        remind_after: None,
        identities: vec![Identity::parse(identity).expect("it is an identity")],
    }
}

fn recipients() -> Recipients {
    let people = [
        ("ben", person("Ben", "telegram:7")),
        ("zoe", person("Zoë", "telegram:42")),
    ];
    let people = people.map(|(alias, person)| (alias.to_owned(), person));
    Recipients {
        people: people.into(),
        groups: BTreeMap::from([("ops".to_owned(), Group::of(vec!["ben".to_owned()]))]),
        ..Recipients::default()
    }
}

#[test]
fn a_question_reaches_whom_it_names_or_everybody() {
    let recipients = recipients();
    let aliases = |alias| -> Vec<&str> {
        let people = recipients.addressed(alias, Timestamp::UNIX_EPOCH);
        people.into_iter().map(|(alias, _)| alias).collect()
    };
    assert_eq!(aliases(None), ["ben", "zoe"]);
    assert_eq!(aliases(Some("zoe")), ["zoe"]);
    assert_eq!(aliases(Some("ops")), ["ben"]);
    // The alias was removed after the question was asked: it was not for the others.
    assert_eq!(aliases(Some("gone")), [""; 0]);
    assert_eq!(recipients.aliases(), ["ben", "zoe", "ops"]);
}

#[test]
fn an_account_belongs_to_whom_the_configuration_says() {
    let recipients = recipients();
    let owner = |text| {
        let identity = Identity::parse(text).expect("it is an identity");
        recipients.owner(&identity).map(|(alias, _)| alias)
    };
    assert_eq!(owner("telegram:42"), Some("zoe"));
    assert_eq!(owner("telegram:4"), None);
    assert_eq!(owner("slack:42"), None);
}

#[test]
fn quiet_hours_pass_midnight_where_the_person_is() {
    let zoe = person("Zoë", "telegram:42");
    let quiet = |at: &str| zoe.is_quiet_at(at.parse().expect("it is a time"));
    assert!(quiet("2027-03-27T20:30:00Z"));
    assert!(quiet("2027-03-28T04:59:00Z"));
    assert!(!quiet("2027-03-28T05:00:00Z"));
    assert!(!quiet("2027-03-27T19:59:00Z"));
    for wrong in ["", "22", "22:00", "25:00-07:00", "22:00-7:61"] {
        assert_eq!(QuietHours::parse(wrong), None, "{wrong}");
    }
}

#[test]
fn an_answer_belongs_to_the_person_on_any_account_of_theirs() {
    let recipients = recipients();
    let account = |identity: &str, recipient: &str| LinkedAccount {
        channel: "slack".to_owned(),
        recipient: recipient.to_owned(),
        identity: identity.to_owned(),
        address: "D1".to_owned(),
        subscription: None,
    };
    let linked = [
        account("slack:U1", "zoe"),
        account("slack:U2", "ben"),
        account("slack:U3", "ben"),
        account("slack:U3", "zoe"),
    ];
    let actor = |identity: Option<&str>, name: &str| Actor {
        name: Text::clean(name, Lines::One),
        surface: Surface::Telegram,
        identity: identity.and_then(Identity::parse),
        message: None,
    };
    let is_zoe = |actor: &Actor| recipients.is_person(actor, "zoe", &linked);
    assert!(is_zoe(&actor(Some("telegram:42"), "Zoë")));
    assert!(is_zoe(&actor(Some("slack:U1"), "Zoë")), "it is linked");
    assert!(!is_zoe(&actor(Some("telegram:7"), "Ben")));
    assert!(
        !is_zoe(&actor(Some("slack:U2"), "Zoë")),
        "the name proves nothing"
    );
    assert!(!is_zoe(&actor(Some("slack:U3"), "Zoë")), "two people's");
    assert!(!is_zoe(&actor(Some("slack:U4"), "Zoë")), "nobody's");
    for proof in AliasProof::ALL {
        let by = |alias: &str| Actor {
            identity: proof.identity(alias),
            ..actor(None, "")
        };
        assert!(is_zoe(&by("zoe")) && !is_zoe(&by("ben")), "{proof:?}");
    }
    assert!(!is_zoe(&actor(Some("telegram:zoe"), "Zoë")), "no alias");
    // Several people could sit at a terminal; one is known.
    assert!(!is_zoe(&actor(None, "Zoë")));
    let mut alone = recipients.clone();
    alone.people.remove("ben");
    assert!(alone.is_person(&actor(None, ""), "zoe", &[]));
}

#[test]
fn members_of_a_group_are_on_call_one_after_the_other() {
    let mut group = Group::of(vec!["ben".to_owned(), "zoe".to_owned(), "kim".to_owned()]);
    let order = |group: &Group, day: &str| -> String {
        let at = format!("{day}T12:00:00Z").parse().expect("a time");
        group.order(at).unwrap_or_default().join(" ")
    };
    assert_eq!(order(&group, "2026-11-18"), "");
    group.on_call = OnCall::First;
    assert_eq!(order(&group, "2026-11-18"), "ben zoe kim");
    group.on_call = OnCall::Rotation {
        days: 7,
        since: jiff::civil::date(2026, 11, 16),
    };
    for (day, expected) in [
        ("2026-11-16", "ben zoe kim"),
        ("2026-11-22", "ben zoe kim"),
        ("2026-11-23", "zoe kim ben"),
        ("2026-12-06", "kim ben zoe"),
        ("2026-12-07", "ben zoe kim"),
        // It goes on before the day that was named.
        ("2026-11-15", "kim ben zoe"),
        ("2026-11-08", "zoe kim ben"),
    ] {
        assert_eq!(order(&group, day), expected, "{day}");
    }
}

/// Who is on call gets a question first, and the others by and by.
#[test]
fn a_question_for_those_on_call_is_escalated_in_their_order() {
    let mut recipients = recipients();
    recipients.groups.insert(
        "on-call".to_owned(),
        Group {
            members: vec!["zoe".to_owned(), "ben".to_owned()],
            on_call: OnCall::First,
        },
    );
    let now = Timestamp::UNIX_EPOCH;
    let addressed = recipients.addressed(Some("on-call"), now);
    assert_eq!(addressed.len(), 1);
    let (alias, zoe) = addressed[0];
    assert_eq!(alias, "zoe");
    let steps = recipients.escalations_of(Some("on-call"), now, zoe);
    assert_eq!(steps, [["ben"]]);
    assert!(recipients.includes("on-call", "ben"), "he sees it, too");
    assert!(!recipients.includes("ops", "zoe"));
}
