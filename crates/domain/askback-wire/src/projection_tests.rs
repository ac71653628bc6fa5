//! Goal: the events of the core become the right messages and blocks, whatever the outcome.

use askback_core::conversation::command::{Command, RawCall, RawReply, Target};
use askback_core::conversation::event::{AgentFailure, CallResult, Event, FailureKind};
use askback_core::conversation::policy::Policy;
use askback_core::conversation::state::State;
use askback_core::conversation::{Context, Conversation, ConversationSettings, Driver};
use askback_core::dialect::{Dialect, ParseOptions};
use askback_core::id::{ConversationId, IdSource, MessageId};
use askback_core::outcome::{Actor, Surface};
use askback_core::text::{Lines, Text};
use jiff::Timestamp;
use serde_json::{Value, json};

use super::{LoggedEvent, Projection, messages, page};
use crate::block::{BlockResponse, BlockStatus, BlockType, QuestionResolution};
use crate::message::{MessageResponse, Role};

#[path = "projection_tests/feed_tests.rs"]
mod feed_tests;
#[path = "projection_tests/pages_tests.rs"]
mod pages_tests;
#[path = "projection_tests/tool_questions_tests.rs"]
mod tool_questions_tests;

/// A conversation with all of its events, one second apart.
#[derive(Clone)]
struct ConversationFixture {
    conversation: Conversation,
    events: Vec<Event>,
    steps: u128,
}

fn at(sequence: u64) -> Timestamp {
    let start: Timestamp = "2026-01-01T00:00:00Z".parse().unwrap();
    start + jiff::SignedDuration::from_secs(i64::try_from(sequence).unwrap())
}

impl ConversationFixture {
    fn new(driver: Driver) -> ConversationFixture {
        let (conversation, started) = Conversation::start(ConversationSettings {
            id: ConversationId::new("cnv_1"),
            driver,
            parent: None,
            policy: Policy::default(),
            provider: None,
        });
        ConversationFixture {
            conversation,
            events: vec![started],
            steps: 0,
        }
    }

    fn agent() -> ConversationFixture {
        ConversationFixture::new(Driver::BuiltIn)
    }

    fn after(mut self, command: &Command) -> ConversationFixture {
        self.steps += 1;
        let context = Context {
            now: at(u64::try_from(self.events.len()).unwrap()),
            ids: IdSource::new(self.steps << 32),
            actor: Actor::new(None, Surface::Web),
            node: None,
        };
        let decision = self.conversation.decide(command, &context).unwrap();
        self.events.extend(decision.events);
        self.conversation = decision.after;
        self
    }

    fn says(self, text: &str) -> ConversationFixture {
        self.after(&Command::SendMessage {
            message: Some(MessageId::new(format!("msg_{text}"))),
            text: text.to_owned(),
        })
    }

    fn replies(self, text: &str, calls: &[(&str, Value)]) -> ConversationFixture {
        let calls = calls.iter().map(|(name, input)| RawCall {
            provider_id: String::new(),
            name: (*name).to_owned(),
            input: input.clone(),
        });
        let reply = RawReply {
            text: text.to_owned(),
            reasoning: None,
            calls: calls.collect(),
        };
        let request = self.conversation.requests;
        self.after(&Command::LlmReplied {
            request,
            attempt: 1,
            reply,
        })
    }

    fn runs(self, content: &str) -> ConversationFixture {
        let call = self.conversation.state.round().unwrap().current().unwrap();
        let call = call.id.clone();
        self.after(&Command::ToolStarted { call: call.clone() })
            .after(&Command::ToolFinished {
                call,
                result: CallResult::ok(content),
            })
    }

    fn answers(self, answers: Value) -> ConversationFixture {
        self.after(&Command::Answer {
            target: Target::Pending,
            answers,
            notes: None,
        })
    }

    fn numbered(&self) -> impl Iterator<Item = LoggedEvent<'_>> {
        let events = (1..).zip(&self.events);
        events.map(|(n, event)| LoggedEvent::new(n, at(n), event))
    }

    fn messages(&self) -> Vec<MessageResponse> {
        messages(self.numbered())
    }

    /// The block of the only question.
    fn question(&self) -> BlockResponse {
        let messages = self.messages();
        let mut blocks = messages.into_iter().flat_map(|message| message.blocks);
        blocks.find(|block| block.extra.is_some()).unwrap()
    }

    /// Each message as a line: who, and each block with its status and text.
    fn lines(&self) -> Vec<String> {
        let block = |block: &BlockResponse| {
            let status = block.status.as_ref().map_or("", BlockStatus::as_str);
            format!("[{} {status}] {}", block.kind, block.text)
        };
        let line = |message: &MessageResponse| {
            let blocks: Vec<String> = message.blocks.iter().map(block).collect();
            format!("{}: {}", message.role, blocks.join(" | "))
        };
        self.messages().iter().map(line).collect()
    }
}

fn database_question() -> (&'static str, Value) {
    let options = json!([{"label": "PostgreSQL", "description": "A server"}, {"label": "SQLite"}]);
    (
        "question",
        json!({"header": "Database", "question": "Which database?", "options": options}),
    )
}

fn asked() -> ConversationFixture {
    ConversationFixture::agent()
        .says("Go")
        .replies("Let me ask.", &[database_question()])
}

#[test]
fn pending_question_is_a_block_under_the_message_that_asked() {
    let fixture = asked();
    let message = fixture.messages().pop().unwrap();
    assert_eq!(message.role, Role::Assistant);
    let json = serde_json::to_value(&message).unwrap();
    let inquiry = fixture.conversation.state.pending()[0].id.to_string();
    assert_eq!(
        json["blocks"],
        json!([
            {"type": "content", "text": "Let me ask.", "timestamp": "2026-01-01T00:00:04Z"},
            {
                "type": "action",
                "action_type": "question_request",
                "status": "pending",
                "text": "Which database?\n- PostgreSQL\n- SQLite",
                "timestamp": "2026-01-01T00:00:03Z",
                "extra": {
                    "needsUserAction": true,
                    "questionHeader": "Database",
                    "questionText": "Which database?",
                    "questionOptions": [
                        {"label": "PostgreSQL", "description": "A server"},
                        {"label": "SQLite"},
                    ],
                    "questionMultiple": false,
                    "questionCustom": true,
                    "questionResolution": "asked",
                    "inquiryId": inquiry,
                    "revision": json["blocks"][1]["extra"]["revision"],
                    "dialect": "question",
                    "inquiryStatus": "pending",
                    "questions": [{
                        "id": "q1",
                        "header": "Database",
                        "text": "Which database?",
                        "optional": false,
                        "kind": "choice",
                        "several": false,
                        "own": true,
                        "choices": [
                            {
                                "value": "PostgreSQL",
                                "label": "PostgreSQL",
                                "description": "A server",
                            },
                            {"value": "SQLite", "label": "SQLite"},
                        ],
                    }],
                },
            },
        ])
    );
}

#[test]
fn chosen_answer_resolves_the_block_and_becomes_the_next_user_message() {
    let fixture = asked().answers(json!({"q1": "SQLite"}));
    assert_eq!(
        fixture.lines(),
        [
            "user: [content ] Go",
            "assistant: [content ] Let me ask. | [action success] Which database?\n- PostgreSQL\n- SQLite",
            "user: [content ] SQLite",
        ]
    );
    let extra = fixture.question().extra.unwrap();
    assert!(!extra.needs_user_action);
    assert_eq!(extra.question_resolution, QuestionResolution::Replied);
    assert_eq!(extra.answer_text.as_deref(), Some("SQLite"));
    assert_eq!(extra.answer_message_id, None);
}

#[test]
fn several_choices_with_own_text_are_one_line_each() {
    let input = json!({
        "question": "Which ones?", "multiple": true,
        "options": [{"label": "A"}, {"label": "B"}, {"label": "C"}],
    });
    let fixture = ConversationFixture::agent()
        .says("Go")
        .replies("", &[("question", input)])
        .answers(json!({"q1": {"values": ["C", "A"], "own": "and D"}}));
    let extra = fixture.question().extra.unwrap();
    assert!(extra.question_multiple);
    assert_eq!(extra.answer_text.as_deref(), Some("A\nC\nand D"));
    assert_eq!(
        fixture.lines().pop().unwrap(),
        "user: [content ] A\nC\nand D"
    );
}

#[test]
fn message_instead_of_a_choice_is_linked_and_not_repeated() {
    let fixture = asked().says("Neither");
    assert_eq!(
        fixture.lines(),
        [
            "user: [content ] Go",
            "assistant: [content ] Let me ask. | [action success] Which database?\n- PostgreSQL\n- SQLite",
            "user: [content ] Neither",
        ]
    );
    let extra = fixture.question().extra.unwrap();
    assert_eq!(extra.question_resolution, QuestionResolution::Replied);
    assert_eq!(extra.answer_text.as_deref(), Some("Neither"));
    let answer = fixture.messages().pop().unwrap();
    assert_eq!(answer.sent_as, Some(MessageId::new("msg_Neither")));
    assert_eq!(extra.answer_message_id, Some(answer.id));
}

/// A message never replaces another, whatever id its sender chose: not in a new log, and not in an old
/// one that uses the ids of senders as message ids.
#[test]
fn no_message_replaces_another() {
    let asked = asked();
    let taken: Vec<MessageId> = asked.messages().into_iter().map(|it| it.id).collect();
    for id in taken {
        let mut fixture = asked.clone().after(&Command::SendMessage {
            message: Some(id.clone()),
            text: "Mine".to_owned(),
        });
        assert_eq!(fixture.messages().len(), 3, "{id}");
        let received = |event: &&mut Event| matches!(event, Event::MessageReceived { .. });
        let Some(Event::MessageReceived { message, .. }) =
            fixture.events.iter_mut().rfind(received)
        else {
            panic!("the message is in the log");
        };
        if id.as_str().starts_with("evt_") {
            *message = id.clone();
            assert_eq!(fixture.messages().len(), 3, "{id} in a log of old");
        }
    }
}

#[test]
fn rejected_question_is_denied_without_a_user_message() {
    let fixture = asked().after(&Command::Reject {
        target: Target::Pending,
    });
    assert_eq!(fixture.messages().len(), 2);
    let block = fixture.question();
    assert_eq!(block.status, Some(BlockStatus::Denied));
    let extra = block.extra.unwrap();
    assert!(!extra.needs_user_action);
    assert_eq!(extra.question_resolution, QuestionResolution::Rejected);
    assert_eq!(extra.answer_text, None);
}

#[test]
fn every_outcome_has_its_status_and_only_answers_succeed() {
    let pending = Target::Pending;
    let cases = [
        (
            Command::Decline {
                target: pending.clone(),
            },
            "denied",
            "declined",
            "declined",
        ),
        (
            Command::Cancel { target: None },
            "denied",
            "rejected",
            "cancelled",
        ),
        (
            Command::Withdraw { target: None },
            "error",
            "withdrawn",
            "withdrawn",
        ),
    ];
    for (command, status, resolution, outcome) in cases {
        let block = asked().after(&command).question();
        assert_eq!(block.status.unwrap().as_str(), status, "{outcome}");
        let extra = block.extra.unwrap();
        assert_eq!(extra.question_resolution.as_str(), resolution, "{outcome}");
        assert_eq!(extra.inquiry_status.as_str(), outcome);
        assert!(!extra.needs_user_action, "{outcome}");
    }
}

#[test]
fn question_beside_other_calls_is_a_visible_error_and_pauses_nothing() {
    let fixture = ConversationFixture::agent()
        .says("Go")
        .replies(
            "",
            &[("read_file", json!({"path": "a"})), database_question()],
        )
        .runs("content of a");
    assert!(matches!(
        fixture.conversation.state,
        State::LlmRequesting { .. }
    ));
    let message = fixture.messages().pop().unwrap();
    let [tool, error] = message.blocks.as_slice() else {
        panic!("two blocks");
    };
    assert_eq!(
        (&tool.kind, tool.status.as_ref(), tool.text.as_str()),
        (
            &BlockType::ToolCall,
            Some(&BlockStatus::Success),
            "read_file"
        )
    );
    assert_eq!(
        tool.tool_call.as_ref().unwrap().result.as_deref(),
        Some("content of a")
    );
    assert_eq!(
        (&error.kind, error.status.as_ref()),
        (&BlockType::Error, Some(&BlockStatus::Error))
    );
    assert_eq!(
        error.text,
        "The agent wanted to ask with question, but could not."
    );
    let why = error.tool_call.as_ref().unwrap().result.as_deref().unwrap();
    assert!(why.contains("must be the only tool call"), "{why}");
}

#[test]
fn refused_tool_input_is_a_visible_error() {
    let fixture = ConversationFixture::agent()
        .says("Go")
        .replies("", &[("question", json!({"question": "No choices?"}))]);
    let message = fixture.messages().pop().unwrap();
    assert_eq!(message.blocks.len(), 1);
    assert_eq!(message.blocks[0].kind, BlockType::Error);
    assert_eq!(message.blocks[0].extra, None);
}

#[test]
fn several_questions_show_the_first_and_contain_all() {
    let options = json!([{"label": "Yes"}, {"label": "No"}]);
    let input = json!({"questions": [
        {"question": "First?", "header": "One", "options": options},
        {"question": "Second?", "header": "Two", "options": options, "multiSelect": true},
    ]});
    let fixture = ConversationFixture::agent()
        .says("Go")
        .replies("", &[("ask_user_question", input)])
        .answers(json!({"First?": "Yes", "q2": ["Yes", "No"]}));
    let extra = fixture.question().extra.unwrap();
    assert_eq!(extra.question_text, "First?");
    assert_eq!(extra.questions.len(), 2);
    assert_eq!(extra.answer_text.as_deref(), Some("One: Yes\nTwo: Yes, No"));
    assert_eq!(fixture.messages().len(), 2, "no user message is inserted");
}

#[test]
fn tool_call_goes_from_pending_over_loading_to_done() {
    let fixture = ConversationFixture::agent()
        .says("Go")
        .replies("", &[("run", json!({"text": "\u{1b}[31mred"}))])
        .runs("\u{1b}[31mdone\u{202e}");
    let mut projection = Projection::default();
    let mut seen = Vec::new();
    for LoggedEvent { position, event } in fixture.numbered() {
        for message in projection.apply(position, event) {
            let blocks = message.blocks.into_iter().filter_map(|block| block.status);
            seen.extend(blocks.map(|status| status.to_string()));
        }
    }
    assert_eq!(seen, ["pending", "loading", "success"]);
    let block = fixture.messages().pop().unwrap().blocks.pop().unwrap();
    let call = block.tool_call.unwrap();
    assert_eq!(call.result.as_deref(), Some("␛done"));
    assert!(!call.input.contains('\u{1b}'));
}

#[test]
fn failed_turn_is_an_error_message() {
    let fixture = ConversationFixture::agent().says("Go");
    let State::LlmRequesting {
        request, attempt, ..
    } = fixture.conversation.state
    else {
        panic!("a request is under way");
    };
    let fixture = fixture.after(&Command::LlmFailed {
        request,
        attempt,
        failure: AgentFailure {
            kind: FailureKind::Refused,
            message: Text::clean("The key is wrong.", Lines::One).unwrap(),
        },
        retry_after: None,
    });
    assert_eq!(
        fixture.lines(),
        [
            "user: [content ] Go",
            "assistant: [error error] The key is wrong."
        ]
    );
}

#[test]
fn questions_of_external_agents_are_messages_of_their_own() {
    let (_, input) = database_question();
    let inquiry = Dialect::Question
        .parse(&input, ParseOptions::default())
        .unwrap()
        .inquiry;
    let ask = Command::Ask {
        inquiry,
        deadline: None,
    };
    let fixture = ConversationFixture::new(Driver::External)
        .after(&ask)
        .after(&ask);
    let first = fixture.conversation.state.pending()[0].id.clone();
    let fixture = fixture.after(&Command::Answer {
        target: first.into(),
        answers: json!({"q1": "SQLite"}),
        notes: None,
    });
    let statuses: Vec<String> = fixture
        .messages()
        .iter()
        .map(|message| message.blocks[0].status.as_ref().unwrap().to_string())
        .collect();
    assert_eq!(statuses, ["success", "pending"]);
}
