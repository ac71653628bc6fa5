//! Checks the links of the documentation: files and headings exist, and the book has every page.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use crate::sources::SourceFile;

const SUMMARY: &str = "docs/SUMMARY.md";

/// `paths` are all files of the repository, `documents` the Markdown among them.
pub(crate) fn findings(documents: &[SourceFile], paths: &[String]) -> Vec<String> {
    let headings: BTreeMap<&str, Vec<String>> = documents
        .iter()
        .map(|document| (document.path.as_str(), anchors(&document.text)))
        .collect();
    let mut found = Vec::new();
    for document in documents {
        for (number, link) in links(&document.text) {
            if let Some(why) = problem(&document.path, link, paths, &headings) {
                found.push(format!(
                    "{}:{number}: the link {link} {why}.",
                    document.path
                ));
            }
        }
    }
    found.extend(missing_pages(documents));
    found
}

fn problem(
    document: &str,
    link: &str,
    paths: &[String],
    headings: &BTreeMap<&str, Vec<String>>,
) -> Option<&'static str> {
    if link.contains("://") || link.starts_with("mailto:") {
        return None;
    }
    let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
    let file = match file {
        "" => document.to_owned(),
        file => resolve(document, file),
    };
    let is_below = |path: &String| Path::new(path).starts_with(&file);
    if !paths.iter().any(is_below) {
        return Some("leads to no file");
    }
    let anchors = headings.get(file.as_str())?;
    let is_known = anchor.is_empty() || anchors.iter().any(|it| it == anchor);
    (!is_known).then_some("leads to no heading")
}

/// A relative link as a path from the top of the repository.
fn resolve(document: &str, link: &str) -> String {
    let directory = Path::new(document).parent().unwrap_or(Path::new(""));
    let mut path = PathBuf::new();
    for part in directory.join(link).components() {
        if part == Component::ParentDir {
            path.pop();
        } else if part != Component::CurDir {
            path.push(part);
        }
    }
    path.to_string_lossy().into_owned()
}

/// The targets of links with their line numbers, without those in blocks of code.
fn links(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    for (number, line) in prose(text) {
        let outside_code = line.split('`').step_by(2);
        for part in outside_code {
            for rest in part.split("](").skip(1) {
                let target = rest.split([')', ' ']).next().unwrap_or_default();
                found.push((number, target));
            }
        }
    }
    found
}

/// The anchors of headings, as GitHub and mdBook make them.
fn anchors(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for (_, line) in prose(text) {
        let Some(title) = line.strip_prefix('#') else {
            continue;
        };
        let title = title.trim_start_matches('#').trim().to_lowercase();
        let is_kept = |char: &char| char.is_alphanumeric() || " -_".contains(*char);
        let anchor: String = title.chars().filter(is_kept).collect();
        let anchor = anchor.replace(' ', "-");
        let repeated = found.iter().filter(|it| **it == anchor).count();
        found.push(match repeated {
            0 => anchor,
            count => format!("{anchor}-{count}"),
        });
    }
    found
}

fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut is_code = false;
    text.lines().enumerate().filter_map(move |(index, line)| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        (!is_code && !is_fence).then_some((index + 1, line))
    })
}

/// The pages that the table of contents of the book does not have.
fn missing_pages(documents: &[SourceFile]) -> Vec<String> {
    let Some(summary) = documents.iter().find(|it| it.path == SUMMARY) else {
        return Vec::new();
    };
    let listed: Vec<String> = links(&summary.text)
        .into_iter()
        .map(|(_, link)| resolve(SUMMARY, link))
        .collect();
    let pages = documents.iter().map(|it| &it.path);
    let pages = pages.filter(|path| path.starts_with("docs/") && *path != SUMMARY);
    let missing = pages.filter(|path| !listed.contains(path));
    missing
        .map(|path| format!("{path}: the page is not in {SUMMARY}; add it."))
        .collect()
}

#[cfg(test)]
#[path = "links_tests.rs"]
mod tests;
