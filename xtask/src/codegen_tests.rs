//! Plants stale, missing and left-over files and expects each to be named with its remedy.

use super::*;

fn generated(path: &str, content: &str) -> Generated {
    Generated {
        path: path.to_owned(),
        content: content.to_owned(),
    }
}

fn disk(files: &[(&str, &str)]) -> BTreeMap<String, String> {
    files
        .iter()
        .map(|(path, content)| ((*path).to_owned(), (*content).to_owned()))
        .collect()
}

#[test]
fn fresh_files_pass() {
    let must = [
        generated("schemas/a.json", "{}"),
        generated("docs/keys.md", "k"),
    ];
    let is = disk(&[("schemas/a.json", "{}"), ("docs/keys.md", "k")]);
    assert_eq!(findings(&must, &is), Vec::<String>::new());
}

#[test]
fn stale_missing_and_left_over_files_are_found() {
    let must = [
        generated("schemas/a.json", "{}"),
        generated("schemas/b.json", "{}"),
    ];
    let is = disk(&[("schemas/a.json", "[]"), ("schemas/old.json", "{}")]);
    assert_eq!(
        findings(&must, &is),
        [
            "schemas/a.json: the generated file is stale; run `cargo xtask codegen` and commit \
             what it writes.",
            "schemas/b.json: the generated file is missing; run `cargo xtask codegen` and commit \
             what it writes.",
            "schemas/old.json: no generator in xtask/src/codegen.rs makes this file; delete it, \
             or add its generator.",
        ]
    );
}
