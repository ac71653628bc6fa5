//! The token that the user chose: a flag, an environment variable, or a private file.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use askback_channels::is_mounted_secret;
use askback_server::trusted_file::check_owner;
use askback_store::private_file::shared_mode;

use crate::args::SettingsArgs;
use crate::settings::variable;

/// More than any token.
const FILE_BYTES_MAX: u64 = 64 * 1024;

/// Flags and environment override the configuration file.
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
            "both a token and a token file ({}) are given: leave one of them out (--token or \
             ASKBACK_TOKEN, --token-file or ASKBACK_TOKEN_FILE)",
            file.display()
        ),
        (token, None) => Ok(token),
        (None, Some(file)) => read(&file).map(Some),
    }
}

/// The token of a server for the settings of an agent: from a file, or else from a data directory.
pub(crate) fn of_server(file: Option<&Path>, data: Option<&Path>) -> anyhow::Result<String> {
    if let Some(file) = file {
        return read(file);
    }
    let data = super::data_dir_or_default(data)?;
    read(&data.join("token")).with_context(|| {
        format!(
            "there is no token in {}: run `askback serve` once, or give the token with --token-file",
            data.display()
        )
    })
}

/// Whether the file is a credential that systemd passes to this service. It may have mode 0440: its group is root,
/// and an access list lets the service read it.
fn is_credential(path: &Path, directory: Option<&str>) -> bool {
    directory.is_some_and(|directory| path.parent() == Some(Path::new(directory)))
}

fn read(path: &Path) -> anyhow::Result<String> {
    let cannot = || format!("cannot read the token file {}", path.display());
    let file = File::open(path).with_context(cannot)?;
    let metadata = file.metadata().with_context(cannot)?;
    if metadata.is_file() {
        check_owner(path)?;
    }
    // The mode of a pipe says nothing about who can read it.
    // systemd and container runtimes keep theirs where only the service can get at them.
    if metadata.is_file()
        && !is_credential(path, variable("CREDENTIALS_DIRECTORY").as_deref())
        && let Some(mode) = shared_mode(&metadata)
        && !is_mounted_secret(path, &metadata)
    {
        let path = path.display();
        bail!(
            "other users can read {path} (mode {mode:o}): run chmod 600 {path}, and then use a new token"
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
