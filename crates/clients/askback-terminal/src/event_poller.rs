//! Waits for the next input, signal or wakeup, with a timeout.

use std::collections::VecDeque;
use std::io;
use std::os::unix::net::UnixStream;
use std::time::Duration;

use crate::event_sources::EventSources;
use crate::input_decoder::InputDecoder;
use crate::key::InputEvent;
use crate::paste_burst::{as_paste, is_burst};
use crate::signals::Signal;
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
    sources: EventSources,
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
        Ok(EventPoller {
            sources: EventSources::listen(wake)?,
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
        let ready = self.sources.wait(tty, timeout)?;
        self.take_signals(tty);
        if ready.woken {
            self.sources.drain_wake();
            self.waiting.push_back(TerminalEvent::Wakeup);
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
        self.take_signals(tty);
        self.waiting
            .retain(|happening| *happening != TerminalEvent::Resumed);
    }

    fn take_signals(&mut self, tty: &Tty) {
        let signals = self.sources.take_signals().into_iter();
        self.waiting.extend(signals.map(|signal| match signal {
            Signal::Terminate(number) => TerminalEvent::Terminate(number),
            Signal::Resized => TerminalEvent::Input(InputEvent::Resize(tty.size())),
            Signal::Resumed => TerminalEvent::Resumed,
        }));
    }

    fn read(&mut self, tty: &Tty) -> io::Result<()> {
        let mut events = self.read_events(tty);
        if self.bursts == PasteDetection::On && is_burst(&events) {
            // A long paste arrives in parts, and the last may look like a key.
            while self.sources.wait(tty, Some(BURST_PAUSE))?.input {
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
        if let Some(bytes) = tty.read_available() {
            return self.input.feed(&bytes);
        }
        self.waiting.push_back(TerminalEvent::HungUp);
        Vec::new()
    }
}
