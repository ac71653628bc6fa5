//! Small files that only their owner can read.

use std::io::Write as _;
use std::path::Path;

use anyhow::Context as _;
use askback_store::private_file;

/// Writes the file anew. One that others could read, they can read no more.
pub(crate) fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    let failed = || format!("cannot write {}", path.display());
    let mut file = private_file::open_or_create(path).with_context(failed)?;
    private_file::restrict_to_owner(path).with_context(failed)?;
    file.set_len(0).with_context(failed)?;
    file.write_all(text.as_bytes()).with_context(failed)
}
