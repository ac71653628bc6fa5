//! The token that somebody chose: said outright, or in a file that only they can read.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use askback_store::private_file::shared_mode;

use crate::args::SettingsArgs;

/// Bytes of the file that are read; a token is far shorter.
const FILE_BYTES_MAX: u64 = 64 * 1024;

/// The token of the flags or the environment, or else that of the configuration.
pub(super) fn chosen(
    args: &SettingsArgs,
    configured: Option<String>,
    configured_file: Option<PathBuf>,
) -> anyhow::Result<Option<String>> {
    let given = (args.token.clone(), args.token_file.clone());
    let (token, file) = match given {
        (None, None) => (configured, configured_file),
        given => given,
    };
    match (token, file) {
        (Some(_), Some(file)) => bail!(
            "a token is given, and {} names a file with one: leave one of them out (--token or \
             ASKBACK_TOKEN, --token-file or ASKBACK_TOKEN_FILE)",
            file.display()
        ),
        (token, None) => Ok(token),
        (None, Some(file)) => read(&file).map(Some),
    }
}

fn read(path: &Path) -> anyhow::Result<String> {
    let cannot = || format!("cannot read the token file {}", path.display());
    let file = File::open(path).with_context(cannot)?;
    let metadata = file.metadata().with_context(cannot)?;
    // A pipe has the mode of its kind, and is nobody else's to read.
    if metadata.is_file()
        && let Some(mode) = shared_mode(&metadata)
    {
        let path = path.display();
        bail!(
            "other users can read {path} (mode {mode:o}): run chmod 600 {path}, and choose another token"
        );
    }
    let mut token = String::new();
    let mut file = file.take(FILE_BYTES_MAX);
    file.read_to_string(&mut token).with_context(cannot)?;
    let token = token.trim();
    if token.is_empty() {
        bail!("the token file {} is empty", path.display());
    }
    Ok(token.to_owned())
}

#[cfg(test)]
#[path = "token_tests.rs"]
mod tests;
