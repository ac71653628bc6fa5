//! Checks the browser side: format, types, lint, budgets, and the pages of the real binary in a real
//! browser. Node and Chromium are needed for this and for nothing else.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, ensure};

use crate::processes::{Processes, cargo};
use crate::{draft_vectors, target_directory};

/// Where Chromium may be, besides what `CHROMIUM` names.
const BROWSERS: &[&str] = &[
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    "/usr/bin/google-chrome",
];

/// What is missing for these checks, in a sentence; none if they can run.
pub(crate) fn missing() -> Option<String> {
    for tool in ["node", "npm"] {
        let starts = Command::new(tool)
            .arg("--version")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        if !starts.is_ok_and(|status| status.success()) {
            return Some(format!("{tool} is missing; install Node 20 or newer"));
        }
    }
    let named = std::env::var_os("CHROMIUM").map(PathBuf::from);
    let there = named.into_iter().chain(BROWSERS.iter().map(PathBuf::from));
    let found = there.into_iter().any(|path| path.is_file());
    (!found).then(|| {
        "Chromium is missing; install the Debian package chromium, or name it in CHROMIUM".into()
    })
}

/// Builds the binary and runs all checks; false if one of them found something.
pub(crate) fn run(root: &Path, arguments: &[&str]) -> anyhow::Result<bool> {
    if let Some(missing) = missing() {
        println!("web-test: {missing}.");
        return Ok(false);
    }
    let built = cargo(root)
        .args(["build", "--package", "askback"])
        .status()
        .context("cargo does not start")?;
    ensure!(built.success(), "the binary does not build");
    check(root, arguments, &Processes::default())
}

/// Runs all checks in order with the binary that is built; false if one of them found something.
pub(crate) fn check(
    root: &Path,
    arguments: &[&str],
    processes: &Processes,
) -> anyhow::Result<bool> {
    let web = root.join("web");
    install(&web)?;
    let vectors = target_directory(root).join("draft-vectors.jsonl");
    draft_vectors::write(&vectors)?;
    let tool = |name: &str| web.join("node_modules/.bin").join(name);
    let steps: [(&str, PathBuf, Vec<&str>); 6] = [
        ("format", tool("biome"), vec!["format", "."]),
        ("types", tool("tsc"), vec!["-p", "tsconfig.json"]),
        (
            "lint",
            tool("biome"),
            vec!["lint", "--error-on-warnings", "."],
        ),
        (
            "lint of scripts",
            tool("biome"),
            vec![
                "lint",
                "--only=correctness/noUndeclaredVariables",
                "--config-path=.",
                "../scripts",
            ],
        ),
        ("rules", PathBuf::from("node"), vec!["checks.mjs"]),
        (
            "browser",
            PathBuf::from("node"),
            [&["tests/run.mjs"], arguments].concat(),
        ),
    ];
    for (name, program, arguments) in steps {
        let mut command = Command::new(&program);
        command
            .args(arguments)
            .env("ASKBACK_BIN", target_directory(root).join("debug/askback"))
            .env("ASKBACK_DRAFT_VECTORS", &vectors)
            .current_dir(&web);
        if !processes.succeeds(&mut command)? {
            println!("web-test: {name} failed");
            return Ok(false);
        }
    }
    Ok(true)
}

/// Installs the packages that the lock file names, unless what is there was installed from it.
fn install(web: &Path) -> anyhow::Result<()> {
    let read = |name: &str| fs::read(web.join(name)).with_context(|| format!("web/{name}"));
    let wanted = [read("package.json")?, read("package-lock.json")?].concat();
    let stamp = web.join("node_modules/.installed-from");
    if fs::read(&stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(());
    }
    let status = Command::new("npm")
        .args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"])
        .current_dir(web)
        .status()
        .context("npm does not start")?;
    ensure!(status.success(), "npm ci failed; it needs a registry");
    fs::write(&stamp, wanted).context("node_modules cannot be written")
}
