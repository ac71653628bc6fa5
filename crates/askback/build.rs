//! Finds the commit that is built and its date, for `askback --version`.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// Where this crate is in its repository.
const DIRECTORY: &str = "crates/askback/";
const HASH_LENGTH: usize = 9;

fn main() {
    let manifest = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let commit = of_archive(&manifest)
        .or_else(|| of_checkout(&manifest))
        .or_else(|| of_package(&manifest));
    let mut version = env::var("CARGO_PKG_VERSION").unwrap_or_default();
    if let Some(commit) = commit {
        version = format!("{version} ({commit})");
    }
    println!("cargo:rustc-env=ASKBACK_VERSION={version}");
}

/// In an archive, git has written the commit into a file.
fn of_archive(manifest: &Path) -> Option<String> {
    println!("cargo:rerun-if-changed=commit.txt");
    let text = fs::read_to_string(manifest.join("commit.txt")).ok()?;
    let (hash, date) = text.trim().split_once(' ')?;
    (!hash.starts_with('$')).then(|| shown(hash, date))
}

/// A package that is unpacked below a checkout of anything is no part of that.
fn of_checkout(manifest: &Path) -> Option<String> {
    if git(manifest, &["rev-parse", "--show-prefix"])? != DIRECTORY {
        return None;
    }
    // Written at every commit, checkout and rebase. A file that does not exist would make every build a new one.
    let log = git(manifest, &["rev-parse", "--git-path", "logs/HEAD"])?;
    if manifest.join(&log).exists() {
        println!("cargo:rerun-if-changed={log}");
    }
    let commit = git(manifest, &["log", "-1", "--format=%H %cs"])?;
    let (hash, date) = commit.split_once(' ')?;
    Some(shown(hash, date))
}

/// `cargo package` writes the commit, without its date.
fn of_package(manifest: &Path) -> Option<String> {
    let text = fs::read_to_string(manifest.join(".cargo_vcs_info.json")).ok()?;
    let (_, rest) = text.split_once("\"sha1\": \"")?;
    let (hash, _) = rest.split_once('"')?;
    hash.get(..HASH_LENGTH).map(str::to_owned)
}

fn shown(hash: &str, date: &str) -> String {
    let hash = hash.get(..HASH_LENGTH).unwrap_or(hash);
    format!("{hash} {date}")
}

fn git(directory: &Path, args: &[&str]) -> Option<String> {
    let output = Command::new("git")
        .current_dir(directory)
        .args(args)
        .output()
        .ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
