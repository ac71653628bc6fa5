//! Folding events into a conversation: replay gives the same conversation, and events that do not
//! fit leave it as it is.

use serde_json::json;

use crate::conversation::event::{CallResult, Event};
use crate::conversation::fixtures::{
    Fixture, answer, ask, external_ask, raw_call, red, spawn, tool,
};
use crate::conversation::state::HeldAnswer;
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

#[test]
fn numbers_of_a_tool_input_survive_the_store_to_the_last_digit() {
    for number in [499_999.702_000_000_05, 8.329_931_928_346_41e59, -0.1, 1e-7] {
        let call = raw_call("weigh", json!({ "weight": number }));
        let fixture = Fixture::agent().round(&[call]);
        let stored = serde_json::to_string(&fixture.events).unwrap();
        let restored: Vec<Event> = serde_json::from_str(&stored).unwrap();
        assert_eq!(restored, fixture.events, "{number}");
    }
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
    let by = Actor {
        name: None,
        surface: Surface::Web,
    };
    let elsewhere = Fixture::agent()
        .round(&[ask(Dialect::AskUser)])
        .after(|it| answer(it.inquiry(), red()));
    let mut foreign: Vec<Event> = elsewhere.events;
    foreign.retain(|event| {
        ["inquiry_asked", "inquiry_resolved", "call_finished"].contains(&event.name())
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
            held: HeldAnswer {
                resolution: Resolution {
                    outcome: Outcome::Declined,
                    by: by.clone(),
                    at: "2026-01-01T00:00:00Z".parse().unwrap(),
                },
                until: "2026-01-01T00:00:05Z".parse().unwrap(),
            },
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
            assert_eq!(after, wanted, "{}", event.name());
        }
    }
}

/// The event with ids that no fixture knows.
fn rename(event: &Event) -> Event {
    let stored = serde_json::to_string(event).unwrap();
    let renamed = stored.replace("call_0", "call_9").replace("inq_0", "inq_9");
    serde_json::from_str(&renamed).unwrap()
}
