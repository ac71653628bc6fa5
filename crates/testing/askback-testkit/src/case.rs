//! One generated case, and what became of many.

use std::fmt;
use std::ops::AddAssign;
use std::panic::{AssertUnwindSafe, catch_unwind};

use askback_core::dialect::Dialect;
use serde_json::Value;

use crate::check::{self, BrokenRule};
use crate::input;
use crate::rng::Rng;

/// One input, decided by three values and nothing else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Case {
    /// The contract under test.
    pub dialect: Dialect,
    /// The seed of the run.
    pub seed: u64,
    /// Which case of the run.
    pub index: u64,
}

/// What became of the cases of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CaseCounts {
    /// Cases.
    pub inputs: u64,
    /// Inputs that became an inquiry.
    pub accepted: u64,
    /// Those of them that had to be repaired.
    pub repaired: u64,
    /// Inputs that were refused.
    pub refused: u64,
    /// Outcomes that were written for the model.
    pub rendered: u64,
    /// Those of them that carry answers.
    pub answered: u64,
    /// Outcomes that did not fit their inquiry.
    pub misfits: u64,
}

/// A case in which a rule does not hold.
#[derive(Debug)]
pub struct FailedCase {
    /// Which case.
    pub case: Case,
    /// Its input.
    pub input: Value,
    /// What went wrong.
    pub broken: BrokenRule,
}

impl Case {
    /// Follows the case through the core: input, inquiry, outcome, reply; checks every rule.
    pub fn run(self) -> Result<CaseCounts, Box<FailedCase>> {
        let mut rng = Rng::for_case(self.seed, self.index);
        let input = input::tool_input(&mut rng, self.dialect);
        let checked = catch_unwind(AssertUnwindSafe(|| {
            check::run_through_core(&mut rng, self.dialect, &input)
        }));
        let broken = match checked {
            Ok(Ok(counts)) => return Ok(counts),
            Ok(Err(broken)) => broken,
            Err(payload) => BrokenRule::panic(payload.as_ref()),
        };
        Err(Box::new(FailedCase {
            case: self,
            input,
            broken,
        }))
    }
}

impl AddAssign for CaseCounts {
    fn add_assign(&mut self, other: CaseCounts) {
        self.inputs += other.inputs;
        self.accepted += other.accepted;
        self.repaired += other.repaired;
        self.refused += other.refused;
        self.rendered += other.rendered;
        self.answered += other.answered;
        self.misfits += other.misfits;
    }
}

impl fmt::Display for FailedCase {
    /// What broke, how to run it again, and the input.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Case {
            dialect,
            seed,
            index,
        } = self.case;
        let name = dialect.name();
        writeln!(f, "{}", self.broken)?;
        writeln!(
            f,
            "again: cargo xtask fuzz-inputs --dialect {name} --seed {seed} --from {index} --count 1"
        )?;
        write!(f, "input: {}", self.input)
    }
}

impl std::error::Error for FailedCase {}
