//! Keeps out file names that say nothing of what is inside.

/// Names that gather whatever has no home; a file is named for its main type or command instead.
const VAGUE: &[&str] = &[
    "common", "helper", "helpers", "manager", "misc", "util", "utils",
];

/// Finds files, and directories on the way to them, with a vague name, and modules written as
/// `mod.rs`.
pub(crate) fn findings(paths: &[String]) -> Vec<String> {
    paths
        .iter()
        .filter_map(|path| {
            if path.ends_with("/mod.rs") {
                return Some(format!(
                    "{path}: a module `foo` lives in `foo.rs` beside its directory; move it there."
                ));
            }
            let vague = path.split('/').find(|part| is_vague(part))?;
            Some(format!(
                "{path}: the name `{vague}` does not say what is inside; name it for its main \
                 type or command."
            ))
        })
        .collect()
}

fn is_vague(part: &str) -> bool {
    let stem = part.split('.').next().unwrap_or(part);
    let subject = stem.strip_suffix("_tests").unwrap_or(stem);
    VAGUE.contains(&subject)
}

#[cfg(test)]
#[path = "file_names_tests.rs"]
mod tests;
