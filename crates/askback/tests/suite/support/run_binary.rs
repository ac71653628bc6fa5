//! Runs the real binary to its end and captures its output.

use std::fmt::{self, Display, Formatter};
use std::fs;
use std::io::Write as _;
use std::ops::Deref;
use std::os::unix::fs::PermissionsExt as _;
use std::process::{Command, Stdio};

use tempfile::TempDir;

use super::timeout::read_all;

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

pub(crate) fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_askback"));
    // Help is as wide as these say if there is no terminal.
    command.env_remove("COLUMNS").env_remove("LINES").args(args);
    command
}

pub(crate) fn askback(args: &[&str], stdin: impl AsRef<[u8]>) -> Run {
    let mut child = command(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let written = child
        .stdin
        .take()
        .expect("standard input is a pipe")
        .write_all(stdin.as_ref());
    // A binary that exits early closes the pipe.
    drop(written);
    let out = read_all(child.stdout.take().expect("standard output is a pipe"));
    let err = read_all(child.stderr.take().expect("standard error is a pipe"));
    let (Some(out), Some(err)) = (out.get(), err.get()) else {
        drop(child.kill());
        panic!("{args:?} did not exit");
    };
    Run {
        code: child.wait().expect("the binary ends").code(),
        out: String::from_utf8(out).expect("standard output is text"),
        err: String::from_utf8(err).expect("standard error is text"),
    }
}

/// Expects success and an empty standard error; returns standard output.
pub(crate) fn succeeds(args: &[&str], stdin: &str) -> String {
    let run = askback(args, stdin);
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{args:?}");
    run.out
}

/// Expects this exit code and an empty standard output; returns standard error.
pub(crate) fn fails(args: &[&str], stdin: impl AsRef<[u8]>, code: i32) -> String {
    let run = askback(args, stdin);
    assert_eq!(
        (run.code, run.out.as_str()),
        (Some(code), ""),
        "{args:?}: {}",
        run.err
    );
    run.err
}

/// A path as text. What is there is removed with it.
pub(crate) struct ScratchPath {
    text: String,
    _directory: TempDir,
}

impl ScratchPath {
    /// A path in a new directory, where nothing is yet.
    pub(crate) fn new(name: &str) -> ScratchPath {
        let directory = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR"));
        let directory = directory.expect("the directory can be made");
        let path = directory.path().join(name);
        ScratchPath {
            text: path.to_str().expect("the path is text").to_owned(),
            _directory: directory,
        }
    }
}

impl Deref for ScratchPath {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

impl Display for ScratchPath {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str(self)
    }
}

/// Writes a file.
pub(crate) fn file(name: &str, content: impl AsRef<[u8]>) -> ScratchPath {
    let path = ScratchPath::new(name);
    fs::write(&*path, content).expect("the file is written");
    let private = fs::Permissions::from_mode(0o600);
    fs::set_permissions(&*path, private).expect("it is ours");
    path
}
