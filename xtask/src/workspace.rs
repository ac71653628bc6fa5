//! What cargo knows of the workspace, cut down to what the rules of `tidy` read.

use std::path::Path;
use std::process::{Command, Output};

use anyhow::{Context, ensure};
use serde::Deserialize;

/// The crates of the workspace.
#[derive(Debug, Deserialize)]
pub(crate) struct Workspace {
    pub(crate) packages: Vec<Package>,
}

/// One crate with the dependencies that its own manifest declares.
#[derive(Debug, Deserialize)]
pub(crate) struct Package {
    pub(crate) name: String,
    #[serde(default)]
    pub(crate) version: String,
    #[serde(default)]
    pub(crate) repository: Option<String>,
    pub(crate) dependencies: Vec<Dependency>,
}

/// One line of a manifest's dependency tables.
#[derive(Debug, Deserialize)]
pub(crate) struct Dependency {
    /// The name of the package, also where the manifest renames it.
    pub(crate) name: String,
    /// `None` for a normal dependency.
    pub(crate) kind: Option<SpecialKind>,
    pub(crate) uses_default_features: bool,
    pub(crate) features: Vec<String>,
}

/// The kind of a dependency that is no part of the compiled crate itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum SpecialKind {
    Dev,
    Build,
}

impl Workspace {
    /// Reads the manifests.
    pub(crate) fn load(root: &Path) -> anyhow::Result<Self> {
        let json = ask_cargo(root, &["metadata", "--format-version", "1", "--no-deps"])?;
        serde_json::from_str(&json).context("the output of cargo metadata does not parse")
    }

    /// The crate of that name.
    pub(crate) fn package(&self, name: &str) -> Option<&Package> {
        self.packages.iter().find(|package| package.name == name)
    }
}

/// All that a crate pulls in by normal dependencies, on any platform, with the features that the
/// crate itself asks for: one line for each, which starts with its depth in the tree.
///
/// The graph of `cargo metadata` would not do: it unites the features of the whole workspace and
/// holds optional dependencies that nothing switches on.
pub(crate) fn dependency_tree(root: &Path, package: &str) -> anyhow::Result<String> {
    ask_cargo(
        root,
        &[
            "tree",
            "--package",
            package,
            "--edges=normal",
            "--target=all",
            "--prefix=depth",
            "--format={p}",
        ],
    )
}

/// What cargo prints, asked first without the network and, where that fails, with it. The lock
/// file is never changed.
fn ask_cargo(root: &Path, arguments: &[&str]) -> anyhow::Result<String> {
    let offline = run_cargo(root, arguments, &["--locked", "--offline"])?;
    let output = if offline.status.success() {
        offline
    } else {
        run_cargo(root, arguments, &["--locked"])?
    };
    ensure!(
        output.status.success(),
        "cargo {} failed: {}",
        arguments.join(" "),
        String::from_utf8_lossy(&output.stderr).trim()
    );
    String::from_utf8(output.stdout).context("the output of cargo is not UTF-8")
}

fn run_cargo(root: &Path, arguments: &[&str], more: &[&str]) -> anyhow::Result<Output> {
    Command::new("cargo")
        .args(arguments)
        .args(more)
        .current_dir(root)
        .output()
        .context("cargo does not start")
}
