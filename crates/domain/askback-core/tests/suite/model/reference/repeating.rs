//! What must follow when an agent repeats what fails.

use askback_core::dialect::Dialect;

use super::{Model, Phase};
use crate::suite::machine::Kind;
use crate::suite::model::actions::Call;

const SAME_FAILURES_MAX: u32 = 5;

/// The errors of the open round, and how often the last one was like the one before.
#[derive(Debug, Clone, Default)]
pub(super) struct Repeats {
    /// None once a call has succeeded.
    open: Option<Vec<&'static str>>,
    last: Option<(Vec<Call>, Vec<&'static str>)>,
    times: u32,
}

impl Model {
    pub(super) fn begin_round(&mut self) {
        self.repeats.open = Some(Vec::new());
    }

    /// The current call has its result: an error, or none.
    pub(super) fn finish_call(&mut self, error: Option<&'static str>) {
        match (error, &mut self.repeats.open) {
            (Some(error), Some(errors)) => errors.push(error),
            (Some(_), None) => {}
            (None, open) => *open = None,
        }
        self.settled += 1;
    }

    /// Every call has its result: back to the model, unless that leads nowhere.
    pub(super) fn finish_round(&mut self) {
        let errors = self.repeats.open.take();
        let failed = errors.map(|errors| (self.round.clone(), errors));
        let again = failed.is_some() && failed == self.repeats.last;
        self.repeats.times = match (&failed, again) {
            (None, _) => 0,
            (Some(_), true) => self.repeats.times + 1,
            (Some(_), false) => 1,
        };
        self.repeats.last = failed;
        if self.repeats.times >= SAME_FAILURES_MAX {
            self.phase = Phase::Failed;
        } else {
            self.think();
        }
    }

    /// Somebody has said or answered something.
    pub(super) fn start_over(&mut self) {
        self.repeats.last = None;
        self.repeats.times = 0;
    }

    /// Why a call is refused that is not carried out.
    pub(super) fn error_of(&self, call: Call) -> &'static str {
        match call {
            Call::Ask(dialect) | Call::BadAsk(dialect) => self.ask_error(dialect),
            Call::Spawn(_) | Call::BadSpawn if self.rules.kind != Kind::Parent => "cannot spawn",
            Call::Tool | Call::Spawn(_) | Call::BadSpawn => "malformed",
        }
    }

    fn ask_error(&self, dialect: Dialect) -> &'static str {
        let sub_agent = self.rules.kind == Kind::SubAgent && !self.rules.sub_agents_may_ask;
        if sub_agent || self.rules.unattended {
            "cannot ask"
        } else if !self.may_ask(dialect) {
            "asked too often"
        } else if !self.stands_right(dialect) {
            "not alone"
        } else {
            "malformed"
        }
    }
}
