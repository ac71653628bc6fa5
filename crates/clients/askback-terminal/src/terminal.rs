//! A terminal in raw mode: its input, its viewport and its capabilities.

use std::io;
use std::os::unix::net::UnixStream;
use std::time::Duration;

use base64::prelude::{BASE64_STANDARD, Engine as _};

use crate::clock::{Clock, MonotonicTime};
use crate::config::TerminalConfig;
use crate::editor::{self, EditorResult};
use crate::event_poller::{EventPoller, PasteDetection, TerminalEvent};
use crate::key::InputEvent;
use crate::probe::Probe;
use crate::row::{Cursor, Frame, Row, Size};
use crate::small_window;
use crate::theme::Theme;
use crate::tty::{RawModeGuard, Tty};
use crate::viewport::{self, Viewport};

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
    /// A click, until the terminal has reported where the frame is.
    clicked: Option<Cursor>,
}

/// What arrived while the terminal was probed.
#[derive(Debug, Default)]
pub(crate) struct ProbeResult {
    /// Input that is not a response.
    pub(crate) early: Vec<InputEvent>,
    /// An event that ended the probe early.
    pub(crate) ended_by: Option<TerminalEvent>,
}

/// Moves to the start of a line: of the next one if there is text before the cursor, which stays as it is. A
/// row of spaces ends in the next row only if it did not begin in the first column, so no response is needed.
fn start_new_line(columns: usize) -> String {
    format!("{:columns$}\r\x1b[K", "")
}

impl Terminal {
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
        // The terminal responds while the rest is set up.
        let ask = probe.ask(&setup, clock.now());
        tty.write((start_new_line(size.columns) + &ask).as_bytes())?;
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

    /// Whether something was typed before the terminal was opened, and discarded. True once.
    pub(crate) fn take_discarded_typed(&mut self) -> bool {
        let entered = self.entered.as_mut();
        entered.is_some_and(|entered| std::mem::take(&mut entered.discarded_typed))
    }

    pub(crate) fn now(&self) -> MonotonicTime {
        self.clock.now()
    }

    pub(crate) fn setup(&self) -> &TerminalConfig {
        &self.setup
    }

    pub(crate) fn measure(&mut self) -> Size {
        self.size = self.tty.size();
        self.size
    }

    pub(crate) fn next(&mut self, timeout: Option<Duration>) -> io::Result<Option<TerminalEvent>> {
        self.source.next(&self.tty, timeout)
    }

    /// Waits a moment for the terminal's responses.
    pub(crate) fn probe_terminal(&mut self) -> io::Result<ProbeResult> {
        let mut probed = ProbeResult::default();
        loop {
            let timeout = self.probe.timeout(self.clock.now());
            match self.next(Some(timeout.unwrap_or_default()))? {
                Some(TerminalEvent::Input(event)) => {
                    if !self.apply_response(&event) {
                        probed.early.push(event);
                    }
                }
                over @ Some(TerminalEvent::Terminate(_) | TerminalEvent::HungUp) => {
                    probed.ended_by = over;
                    return Ok(probed);
                }
                None if timeout.is_none() => break,
                None | Some(TerminalEvent::Resumed | TerminalEvent::Wakeup) => {}
            }
        }
        Ok(probed)
    }

    /// Applies a response and chooses the theme again. Returns whether it was a response.
    pub(crate) fn apply_response(&mut self, event: &InputEvent) -> bool {
        let applied = self.probe.take(event, &mut self.setup, self.clock.now());
        if applied {
            let theme = Theme::choose(self.setup.depth, self.setup.background);
            self.viewport.set_theme(theme);
        }
        applied
    }

    /// Whether glyphs take two columns, so that ASCII must be used.
    pub(crate) fn draws_wide(&self) -> bool {
        self.probe.wide
    }

    /// Prints the lines and paints the frame below them in one write, and notifies the user of `notification`. Nothing is
    /// written if nothing changed.
    pub(crate) fn show(
        &mut self,
        lines: &[Row],
        frame: Frame,
        title: &str,
        notification: Option<&str>,
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
        if let Some(text) = notification {
            out.push_str(&self.setup.notification_style.sequence(&printable(text)));
        }
        self.title = title;
        if out.is_empty() {
            return Ok(());
        }
        self.tty.write(out.as_bytes())
    }

    /// Converts a clicked cell of the screen into a cell of the frame. If the position of the frame
    /// is unknown, the terminal is queried, and [`Terminal::resolve_click`] returns the cell later.
    pub(crate) fn clicked(&mut self, at: Cursor) -> io::Result<Option<Cursor>> {
        if self.viewport.cursor_row().is_none() {
            return Ok(Some(at));
        }
        self.clicked = Some(at);
        self.tty.write(b"\x1b[6n")?;
        Ok(None)
    }

    /// The clicked cell of the frame, from the response to the cursor query.
    pub(crate) fn resolve_click(&mut self, event: &InputEvent) -> Option<Cursor> {
        let InputEvent::CursorAt(row, _) = event else {
            return None;
        };
        let at = self.clicked.take()?;
        let top = row.checked_sub(1 + self.viewport.cursor_row()?)?;
        let row = at.row.checked_sub(top)?;
        Some(Cursor { row, ..at })
    }

    pub(crate) fn resized(&mut self, size: Size) -> io::Result<()> {
        self.size = size;
        let cleared = self.viewport.resized(size);
        self.tty.write(cleared.as_bytes())
    }

    pub(crate) fn clear(&mut self) -> io::Result<()> {
        let erased = self.viewport.erase();
        self.tty.write(erased.as_bytes())
    }

    /// Enters raw mode again. The next frame is painted in full.
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

    /// Stops the process until the shell resumes it.
    pub(crate) fn suspend(&mut self) -> io::Result<()> {
        self.leave()?;
        rustix::process::kill_current_process_group(rustix::process::Signal::TSTP)?;
        self.source.discard_resumed(&self.tty);
        self.reenter()
    }

    pub(crate) fn edit(&mut self, text: &str) -> io::Result<EditorResult> {
        let Some(command) = self.setup.editor.clone() else {
            return Ok(EditorResult::NoEditor);
        };
        self.leave()?;
        let edited = editor::edit(&command, text, &self.tty);
        self.reenter()?;
        Ok(edited)
    }

    pub(crate) fn copy(&self, text: &str) -> io::Result<()> {
        self.tty.write(clipboard_sequence(text).as_bytes())
    }

    pub(crate) fn close(mut self, rows: &[Row]) -> io::Result<()> {
        let mut last = self.viewport.erase();
        last.push_str(&self.viewport.lines(rows));
        let written = self.tty.write(last.as_bytes());
        // A repeated key must not reach the shell.
        self.tty.discard_typed();
        self.entered = None;
        written
    }
}

fn clipboard_sequence(text: &str) -> String {
    format!("\x1b]52;c;{}\x07", BASE64_STANDARD.encode(text))
}

fn printable(text: &str) -> String {
    text.chars()
        .map(|ch| {
            if viewport::printable(ch) == ch {
                ch
            } else {
                ' '
            }
        })
        .collect()
}

#[cfg(test)]
#[path = "terminal_tests.rs"]
mod tests;
