//! Signals, heard in the event loop.

use std::io::{self, Read as _};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::SigId;
use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGWINCH};

/// The signals that are heard.
const HEARD: [i32; 6] = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH, SIGCONT];

/// What a signal means to a prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signal {
    /// The process is to end, by the signal of this number.
    End(i32),
    /// The window has another size.
    Resized,
    /// The process goes on after it was stopped.
    Continued,
}

/// Listens for signals.
#[derive(Debug)]
pub struct Signals {
    pub(crate) pipe: UnixStream,
    flags: Vec<(i32, Arc<AtomicBool>)>,
    registered: Vec<SigId>,
}

impl Signals {
    /// Begins to listen.
    pub fn listen() -> io::Result<Signals> {
        let (pipe, writer) = UnixStream::pair()?;
        pipe.set_nonblocking(true)?;
        let mut signals = Signals {
            pipe,
            flags: Vec::new(),
            registered: Vec::new(),
        };
        for signal in HEARD {
            let flag = Arc::new(AtomicBool::new(false));
            let flagged = signal_hook::flag::register(signal, Arc::clone(&flag))?;
            let woken = signal_hook::low_level::pipe::register(signal, writer.try_clone()?)?;
            signals.flags.push((signal, flag));
            signals.registered.extend([flagged, woken]);
        }
        Ok(signals)
    }

    /// The signals since the last time.
    pub(crate) fn take(&mut self) -> Vec<Signal> {
        let mut bytes = [0; 64];
        while self.pipe.read(&mut bytes).is_ok_and(|read| read > 0) {}
        let come = self
            .flags
            .iter()
            .filter(|(_, flag)| flag.swap(false, Ordering::Relaxed));
        come.map(|(signal, _)| match *signal {
            SIGWINCH => Signal::Resized,
            SIGCONT => Signal::Continued,
            other => Signal::End(other),
        })
        .collect()
    }
}

impl Drop for Signals {
    fn drop(&mut self) {
        for id in self.registered.drain(..) {
            signal_hook::low_level::unregister(id);
        }
    }
}
