//! The model: what must follow from each move, written down from the design in the plainest way.

use std::collections::VecDeque;

use askback_core::dialect::Dialect;

use super::actions::{Call, ModelAction, On, UndoableAction, Which};
use crate::suite::machine::Kind;

mod repeating;
mod rules;
mod summary;
mod undo;

pub(super) use rules::Rules;
pub(super) use summary::{attempt_of, summary_of, waited_for};

const ATTEMPTS_MAX: u32 = 6;
const MESSAGES_REMEMBERED: usize = 16;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Phase {
    Idle,
    Thinking {
        attempt: u32,
    },
    Tool {
        started: bool,
    },
    Asking,
    /// Which of the sub-agents have not reported.
    Children {
        open: Vec<usize>,
    },
    Failed,
}

#[derive(Debug, Clone)]
struct Inquiry {
    dialect: Dialect,
    open: bool,
    deadline: Option<i64>,
    reminded: bool,
    /// What is held, and until when.
    held: Option<(UndoableAction, i64)>,
    /// Who has it, and how often it was handed on.
    recipient: Option<&'static str>,
    hand_ons: u32,
}

/// What the model knows of a conversation.
#[derive(Debug, Clone)]
pub(super) struct Model {
    pub(super) rules: Rules,
    pub(super) phase: Phase,
    /// What was said of the last move: `granted` or the code of the refusal.
    pub(super) verdict: &'static str,
    now: i64,
    requests: u64,
    messages: VecDeque<Option<usize>>,
    /// The calls of the last round, how many of them are settled, and how many came before.
    round: Vec<Call>,
    settled: usize,
    calls_before: usize,
    inquiries: Vec<Inquiry>,
    children: usize,
    repeats: repeating::Repeats,
}

type Verdict = Result<(), &'static str>;

impl Model {
    pub(super) fn new(rules: Rules) -> Model {
        Model {
            rules,
            phase: Phase::Idle,
            verdict: "granted",
            now: 0,
            requests: 0,
            messages: VecDeque::new(),
            round: Vec::new(),
            settled: 0,
            calls_before: 0,
            inquiries: Vec::new(),
            children: 0,
            repeats: repeating::Repeats::default(),
        }
    }

    pub(super) fn after(mut self, made: &ModelAction) -> Model {
        let before = self.clone();
        match self.make(made) {
            Ok(()) => Model {
                verdict: "granted",
                ..self
            },
            Err(code) => Model {
                verdict: code,
                ..before
            },
        }
    }

    fn make(&mut self, made: &ModelAction) -> Verdict {
        match made {
            ModelAction::Wait { seconds } => self.now += seconds,
            ModelAction::Crash => {}
            ModelAction::Say { id, blank } => self.say(*id, *blank)?,
            ModelAction::Reply {
                request,
                off,
                text,
                calls,
            } => {
                self.require_request(*request)?;
                require(*off == 0, "stale_report")?;
                self.reply(*request, *text, calls)?;
            }
            ModelAction::Fail {
                request,
                off,
                lasting,
            } => {
                self.require_request(*request)?;
                require(*off == 0, "stale_report")?;
                self.fail(*lasting);
            }
            ModelAction::Start(which) => {
                self.require_tool(*which, false)?;
                self.phase = Phase::Tool { started: true };
            }
            ModelAction::Finish(which) => {
                self.require_tool(*which, true)?;
                self.settle(None);
            }
            ModelAction::Interrupt(which) => {
                self.require_tool(*which, true)?;
                self.settle(Some("interrupted"));
            }
            ModelAction::Report(which) => self.report(*which)?,
            ModelAction::Ask { dialect, seconds } => self.ask(*dialect, *seconds)?,
            ModelAction::Answer { on, fits } => {
                let inquiry = self.find_open(*on)?;
                require(*fits, "invalid_answer")?;
                self.conclude(inquiry, UndoableAction::Answer { fits: true });
            }
            ModelAction::HandOn { on, to } => self.hand_on(*on, to)?,
            ModelAction::Decline(on) => {
                let inquiry = self.find_open(*on)?;
                self.conclude(inquiry, UndoableAction::Decline);
            }
            ModelAction::Reject(on) => {
                let inquiry = self.find_open(*on)?;
                self.conclude(inquiry, UndoableAction::Reject);
            }
            ModelAction::Cancel(Some(on)) | ModelAction::Withdraw(Some(on)) => {
                self.end(*on, Model::stop)?;
            }
            ModelAction::AnswerWithUndo { .. }
            | ModelAction::UndoAnswer(_)
            | ModelAction::CommitHeldAnswer(_) => {
                self.undo(made)?;
            }
            ModelAction::Cancel(None) | ModelAction::Withdraw(None) => self.stop_everything()?,
            ModelAction::Remind(_)
            | ModelAction::Expire(_)
            | ModelAction::Postpone { .. }
            | ModelAction::KeepOpen { .. } => self.keep_time(made)?,
        }
        Ok(())
    }

    fn hand_on(&mut self, on: On, to: &'static str) -> Verdict {
        let inquiry = self.find_open(on)?;
        let inquiry = &mut self.inquiries[inquiry];
        require(inquiry.recipient != Some(to), "same_recipient")?;
        inquiry.recipient = Some(to);
        inquiry.hand_ons += 1;
        Ok(())
    }

    /// What has to do with deadlines.
    fn keep_time(&mut self, made: &ModelAction) -> Verdict {
        match made {
            ModelAction::Remind(which) => {
                let inquiry = self.find(On::Id(*which))?;
                let now = self.now;
                let inquiry = &mut self.inquiries[inquiry];
                let ahead = inquiry.deadline.is_some_and(|at| at > now);
                require(ahead && !inquiry.reminded, "stale_report")?;
                require(inquiry.held.is_none(), "held")?;
                inquiry.reminded = true;
            }
            ModelAction::Expire(which) => {
                let inquiry = self.find(On::Id(*which))?;
                require(self.inquiries[inquiry].held.is_none(), "held")?;
                let deadline = self.inquiries[inquiry].deadline;
                require(deadline.is_some_and(|at| at <= self.now), "not_expired")?;
                self.resolve(inquiry);
                self.resume();
            }
            ModelAction::Postpone { on, seconds } => {
                let inquiry = self.find_movable(*on)?;
                require(seconds.is_none_or(|after| after > 0), "deadline_passed")?;
                self.set_deadline(inquiry, seconds.map(|after| self.now + after));
            }
            ModelAction::KeepOpen { on, seconds } => {
                let inquiry = self.find_movable(*on)?;
                require(seconds.is_none_or(|after| after > 0), "deadline_passed")?;
                let wanted = seconds.map(|after| self.now + after);
                let before = self.inquiries[inquiry].deadline;
                let kept = before
                    .zip(wanted)
                    .map(|(before, wanted)| before.max(wanted));
                self.set_deadline(inquiry, kept);
            }
            ModelAction::Wait { .. }
            | ModelAction::Crash
            | ModelAction::Say { .. }
            | ModelAction::Reply { .. }
            | ModelAction::Fail { .. }
            | ModelAction::Start(_)
            | ModelAction::Finish(_)
            | ModelAction::Interrupt(_)
            | ModelAction::Report(_)
            | ModelAction::Ask { .. }
            | ModelAction::Answer { .. }
            | ModelAction::HandOn { .. }
            | ModelAction::Decline(_)
            | ModelAction::Reject(_)
            | ModelAction::Cancel(_)
            | ModelAction::Withdraw(_)
            | ModelAction::AnswerWithUndo { .. }
            | ModelAction::UndoAnswer(_)
            | ModelAction::CommitHeldAnswer(_) => panic!("nothing to do with time"),
        }
        Ok(())
    }

    fn set_deadline(&mut self, inquiry: usize, deadline: Option<i64>) {
        let inquiry = &mut self.inquiries[inquiry];
        inquiry.deadline = deadline;
        inquiry.reminded = false;
        if let (Some((_, until)), Some(deadline)) = (&mut inquiry.held, deadline) {
            *until = deadline.min(*until);
        }
    }

    fn is_agent(&self) -> bool {
        self.rules.kind != Kind::External
    }

    fn say(&mut self, id: Option<usize>, blank: bool) -> Verdict {
        require(self.is_agent(), "wrong_driver")?;
        let repeated = id.is_some() && self.messages.contains(&id);
        require(!repeated, "duplicate_message")?;
        require(!blank, "invalid_message")?;
        match self.phase {
            Phase::Idle | Phase::Failed => {
                self.remember(id);
                self.start_over();
                self.think();
            }
            Phase::Asking => {
                let inquiry = self.find(On::Pending)?;
                let dialect = self.inquiries[inquiry].dialect;
                require(
                    self.rules.message_answers(dialect),
                    "awaiting_user_response",
                )?;
                require(self.inquiries[inquiry].held.is_none(), "held")?;
                self.require_in_time(inquiry)?;
                self.resolve(inquiry);
                self.remember(id);
                self.start_over();
                self.resume();
            }
            Phase::Thinking { .. } | Phase::Tool { .. } | Phase::Children { .. } => {
                return Err("busy");
            }
        }
        Ok(())
    }

    fn remember(&mut self, id: Option<usize>) {
        if id.is_none() {
            return;
        }
        self.messages.push_back(id);
        if self.messages.len() > MESSAGES_REMEMBERED {
            self.messages.pop_front();
        }
    }

    fn think(&mut self) {
        self.requests += 1;
        self.phase = Phase::Thinking { attempt: 1 };
    }

    fn require_request(&self, request: Which) -> Verdict {
        let thinking = matches!(self.phase, Phase::Thinking { .. });
        let current = match request {
            Which::Current => true,
            Which::Any(nth) => u64::try_from(nth).unwrap() % (self.requests + 1) == self.requests,
            Which::Unknown => false,
        };
        require(thinking && current, "stale_report")
    }

    fn reply(&mut self, request: Which, text: bool, calls: &[Call]) -> Verdict {
        self.require_request(request)?;
        if calls.is_empty() {
            if text {
                self.phase = Phase::Idle;
            } else {
                self.fail(false);
            }
            return Ok(());
        }
        self.calls_before += self.round.len();
        self.round = calls.to_vec();
        self.settled = 0;
        self.begin_round();
        self.advance();
        Ok(())
    }

    fn fail(&mut self, lasting: bool) {
        let Phase::Thinking { attempt } = self.phase else {
            return;
        };
        self.phase = if lasting || attempt == ATTEMPTS_MAX {
            Phase::Failed
        } else {
            Phase::Thinking {
                attempt: attempt + 1,
            }
        };
    }

    /// Goes on to the next call that has to wait, or back to the model.
    fn advance(&mut self) {
        while let Some(call) = self.round.get(self.settled).copied() {
            match call {
                Call::Tool => {
                    self.phase = Phase::Tool { started: false };
                    return;
                }
                Call::Spawn(count) if self.rules.kind == Kind::Parent => {
                    let open = (self.children..self.children + count).collect();
                    self.children += count;
                    self.phase = Phase::Children { open };
                    return;
                }
                Call::Ask(dialect) if self.may_ask(dialect) && self.stands_right(dialect) => {
                    let deadline = self.rules.deadline().map(|after| self.now + after);
                    self.park(dialect, deadline);
                    self.phase = Phase::Asking;
                    return;
                }
                Call::Ask(_) | Call::BadAsk(_) | Call::Spawn(_) | Call::BadSpawn => {}
            }
            self.finish_call(Some(self.error_of(call)));
        }
        self.finish_round();
    }

    fn settle(&mut self, error: Option<&'static str>) {
        self.finish_call(error);
        self.advance();
    }

    fn may_ask(&self, dialect: Dialect) -> bool {
        let asked = self
            .inquiries
            .iter()
            .filter(|i| i.dialect == dialect)
            .count();
        let sub_agent = self.rules.kind == Kind::SubAgent && !self.rules.sub_agents_may_ask;
        let is_built_in = self.rules.kind != Kind::External;
        let max = self.rules.asked_max(dialect).filter(|_| is_built_in);
        let left = max.is_none_or(|max| asked < usize::try_from(max).unwrap_or(0));
        !sub_agent && !self.rules.unattended && left
    }

    fn stands_right(&self, dialect: Dialect) -> bool {
        self.round.len() == 1 || !self.rules.standalone(dialect)
    }

    fn park(&mut self, dialect: Dialect, deadline: Option<i64>) {
        self.inquiries.push(Inquiry {
            dialect,
            open: true,
            deadline,
            reminded: false,
            held: None,
            recipient: None,
            hand_ons: 0,
        });
    }

    fn require_tool(&self, which: Which, started: bool) -> Verdict {
        let current = self.calls_before + self.settled;
        let made = self.calls_before + self.round.len();
        let named = match which {
            Which::Current => true,
            Which::Any(nth) => made > 0 && nth % made == current,
            Which::Unknown => false,
        };
        require(
            named && self.phase == Phase::Tool { started },
            "stale_report",
        )
    }

    fn report(&mut self, which: Which) -> Verdict {
        let made = self.children;
        let Phase::Children { open } = &mut self.phase else {
            return Err("stale_report");
        };
        let child = match which {
            Which::Current => open.first().copied(),
            Which::Any(nth) => Some(nth % made.max(1)),
            Which::Unknown => None,
        };
        let place = open.iter().position(|open| Some(*open) == child);
        open.remove(place.ok_or("stale_report")?);
        if open.is_empty() {
            self.settle(None);
        }
        Ok(())
    }

    fn ask(&mut self, dialect: Dialect, seconds: Option<i64>) -> Verdict {
        require(!self.is_agent(), "wrong_driver")?;
        require(self.may_ask(dialect), "undeliverable")?;
        require(seconds.is_none_or(|after| after > 0), "deadline_passed")?;
        let after = seconds.or(self.rules.deadline());
        self.park(dialect, after.map(|after| self.now + after));
        Ok(())
    }

    /// The inquiry that a command is for.
    fn find(&self, on: On) -> Result<usize, &'static str> {
        let open: Vec<usize> = self.open().collect();
        let (which, revision) = match (on, &open[..]) {
            (On::Pending, []) => return Err("not_pending"),
            (On::Pending, [only]) => return Ok(*only),
            (On::Pending, _) => return Err("several_pending"),
            (On::Id(which), _) => (which, 1),
            (On::Revision(which, revision), _) => (which, revision),
            (On::Delivered(which, ago), _) => (which, 1 + ago),
        };
        let found = match which {
            Which::Current => open.first().copied(),
            Which::Any(nth) => Some(nth % self.inquiries.len().max(1)),
            Which::Unknown => None,
        };
        let found = found.filter(|found| open.contains(found));
        let gone = if self.phase == Phase::Asking {
            "stale_inquiry"
        } else {
            "not_pending"
        };
        let found = found.ok_or(gone)?;
        require(revision == 1, "stale_inquiry")?;
        Ok(found)
    }

    fn open(&self) -> impl Iterator<Item = usize> {
        let open = |nth: &usize| self.inquiries[*nth].open;
        (0..self.inquiries.len()).filter(open)
    }

    fn resolve(&mut self, inquiry: usize) {
        self.inquiries[inquiry].open = false;
    }

    fn end(&mut self, on: On, then: fn(&mut Model)) -> Verdict {
        let inquiry = self.find(on)?;
        self.resolve(inquiry);
        then(self);
        Ok(())
    }

    fn resume(&mut self) {
        if self.is_agent() {
            self.settle(None);
        }
    }

    fn stop(&mut self) {
        self.settled = self.round.len();
        self.phase = Phase::Idle;
    }

    fn stop_everything(&mut self) -> Verdict {
        let resting = matches!(self.phase, Phase::Idle | Phase::Failed);
        let asked = self.open().next().is_some();
        require(!resting || asked, "nothing_to_stop")?;
        for inquiry in &mut self.inquiries {
            inquiry.open = false;
        }
        self.stop();
        Ok(())
    }
}

fn require(holds: bool, code: &'static str) -> Verdict {
    if holds { Ok(()) } else { Err(code) }
}
