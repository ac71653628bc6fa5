//! What flags, environment and configuration say about the terminal.

use std::io::{self, IsTerminal as _};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use anyhow::Context as _;
use askback_client::Client;
use askback_locale::Locale;
use askback_terminal::app::TerminalApp;
use askback_terminal::clock::{self, Clock};
use askback_terminal::config::{FirstKey, ProbeScope, TerminalConfig};
use askback_terminal::display_mode::{DisplayMode, DisplayModeInputs, has_wide_glyphs, is_utf8};
use askback_terminal::glyphs::Glyphs;
use askback_terminal::line_reader::LineReader;
use askback_terminal::notification::NotificationStyle;
use askback_terminal::theme::{Background, ColorDepth};
use askback_terminal::tty::Tty;
use askback_terminal::viewport::Reflow;
use askback_tui::keymap::Keymap;
use askback_tui::line::{self, LinePrompt};
use askback_tui::prompt::PromptOptions;
use askback_tui::screen_config::ScreenConfig;
use askback_tui::session::{PromptHost, SessionEnd};
use tokio::runtime::Handle;

use crate::args::TerminalArgs;
use crate::backend::{PRESENCE_INTERVAL, presence_notifier};
use crate::failure::Failure;
use crate::output;
use crate::settings::{TerminalSettings, keymap, variable};

pub(crate) struct TerminalOptions {
    pub(crate) locale: Locale,
    pub(crate) glyphs: Glyphs,
    pub(crate) clock: Clock,
    pub(crate) keymap: Keymap,
    pub(crate) settings: TerminalSettings,
    /// How long the keyboard must be silent before a new question accepts keys.
    pub(crate) typeahead_window: Duration,
    facts: DisplayModeInputs,
    ascii: bool,
}

impl TerminalOptions {
    /// Reads everything that is known without querying the terminal.
    pub(crate) fn detect(
        args: &TerminalArgs,
        config: Option<&Path>,
    ) -> Result<TerminalOptions, Failure> {
        let clock = Clock::start();
        let locale = match &args.locale {
            Some(tag) => Locale::choose(&[tag.as_str()]),
            None => Locale::from_env(variable),
        };
        let ascii = args.ascii || !is_utf8(variable);
        let stdin = io::stdin().is_terminal();
        let stderr = output::stderr().is_terminal();
        // --tty without a controlling terminal falls back to the standard streams.
        let controlling = args.tty.then(|| Tty::controlling().ok()).flatten();
        let found = controlling.is_some();
        let tty = match controlling {
            None if stdin && stderr => Some(Tty::standard()?),
            tty => tty,
        };
        let size = tty
            .as_ref()
            .map_or(askback_terminal::display_mode::FRAME_MIN, Tty::size);
        let facts = DisplayModeInputs {
            controlling: found,
            lines: args.lines,
            stdin,
            stderr,
            size,
        };
        let ms = variable("ASKBACK_ARM_MS").and_then(|ms| ms.parse().ok());
        let typeahead_window = ms.map_or(askback_tui::TYPEAHEAD_WINDOW, Duration::from_millis);
        let glyphs = if ascii { Glyphs::ASCII } else { Glyphs::LINES };
        Ok(TerminalOptions {
            locale,
            glyphs,
            clock,
            keymap: keymap(config)?,
            settings: TerminalSettings::gather(args, config)?,
            typeahead_window,
            facts,
            ascii,
        })
    }

    pub(crate) fn stdin_is_terminal(&self) -> bool {
        self.facts.stdin
    }

    pub(crate) fn display_mode(&self) -> DisplayMode {
        DisplayMode::choose(&self.facts, variable)
    }

    pub(crate) fn tty(&self) -> Result<Tty, Failure> {
        Ok(if self.facts.controlling {
            Tty::controlling()?
        } else {
            Tty::standard()?
        })
    }

    pub(crate) fn setup(&self) -> TerminalConfig {
        let term = variable("TERM").unwrap_or_default();
        let probe_scope = match (term.as_str(), self.ascii) {
            ("linux", _) => ProbeScope::None,
            (_, true) => ProbeScope::Background,
            (_, false) => ProbeScope::All,
        };
        // Lets a test check that a panic restores the terminal.
        let first_key = if cfg!(debug_assertions) && variable("ASKBACK_PANIC").is_some() {
            FirstKey::Panic
        } else {
            FirstKey::Normal
        };
        // Lets a test respond as a terminal does, however busy the machine is.
        let response_timeout = variable("ASKBACK_RESPONSE_MS")
            .filter(|_| cfg!(debug_assertions))
            .and_then(|ms| ms.parse().ok())
            .map_or(
                askback_terminal::config::RESPONSE_TIMEOUT,
                Duration::from_millis,
            );
        TerminalConfig {
            depth: ColorDepth::from_env(variable),
            background: variable("COLORFGBG").and_then(|value| Background::from_colorfgbg(&value)),
            reflow: Reflow::from_env(variable),
            probe_scope,
            first_frame_wait: if has_wide_glyphs(variable) {
                askback_terminal::config::WIDE_GLYPH_WAIT
            } else {
                Duration::ZERO
            },
            response_timeout,
            editor: variable("VISUAL").or_else(|| variable("EDITOR")),
            mouse: self.settings.mouse,
            bidi: self.settings.bidi,
            notifications: self.settings.notifications,
            notification_style: NotificationStyle::from_env(variable),
            typeahead_window: self.typeahead_window,
            first_key,
        }
    }

    pub(crate) fn screen_config(&self) -> ScreenConfig {
        ScreenConfig {
            locale: self.locale,
            glyphs: self.glyphs,
            today: clock::today(),
            typeahead_window: self.typeahead_window,
            keymap: self.keymap.clone(),
        }
    }

    pub(crate) fn prompt_options(&self, asker: Option<String>) -> PromptOptions {
        let mut options = PromptOptions::new(self.locale, clock::today());
        options.glyphs = self.glyphs;
        options.size = self.facts.size;
        options.asker = asker;
        options.keymap = self.keymap.clone();
        options.typeahead_window = self.typeahead_window;
        options
    }

    /// Opens the terminal for a screen, and tells the server that somebody is at it.
    pub(crate) fn open_app(
        &self,
        wake: UnixStream,
        client: Client,
        runtime: &Handle,
    ) -> Result<TerminalApp, Failure> {
        let app = TerminalApp::open(self.tty()?, self.setup(), Some(wake), self.clock);
        let mut app = app.context("cannot use the terminal")?;
        let notify = presence_notifier(client, runtime.clone());
        app.on_activity(PRESENCE_INTERVAL, notify);
        Ok(app)
    }

    /// Opens line input. It also returns when `wake` becomes readable.
    pub(crate) fn open_lines(&self, wake: Option<UnixStream>) -> Result<LineReader, Failure> {
        let lines = LineReader::open(self.tty()?, wake);
        let lines = lines.context("cannot use the terminal")?;
        Ok(lines.with_typeahead_window(self.typeahead_window))
    }

    /// Opens line input that tells the server that somebody is at this terminal.
    pub(crate) fn open_present_lines(
        &self,
        wake: Option<UnixStream>,
        client: &Client,
        runtime: &Handle,
    ) -> Result<LineReader, Failure> {
        let mut lines = self.open_lines(wake)?;
        let notify = presence_notifier(client.clone(), runtime.clone());
        lines.on_activity(self.clock, PRESENCE_INTERVAL, notify);
        Ok(lines)
    }

    pub(crate) fn run_line_prompt(
        &self,
        lines: &mut LineReader,
        prompt: &mut LinePrompt,
        host: &mut dyn PromptHost,
    ) -> Result<SessionEnd, Failure> {
        let finish = line::run(lines, prompt, host, self.clock);
        Ok(finish.context("the terminal failed")?)
    }
}
