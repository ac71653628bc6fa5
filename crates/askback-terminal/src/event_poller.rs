//! Waits for whatever comes first: a key, a signal, a call from another thread, or the time.

use std::collections::VecDeque;
use std::io::{self, Read as _};
use std::os::unix::net::UnixStream;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::input_decoder::Input;
use crate::key::Event;
use crate::paste_burst::{as_paste, is_burst};
use crate::row::Size;
use crate::signals::{Signal, Signals};
use crate::tty::Tty;

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Happening {
    /// The terminal sent something, or has another size.
    Event(Event),
    /// The process was stopped and goes on.
    Continued,
    /// The process is to end, by the signal of this number.
    End(i32),
    /// Another thread calls.
    Woken,
    /// The terminal is gone.
    HungUp,
}

/// How long the rest of a cut sequence may take: an escape alone is the key.
const REST: Duration = Duration::from_millis(30);
/// The pieces of one paste come closer together than this.
const BURST_PAUSE: Duration = Duration::from_millis(15);

/// The place where a prompt waits.
#[derive(Debug)]
pub struct Source {
    signals: Signals,
    wake: Option<UnixStream>,
    input: Input,
    waiting: VecDeque<Happening>,
    bursts: Bursts,
}

/// What keys are that come together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bursts {
    /// Keys: a test sends them so.
    AreKeys,
    /// Text that was pasted into a terminal that does not mark it.
    ArePastes,
}

impl Source {
    /// Listens; `wake` becomes readable when another thread calls.
    pub fn listen(wake: Option<UnixStream>, bursts: Bursts) -> io::Result<Source> {
        if let Some(wake) = &wake {
            wake.set_nonblocking(true)?;
        }
        Ok(Source {
            signals: Signals::listen()?,
            wake,
            input: Input::default(),
            waiting: VecDeque::new(),
            bursts,
        })
    }

    /// What happened next; `None` when the time is over.
    pub fn next(&mut self, tty: &Tty, patience: Option<Duration>) -> io::Result<Option<Happening>> {
        if let Some(waiting) = self.waiting.pop_front() {
            return Ok(Some(waiting));
        }
        let cut = self.input.is_cut();
        let patience = if cut {
            Some(patience.map_or(REST, |time| time.min(REST)))
        } else {
            patience
        };
        let ready = self.poll(tty, patience)?;
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
                .extend(self.input.give_up().map(Happening::Event));
        }
        Ok(self.waiting.pop_front())
    }

    /// Forgets that the process was told to go on, for one that knows it already.
    pub(crate) fn went_on(&mut self, tty: &Tty) {
        self.take_signals(tty.size());
        self.waiting
            .retain(|happening| *happening != Happening::Continued);
    }

    fn take_signals(&mut self, size: Size) {
        let signals = self.signals.take().into_iter();
        self.waiting.extend(signals.map(|signal| match signal {
            Signal::End(number) => Happening::End(number),
            Signal::Resized => Happening::Event(Event::Resize(size)),
            Signal::Continued => Happening::Continued,
        }));
    }

    fn drain_wake(&mut self) {
        let mut bytes = [0; 64];
        if let Some(wake) = &mut self.wake {
            loop {
                match wake.read(&mut bytes) {
                    // The other side is gone and will not call again.
                    Ok(0) => {
                        self.wake = None;
                        break;
                    }
                    Ok(_) => {}
                    Err(_) => break,
                }
            }
        }
        self.waiting.push_back(Happening::Woken);
    }

    fn read(&mut self, tty: &Tty) -> io::Result<()> {
        let mut events = self.read_events(tty);
        if self.bursts == Bursts::ArePastes && is_burst(&events) {
            // A long paste comes in pieces, the last of which may look like a key.
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
            .extend(events.into_iter().map(Happening::Event));
        Ok(())
    }

    fn read_events(&mut self, tty: &Tty) -> Vec<Event> {
        let mut bytes = [0; 4096];
        match (&tty.input).read(&mut bytes) {
            Ok(0) => self.waiting.push_back(Happening::HungUp),
            Ok(read) => return self.input.feed(&bytes[..read]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => self.waiting.push_back(Happening::HungUp),
        }
        Vec::new()
    }

    fn poll(&self, tty: &Tty, patience: Option<Duration>) -> io::Result<Ready> {
        let mut fds = vec![
            PollFd::new(&tty.input, PollFlags::IN),
            PollFd::new(&self.signals.pipe, PollFlags::IN),
        ];
        fds.extend(
            self.wake
                .as_ref()
                .map(|wake| PollFd::new(wake, PollFlags::IN)),
        );
        let timeout = patience.map(|time| Timespec {
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
