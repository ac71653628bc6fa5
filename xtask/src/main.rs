//! The chores of the repository, run as `cargo xtask <chore>`: the checks that neither the
//! compiler nor clippy makes, the generated files, and the whole CI run.
//!
//! A chore is one file with one entry function and one arm in [`main`]. What a chore decides is a
//! pure function over data that was read beforehand, so that a unit test can plant a fault and see
//! it found.
#![expect(
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "what a chore prints is what it is run for"
)]

mod banned_words;
mod bench;
mod ci;
mod codegen;
mod crate_graph;
mod dist;
mod doc_paths;
mod draft_vectors;
mod exactly_once;
mod file_names;
mod fuzz;
mod fuzz_inputs;
mod layers;
mod lengths;
mod lines;
mod links;
mod processes;
mod purity;
mod release_texts;
mod rust_tests;
mod sim;
mod sources;
mod tidy;
mod type_names;
mod web_test;
mod wire_types;
mod workspace;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::rust_tests::Extent;

const USAGE: &str = "\
Usage: cargo xtask <chore>

  ci                 format, lints, tests, tidy, cargo-deny, web-test: what must pass before a change;
                     --full also for what takes long, and for promised times
  advisories         known vulnerabilities of the dependencies; needs cargo-deny and the network
  tidy               the rules on layers, the core, file sizes, names, words, generated files
  codegen            write the generated files
  codegen --check    say which generated files are stale, and write nothing
  bench              measure a release build beside the smallest program that could do the same:
                     [--quick]
  dist               packages of a release in target/dist: [--binary TARGET=PATH]… [--check] [--twice];
                     without a binary, builds the one of this machine; --build TARGET only builds
  draft-vectors      print the test vectors of a draft's rules, one JSON object for each line
  exactly-once       real servers among kills and pauses, every request at once: [--faults N]
                     [--postgres] [--seed S]
  fuzz-inputs        send generated tool inputs through the core: [--count N] [--seed S]
                     [--dialect D] [--from INDEX]
  fuzz TARGET        run a coverage-guided fuzz target of fuzz/targets: [--seconds N]
  lines              count the lines of the product by crate
  sim                the engine among faults and crashes, decided by seeds: [--seeds N] [--from N]
                     [--threads N], or [--seed N] [--trace]
  web-test           types, lint, budgets and browser tests of web/: [--full] [FILE…]";

fn main() -> anyhow::Result<ExitCode> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let root = root();
    let passed = match arguments.as_slice() {
        ["bench", rest @ ..] => bench::run(&root, rest)?,
        ["ci"] => ci::run(&root, Extent::Short)?,
        ["ci", "--full"] => ci::run(&root, Extent::Full)?,
        ["advisories"] => ci::advisories(&root)?,
        ["tidy"] => tidy::run(&root)?,
        ["codegen"] => codegen::write(&root)?,
        ["codegen", "--check"] => codegen::check(&root)?,
        ["dist", rest @ ..] => dist::run(&root, rest)?,
        ["draft-vectors"] => draft_vectors::print(),
        ["exactly-once", rest @ ..] => exactly_once::run(&root, rest)?,
        ["fuzz-inputs", rest @ ..] => fuzz_inputs::run(&root, rest)?,
        ["fuzz", rest @ ..] => fuzz::run(&root, rest)?,
        ["lines"] => {
            lines::print(&sources::read(&root, &sources::paths(&root)?)?);
            true
        }
        ["sim", rest @ ..] => sim::run(&root, rest)?,
        ["web-test", rest @ ..] => web_test::run(&root, rest)?,
        [] | ["help" | "--help" | "-h"] => {
            println!("{USAGE}");
            true
        }
        unknown => {
            eprintln!("There is no chore `{}`.\n\n{USAGE}", unknown.join(" "));
            return Ok(ExitCode::from(2));
        }
    };
    Ok(if passed {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// The top of the repository, whichever directory the chore was started from. What cargo says at run
/// time goes first, because checkouts that share a target directory may share this binary.
fn root() -> PathBuf {
    let xtask = std::env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    xtask.parent().map(Path::to_path_buf).unwrap_or(xtask)
}

/// Where cargo puts what it builds.
fn target_directory(root: &Path) -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from)
}
