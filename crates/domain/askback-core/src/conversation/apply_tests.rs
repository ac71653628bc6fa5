//! Folding events into a conversation: replay gives the same conversation, and events that do not
//! fit leave it as it is.

use askback_testkit::variant_name;

use crate::conversation::event::{CallResult, Event};
use crate::conversation::fixtures::{Fixture, answer, ask, external_ask, red, spawn, tool};
use crate::conversation::{Conversation, NotAConversation};
use crate::dialect::Dialect;
use crate::id::{CallId, ConversationId, InquiryId};
use crate::outcome::{Actor, Outcome, Resolution, Surface};

#[test]
fn replay_needs_a_beginning() {
    assert_eq!(Conversation::replay(&[]), Err(NotAConversation));
    let events = [Event::RoundFinished];
    assert_eq!(Conversation::replay(&events), Err(NotAConversation));
}

#[test]
fn beginning_is_version_one_and_every_event_counts() {
    let fixture = Fixture::agent();
    assert_eq!(fixture.conversation.version, 1);
    let fixture = fixture.says("Hello").calls(&[tool("read_file")]);
    assert_eq!(fixture.conversation.version, 4);
    assert_eq!(fixture.events.len(), 4);
}

/// One fixture for each state.
fn scenes() -> Vec<Fixture> {
    let queued = Fixture::agent().round(&[tool("first"), tool("second")]);
    vec![
        Fixture::agent(),
        Fixture::agent().says("Hello"),
        queued.clone(),
        queued.after(Fixture::start_tool),
        Fixture::agent().round(&[ask(Dialect::AskUser)]),
        Fixture::agent().round(&[spawn(&["a"])]),
        Fixture::external().after(|_| external_ask(Dialect::AskUser, None)),
    ]
}

#[test]
fn events_about_something_else_change_nothing_but_the_version() {
    let call = CallId::new("call_other");
    let inquiry = InquiryId::new("inq_other");
    let result = CallResult::ok("done");
    let by = Actor::new(None, Surface::Web);
    let elsewhere = Fixture::agent()
        .round(&[ask(Dialect::AskUser)])
        .after(|it| answer(it.inquiry(), red()));
    let mut foreign: Vec<Event> = elsewhere.events;
    foreign.retain(|event| {
        ["inquiry_asked", "inquiry_resolved", "call_finished"]
            .contains(&variant_name(event).as_str())
    });
    foreign.extend([
        Event::CallStarted { call: call.clone() },
        Event::CallFinished {
            call: call.clone(),
            result: result.clone(),
        },
        Event::DeadlineMoved {
            inquiry: inquiry.clone(),
            expires_at: None,
            by: by.clone(),
        },
        Event::AnswerHeld {
            inquiry: inquiry.clone(),
            until: "2026-01-01T00:00:05Z".parse().unwrap(),
            resolution: Some(Resolution {
                outcome: Outcome::Declined,
                by: by.clone(),
                node: None,
                at: "2026-01-01T00:00:00Z".parse().unwrap(),
            }),
        },
        Event::AnswerTakenBack {
            inquiry: inquiry.clone(),
            by: by.clone(),
        },
        Event::InquiryReminded {
            inquiry,
            expires_at: "2026-01-01T00:00:00Z".parse().unwrap(),
        },
        Event::SubAgentsStarted {
            call,
            children: Vec::new(),
        },
        Event::SubAgentFinished {
            child: ConversationId::new("cnv_other"),
            result,
        },
    ]);
    assert_eq!(foreign.len(), 11);
    // Another seed, so that none of the ids is known here.
    for fixture in scenes() {
        for event in &foreign {
            let event = rename(event);
            let mut after = fixture.conversation.clone();
            after.apply(&event);
            let mut wanted = fixture.conversation.clone();
            wanted.version += 1;
            assert_eq!(after, wanted, "{event:?}");
        }
    }
}

/// The event with ids that no fixture knows.
fn rename(event: &Event) -> Event {
    let mut event = event.clone();
    if let Event::InquiryAsked { pending } = &mut event {
        pending.id = InquiryId::new("inq_other");
        pending.call = Some(CallId::new("call_other"));
    } else if let Event::InquiryResolved { inquiry, .. } = &mut event {
        *inquiry = InquiryId::new("inq_other");
    } else if let Event::CallFinished { call, .. } = &mut event {
        *call = CallId::new("call_other");
    }
    event
}
