//! Everything that must pass before a change goes in, in one run: the same command on any machine.

use std::fmt;
use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;

use crate::processes::{Processes, cargo};
use crate::rust_tests::{self, Extent, TestProgram};
use crate::{target_directory, tidy, web_test};

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
    run: Box<dyn Fn() -> anyhow::Result<bool> + Sync + 'a>,
}

impl<'a> Step<'a> {
    /// A step that needs nothing more.
    fn new(name: &'static str, run: impl Fn() -> anyhow::Result<bool> + Sync + 'a) -> Step<'a> {
        Step {
            name,
            missing: || None,
            installed: true,
            run: Box::new(run),
        }
    }
}

/// Runs the steps, prints how long each took, and stops at the first that fails. Quick ones come first. The tests of Rust
/// run alone, because they start many processes; the browser waits half of the time, so the lints run beside it, but one
/// after the other where promised times count.
pub(crate) fn run(root: &Path, extent: Extent) -> anyhow::Result<bool> {
    let processes = Processes::default();
    let programs = OnceLock::new();
    let quick = vec![
        Step::new("fmt", || {
            let arguments = ["fmt", "--all", "--check"];
            processes.succeeds(cargo(root).args(arguments))
        }),
        Step::new("tidy", || tidy::run(root)),
    ];
    let build = vec![Step::new("build", || {
        let built = rust_tests::build(root)?;
        Ok(built.is_some_and(|built| programs.set(built).is_ok()))
    })];
    let tests = vec![Step::new("test", || {
        let programs: &[TestProgram] = programs.get().map_or(&[], Vec::as_slice);
        rust_tests::run(programs, extent, &processes)
    })];
    let rest = vec![
        Step {
            missing: web_test::missing,
            ..Step::new("web", || {
                web_test::check(root, arguments(extent), &processes)
            })
        },
        Step {
            missing: no_python,
            ..Step::new("clients", || {
                let mut command = Command::new(root.join("scripts/clients"));
                quietly(root, "clients", command.args(arguments(extent)), &processes)
            })
        },
        Step::new("lints", || lint(root, &processes)),
        Step {
            missing: no_cargo_deny,
            installed: false,
            // Advisories have a command of their own: they need the network, and a new one must not
            // fail a change that has nothing to do with it.
            ..Step::new("deny", || {
                let arguments = ["deny", "check", "bans", "licenses", "sources"];
                quietly(root, "deny", cargo(root).args(arguments), &processes)
            })
        },
    ];
    let mut groups = vec![quick, build, tests];
    match extent {
        Extent::Short => groups.push(rest),
        Extent::Full => {
            groups.extend(rest.into_iter().map(|step| vec![step]));
            // Last, because it replaces the binary that other steps start.
            groups.push(vec![Step::new("otel", || {
                let arguments = ["test", "-p", "askback", "--features", "otel", "otel"];
                quietly(root, "otel", cargo(root).args(arguments), &processes)
            })]);
        }
    }
    let mut verdicts = Vec::new();
    for group in &groups {
        verdicts.extend(run_at_once(group, &processes)?);
        if processes.is_stopped() {
            break;
        }
    }
    println!("{}", summary(&verdicts));
    Ok(!processes.is_stopped())
}

/// The arguments for commands that have a short and a full run of their own.
fn arguments(extent: Extent) -> &'static [&'static str] {
    match extent {
        Extent::Short => &[],
        Extent::Full => &["--full"],
    }
}

/// Runs steps at the same time. The first that fails ends the others.
fn run_at_once(
    steps: &[Step<'_>],
    processes: &Processes,
) -> anyhow::Result<Vec<(&'static str, Verdict)>> {
    let is_ci = std::env::var("CI").is_ok_and(|ci| ci == "true");
    let run = |step: &Step<'_>| -> anyhow::Result<(&'static str, Verdict)> {
        println!("ci: {}", step.name);
        let (verdict, taken) = timed(|| verdict_of(step, is_ci));
        let verdict = match verdict? {
            Verdict::Failed if processes.is_stopped() => {
                Verdict::Skipped("another step failed".to_owned())
            }
            verdict @ (Verdict::Passed | Verdict::Failed | Verdict::Skipped(_)) => verdict,
        };
        if verdict == Verdict::Failed {
            processes.stop();
        }
        let seconds = taken.as_secs_f64();
        println!("ci: {} {verdict} after {seconds:.1} s", step.name);
        Ok((step.name, verdict))
    };
    thread::scope(|scope| {
        let running: Vec<_> = steps.iter().map(|step| scope.spawn(|| run(step))).collect();
        let ended = running.into_iter().map(|step| match step.join() {
            Ok(ended) => ended,
            Err(_) => Err(anyhow::anyhow!("a step panicked")),
        });
        ended.collect()
    })
}

/// Clippy with warnings as errors, and the examples in doc comments, which no other step runs.
fn lint(root: &Path, processes: &Processes) -> anyhow::Result<bool> {
    let clippy = [
        "clippy",
        "--workspace",
        "--all-targets",
        // Code that the tested binary does not have.
        "--features",
        "askback/conformance,askback/otel",
        "--",
        "-D",
        "warnings",
    ];
    let doc = ["test", "--workspace", "--doc"];
    Ok(
        quietly(root, "clippy", cargo(root).args(clippy), processes)?
            && quietly(root, "doc-tests", cargo(root).args(doc), processes)?,
    )
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
    let named = others.iter().filter(|(_, names)| !names.is_empty());
    let texts =
        named.map(|(what, names)| format!(", {} {what} ({})", names.len(), names.join(", ")));
    format!("ci: {} passed{}", passed.len(), texts.collect::<String>())
}

/// Checks the dependencies against the advisories that are known today. Needs the network.
pub(crate) fn advisories(root: &Path) -> anyhow::Result<bool> {
    if let Some(missing) = no_cargo_deny() {
        println!("advisories: {missing}. Install it with: cargo install --locked cargo-deny");
        return Ok(false);
    }
    Processes::default().succeeds(cargo(root).args(["deny", "check", "advisories"]))
}

/// What is missing for the tests of the clients, besides what those of the browser need.
fn no_python() -> Option<String> {
    let version = Command::new("python3")
        .args(["-c", "import venv, ensurepip"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    let installed = version.is_ok_and(|status| status.success());
    (!installed).then(|| "Python 3 with venv is not installed".to_owned())
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

/// Runs a command beside others: what it prints is shown if it fails, in one piece.
fn quietly(
    root: &Path,
    name: &str,
    command: &mut Command,
    processes: &Processes,
) -> anyhow::Result<bool> {
    let log = target_directory(root).join(format!("{name}.log"));
    let to = File::create(&log).with_context(|| format!("{} cannot be written", log.display()))?;
    let passed = processes.succeeds(command.stdout(to.try_clone()?).stderr(to))?;
    if !passed && !processes.is_stopped() {
        println!("{}", fs::read_to_string(&log).unwrap_or_default());
    }
    Ok(passed)
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
