//! One prompt on one terminal: paints it, waits, feeds it, and leaves the terminal as it was.

use std::io;
use std::os::unix::net::UnixStream;
use std::time::Duration;

use askback_core::draft::Draft;

use crate::clock::{Clock, Moment};
use crate::editor::{self, Edited};
use crate::glyphs::Glyphs;
use crate::key::Event;
use crate::prompt::{End, Prompt, Reaction};
use crate::row::Row;
use crate::source::{Happening, Source};
use crate::theme::{Background, Depth, Theme};
use crate::tty::{Entered, Tty};
use crate::viewport::{Reflow, Viewport};

/// What is known about the terminal before it is asked.
#[derive(Debug, Clone)]
pub struct Setup {
    /// How many colours it has.
    pub depth: Depth,
    /// Its background, if the environment tells.
    pub background: Option<Background>,
    /// What it does with rows when it gets narrower.
    pub reflow: Reflow,
    /// Whether it may be asked about itself.
    pub asks: Asks,
    /// The editor of the respondent.
    pub editor: Option<String>,
}

/// Whether a terminal may be asked about itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asks {
    /// Its background and the width of its marks.
    Everything,
    /// Its background; the marks are chosen already.
    Background,
    /// Nothing: it would print the question.
    Nothing,
}

/// What a prompt tells the rest of the program, and hears from it.
pub trait Outside {
    /// The draft changed.
    fn changed(&mut self, draft: &Draft) {
        let _ = draft;
    }

    /// A key stopped the deadline.
    fn deadline_stopped(&mut self) {}

    /// Another thread called. Gives whether the question is over.
    fn woken(&mut self) -> Woken {
        Woken::GoOn
    }
}

/// What a call from elsewhere means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Woken {
    /// The question is still open.
    GoOn,
    /// It ended elsewhere.
    Over,
}

/// Nobody outside.
#[derive(Debug, Clone, Copy, Default)]
pub struct Alone;

impl Outside for Alone {}

/// Why a session ended.
#[derive(Debug, Clone, PartialEq)]
pub enum Finish {
    /// The prompt ended.
    Ended(End),
    /// The question ended elsewhere.
    Elsewhere,
    /// The process is to end, by the signal of this number.
    Signal(i32),
    /// The terminal is gone.
    HungUp,
}

/// How long the first frame waits for what the terminal tells about itself.
const GREETING: Duration = Duration::from_millis(2);
/// Until when a reply may still change how the prompt looks.
const REPLIES: Duration = Duration::from_millis(100);

/// A prompt on a terminal.
#[derive(Debug)]
pub struct Session {
    tty: Tty,
    entered: Option<Entered>,
    source: Source,
    viewport: Viewport,
    setup: Setup,
    clock: Clock,
    probe: Probe,
    bell: Bell,
}

/// What the terminal told about itself so far.
#[derive(Debug, Default)]
struct Probe {
    column: Option<usize>,
    wide: bool,
    mid_line: bool,
    answered: bool,
}

/// Whether somebody has to be called to the terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Bell {
    Silent,
    Done,
}

impl Session {
    /// Takes the terminal.
    pub fn open(
        tty: Tty,
        setup: Setup,
        wake: Option<UnixStream>,
        clock: Clock,
    ) -> io::Result<Session> {
        let source = Source::listen(wake)?;
        let theme = Theme::choose(setup.depth, setup.background);
        let viewport = Viewport::new(theme, setup.reflow);
        let entered = Some(tty.enter()?);
        let bell = Bell::Silent;
        let probe = Probe::default();
        Ok(Session {
            tty,
            entered,
            source,
            viewport,
            setup,
            clock,
            probe,
            bell,
        })
    }

    /// Runs a prompt until it is over. The frame is taken away then; see [`Session::close`].
    pub fn run(&mut self, prompt: &mut Prompt, outside: &mut dyn Outside) -> io::Result<Finish> {
        self.greet(prompt)?;
        prompt.handle(&Event::Resize(self.tty.size()), self.clock.now());
        let title = format!("\x1b]2;{}\x07", printable(&prompt.title()));
        let mut paint = self.viewport.paint(&prompt.view());
        paint.push_str(&title);
        self.tty.write(paint.as_bytes())?;
        prompt.painted(self.clock.now());
        let finish = self.listen(prompt, outside);
        let erased = self.viewport.erase();
        match &finish {
            Ok(_) => self.tty.write(erased.as_bytes())?,
            Err(_) => drop(self.tty.write(erased.as_bytes())),
        }
        finish
    }

    /// Gives the terminal back, and prints the lines that stay.
    pub fn close(mut self, rows: &[Row]) -> io::Result<()> {
        let lines = self.viewport.lines(rows);
        let written = self.tty.write(lines.as_bytes());
        self.entered = None;
        written
    }

    fn listen(&mut self, prompt: &mut Prompt, outside: &mut dyn Outside) -> io::Result<Finish> {
        loop {
            let patience = prompt.next_tick(self.clock.now());
            let happening = self.source.next(&self.tty, patience)?;
            let before = (prompt.draft().clone(), prompt.deadline().is_some());
            let reaction = match happening {
                None => prompt.tick(self.clock.now()),
                Some(Happening::Event(event)) => self.feed(prompt, &event)?,
                Some(Happening::Continued) => Reaction::Repaint,
                Some(Happening::Woken) => match outside.woken() {
                    Woken::Over => return Ok(Finish::Elsewhere),
                    Woken::GoOn => Reaction::Nothing,
                },
                Some(Happening::End(signal)) => return Ok(Finish::Signal(signal)),
                Some(Happening::HungUp) => return Ok(Finish::HungUp),
            };
            if before.1 && prompt.deadline().is_none() {
                outside.deadline_stopped();
            }
            if let Reaction::End(end) = reaction {
                return Ok(Finish::Ended(end));
            }
            if before.0 != *prompt.draft() {
                outside.changed(prompt.draft());
            }
            self.react(prompt, reaction)?;
        }
    }

    fn feed(&mut self, prompt: &mut Prompt, event: &Event) -> io::Result<Reaction> {
        let now = self.clock.now();
        match event {
            Event::Resize(size) => {
                let cleared = self.viewport.resized(*size);
                self.tty.write(cleared.as_bytes())?;
            }
            Event::FocusOut if self.bell == Bell::Silent => {
                let words = printable(&prompt.title());
                self.tty
                    .write(format!("\x07\x1b]9;{words}\x07").as_bytes())?;
                self.bell = Bell::Done;
            }
            // Whoever types or looks at the window is there already.
            Event::FocusIn | Event::Key(_) | Event::Paste(_) => self.bell = Bell::Done,
            Event::CursorAt(..) | Event::Reply(_) | Event::Attributes if now <= REPLIES => {
                self.told(event);
                return Ok(self.suit(prompt));
            }
            Event::FocusOut | Event::CursorAt(..) | Event::Reply(_) | Event::Attributes => {}
        }
        Ok(prompt.handle(event, now))
    }

    fn react(&mut self, prompt: &mut Prompt, reaction: Reaction) -> io::Result<()> {
        match reaction {
            Reaction::Nothing | Reaction::End(_) => return Ok(()),
            Reaction::Redraw => {}
            Reaction::Repaint => self.again()?,
            Reaction::Suspend => {
                let erased = self.viewport.erase();
                self.tty.write(erased.as_bytes())?;
                self.entered = None;
                rustix::process::kill_current_process_group(rustix::process::Signal::TSTP)?;
                self.again()?;
            }
            Reaction::Editor(text) => self.edit(prompt, &text)?,
            Reaction::Copy(text) => {
                let copied = format!("\x1b]52;c;{}\x07", base64(text.as_bytes()));
                self.tty.write(copied.as_bytes())?;
            }
        }
        let paint = self.viewport.paint(&prompt.view());
        self.tty.write(paint.as_bytes())
    }

    /// Enters the modes again and forgets what was on the screen.
    fn again(&mut self) -> io::Result<()> {
        let erased = self.viewport.erase();
        self.tty.write(erased.as_bytes())?;
        self.entered = None;
        self.entered = Some(self.tty.enter()?);
        Ok(())
    }

    fn edit(&mut self, prompt: &mut Prompt, text: &str) -> io::Result<()> {
        let Some(command) = &self.setup.editor else {
            prompt.tell("notice-editor-missing");
            return Ok(());
        };
        let erased = self.viewport.erase();
        self.tty.write(erased.as_bytes())?;
        self.entered = None;
        let edited = editor::edit(command, text, &self.tty);
        self.again()?;
        match edited {
            Edited::Text(text) => prompt.edited(&text),
            Edited::Failed => prompt.tell("notice-editor-failed"),
        }
        Ok(())
    }

    /// Asks the terminal about itself, and gives it a moment to answer. What is typed meanwhile was
    /// meant for something else.
    fn greet(&mut self, prompt: &mut Prompt) -> io::Result<()> {
        let background = if self.setup.depth == Depth::Full && self.setup.background.is_none() {
            "\x1b]11;?\x1b\\"
        } else {
            ""
        };
        let ask = match self.setup.asks {
            Asks::Nothing => return Ok(()),
            Asks::Background if background.is_empty() => return Ok(()),
            Asks::Background => format!("{background}\x1b[c"),
            Asks::Everything => {
                format!("{background}\x1b[6n\x1b7\u{25CB}\x1b[6n\x1b8\x1b[K\x1b[c")
            }
        };
        self.tty.write(ask.as_bytes())?;
        let until = self.clock.now() + GREETING;
        while !self.probe.answered {
            let left = until.saturating_sub(self.clock.now());
            match self.source.next(&self.tty, Some(left))? {
                Some(Happening::Event(event)) => self.told(&event),
                Some(Happening::End(_) | Happening::HungUp) => break,
                None if left.is_zero() => break,
                Some(Happening::Continued | Happening::Woken) | None => {}
            }
        }
        if self.probe.mid_line {
            self.tty.write(b"\r\n")?;
        }
        self.suit(prompt);
        Ok(())
    }

    fn told(&mut self, event: &Event) {
        match event {
            Event::Reply(reply) => {
                self.setup.background = Background::from_reply(reply).or(self.setup.background);
            }
            Event::CursorAt(_, column) => match self.probe.column {
                None => {
                    self.probe.column = Some(*column);
                    self.probe.mid_line = *column > 1;
                }
                Some(before) => self.probe.wide = *column == before + 2,
            },
            Event::Attributes => self.probe.answered = true,
            Event::Key(_)
            | Event::Paste(_)
            | Event::FocusIn
            | Event::FocusOut
            | Event::Resize(_) => {}
        }
    }

    /// Colours and marks that suit what the terminal told.
    fn suit(&mut self, prompt: &mut Prompt) -> Reaction {
        self.viewport
            .set_theme(Theme::choose(self.setup.depth, self.setup.background));
        if self.probe.wide {
            prompt.set_glyphs(Glyphs::ASCII);
        }
        Reaction::Redraw
    }

    /// The moment on the clock of the session.
    pub fn now(&self) -> Moment {
        self.clock.now()
    }
}

/// Text for a title or a notification.
pub(crate) fn printable(text: &str) -> String {
    text.chars()
        .map(|ch| if ch.is_control() { ' ' } else { ch })
        .collect()
}

/// The clipboard takes base64.
pub(crate) fn base64(bytes: &[u8]) -> String {
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
#[path = "session_tests.rs"]
mod tests;
