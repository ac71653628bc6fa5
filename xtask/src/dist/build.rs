//! Builds a binary that runs on old distributions: static, or against an old glibc. zig has the C compiler and the headers.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use anyhow::{Context as _, ensure};

use super::output;
use super::target::{GLIBC, Libc, Target};

/// Packages of `PyPI`, which has zig for all machines.
const TOOLS: [&str; 2] = ["ziglang==0.17.0", "cargo-zigbuild==0.24.0"];

/// Writes the list of crates into the binary, where scanners for vulnerabilities read it.
const AUDITABLE: &str = "cargo-auditable@0.7.7";

/// What the linker of Rust does for a smaller package, and that of zig does not: it packs relocations, which musl reads
/// and an old glibc does not, and puts similar functions beside each other, where gzip finds them.
const LINKER: &str = "rust-lld";
const LINK_ARGUMENTS: [&str; 2] = ["--pack-dyn-relocs=relr", "--bp-compression-sort=both"];

/// The target that is built if none is named: for Linux the static one, which a release has, if its standard library is
/// installed.
pub(super) fn default_target(root: &Path) -> anyhow::Result<&'static Target> {
    let version = output(root, "rustc", &["-vV"])?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    let host = host.context("rustc does not say its host")?;
    let musl = host.replace("-gnu", "-musl");
    let library = ["--print", "target-libdir", "--target", &musl];
    if Path::new(&output(root, "rustc", &library)?).exists() {
        return Target::named(&musl);
    }
    println!("dist: not static, because rustup target add {musl} was not run");
    Target::named(host)
}

/// The path of the binary.
pub(super) fn binary(
    root: &Path,
    directory: &Path,
    target: &'static Target,
) -> anyhow::Result<PathBuf> {
    let triple = target.triple;
    let tools = tools(root, target)?;
    let path = env::var_os("PATH").unwrap_or_default();
    let path = env::join_paths([tools].into_iter().chain(env::split_paths(&path)))?;
    let mut flags = without_paths(root)?;
    let build = directory.join("dist-build");
    let mut cargo = Command::new("cargo");
    cargo.arg("auditable");
    match target.libc {
        Libc::Glibc => cargo.args(["zigbuild", "--target", &format!("{triple}.{GLIBC}")]),
        Libc::Musl => {
            flags.extend(LINK_ARGUMENTS.map(|argument| format!("-Clink-arg={argument}")));
            let name = triple.to_uppercase().replace('-', "_");
            cargo.env(format!("CARGO_TARGET_{name}_LINKER"), LINKER);
            cargo.args(["zigbuild", "--target", triple])
        }
        Libc::System => cargo.args(["build", "--target", triple]),
    };
    println!("dist: building for {triple}");
    let seconds = output(root, "git", &["log", "-1", "--format=%ct"])?;
    let status = cargo
        .args(["--profile", "dist", "--locked", "--package", "askback"])
        .current_dir(root)
        // Not beside the packages: cargo would put what runs on this machine where they are.
        .env("CARGO_TARGET_DIR", &build)
        .env("PATH", path)
        .env("RUSTFLAGS", flags.join(" "))
        .env("SOURCE_DATE_EPOCH", seconds)
        .env("MACOSX_DEPLOYMENT_TARGET", "11.0")
        .status()?;
    ensure!(status.success(), "the build failed");
    Ok(build.join(triple).join("dist/askback"))
}

/// Flags with which no path of this machine gets into the binary. The time of the build is left out by `SOURCE_DATE_EPOCH`.
fn without_paths(root: &Path) -> anyhow::Result<Vec<String>> {
    let cargo_home = cargo_home();
    // The directory of the registry has to be there before its name is read.
    output(root, "cargo", &["fetch", "--locked"])?;
    let remap = |from: &Path, to: &str| format!("--remap-path-prefix={}={to}", from.display());
    let mut flags = vec![remap(&cargo_home, "/cargo"), remap(root, "/askback")];
    // The last one that fits counts: the name of the registry's directory differs between machines.
    for entry in fs::read_dir(cargo_home.join("registry/src"))
        .into_iter()
        .flatten()
    {
        flags.push(remap(&entry?.path(), "/crates"));
    }
    Ok(flags)
}

fn cargo_home() -> PathBuf {
    env::var_os("CARGO_HOME").map_or_else(
        || PathBuf::from(env::var_os("HOME").unwrap_or_default()).join(".cargo"),
        PathBuf::from,
    )
}

/// The directory of the programs, which are installed the first time. It is the same for every clone: cargo hashes the
/// path of cargo-auditable into the names of our crates, and another path would give other bytes.
fn tools(root: &Path, target: &Target) -> anyhow::Result<PathBuf> {
    let environment = cargo_home().join("askback-dist-tools");
    let programs = environment.join("bin");
    if target.is_linux() && !programs.join("cargo-zigbuild").exists() {
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
