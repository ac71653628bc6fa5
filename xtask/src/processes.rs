//! Runs the processes of a chore: one that hangs is ended, and so are all others once a step has failed.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::Context;

/// How long one process may take: several times what a slow machine needs, from nothing.
const PROCESS_MAX: Duration = Duration::from_mins(35);
/// How often a process is looked at.
const POLL: Duration = Duration::from_millis(50);

/// The processes of steps that run at the same time.
#[derive(Debug, Default)]
pub(crate) struct Processes {
    is_stopped: AtomicBool,
}

impl Processes {
    /// Ends what runs. Nothing is started afterwards.
    pub(crate) fn stop(&self) {
        self.is_stopped.store(true, Ordering::Relaxed);
    }

    /// Whether a step has failed, so that it does not matter what becomes of the others.
    pub(crate) fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed)
    }

    /// Runs a command to its end, and says whether it succeeded.
    pub(crate) fn succeeds(&self, command: &mut Command) -> anyhow::Result<bool> {
        if self.is_stopped() {
            return Ok(false);
        }
        let child = command.spawn();
        let program = command.get_program().display();
        let child = child.with_context(|| format!("{program} does not start"))?;
        self.wait(child)
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "a process that may hang is looked at from time to time"
    )]
    fn wait(&self, mut child: Child) -> anyhow::Result<bool> {
        let mut waited = Duration::ZERO;
        loop {
            if let Some(status) = child.try_wait()? {
                return Ok(status.success());
            }
            let hangs = waited >= PROCESS_MAX;
            if hangs {
                println!("ci: not done after {} s, ended", PROCESS_MAX.as_secs());
            }
            if hangs || self.is_stopped() {
                end_with_descendants(child.id());
                child.wait()?;
                return Ok(false);
            }
            std::thread::sleep(POLL);
            waited += POLL;
        }
    }
}

/// Cargo at the top of the repository. What cargo tells a program that it runs would reach build scripts, which then
/// build again what was built without it.
pub(crate) fn cargo(root: &Path) -> Command {
    let mut command = Command::new("cargo");
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("CARGO_PKG_") || text.starts_with("CARGO_MANIFEST_") {
            command.env_remove(&name);
        }
    }
    command.current_dir(root);
    command
}

/// Ends a process and all it has started, as far as the system tells who they are. The process itself goes first, so
/// that it does not report the end of the others as failures.
fn end_with_descendants(pid: u32) {
    let mut all = vec![pid];
    let mut seen = 0;
    while let Some(parent) = all.get(seen) {
        // Each thread has children of its own.
        let threads = fs::read_dir(format!("/proc/{parent}/task"));
        for thread in threads.into_iter().flatten().flatten() {
            let children = fs::read_to_string(thread.path().join("children")).unwrap_or_default();
            let children = children.split_whitespace();
            all.extend(children.filter_map(|pid| pid.parse::<u32>().ok()));
        }
        seen += 1;
    }
    let mut kill = Command::new("kill");
    kill.arg("-9").args(all.iter().map(u32::to_string));
    // Those that have ended by themselves meanwhile are not worth a line.
    if let Err(error) = kill.stderr(Stdio::null()).status() {
        println!("ci: cannot end process {pid}: {error}");
    }
}

#[cfg(test)]
#[path = "processes_tests.rs"]
mod tests;
