//! Checks that the paths named in the documents about the code exist, so that a rename cannot leave
//! them behind.

use std::fs;
use std::path::Path;

use anyhow::Context as _;

/// The documents whose paths are checked.
const DOCUMENTS: &[&str] = &["ARCHITECTURE.md", "CONTRIBUTING.md", "README.md"];

pub(crate) fn findings_in(root: &Path, paths: &[String]) -> anyhow::Result<Vec<String>> {
    let mut found = Vec::new();
    for document in DOCUMENTS {
        let text = fs::read_to_string(root.join(document))
            .with_context(|| format!("cannot read {document}"))?;
        found.extend(findings(document, &text, paths));
    }
    Ok(found)
}

/// A word in backticks with a slash is a path if its first part is a directory at the top of the
/// repository. In ARCHITECTURE.md, the name of a source file stands for a path that ends with it.
fn findings(document: &str, text: &str, paths: &[String]) -> Vec<String> {
    let mut found = Vec::new();
    for (number, line) in text.lines().enumerate() {
        for word in line.split('`').skip(1).step_by(2) {
            let at = format!("{document}:{}", number + 1);
            let path = word.trim_end_matches('/');
            let has_path_chars = path.chars().all(is_path_char);
            let is_gone = if is_at_top(path, paths) {
                !exists(path, paths)
            } else {
                document == DOCUMENTS[0]
                    && is_source(path)
                    && !paths.iter().any(|known| ends_with(known, path))
            };
            if has_path_chars && is_gone {
                found.push(format!(
                    "{at}: `{path}` does not exist; name the present path."
                ));
            }
        }
    }
    found
}

fn is_path_char(char: char) -> bool {
    char.is_ascii_alphanumeric() || "/._-".contains(char)
}

fn is_at_top(path: &str, paths: &[String]) -> bool {
    let first = path.split('/').next().unwrap_or(path);
    path.contains('/') && exists(first, paths)
}

fn is_source(path: &str) -> bool {
    let extension = Path::new(path).extension().and_then(|it| it.to_str());
    matches!(extension, Some("rs" | "js" | "mjs" | "ts" | "py"))
}

fn ends_with(known: &str, path: &str) -> bool {
    let before = known.strip_suffix(path);
    before.is_some_and(|before| before.is_empty() || before.ends_with('/'))
}

fn exists(path: &str, paths: &[String]) -> bool {
    let is_same = |known: &String| {
        let rest = known.strip_prefix(path);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    paths.iter().any(is_same)
}

#[cfg(test)]
#[path = "doc_paths_tests.rs"]
mod tests;
