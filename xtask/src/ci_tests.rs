//! What was not run is never reported as passed.

use super::{Step, Verdict, summary, verdict_of};

/// A step whose tool is missing, and that therefore must not run.
fn without_tool(installed: bool) -> Step<'static> {
    Step {
        missing: || Some("the tool is not installed".to_owned()),
        installed,
        ..Step::new("step", || panic!("it must not run"))
    }
}

#[test]
fn skipped_step_is_reported_as_skipped() {
    let verdict = verdict_of(&without_tool(true), false).unwrap();
    assert_eq!(verdict.to_string(), "skipped: the tool is not installed");
}

/// Where everything is installed before, a missing tool is a failure.
#[test]
fn ci_machine_skips_only_what_it_does_not_install() {
    let ours = verdict_of(&without_tool(true), true).unwrap();
    assert_eq!(ours, Verdict::Failed);
    let others = verdict_of(&without_tool(false), true).unwrap();
    assert!(matches!(others, Verdict::Skipped(_)));
}

#[test]
fn step_that_runs_passes_or_fails() {
    for (result, expected) in [(true, Verdict::Passed), (false, Verdict::Failed)] {
        let step = Step::new("step", move || Ok(result));
        assert_eq!(verdict_of(&step, true).unwrap(), expected);
    }
}

#[test]
fn summary_names_what_did_not_pass() {
    let verdicts = [
        ("fmt", Verdict::Passed),
        ("deny", Verdict::Skipped(String::new())),
        ("test", Verdict::Passed),
        ("web", Verdict::Failed),
    ];
    assert_eq!(
        summary(&verdicts),
        "ci: 2 passed, 1 failed (web), 1 skipped (deny)"
    );
    assert_eq!(summary(&verdicts[..1]), "ci: 1 passed");
}
