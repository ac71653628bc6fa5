//! The terminal that a screen is on: its modes, what comes from it, what is shown on it, and what it
//! told about itself.

use std::io;
use std::os::unix::net::UnixStream;
use std::time::Duration;

use crate::clock::{Clock, MonotonicTime};
use crate::config::{Motion, TerminalConfig};
use crate::editor::{self, EditorResult};
use crate::event_poller::{EventPoller, PasteDetection, TerminalEvent};
use crate::key::InputEvent;
use crate::probe::Probe;
use crate::row::{Cursor, Frame, Row, Size};
use crate::small_window;
use crate::theme::{ColorDepth, Theme};
use crate::tty::{RawModeGuard, Tty};
use crate::viewport::Viewport;

/// A terminal in its modes.
#[derive(Debug)]
pub(crate) struct Terminal {
    tty: Tty,
    entered: Option<RawModeGuard>,
    source: EventPoller,
    viewport: Viewport,
    setup: TerminalConfig,
    clock: Clock,
    probe: Probe,
    size: Size,
    title: String,
    /// A click, until the terminal has told where the frame is.
    clicked: Option<Cursor>,
}

/// What came while the terminal was asked about itself.
#[derive(Debug, Default)]
pub(crate) struct ProbeResult {
    /// Everything that was no reply.
    pub(crate) early: Vec<InputEvent>,
    /// What ended it already.
    pub(crate) over: Option<TerminalEvent>,
}

/// Whether to ring the bell and send a desktop notification.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Notify {
    Bell,
    Silent,
}

impl Terminal {
    /// Takes the terminal; `wake` becomes readable when another thread calls.
    pub(crate) fn open(
        tty: Tty,
        setup: TerminalConfig,
        wake: Option<UnixStream>,
        clock: Clock,
    ) -> io::Result<Terminal> {
        let bursts = if setup.typeahead_window.is_zero() {
            PasteDetection::Off
        } else {
            PasteDetection::On
        };
        let source = EventPoller::listen(wake, bursts)?;
        let theme = Theme::choose(setup.depth, setup.background);
        let viewport = Viewport::new(theme, setup.reflow).with_bidi(setup.bidi);
        let tty = tty.with_mouse(setup.mouse);
        let size = tty.size();
        let entered = Some(tty.enter()?);
        let mut probe = Probe::default();
        // The terminal answers while everything else is made ready.
        let ask = probe.ask(&setup, clock.now());
        tty.write(ask.as_bytes())?;
        Ok(Terminal {
            tty,
            entered,
            source,
            viewport,
            setup,
            clock,
            probe,
            size,
            title: String::new(),
            clicked: None,
        })
    }

    pub(crate) fn now(&self) -> MonotonicTime {
        self.clock.now()
    }

    pub(crate) fn setup(&self) -> &TerminalConfig {
        &self.setup
    }

    /// What the terminal measures now.
    pub(crate) fn measure(&mut self) -> Size {
        self.size = self.tty.size();
        self.size
    }

    /// What happened next; `None` when the time is over.
    pub(crate) fn next(&mut self, timeout: Option<Duration>) -> io::Result<Option<TerminalEvent>> {
        self.source.next(&self.tty, timeout)
    }

    /// Gives the terminal a moment to tell about itself.
    pub(crate) fn probe_terminal(&mut self) -> io::Result<ProbeResult> {
        let mut probed = ProbeResult::default();
        loop {
            let timeout = self.probe.timeout(self.clock.now());
            match self.next(Some(timeout.unwrap_or_default()))? {
                Some(TerminalEvent::Input(event)) => {
                    if !self.apply_reply(&event) {
                        probed.early.push(event);
                    }
                }
                over @ Some(TerminalEvent::Terminate(_) | TerminalEvent::HungUp) => {
                    probed.over = over;
                    return Ok(probed);
                }
                None if timeout.is_none() => break,
                None | Some(TerminalEvent::Resumed | TerminalEvent::Wakeup) => {}
            }
        }
        if self.probe.mid_line {
            self.tty.write(b"\r\n")?;
        }
        Ok(probed)
    }

    /// Takes a reply in, and the colours that suit it. Gives whether it was one that counts.
    pub(crate) fn apply_reply(&mut self, event: &InputEvent) -> bool {
        let applied = self.probe.take(event, &mut self.setup, self.clock.now());
        if applied {
            let theme = Theme::choose(self.setup.depth, self.setup.background);
            self.viewport.set_theme(theme);
        }
        applied
    }

    /// Whether marks take two columns here, so that plain ones are needed.
    pub(crate) fn draws_wide(&self) -> bool {
        self.probe.wide
    }

    /// Prints the lines that stay, and paints the frame below them, all at once; nothing is written
    /// if nothing changed.
    pub(crate) fn show(
        &mut self,
        lines: &[Row],
        frame: Frame,
        title: &str,
        call: Notify,
    ) -> io::Result<()> {
        let mut out = String::new();
        if !lines.is_empty() {
            out.push_str("\x1b[?2026h");
            out.push_str(&self.viewport.erase());
            out.push_str(&self.viewport.lines(lines));
        }
        let frame = small_window::within(frame, self.size);
        out.push_str(&self.viewport.paint(&frame));
        let title = printable(title);
        if title != self.title {
            out.extend(["\x1b]2;", &title, "\x07"]);
        }
        if call == Notify::Bell {
            out.extend(["\x07\x1b]9;", &title, "\x07"]);
        }
        self.title = title;
        if out.is_empty() {
            return Ok(());
        }
        self.tty.write(out.as_bytes())
    }

    /// A click on a cell of the screen. Gives the cell of the frame, if that is known; else the
    /// terminal is asked where the cursor is, and [`Terminal::resolve_click`] gives it.
    pub(crate) fn clicked(&mut self, at: Cursor) -> io::Result<Option<Cursor>> {
        if self.viewport.cursor_row().is_none() {
            return Ok(Some(at));
        }
        self.clicked = Some(at);
        self.tty.write(b"\x1b[6n")?;
        Ok(None)
    }

    /// The cell of the frame that was clicked, now that the terminal tells where the cursor is.
    pub(crate) fn resolve_click(&mut self, event: &InputEvent) -> Option<Cursor> {
        let InputEvent::CursorAt(row, _) = event else {
            return None;
        };
        let at = self.clicked.take()?;
        let top = row.checked_sub(1 + self.viewport.cursor_row()?)?;
        let row = at.row.checked_sub(top)?;
        Some(Cursor { row, ..at })
    }

    /// Whether what was chosen may light up for a moment.
    pub(crate) fn lights_up(&self) -> bool {
        self.setup.motion == Motion::Full && self.setup.depth != ColorDepth::None
    }

    /// The window has another size.
    pub(crate) fn resized(&mut self, size: Size) -> io::Result<()> {
        self.size = size;
        let cleared = self.viewport.resized(size);
        self.tty.write(cleared.as_bytes())
    }

    /// Takes the frame away.
    pub(crate) fn clear(&mut self) -> io::Result<()> {
        let erased = self.viewport.erase();
        self.tty.write(erased.as_bytes())
    }

    /// Enters the modes again and forgets what was on the screen.
    pub(crate) fn reenter(&mut self) -> io::Result<()> {
        self.leave()?;
        self.entered = Some(self.tty.enter()?);
        self.measure();
        Ok(())
    }

    fn leave(&mut self) -> io::Result<()> {
        self.clear()?;
        self.title.clear();
        self.entered = None;
        Ok(())
    }

    /// Stops the process until it is told to go on.
    pub(crate) fn suspend(&mut self) -> io::Result<()> {
        self.leave()?;
        rustix::process::kill_current_process_group(rustix::process::Signal::TSTP)?;
        self.source.discard_resumed(&self.tty);
        self.reenter()
    }

    /// Lets the respondent write in their own editor.
    pub(crate) fn edit(&mut self, text: &str) -> io::Result<EditorResult> {
        let Some(command) = self.setup.editor.clone() else {
            return Ok(EditorResult::NoEditor);
        };
        self.leave()?;
        let edited = editor::edit(&command, text, &self.tty);
        self.reenter()?;
        Ok(edited)
    }

    /// Puts a text on the clipboard.
    pub(crate) fn copy(&self, text: &str) -> io::Result<()> {
        let copied = format!("\x1b]52;c;{}\x07", base64(text.as_bytes()));
        self.tty.write(copied.as_bytes())
    }

    /// Gives the terminal back, and prints the lines that stay.
    pub(crate) fn close(mut self, rows: &[Row]) -> io::Result<()> {
        let mut last = self.viewport.erase();
        last.push_str(&self.viewport.lines(rows));
        let written = self.tty.write(last.as_bytes());
        // A second press that was meant for the question is nothing for the shell.
        self.tty.forget_typed();
        self.entered = None;
        written
    }
}

/// Text for a title or a notification.
fn printable(text: &str) -> String {
    text.chars()
        .map(|ch| if ch.is_control() { ' ' } else { ch })
        .collect()
}

/// The clipboard takes base64.
fn base64(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for chunk in bytes.chunks(3) {
        let number = chunk
            .iter()
            .fold(0_u32, |number, byte| number << 8 | u32::from(*byte));
        let number = number << (8 * (3 - chunk.len()));
        for place in 0..4 {
            let index = usize::try_from(number >> (18 - 6 * place) & 63).unwrap_or(0);
            out.push(if place <= chunk.len() {
                char::from(ALPHABET[index])
            } else {
                '='
            });
        }
    }
    out
}

#[cfg(test)]
#[path = "terminal_tests.rs"]
mod tests;
