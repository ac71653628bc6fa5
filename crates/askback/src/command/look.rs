//! What is known about the terminal and the person at it.

use std::io::{self, IsTerminal as _};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use anyhow::Context as _;
use askback_locale::Locale;
use askback_tui::clock::{self, Clock};
use askback_tui::glyphs::Glyphs;
use askback_tui::keymap::Keymap;
use askback_tui::line::{self, LinePrompt, Lines};
use askback_tui::prompt::Options;
use askback_tui::session::{Finish, Outside};
use askback_tui::setup::{Asks, FirstKey, Setup};
use askback_tui::surface::{Facts, Surface, is_utf8};
use askback_tui::theme::{Background, Depth};
use askback_tui::tty::Tty;
use askback_tui::viewport::Reflow;

use crate::args::LookArgs;
use crate::failure::Failure;
use crate::settings::{TerminalSettings, keymap, variable};

/// How the question is shown.
pub(crate) struct Look {
    pub(crate) locale: Locale,
    pub(crate) glyphs: Glyphs,
    pub(crate) clock: Clock,
    pub(crate) keymap: Keymap,
    pub(crate) terminal: TerminalSettings,
    /// How long no key may come before those that answer are heard.
    pub(crate) quiet: Duration,
    facts: Facts,
    ascii: bool,
}

impl Look {
    /// Finds out without asking the terminal.
    pub(crate) fn find(args: &LookArgs, config: Option<&Path>) -> Result<Look, Failure> {
        let clock = Clock::start();
        let locale = match &args.locale {
            Some(tag) => Locale::choose(&[tag.as_str()]),
            None => Locale::from_env(variable),
        };
        let ascii = args.ascii || !is_utf8(variable);
        let stdin = io::stdin().is_terminal();
        let stderr = io::stderr().is_terminal();
        // Without a controlling terminal nobody is asked through it, whatever the caller hoped for.
        let controlling = args.tty.then(|| Tty::controlling().ok()).flatten();
        let found = controlling.is_some();
        let tty = match controlling {
            None if stdin && stderr => Some(Tty::standard()?),
            tty => tty,
        };
        let size = tty
            .as_ref()
            .map_or(askback_tui::surface::FRAME_MIN, Tty::size);
        let facts = Facts {
            controlling: found,
            lines: args.lines,
            stdin,
            stderr,
            size,
        };
        let ms = variable("ASKBACK_ARM_MS").and_then(|ms| ms.parse().ok());
        let quiet = ms.map_or(askback_tui::TYPEAHEAD_WINDOW, Duration::from_millis);
        let glyphs = if ascii { Glyphs::ASCII } else { Glyphs::LINES };
        Ok(Look {
            locale,
            glyphs,
            clock,
            keymap: keymap(config)?,
            terminal: TerminalSettings::gather(args, config)?,
            quiet,
            facts,
            ascii,
        })
    }

    pub(crate) fn stdin_is_terminal(&self) -> bool {
        self.facts.stdin
    }

    pub(crate) fn surface(&self) -> Surface {
        Surface::choose(&self.facts, variable)
    }

    pub(crate) fn tty(&self) -> Result<Tty, Failure> {
        Ok(if self.facts.controlling {
            Tty::controlling()?
        } else {
            Tty::standard()?
        })
    }

    /// What the environment tells about the terminal.
    pub(crate) fn setup(&self) -> Setup {
        let term = variable("TERM").unwrap_or_default();
        let asks = match (term.as_str(), self.ascii) {
            ("linux", _) => Asks::Nothing,
            (_, true) => Asks::Background,
            (_, false) => Asks::Everything,
        };
        // For the tests of what a panic leaves behind.
        let first_key = if cfg!(debug_assertions) && variable("ASKBACK_PANIC").is_some() {
            FirstKey::Panics
        } else {
            FirstKey::Acts
        };
        Setup {
            depth: Depth::from_env(variable),
            background: variable("COLORFGBG").and_then(|value| Background::from_colorfgbg(&value)),
            reflow: Reflow::from_env(variable),
            asks,
            editor: variable("VISUAL").or_else(|| variable("EDITOR")),
            mouse: self.terminal.mouse,
            bidi: self.terminal.bidi,
            motion: self.terminal.motion,
            typeahead_window: self.quiet,
            first_key,
        }
    }

    /// The options of a prompt here.
    pub(crate) fn options(&self, asker: Option<String>) -> Options {
        let mut options = Options::new(self.locale, clock::today());
        options.glyphs = self.glyphs;
        options.size = self.facts.size;
        options.asker = asker;
        options.keymap = self.keymap.clone();
        options.border = self.terminal.border;
        options.quiet = self.quiet;
        options
    }

    /// Where lines are typed; `wake` becomes readable when another thread calls.
    pub(crate) fn lines(&self, wake: Option<UnixStream>) -> Result<Lines, Failure> {
        let lines = Lines::listen(self.tty()?, wake);
        let lines = lines.context("cannot use the terminal")?;
        let lines = lines.with_instant(self.terminal.instant);
        Ok(lines.with_typeahead_window(self.quiet))
    }

    /// Asks line by line until it is over.
    pub(crate) fn ask_lines(
        &self,
        lines: &mut Lines,
        prompt: &mut LinePrompt,
        outside: &mut dyn Outside,
    ) -> Result<Finish, Failure> {
        let finish = line::ask(lines, prompt, outside, self.clock);
        Ok(finish.context("the terminal failed")?)
    }
}
