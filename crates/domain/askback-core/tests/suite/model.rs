//! Random sequences of commands, fitting, late, repeated and nonsensical, against a small model of
//! what each must lead to; and all sequences over a small alphabet, to the end.
//!
//! `ASKBACK_CASES` runs more sequences, `ASKBACK_SEED` other ones, `ASKBACK_DEPTH` explores deeper.

mod actions;
mod explore;
mod reference;

use std::cell::Cell;

use askback_testkit::short_or_full;
use proptest::strategy::{BoxedStrategy, Strategy};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use proptest_state_machine::{ReferenceStateMachine, StateMachineTest};

use super::machine::CheckedConversation;
use actions::ModelAction;
use reference::{Model, Rules};

/// Steps of one sequence.
const STEPS: std::ops::Range<usize> = 1..60;

/// A number that the environment may set.
fn setting<T: std::str::FromStr>(name: &str, default: T) -> T {
    let set = std::env::var(name).ok();
    set.and_then(|text| text.parse().ok()).unwrap_or(default)
}

struct Machine;

impl ReferenceStateMachine for Machine {
    type State = Model;
    type Transition = ModelAction;

    fn init_state() -> BoxedStrategy<Model> {
        Rules::any().prop_map(Model::new).boxed()
    }

    fn transitions(model: &Model) -> BoxedStrategy<ModelAction> {
        ModelAction::any(model)
    }

    fn apply(model: Model, transition: &ModelAction) -> Model {
        model.after(transition)
    }
}

impl StateMachineTest for Machine {
    type SystemUnderTest = CheckedConversation;
    type Reference = Machine;

    fn init_test(model: &Model) -> CheckedConversation {
        CheckedConversation::new(model.rules.kind, model.rules.policy())
    }

    fn apply(
        mut checked: CheckedConversation,
        model: &Model,
        transition: ModelAction,
    ) -> CheckedConversation {
        if let ModelAction::Wait { seconds } = transition {
            checked = checked.later(seconds);
        } else if transition == ModelAction::Crash {
            checked.crash();
        } else {
            let command = transition.command(&checked);
            let decided = checked.submit(&command);
            let verdict = decided.map_or_else(|no| no.code(), |_| "granted");
            assert_eq!(verdict, model.verdict, "{command:?}");
        }
        assert_eq!(model.summary(), reference::summary_of(&checked));
        checked
    }

    fn teardown(mut checked: CheckedConversation, _: Model) {
        checked.crash();
        checked.finish();
        checked.check_history();
    }
}

#[test]
fn prop_machine_does_what_the_model_says() {
    let cases = setting("ASKBACK_CASES", short_or_full(100, 400));
    let seed: u64 = setting("ASKBACK_SEED", 0);
    let config = Config {
        cases,
        failure_persistence: None,
        max_shrink_iters: 20_000,
        ..Config::default()
    };
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let mut runner = TestRunner::new_with_rng(config.clone(), rng);
    let steps = Cell::new(0_u64);
    let sequences = Machine::sequential_strategy(STEPS);
    let outcome = runner.run(&sequences, |(model, transitions, seen)| {
        steps.set(steps.get() + u64::try_from(transitions.len()).unwrap_or(0));
        Machine::test_sequential(config.clone(), model, transitions, seen);
        Ok(())
    });
    if let Err(failure) = outcome {
        panic!("{failure}");
    }
    eprintln!("{cases} sequences, {} steps", steps.get());
}
