//! Everything that must pass before a change goes in, in one run: the same command on any machine.

use std::fmt;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::Context;

use crate::{tidy, web_test};

/// How long one step may take: several times what a slow machine needs, from nothing.
const STEP_MAX: Duration = Duration::from_mins(35);
/// How often a step is looked at.
const POLL: Duration = Duration::from_millis(100);

/// What became of a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Verdict {
    Passed,
    Failed,
    /// It was not run, and why.
    Skipped(String),
}

impl From<bool> for Verdict {
    fn from(passed: bool) -> Verdict {
        if passed {
            Verdict::Passed
        } else {
            Verdict::Failed
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Passed => f.write_str("passed"),
            Verdict::Failed => f.write_str("failed"),
            Verdict::Skipped(why) => write!(f, "skipped: {why}"),
        }
    }
}

/// A step, with what it needs besides the Rust toolchain.
struct Step<'a> {
    name: &'static str,
    /// What is missing for it, in a sentence.
    missing: fn() -> Option<String>,
    /// Whether `scripts/test` installs what it needs.
    installed: bool,
    run: Box<dyn Fn() -> anyhow::Result<bool> + 'a>,
}

impl<'a> Step<'a> {
    /// A step that needs nothing more.
    fn new(name: &'static str, run: impl Fn() -> anyhow::Result<bool> + 'a) -> Step<'a> {
        Step {
            name,
            missing: || None,
            installed: true,
            run: Box::new(run),
        }
    }
}

/// Runs the steps in order, prints how long each took, and stops at the first that fails.
pub(crate) fn run(root: &Path) -> anyhow::Result<bool> {
    let clippy = [
        "clippy",
        "--workspace",
        "--all-targets",
        // Code that no other step compiles. The tested binary does not have it.
        "--features",
        "askback/conformance",
        "--",
        "-D",
        "warnings",
    ];
    let steps = [
        Step::new("fmt", || cargo(root, &["fmt", "--all", "--check"])),
        Step::new("clippy", || cargo(root, &clippy)),
        Step::new("test", || cargo(root, &["test", "--workspace"])),
        Step::new("tidy", || tidy::run(root)),
        Step {
            missing: no_cargo_deny,
            installed: false,
            // Advisories have a command of their own: they need the network, and a new one must not
            // fail a change that has nothing to do with it.
            ..Step::new("deny", || {
                cargo(root, &["deny", "check", "bans", "licenses", "sources"])
            })
        },
        Step {
            missing: web_test::missing,
            ..Step::new("web", || web_test::run(root, &[]))
        },
    ];
    let is_ci = std::env::var("CI").is_ok_and(|ci| ci == "true");
    let mut verdicts = Vec::new();
    for step in &steps {
        println!("ci: {}", step.name);
        let (verdict, taken) = timed(|| verdict_of(step, is_ci));
        let verdict = verdict?;
        println!(
            "ci: {} {verdict} after {:.1} s",
            step.name,
            taken.as_secs_f64()
        );
        let failed = verdict == Verdict::Failed;
        verdicts.push((step.name, verdict));
        if failed {
            break;
        }
    }
    println!("{}", summary(&verdicts));
    Ok(verdicts
        .iter()
        .all(|(_, verdict)| *verdict != Verdict::Failed))
}

/// Runs a step, unless something is missing for it. On a CI machine nothing may be missing that
/// `scripts/test` installs.
fn verdict_of(step: &Step<'_>, is_ci: bool) -> anyhow::Result<Verdict> {
    match (step.missing)() {
        None => Ok((step.run)()?.into()),
        Some(why) if is_ci && step.installed => {
            println!("ci: {} cannot be skipped where CI=true: {why}", step.name);
            Ok(Verdict::Failed)
        }
        Some(why) => Ok(Verdict::Skipped(why)),
    }
}

/// The last line of a run: how many steps passed, failed and were skipped, and which.
pub(crate) fn summary(verdicts: &[(&str, Verdict)]) -> String {
    let named = |wanted: fn(&Verdict) -> bool| -> Vec<&str> {
        let of = verdicts.iter().filter(|(_, verdict)| wanted(verdict));
        of.map(|(name, _)| *name).collect()
    };
    let passed = named(|verdict| *verdict == Verdict::Passed);
    let others = [
        ("failed", named(|verdict| *verdict == Verdict::Failed)),
        (
            "skipped",
            named(|verdict| matches!(verdict, Verdict::Skipped(_))),
        ),
    ];
    let others = others.iter().filter(|(_, names)| !names.is_empty());
    let others =
        others.map(|(what, names)| format!(", {} {what} ({})", names.len(), names.join(", ")));
    format!("ci: {} passed{}", passed.len(), others.collect::<String>())
}

/// Checks the dependencies against the advisories that are known today. Needs the network.
pub(crate) fn advisories(root: &Path) -> anyhow::Result<bool> {
    if let Some(missing) = no_cargo_deny() {
        println!("advisories: {missing}. Install it with: cargo install --locked cargo-deny");
        return Ok(false);
    }
    cargo(root, &["deny", "check", "advisories"])
}

fn no_cargo_deny() -> Option<String> {
    let version = Command::new("cargo")
        .args(["deny", "--version"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    let installed = version.is_ok_and(|status| status.success());
    (!installed).then(|| "cargo-deny is not installed".to_owned())
}

/// Runs one cargo command with its output shown, and says whether it succeeded. A command that
/// does not end is ended, so that a test that hangs is a failure and not a silence.
#[expect(
    clippy::disallowed_methods,
    reason = "a process that may hang is looked at from time to time"
)]
fn cargo(root: &Path, arguments: &[&str]) -> anyhow::Result<bool> {
    let mut child = Command::new("cargo")
        .args(arguments)
        .current_dir(root)
        .spawn()
        .context("cargo does not start")?;
    let mut waited = Duration::ZERO;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status.success());
        }
        if waited >= STEP_MAX {
            println!("ci: not done after {} s, ended", STEP_MAX.as_secs());
            end_with_descendants(child.id());
            child.wait()?;
            return Ok(false);
        }
        std::thread::sleep(POLL);
        waited += POLL;
    }
}

/// Ends a process and all it has started, as far as the system tells who they are.
fn end_with_descendants(pid: u32) {
    let children = fs::read_to_string(format!("/proc/{pid}/task/{pid}/children"));
    for child in children.unwrap_or_default().split_whitespace() {
        child.parse().into_iter().for_each(end_with_descendants);
    }
    let killed = Command::new("kill").args(["-9", &pid.to_string()]).status();
    if let Err(error) = killed {
        println!("ci: cannot end process {pid}: {error}");
    }
}

/// What a step returned, and how long it took.
#[expect(
    clippy::disallowed_methods,
    reason = "the chores time real processes; no rule of the project depends on it"
)]
fn timed<T>(step: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    (step(), start.elapsed())
}

#[cfg(test)]
#[path = "ci_tests.rs"]
mod tests;
