//! Goal: following the feed gives the messages of the page, and a feed that is resumed at any position, also
//! inside a record, has exactly the rest, however long the open round is.

use std::collections::BTreeMap;

use askback_core::conversation::command::{NewDeadline, RespondentAction};
use askback_core::conversation::state::{PendingInquiries, PendingInquiry, ToolQuestion};
use askback_core::id::InquiryId;
use askback_testkit::variant_name;

use super::*;
use crate::event::EventResponse;
use crate::inquiry::InquiryResponse;
use crate::projection::record::{PositionedEvents, RecordContents, RecordEnd};
use crate::state::StateResponse;

/// A conversation as a store has it: one record for each decision.
struct Log {
    conversation: Conversation,
    records: Vec<Record>,
    inquiries: Inquiries,
}

struct Record {
    events: Vec<(u64, Event)>,
    last: u64,
    state: StateResponse,
}

#[derive(Default)]
struct Inquiries(BTreeMap<InquiryId, PendingInquiry>);

impl Inquiries {
    fn response(&self, id: &InquiryId) -> Option<InquiryResponse> {
        let pending = self.0.get(id)?;
        let conversation = ConversationId::new("cnv_1");
        let asked_at = pending.asked_at;
        Some(InquiryResponse::new(
            id.clone(),
            conversation,
            &pending.inquiry,
            asked_at,
        ))
    }
}

/// A small generator of random numbers (splitmix64).
struct Choices(u64);

impl Choices {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % bound
    }
}

impl Log {
    fn new(driver: Driver) -> Log {
        let fixture = ConversationFixture::new(driver);
        let mut log = Log {
            conversation: fixture.conversation,
            records: Vec::new(),
            inquiries: Inquiries::default(),
        };
        log.push(fixture.events);
        log
    }

    fn newest(&self) -> u64 {
        self.records.last().map_or(0, |record| record.last)
    }

    fn push(&mut self, events: Vec<Event>) {
        for event in &events {
            if let Event::InquiryAsked { pending } = event {
                let pending = (pending.id.clone(), pending.clone());
                self.inquiries.0.extend([pending]);
            }
        }
        let first = self.newest() + 1;
        self.records.push(Record {
            last: first + events.len() as u64,
            events: (first..).zip(events).collect(),
            state: StateResponse::from(&self.conversation.state),
        });
    }

    /// Adds a record, unless the command is refused.
    fn submit(&mut self, command: &Command) {
        let context = Context {
            now: at(self.newest()),
            ids: IdSource::new(u128::from(self.newest()) << 32),
            actor: Actor::new(None, Surface::Web),
            node: None,
        };
        if let Ok(decision) = self.conversation.decide(command, &context) {
            self.conversation = decision.after;
            self.push(decision.events);
        }
    }

    /// What the page of the whole conversation shows.
    fn page(&self) -> Vec<MessageResponse> {
        let events = self.records.iter().flat_map(|record| {
            let at = record.at();
            let events = record.events.iter();
            events.map(move |(sequence, event)| LoggedEvent::new(*sequence, at, event))
        });
        messages(events)
    }

    /// What a feed has after a position. It reads what a server reads: the records that end after the
    /// position, the round that is open before them, and the events that asked.
    fn feed_after(&self, position: u64) -> Vec<PositionedEvents> {
        let start = self.records.iter().position(|it| it.last > position);
        let start = start.unwrap_or(self.records.len());
        let mut projection = Projection::default();
        let mut feed = Vec::new();
        for (index, record) in self.records.iter().enumerate().skip(start) {
            let earlier = &self.records[..index];
            if projection.needs_round(&record.events) {
                let shows = |it: &Record| it.events.iter().any(|(_, it)| !it.continues_round());
                let round = earlier.iter().rposition(shows).unwrap_or(0);
                for earlier in &earlier[round..] {
                    projection.replay(earlier.at(), &earlier.events);
                }
            }
            for inquiry in projection.missing_inquiries(&record.events) {
                let matters = |event: &Event| {
                    if let Event::InquiryAsked { pending } = event {
                        pending.id == *inquiry && pending.call.is_none()
                    } else {
                        matches!(event, Event::DeadlineMoved { inquiry: moved, .. } if moved == inquiry)
                    }
                };
                for earlier in earlier {
                    let events = earlier.events.iter().filter(|(_, event)| matters(event));
                    projection.replay(earlier.at(), events);
                }
            }
            let contents = RecordContents {
                conversation: &self.conversation.settings.id,
                at: record.at(),
                events: &record.events,
                last: record.last,
                end: RecordEnd::State(Box::new(record.state.clone())),
            };
            feed.extend(projection.project_record(&contents, |id| self.inquiries.response(id)));
        }
        feed.retain(|at| at.sequence > position);
        feed
    }

    fn random_target(&self, choices: &mut Choices) -> Target {
        let pending = self.conversation.state.pending();
        let count = u64::try_from(pending.len()).unwrap().max(1);
        let index = usize::try_from(choices.below(count)).unwrap();
        let chosen = pending.get(index);
        chosen.map_or(Target::Pending, |pending| pending.id.clone().into())
    }

    fn random_command(&self, choices: &mut Choices) -> Command {
        match &self.conversation.state {
            State::Idle | State::Error { .. } | State::Closed
                if self.conversation.settings.driver == Driver::BuiltIn =>
            {
                message(choices)
            }
            State::LlmRequesting {
                request, attempt, ..
            } => llm_report(choices, *request, *attempt),
            State::ToolExecuting { round, started } => {
                let call = round.current().unwrap().id.clone();
                match (started, choices.below(8)) {
                    (false, _) => Command::ToolStarted { call },
                    (true, 0) => Command::ToolAsked {
                        call,
                        inquiry: inquiry(),
                        how: ToolQuestion::Running,
                    },
                    (true, 1) => Command::Cancel { target: None },
                    (true, _) => Command::ToolFinished {
                        call,
                        result: CallResult::ok("done"),
                    },
                }
            }
            State::AwaitingSubAgents { children, .. } => {
                let open = children.iter().find(|child| child.result.is_none());
                Command::SubAgentFinished {
                    child: open.unwrap().started.conversation.clone(),
                    result: CallResult::ok("found"),
                }
            }
            state @ (State::Idle
            | State::AwaitingUserResponse(_)
            | State::Error { .. }
            | State::Closed) => {
                let asks = !matches!(
                    state,
                    State::AwaitingUserResponse(PendingInquiries::Agent { .. })
                );
                let target = self.random_target(choices);
                match choices.below(10) {
                    0 | 1 if asks => Command::Ask {
                        inquiry: inquiry(),
                        deadline: None,
                    },
                    0 => message(choices),
                    2 => Command::Decline { target },
                    3 => Command::MoveDeadline {
                        target,
                        to: Some(NewDeadline::At(at(1_000_000 + self.newest()))),
                    },
                    4 => Command::AnswerWithUndo {
                        target,
                        reply: RespondentAction::Decline,
                        window: jiff::SignedDuration::from_secs(30),
                    },
                    5 => Command::UndoAnswer { target },
                    6 => Command::Reject { target },
                    _ => Command::Answer {
                        target,
                        answers: json!({"q1": "A"}),
                        notes: None,
                    },
                }
            }
        }
    }
}

impl Record {
    fn at(&self) -> Timestamp {
        at(self.last)
    }
}

fn inquiry() -> askback_core::inquiry::Inquiry {
    let input = json!({"question": "Which?", "options": ["A", "B"]});
    let parsed = Dialect::Question.parse(&input, ParseOptions::default());
    parsed.unwrap().inquiry
}

fn message(choices: &mut Choices) -> Command {
    Command::SendMessage {
        message: None,
        text: format!("Message {}", choices.below(1000)),
    }
}

fn llm_report(choices: &mut Choices, request: u64, attempt: u32) -> Command {
    if choices.below(8) == 0 {
        return Command::LlmFailed {
            request,
            attempt,
            failure: AgentFailure::new(FailureKind::Refused, "No key."),
            retry_after: None,
        };
    }
    let call = |choices: &mut Choices| {
        let (name, input) = match choices.below(6) {
            0 => database_question(),
            1 => (
                "spawn_agents",
                json!({"agents": [{"name": "a", "task": "x"}]}),
            ),
            2 => ("ask_user", json!({"nonsense": true})),
            _ => ("weigh", json!({"grams": 5})),
        };
        RawCall {
            provider_id: String::new(),
            name: name.to_owned(),
            input,
        }
    };
    let count = choices.below(4);
    Command::LlmReplied {
        request,
        attempt,
        reply: RawReply {
            text: "Let me see.".to_owned(),
            reasoning: None,
            calls: (0..count).map(|_| call(choices)).collect(),
        },
    }
}

/// The messages that a client shows after these events.
fn shown(feed: &[PositionedEvents]) -> Vec<MessageResponse> {
    let mut shown: Vec<MessageResponse> = Vec::new();
    for event in feed.iter().flat_map(|at| &at.events) {
        let EventResponse::Message(event) = event else {
            continue;
        };
        let mut known = shown.iter_mut();
        match known.find(|message| message.id == event.message.id) {
            Some(known) => *known = event.message.clone(),
            None => shown.push(event.message.clone()),
        }
    }
    shown
}

fn assert_feed_agrees(log: &Log, name: &str) {
    let all = log.feed_after(0);
    assert_eq!(shown(&all), log.page(), "{name}");
    for position in 0..=log.newest() {
        let rest: Vec<_> = all.iter().filter(|at| at.sequence > position).collect();
        let resumed = log.feed_after(position);
        assert_eq!(
            resumed.iter().collect::<Vec<_>>(),
            rest,
            "{name} after {position}"
        );
    }
}

#[test]
fn a_feed_gives_the_page_and_can_be_resumed_anywhere() {
    let mut names = std::collections::BTreeSet::new();
    for seed in 0..200 {
        let driver = if seed % 4 == 0 {
            Driver::External
        } else {
            Driver::BuiltIn
        };
        let mut choices = Choices(seed);
        let mut log = Log::new(driver);
        for _ in 0..30 {
            let command = log.random_command(&mut choices);
            log.submit(&command);
        }
        assert_feed_agrees(&log, &format!("seed {seed}"));
        let events = log.records.iter().flat_map(|record| &record.events);
        names.extend(events.map(|(_, event)| variant_name(event)));
    }
    // The sequences have every event that changes what clients see.
    for name in [
        "call_started",
        "call_finished",
        "inquiry_asked",
        "deadline_moved",
        "answer_held",
        "answer_taken_back",
        "inquiry_resolved",
        "sub_agents_started",
        "sub_agent_finished",
        "round_finished",
        "turn_ended",
    ] {
        assert!(names.contains(name), "{name}: {names:?}");
    }
}

/// A client that comes back late in a round of far more than 64 records misses nothing of it.
#[test]
fn a_long_round_is_complete_for_a_client_that_comes_back_late() {
    const CALLS: usize = 60;
    let mut log = Log::new(Driver::BuiltIn);
    let mut choices = Choices(1);
    log.submit(&message(&mut choices));
    let calls = (0..CALLS).map(|_| RawCall {
        provider_id: String::new(),
        name: "weigh".to_owned(),
        input: json!({}),
    });
    log.submit(&Command::LlmReplied {
        request: log.conversation.requests,
        attempt: 1,
        reply: RawReply {
            text: "Weighing.".to_owned(),
            reasoning: None,
            calls: calls.collect(),
        },
    });
    for _ in 0..CALLS {
        let call = log.conversation.state.round().unwrap().current().unwrap();
        let call = call.id.clone();
        log.submit(&Command::ToolStarted { call: call.clone() });
        let result = CallResult::ok("5 g");
        log.submit(&Command::ToolFinished { call, result });
    }
    assert!(log.records.len() > 2 * 60, "{}", log.records.len());
    let late = log.records[log.records.len() - 2].last;
    let rest = shown(&log.feed_after(late));
    let calls = rest[0].blocks.iter();
    let done = calls.filter(|block| block.status == Some(BlockStatus::Success));
    assert_eq!(done.count(), CALLS);
    assert_feed_agrees(&log, "a long round");
}
