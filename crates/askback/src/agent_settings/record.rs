//! What `askback install` replaced in a settings file, so that it can be put back byte for byte.
//!
//! There is one record per settings file, in the state directory of the user. It holds only what was replaced, not
//! the whole file, which may contain secrets of the agent.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use askback_wire::server_process::hex;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::{Environment, settings_file};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Record {
    file: PathBuf,
    /// Of the text that was written. Another one means that somebody has changed the file.
    sha256: String,
    /// The bytes of that text that replaced others.
    start: usize,
    end: usize,
    /// What was there before; none if there was no file.
    replaced: Option<String>,
    /// Whether the rule against the agent's own question tool was added.
    pub(super) own_tool_off: bool,
    /// Directories that were created, outermost first.
    pub(super) directories: Vec<PathBuf>,
}

/// Somebody has changed the file, so that the original cannot be put back.
#[derive(Debug)]
pub(super) struct ChangedSince;

impl Record {
    pub(super) fn new(file: &Path, original: Option<&str>, written: &str) -> Record {
        let old = original.unwrap_or_default();
        let common = |pairs: &mut dyn Iterator<Item = (char, char)>| -> usize {
            let same = pairs.take_while(|(old, new)| old == new);
            same.map(|(char, _)| char.len_utf8()).sum()
        };
        let start = common(&mut old.chars().zip(written.chars()));
        let (old_rest, new_rest) = (&old[start..], &written[start..]);
        let tail = common(&mut old_rest.chars().rev().zip(new_rest.chars().rev()));
        Record {
            file: file.to_owned(),
            sha256: hex_sha256(written.as_bytes()),
            start,
            end: written.len() - tail,
            replaced: original.map(|_| old_rest[..old_rest.len() - tail].to_owned()),
            own_tool_off: false,
            directories: Vec::new(),
        }
    }

    /// The text before `askback install`, none if there was no file.
    pub(super) fn original(&self, now: &str) -> Result<Option<String>, ChangedSince> {
        if hex_sha256(now.as_bytes()) != self.sha256 {
            return Err(ChangedSince);
        }
        let Some(replaced) = &self.replaced else {
            return Ok(None);
        };
        let head = now.get(..self.start).ok_or(ChangedSince)?;
        let tail = now.get(self.end..).ok_or(ChangedSince)?;
        Ok(Some([head, replaced, tail].concat()))
    }

    pub(super) fn created_the_file(&self) -> bool {
        self.replaced.is_none()
    }

    /// A record that cannot be read counts as none: askback's settings are then removed one by one.
    pub(super) fn read(env: &Environment, file: &Path) -> anyhow::Result<Option<Record>> {
        let text = settings_file::read(&path(env, file)?)?;
        let record = text.and_then(|text| serde_json::from_str::<Record>(&text).ok());
        Ok(record.filter(|record| record.file == file))
    }

    pub(super) fn write(&self, env: &Environment) -> anyhow::Result<()> {
        let path = path(env, &self.file)?;
        let text = serde_json::to_string_pretty(self).context("the record is not JSON")?;
        settings_file::create_directories(&path)?;
        let before = settings_file::read(&path)?;
        settings_file::write(&path, before.as_deref(), &text)
    }

    /// Removes the record of this file, if there is one.
    pub(super) fn forget(env: &Environment, file: &Path) -> anyhow::Result<()> {
        let path = path(env, file)?;
        let Some(text) = settings_file::read(&path)? else {
            return Ok(());
        };
        settings_file::remove(&path, Some(&text))?;
        let parents = path.ancestors().skip(1).take(2);
        let mut parents: Vec<PathBuf> = parents.map(Path::to_owned).collect();
        parents.reverse();
        settings_file::remove_empty_directories(&parents);
        Ok(())
    }
}

fn path(env: &Environment, file: &Path) -> anyhow::Result<PathBuf> {
    let name = &hex_sha256(file.as_os_str().as_encoded_bytes())[..16];
    Ok(env
        .state_home()?
        .join("askback/install")
        .join(format!("{name}.json")))
}

fn hex_sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}
