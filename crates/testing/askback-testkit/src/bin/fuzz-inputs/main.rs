//! Sends generated tool inputs through the core, by the million, and prints what became of them.
//! `cargo xtask fuzz-inputs` builds it with optimisation and runs it.
//!
//! The cases and the rules are those of `askback-testkit`; the test suite runs the first few
//! thousand of them.
#![expect(
    clippy::print_stdout,
    reason = "the table is what the program is run for"
)]

mod settings;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::bail;
use askback_core::dialect::Dialect;
use askback_testkit::{Case, CaseCounts, FailedCase};

use settings::Settings;

/// Threads that share the cases of a dialect.
const THREADS: u64 = 2;
/// Failures after which a dialect is given up: more would say the same.
const FAILURES_MAX: usize = 5;

/// What became of the cases of one thread or one dialect.
#[derive(Default)]
struct Report {
    counts: CaseCounts,
    failures: Vec<FailedCase>,
}

fn main() -> anyhow::Result<ExitCode> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let settings = settings::parse(&arguments)?;
    Ok(if run(&settings)? {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Runs the cases and prints the table; false if any of them broke a rule.
fn run(settings: &Settings) -> anyhow::Result<bool> {
    println!(
        "seed {}, cases {} to {}",
        settings.seed,
        settings.from,
        settings.from + settings.count
    );
    println!(
        "{:<18} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>8}",
        "dialect",
        "inputs",
        "accepted",
        "repaired",
        "refused",
        "rendered",
        "answered",
        "misfits",
        "seconds"
    );
    let mut passed = true;
    for dialect in &settings.dialects {
        let (report, taken) = timed(|| run_dialect(settings, *dialect));
        let report = report?;
        print_row(*dialect, &report.counts, taken);
        for failure in &report.failures {
            println!("{failure}\n");
        }
        passed &= report.failures.is_empty();
    }
    Ok(passed)
}

/// What a step returned, and how long it took.
#[expect(
    clippy::disallowed_methods,
    reason = "the run times itself; no rule depends on it"
)]
fn timed<T>(step: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    (step(), start.elapsed())
}

fn print_row(dialect: Dialect, counts: &CaseCounts, taken: Duration) {
    println!(
        "{:<18} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>8.1}",
        dialect.name(),
        counts.inputs,
        counts.accepted,
        counts.repaired,
        counts.refused,
        counts.rendered,
        counts.answered,
        counts.misfits,
        taken.as_secs_f64()
    );
}

fn run_dialect(settings: &Settings, dialect: Dialect) -> anyhow::Result<Report> {
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS)
            .map(|thread| scope.spawn(move || run_share(settings, dialect, thread)))
            .collect();
        let mut all = Report::default();
        for thread in threads {
            let Ok(share) = thread.join() else {
                bail!("a thread panicked outside of a case");
            };
            all.counts += share.counts;
            all.failures.extend(share.failures);
        }
        Ok(all)
    })
}

/// Runs every case whose turn it is in one thread.
fn run_share(settings: &Settings, dialect: Dialect, thread: u64) -> Report {
    let mut report = Report::default();
    for index in settings.from..settings.from + settings.count {
        if index % THREADS != thread {
            continue;
        }
        let case = Case {
            dialect,
            seed: settings.seed,
            index,
        };
        match case.run() {
            Ok(counts) => report.counts += counts,
            Err(failure) => report.failures.push(*failure),
        }
        if report.failures.len() >= FAILURES_MAX {
            break;
        }
    }
    report
}
