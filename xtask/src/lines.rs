//! Counts the lines of the product by crate: all lines of its files, and those that are neither blank nor a comment.
//! Tests, crates for tests, the benchmark and the chores of the repository are not part of it.

use std::collections::BTreeMap;

use crate::sources::SourceFile;

/// Crates that no program of ours contains.
const NOT_SHIPPED: &[&str] = &["bench", "fakes", "sim", "store-testing", "testkit"];

#[derive(Default, Clone, Copy)]
struct Count {
    files: usize,
    lines: usize,
    code: usize,
}

/// Prints a row for each crate and for `web`, the largest first, and the sum.
pub(crate) fn print(sources: &[SourceFile]) {
    let mut counts: BTreeMap<&str, Count> = BTreeMap::new();
    let mut sum = Count::default();
    for file in sources {
        let Some(part) = part(&file.path).filter(|_| !file.is_test()) else {
            continue;
        };
        let lines = || file.text.lines().map(str::trim_start);
        let is_code = |line: &&str| {
            let comments = ["//", "/*", "*"];
            !line.is_empty() && !comments.iter().any(|comment| line.starts_with(comment))
        };
        for count in [counts.entry(part).or_default(), &mut sum] {
            count.files += 1;
            count.lines += lines().count();
            count.code += lines().filter(is_code).count();
        }
    }
    let mut rows: Vec<(&str, Count)> = counts.into_iter().collect();
    rows.sort_by_key(|(_, count)| std::cmp::Reverse(count.lines));
    for (name, count) in rows.into_iter().chain([("sum", sum)]) {
        let Count { files, lines, code } = count;
        println!("{name:<20} {files:>4} files {lines:>7} lines {code:>7} of code");
    }
}

/// The crate of a product file, or `web`.
fn part(path: &str) -> Option<&str> {
    let mut parts = path.split('/');
    let (top, extension) = (parts.next()?, path.rsplit('.').next()?);
    match (top, extension) {
        ("web", "css" | "js" | "mjs") => Some("web"),
        ("crates", "rs") => {
            let name = parts.find(|part| part.starts_with("askback"))?;
            let short = name.strip_prefix("askback-").unwrap_or(name);
            (!NOT_SHIPPED.contains(&short)).then_some(name)
        }
        _ => None,
    }
}
