//! Coverage-guided fuzzing with libFuzzer, on a stable toolchain.
//!
//! The instrumentation is a pass of LLVM that every rustc can run; only sanitizers would need a
//! nightly one, and the crates under test have no unsafe code for them to watch.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, bail, ensure};

/// What makes the compiler count the edges a run takes and compare the values it branches on.
const INSTRUMENTATION: &[&str] = &[
    "--cfg=fuzzing",
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "-Ccodegen-units=1",
];

/// How long a run takes unless told otherwise.
const SECONDS: u32 = 60;

/// One run of one target.
#[derive(Debug, PartialEq, Eq)]
struct Run<'a> {
    target: &'a str,
    seconds: u32,
}

/// Builds the target that the arguments name and runs it; false if it found something.
pub(crate) fn run(root: &Path, arguments: &[&str]) -> anyhow::Result<bool> {
    let run = parse(arguments)?;
    let fuzz = root.join("fuzz");
    ensure!(
        fuzz.join(format!("targets/{}.rs", run.target)).is_file(),
        "there is no target {}; fuzz/targets has them all",
        run.target
    );
    let corpus = fuzz.join("target/corpus").join(run.target);
    let artifacts = fuzz.join("target/artifacts");
    for directory in [&corpus, &artifacts] {
        std::fs::create_dir_all(directory).with_context(|| directory.display().to_string())?;
    }
    let seeds = fuzz.join("corpus-seeds").join(run.target);
    let status = Command::new("cargo")
        .args(["run", "--release", "--target", &host()?])
        .args(["--bin", run.target, "--"])
        .arg(&corpus)
        .arg(&seeds)
        .arg(format!("-dict={}", fuzz.join("words.dict").display()))
        .arg(format!("-artifact_prefix={}/", artifacts.display()))
        .arg(format!("-max_total_time={}", run.seconds))
        .args(["-max_len=20000", "-timeout=10", "-print_final_stats=1"])
        .env("RUSTFLAGS", INSTRUMENTATION.join(" "))
        .current_dir(&fuzz)
        .status()
        .context("cargo does not start")?;
    Ok(status.success())
}

/// The platform of this compiler. Naming it keeps the instrumentation out of build scripts.
fn host() -> anyhow::Result<String> {
    let output = Command::new("rustc")
        .arg("-vV")
        .output()
        .context("rustc does not start")?;
    let version = String::from_utf8(output.stdout).context("rustc does not print UTF-8")?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned)
        .context("rustc does not name its platform")
}

fn parse<'a>(arguments: &[&'a str]) -> anyhow::Result<Run<'a>> {
    let (target, seconds) = match arguments {
        [target] => (*target, SECONDS),
        [target, "--seconds", seconds] => {
            let seconds = seconds.parse().context("--seconds takes a whole number")?;
            (*target, seconds)
        }
        _ => bail!("usage: cargo xtask fuzz TARGET [--seconds N]"),
    };
    Ok(Run { target, seconds })
}

#[cfg(test)]
#[path = "fuzz_tests.rs"]
mod tests;
