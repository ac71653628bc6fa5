//! Paths that are gone are found, and words that only look like paths are not.

use super::*;

fn check(text: &str) -> Vec<String> {
    let paths = ["crates/core/src/lib.rs", "docs/web.md", "README.md"].map(str::to_owned);
    findings("ARCHITECTURE.md", text, &paths)
}

#[test]
fn missing_paths_are_found() {
    let text =
        "See `crates/core/src/gone.rs`.\nAnd `docs/web.mdx`.\nIts `b.rs`, and `src/gone.rs`.";
    assert_eq!(
        check(text),
        [
            "ARCHITECTURE.md:1: `crates/core/src/gone.rs` does not exist; name the present path.",
            "ARCHITECTURE.md:2: `docs/web.mdx` does not exist; name the present path.",
            "ARCHITECTURE.md:3: `b.rs` does not exist; name the present path.",
            "ARCHITECTURE.md:3: `src/gone.rs` does not exist; name the present path.",
        ]
    );
}

#[test]
fn files_directories_and_other_words_pass() {
    let text = "`crates/core/src/lib.rs` `crates/core/` `docs` `text/event-stream` `Engine::submit` \
                `docs/<page>.md` `GET /docs/x` `lib.rs` `src/lib.rs` `foo.txt`";
    assert_eq!(check(text), Vec::<String>::new());
}
