//! One prompt as a scene of its own, for `askback ask`.

use std::io;
use std::os::unix::net::UnixStream;
use std::time::Duration;

use askback_core::draft::Draft;
use askback_wire::link::LinkResponse;

use crate::prompt::{End, Prompt, Reaction};
use askback_terminal::app::{Exit, Scene, Stage, Want};
use askback_terminal::clock::{Clock, Moment};
use askback_terminal::editor::Edited;
use askback_terminal::glyphs::Glyphs;
use askback_terminal::key::Event;
use askback_terminal::row::{Frame, Row, Size};
use askback_terminal::settings::Setup;
use askback_terminal::surface::FRAME_MIN;
use askback_terminal::tty::Tty;

/// What a prompt tells the rest of the program, and hears from it.
pub trait Outside {
    /// The draft changed.
    fn changed(&mut self, draft: &Draft) {
        let _ = draft;
    }

    /// A key stopped the deadline.
    fn deadline_stopped(&mut self) {}

    /// A link for another device is wanted; it comes as [`Woken::Shared`].
    fn share(&mut self) {}

    /// Something happened, perhaps a call from another thread. Gives whether the question is over.
    fn woken(&mut self) -> Woken {
        Woken::GoOn
    }
}

/// What a call from elsewhere means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Woken {
    /// The question is still open.
    GoOn,
    /// It ended elsewhere.
    Over,
    /// A link that was wanted is there, or in words why not.
    Shared(Result<LinkResponse, String>),
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
    /// The window became too small for frames. The prompt's draft goes on line by line.
    TooSmall,
    /// The process is to end, by the signal of this number.
    Signal(i32),
    /// The terminal is gone.
    HungUp,
}

/// A prompt on a terminal.
#[derive(Debug)]
pub struct Session {
    stage: Stage,
}

impl Session {
    /// Takes the terminal.
    pub fn open(
        tty: Tty,
        setup: Setup,
        wake: Option<UnixStream>,
        clock: Clock,
    ) -> io::Result<Session> {
        let stage = Stage::open(tty, setup, wake, clock)?;
        Ok(Session { stage })
    }

    /// Runs a prompt until it is over. The frame is taken away then; see [`Session::close`].
    pub fn run(&mut self, prompt: &mut Prompt, outside: &mut dyn Outside) -> io::Result<Finish> {
        let mut solo = Solo {
            prompt,
            outside,
            now: self.stage.now(),
            wants: Vec::new(),
            finish: None,
            lights_up: self.stage.lights_up(),
            lit: None,
        };
        let exit = self.stage.play(&mut solo, &mut |solo, _| solo.listen())?;
        Ok(match exit {
            Exit::Left(_) => solo.finish.unwrap_or(Finish::Ended(End::Kept)),
            Exit::Signal(number) => Finish::Signal(number),
            Exit::HungUp => Finish::HungUp,
        })
    }

    /// Gives the terminal back, and prints the lines that stay.
    pub fn close(self, rows: &[Row]) -> io::Result<()> {
        self.stage.close(rows)
    }
}

/// A prompt that is all there is.
struct Solo<'a> {
    prompt: &'a mut Prompt,
    outside: &'a mut dyn Outside,
    now: Moment,
    wants: Vec<Want>,
    finish: Option<Finish>,
    /// Whether what was chosen lights up.
    lights_up: bool,
    lit: Option<Lit>,
}

/// What was chosen, lit up for a moment before the frame goes.
struct Lit {
    frame: Frame,
    end: End,
    until: Moment,
}

/// How long it is lit: the answer waits no longer than that.
const LIT: Duration = Duration::from_millis(100);

impl Solo<'_> {
    fn listen(&mut self) {
        while self.finish.is_none() {
            match self.outside.woken() {
                Woken::GoOn => return,
                Woken::Shared(made) => self.prompt.shared(made),
                Woken::Over => self.finish(Finish::Elsewhere),
            }
        }
    }

    fn finish(&mut self, finish: Finish) {
        self.finish = Some(finish);
        self.wants.push(Want::Leave(0));
    }

    /// The prompt ended; an answer may be seen for a moment first.
    fn end(&mut self, end: End) {
        let lit = match (&end, self.lights_up) {
            (End::Answered(_), true) => self.prompt.lit(),
            (End::Answered(_), false)
            | (End::Kept | End::Declined | End::Rejected | End::Detached | End::Expired, _) => None,
        };
        let until = self.now + LIT;
        match lit {
            Some(frame) => self.lit = Some(Lit { frame, end, until }),
            None => self.finish(Finish::Ended(end)),
        }
    }

    fn go_out(&mut self) {
        if let Some(lit) = self.lit.take() {
            self.finish(Finish::Ended(lit.end));
        }
    }

    fn react(&mut self, reaction: Reaction) {
        match reaction {
            Reaction::Nothing | Reaction::Redraw => {}
            Reaction::End(end) => self.end(end),
            Reaction::Editor(text) => self.wants.push(Want::Editor(text)),
            Reaction::Suspend => self.wants.push(Want::Suspend),
            Reaction::Repaint => self.wants.push(Want::Repaint),
            Reaction::Copy(text) => self.wants.push(Want::Copy(text)),
            Reaction::Share => self.outside.share(),
        }
    }
}

impl Scene for Solo<'_> {
    fn resize(&mut self, size: Size) {
        self.go_out();
        if self.finish.is_some() {
            return;
        }
        if size.is_below(FRAME_MIN) {
            self.finish(Finish::TooSmall);
        } else {
            self.prompt.handle(&Event::Resize(size), self.now);
        }
    }

    fn handle(&mut self, event: &Event, now: Moment) {
        self.now = now;
        if self.lit.is_some() {
            return self.go_out();
        }
        let (draft, deadline) = (
            self.prompt.draft().clone(),
            self.prompt.deadline().is_some(),
        );
        let reaction = self.prompt.handle(event, now);
        if deadline && self.prompt.deadline().is_none() {
            self.outside.deadline_stopped();
        }
        if !matches!(reaction, Reaction::End(_)) && draft != *self.prompt.draft() {
            self.outside.changed(self.prompt.draft());
        }
        self.react(reaction);
    }

    fn tick(&mut self, now: Moment) {
        self.now = now;
        if self.lit.is_some() {
            return self.go_out();
        }
        let reaction = self.prompt.tick(now);
        self.react(reaction);
    }

    fn next_tick(&self, now: Moment) -> Option<Duration> {
        match &self.lit {
            Some(lit) => Some(lit.until.saturating_sub(now)),
            None => self.prompt.next_tick(now),
        }
    }

    fn lines(&mut self) -> Vec<Row> {
        Vec::new()
    }

    fn wants(&mut self) -> Vec<Want> {
        std::mem::take(&mut self.wants)
    }

    fn view(&self) -> Frame {
        match &self.lit {
            Some(lit) => lit.frame.clone(),
            None => self.prompt.view(),
        }
    }

    fn painted(&mut self, now: Moment) {
        self.prompt.painted(now);
    }

    fn reappear(&mut self) {
        self.prompt.appear(None);
    }

    fn title(&self) -> String {
        self.prompt.title()
    }

    fn waiting(&self) -> Option<String> {
        Some(self.prompt.title())
    }

    fn edited(&mut self, edited: &Edited) {
        match edited {
            Edited::Text(text) => {
                self.prompt.edited(text);
                self.outside.changed(self.prompt.draft());
            }
            Edited::Missing => self.prompt.tell("notice-editor-missing"),
            Edited::Failed => self.prompt.tell("notice-editor-failed"),
        }
    }

    fn set_glyphs(&mut self, glyphs: Glyphs) {
        self.prompt.set_glyphs(glyphs);
    }
}
