//! Builds the binary of this machine for old distributions, with the C compiler and linker of zig.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use anyhow::{Context as _, ensure};

use super::output;
use super::target::GLIBC;

/// Packages of `PyPI`, which has zig for all machines.
const TOOLS: [&str; 2] = ["ziglang==0.17.0", "cargo-zigbuild==0.24.0"];

/// Writes the list of crates into the binary, where scanners for vulnerabilities read it.
const AUDITABLE: &str = "cargo-auditable@0.7.7";

/// The triple and the path of the binary.
pub(super) fn host(root: &Path, target: &Path) -> anyhow::Result<(String, PathBuf)> {
    let version = output(root, "rustc", &["-vV"])?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    let triple = host.context("rustc does not say its host")?;
    let tools = tools(root, target)?;
    let path = env::var_os("PATH").unwrap_or_default();
    let path = env::join_paths([tools].into_iter().chain(env::split_paths(&path)))?;
    let cargo_home = env::var_os("CARGO_HOME").map_or_else(
        || PathBuf::from(env::var_os("HOME").unwrap_or_default()).join(".cargo"),
        PathBuf::from,
    );
    // Neither the paths of this machine nor the time of the build are in the binary.
    let remap = |from: &Path, to: &str| format!("--remap-path-prefix={}={to}", from.display());
    let mut flags = vec![remap(&cargo_home, "/cargo"), remap(root, "/askback")];
    // The last one that fits counts: the name of the registry's directory differs between machines.
    for entry in fs::read_dir(cargo_home.join("registry/src"))
        .into_iter()
        .flatten()
    {
        flags.push(remap(&entry?.path(), "/crates"));
    }
    let flags = flags.join(" ");
    let seconds = output(root, "git", &["log", "-1", "--format=%ct"])?;
    let exact = if triple.ends_with("linux-gnu") {
        format!("{triple}.{GLIBC}")
    } else {
        triple.to_owned()
    };
    let build = target.join("dist-build");
    println!("dist: building for {exact}");
    let status = Command::new("cargo")
        .args([
            "auditable",
            "zigbuild",
            "--profile",
            "dist",
            "--locked",
            "--package",
            "askback",
            "--target",
            &exact,
        ])
        .current_dir(root)
        // Not beside the packages: cargo would put what runs on this machine where they are.
        .env("CARGO_TARGET_DIR", &build)
        .env("PATH", path)
        .env("RUSTFLAGS", flags)
        .env("SOURCE_DATE_EPOCH", seconds)
        .env("MACOSX_DEPLOYMENT_TARGET", "11.0")
        .status()?;
    ensure!(status.success(), "the build failed");
    Ok((triple.to_owned(), build.join(triple).join("dist/askback")))
}

/// The directory of the programs, which are installed the first time.
fn tools(root: &Path, target: &Path) -> anyhow::Result<PathBuf> {
    let environment = target.join("dist-tools");
    let programs = environment.join("bin");
    if !programs.join("cargo-zigbuild").exists() {
        let shown = environment.to_str().context("a path is not UTF-8")?;
        output(root, "python3", &["-m", "venv", shown])?;
        let pip = programs.join("pip");
        let pip = pip.to_str().context("a path is not UTF-8")?;
        output(root, pip, &["install", "--quiet", TOOLS[0], TOOLS[1]])?;
    }
    if !programs.join("cargo-auditable").exists() {
        let to = environment.to_str().context("a path is not UTF-8")?;
        let install = ["install", "--quiet", "--locked", "--root", to, AUDITABLE];
        output(root, "cargo", &install)?;
    }
    Ok(programs)
}
