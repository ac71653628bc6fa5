//! Reads lines from a terminal, and returns early for wakeups, signals and timeouts. The terminal
//! stays in its normal mode, so that its line editing and screen readers work.

use std::io;
use std::os::unix::net::UnixStream;
use std::time::Duration;

use crate::activity::ActivityListener;
use crate::clock::Clock;
use crate::event_sources::EventSources;
use crate::signals::Signal;
use crate::tty::Tty;
use crate::viewport::printable;

/// Lines within this time were pasted: neither typing nor a held enter is as fast.
const BURST_PAUSE: Duration = Duration::from_millis(20);

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
    sources: EventSources,
    bytes: Vec<u8>,
    ended: bool,
    window: Duration,
    activity: Option<(Clock, ActivityListener)>,
}

impl LineReader {
    /// `wake` becomes readable when another thread wakes the loop.
    pub fn open(tty: Tty, wake: Option<UnixStream>) -> io::Result<LineReader> {
        Ok(LineReader {
            tty,
            sources: EventSources::listen(wake)?,
            bytes: Vec::new(),
            ended: false,
            window: Duration::ZERO,
            activity: None,
        })
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
            if let Some(line) = self.take_line() {
                return self.with_others(line);
            }
            if self.ended {
                return Ok(LineEvent::EndOfInput);
            }
            let ready = self.sources.wait(&self.tty, timeout)?;
            for signal in self.sources.take_signals() {
                match signal {
                    Signal::Terminate(number) => return Ok(LineEvent::Signal(number)),
                    Signal::Resized | Signal::Resumed => {}
                }
            }
            if ready.woken {
                self.sources.drain_wake();
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
            } else if ready.is_timeout {
                return Ok(LineEvent::Timeout);
            }
        }
    }

    /// Returns the line, or a paste if more lines arrived with it.
    fn with_others(&mut self, line: String) -> io::Result<LineEvent> {
        let mut lines = vec![line];
        while !self.window.is_zero() {
            lines.extend(std::iter::from_fn(|| self.take_line()));
            if self.ended || !self.sources.wait(&self.tty, Some(BURST_PAUSE))?.input {
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
        match self.tty.read_available() {
            Some(bytes) => self.bytes.extend(bytes),
            None => self.ended = true,
        }
    }
}
