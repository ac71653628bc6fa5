//! Goal: what is stored has the form of the files in `goldens`, and is read back unchanged. A test that
//! fails here means that existing data directories could not be read, or would be written differently.
//! A form that must change keeps its golden under another name.

use askback_core::answer::{Answer, AnswerValue, Answers};
use askback_core::conversation::event::{
    AgentFailure, AssistantReply, CallResult, ChildStarted, Event, FailureKind, ToolCall, TurnEnd,
};
use askback_core::conversation::job::{Job, ToolResume};
use askback_core::conversation::policy::{AskRules, Policy};
use askback_core::conversation::state::{
    Child, HeldAnswer, PendingInquiries, PendingInquiry, ReturnedTool, Round, State, ToolQuestion,
};
use askback_core::conversation::{
    Conversation, ConversationSettings, Driver, Parent, RepeatedFailures,
};
use askback_core::dialect::Dialect;
use askback_core::id::{CallId, ConversationId, InquiryId, MessageId};
use askback_core::identity::{Identity, NodeName};
use askback_core::inquiry::Inquiry;
use askback_core::number::Number;
use askback_core::outcome::{Actor, Outcome, Resolution, Surface, UndeliverableReason};
use askback_core::question::{
    Choice, ChoiceKind, DateRules, Kind, NumberRules, Question, QuestionId, TextRules,
};
use askback_core::text::{Lines, Text};
use jiff::Timestamp;
use jiff::civil::date;
use serde_json::{Map, Value, json};

use super::*;

const EVENTS: &str = include_str!("../goldens/events.json");
const JOBS: &str = include_str!("../goldens/jobs.json");
const STATES: &str = include_str!("../goldens/states.json");
const OUTCOMES: &str = include_str!("../goldens/outcomes.json");
const HANDED_ON: &str = include_str!("../goldens/handed_on.json");
const INQUIRY: &str = include_str!("../goldens/inquiry.json");
const RESOLUTION: &str = include_str!("../goldens/resolution.json");
const HELD: &str = include_str!("../goldens/held.json");
const SNAPSHOT: &str = include_str!("../goldens/snapshot.json");

fn goldens(file: &str) -> Map<String, Value> {
    serde_json::from_str(file).unwrap()
}

fn parse(golden: &str) -> Value {
    serde_json::from_str(golden).unwrap()
}

fn at(hour: u8) -> Timestamp {
    format!("2027-03-26T{hour}:00:00Z").parse().unwrap()
}

fn five_seconds_later() -> Timestamp {
    "2027-03-26T10:00:05Z".parse().unwrap()
}

fn text(text: &str) -> Text {
    Text::clean(text, Lines::Many).unwrap()
}

fn conversation_id() -> ConversationId {
    ConversationId::new("cnv_1")
}

fn call() -> CallId {
    CallId::new("call_1")
}

fn inquiry_id() -> InquiryId {
    InquiryId::new("inq_1")
}

fn by(name: Option<&str>, surface: Surface) -> Actor {
    Actor::new(name.map(text), surface)
}

fn result(content: &str, is_error: bool) -> CallResult {
    CallResult {
        content: content.to_owned(),
        is_error,
    }
}

fn child() -> ChildStarted {
    ChildStarted {
        conversation: ConversationId::new("cnv_3"),
        name: text("Scout"),
        task: text("Look around"),
    }
}

fn tool_call(id: &str, name: &str, input: Value) -> ToolCall {
    ToolCall {
        id: CallId::new(id),
        provider_id: id.replace("call_", "p"),
        name: name.to_owned(),
        input,
    }
}

fn question(number: usize, asked: &str, skippable: bool, kind: Kind) -> Question {
    Question {
        id: QuestionId::at(number - 1),
        header: None,
        text: text(asked),
        context: None,
        placeholder: None,
        skippable,
        kind,
    }
}

fn choices() -> Kind {
    let choice = |value, label| Choice {
        value: text(value),
        label: text(label),
        description: None,
        preview: None,
        recommended: false,
        exclusive: false,
    };
    Kind::Choice(ChoiceKind {
        confirm: false,
        several: true,
        own_text: true,
        choices: vec![
            Choice {
                description: Some(text("warm")),
                preview: Some(text("#f00")),
                recommended: true,
                ..choice("r", "Red")
            },
            Choice {
                exclusive: true,
                ..choice("none", "None")
            },
        ],
    })
}

fn inquiry() -> Inquiry {
    let text_rules = TextRules {
        min_length: Some(1),
        max_length: Some(9),
        pattern: Some("^[a-z]+$".to_owned()),
        message: Some(text("Lower case.")),
    };
    let number_rules = NumberRules {
        min: Some(Number::Whole(1)),
        max: Some(Number::Real(2.5)),
        step: Some(Number::Real(0.5)),
        integer: true,
        message: Some(text("Few.")),
    };
    let date_rules = DateRules {
        min: Some(date(2027, 1, 1)),
        max: Some(date(2027, 12, 31)),
        message: Some(text("This year.")),
    };
    let questions = vec![
        Question {
            header: Some(text("Color")),
            context: Some(text("For the door")),
            ..question(1, "Which?", false, choices())
        },
        Question {
            placeholder: Some(text("Because")),
            ..question(2, "Why?", true, Kind::Text(text_rules))
        },
        question(3, "How many?", false, Kind::Number(number_rules)),
        question(4, "When?", false, Kind::Date(date_rules)),
        question(
            5,
            "From when to when?",
            false,
            Kind::DateRange(DateRules::default()),
        ),
        question(6, "And?", true, Kind::Text(TextRules::default())),
        question(7, "Else?", true, Kind::Text(TextRules::default())),
    ];
    Inquiry::restore(Dialect::AskUser, Some(text("CI job")), questions).unwrap()
}

fn resolution() -> Resolution {
    let given = [
        AnswerValue::Chosen {
            values: vec![text("r")],
            own: Some(text("mauve")),
        },
        AnswerValue::Text {
            text: text("because"),
        },
        AnswerValue::Number {
            number: Number::Real(1.5),
        },
        AnswerValue::Date {
            date: date(2027, 3, 26),
        },
        AnswerValue::DateRange {
            start: date(2027, 3, 26),
            end: date(2027, 3, 28),
        },
        AnswerValue::Skipped,
        AnswerValue::Unanswered,
    ];
    let answers = given.into_iter().enumerate().map(|(index, given)| Answer {
        question: QuestionId::at(index),
        given,
        note: (index == 0).then(|| text("or so")),
    });
    Resolution {
        outcome: Outcome::Answered {
            answers: Answers::restore(answers.collect()).unwrap(),
        },
        by: Actor {
            identity: Identity::new("telegram", "42"),
            message: Some(text("1001")),
            ..by(Some("Ada"), Surface::Web)
        },
        node: NodeName::clean("node-1"),
        at: at(10),
    }
}

fn held() -> HeldAnswer {
    HeldAnswer {
        resolution: Resolution {
            outcome: Outcome::Declined,
            by: by(None, Surface::Mcp),
            node: NodeName::clean("node-2"),
            at: at(10),
        },
        until: five_seconds_later(),
    }
}

fn pending(id: &str) -> PendingInquiry {
    PendingInquiry {
        id: InquiryId::new(id),
        call: None,
        tool: None,
        revision: 2,
        inquiry: inquiry(),
        asked_at: at(10),
        expires_at: None,
        reminded: false,
        held: None,
    }
}

fn settings() -> ConversationSettings {
    ConversationSettings {
        id: conversation_id(),
        driver: Driver::BuiltIn,
        parent: None,
        policy: Policy::default(),
        provider: Some("anthropic".to_owned()),
    }
}

fn failure(kind: FailureKind, message: &str) -> AgentFailure {
    AgentFailure::new(kind, message)
}

#[expect(clippy::too_many_lines, reason = "one example for each event")]
fn events() -> Vec<Event> {
    let rules = AskRules {
        enabled: true,
        standalone: false,
        message_answers: true,
        per_conversation_max: None,
        expires_after_ms: Some(5),
    };
    vec![
        Event::Started {
            settings: ConversationSettings {
                parent: Some(Parent {
                    conversation: ConversationId::new("cnv_2"),
                    call: CallId::new("call_9"),
                }),
                policy: Policy {
                    asks: [(Dialect::Question, rules)].into(),
                    unattended: true,
                    ..Policy::default()
                },
                ..settings()
            },
        },
        Event::MessageReceived {
            message: MessageId::new("msg_1"),
            sent_as: Some(MessageId::new("mine")),
            text: text("Hello"),
            answers: Some(inquiry_id()),
            by: by(Some("Ada"), Surface::Web),
        },
        Event::LlmRequested {
            request: 3,
            attempt: 2,
            due: at(10),
        },
        Event::LlmAttemptFailed {
            request: 3,
            attempt: 2,
            failure: failure(FailureKind::Overloaded, "Too busy."),
        },
        Event::AssistantReplied {
            reply: AssistantReply {
                text: Some(text("One moment.")),
                reasoning: Some(json!([{"signature": "abc"}])),
                calls: vec![tool_call(
                    "call_1",
                    "weigh",
                    json!({"weight": 499_999.702_000_000_05}),
                )],
            },
        },
        Event::CallStarted { call: call() },
        Event::CallFinished {
            call: call(),
            result: result("done", false),
        },
        Event::InquiryAsked {
            pending: PendingInquiry {
                call: Some(call()),
                tool: Some(ToolQuestion::Returned(Box::new(ReturnedTool {
                    input: json!({"a": 1}),
                    state: json!("back"),
                }))),
                expires_at: Some(at(11)),
                ..pending("inq_1")
            },
        },
        Event::DeadlineMoved {
            inquiry: inquiry_id(),
            expires_at: None,
            by: by(None, Surface::Link),
        },
        Event::InquiryHandedOn {
            inquiry: inquiry_id(),
            from: Some(text("zoe")),
            to: text("ben"),
            reason: Some(text("He knows it.")),
            at: at(10),
            by: by(Some("Zoë"), Surface::Telegram),
        },
        Event::InquiryReminded {
            inquiry: inquiry_id(),
            expires_at: at(11),
        },
        Event::AnswerHeld {
            inquiry: inquiry_id(),
            until: held().until,
            resolution: Some(held().resolution),
        },
        Event::AnswerTakenBack {
            inquiry: inquiry_id(),
            by: by(None, Surface::Terminal),
        },
        Event::InquiryResolved {
            inquiry: inquiry_id(),
            resolution: resolution(),
            result: result("Red.", false),
        },
        Event::SubAgentsStarted {
            call: call(),
            children: vec![child()],
        },
        Event::SubAgentFinished {
            child: ConversationId::new("cnv_3"),
            result: result("lost", true),
        },
        Event::RoundFinished,
        Event::TurnEnded {
            end: TurnEnd::Failed {
                failure: failure(FailureKind::SameFailures, "Stuck."),
            },
        },
        Event::Closed {
            by: by(None, Surface::System),
        },
    ]
}

/// What the row of the inquiry has.
fn row() -> PendingInquiry {
    PendingInquiry {
        held: Some(Box::new(held())),
        ..pending("inq_1")
    }
}

fn ended() -> InquiryResolution {
    InquiryResolution {
        resolution: resolution(),
        result: result("Red.", false),
    }
}

#[test]
fn every_event_has_its_golden() {
    let goldens = goldens(EVENTS);
    let events = events();
    assert_eq!(events.len(), goldens.len());
    for event in &events {
        let stored = to_json(&StoredEvent::from(event)).unwrap();
        let json = parse(&stored);
        assert_eq!(json, goldens[json["type"].as_str().unwrap()]);
        let stored: StoredEvent<'_> = from_json(&stored).unwrap();
        let read = stored.restore(&conversation_id(), Some(row()), Some(&ended()));
        assert_eq!(read, Ok(Some(event.clone())));
    }
}

/// The names that a form knows, as the error for an unknown one lists them.
fn known_names<T: for<'a> Deserialize<'a>>() -> Vec<String> {
    let error = serde_json::from_str::<T>(r#"{"type":"?"}"#).err().unwrap();
    let error = error.to_string();
    let (_, names) = error.split_once("expected one of ").unwrap();
    names
        .split('`')
        .skip(1)
        .step_by(2)
        .map(str::to_owned)
        .collect()
}

#[test]
fn every_name_has_its_golden() {
    let mut events = known_names::<StoredEvent<'static>>();
    events.retain(|name| name != "removed");
    let mut outcomes = known_names::<StoredOutcome>();
    outcomes.retain(|name| name != "answered");
    let jobs = known_names::<StoredJob<'static>>();
    for (names, file) in [(events, EVENTS), (outcomes, OUTCOMES), (jobs, JOBS)] {
        let goldens = goldens(file);
        let missing = names.iter().filter(|name| !goldens.contains_key(*name));
        assert_eq!(missing.count(), 0, "{names:?}");
        assert_eq!(names.len(), goldens.len());
    }
}

#[test]
fn a_removed_event_is_nothing() {
    let stored: StoredEvent<'_> = from_json(r#"{"type":"removed"}"#).unwrap();
    assert_eq!(stored.restore(&conversation_id(), None, None), Ok(None));
}

#[test]
fn a_record_has_a_version_and_its_events() {
    let events = [Event::RoundFinished, Event::CallStarted { call: call() }];
    let stored = to_json(&StoredRecord::from(&events[..])).unwrap();
    let golden =
        r#"{"v":1,"events":[{"type":"round_finished"},{"type":"call_started","call":"call_1"}]}"#;
    assert_eq!(stored, golden);
    let mut stored: StoredRecord<'_> = from_json(&stored).unwrap();
    assert_eq!(stored.events.len(), 2);
    stored.remove_content();
    let removed = r#"{"v":1,"events":[{"type":"removed"},{"type":"removed"}]}"#;
    assert_eq!(to_json(&stored).unwrap(), removed);
}

/// The result of a call that asked is stored once, in the row of the inquiry.
#[test]
fn a_call_that_asked_leaves_its_result_to_the_inquiry() {
    let finished = |content| Event::CallFinished {
        call: call(),
        result: result(content, false),
    };
    let resolved = Event::InquiryResolved {
        inquiry: inquiry_id(),
        resolution: resolution(),
        result: result("Red.", false),
    };
    for (content, is_left_out) in [("Red.", true), ("Blue.", false)] {
        let events = [resolved.clone(), finished(content)];
        let stored = to_json(&StoredRecord::from(&events[..])).unwrap();
        assert_eq!(!stored.contains(content), is_left_out, "{stored}");
        let stored: StoredRecord<'_> = from_json(&stored).unwrap();
        let named = stored.events[1].inquiry().is_some();
        assert_eq!(named, is_left_out);
        let read =
            |event: StoredEvent<'_>| event.restore(&conversation_id(), Some(row()), Some(&ended()));
        let read: Vec<_> = stored.events.into_iter().map(read).collect();
        assert_eq!(read, events.map(|event| Ok(Some(event))));
    }
}

/// An answer that was undone is stored nowhere. A later one is not taken for it.
#[test]
fn an_answer_that_is_no_longer_held_is_left_out() {
    let golden = goldens(EVENTS)["answer_held"].to_string();
    let later = HeldAnswer {
        until: at(11),
        ..held()
    };
    for held in [None, Some(&later)] {
        let stored: StoredEvent<'_> = from_json(&golden).unwrap();
        let row = PendingInquiry {
            held: held.cloned().map(Box::new),
            ..row()
        };
        let read = stored.restore(&conversation_id(), Some(row), Some(&ended()));
        let expected = Event::AnswerHeld {
            inquiry: inquiry_id(),
            until: five_seconds_later(),
            resolution: None,
        };
        assert_eq!(read, Ok(Some(expected)));
    }
}

#[test]
fn a_later_version_is_refused_by_its_number() {
    let later = r#"{"v":7,"events":"of another form"}"#;
    let read = from_json::<StoredRecord<'_>>(later);
    assert_eq!(read, Err(Unreadable::UnknownVersion(7)));
    let read = from_json::<StoredInquiry>(r#"{"v":2,"dialect":"question","questions":[]}"#);
    assert_eq!(read, Err(Unreadable::UnknownVersion(2)));
}

#[test]
fn an_event_without_the_row_of_its_inquiry_names_the_inquiry() {
    for name in ["inquiry_asked", "inquiry_resolved", "answer_held"] {
        let golden = goldens(EVENTS)[name].to_string();
        let stored: StoredEvent<'_> = from_json(&golden).unwrap();
        let read = stored.restore(&conversation_id(), None, None);
        assert_eq!(read, Err(Unreadable::NoInquiry(inquiry_id())));
    }
}

fn jobs() -> Vec<Job> {
    vec![
        Job::RequestLlm {
            request: 3,
            attempt: 1,
            due: at(10),
        },
        Job::RunTool {
            call: call(),
            name: "weigh".to_owned(),
            input: json!({"a": 1}),
            resume: Some(ToolResume {
                inquiry: inquiry_id(),
                state: json!([1]),
            }),
        },
        Job::StartSubAgents {
            call: call(),
            children: vec![child()],
        },
        Job::StopSubAgents {
            children: vec![ConversationId::new("cnv_3")],
        },
        Job::ReportToParent {
            parent: ConversationId::new("cnv_2"),
            call: CallId::new("call_9"),
            result: result("done", false),
        },
        Job::RemoveConversation,
        Job::RemindInquiry {
            inquiry: inquiry_id(),
            at: at(10),
            expires_at: at(11),
        },
        Job::CommitHeldAnswer {
            inquiry: inquiry_id(),
            held_at: at(10),
            at: five_seconds_later(),
        },
        Job::ExpireInquiry {
            inquiry: inquiry_id(),
            at: at(11),
        },
    ]
}

#[test]
fn every_job_has_its_golden() {
    let goldens = goldens(JOBS);
    let jobs = jobs();
    assert_eq!(jobs.len(), goldens.len());
    for job in jobs {
        let stored = to_json(&StoredJob::new(&job).unwrap()).unwrap();
        assert_eq!(parse(&stored), goldens[job.name()]);
        let read: StoredJob<'_> = from_json(&stored).unwrap();
        assert_eq!(read.restore(), Ok(job));
    }
    let abort = Job::AbortRequest { request: 1 };
    assert_eq!(StoredJob::new(&abort), None);
    let webhook = StoredWebhookJob::new(
        "https://example.com".to_owned(),
        inquiry_id(),
        WebhookEvent::InquiryReminder,
    );
    let golden =
        json!({"url": "https://example.com", "inquiry": "inq_1", "news": "inquiry_reminder"});
    let stored = to_json(&webhook).unwrap();
    assert_eq!(parse(&stored), golden);
    assert_eq!(from_json(&stored), Ok(webhook));
}

#[test]
fn an_inquiry_and_its_outcome_have_their_goldens() {
    let stored = to_json(&StoredInquiry::from(&inquiry())).unwrap();
    assert_eq!(parse(&stored), parse(INQUIRY));
    let read: StoredInquiry = from_json(INQUIRY).unwrap();
    assert_eq!(Inquiry::try_from(read), Ok(inquiry()));
    let zoe = by(Some("Zoë"), Surface::Telegram);
    let addressed = inquiry().addressed_to(Some(text("zoe")));
    let with_ben = addressed.hand_on_to(text("ben"), zoe, Some(text("He knows it.")), at(10));
    let handed_on = with_ben.without_questions();
    let asked = handed_on.as_asked();
    assert_eq!(asked.recipient(), Some(&text("zoe")));
    assert_eq!(asked.handed_on(), None);
    let stored = to_json(&StoredInquiry::from(&handed_on)).unwrap();
    assert_eq!(parse(&stored), parse(HANDED_ON));
    let read: StoredInquiry = from_json(HANDED_ON).unwrap();
    assert_eq!(Inquiry::try_from(read), Ok(handed_on.clone()));
    let twice = handed_on.hand_on_to(text("cyd"), by(None, Surface::Cli), None, at(11));
    let stored = to_json(&StoredInquiry::from(&twice)).unwrap();
    let golden = json!({"by": {"surface": "cli"}, "from": "ben", "asked_for": "zoe", "count": 2, "at": "2027-03-26T11:00:00Z"});
    assert_eq!(parse(&stored)["handed_on"], golden);
    let read: StoredInquiry = from_json(&stored).unwrap();
    assert_eq!(Inquiry::try_from(read), Ok(twice));
    let result = result("Red.", false);
    let stored = to_json(&StoredResolution::new(&resolution(), &result)).unwrap();
    assert_eq!(parse(&stored), parse(RESOLUTION));
    let read: StoredResolution<'_> = from_json(RESOLUTION).unwrap();
    assert_eq!(read.restore(), Ok(ended()));
    let stored = to_json(&StoredHeld::new(&held().resolution, held().until)).unwrap();
    assert_eq!(parse(&stored), parse(HELD));
    let read: StoredHeld = from_json(HELD).unwrap();
    assert_eq!(read.restore(), Ok(held()));
}

/// A digest of this text recognises a call that an agent repeats, so not even the order may change.
#[test]
fn the_text_of_an_inquiry_stays() {
    let short = Question {
        header: Some(text("Color")),
        context: Some(text("For the door")),
        placeholder: Some(text("Because")),
        ..question(1, "Which?", false, choices())
    };
    let inquiry = Inquiry::restore(Dialect::Question, Some(text("CI job")), vec![short]).unwrap();
    let golden = r##"{"dialect":"question","source":"CI job","questions":[{"id":"q1","header":"Color","text":"Which?","context":"For the door","placeholder":"Because","skippable":false,"kind":"choice","several":true,"own_text":true,"choices":[{"value":"r","label":"Red","description":"warm","preview":"#f00","recommended":true},{"value":"none","label":"None","exclusive":true}]}]}"##;
    assert_eq!(to_json(&StoredInquiry::from(&inquiry)).unwrap(), golden);
}

#[test]
fn every_outcome_has_its_golden() {
    let goldens = goldens(OUTCOMES);
    let outcomes = [
        Outcome::Declined,
        Outcome::Cancelled,
        Outcome::Rejected,
        Outcome::Superseded {
            message: text("Later."),
        },
        Outcome::Expired,
        Outcome::Withdrawn,
        Outcome::Undeliverable {
            reason: UndeliverableReason::SubAgent,
        },
    ];
    assert_eq!(outcomes.len(), goldens.len());
    for outcome in outcomes {
        let golden = &goldens[outcome.name()];
        let stored = to_json(&StoredOutcome::store(&outcome)).unwrap();
        assert_eq!(parse(&stored), *golden);
        let read: StoredOutcome = from_json(&stored).unwrap();
        assert_eq!(read.restore(), Ok(outcome));
    }
}

fn round(name: &str, more: Vec<ToolCall>) -> Round {
    let mut calls = vec![tool_call("call_1", name, Value::Null)];
    calls.extend(more);
    Round::restore(calls, 0).unwrap()
}

fn states() -> Vec<(&'static str, State)> {
    let waiting = PendingInquiry {
        call: Some(call()),
        tool: Some(ToolQuestion::Running),
        reminded: true,
        ..pending("inq_1")
    };
    let named = |state: State| (state.name(), state);
    vec![
        named(State::Idle),
        named(State::LlmRequesting {
            request: 3,
            attempt: 1,
            last_failure: None,
        }),
        named(State::ToolExecuting {
            round: round("weigh", vec![tool_call("call_2", "read", json!({"a": 1}))]),
            started: true,
        }),
        named(State::AwaitingUserResponse(PendingInquiries::Agent {
            round: round("question", Vec::new()),
            pending: waiting,
        })),
        (
            "awaiting_user_response (external)",
            State::AwaitingUserResponse(PendingInquiries::External {
                pending: vec![pending("inq_1"), pending("inq_2")],
            }),
        ),
        named(State::AwaitingSubAgents {
            round: round("spawn_agents", Vec::new()),
            children: vec![Child {
                started: child(),
                result: Some(result("done", false)),
            }],
        }),
        named(State::Error {
            failure: failure(FailureKind::Refused, "No key."),
        }),
        named(State::Closed),
    ]
}

fn conversation(state: State) -> Conversation {
    Conversation {
        settings: settings(),
        state,
        requests: 3,
        rounds: 2,
        failing: RepeatedFailures {
            open: Some(7),
            last: Some(8),
            times: 2,
        },
        asked: [(Dialect::Question, 1), (Dialect::AskUser, 2)].into(),
        recent_messages: [MessageId::new("msg_1")].into(),
        version: 9,
    }
}

#[test]
fn a_snapshot_in_every_state_has_its_golden() {
    let goldens = goldens(STATES);
    let states = states();
    assert_eq!(states.len(), goldens.len());
    for (name, state) in states {
        let conversation = conversation(state);
        let stored = to_json(&StoredSnapshot::from(&conversation)).unwrap();
        let mut golden = parse(SNAPSHOT);
        golden["state"] = goldens[name].clone();
        assert_eq!(parse(&stored), golden);
        let stored: StoredSnapshot<'_> = from_json(&stored).unwrap();
        let read = stored.restore(conversation_id(), |_| Some(pending("inq_1")));
        assert_eq!(read, Ok(conversation));
    }
}

/// Rules that lost a field must not quietly lose a limit with it.
#[test]
fn rules_are_read_whole_or_not_at_all() {
    let golden = &goldens(EVENTS)["started"];
    let rules = golden["settings"]["policy"]["asks"]["question"].as_object();
    for field in rules.unwrap().keys() {
        let mut partial = golden.clone();
        let rules = partial["settings"]["policy"]["asks"]["question"].as_object_mut();
        rules.unwrap().remove(field);
        assert!(
            from_json::<StoredEvent<'_>>(&partial.to_string()).is_err(),
            "{field}"
        );
    }
}

/// A limit that became stricter does not make what was asked before unreadable.
#[test]
fn an_inquiry_beyond_todays_limits_is_read() {
    let mut long = parse(INQUIRY);
    long["questions"][0]["header"] = "h".repeat(10_000).into();
    let read: StoredInquiry = from_json(&long.to_string()).unwrap();
    assert!(Inquiry::try_from(read).is_ok());
}

#[test]
fn parts_that_contradict_each_other_are_refused() {
    let mut inquiry = parse(INQUIRY);
    inquiry["questions"][3]["min"] = 7.into();
    let read: StoredInquiry = from_json(&inquiry.to_string()).unwrap();
    assert!(matches!(
        Inquiry::try_from(read),
        Err(Unreadable::Inconsistent(_))
    ));
    let mut inquiry = parse(INQUIRY);
    inquiry["questions"][0]["choices"][1]["value"] = "r".into();
    let read: StoredInquiry = from_json(&inquiry.to_string()).unwrap();
    assert!(matches!(
        Inquiry::try_from(read),
        Err(Unreadable::Inconsistent(_))
    ));
    let mut resolution = parse(RESOLUTION);
    resolution["resolution"]["outcome"]["answers"][0]["question"] = "q2".into();
    let read: StoredResolution<'_> = from_json(&resolution.to_string()).unwrap();
    let read = read.restore();
    assert!(matches!(read, Err(Unreadable::Inconsistent(_))));
}
