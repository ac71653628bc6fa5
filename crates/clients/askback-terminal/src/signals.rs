//! Receives signals for the event loop.

use std::io::{self, Read as _};
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use signal_hook::SigId;
use signal_hook::consts::{SIGCONT, SIGHUP, SIGQUIT, SIGTERM, SIGWINCH};

pub use signal_hook::consts::SIGINT;

const HANDLED: [i32; 6] = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH, SIGCONT];

/// Whether terminating signals have their default effect, because no [`Signals`] exists.
static DEFAULT_ACTION: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// A received signal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Signal {
    /// The process received this signal and must exit.
    Terminate(i32),
    Resized,
    Resumed,
}

/// Receives signals until it is dropped.
#[derive(Debug)]
pub struct Signals {
    pub(crate) pipe: UnixStream,
    flags: Vec<(i32, Arc<AtomicBool>)>,
    registered: Vec<SigId>,
}

impl Signals {
    /// Starts to receive signals.
    pub fn listen() -> io::Result<Signals> {
        defaults()?.store(false, Ordering::Relaxed);
        let (pipe, writer) = UnixStream::pair()?;
        pipe.set_nonblocking(true)?;
        let mut signals = Signals {
            pipe,
            flags: Vec::new(),
            registered: Vec::new(),
        };
        for signal in HANDLED {
            let flag = Arc::new(AtomicBool::new(false));
            let flagged = signal_hook::flag::register(signal, Arc::clone(&flag))?;
            let woken = signal_hook::low_level::pipe::register(signal, writer.try_clone()?)?;
            signals.flags.push((signal, flag));
            signals.registered.extend([flagged, woken]);
        }
        Ok(signals)
    }

    /// The signals since the last call.
    pub(crate) fn take(&mut self) -> Vec<Signal> {
        let mut bytes = [0; 64];
        while self.pipe.read(&mut bytes).is_ok_and(|read| read > 0) {}
        let come = self
            .flags
            .iter()
            .filter(|(_, flag)| flag.swap(false, Ordering::Relaxed));
        come.map(|(signal, _)| match *signal {
            SIGWINCH => Signal::Resized,
            SIGCONT => Signal::Resumed,
            other => Signal::Terminate(other),
        })
        .collect()
    }
}

impl Drop for Signals {
    fn drop(&mut self) {
        for id in self.registered.drain(..) {
            signal_hook::low_level::unregister(id);
        }
        if let Some(default_action) = DEFAULT_ACTION.get() {
            default_action.store(true, Ordering::Relaxed);
        }
    }
}

/// A handler stays installed for the life of the process. While no [`Signals`] exists, as in line
/// mode after a frame, a terminating signal must still end the process.
fn defaults() -> io::Result<&'static AtomicBool> {
    if let Some(known) = DEFAULT_ACTION.get() {
        return Ok(known);
    }
    let default_action = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] {
        signal_hook::flag::register_conditional_default(signal, Arc::clone(&default_action))?;
    }
    Ok(DEFAULT_ACTION.get_or_init(|| default_action))
}
