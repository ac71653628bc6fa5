//! Runs the simulation of the engine, which explains its own options.

use std::path::Path;
use std::process::Command;

use anyhow::Context;

/// Builds the simulation and runs it.
pub(crate) fn run(root: &Path, arguments: &[&str]) -> anyhow::Result<bool> {
    let status = Command::new("cargo")
        .args(["run", "--quiet", "-p", "askback-sim", "--"])
        .args(arguments)
        .current_dir(root)
        .status()
        .context("cargo does not start")?;
    Ok(status.success())
}
