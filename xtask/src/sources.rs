//! The files of the repository, as git sees them: tracked ones and new ones, without what is
//! ignored.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, ensure};

/// A file that the rules read, with its path from the top of the repository.
#[derive(Debug)]
pub(crate) struct SourceFile {
    pub(crate) path: String,
    pub(crate) text: String,
}

impl SourceFile {
    pub(crate) fn is_rust(&self) -> bool {
        extension(&self.path) == Some("rs")
    }

    /// Tests may be long: a `_tests.rs` file beside its subject, or anything below a directory of tests.
    pub(crate) fn is_test(&self) -> bool {
        let is_of_tests =
            |part: &str| part == "tests" || part == "benches" || part.ends_with("_tests");
        self.path.ends_with("_tests.rs") || self.path.split('/').any(is_of_tests)
    }
}

/// Endings of the files that people write code in. Prose is left out: it may speak of a word
/// without using it.
const SOURCE_EXTENSIONS: &[&str] = &[
    "css", "ftl", "html", "js", "mjs", "rs", "sh", "sql", "toml", "ts", "yaml", "yml",
];

/// Directories whose files are scripts without an ending.
const SCRIPT_DIRECTORIES: &[&str] = &[".ci/", "scripts/"];

/// The paths of all files, sorted, from the top of the repository.
pub(crate) fn paths(root: &Path) -> anyhow::Result<Vec<String>> {
    let output = Command::new("git")
        .args([
            "ls-files",
            "-z",
            "--cached",
            "--others",
            "--exclude-standard",
        ])
        .current_dir(root)
        .output()
        .context("git does not start")?;
    ensure!(
        output.status.success(),
        "git ls-files failed: {}",
        String::from_utf8_lossy(&output.stderr).trim()
    );
    let listed = String::from_utf8(output.stdout).context("a file name is not UTF-8")?;
    let mut paths: Vec<String> = listed
        .split_terminator('\0')
        .filter(|path| root.join(path).is_file())
        .map(str::to_owned)
        .collect();
    paths.sort();
    paths.dedup();
    Ok(paths)
}

/// Reads those of the files that hold source text.
pub(crate) fn read(root: &Path, paths: &[String]) -> anyhow::Result<Vec<SourceFile>> {
    read_where(root, paths, is_source)
}

fn read_where(
    root: &Path,
    paths: &[String],
    wanted: impl Fn(&str) -> bool,
) -> anyhow::Result<Vec<SourceFile>> {
    paths
        .iter()
        .filter(|path| wanted(path))
        .map(|path| {
            let text = fs::read_to_string(root.join(path)).with_context(|| path.clone())?;
            Ok(SourceFile {
                path: path.clone(),
                text,
            })
        })
        .collect()
}

/// Reads the documentation.
pub(crate) fn read_docs(root: &Path, paths: &[String]) -> anyhow::Result<Vec<SourceFile>> {
    read_where(root, paths, |path| extension(path) == Some("md"))
}

/// Reads what other programs read of a release: manifests of plugins, workflows, templates.
pub(crate) fn read_listings(root: &Path, paths: &[String]) -> anyhow::Result<Vec<SourceFile>> {
    const DIRECTORIES: [&str; 5] = [
        ".agents/",
        ".claude-plugin/",
        ".github/",
        "packaging/",
        "plugins/",
    ];
    let is_listing = |path: &str| {
        DIRECTORIES.iter().any(|it| path.starts_with(it)) && extension(path) != Some("md")
    };
    read_where(root, paths, is_listing)
}

fn is_source(path: &str) -> bool {
    extension(path).is_some_and(|ending| SOURCE_EXTENSIONS.contains(&ending))
        || SCRIPT_DIRECTORIES
            .iter()
            .any(|directory| path.starts_with(directory))
}

fn extension(path: &str) -> Option<&str> {
    Path::new(path).extension()?.to_str()
}

#[cfg(test)]
#[path = "sources_tests.rs"]
mod tests;
