//! Broken links and missing pages are found; links to the web and examples in code are left alone.

use super::*;

fn check(files: &[(&str, &str)]) -> Vec<String> {
    let documents: Vec<SourceFile> = files
        .iter()
        .map(|(path, text)| SourceFile {
            path: (*path).to_owned(),
            text: (*text).to_owned(),
        })
        .collect();
    let paths: Vec<String> = files.iter().map(|(path, _)| (*path).to_owned()).collect();
    findings(&documents, &paths)
}

#[test]
fn links_lead_to_files_and_headings() {
    let page = "# What `it` does: all\n## Twice\n## Twice\n";
    let good = "[a](docs/b.md#what-it-does-all) [b](docs/b.md#twice-1) [c](https://x.example/y) [d](docs) [e](#f)\n# F\n\
                `[x](none.md)`\n```\n[x](none.md)\n```\n";
    assert_eq!(
        check(&[("a.md", good), ("docs/b.md", page)]),
        Vec::<String>::new()
    );
    let bad = "[a](docs/c.md)\n[b](docs/b.md#thrice)\n";
    assert_eq!(
        check(&[("a.md", bad), ("docs/b.md", page)]),
        [
            "a.md:1: the link docs/c.md leads to no file.",
            "a.md:2: the link docs/b.md#thrice leads to no heading.",
        ]
    );
}

#[test]
fn relative_links_start_at_their_document() {
    let files = [
        ("docs/a/b.md", "[x](../../README.md) [y](../c.md)"),
        ("README.md", ""),
        ("docs/c.md", ""),
    ];
    assert_eq!(check(&files), Vec::<String>::new());
}

#[test]
fn book_has_every_page() {
    let files = [
        ("docs/SUMMARY.md", "- [B](b.md)"),
        ("docs/b.md", ""),
        ("docs/c.md", ""),
    ];
    assert_eq!(
        check(&files),
        ["docs/c.md: the page is not in docs/SUMMARY.md; add it."]
    );
}
