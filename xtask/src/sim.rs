//! Runs the simulation of the engine, which explains its own options.

use std::path::Path;

use anyhow::Context;

use crate::processes::cargo;

/// Builds the simulation and runs it.
pub(crate) fn run(root: &Path, arguments: &[&str]) -> anyhow::Result<bool> {
    let status = cargo(root)
        .args(["run", "--quiet", "-p", "askback-sim", "--"])
        .args(arguments)
        .status()
        .context("cargo does not start")?;
    Ok(status.success())
}
