//! Runs the real binary on a pseudo-terminal, records every byte, and waits for screen content.

use std::io::{Read as _, Write as _};
use std::num::NonZero;
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use tokio::time::Instant;

use super::timeout::TEST_TIMEOUT;
use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

/// What came from the program so far.
struct Seen {
    bytes: Vec<u8>,
    /// How many bytes there were at which time.
    times: Vec<(usize, Instant)>,
    parser: vt100::Parser,
    ended: bool,
}

/// A program on a terminal.
pub(crate) struct Pty {
    seen: Arc<(Mutex<Seen>, Condvar)>,
    writer: Box<dyn std::io::Write + Send>,
    master: Box<dyn MasterPty + Send>,
    child: Box<dyn Child + Send + Sync>,
}

fn size(columns: u16, rows: u16) -> PtySize {
    PtySize {
        rows,
        cols: columns,
        pixel_width: 0,
        pixel_height: 0,
    }
}

fn cells(count: u16) -> NonZero<u16> {
    NonZero::new(count).expect("a terminal has cells")
}

impl Pty {
    /// Runs the binary at 60 by 20, without a typeahead window.
    pub(crate) fn askback(args: &[&str]) -> Pty {
        Pty::with(args, &[("ASKBACK_ARM_MS", "0")], (60, 20))
    }

    /// Runs the binary with an environment and a size.
    pub(crate) fn with(args: &[&str], vars: &[(&str, &str)], columns_rows: (u16, u16)) -> Pty {
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_askback"));
        command.args(args);
        Pty::run(command, vars, columns_rows)
    }

    /// Runs a shell script; `$ASKBACK` is the binary.
    pub(crate) fn shell(script: &str, vars: &[(&str, &str)]) -> Pty {
        let mut command = CommandBuilder::new("sh");
        command.args(["-c", script]);
        command.env("ASKBACK", env!("CARGO_BIN_EXE_askback"));
        let mut all = vec![("ASKBACK_ARM_MS", "0")];
        all.extend(vars);
        Pty::run(command, &all, (60, 20))
    }

    fn run(mut command: CommandBuilder, vars: &[(&str, &str)], (columns, rows): (u16, u16)) -> Pty {
        command.env_clear();
        for (name, value) in [
            ("PATH", "/usr/bin:/bin"),
            ("TERM", "xterm-256color"),
            ("LANG", "C.UTF-8"),
            // Keys are sent as soon as something is shown; tests of the guard set a time.
            ("ASKBACK_ARM_MS", "0"),
            // So do tests of undo.
            ("ASKBACK_UNDO", "0"),
        ] {
            command.env(name, value);
        }
        command.env("HOME", env!("CARGO_TARGET_TMPDIR"));
        command.env("ASKBACK", env!("CARGO_BIN_EXE_askback"));
        for (name, value) in vars {
            command.env(name, value);
        }
        let pair = native_pty_system()
            .openpty(size(columns, rows))
            .expect("a terminal opens");
        let child = pair
            .slave
            .spawn_command(command)
            .expect("the program starts");
        drop(pair.slave);
        let seen = Arc::new((
            Mutex::new(Seen {
                bytes: Vec::new(),
                times: Vec::new(),
                parser: vt100::Parser::new(cells(rows), cells(columns), 1000),
                ended: false,
            }),
            Condvar::new(),
        ));
        let mut reader = pair
            .master
            .try_clone_reader()
            .expect("the terminal is read");
        let writer = pair.master.take_writer().expect("the terminal is written");
        let shared = Arc::clone(&seen);
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            loop {
                let read = reader.read(&mut buffer).unwrap_or(0);
                let mut seen = shared.0.lock().expect("the lock is sound");
                seen.ended = read == 0;
                seen.bytes.extend_from_slice(&buffer[..read]);
                let length = seen.bytes.len();
                seen.times.push((length, Instant::now()));
                seen.parser.process(&buffer[..read]);
                shared.1.notify_all();
                if read == 0 {
                    return;
                }
            }
        });
        Pty {
            seen,
            writer,
            master: pair.master,
            child,
        }
    }

    /// Sends keys as bytes.
    pub(crate) fn send(&mut self, keys: &str) {
        self.writer
            .write_all(keys.as_bytes())
            .expect("keys are sent");
        self.writer.flush().expect("keys are sent");
    }

    fn wait(&self, what: &str, mut come: impl FnMut(&Seen) -> bool) {
        let seen = self.seen.0.lock().expect("the lock is sound");
        let (seen, over) = self
            .seen
            .1
            .wait_timeout_while(seen, TEST_TIMEOUT, |seen| !come(seen))
            .expect("the lock is sound");
        let shown = seen.parser.screen().contents();
        let ended = seen.ended;
        drop(seen);
        assert!(
            !over.timed_out(),
            "waited for {what}; ended: {ended}; the screen shows\n{shown}"
        );
    }

    /// When the output first satisfied `is`, after `since`.
    fn first(&self, since: Instant, is: impl Fn(&vt100::Screen) -> bool) -> Option<Instant> {
        let seen = self.seen.0.lock().expect("the lock is sound");
        let (rows, columns) = seen.parser.screen().size();
        let mut parser = vt100::Parser::new(rows, columns, 0);
        let mut from = 0;
        for (to, at) in &seen.times {
            parser.process(&seen.bytes[from..*to]);
            from = *to;
            if *at >= since && is(parser.screen()) {
                return Some(*at);
            }
        }
        None
    }

    /// Waits until the screen shows a text, and gives how long after `since` it first did.
    pub(crate) fn shows_after(&self, since: Instant, text: &str) -> Duration {
        self.shows(text);
        let first = self.first(since, |screen| screen.contents().contains(text));
        first.map_or(Duration::ZERO, |at| at.saturating_duration_since(since))
    }

    /// Whether the screen shows a text before long, for something that may fail.
    pub(crate) fn comes_to_show(&self, text: &str, patience: Duration) -> bool {
        let seen = self.seen.0.lock().expect("the lock is sound");
        let shown = |seen: &mut Seen| !seen.parser.screen().contents().contains(text);
        let waited = self.seen.1.wait_timeout_while(seen, patience, shown);
        !waited.expect("the lock is sound").1.timed_out()
    }

    /// When this was written for the first time.
    pub(crate) fn written_at(&self, bytes: &str) -> Instant {
        self.writes(bytes);
        let seen = self.seen.0.lock().expect("the lock is sound");
        let end = seen
            .bytes
            .windows(bytes.len())
            .position(|window| window == bytes.as_bytes())
            .expect("it was written")
            + bytes.len();
        let covers = seen.times.iter().find(|(to, _)| *to >= end);
        covers.expect("every byte came at some time").1
    }

    /// The modes that are left on: the alternate screen, a hidden cursor, reports of pastes, of the
    /// focus and of keys.
    pub(crate) fn modes_left_on(&self) -> Vec<&'static str> {
        const MODES: [(&str, &str); 6] = [
            ("\x1b[?2004h", "\x1b[?2004l"),
            ("\x1b[?1004h", "\x1b[?1004l"),
            ("\x1b[>1u", "\x1b[<1u"),
            ("\x1b[22;2t", "\x1b[23;2t"),
            ("\x1b[?1049h", "\x1b[?1049l"),
            ("\x1b[?2026h", "\x1b[?2026l"),
        ];
        let log = self.log();
        let mut on: Vec<&str> = MODES
            .into_iter()
            .filter(|(set, unset)| log.rfind(set) > log.rfind(unset))
            .map(|(set, _)| set)
            .collect();
        let seen = self.seen.0.lock().expect("the lock is sound");
        let screen = seen.parser.screen();
        if screen.hide_cursor() {
            on.push("the cursor is hidden");
        }
        let colour = screen.fgcolor() != vt100::Color::Default;
        if colour || screen.bold() {
            on.push("the colours are not reset");
        }
        on
    }

    /// Waits until the screen shows a text.
    pub(crate) fn shows(&self, text: &str) {
        self.wait(text, |seen| seen.parser.screen().contents().contains(text));
    }

    /// Waits until the screen shows a text no more.
    pub(crate) fn hides(&self, text: &str) {
        self.wait(text, |seen| !seen.parser.screen().contents().contains(text));
    }

    /// Waits until this was written.
    pub(crate) fn writes(&self, bytes: &str) {
        self.wait(bytes, |seen| {
            String::from_utf8_lossy(&seen.bytes).contains(bytes)
        });
    }

    /// Waits for the end, and gives the exit code.
    pub(crate) fn ends(&mut self) -> u32 {
        self.wait("the end", |seen| seen.ended);
        self.child.wait().expect("the program ends").exit_code()
    }

    /// The screen as lines, without empty ones at the end.
    pub(crate) fn screen(&self) -> Vec<String> {
        let seen = self.seen.0.lock().expect("the lock is sound");
        let contents = seen.parser.screen().contents();
        contents
            .lines()
            .map(|line| line.trim_end().to_owned())
            .collect()
    }

    /// Where the cursor is: row and column from 0.
    pub(crate) fn cursor(&self) -> (u16, u16) {
        self.seen
            .0
            .lock()
            .expect("the lock is sound")
            .parser
            .screen()
            .cursor_position()
    }

    /// Every byte so far, as text.
    pub(crate) fn log(&self) -> String {
        let seen = self.seen.0.lock().expect("the lock is sound");
        String::from_utf8_lossy(&seen.bytes).into_owned()
    }

    /// Resizes the terminal.
    pub(crate) fn resize(&self, columns: u16, rows: u16) {
        let mut seen = self.seen.0.lock().expect("the lock is sound");
        seen.parser
            .screen_mut()
            .set_size(cells(rows), cells(columns));
        self.master
            .resize(size(columns, rows))
            .expect("the terminal is resized");
    }

    /// A file of `/proc` about the program.
    #[cfg(target_os = "linux")]
    pub(crate) fn proc_file(&self, name: &str) -> String {
        let id = self.child.process_id().expect("the program runs");
        std::fs::read_to_string(format!("/proc/{id}/{name}")).expect("it is there")
    }

    /// Sends SIGKILL.
    pub(crate) fn kill(mut self) {
        self.child.kill().expect("the program is killed");
        self.child.wait().expect("the program ends");
    }
}

/// Polls until a condition holds.
pub(crate) fn until(what: &str, come: impl Fn() -> bool) {
    // Nobody sends: each wait is a short pause.
    let (_silent, pause) = std::sync::mpsc::channel::<()>();
    let rounds = TEST_TIMEOUT.as_millis() / 50;
    for _ in 0..rounds {
        if come() {
            return;
        }
        let silent = pause.recv_timeout(Duration::from_millis(50));
        assert!(silent.is_err(), "nobody sends");
    }
    panic!("waited for {what}");
}
