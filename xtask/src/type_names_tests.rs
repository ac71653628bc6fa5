//! Two public types of one name are found, with where they are; what is private or a test passes.

use super::*;

fn file(path: &str, text: &str) -> SourceFile {
    SourceFile {
        path: path.to_owned(),
        text: text.to_owned(),
    }
}

#[test]
fn same_name_in_two_places_is_found() {
    let files = [
        file("crates/a/src/lib.rs", "pub struct Page<T> {\n}"),
        file("crates/b/src/lib.rs", "    pub enum Page {"),
        file("crates/b/src/other.rs", "pub struct Pages;"),
    ];
    assert_eq!(
        findings(&files),
        [
            "`Page` names more than one public type (crates/a/src/lib.rs, crates/b/src/lib.rs); \
          rename all but one."
        ]
    );
}

#[test]
fn private_types_and_tests_pass() {
    let files = [
        file("crates/a/src/lib.rs", "pub struct Page;"),
        file(
            "crates/a/src/row.rs",
            "struct Page;\npub(crate) struct Page;",
        ),
        file("crates/a/src/lib_tests.rs", "pub struct Page;"),
        file("xtask/src/main.rs", "pub struct Page;"),
    ];
    assert_eq!(findings(&files), Vec::<String>::new());
}
