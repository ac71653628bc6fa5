//! Everything that must pass before a change goes in, in one run: the same command on any machine.

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

/// Runs the steps in order, prints how long each took, and stops at the first that fails.
pub(crate) fn run(root: &Path) -> anyhow::Result<bool> {
    let steps: [(&str, &dyn Fn() -> anyhow::Result<bool>); 6] = [
        ("fmt", &|| cargo(root, &["fmt", "--all", "--check"])),
        ("clippy", &|| {
            cargo(
                root,
                &[
                    "clippy",
                    "--workspace",
                    "--all-targets",
                    "--",
                    "-D",
                    "warnings",
                ],
            )
        }),
        ("test", &|| cargo(root, &["test", "--workspace"])),
        ("tidy", &|| tidy::run(root)),
        ("deny", &|| deny(root)),
        ("web", &|| web(root)),
    ];
    for (name, step) in steps {
        println!("ci: {name}");
        let (passed, taken) = timed(step);
        let passed = passed?;
        let verdict = if passed { "passed" } else { "failed" };
        println!("ci: {name} {verdict} after {:.1} s", taken.as_secs_f64());
        if !passed {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Checks the pages where a browser and Node are installed.
fn web(root: &Path) -> anyhow::Result<bool> {
    if let Some(missing) = web_test::missing() {
        println!("ci: web skipped, because {missing}");
        return Ok(true);
    }
    web_test::run(root, &[])
}

/// Checks licences, banned crates and sources where cargo-deny is installed. Advisories are left
/// out: they need the network, and a new one must not fail a change that has nothing to do with
/// it.
fn deny(root: &Path) -> anyhow::Result<bool> {
    let installed = Command::new("cargo")
        .args(["deny", "--version"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .context("cargo does not start")?
        .success();
    if !installed {
        println!("ci: deny skipped, because cargo-deny is not installed");
        return Ok(true);
    }
    cargo(root, &["deny", "check", "bans", "licenses", "sources"])
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
