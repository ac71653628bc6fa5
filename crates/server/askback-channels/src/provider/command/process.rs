//! Runs one command: without a shell, with a small environment, for a limited time.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use askback_core::text::{Lines, Text};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::{Child, Command};

use crate::contract::channel::SendError;

/// What every command gets from our environment.
const BASIC_ENV: [&str; 3] = ["PATH", "HOME", "LANG"];
/// More than this is no line.
const OUTPUT_BYTES_MAX: u64 = 64 * 1024;

/// A command that is ready to run.
pub(super) struct Process {
    /// The program and its arguments. Not empty.
    pub(super) argv: Vec<String>,
    /// Variables of ours.
    pub(super) environment: Vec<(&'static str, String)>,
    /// Names of variables that are passed on.
    pub(super) pass_env: Vec<String>,
    pub(super) stdin: String,
}

impl Process {
    /// Runs it and returns what it printed. All of its processes are ended when the time is
    /// over, or when the future is dropped.
    pub(super) async fn run(self, limit: Duration) -> Result<Vec<u8>, SendError> {
        let (program, arguments) = self
            .argv
            .split_first()
            .map_or(("", &[][..]), |(first, rest)| (first.as_str(), rest));
        let mut command = Command::new(program);
        command
            .args(arguments)
            .env_clear()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .process_group(0);
        let passed = self.pass_env.iter().map(String::as_str);
        for name in BASIC_ENV.into_iter().chain(passed) {
            if let Some(value) = std::env::var_os(name) {
                command.env(name, value);
            }
        }
        for (name, value) in &self.environment {
            command.env(name, value.replace('\0', ""));
        }
        let child = command.spawn().map_err(|error| {
            if error.kind() == io::ErrorKind::NotFound {
                return not_found(program);
            }
            SendError::unauthorized(format!("cannot start {program}: {error}"))
        })?;
        let mut group = ProcessGroup::new(child);
        let finished = tokio::time::timeout(limit, exchange(&mut group.0, self.stdin)).await;
        let (status, output) = match finished {
            Ok(Ok(finished)) => finished,
            Ok(Err(error)) => {
                return Err(SendError::temporary(format!("{program} failed: {error}")));
            }
            Err(_) => {
                group.end();
                let seconds = limit.as_secs();
                let text = format!("{program} did not end within {seconds} s, and was ended");
                return Err(SendError::temporary(text));
            }
        };
        if !status.success() {
            return Err(SendError::temporary(format!("{program}: {status}")));
        }
        Ok(output)
    }
}

/// What a command printed is no text.
pub(super) struct NotUtf8;

/// The first line that a command printed, without the escape sequences that colour it. Empty if it printed none.
pub(super) fn first_line(output: &[u8]) -> Result<String, NotUtf8> {
    for line in output.split(|byte| *byte == b'\n') {
        let line = std::str::from_utf8(line).map_err(|_| NotUtf8)?;
        // Each sequence is one such mark in a clean text.
        let line = Text::clean(line, Lines::One).map(|line| line.as_str().replace('\u{241B}', ""));
        let line = line.unwrap_or_default().trim().to_owned();
        if !line.is_empty() {
            return Ok(line);
        }
    }
    Ok(String::new())
}

/// The error for a program that does not exist. It is the operator's to correct.
pub(super) fn not_found(program: &str) -> SendError {
    SendError::unauthorized(format!("no program {program:?} was found: check run"))
}

/// The path of a program.
pub(super) fn find_program(program: &str) -> Option<PathBuf> {
    if program.contains(std::path::MAIN_SEPARATOR) {
        return Some(PathBuf::from(program)).filter(|path| path.is_file());
    }
    let path = std::env::var_os("PATH")?;
    let mut found = std::env::split_paths(&path).map(|directory| directory.join(program));
    found.find(|path: &PathBuf| Path::is_file(path))
}

/// Writes standard input while it reads standard output, so that neither blocks the other.
async fn exchange(child: &mut Child, stdin: String) -> io::Result<(ExitStatus, Vec<u8>)> {
    let (input, output) = (child.stdin.take(), child.stdout.take());
    let write = async move {
        if let Some(mut input) = input {
            // A command need not read its input.
            drop(input.write_all(stdin.as_bytes()).await);
        }
    };
    let read = read_limited(output);
    let ((), output, status) = tokio::join!(write, read, child.wait());
    Ok((status?, output?))
}

async fn read_limited(output: Option<impl AsyncRead + Unpin>) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if let Some(output) = output {
        output
            .take(OUTPUT_BYTES_MAX)
            .read_to_end(&mut bytes)
            .await?;
    }
    Ok(bytes)
}

/// A command and the processes that it started. They end with it.
struct ProcessGroup(Child, Option<u32>);

impl ProcessGroup {
    fn new(child: Child) -> ProcessGroup {
        let id = child.id();
        ProcessGroup(child, id)
    }

    /// Ends what is left: the command, or a process that it started and that keeps its output open.
    fn end(&mut self) {
        end_group(self.1.take());
    }
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        // A child that was waited for has no id any more, and its group may be somebody else's by now.
        if self.0.id().is_some() {
            self.end();
        }
    }
}

fn end_group(id: Option<u32>) {
    let id = id.and_then(|id| i32::try_from(id).ok());
    if let Some(group) = id.and_then(rustix::process::Pid::from_raw) {
        let ended = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        if let Err(error) = ended {
            tracing::debug!(%error, "cannot end a command");
        }
    }
}
