//! The terminal that a scene is on: its modes, what comes from it, what is shown on it, and what it
//! told about itself.

use std::io;
use std::os::unix::net::UnixStream;
use std::time::Duration;

use crate::clock::{Clock, Moment};
use crate::editor::{self, Edited};
use crate::event_poller::{Bursts, Happening, Source};
use crate::key::Event;
use crate::probe::Probe;
use crate::row::{Cursor, Frame, Row, Size};
use crate::settings::{Motion, Setup};
use crate::small_window;
use crate::theme::{Depth, Theme};
use crate::tty::{Entered, Tty};
use crate::viewport::Viewport;

/// A terminal in its modes.
#[derive(Debug)]
pub(crate) struct Terminal {
    tty: Tty,
    entered: Option<Entered>,
    source: Source,
    viewport: Viewport,
    setup: Setup,
    clock: Clock,
    probe: Probe,
    size: Size,
    title: String,
    /// A click, until the terminal has told where the frame is.
    clicked: Option<Cursor>,
}

/// What came while the terminal was asked about itself.
#[derive(Debug, Default)]
pub(crate) struct Greeted {
    /// Everything that was no reply.
    pub(crate) early: Vec<Event>,
    /// What ended it already.
    pub(crate) over: Option<Happening>,
}

/// Whether the user has to be called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Call {
    /// By the bell and a notification.
    Ring,
    /// They need not be.
    Silent,
}

impl Terminal {
    /// Takes the terminal; `wake` becomes readable when another thread calls.
    pub(crate) fn open(
        tty: Tty,
        setup: Setup,
        wake: Option<UnixStream>,
        clock: Clock,
    ) -> io::Result<Terminal> {
        let bursts = if setup.typeahead_window.is_zero() {
            Bursts::AreKeys
        } else {
            Bursts::ArePastes
        };
        let source = Source::listen(wake, bursts)?;
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

    pub(crate) fn now(&self) -> Moment {
        self.clock.now()
    }

    pub(crate) fn setup(&self) -> &Setup {
        &self.setup
    }

    /// What the terminal measures now.
    pub(crate) fn measure(&mut self) -> Size {
        self.size = self.tty.size();
        self.size
    }

    /// What happened next; `None` when the time is over.
    pub(crate) fn next(&mut self, patience: Option<Duration>) -> io::Result<Option<Happening>> {
        self.source.next(&self.tty, patience)
    }

    /// Gives the terminal a moment to tell about itself.
    pub(crate) fn greet(&mut self) -> io::Result<Greeted> {
        let mut greeted = Greeted::default();
        loop {
            let patience = self.probe.patience(self.clock.now());
            match self.next(Some(patience.unwrap_or_default()))? {
                Some(Happening::Event(event)) => {
                    if !self.told(&event) {
                        greeted.early.push(event);
                    }
                }
                over @ Some(Happening::End(_) | Happening::HungUp) => {
                    greeted.over = over;
                    return Ok(greeted);
                }
                None if patience.is_none() => break,
                None | Some(Happening::Continued | Happening::Woken) => {}
            }
        }
        if self.probe.mid_line {
            self.tty.write(b"\r\n")?;
        }
        Ok(greeted)
    }

    /// Takes a reply in, and the colours that suit it. Gives whether it was one that counts.
    pub(crate) fn told(&mut self, event: &Event) -> bool {
        let told = self.probe.take(event, &mut self.setup, self.clock.now());
        if told {
            let theme = Theme::choose(self.setup.depth, self.setup.background);
            self.viewport.set_theme(theme);
        }
        told
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
        call: Call,
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
        if call == Call::Ring {
            out.extend(["\x07\x1b]9;", &title, "\x07"]);
        }
        self.title = title;
        if out.is_empty() {
            return Ok(());
        }
        self.tty.write(out.as_bytes())
    }

    /// A click on a cell of the screen. Gives the cell of the frame, if that is known; else the
    /// terminal is asked where the cursor is, and [`Terminal::located`] gives it.
    pub(crate) fn clicked(&mut self, at: Cursor) -> io::Result<Option<Cursor>> {
        if self.viewport.cursor_row().is_none() {
            return Ok(Some(at));
        }
        self.clicked = Some(at);
        self.tty.write(b"\x1b[6n")?;
        Ok(None)
    }

    /// The cell of the frame that was clicked, now that the terminal tells where the cursor is.
    pub(crate) fn located(&mut self, event: &Event) -> Option<Cursor> {
        let Event::CursorAt(row, _) = event else {
            return None;
        };
        let at = self.clicked.take()?;
        let top = row.checked_sub(1 + self.viewport.cursor_row()?)?;
        let row = at.row.checked_sub(top)?;
        Some(Cursor { row, ..at })
    }

    /// Whether what was chosen may light up for a moment.
    pub(crate) fn lights_up(&self) -> bool {
        self.setup.motion == Motion::Some && self.setup.depth != Depth::None
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
    pub(crate) fn again(&mut self) -> io::Result<()> {
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
        self.source.went_on(&self.tty);
        self.again()
    }

    /// Lets the respondent write in their own editor.
    pub(crate) fn edit(&mut self, text: &str) -> io::Result<Edited> {
        let Some(command) = self.setup.editor.clone() else {
            return Ok(Edited::Missing);
        };
        self.leave()?;
        let edited = editor::edit(&command, text, &self.tty);
        self.again()?;
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
