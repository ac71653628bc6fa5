//! Reads and replaces files that other programs write, too.

use std::fs;
use std::io::{ErrorKind, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};

/// As many as Linux follows.
const LINKS_MAX: usize = 40;

/// The text of a file; none if there is no file.
pub(super) fn read(file: &Path) -> anyhow::Result<Option<String>> {
    match fs::read_to_string(file) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("cannot read {}", file.display())),
    }
}

/// Fails if the file is no longer what it was: agents write their settings, too.
pub(super) fn check_unchanged(file: &Path, before: Option<&str>) -> anyhow::Result<()> {
    if read(file)?.as_deref() != before {
        bail!(
            "{} was changed meanwhile. Nothing was written there: try again.",
            file.display()
        );
    }
    Ok(())
}

/// Replaces the file atomically, unless somebody changed it. Links and permissions stay as they are; a new file can
/// be read only by this user, because settings of agents often contain secrets.
pub(super) fn write(file: &Path, before: Option<&str>, after: &str) -> anyhow::Result<()> {
    let target = link_target(file)?;
    let new = sibling(&target, "askback-new");
    // Left by a run that was killed, or a link that somebody else put there: it is not followed.
    drop(fs::remove_file(&new));
    let written = write_new(&new, after).and_then(|()| match fs::metadata(&target) {
        Ok(found) => fs::set_permissions(&new, found.permissions()),
        Err(_) => Ok(()),
    });
    let replaced = written
        .with_context(|| format!("cannot write {}", new.display()))
        .and_then(|()| check_unchanged(file, before))
        .and_then(|()| {
            fs::rename(&new, &target).with_context(|| format!("cannot write {}", target.display()))
        });
    if replaced.is_err() {
        drop(fs::remove_file(&new));
    }
    replaced
}

/// A new file that only this user can read.
pub(super) fn write_new(file: &Path, text: &str) -> std::io::Result<()> {
    let mut options = fs::OpenOptions::new();
    let options = options.write(true).create_new(true).mode(0o600);
    let mut file = options.open(file)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

/// Removes the file, unless somebody changed it.
pub(super) fn remove(file: &Path, before: Option<&str>) -> anyhow::Result<()> {
    check_unchanged(file, before)?;
    fs::remove_file(file).with_context(|| format!("cannot remove {}", file.display()))
}

/// The directories above a file that do not exist, outermost first.
pub(super) fn missing_directories(file: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let target = link_target(file)?;
    let missing = target.ancestors().skip(1).take_while(|it| !it.exists());
    let mut missing: Vec<PathBuf> = missing.map(Path::to_owned).collect();
    missing.reverse();
    Ok(missing)
}

/// Creates the directories above a file. Only this user can enter them.
pub(super) fn create_directories(file: &Path) -> anyhow::Result<()> {
    let target = link_target(file)?;
    let directory = target.parent().context("the file has no directory")?;
    let mut builder = fs::DirBuilder::new();
    let created = builder.recursive(true).mode(0o700).create(directory);
    created.with_context(|| format!("cannot create {}", directory.display()))
}

/// Removes directories, innermost last, as long as they are empty.
pub(super) fn remove_empty_directories(directories: &[PathBuf]) {
    for directory in directories.iter().rev() {
        if fs::remove_dir(directory).is_err() {
            return;
        }
    }
}

pub(super) fn is_link(file: &Path) -> bool {
    fs::symlink_metadata(file).is_ok_and(|found| found.is_symlink())
}

/// Where a link leads, also if nothing is there yet. Settings files are often links into a repository.
fn link_target(file: &Path) -> anyhow::Result<PathBuf> {
    let mut target = file.to_owned();
    for _ in 0..LINKS_MAX {
        if !is_link(&target) {
            return Ok(target);
        }
        let next = fs::read_link(&target)
            .with_context(|| format!("cannot read the link {}", target.display()))?;
        let directory = target.parent().unwrap_or(Path::new("/"));
        target = directory.join(next);
    }
    bail!("{} is a link that leads to itself", file.display())
}

fn sibling(file: &Path, ending: &str) -> PathBuf {
    let mut name = file.file_name().unwrap_or_default().to_owned();
    name.push(".");
    name.push(ending);
    file.with_file_name(name)
}
