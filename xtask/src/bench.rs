//! Measures askback in a release build beside the smallest program that could do its job.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, bail};

use crate::processes::cargo;

/// Builds both programs and runs the measurement. Its table says which targets hold.
pub(crate) fn run(root: &Path, arguments: &[&str]) -> anyhow::Result<bool> {
    let is_unknown = |argument: &&&str| argument.starts_with('-') && **argument != "--quick";
    if let Some(unknown) = arguments.iter().find(is_unknown) {
        bail!("`{unknown}` is no option of bench; there is only --quick");
    }
    let built = cargo(root)
        .args(["build", "--release", "-p", "askback", "-p", "askback-bench"])
        .status()
        .context("cargo does not start")?;
    if !built.success() {
        return Ok(false);
    }
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), Into::into);
    let directory = target.join("bench");
    std::fs::create_dir_all(&directory)?;
    let release = target.join("release");
    let status = Command::new(release.join("askback-bench"))
        .arg("run")
        .args([release.join("askback"), directory.clone()])
        .args(arguments)
        .status()
        .context("the measurement does not start")?;
    println!(
        "bench: the figures are in {}",
        directory.join("bench.json").display()
    );
    Ok(status.success())
}
