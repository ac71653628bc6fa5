//! Long runs of the exactly-once tests, which `cargo test` makes short.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, bail};

/// How many faults there are unless told otherwise.
const FAULTS: u32 = 200;

/// One long run.
#[derive(Debug, PartialEq, Eq)]
struct Run {
    test: &'static str,
    faults: u32,
    /// Any, if it is not named.
    seed: Option<u64>,
}

/// Runs real servers among faults; false if something was lost, doubled or invented.
pub(crate) fn run(root: &Path, arguments: &[&str]) -> anyhow::Result<bool> {
    let run = parse(arguments)?;
    let seed = run.seed.unwrap_or_else(|| u64::from(std::process::id()));
    let test = format!("exactly_once::{}", run.test);
    let status = Command::new("cargo")
        .args(["test", "--quiet", "-p", "askback", "--test", "all", &test])
        .args(["--", "--nocapture"])
        .env("ASKBACK_FAULTS", run.faults.to_string())
        .env("ASKBACK_SEED", seed.to_string())
        .current_dir(root)
        .status()
        .context("cargo does not start")?;
    Ok(status.success())
}

fn parse(arguments: &[&str]) -> anyhow::Result<Run> {
    let mut run = Run {
        test: "everything_happens_once_on_sqlite",
        faults: FAULTS,
        seed: None,
    };
    let mut rest = arguments;
    loop {
        rest = match rest {
            [] => return Ok(run),
            ["--postgres", rest @ ..] => {
                run.test = "everything_happens_once_on_two_postgres_nodes";
                rest
            }
            ["--faults", faults, rest @ ..] => {
                run.faults = faults.parse().context("--faults takes a whole number")?;
                rest
            }
            ["--seed", seed, rest @ ..] => {
                run.seed = Some(seed.parse().context("--seed takes a whole number")?);
                rest
            }
            _ => bail!("usage: cargo xtask exactly-once [--faults N] [--postgres] [--seed S]"),
        };
    }
}

#[cfg(test)]
#[path = "exactly_once_tests.rs"]
mod tests;
