//! Lines from a terminal, or whatever comes first: a call from another thread, a signal, or the time.
//! The terminal keeps its own modes, so that its line editing and a screen reader work as always.

use std::io::{self, Read as _};
use std::os::unix::net::UnixStream;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::signals::{Signal, Signals};
use crate::tty::Tty;
use crate::unbuffered_input::{ImmediateDigits, UnbufferedInput};

/// What ctrl+d is where the terminal does not make it the end.
const END_OF_INPUT: u8 = 4;
/// Nobody types two lines within this time, nor does a held enter repeat as fast.
const BURST_PAUSE: Duration = Duration::from_millis(20);
/// Nobody types so many keys at once where single keys are read.
const BURST_BYTES: usize = 3;

/// What came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LineEvent {
    /// A line, without its end.
    Line(String),
    /// Lines that came faster than anybody types: they were pasted.
    Pasted(Vec<String>),
    /// Another thread calls.
    Wakeup,
    /// The process is to end, by the signal of this number.
    Signal(i32),
    /// There are no more lines.
    EndOfInput,
    /// The time is over.
    Timeout,
}

/// Where lines are waited for.
#[derive(Debug)]
pub struct LineReader {
    tty: Tty,
    signals: Signals,
    wake: Option<UnixStream>,
    bytes: Vec<u8>,
    ended: bool,
    immediate: ImmediateDigits,
    /// The highest digit that is a line by itself.
    digits: Option<usize>,
    unbuffered: Option<UnbufferedInput>,
    /// How long something is read before a line acts on it; 0 switches all such checks off.
    window: Duration,
}

impl LineReader {
    /// Listens; `wake` becomes readable when another thread calls.
    pub fn open(tty: Tty, wake: Option<UnixStream>) -> io::Result<LineReader> {
        if let Some(wake) = &wake {
            wake.set_nonblocking(true)?;
        }
        Ok(LineReader {
            tty,
            signals: Signals::listen()?,
            wake,
            bytes: Vec::new(),
            ended: false,
            immediate: ImmediateDigits::Off,
            digits: None,
            unbuffered: None,
            window: Duration::ZERO,
        })
    }

    /// The same, with digits that count before enter or not.
    #[must_use]
    pub fn with_immediate_digits(mut self, immediate: ImmediateDigits) -> LineReader {
        self.immediate = immediate;
        self
    }

    /// The same, for which a line has to come so long after what it acts on.
    #[must_use]
    pub fn with_typeahead_window(mut self, window: Duration) -> LineReader {
        self.window = window;
        self
    }

    /// How long something must have been shown before a line acts on it.
    pub fn typeahead_window(&self) -> Duration {
        self.window
    }

    /// The highest digit that is a line by itself, if digits count before enter.
    pub fn take_digits(&mut self, digits: Option<usize>) {
        self.digits = digits.filter(|_| self.immediate == ImmediateDigits::On);
        if self.digits.is_none() {
            self.unbuffered = None;
        } else if self.unbuffered.is_none() {
            self.unbuffered = UnbufferedInput::begin(&self.tty);
        }
    }

    /// The first character by itself: a digit that counts, the end, or the beginning of a line that
    /// the terminal edits from here on.
    fn take_digit(&mut self) -> Option<String> {
        self.unbuffered.as_ref()?;
        let first = *self.bytes.first()?;
        let digit = char::from(first).to_digit(10).filter(|digit| *digit > 0);
        let digit = digit.and_then(|digit| usize::try_from(digit).ok());
        match (digit, self.digits) {
            (Some(digit), Some(highest)) if digit <= highest => {
                self.bytes.remove(0);
                // As enter would have done.
                self.write("\n").ok()?;
                Some(digit.to_string())
            }
            _ => {
                self.ended |= first == END_OF_INPUT;
                self.unbuffered = None;
                None
            }
        }
    }

    /// Writes a text.
    pub fn write(&self, text: &str) -> io::Result<()> {
        self.tty.write(text.as_bytes())
    }

    /// Forgets what was typed so far: it was meant for something else.
    pub fn forget_typed(&mut self) {
        self.bytes.clear();
        self.tty.forget_typed();
    }

    /// Waits for what comes next.
    pub fn next(&mut self, timeout: Option<Duration>) -> io::Result<LineEvent> {
        loop {
            if self.unbuffered.is_some()
                && !self.window.is_zero()
                && self.bytes.len() >= BURST_BYTES
            {
                let pasted = String::from_utf8_lossy(&self.bytes).into_owned();
                self.forget_typed();
                return Ok(LineEvent::Pasted(vec![pasted]));
            }
            if let Some(line) = self.take_digit() {
                return Ok(LineEvent::Line(line));
            }
            if let Some(line) = self.take_line() {
                return self.with_others(line);
            }
            if self.ended {
                return Ok(LineEvent::EndOfInput);
            }
            let ready = self.poll(timeout)?;
            for signal in self.signals.take() {
                match signal {
                    Signal::Terminate(number) => return Ok(LineEvent::Signal(number)),
                    Signal::Resized | Signal::Resumed => {}
                }
            }
            if ready.woken {
                self.drain_wake();
                return Ok(LineEvent::Wakeup);
            }
            if ready.input {
                self.read();
            } else if ready.nothing {
                return Ok(LineEvent::Timeout);
            }
        }
    }

    /// A line, or with those that came together with it a paste.
    fn with_others(&mut self, line: String) -> io::Result<LineEvent> {
        let mut lines = vec![line];
        while !self.window.is_zero() {
            lines.extend(std::iter::from_fn(|| self.take_line()));
            if self.ended || !self.poll(Some(BURST_PAUSE))?.input {
                break;
            }
            self.read();
        }
        if let [_] = lines.as_slice() {
            return Ok(LineEvent::Line(lines.remove(0)));
        }
        // The rest of a last line without an end was pasted as well.
        self.forget_typed();
        Ok(LineEvent::Pasted(lines))
    }

    fn take_line(&mut self) -> Option<String> {
        let end = self.bytes.iter().position(|byte| *byte == b'\n')?;
        let line: Vec<u8> = self.bytes.drain(..=end).collect();
        Some(String::from_utf8_lossy(&line[..end]).into_owned())
    }

    fn read(&mut self) {
        let mut bytes = [0; 4096];
        match (&self.tty.input).read(&mut bytes) {
            Ok(0) => self.ended = true,
            Ok(read) => self.bytes.extend_from_slice(&bytes[..read]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => self.ended = true,
        }
    }

    fn drain_wake(&mut self) {
        let mut bytes = [0; 64];
        let Some(wake) = &mut self.wake else {
            return;
        };
        loop {
            match wake.read(&mut bytes) {
                // The other side is gone and will not call again.
                Ok(0) => {
                    self.wake = None;
                    return;
                }
                Ok(_) => {}
                Err(_) => return,
            }
        }
    }

    fn poll(&self, timeout: Option<Duration>) -> io::Result<Ready> {
        let mut fds = vec![
            PollFd::new(&self.tty.input, PollFlags::IN),
            PollFd::new(&self.signals.pipe, PollFlags::IN),
        ];
        let wake = self.wake.as_ref();
        fds.extend(wake.map(|wake| PollFd::new(wake, PollFlags::IN)));
        let timeout = timeout.map(|time| Timespec {
            tv_sec: i64::try_from(time.as_secs()).unwrap_or(i64::MAX),
            tv_nsec: i64::from(time.subsec_nanos()),
        });
        let nothing = match poll(&mut fds, timeout.as_ref()) {
            Ok(ready) => ready == 0,
            Err(rustix::io::Errno::INTR) => false,
            Err(error) => return Err(error.into()),
        };
        let ready = |index: usize| fds.get(index).is_some_and(|fd| !fd.revents().is_empty());
        Ok(Ready {
            input: ready(0),
            woken: ready(2),
            nothing,
        })
    }
}

struct Ready {
    input: bool,
    woken: bool,
    nothing: bool,
}
