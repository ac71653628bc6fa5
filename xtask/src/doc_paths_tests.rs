//! Paths that are gone are found, and words that only look like paths are not.

use super::*;

fn check(text: &str) -> Vec<String> {
    let paths = ["crates/core/src/lib.rs", "docs/web.md", "README.md"].map(str::to_owned);
    findings("A.md", text, &paths)
}

#[test]
fn missing_paths_are_found() {
    let text = "See `crates/core/src/gone.rs`.\nAnd `docs/web.mdx`.";
    assert_eq!(
        check(text),
        [
            "A.md:1: `crates/core/src/gone.rs` does not exist; name the present path.",
            "A.md:2: `docs/web.mdx` does not exist; name the present path.",
        ]
    );
}

#[test]
fn files_directories_and_other_words_pass() {
    let text = "`crates/core/src/lib.rs` `crates/core/` `docs` `text/event-stream` `Engine::submit` \
                `docs/<page>.md` `GET /docs/x` `lib.rs`";
    assert_eq!(check(text), Vec::<String>::new());
}
