//! A server under measurement: started, read through /proc, and stopped.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use anyhow::Context as _;

use crate::http::TOKEN;

const LOG: &str = "log.txt";

/// The ticks of processor time in one second, on every Linux that counts them at all.
const TICKS_PER_SECOND: u64 = 100;

/// How long a server may take to start, and to end when it is asked to.
const START_STOP_TIMEOUT: Duration = Duration::from_secs(30);
/// How often to check whether a server has ended.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// A server in a process of its own. It ends with this value.
pub(crate) struct Server {
    child: Child,
    data: PathBuf,
    /// Where it listens, as `host:port`.
    pub(crate) address: String,
}

/// What a server has used up so far.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ResourceUsage {
    pub(crate) cpu: Duration,
    /// Bytes handed to the disk.
    pub(crate) written: u64,
}

impl Server {
    /// Starts the baseline on an empty directory.
    pub(crate) fn baseline(data: &Path) -> anyhow::Result<Server> {
        let own = std::env::current_exe()?;
        let mut command = Command::new(own);
        command.arg("baseline").arg(data);
        Server::start(command, data)
    }

    /// Starts askback on a directory, with a script.
    pub(crate) fn askback(binary: &Path, data: &Path, script: &str) -> anyhow::Result<Server> {
        Server::askback_with(binary, data, script, &[])
    }

    /// The same with further arguments.
    pub(crate) fn askback_with(
        binary: &Path,
        data: &Path,
        script: &str,
        further: &[&str],
    ) -> anyhow::Result<Server> {
        let path = data.join("script.json");
        fs::write(&path, script)?;
        let mut command = Command::new(binary);
        command
            .args(["serve", "--listen", "127.0.0.1:0", "--token", TOKEN])
            .args(["--provider", &format!("scripted:{}", path.display())])
            .arg("--data")
            .arg(data.join("data"))
            .args(further);
        Server::start(command, data)
    }

    fn start(mut command: Command, data: &Path) -> anyhow::Result<Server> {
        let log = fs::File::create(data.join(LOG))?;
        let child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .with_context(|| format!("{} does not start", command.get_program().display()))?;
        let mut server = Server {
            address: String::new(),
            data: data.to_owned(),
            child,
        };
        let out = server.child.stdout.take().context("it has no output")?;
        let said = first_line(out);
        let said = said.with_context(|| format!("no address came in {START_STOP_TIMEOUT:?}"));
        let address = said.and_then(|line| {
            let address = line.trim().strip_prefix("http://");
            Ok(address.context("it says no address")?.to_owned())
        });
        server.address = address.map_err(|error| server.explain(error))?;
        Ok(server)
    }

    /// An error, with what is known of the server if it has ended by itself.
    pub(crate) fn explain(&self, error: anyhow::Error) -> anyhow::Error {
        let log = self.data.join(LOG);
        let said = fs::read_to_string(&log).unwrap_or_default();
        let last = said.lines().last().unwrap_or("it said nothing");
        if self.has_ended() {
            let ended = format!("the server on {} has ended: {last}", self.data.display());
            return error.context(ended);
        }
        error.context(format!("the server on {}", self.data.display()))
    }

    /// Whether the process has ended, without asking it to.
    fn has_ended(&self) -> bool {
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.child.id()));
        stat.map_or(true, |stat| stat.contains(") Z "))
    }

    /// Sends SIGTERM and waits for the end of the process.
    #[expect(
        clippy::disallowed_methods,
        reason = "measuring time is what this is for"
    )]
    pub(crate) fn stop(mut self) -> anyhow::Result<()> {
        let asked = Command::new("kill")
            .args(["-TERM", &self.child.id().to_string()])
            .status()?;
        anyhow::ensure!(asked.success(), "the server cannot be asked to end");
        let start = Instant::now();
        while self.child.try_wait()?.is_none() {
            anyhow::ensure!(
                start.elapsed() < START_STOP_TIMEOUT,
                "the server does not end"
            );
            std::thread::sleep(POLL_INTERVAL);
        }
        Ok(())
    }

    pub(crate) fn kill(mut self) -> anyhow::Result<()> {
        self.child.kill()?;
        self.child.wait()?;
        Ok(())
    }

    pub(crate) fn resource_usage(&self) -> anyhow::Result<ResourceUsage> {
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
        Ok(ResourceUsage {
            cpu: Duration::from_millis(ticks * 1000 / TICKS_PER_SECOND),
            written: field(&io, "write_bytes:")?,
        })
    }

    /// The memory in use, in bytes.
    pub(crate) fn memory(&self) -> anyhow::Result<u64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id()))?;
        Ok(field(&status, "VmRSS:")? * 1024)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have been killed already.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// The first line of an output, if it comes in time. The rest is read and dropped, so that the
/// process never blocks on a full pipe.
fn first_line(out: ChildStdout) -> Option<String> {
    let (sender, line) = mpsc::channel();
    std::thread::spawn(move || {
        for line in BufReader::new(out).lines().map_while(Result::ok) {
            // Only the first is waited for.
            sender.send(line).ok();
        }
    });
    line.recv_timeout(START_STOP_TIMEOUT).ok()
}

fn field(text: &str, name: &str) -> anyhow::Result<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name));
    let number = line.and_then(|line| line.split_whitespace().next());
    Ok(number.with_context(|| format!("no {name}"))?.parse()?)
}

/// The size of the files below a directory.
pub(crate) fn size(path: &Path) -> anyhow::Result<u64> {
    if path.is_dir() {
        fs::read_dir(path)?.map(|entry| size(&entry?.path())).sum()
    } else {
        Ok(path.metadata()?.len())
    }
}
