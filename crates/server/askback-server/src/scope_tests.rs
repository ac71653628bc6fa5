//! What is for one person or one agent does not exist for others.

use std::collections::BTreeMap;

use askback_channels::{AliasProof, Group, Recipient, Recipients};
use askback_core::dialect::{Dialect, ParseOptions};
use askback_core::id::{ConversationId, InquiryId};
use askback_core::outcome::{Actor, Surface};
use askback_core::text::{Lines, Text};
use askback_engine::InquiryView;
use askback_locale::Locale;
use askback_store::InquiryRow;
use askback_wire::link::LinkAllow;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde_json::json;

use super::{Respondent, Scope};

fn recipients() -> Recipients {
    let person = |name: &str| Recipient {
        name: name.to_owned(),
        locale: Locale::choose(&["en"]),
        time_zone: TimeZone::UTC,
        quiet_hours: None,
        presence: false,
        channels: None,
        escalate_to: None,
        remind_after: None,
        identities: Vec::new(),
    };
    Recipients {
        people: BTreeMap::from([
            ("anna".to_owned(), person("Anna")),
            ("ben".to_owned(), person("Ben")),
        ]),
        groups: BTreeMap::from([("ops".to_owned(), Group::of(vec!["anna".to_owned()]))]),
        ..Recipients::default()
    }
}

fn asked(recipient: Option<&str>, credential: Option<&str>) -> InquiryView {
    let input = json!({"questions": [{"text": "Deploy?", "kind": "confirm"}]});
    let parsed = Dialect::Questions.parse(&input, ParseOptions::default());
    let inquiry = parsed.unwrap().inquiry;
    let recipient = recipient.and_then(|alias| Text::clean(alias, Lines::One));
    InquiryView {
        row: InquiryRow {
            id: InquiryId::from(1),
            conversation: ConversationId::from(1),
            status: "pending".to_owned(),
            dialect: inquiry.dialect().name().to_owned(),
            json: String::new(),
            revision: 1,
            source: None,
            webhook: None,
            credential: credential.map(str::to_owned),
            asked_at: Timestamp::UNIX_EPOCH,
            expires_at: None,
            held: None,
            resolved_at: None,
            resolution: None,
            asker: None,
            snoozed_until: None,
            version: 1,
        },
        inquiry: inquiry.addressed_to(recipient),
        call: None,
        held: None,
        resolution: None,
    }
}

fn person(alias: &str, sees_unaddressed: bool) -> Scope {
    Scope::Respondent(Respondent {
        alias: alias.to_owned(),
        proof: AliasProof::Session,
        sees_unaddressed,
    })
}

#[test]
fn people_see_what_is_for_them_or_for_nobody_in_particular() {
    let cases = [
        // For whom it is, and whether Anna, Ben, and Ben with the stricter setting see it.
        (Some("anna"), [true, false, false]),
        (Some("anna@telegram"), [true, false, false]),
        (Some("ben"), [false, true, true]),
        (Some("ops"), [true, false, false]),
        (Some("somebody-who-left"), [false, false, false]),
        (None, [true, true, false]),
        (Some("@telegram"), [true, true, false]),
    ];
    let callers = [
        person("anna", true),
        person("ben", true),
        person("ben", false),
    ];
    for (recipient, expected) in cases {
        let view = asked(recipient, Some("laptop"));
        let seen = callers
            .each_ref()
            .map(|caller| caller.sees(&view, &recipients()));
        assert_eq!(seen, expected, "{recipient:?}");
        assert!(Scope::Admin.sees(&view, &recipients()));
        assert!(!Scope::Metrics.sees(&view, &recipients()));
    }
}

#[test]
fn agents_see_what_they_have_asked() {
    let laptop = Scope::Agent {
        name: "laptop".to_owned(),
    };
    for (credential, expected) in [
        (Some("laptop"), true),
        (Some("server"), false),
        (None, false),
    ] {
        let view = asked(None, credential);
        assert_eq!(
            laptop.sees(&view, &recipients()),
            expected,
            "{credential:?}"
        );
    }
}

#[test]
fn token_of_one_inquiry_sees_that_one_and_does_what_it_allows() {
    let scope = |id: u128| Scope::Inquiry {
        id: InquiryId::from(id),
        allow: LinkAllow::Decline,
    };
    let view = asked(Some("anna"), None);
    assert!(scope(1).sees(&view, &recipients()));
    assert!(!scope(2).sees(&view, &recipients()));
    let allowed =
        [LinkAllow::Answer, LinkAllow::Decline, LinkAllow::Stop].map(|what| scope(1).allows(what));
    assert_eq!(allowed, [true, true, false]);
}

/// Who acts follows from the token, whatever the headers say.
#[test]
fn nobody_acts_under_another_name() {
    let claimed = || Actor::new(Text::clean("Ben", Lines::One), Surface::Terminal);
    let anna = person("anna", true).actor(claimed(), &recipients());
    assert_eq!(anna.name.unwrap().as_str(), "Anna");
    assert_eq!(anna.identity.unwrap().as_str(), "session:anna");
    assert_eq!(anna.surface, Surface::Terminal);
    let agent = Scope::Agent {
        name: "laptop".to_owned(),
    };
    let agent = agent.actor(claimed(), &recipients());
    assert_eq!(agent.name.unwrap().as_str(), "laptop");
    let admin = Scope::Admin.actor(claimed(), &recipients());
    assert_eq!(admin.name.unwrap().as_str(), "Ben");
}
