//! What can happen next: every command, aimed at what is there, at what is gone and at nothing.

use askback_core::conversation::command::{
    Command, NewDeadline, RawCall, RespondentAction, Target,
};
use askback_core::conversation::event::{CallResult, FailureKind};
use askback_core::dialect::Dialect;
use askback_core::id::{CallId, ConversationId, InquiryId};
use jiff::SignedDuration;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::{Just, any, prop_oneof};
use proptest::sample::select;
use proptest::strategy::{BoxedStrategy, Strategy};
use serde_json::{Value, json};

use super::reference::{Model, Phase};
use crate::suite::machine::{CheckedConversation, Kind, samples};

/// One of several things that have been numbered in the order in which they came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Which {
    /// The one that is due.
    Current,
    /// Any that ever was, counted round.
    Any(usize),
    /// None that ever was.
    Unknown,
}

/// How a command names an inquiry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum On {
    Pending,
    Id(Which),
    Revision(Which, u32),
    /// As the recipient in a channel, who saw the inquiry this many hand-ons ago.
    Delivered(Which, u32),
}

/// A tool call of the model, as far as the machine tells them apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Call {
    Tool,
    Ask(Dialect),
    BadAsk(Dialect),
    Spawn(usize),
    BadSpawn,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum ModelAction {
    Wait {
        seconds: i64,
    },
    Crash,
    Say {
        id: Option<usize>,
        blank: bool,
    },
    Reply {
        request: Which,
        /// How far the attempt is from the one under way.
        off: i32,
        text: bool,
        calls: Vec<Call>,
    },
    Fail {
        request: Which,
        /// How far the attempt is from the one under way.
        off: i32,
        lasting: bool,
    },
    Start(Which),
    Finish(Which),
    Interrupt(Which),
    Report(Which),
    Ask {
        dialect: Dialect,
        seconds: Option<i64>,
    },
    Answer {
        on: On,
        fits: bool,
    },
    HandOn {
        on: On,
        to: &'static str,
    },
    Decline(On),
    Reject(On),
    Cancel(Option<On>),
    Withdraw(Option<On>),
    /// Of the deadline that stands.
    Remind(Which),
    Expire(Which),
    Postpone {
        on: On,
        seconds: Option<i64>,
    },
    KeepOpen {
        on: On,
        seconds: Option<i64>,
    },
    AnswerWithUndo {
        on: On,
        held: UndoableAction,
        seconds: i64,
    },
    UndoAnswer(On),
    /// What is held now.
    CommitHeldAnswer(Which),
}

/// What can be taken back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum UndoableAction {
    Answer { fits: bool },
    Decline,
    Reject,
}

impl ModelAction {
    /// Any move; three times in four one that can lead on from here.
    pub(super) fn any(model: &Model) -> BoxedStrategy<ModelAction> {
        prop_oneof![
            3 => ModelAction::fitting(model),
            1 => ModelAction::wild(),
        ]
        .boxed()
    }

    fn fitting(model: &Model) -> BoxedStrategy<ModelAction> {
        let here = Which::Current;
        match &model.phase {
            _ if model.rules.kind == Kind::External => {
                prop_oneof![2 => asks(), 3 => endings(), 1 => waits()].boxed()
            }
            Phase::Idle | Phase::Failed => says().boxed(),
            Phase::Thinking { .. } => prop_oneof![
                6 => replies(Just(here)),
                1 => fails(Just(here)),
            ]
            .boxed(),
            Phase::Tool { started: false } => Just(ModelAction::Start(here)).boxed(),
            Phase::Tool { started: true } => {
                prop_oneof![3 => Just(ModelAction::Finish(here)), 1 => Just(ModelAction::Interrupt(here))].boxed()
            }
            Phase::Asking => prop_oneof![6 => endings(), 1 => says(), 1 => waits()].boxed(),
            Phase::Children { .. } => Just(ModelAction::Report(here)).boxed(),
        }
    }

    fn wild() -> BoxedStrategy<ModelAction> {
        prop_oneof![
            waits(),
            Just(ModelAction::Crash),
            says(),
            replies(which()),
            fails(which()),
            which().prop_map(ModelAction::Start),
            which().prop_map(ModelAction::Finish),
            which().prop_map(ModelAction::Interrupt),
            which().prop_map(ModelAction::Report),
            asks(),
            endings(),
            option::of(on()).prop_map(ModelAction::Cancel),
            option::of(on()).prop_map(ModelAction::Withdraw),
        ]
        .boxed()
    }

    /// The move as a command to the conversation.
    pub(super) fn command(&self, checked: &CheckedConversation) -> Command {
        match self {
            ModelAction::Wait { .. } | ModelAction::Crash => panic!("not a command"),
            ModelAction::Say { id, blank } => {
                let text = if *blank { " " } else { "Hello" };
                match id {
                    Some(id) => samples::say_as(&format!("msg_{id}"), text),
                    None => samples::say(text),
                }
            }
            ModelAction::Reply {
                request,
                off,
                text,
                calls,
            } => {
                let text = if *text { "Well." } else { "" };
                let calls: Vec<RawCall> = calls.iter().map(Call::raw).collect();
                let attempt = attempt(checked).saturating_add_signed(*off);
                samples::reply_to(request_number(*request, checked), attempt, text, &calls)
            }
            ModelAction::Fail {
                request,
                off,
                lasting,
            } => {
                let kind = if *lasting {
                    FailureKind::Refused
                } else {
                    FailureKind::Overloaded
                };
                let attempt = attempt(checked).saturating_add_signed(*off);
                samples::fail(request_number(*request, checked), attempt, kind)
            }
            ModelAction::Start(which) => Command::ToolStarted {
                call: call(*which, checked),
            },
            ModelAction::Finish(which) => samples::finish(call(*which, checked), "done"),
            ModelAction::Interrupt(which) => Command::ToolInterrupted {
                call: call(*which, checked),
            },
            ModelAction::Report(which) => Command::SubAgentFinished {
                child: child(*which, checked),
                result: CallResult::ok("done"),
            },
            ModelAction::Ask { dialect, seconds } => samples::external_ask(*dialect, *seconds),
            ModelAction::Answer { .. }
            | ModelAction::HandOn { .. }
            | ModelAction::Decline(_)
            | ModelAction::Reject(_)
            | ModelAction::Cancel(_)
            | ModelAction::Withdraw(_)
            | ModelAction::Remind(_)
            | ModelAction::Expire(_)
            | ModelAction::Postpone { .. }
            | ModelAction::KeepOpen { .. }
            | ModelAction::AnswerWithUndo { .. }
            | ModelAction::UndoAnswer(_)
            | ModelAction::CommitHeldAnswer(_) => self.ending(checked),
        }
    }

    fn ending(&self, checked: &CheckedConversation) -> Command {
        match self {
            ModelAction::Answer { on, fits } => Command::Answer {
                target: on.target(checked),
                answers: answers(*fits),
                notes: None,
            },
            ModelAction::AnswerWithUndo { on, held, seconds } => {
                let window = SignedDuration::from_secs(*seconds);
                samples::answer_with_undo(on.target(checked), held.reply(), window)
            }
            ModelAction::HandOn { on, to } => samples::hand_on(on.target(checked), to),
            ModelAction::UndoAnswer(on) => samples::take_back(on.target(checked)),
            ModelAction::CommitHeldAnswer(which) => {
                let inquiry = inquiry(*which, checked);
                let mut pending = checked.conversation.state.pending().iter();
                let pending = pending.find(|pending| pending.id == inquiry);
                let held = pending.and_then(|pending| pending.held.as_ref());
                let until = held.map_or(checked.now, |held| held.until);
                samples::release(inquiry, until)
            }
            ModelAction::Decline(on) => samples::decline(on.target(checked)),
            ModelAction::Reject(on) => samples::reject(on.target(checked)),
            ModelAction::Cancel(on) => Command::Cancel {
                target: on.map(|on| on.target(checked)),
            },
            ModelAction::Withdraw(on) => Command::Withdraw {
                target: on.map(|on| on.target(checked)),
            },
            ModelAction::Remind(which) => {
                let inquiry = inquiry(*which, checked);
                let mut pending = checked.conversation.state.pending().iter();
                let pending = pending.find(|pending| pending.id == inquiry);
                let deadline = pending.and_then(|pending| pending.expires_at);
                samples::remind(inquiry, deadline.unwrap_or(checked.now))
            }
            ModelAction::Expire(which) => samples::expire(inquiry(*which, checked)),
            ModelAction::Postpone { on, seconds } => Command::MoveDeadline {
                target: on.target(checked),
                to: seconds.map(|after| NewDeadline::After(SignedDuration::from_secs(after))),
            },
            ModelAction::KeepOpen { on, seconds } => Command::KeepOpen {
                target: on.target(checked),
                at_least: seconds.map(SignedDuration::from_secs),
            },
            ModelAction::Wait { .. }
            | ModelAction::Crash
            | ModelAction::Say { .. }
            | ModelAction::Reply { .. }
            | ModelAction::Fail { .. }
            | ModelAction::Start(_)
            | ModelAction::Finish(_)
            | ModelAction::Interrupt(_)
            | ModelAction::Report(_)
            | ModelAction::Ask { .. } => panic!("not an ending"),
        }
    }
}

fn answers(fit: bool) -> Value {
    if fit { samples::red() } else { json!({}) }
}

impl UndoableAction {
    fn reply(self) -> RespondentAction {
        match self {
            UndoableAction::Answer { fits } => RespondentAction::Answer {
                answers: answers(fits),
                notes: None,
            },
            UndoableAction::Decline => RespondentAction::Decline,
            UndoableAction::Reject => RespondentAction::Reject,
        }
    }
}

impl Call {
    fn raw(&self) -> RawCall {
        match self {
            Call::Tool => samples::tool("read_file"),
            Call::Ask(dialect) => samples::ask(*dialect),
            Call::BadAsk(dialect) => samples::bad_ask(*dialect),
            Call::Spawn(count) => samples::spawn(*count),
            Call::BadSpawn => samples::spawn(0),
        }
    }
}

impl On {
    fn target(self, checked: &CheckedConversation) -> Target {
        match self {
            On::Pending => Target::Pending,
            On::Id(which) => inquiry(which, checked).into(),
            On::Revision(which, revision) => Target::Inquiry {
                id: inquiry(which, checked),
                revision: Some(revision),
            },
            On::Delivered(which, ago) => {
                let id = inquiry(which, checked);
                let mut pending = checked.conversation.state.pending().iter();
                let pending = pending.find(|pending| pending.id == id);
                let hand_ons = pending.map_or(0, |pending| pending.inquiry.hand_ons());
                Target::Delivered {
                    id,
                    revision: 1,
                    hand_ons: hand_ons.wrapping_sub(ago),
                }
            }
        }
    }
}

fn request_number(which: Which, checked: &CheckedConversation) -> u64 {
    let current = checked.conversation.requests;
    match which {
        Which::Current => current,
        Which::Any(nth) => u64::try_from(nth).unwrap() % (current + 1),
        Which::Unknown => current + 1,
    }
}

fn attempt(checked: &CheckedConversation) -> u32 {
    super::reference::attempt_of(checked).unwrap_or(1)
}

fn call(which: Which, checked: &CheckedConversation) -> CallId {
    let round = checked.conversation.state.round();
    let current = round.map(|_| checked.current_call());
    pick(which, current, &checked.made_calls()).unwrap_or_else(|| CallId::new("call_unknown"))
}

fn child(which: Which, checked: &CheckedConversation) -> ConversationId {
    let current = super::reference::waited_for(checked);
    let child = pick(which, current, &checked.children());
    child.unwrap_or_else(|| ConversationId::new("cnv_unknown"))
}

fn inquiry(which: Which, checked: &CheckedConversation) -> InquiryId {
    let current = checked.conversation.state.pending().first();
    let current = current.map(|pending| pending.id.clone());
    let inquiry = pick(which, current, &checked.inquiries());
    inquiry.unwrap_or_else(|| InquiryId::new("inq_unknown"))
}

fn pick<T: Clone>(which: Which, current: Option<T>, all: &[T]) -> Option<T> {
    match which {
        Which::Current => current,
        Which::Any(nth) => all.get(nth % all.len().max(1)).cloned(),
        Which::Unknown => None,
    }
}

// Strategies

fn which() -> BoxedStrategy<Which> {
    prop_oneof![
        4 => Just(Which::Current),
        3 => (0..8_usize).prop_map(Which::Any),
        1 => Just(Which::Unknown),
    ]
    .boxed()
}

fn on() -> BoxedStrategy<On> {
    prop_oneof![
        2 => Just(On::Pending),
        4 => which().prop_map(On::Id),
        1 => (which(), 0..3_u32).prop_map(|(which, revision)| On::Revision(which, revision)),
        2 => (which(), 0..2_u32).prop_map(|(which, ago)| On::Delivered(which, ago)),
    ]
    .boxed()
}

fn dialect() -> impl Strategy<Value = Dialect> {
    select(&Dialect::TOOLS[..])
}

fn waits() -> BoxedStrategy<ModelAction> {
    select(vec![1, 30, 60, 3_600])
        .prop_map(|seconds| ModelAction::Wait { seconds })
        .boxed()
}

fn says() -> BoxedStrategy<ModelAction> {
    let id = option::of(0..5_usize);
    let blank = proptest::bool::weighted(0.1);
    (id, blank)
        .prop_map(|(id, blank)| ModelAction::Say { id, blank })
        .boxed()
}

fn call_strategy() -> impl Strategy<Value = Call> {
    prop_oneof![
        4 => Just(Call::Tool),
        5 => dialect().prop_map(Call::Ask),
        1 => dialect().prop_map(Call::BadAsk),
        2 => (1..4_usize).prop_map(Call::Spawn),
        1 => Just(Call::BadSpawn),
    ]
}

fn replies(request: impl Strategy<Value = Which> + 'static) -> BoxedStrategy<ModelAction> {
    let off = select(vec![0, 0, 0, 0, 0, 0, -1, 1]);
    (request, off, any::<bool>(), vec(call_strategy(), 0..5))
        .prop_map(|(request, off, text, calls)| ModelAction::Reply {
            request,
            off,
            text,
            calls,
        })
        .boxed()
}

fn fails(request: impl Strategy<Value = Which> + 'static) -> BoxedStrategy<ModelAction> {
    let off = select(vec![0, 0, 0, 0, -1, 1]);
    let lasting = proptest::bool::weighted(0.2);
    (request, off, lasting)
        .prop_map(|(request, off, lasting)| ModelAction::Fail {
            request,
            off,
            lasting,
        })
        .boxed()
}

fn asks() -> BoxedStrategy<ModelAction> {
    let seconds = option::of(select(vec![-1, 0, 1, 60]));
    (dialect(), seconds)
        .prop_map(|(dialect, seconds)| ModelAction::Ask { dialect, seconds })
        .boxed()
}

/// What can give an inquiry its outcome, put it off, or hand it on.
fn endings() -> BoxedStrategy<ModelAction> {
    let seconds = || option::of(select(vec![-1, 0, 30, 90]));
    prop_oneof![
        3 => (on(), proptest::bool::weighted(0.8)).prop_map(|(on, fits)| ModelAction::Answer { on, fits }),
        1 => on().prop_map(ModelAction::Decline),
        1 => on().prop_map(ModelAction::Reject),
        1 => on().prop_map(|on| ModelAction::Cancel(Some(on))),
        1 => on().prop_map(|on| ModelAction::Withdraw(Some(on))),
        1 => which().prop_map(ModelAction::Remind),
        2 => which().prop_map(ModelAction::Expire),
        1 => (on(), seconds()).prop_map(|(on, seconds)| ModelAction::Postpone { on, seconds }),
        1 => (on(), seconds()).prop_map(|(on, seconds)| ModelAction::KeepOpen { on, seconds }),
        2 => (on(), select(vec!["ana", "ben"])).prop_map(|(on, to)| ModelAction::HandOn { on, to }),
        3 => with_undo(),
        1 => on().prop_map(ModelAction::UndoAnswer),
        2 => which().prop_map(ModelAction::CommitHeldAnswer),
    ]
    .boxed()
}

fn with_undo() -> BoxedStrategy<ModelAction> {
    let held = prop_oneof![
        3 => proptest::bool::weighted(0.8).prop_map(|fits| UndoableAction::Answer { fits }),
        1 => Just(UndoableAction::Decline),
        1 => Just(UndoableAction::Reject),
    ];
    let seconds = select(vec![-1, 0, 1, 5, 60, 61]);
    (on(), held, seconds)
        .prop_map(|(on, held, seconds)| ModelAction::AnswerWithUndo { on, held, seconds })
        .boxed()
}
