//! Runs seeds of the simulation and prints what they did: `cargo xtask sim`.
#![expect(
    clippy::print_stdout,
    reason = "what the program prints is what it is run for"
)]

use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use askback_sim::{Figures, Report, SimOptions};

const USAGE: &str = "\
Usage: cargo xtask sim [--seeds N] [--from N] [--threads N] [--nodes N]
       cargo xtask sim --seed N [--trace] [--nodes N]

  --seeds N    how many seeds to run; 1000 without it
  --from N     the first seed; 0 without it
  --threads N  how many seeds to run at the same time; one for each processor without it
  --nodes N    how many engines share the store; 1 without it
  --seed N     run one seed, twice, and compare the two
  --trace      print everything that happens";

/// Seeds between two lines of progress.
const PROGRESS: u64 = 500;

#[derive(Debug, Default)]
struct Options {
    seeds: Option<u64>,
    from: u64,
    threads: Option<usize>,
    nodes: usize,
    seed: Option<u64>,
    has_trace: bool,
}

fn main() -> ExitCode {
    let Some(options) = parse(std::env::args().skip(1)) else {
        println!("{USAGE}");
        return ExitCode::from(2);
    };
    let result = match options.seed {
        Some(seed) => run_one(seed, &options),
        None => run_many(&options),
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            println!("sim: {error}");
            ExitCode::FAILURE
        }
    }
}

fn parse(mut arguments: impl Iterator<Item = String>) -> Option<Options> {
    let mut options = Options::default();
    while let Some(argument) = arguments.next() {
        let mut number = || arguments.next()?.parse::<u64>().ok();
        match argument.as_str() {
            "--seeds" => options.seeds = Some(number()?),
            "--from" => options.from = number()?,
            "--threads" => options.threads = Some(usize::try_from(number()?).ok()?),
            "--nodes" => options.nodes = usize::try_from(number()?).ok()?,
            "--seed" => options.seed = Some(number()?),
            "--trace" => options.has_trace = true,
            _ => return None,
        }
    }
    Some(options)
}

fn run_one(seed: u64, options: &Options) -> std::io::Result<bool> {
    let run = |keep_trace: bool| {
        askback_sim::run_with(SimOptions {
            seed,
            keep_trace,
            nodes: options.nodes,
            planted: None,
        })
    };
    let report = run(options.has_trace)?;
    for line in &report.trace {
        println!("{line}");
    }
    print_violation(&report);
    println!("seed {seed}: trace {:016x}", report.trace_hash);
    print_figures(&report.figures);
    let again = run(false)?;
    let is_same = again.trace_hash == report.trace_hash;
    if !is_same {
        println!(
            "seed {seed}: a second run differs: trace {:016x}",
            again.trace_hash
        );
    }
    Ok(is_same && report.violation.is_none())
}

#[expect(clippy::disallowed_methods, reason = "real time, for people")]
fn run_many(options: &Options) -> std::io::Result<bool> {
    let seeds = options.seeds.unwrap_or(1_000);
    let threads = match options.threads {
        Some(threads) => threads.max(1),
        None => std::thread::available_parallelism()?.get(),
    };
    let start = Instant::now();
    let next = AtomicU64::new(options.from);
    let end = options.from + seeds;
    let sums = Mutex::new((0_u64, 0_u64, Figures::new()));
    std::thread::scope(|scope| -> std::io::Result<()> {
        let work = || -> std::io::Result<()> {
            loop {
                let seed = next.fetch_add(1, Ordering::Relaxed);
                if seed >= end {
                    return Ok(());
                }
                let report = askback_sim::run_with(SimOptions {
                    seed,
                    nodes: options.nodes,
                    ..SimOptions::default()
                })?;
                print_violation(&report);
                let mut sums = sums.lock().unwrap_or_else(PoisonError::into_inner);
                sums.0 += 1;
                sums.1 += u64::from(report.violation.is_some());
                for (name, count) in &report.figures {
                    *sums.2.entry(name).or_default() += count;
                }
                if sums.0.is_multiple_of(PROGRESS) {
                    let seconds = start.elapsed().as_secs();
                    println!("{} seeds, {} failed, {seconds} s", sums.0, sums.1);
                }
            }
        };
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        for thread in threads {
            let failed = || std::io::Error::other("a thread of the simulation has panicked");
            thread.join().map_err(|_| failed())??;
        }
        Ok(())
    })?;
    let (run, failed, figures) = sums.into_inner().unwrap_or_else(PoisonError::into_inner);
    print_figures(&figures);
    let seconds = start.elapsed().as_secs();
    println!("{run} seeds in {seconds} s, {failed} failed");
    Ok(failed == 0)
}

fn print_violation(report: &Report) {
    if let Some(violation) = &report.violation {
        let seed = report.seed;
        println!(
            "seed {seed}: {violation}\n  cargo xtask sim --seed {seed} --trace, with the same --nodes"
        );
    }
}

fn print_figures(figures: &Figures) {
    for (name, count) in figures {
        println!("{count:>12} {name}");
    }
}
