//! Opens the user's editor.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::tty::Tty;

/// The result of [`ScreenRequest::OpenEditor`](crate::app::ScreenRequest::OpenEditor).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EditorResult {
    /// The text as it was saved.
    Saved(String),
    /// No editor is configured.
    NoEditor,
    /// The editor could not be started, or exited with an error.
    Failed,
}

/// Runs the editor on a temporary file that only the user can read.
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
    // The command may have arguments, such as `code --wait`.
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
