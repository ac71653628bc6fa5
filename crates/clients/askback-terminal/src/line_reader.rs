//! Reads lines from a terminal, and returns early for wakeups, signals and timeouts. The terminal
//! stays in its normal mode, so that its line editing and screen readers work.

use std::io::{self, Read as _};
use std::os::unix::net::UnixStream;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::activity::ActivityListener;
use crate::clock::Clock;
use crate::signals::{Signal, Signals};
use crate::tty::Tty;
use crate::unbuffered_input::{ImmediateDigits, UnbufferedInput};
use crate::viewport::printable;

/// The byte of ctrl+d where the terminal passes it on.
const END_OF_INPUT: u8 = 4;
/// Lines within this time were pasted: neither typing nor a held enter is as fast.
const BURST_PAUSE: Duration = Duration::from_millis(20);
/// As many bytes in one read were pasted.
const BURST_BYTES: usize = 3;

/// What [`LineReader::next`] returns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LineEvent {
    /// A line without its newline.
    Line(String),
    /// Lines that arrived too fast to be typed.
    Pasted(Vec<String>),
    /// Another thread wrote to the wake socket.
    Wakeup,
    /// The process received this signal and must exit.
    Signal(i32),
    /// The input has ended.
    EndOfInput,
    /// The timeout has passed.
    Timeout,
}

/// Reads lines from a terminal.
#[derive(Debug)]
pub struct LineReader {
    tty: Tty,
    signals: Signals,
    wake: Option<UnixStream>,
    bytes: Vec<u8>,
    ended: bool,
    immediate: ImmediateDigits,
    /// The highest digit that is read without enter.
    digits: Option<usize>,
    unbuffered: Option<UnbufferedInput>,
    window: Duration,
    activity: Option<(Clock, ActivityListener)>,
}

impl LineReader {
    /// `wake` becomes readable when another thread wakes the loop.
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
            activity: None,
        })
    }

    /// Sets whether a digit is read without enter.
    #[must_use]
    pub fn with_immediate_digits(mut self, immediate: ImmediateDigits) -> LineReader {
        self.immediate = immediate;
        self
    }

    /// Sets the typeahead window. Zero turns off all checks for typeahead and pastes.
    #[must_use]
    pub fn with_typeahead_window(mut self, window: Duration) -> LineReader {
        self.window = window;
        self
    }

    /// Calls this when somebody types a line, at most once in `every`.
    pub fn on_activity(&mut self, clock: Clock, every: Duration, notify: Box<dyn FnMut()>) {
        self.activity = Some((clock, ActivityListener::new(every, notify)));
    }

    /// How long a question must be visible before a line answers it.
    pub fn typeahead_window(&self) -> Duration {
        self.window
    }

    /// Sets the highest digit that is read without enter, if [`ImmediateDigits::On`].
    pub fn set_digits(&mut self, digits: Option<usize>) {
        self.digits = digits.filter(|_| self.immediate == ImmediateDigits::On);
        if self.digits.is_none() {
            self.unbuffered = None;
        } else if self.unbuffered.is_none() {
            self.unbuffered = UnbufferedInput::begin(&self.tty);
        }
    }

    /// Reads the first character: a digit that is an answer, the end of input, or the start of a
    /// line that the terminal edits from then on.
    fn take_digit(&mut self) -> Option<String> {
        self.unbuffered.as_ref()?;
        let first = *self.bytes.first()?;
        let digit = char::from(first).to_digit(10).filter(|digit| *digit > 0);
        let digit = digit.and_then(|digit| usize::try_from(digit).ok());
        match (digit, self.digits) {
            (Some(digit), Some(highest)) if digit <= highest => {
                self.bytes.remove(0);
                // Enter would have moved to the next line.
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

    /// Writes lines of text to the terminal.
    pub fn write(&self, text: &str) -> io::Result<()> {
        let shown = |ch| if ch == '\n' { ch } else { printable(ch) };
        let text: String = text.chars().map(shown).collect();
        self.tty.write(text.as_bytes())
    }

    /// Discards what was typed but not read yet.
    pub fn discard_typed(&mut self) {
        self.bytes.clear();
        self.tty.discard_typed();
    }

    /// Waits for the next event. Without a timeout, it waits forever.
    pub fn next(&mut self, timeout: Option<Duration>) -> io::Result<LineEvent> {
        loop {
            if self.unbuffered.is_some()
                && !self.window.is_zero()
                && self.bytes.len() >= BURST_BYTES
            {
                let pasted = String::from_utf8_lossy(&self.bytes).into_owned();
                self.discard_typed();
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
                let before = self.bytes.len();
                self.read();
                if self.bytes.len() > before
                    && let Some((clock, activity)) = &mut self.activity
                {
                    activity.note(clock.now());
                }
            } else if ready.nothing {
                return Ok(LineEvent::Timeout);
            }
        }
    }

    /// Returns the line, or a paste if more lines arrived with it.
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
        // An unfinished last line belongs to the paste.
        self.discard_typed();
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
                // The other end was closed.
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
