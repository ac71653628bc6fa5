//! What ends a wait: input of the terminal, a signal, or another thread.

use std::io::{self, Read as _};
use std::os::unix::net::UnixStream;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::signals::{Signal, Signals};
use crate::tty::Tty;

/// The signals of the process, and the socket with which other threads wake it.
#[derive(Debug)]
pub(crate) struct EventSources {
    signals: Signals,
    /// None once the other end was closed.
    wake: Option<UnixStream>,
}

/// What has come, beside signals. None of them if the wait was interrupted, as by a signal.
pub(crate) struct Ready {
    pub(crate) input: bool,
    pub(crate) woken: bool,
    pub(crate) is_timeout: bool,
}

impl EventSources {
    /// `wake` becomes readable when another thread wakes the loop.
    pub(crate) fn listen(wake: Option<UnixStream>) -> io::Result<EventSources> {
        if let Some(wake) = &wake {
            wake.set_nonblocking(true)?;
        }
        let signals = Signals::listen()?;
        Ok(EventSources { signals, wake })
    }

    pub(crate) fn wait(&self, tty: &Tty, timeout: Option<Duration>) -> io::Result<Ready> {
        let mut fds = vec![
            PollFd::new(&tty.input, PollFlags::IN),
            PollFd::new(&self.signals.pipe, PollFlags::IN),
        ];
        let wake = self.wake.as_ref();
        fds.extend(wake.map(|wake| PollFd::new(wake, PollFlags::IN)));
        let timeout = timeout.map(|time| Timespec {
            tv_sec: i64::try_from(time.as_secs()).unwrap_or(i64::MAX),
            tv_nsec: i64::from(time.subsec_nanos()),
        });
        let is_timeout = match poll(&mut fds, timeout.as_ref()) {
            Ok(ready) => ready == 0,
            Err(rustix::io::Errno::INTR) => false,
            Err(error) => return Err(error.into()),
        };
        let ready = |index: usize| fds.get(index).is_some_and(|fd| !fd.revents().is_empty());
        Ok(Ready {
            input: ready(0),
            woken: ready(2),
            is_timeout,
        })
    }

    pub(crate) fn take_signals(&mut self) -> Vec<Signal> {
        self.signals.take()
    }

    /// Reads what woke the loop, so that it does not wake again.
    pub(crate) fn drain_wake(&mut self) {
        let mut bytes = [0; 64];
        while let Some(wake) = &mut self.wake {
            match wake.read(&mut bytes) {
                Ok(0) => self.wake = None,
                Ok(_) => {}
                Err(_) => return,
            }
        }
    }
}
