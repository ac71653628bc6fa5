//! Runs the real binary and keeps what it wrote.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use super::patience::read_all;

/// How one run ended.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

pub(crate) fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_askback"));
    command.args(args);
    command
}

/// Runs the binary with these arguments and this standard input.
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
    // A binary that ends before it has read everything closes the pipe; that is its right.
    drop(written);
    let out = read_all(child.stdout.take().expect("standard output is a pipe"));
    let err = read_all(child.stderr.take().expect("standard error is a pipe"));
    let (Some(out), Some(err)) = (out.get(), err.get()) else {
        drop(child.kill());
        panic!("{args:?} does not end");
    };
    Run {
        code: child.wait().expect("the binary ends").code(),
        out: String::from_utf8(out).expect("standard output is text"),
        err: String::from_utf8(err).expect("standard error is text"),
    }
}

/// Expects success with nothing on standard error, and gives what was printed.
pub(crate) fn succeeds(args: &[&str], stdin: &str) -> String {
    let run = askback(args, stdin);
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{args:?}");
    run.out
}

/// Expects this exit code with nothing on standard output, and gives what was said.
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

/// Writes a file for one test and gives its path. Each test uses names of its own.
pub(crate) fn file(name: &str, content: impl AsRef<[u8]>) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, content).expect("the file is written");
    path.to_str().expect("the path is text").to_owned()
}
