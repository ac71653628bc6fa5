//! Writes the test vectors that `web/draft/draft.js` has to replay. Their format is described in
//! `askback_testkit::draft_vectors`.

use std::fs;
use std::path::Path;

use anyhow::Context;
use askback_testkit::draft_vector;

/// The seed and the number of the cases that CI replays.
const SEED: u64 = 1;
const COUNT: u64 = 5_000;

/// Prints every case.
pub(crate) fn print() -> bool {
    for index in 0..COUNT {
        println!("{}", draft_vector(SEED, index));
    }
    true
}

/// Writes every case to `path`.
pub(crate) fn write(path: &Path) -> anyhow::Result<()> {
    let lines: Vec<String> = (0..COUNT).map(|index| draft_vector(SEED, index)).collect();
    fs::write(path, lines.join("\n") + "\n").with_context(|| path.display().to_string())
}
