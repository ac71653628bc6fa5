//! Waits for the next input, signal or wakeup, with a timeout.

use std::collections::VecDeque;
use std::io::{self, Read as _};
use std::os::unix::net::UnixStream;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::input_decoder::InputDecoder;
use crate::key::InputEvent;
use crate::paste_burst::{as_paste, is_burst};
use crate::row::Size;
use crate::signals::{Signal, Signals};
use crate::tty::Tty;

/// What [`EventPoller::next`] returns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TerminalEvent {
    /// Input from the terminal, or a new size.
    Input(InputEvent),
    /// The process was resumed after it was stopped.
    Resumed,
    /// The process received this signal and must exit.
    Terminate(i32),
    /// Another thread wrote to the wake socket.
    Wakeup,
    /// The terminal was closed.
    HungUp,
}

/// How long to wait for the rest of an escape sequence before a lone escape counts as the key.
const ESCAPE_TIMEOUT: Duration = Duration::from_millis(30);
/// Parts of one paste arrive within this time.
const BURST_PAUSE: Duration = Duration::from_millis(15);

/// Polls the terminal, the signals and the wake socket.
#[derive(Debug)]
pub struct EventPoller {
    signals: Signals,
    wake: Option<UnixStream>,
    input: InputDecoder,
    waiting: VecDeque<TerminalEvent>,
    bursts: PasteDetection,
}

/// Whether keys that arrive in one burst are treated as a paste.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PasteDetection {
    /// They are treated as keys, which tests need.
    Off,
    /// They are treated as a paste, for terminals without bracketed paste.
    On,
}

impl EventPoller {
    /// `wake` becomes readable when another thread wakes the loop.
    pub fn listen(wake: Option<UnixStream>, bursts: PasteDetection) -> io::Result<EventPoller> {
        if let Some(wake) = &wake {
            wake.set_nonblocking(true)?;
        }
        Ok(EventPoller {
            signals: Signals::listen()?,
            wake,
            input: InputDecoder::default(),
            waiting: VecDeque::new(),
            bursts,
        })
    }

    /// Waits for the next event; `None` on timeout.
    pub fn next(
        &mut self,
        tty: &Tty,
        timeout: Option<Duration>,
    ) -> io::Result<Option<TerminalEvent>> {
        if let Some(waiting) = self.waiting.pop_front() {
            return Ok(Some(waiting));
        }
        let cut = self.input.is_incomplete();
        let timeout = if cut {
            Some(timeout.map_or(ESCAPE_TIMEOUT, |time| time.min(ESCAPE_TIMEOUT)))
        } else {
            timeout
        };
        let ready = self.poll(tty, timeout)?;
        if ready.signals {
            self.take_signals(tty.size());
        }
        if ready.woken {
            self.drain_wake();
        }
        if ready.input {
            self.read(tty)?;
        } else if cut && self.waiting.is_empty() {
            self.waiting
                .extend(self.input.give_up().map(TerminalEvent::Input));
        }
        Ok(self.waiting.pop_front())
    }

    /// Discards a pending [`TerminalEvent::Resumed`], for a caller that suspended the process
    /// itself.
    pub(crate) fn discard_resumed(&mut self, tty: &Tty) {
        self.take_signals(tty.size());
        self.waiting
            .retain(|happening| *happening != TerminalEvent::Resumed);
    }

    fn take_signals(&mut self, size: Size) {
        let signals = self.signals.take().into_iter();
        self.waiting.extend(signals.map(|signal| match signal {
            Signal::Terminate(number) => TerminalEvent::Terminate(number),
            Signal::Resized => TerminalEvent::Input(InputEvent::Resize(size)),
            Signal::Resumed => TerminalEvent::Resumed,
        }));
    }

    fn drain_wake(&mut self) {
        let mut bytes = [0; 64];
        if let Some(wake) = &mut self.wake {
            loop {
                match wake.read(&mut bytes) {
                    // The other end was closed.
                    Ok(0) => {
                        self.wake = None;
                        break;
                    }
                    Ok(_) => {}
                    Err(_) => break,
                }
            }
        }
        self.waiting.push_back(TerminalEvent::Wakeup);
    }

    fn read(&mut self, tty: &Tty) -> io::Result<()> {
        let mut events = self.read_events(tty);
        if self.bursts == PasteDetection::On && is_burst(&events) {
            // A long paste arrives in parts, and the last may look like a key.
            while self.poll(tty, Some(BURST_PAUSE))?.input {
                let more = self.read_events(tty);
                if more.is_empty() {
                    break;
                }
                events.extend(more);
            }
            events = as_paste(events);
        }
        self.waiting
            .extend(events.into_iter().map(TerminalEvent::Input));
        Ok(())
    }

    fn read_events(&mut self, tty: &Tty) -> Vec<InputEvent> {
        let mut bytes = [0; 4096];
        match (&tty.input).read(&mut bytes) {
            Ok(0) => self.waiting.push_back(TerminalEvent::HungUp),
            Ok(read) => return self.input.feed(&bytes[..read]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => self.waiting.push_back(TerminalEvent::HungUp),
        }
        Vec::new()
    }

    fn poll(&self, tty: &Tty, timeout: Option<Duration>) -> io::Result<Ready> {
        let mut fds = vec![
            PollFd::new(&tty.input, PollFlags::IN),
            PollFd::new(&self.signals.pipe, PollFlags::IN),
        ];
        fds.extend(
            self.wake
                .as_ref()
                .map(|wake| PollFd::new(wake, PollFlags::IN)),
        );
        let timeout = timeout.map(|time| Timespec {
            tv_sec: i64::try_from(time.as_secs()).unwrap_or(i64::MAX),
            tv_nsec: i64::from(time.subsec_nanos()),
        });
        match poll(&mut fds, timeout.as_ref()) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        let ready = |index: usize| fds.get(index).is_some_and(|fd| !fd.revents().is_empty());
        Ok(Ready {
            input: ready(0),
            signals: ready(1),
            woken: ready(2),
        })
    }
}

struct Ready {
    input: bool,
    signals: bool,
    woken: bool,
}
