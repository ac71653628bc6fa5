//! Builds all Rust tests and runs them, several programs at a time and with more threads than processors: most
//! tests wait for a process or a clock.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::thread;

use anyhow::Context;
use serde::Deserialize;

use crate::processes::{Processes, cargo};

/// Programs that run at the same time, whatever the number of processors.
const PROGRAMS_MAX: usize = 4;

/// A program that holds the unit tests of a crate, or its integration tests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TestProgram {
    /// The crate and its target.
    pub(crate) name: String,
    /// Where it runs: the directory of the crate.
    pub(crate) directory: PathBuf,
    pub(crate) executable: PathBuf,
}

/// How much is tested.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    /// What must pass before a change is merged.
    Short,
    /// Also what takes long, and promised times: nothing else may run on the machine.
    Full,
}

/// Builds all tests with what they run; none if that fails.
pub(crate) fn build(root: &Path) -> anyhow::Result<Option<Vec<TestProgram>>> {
    let cargo = cargo(root)
        .args(["test", "--workspace", "--no-run"])
        .arg("--message-format=json-render-diagnostics")
        .stderr(Stdio::inherit())
        .output()
        .context("cargo does not start")?;
    let messages = String::from_utf8_lossy(&cargo.stdout);
    Ok(cargo.status.success().then(|| programs(&messages)))
}

/// What cargo says of a file that it has made.
#[derive(Deserialize)]
struct Artifact {
    manifest_path: PathBuf,
    target: Target,
    profile: Profile,
    executable: Option<PathBuf>,
}

#[derive(Deserialize)]
struct Target {
    name: String,
    kind: Vec<String>,
}

#[derive(Deserialize)]
struct Profile {
    test: bool,
}

/// The test programs among what cargo has made.
pub(crate) fn programs(messages: &str) -> Vec<TestProgram> {
    let artifacts = messages.lines().filter_map(|line| {
        let artifact: Artifact = serde_json::from_str(line).ok()?;
        artifact.profile.test.then_some(artifact)
    });
    let programs = artifacts.filter_map(|artifact| {
        let directory = artifact.manifest_path.parent()?.to_owned();
        let package = directory.file_name()?.display();
        let (target, kind) = (artifact.target.name, artifact.target.kind.join("+"));
        Some(TestProgram {
            name: format!("{package} {kind} {target}"),
            executable: artifact.executable?,
            directory,
        })
    });
    programs.collect()
}

/// Runs all of them, prints the result of each and what failing ones have printed, and the sum.
pub(crate) fn run(
    programs: &[TestProgram],
    extent: Extent,
    processes: &Processes,
) -> anyhow::Result<bool> {
    let processors = thread::available_parallelism().map_or(2, usize::from);
    // Where promised times count, tests do not keep each other waiting.
    let (at_once, threads) = match extent {
        Extent::Short => (processors.clamp(2, PROGRAMS_MAX), 6 * processors),
        Extent::Full => (1, processors),
    };
    let mut waiting: Vec<&TestProgram> = programs.iter().collect();
    // The largest one takes longest.
    waiting.sort_by_key(|program| fs::metadata(&program.executable).map_or(0, |it| it.len()));
    let waiting = Mutex::new(waiting);
    let totals = Mutex::new(Counts::default());
    let run_next = || -> anyhow::Result<()> {
        loop {
            let next = waiting.lock().map_or(None, |mut waiting| waiting.pop());
            let Some(program) = next else { return Ok(()) };
            let (passed, printed) = run_one(program, threads, extent, processes)?;
            if processes.is_stopped() {
                return Ok(());
            }
            let mut counts = Counts::read(&printed);
            if !passed {
                // One that ends before it can count.
                counts.failed = counts.failed.max(1);
                println!("{}", without_passed(&printed));
            }
            let result = printed
                .lines()
                .rfind(|line| line.starts_with("test result:"));
            println!("{}: {}", program.name, result.unwrap_or("no result"));
            if let Ok(mut totals) = totals.lock() {
                *totals = totals.plus(counts);
            }
        }
    };
    let ended: Vec<anyhow::Result<()>> = thread::scope(|scope| {
        let runners: Vec<_> = (0..at_once).map(|_| scope.spawn(run_next)).collect();
        let ended = runners.into_iter().map(thread::ScopedJoinHandle::join);
        ended
            .map(|ended| ended.unwrap_or_else(|_| Err(anyhow::anyhow!("a test run panicked"))))
            .collect()
    });
    ended.into_iter().collect::<anyhow::Result<()>>()?;
    if processes.is_stopped() {
        return Ok(false);
    }
    let Counts { passed, failed } = totals.into_inner().unwrap_or_default();
    println!("{passed} passed, {failed} failed");
    Ok(failed == 0 && passed > 0)
}

/// Runs one program to its end: whether it passed, and what it printed.
fn run_one(
    program: &TestProgram,
    threads: usize,
    extent: Extent,
    processes: &Processes,
) -> anyhow::Result<(bool, String)> {
    let log = program.executable.with_extension("log");
    let to = File::create(&log).with_context(|| format!("{} cannot be written", log.display()))?;
    let mut command = Command::new(&program.executable);
    command
        .current_dir(&program.directory)
        .env("CARGO_MANIFEST_DIR", &program.directory)
        .env("RUST_TEST_THREADS", threads.to_string())
        .stdin(Stdio::null())
        .stdout(to.try_clone()?)
        .stderr(to);
    if extent == Extent::Full {
        command.env("ASKBACK_TEST_FULL", "1");
    }
    let passed = processes.succeeds(&mut command)?;
    let printed = fs::read(&log).with_context(|| format!("{} cannot be read", log.display()))?;
    Ok((passed, String::from_utf8_lossy(&printed).into_owned()))
}

/// What a program printed, without the lines of tests that passed.
fn without_passed(printed: &str) -> String {
    let rest = printed
        .lines()
        .filter(|line| !(line.starts_with("test ") && line.ends_with("... ok")));
    rest.collect::<Vec<&str>>().join("\n")
}

/// How many tests passed and failed.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) passed: usize,
    pub(crate) failed: usize,
}

impl Counts {
    /// Reads the closing line of a test program.
    pub(crate) fn read(printed: &str) -> Counts {
        let results = printed
            .lines()
            .filter_map(|line| line.strip_prefix("test result:"));
        let of = |word: &str| {
            let parts = results.clone().flat_map(|line| line.split(['.', ';']));
            parts
                .filter_map(|part| part.trim().strip_suffix(word)?.trim().parse::<usize>().ok())
                .sum()
        };
        Counts {
            passed: of("passed"),
            failed: of("failed"),
        }
    }

    fn plus(self, other: Counts) -> Counts {
        Counts {
            passed: self.passed + other.passed,
            failed: self.failed + other.failed,
        }
    }
}

#[cfg(test)]
#[path = "rust_tests_tests.rs"]
mod tests;
