//! Lets the respondent write in their own editor.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::tty::Tty;

/// What came of the editor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EditorResult {
    /// The text as it was saved.
    Saved(String),
    /// There is no editor.
    NoEditor,
    /// The editor could not be run, or said that it failed.
    Failed,
}

/// Runs the editor on the text. Only the respondent can read the file, which is gone afterwards.
pub(crate) fn edit(command: &str, text: &str, tty: &Tty) -> EditorResult {
    let Ok(path) = write(text) else {
        return EditorResult::Failed;
    };
    let edited = run(command, &path, tty);
    drop(fs::remove_file(&path));
    edited.unwrap_or(EditorResult::Failed)
}

fn write(text: &str) -> io::Result<PathBuf> {
    let directory = std::env::temp_dir();
    for number in 0..100 {
        let name = format!("askback-{}-{number}.txt", std::process::id());
        let path = directory.join(name);
        let made = File::options()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(&path);
        match made {
            Ok(mut file) => {
                file.write_all(text.as_bytes())?;
                return Ok(path);
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

fn run(command: &str, path: &Path, tty: &Tty) -> io::Result<EditorResult> {
    // An editor may be given with arguments, as `code --wait` is.
    let status = Command::new("sh")
        .args(["-c", &format!("{command} \"$1\""), "sh"])
        .arg(path)
        .stdin(Stdio::from(tty.input.try_clone()?))
        .stdout(Stdio::from(tty.output.try_clone()?))
        .stderr(Stdio::from(tty.output.try_clone()?))
        .status()?;
    if !status.success() {
        return Ok(EditorResult::Failed);
    }
    let bytes = fs::read(path)?;
    Ok(EditorResult::Saved(
        String::from_utf8_lossy(&bytes).into_owned(),
    ))
}
