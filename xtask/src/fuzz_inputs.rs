//! Runs the generated tool inputs of `askback-testkit`, built with optimisation.

use std::path::Path;

use anyhow::Context;

use crate::processes::cargo;

/// Runs the cases that the arguments name; false if any of them broke a rule.
pub(crate) fn run(root: &Path, arguments: &[&str]) -> anyhow::Result<bool> {
    let status = cargo(root)
        .args(["run", "--quiet", "--release"])
        .args(["--package", "askback-testkit", "--bin", "fuzz-inputs", "--"])
        .args(arguments)
        .status()
        .context("cargo does not start")?;
    Ok(status.success())
}
