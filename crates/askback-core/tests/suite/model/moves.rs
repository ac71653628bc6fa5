//! What can happen next: every command, aimed at what is there, at what is gone and at nothing.

use askback_core::conversation::command::{Command, RawCall, RespondentAction, Target};
use askback_core::conversation::event::{CallResult, FailureKind};
use askback_core::dialect::Dialect;
use askback_core::id::{CallId, ConversationId, InquiryId};
use askback_core::outcome::UndeliverableReason;
use jiff::SignedDuration;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::{Just, any, prop_oneof};
use proptest::sample::select;
use proptest::strategy::{BoxedStrategy, Strategy};
use serde_json::{Value, json};

use super::reference::{Model, Phase};
use crate::suite::machine::{Kind, Thread, samples};

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
pub(super) enum Move {
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
    Decline(On),
    Reject(On),
    Cancel(Option<On>),
    Withdraw(Option<On>),
    /// Of the deadline that stands.
    Remind(Which),
    Expire(Which),
    Undeliverable(Which),
    Postpone {
        on: On,
        seconds: Option<i64>,
    },
    KeepOpen {
        on: On,
        seconds: Option<i64>,
    },
    Hold {
        on: On,
        held: Holdable,
        seconds: i64,
    },
    TakeBack(On),
    /// What is held now.
    Release(Which),
}

/// What can be taken back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Holdable {
    Answer { fits: bool },
    Decline,
    Reject,
}

impl Move {
    /// Any move; three times in four one that can lead on from here.
    pub(super) fn any(model: &Model) -> BoxedStrategy<Move> {
        prop_oneof![
            3 => Move::fitting(model),
            1 => Move::wild(),
        ]
        .boxed()
    }

    fn fitting(model: &Model) -> BoxedStrategy<Move> {
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
            Phase::Tool { started: false } => Just(Move::Start(here)).boxed(),
            Phase::Tool { started: true } => {
                prop_oneof![3 => Just(Move::Finish(here)), 1 => Just(Move::Interrupt(here))].boxed()
            }
            Phase::Asking => prop_oneof![6 => endings(), 1 => says(), 1 => waits()].boxed(),
            Phase::Children { .. } => Just(Move::Report(here)).boxed(),
        }
    }

    fn wild() -> BoxedStrategy<Move> {
        prop_oneof![
            waits(),
            Just(Move::Crash),
            says(),
            replies(which()),
            fails(which()),
            which().prop_map(Move::Start),
            which().prop_map(Move::Finish),
            which().prop_map(Move::Interrupt),
            which().prop_map(Move::Report),
            asks(),
            endings(),
            option::of(on()).prop_map(Move::Cancel),
            option::of(on()).prop_map(Move::Withdraw),
        ]
        .boxed()
    }

    /// The move as a command to the conversation.
    pub(super) fn command(&self, thread: &Thread) -> Command {
        match self {
            Move::Wait { .. } | Move::Crash => panic!("not a command"),
            Move::Say { id, blank } => {
                let text = if *blank { " " } else { "Hello" };
                match id {
                    Some(id) => samples::say_as(&format!("msg_{id}"), text),
                    None => samples::say(text),
                }
            }
            Move::Reply {
                request,
                off,
                text,
                calls,
            } => {
                let text = if *text { "Well." } else { "" };
                let calls: Vec<RawCall> = calls.iter().map(Call::raw).collect();
                let attempt = attempt(thread).saturating_add_signed(*off);
                samples::reply_to((request_number(*request, thread), attempt), text, &calls)
            }
            Move::Fail {
                request,
                off,
                lasting,
            } => {
                let kind = if *lasting {
                    FailureKind::Refused
                } else {
                    FailureKind::Overloaded
                };
                let attempt = attempt(thread).saturating_add_signed(*off);
                samples::fail(request_number(*request, thread), attempt, kind)
            }
            Move::Start(which) => Command::ToolStarted {
                call: call(*which, thread),
            },
            Move::Finish(which) => samples::finish(call(*which, thread), "done"),
            Move::Interrupt(which) => Command::ToolInterrupted {
                call: call(*which, thread),
            },
            Move::Report(which) => Command::SubAgentFinished {
                child: child(*which, thread),
                result: CallResult::ok("done"),
            },
            Move::Ask { dialect, seconds } => samples::external_ask(*dialect, *seconds),
            Move::Answer { .. }
            | Move::Decline(_)
            | Move::Reject(_)
            | Move::Cancel(_)
            | Move::Withdraw(_)
            | Move::Remind(_)
            | Move::Expire(_)
            | Move::Undeliverable(_)
            | Move::Postpone { .. }
            | Move::KeepOpen { .. }
            | Move::Hold { .. }
            | Move::TakeBack(_)
            | Move::Release(_) => self.ending(thread),
        }
    }

    fn ending(&self, thread: &Thread) -> Command {
        match self {
            Move::Answer { on, fits } => Command::Answer {
                target: on.target(thread),
                answers: answers(*fits),
                notes: None,
            },
            Move::Hold { on, held, seconds } => {
                let until = thread.now + SignedDuration::from_secs(*seconds);
                samples::hold(on.target(thread), held.reply(), until)
            }
            Move::TakeBack(on) => samples::take_back(on.target(thread)),
            Move::Release(which) => {
                let inquiry = inquiry(*which, thread);
                let mut pending = thread.conversation.state.pending().iter();
                let pending = pending.find(|pending| pending.id == inquiry);
                let held = pending.and_then(|pending| pending.held.as_ref());
                let until = held.map_or(thread.now, |held| held.until);
                samples::release(inquiry, until)
            }
            Move::Decline(on) => samples::decline(on.target(thread)),
            Move::Reject(on) => samples::reject(on.target(thread)),
            Move::Cancel(on) => Command::Cancel {
                target: on.map(|on| on.target(thread)),
            },
            Move::Withdraw(on) => Command::Withdraw {
                target: on.map(|on| on.target(thread)),
            },
            Move::Remind(which) => {
                let inquiry = inquiry(*which, thread);
                let mut pending = thread.conversation.state.pending().iter();
                let pending = pending.find(|pending| pending.id == inquiry);
                let deadline = pending.and_then(|pending| pending.expires_at);
                samples::remind(inquiry, deadline.unwrap_or(thread.now))
            }
            Move::Expire(which) => samples::expire(inquiry(*which, thread)),
            Move::Undeliverable(which) => Command::MarkUndeliverable {
                inquiry: inquiry(*which, thread),
                reason: UndeliverableReason::NobodyThere,
            },
            Move::Postpone { on, seconds } => Command::MoveDeadline {
                target: on.target(thread),
                expires_at: seconds.map(|after| thread.now + SignedDuration::from_secs(after)),
            },
            Move::KeepOpen { on, seconds } => Command::KeepOpen {
                target: on.target(thread),
                at_least: seconds.map(|after| thread.now + SignedDuration::from_secs(after)),
            },
            Move::Wait { .. }
            | Move::Crash
            | Move::Say { .. }
            | Move::Reply { .. }
            | Move::Fail { .. }
            | Move::Start(_)
            | Move::Finish(_)
            | Move::Interrupt(_)
            | Move::Report(_)
            | Move::Ask { .. } => panic!("not an ending"),
        }
    }
}

fn answers(fit: bool) -> Value {
    if fit { samples::red() } else { json!({}) }
}

impl Holdable {
    fn reply(self) -> RespondentAction {
        match self {
            Holdable::Answer { fits } => RespondentAction::Answer {
                answers: answers(fits),
                notes: None,
            },
            Holdable::Decline => RespondentAction::Decline,
            Holdable::Reject => RespondentAction::Reject,
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
    fn target(self, thread: &Thread) -> Target {
        match self {
            On::Pending => Target::Pending,
            On::Id(which) => inquiry(which, thread).into(),
            On::Revision(which, revision) => Target::Inquiry {
                id: inquiry(which, thread),
                revision: Some(revision),
            },
        }
    }
}

fn request_number(which: Which, thread: &Thread) -> u64 {
    let current = thread.conversation.requests;
    match which {
        Which::Current => current,
        Which::Any(nth) => u64::try_from(nth).unwrap() % (current + 1),
        Which::Unknown => current + 1,
    }
}

fn attempt(thread: &Thread) -> u32 {
    super::reference::attempt_of(thread).unwrap_or(1)
}

fn call(which: Which, thread: &Thread) -> CallId {
    let round = thread.conversation.state.round();
    let current = round.map(|_| thread.current_call());
    pick(which, current, &thread.made_calls()).unwrap_or_else(|| CallId::new("call_unknown"))
}

fn child(which: Which, thread: &Thread) -> ConversationId {
    let current = super::reference::waited_for(thread);
    let child = pick(which, current, &thread.children());
    child.unwrap_or_else(|| ConversationId::new("cnv_unknown"))
}

fn inquiry(which: Which, thread: &Thread) -> InquiryId {
    let current = thread.conversation.state.pending().first();
    let current = current.map(|pending| pending.id.clone());
    let inquiry = pick(which, current, &thread.inquiries());
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
    ]
    .boxed()
}

fn dialect() -> impl Strategy<Value = Dialect> {
    select(&Dialect::ALL[..])
}

fn waits() -> BoxedStrategy<Move> {
    select(vec![1, 30, 60, 3_600])
        .prop_map(|seconds| Move::Wait { seconds })
        .boxed()
}

fn says() -> BoxedStrategy<Move> {
    let id = option::of(0..5_usize);
    let blank = proptest::bool::weighted(0.1);
    (id, blank)
        .prop_map(|(id, blank)| Move::Say { id, blank })
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

fn replies(request: impl Strategy<Value = Which> + 'static) -> BoxedStrategy<Move> {
    let off = select(vec![0, 0, 0, 0, 0, 0, -1, 1]);
    (request, off, any::<bool>(), vec(call_strategy(), 0..5))
        .prop_map(|(request, off, text, calls)| Move::Reply {
            request,
            off,
            text,
            calls,
        })
        .boxed()
}

fn fails(request: impl Strategy<Value = Which> + 'static) -> BoxedStrategy<Move> {
    let off = select(vec![0, 0, 0, 0, -1, 1]);
    let lasting = proptest::bool::weighted(0.2);
    (request, off, lasting)
        .prop_map(|(request, off, lasting)| Move::Fail {
            request,
            off,
            lasting,
        })
        .boxed()
}

fn asks() -> BoxedStrategy<Move> {
    let seconds = option::of(select(vec![-1, 0, 1, 60]));
    (dialect(), seconds)
        .prop_map(|(dialect, seconds)| Move::Ask { dialect, seconds })
        .boxed()
}

/// What can give an inquiry its outcome, or put it off.
fn endings() -> BoxedStrategy<Move> {
    let seconds = || option::of(select(vec![-1, 0, 30, 90]));
    prop_oneof![
        3 => (on(), proptest::bool::weighted(0.8)).prop_map(|(on, fits)| Move::Answer { on, fits }),
        1 => on().prop_map(Move::Decline),
        1 => on().prop_map(Move::Reject),
        1 => on().prop_map(|on| Move::Cancel(Some(on))),
        1 => on().prop_map(|on| Move::Withdraw(Some(on))),
        1 => which().prop_map(Move::Remind),
        2 => which().prop_map(Move::Expire),
        1 => which().prop_map(Move::Undeliverable),
        1 => (on(), seconds()).prop_map(|(on, seconds)| Move::Postpone { on, seconds }),
        1 => (on(), seconds()).prop_map(|(on, seconds)| Move::KeepOpen { on, seconds }),
        3 => holds(),
        1 => on().prop_map(Move::TakeBack),
        2 => which().prop_map(Move::Release),
    ]
    .boxed()
}

fn holds() -> BoxedStrategy<Move> {
    let held = prop_oneof![
        3 => proptest::bool::weighted(0.8).prop_map(|fits| Holdable::Answer { fits }),
        1 => Just(Holdable::Decline),
        1 => Just(Holdable::Reject),
    ];
    let seconds = select(vec![-1, 0, 1, 5, 60, 61]);
    (on(), held, seconds)
        .prop_map(|(on, held, seconds)| Move::Hold { on, held, seconds })
        .boxed()
}
