//! Keeps source files short enough to be read in one go. The length of functions is clippy's to
//! check.

use crate::sources::SourceFile;

/// The most lines that a Rust file may have, its tests apart.
const LINES_MAX: usize = 800;

/// Finds Rust files of the crates and of xtask that are longer than [`LINES_MAX`] lines.
pub(crate) fn findings(sources: &[SourceFile]) -> Vec<String> {
    sources
        .iter()
        .filter(|source| source.is_rust() && !source.is_test() && is_bounded(&source.path))
        .filter_map(|source| {
            let lines = source.text.lines().count();
            (lines > LINES_MAX).then(|| {
                format!(
                    "{}: {lines} lines are more than the {LINES_MAX} that one file may have; \
                     split it by idea, one type or command to a file.",
                    source.path
                )
            })
        })
        .collect()
}

fn is_bounded(path: &str) -> bool {
    let parts: Vec<&str> = path.split('/').collect();
    matches!(
        parts.as_slice(),
        ["crates", "askback", "src", ..] | ["crates", _, _, "src", ..] | ["xtask", "src", ..]
    )
}

#[cfg(test)]
#[path = "lengths_tests.rs"]
mod tests;
