//! A server that is measured: started, looked at through the system's own books, and ended.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;

use anyhow::Context as _;

use crate::http::TOKEN;

/// The ticks of processor time in one second, on every Linux that counts them at all.
const TICKS_PER_SECOND: u64 = 100;

/// A server in a process of its own. It ends with this value.
pub(crate) struct Server {
    child: Child,
    _out: BufReader<ChildStdout>,
    data: PathBuf,
    /// Where it listens, as `host:port`.
    pub(crate) address: String,
}

/// What a server has used up so far.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Used {
    pub(crate) cpu: Duration,
    /// Bytes handed to the disk.
    pub(crate) written: u64,
}

impl Server {
    /// Starts the floor on an empty directory.
    pub(crate) fn floor(data: &Path) -> anyhow::Result<Server> {
        let own = std::env::current_exe()?;
        let mut command = Command::new(own);
        command.arg("floor").arg(data);
        Server::start(command, data)
    }

    /// Starts askback on a directory, with a script.
    pub(crate) fn askback(binary: &Path, data: &Path, script: &str) -> anyhow::Result<Server> {
        let path = data.join("script.json");
        fs::write(&path, script)?;
        let mut command = Command::new(binary);
        command
            .args(["serve", "--listen", "127.0.0.1:0", "--token", TOKEN])
            .args(["--provider", &format!("scripted:{}", path.display())])
            .arg("--data")
            .arg(data.join("data"));
        Server::start(command, data)
    }

    fn start(mut command: Command, data: &Path) -> anyhow::Result<Server> {
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| format!("{} does not start", command.get_program().display()))?;
        let out = child.stdout.take().context("it has no output")?;
        let mut line = String::new();
        let mut out = BufReader::new(out);
        out.read_line(&mut line)?;
        let address = line.trim().strip_prefix("http://");
        Ok(Server {
            address: address.context("it says no address")?.to_owned(),
            data: data.to_owned(),
            _out: out,
            child,
        })
    }

    /// Ends it without a warning.
    pub(crate) fn kill(mut self) -> anyhow::Result<()> {
        self.child.kill()?;
        self.child.wait()?;
        Ok(())
    }

    pub(crate) fn used(&self) -> anyhow::Result<Used> {
        let id = self.child.id();
        let stat = fs::read_to_string(format!("/proc/{id}/stat"))?;
        let (_, fields) = stat.rsplit_once(')').context("unknown form of stat")?;
        let ticks: u64 = fields
            .split_whitespace()
            .skip(11)
            .take(2)
            .map(|ticks| ticks.parse::<u64>().unwrap_or_default())
            .sum();
        let io = fs::read_to_string(format!("/proc/{id}/io"))?;
        Ok(Used {
            cpu: Duration::from_millis(ticks * 1000 / TICKS_PER_SECOND),
            written: field(&io, "write_bytes:")?,
        })
    }

    /// The memory in use, in bytes.
    pub(crate) fn memory(&self) -> anyhow::Result<u64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id()))?;
        Ok(field(&status, "VmRSS:")? * 1024)
    }

    /// The size of the files below its directory.
    pub(crate) fn disk(&self) -> anyhow::Result<u64> {
        size(&self.data)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have been killed already.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

fn field(text: &str, name: &str) -> anyhow::Result<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name));
    let number = line.and_then(|line| line.split_whitespace().next());
    Ok(number.with_context(|| format!("no {name}"))?.parse()?)
}

fn size(path: &Path) -> anyhow::Result<u64> {
    if path.is_dir() {
        fs::read_dir(path)?.map(|entry| size(&entry?.path())).sum()
    } else {
        Ok(path.metadata()?.len())
    }
}
